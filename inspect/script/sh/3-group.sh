# --- control groups ----------------------------------------------------------

groups=

# process_groups PID: where its groups are mounted, and what they say.
process_groups() {
  if [ ! -r "/proc/$1/cgroup" ]; then return; fi
  for controller in unified memory cpu cpuacct freezer; do
    find_group "$controller" "/proc/$1/cgroup"
    if [ -n "$group" ]; then remember "$controller" "$group"; fi
  done
}

# find_group CONTROLLER FILE: sets group to the folder that the lines in FILE
# name for it. A controller bound to a hierarchy of its own is served there
# alone, any other by the unified one.
find_group() {
  group='' own='' shared=''
  while IFS=: read -r id names path; do
    case $id:,$names, in
    0:,,) shared=$path ;;
    *",$1,"*) own=$path ;;
    esac
  done <"$2"
  if [ -n "$own" ]; then
    mounted "$1" "$own" cgroup
  elif [ -n "$shared" ]; then
    mounted "$1" "$shared" cgroup2
  fi
}

# mounted CONTROLLER PATH KIND: sets group to the folder of PATH, if a mount of
# that kind shows it.
mounted() {
  case $2 in
  *' (deleted)' | */../* | */..) return ;;
  esac
  while read -r _ _ _ root point options; do
    case " $options " in
    *" - $3 "*) ;;
    *) continue ;;
    esac
    case $3,${options##* }, in
    cgroup2,* | *,"$1",*) ;;
    *) continue ;;
    esac
    case $2 in
    "${root%/}" | "${root%/}"/*)
      group=$point${2#"${root%/}"}
      group=${group%/}
      return
      ;;
    esac
  done </proc/self/mountinfo
}

# remember CONTROLLER FOLDER: one more group to read, once however many
# processes are in it, and again when they are gone.
remember() {
  case "$groups" in
  *"
$1 $2
"*) return ;;
  esac
  groups="$groups
$1 $2
"
}

# read_groups: every group found so far.
read_groups() {
  set -f
  IFS='
'
  # shellcheck disable=SC2086 # one word a line is what is wanted
  set -- $groups
  unset IFS
  set +f
  for entry in "$@"; do
    read_group "${entry%% *}" "${entry#* }"
  done
}

# read_group CONTROLLER FOLDER
read_group() {
  if [ ! -d "$2" ]; then
    run ls -d "$2"
    return
  fi
  group_files "$1"
  for file in $files; do
    # The pressure of the topmost group is the whole host's.
    case $file in
    *.pressure) if grep -qF -e " $2 " /proc/self/mountinfo; then continue; fi ;;
    esac
    if [ -e "$2/$file" ]; then run cat "$2/$file"; fi
  done
}

# The folders on which hierarchies are mounted.
points() {
  sed -n 's/^[^ ]* [^ ]* [^ ]* [^ ]* \([^ ]*\) .* - cgroup2* .*/\1/p' /proc/self/mountinfo
}

# members FOLDER: the processes of a named group.
members() {
  keep head -n 64 "$1/cgroup.procs"
  for pid in $out; do add "$pid"; done
  for controller in unified memory cpu freezer; do
    remember "$controller" "$1"
  done
}
