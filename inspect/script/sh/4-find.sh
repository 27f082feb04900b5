# --- whom to look at ---------------------------------------------------------

find_unit() {
  group=
  if has systemctl; then
    patiently keep systemctl show "$properties" -- "$unit"
    add "$(printf '%s\n' "$out" | sed -n 's/^MainPID=//p')"
    group=$(printf '%s\n' "$out" | sed -n 's/^ControlGroup=//p')
  fi
  if [ -n "$group" ] && [ "$group" != / ]; then
    find_folder "${group#/}"
  else
    search "$unit"
  fi
}

# find_folder PATH: a group by its path below the mounts.
find_folder() {
  none=1
  for point in $(points); do
    if [ -d "$point/$1" ]; then
      none=
      members "$point/$1"
    fi
  done
  if [ -n "$none" ]; then remark 'no control group of that name is mounted here'; fi
}

# search NAME: a group by its last name, some levels deep.
search() {
  none=1
  for point in $(points); do
    for group in "$point/$1" "$point"/*/"$1" "$point"/*/*/"$1" "$point"/*/*/*/"$1" "$point"/*/*/*/*/"$1"; do
      if [ -d "$group" ]; then
        none=
        members "$group"
      fi
    done
  done
  if [ -n "$none" ]; then remark 'no control group of that name is mounted here'; fi
}

# A container's id stands in the groups of its processes, as seen from its host.
find_container() {
  if has docker; then
    patiently keep docker inspect --format "$container_fields" -- "$container"
    add "$(printf '%s\n' "$out" | sed -n 's/.*"Pid":\([0-9]*\).*/\1/p')"
  fi
  quote "$container"
  prompt "grep -lF -e $quoted /proc/[0-9]*/cgroup 2>/dev/null | head -n 64"
  out=$(grep -lF -e "$container" /proc/[0-9]*/cgroup 2>/dev/null | head -n 64)
  if [ -z "$out" ]; then return; fi
  printf '%s\n' "$out"
  for file in $out; do
    pid=${file#/proc/}
    add "${pid%/cgroup}"
  done
}

# find_by_value TEXT: the process that the lock's value names, when it names this
# host, or one whose own namespace numbers it so.
find_by_value() {
  # No lock library writes its holder longer.
  if [ "${#1}" -gt 512 ]; then return; fi
  for text in $(printf '%s\n' "$1" | sed -nE -e "s/.*(^|[^0-9A-Za-z.-])$host(\\.[0-9A-Za-z.-]*)?[^0-9A-Za-z.-]+([0-9]+)([^0-9A-Za-z].*|\$)/\\3/p" \
    -e "s/(^|.*[^0-9A-Za-z])([0-9]+)@$host([^0-9A-Za-z-].*|\$)/\\2/p" -e "/$host/s/.*pid[^0-9A-Za-z]+([0-9]+)([^0-9].*|\$)/\\1/p"); do
    # The first process of a namespace is somebody else on the host outside it.
    if [ "$text" != 1 ]; then
      add "$text"
      return
    fi
  done
  tried=0
  for text in $(printf '%s' "$1" | sed 's/[^0-9A-Za-z]/ /g'); do
    case $text in
    0* | *[!0-9]* | ????????*) continue ;;
    esac
    if [ "$tried" -ge 4 ]; then return; fi
    tried=$((tried + 1))
    pattern="^NSpid:[[:space:]]+[0-9]+([[:space:]]+[0-9]+)*[[:space:]]+$text\$"
    prompt "grep -lE '$pattern' /proc/[0-9]*/status 2>/dev/null | head -n 4"
    out=$(grep -lE "$pattern" /proc/[0-9]*/status 2>/dev/null | head -n 4)
    if [ -z "$out" ]; then continue; fi
    printf '%s\n' "$out"
    for file in $out; do
      pid=${file#/proc/}
      pid=${pid%/status}
      add "$pid"
      run cat "/proc/$pid/root/etc/hostname"
    done
  done
}

# find_by_socket: who on this host holds a connection to the coordinator. They
# are looked at when nobody else was found; else only their sockets are shown.
find_by_socket() {
  others=$pids
  inodes=
  for inode in $(sed -nE "s/^ *[0-9]+: [0-9A-F:]+ [0-9A-F]+:$port_hex ([0-9A-F:]+ +){4}[0-9]+ +[0-9]+ ([1-9][0-9]*) .*/\\2/p" /proc/self/net/tcp /proc/self/net/tcp6 2>/dev/null | head -n 64); do
    inodes="$inodes|$inode"
  done
  if [ -z "$inodes" ]; then return; fi
  wanted=":$port_hex 0[^6] "
  table_rows /proc/self/net/tcp
  table_rows /proc/self/net/tcp6
  inodes="socket:\\[(${inodes#|})\\]"
  shown=0
  for pid in $(ls -l /proc/[0-9]*/fd 2>/dev/null | sed -nE -e '/^\/proc\/[0-9]+\/fd:$/{s/[^0-9]//g;h;}' -e "/$inodes/{g;p;}"); do
    case " $pids $self $$ " in
    *" $pid "*) continue ;;
    esac
    if [ -z "$others" ]; then
      add "$pid"
      continue
    fi
    if [ "$shown" -ge 8 ]; then return; fi
    shown=$((shown + 1))
    prompt "ls -l /proc/$pid/fd | grep -E '$inodes'"
    { ls -l "/proc/$pid/fd" | grep -E "$inodes"; } 2>&1
    run cat "/proc/$pid/comm"
  done
}
