# --- how it speaks -----------------------------------------------------------

LC_ALL=C TZ=UTC0
export LC_ALL TZ
unset IFS
PATH=$PATH:/usr/sbin:/sbin:/usr/bin:/bin

# Some dates know no fractions of a second and print the letters instead.
case $(date -u +%N 2>/dev/null) in
'' | *[!0-9]*) fraction= ;;
*) fraction=.%N ;;
esac

read -r host </proc/sys/kernel/hostname || host=$(uname -n)
case $host in
'' | *[!A-Za-z0-9._-]*) host=host ;;
esac

if timeout 3 true 2>/dev/null; then deadlines=1; else deadlines=; fi

# quote WORD: sets quoted to the word as one would type it.
quote() {
  case $1 in
  '' | *[!A-Za-z0-9_./:@%+=,-]*) quoted="'$(printf '%s' "$1" | sed "s/'/'\\\\''/g")'" ;;
  *) quoted=$1 ;;
  esac
}

# prompt LINE: a prompt with the time in front, and what stands behind it.
prompt() {
  printf '[%s] %s$ %s\n' "$(date -u "+%Y-%m-%dT%H:%M:%S${fraction}Z")" "$host" "$1"
}

# typed WORD...: the prompt of a command.
typed() {
  line=
  for word in "$@"; do
    quote "$word"
    line="$line $quoted"
  done
  prompt "${line# }"
}

# run WORD...: a command and all it says. What it says may not end its line, and
# the next prompt must begin one: see run_open.
run() {
  typed "$@"
  "$@" </dev/null 2>&1
}

# run_open WORD...: the same for what may not end its last line.
run_open() {
  run "$@"
  echo
}

# keep WORD...: the same for what is also needed here; sets out and status.
keep() {
  typed "$@"
  out=$("$@" </dev/null 2>&1)
  status=$?
  if [ -n "$out" ]; then printf '%s\n' "$out"; fi
}

# patiently run|keep WORD...: the same for what may wait for somebody else.
patiently() {
  how=$1
  shift
  if [ -n "$deadlines" ]; then "$how" timeout 3 "$@"; else "$how" "$@"; fi
}

remark() {
  printf '## %s\n' "$1"
}

has() {
  command -v "$1" >/dev/null 2>&1
}

# mark: the kernel's hundredths of a second, where stamps are whole ones.
mark() {
  if [ -z "$fraction" ]; then run cat /proc/uptime; fi
}

# now: the kernel's seconds beside the wall clock tie one to the other.
now() {
  run cat /proc/uptime
  run date -u "+%Y-%m-%dT%H:%M:%S${fraction}Z"
}
