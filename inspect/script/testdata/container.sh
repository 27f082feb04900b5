# lockscene script: prints what this host can tell about the owner of a lock, as
# a transcript, in two looks. It only reads; it needs no root and says what it
# was refused. Send it to a shell:
#   lockscene script ... | ssh HOST sh
#   lockscene script ... | kubectl exec -i POD -- sh
#   lockscene script ... | docker exec -i CONTAINER sh
# or paste it after typing: sh
# What it prints goes to: lockscene evidence import -
(
named=''
unit=''
cgroup=''
container='3f2a9c1d7b60'
beat_file=''
beat_key='beat'
key=''
coordinator='db'
port_hex='18F6'
everything=''
seconds='5'
asked='--container '\''3f2a9c1d7b60'\'' --heartbeat '\''key:beat'\'''
properties='--property=Id,Type,ActiveState,SubState,Result,ControlGroup,OOMPolicy,InvocationID,MainPID,NRestarts,ExecMainPID,ExecMainCode,ExecMainStatus,ExecMainStartTimestamp,ExecMainStartTimestampMonotonic,ExecMainExitTimestamp,ExecMainExitTimestampMonotonic,InactiveExitTimestamp,InactiveExitTimestampMonotonic,ActiveEnterTimestamp,ActiveEnterTimestampMonotonic,ActiveExitTimestamp,ActiveExitTimestampMonotonic,InactiveEnterTimestamp,InactiveEnterTimestampMonotonic,OOMKills'
container_fields='{"Id":{{json .Id}},"Name":{{json .Name}},"RestartCount":{{json .RestartCount}},"State":{"Status":{{json .State.Status}},"Running":{{json .State.Running}},"Paused":{{json .State.Paused}},"OOMKilled":{{json .State.OOMKilled}},"Pid":{{json .State.Pid}},"ExitCode":{{json .State.ExitCode}},"StartedAt":{{json .State.StartedAt}},"FinishedAt":{{json .State.FinishedAt}}},"HostConfig":{"Memory":{{json .HostConfig.Memory}}}}'

# keep_redis WORD...: one command to the coordinator.
keep_redis() {
  keep timeout 3 redis-cli --no-raw -h 'db' -p 6390 --user 'ops' --tls -n 2 "$@"
}

# group_files CONTROLLER: sets files to those of its folder, both versions'.
group_files() {
  case $1 in
  unified) files='cgroup.events cgroup.freeze cgroup.stat.local cpu.pressure io.pressure memory.pressure' ;;
  memory) files='memory.events memory.oom_control memory.events.local memory.max memory.limit_in_bytes memory.current memory.usage_in_bytes memory.peak memory.max_usage_in_bytes memory.oom.group' ;;
  cpu) files='cpu.stat cpu.max cpu.cfs_quota_us cpu.cfs_period_us' ;;
  cpuacct) files='cpuacct.usage' ;;
  freezer) files='freezer.state freezer.self_freezing' ;;
  *) files= ;;
  esac
}
