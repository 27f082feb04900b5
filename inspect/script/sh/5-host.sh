# --- the host ----------------------------------------------------------------

pressure() {
  for resource in cpu io memory; do
    if [ -e "/proc/pressure/$resource" ]; then run cat "/proc/pressure/$resource"; fi
  done
  run grep oom_kill /proc/vmstat
  run cat /proc/loadavg
}

identity() {
  run cat /proc/sys/kernel/random/boot_id
  run cat /proc/sys/kernel/hostname
  run readlink /proc/self/ns/pid
  run readlink /proc/self/ns/net
  run readlink /proc/self/ns/uts
  run grep ' /proc ' /proc/mounts
  run grep cgroup /proc/self/mountinfo
  run uname -r
  run id -u
}

# kernel_log LINES: raw lines tell the kernel's words from a program's.
kernel_log() {
  for way in 'dmesg -r' dmesg; do
    if $way >/dev/null 2>&1; then
      prompt "$way | tail -n $1 | tail -c 400000"
      { $way | tail -n "$1" | tail -c 400000; } 2>&1
      return
    fi
  done
  run dmesg
  if has journalctl; then
    prompt "journalctl -k -b -o short-monotonic --no-pager -n $1 | tail -c 400000"
    { journalctl -k -b -o short-monotonic --no-pager -n "$1" | tail -c 400000; } 2>&1
  fi
}

# victims_groups: the groups that the kernel's log names as those of a process
# that is no more. Its own folder is gone, and with it the way to them.
victims_groups() {
  for pid in $pids; do
    if [ -d "/proc/$pid" ]; then continue; fi
    for path in $(dmesg 2>/dev/null | sed -nE "s/.*oom-kill:.*oom_memcg=(\\/[^,]*),task_memcg=(\\/[^,]*),.*,pid=$pid,.*/\\1 \\2/p" | tail -n 1); do
      group=
      mounted memory "$path" cgroup
      if [ -z "$group" ]; then mounted memory "$path" cgroup2; fi
      if [ -n "$group" ]; then remember memory "$group"; fi
    done
  done
}

# somebody_died: a process is not there or only its name is.
somebody_died() {
  for pid in $pids; do
    if [ ! -d "/proc/$pid" ] || grep -qE '^State:[[:space:]]*[ZX]' "/proc/$pid/status" 2>/dev/null; then return 0; fi
  done
  return 1
}

clocks() {
  if has chronyc; then patiently run chronyc -n tracking; fi
  if has ntpq; then patiently run ntpq -c rv; fi
  if has timedatectl; then patiently run timedatectl timesync-status; fi
}

beat() {
  if [ -z "$beat_file" ]; then return; fi
  run stat -c %y "$beat_file"
  run_open head -c 256 "$beat_file"
}
