# --- two looks ---------------------------------------------------------------

# look_all: everybody, the first two with all their threads.
look_all() {
  ways=0
  for pid in $pids; do
    ways=$((ways + 1))
    if [ "$ways" -le 2 ]; then look "$pid" 256; else look "$pid" 32; fi
  done
  read_groups
  beat
  beat_in_redis
  pressure
}

remark 'lockscene script 1'
remark "asked with $asked"
now
for pid in $named; do add "$pid"; done
open_redis
value=
sample first
if [ -n "$cgroup" ]; then find_folder "$cgroup"; fi
if [ -n "$unit" ]; then find_unit; fi
if [ -n "$container" ]; then find_container; fi
if [ -n "$value" ]; then find_by_value "$value"; fi
if [ -n "$port_hex" ]; then find_by_socket; fi
look_all
server
identity
clocks
dead=
if somebody_died; then dead=1; fi
kernel_log 2000
if [ -n "$dead" ]; then
  victims_groups
  read_groups
fi
second=0
while [ "$second" -lt "$seconds" ]; do
  sleep 1
  second=$((second + 1))
  run cat /proc/uptime
  sample again
done
look_all
server
if [ -z "$dead" ] && somebody_died; then
  kernel_log 200
  victims_groups
  read_groups
fi
sample again
now
remark 'end of lockscene script'
