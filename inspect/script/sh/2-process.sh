# --- processes ---------------------------------------------------------------

# This shell itself is nobody of interest.
read -r self rest </proc/self/stat

pids=
found=0

# add PID: one more process to look at, eight at most.
add() {
  case $1 in
  '' | 0* | *[!0-9]* | ????????*) return ;;
  esac
  case " $pids " in
  *" $1 "*) return ;;
  esac
  if [ "$1" = "$self" ] || [ "$1" = $$ ] || [ "$found" -ge 8 ]; then return; fi
  pids="$pids $1"
  found=$((found + 1))
}

# look PID THREADS: what changes fastest comes first.
look() {
  mark
  run cat "/proc/$1/stat"
  if [ ! -d "/proc/$1" ]; then
    # No folder is either no process or one that is hidden. Signal 0 is never
    # delivered; whether it could be is the answer.
    run kill -0 "$1"
    return
  fi
  run cat "/proc/$1/status"
  run_open cat "/proc/$1/wchan"
  sockets "$1"
  run cat "/proc/$1/schedstat"
  run cat "/proc/$1/cgroup"
  run cat "/proc/$1/oom_score"
  run ls -l "/proc/$1/ns"
  threads "$1" "$2"
  process_groups "$1"
}

# threads PID MOST
threads() {
  most=$2
  folder=/proc/$1/task
  set -- "$folder"/*
  count=$#
  if [ ! -d "$1" ]; then return; fi
  for file in stat schedstat wchan; do
    if [ "$count" -eq 1 ]; then
      if [ "$file" = wchan ]; then run_open cat "$1/$file"; else run cat "$1/$file"; fi
    elif [ "$count" -le "$most" ]; then
      prompt "head -n 1 $folder/*/$file"
      head -n 1 "$folder"/*/"$file" 2>&1
      echo
    else
      some_threads "$file" "$@"
    fi
  done
}

some_threads() {
  file=$1
  shift
  remark "the first $most of $count threads:"
  words=0
  for thread in "$@"; do
    if [ "$words" -eq 0 ]; then set --; fi
    if [ "$words" -eq "$most" ]; then break; fi
    set -- "$@" "$thread/$file"
    words=$((words + 1))
  done
  run_open head -n 1 "$@"
}

# sockets PID: which sockets it holds, and their rows of the kernel's tables.
sockets() {
  folder=/proc/$1/fd
  prompt "ls -l $folder | grep socket: | head -n 1000"
  { ls -l "$folder" | grep socket: | head -n 1000; } 2>&1
  own_inodes "$folder"
  # A host may have thousands of connections to one Redis, and closed ones (06)
  # are nobody's. Without its descriptors it is open which rows are whose.
  wanted=
  if [ -n "$port_hex" ]; then wanted=":$port_hex ([0-9A-F:]+ )?0[^6] "; fi
  if [ -n "$inodes" ]; then wanted="$wanted.* ($inodes) "; fi
  if [ -z "$wanted" ]; then
    remark 'no row of its sockets is read: neither --redis nor its descriptors say which'
    return
  fi
  table_rows "/proc/$1/net/tcp"
  table_rows "/proc/$1/net/tcp6"
}

# table_rows FILE: the heading and the wanted rows.
table_rows() {
  prompt "grep -E 'local_address|$wanted' $1 | head -n 1000"
  { grep -E "local_address|$wanted" "$1" | head -n 1000; } 2>&1
}

# own_inodes FOLDER: sets inodes to those of its sockets, as alternatives of a
# pattern; to nothing when there are too many for one.
own_inodes() {
  inodes=
  words=0
  for inode in $(ls -l "$1" 2>/dev/null | sed -n 's/.*socket:\[\([0-9]*\)\]$/\1/p' | head -n 201); do
    inodes="$inodes|$inode"
    words=$((words + 1))
  done
  inodes=${inodes#|}
  if [ "$words" -gt 200 ]; then inodes=; fi
}
