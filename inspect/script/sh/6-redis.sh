# --- the coordinator, where redis-cli is at hand -----------------------------

answers=

# open_redis: says whether the coordinator can be asked from here.
open_redis() {
  if [ -z "$coordinator" ]; then return; fi
  if [ -z "$deadlines" ] || ! has redis-cli; then
    remark "redis-cli and timeout are not both here: the coordinator is not asked"
    return
  fi
  redis TIME
  case $out in
  '1) '*) answers=1 ;;
  *) remark 'it does not answer us, and is not asked again' ;;
  esac
}

# sample: the lock tuple between two TIMEs. What moves no idle clock comes
# first, and the idle clock is read once, before a GET resets it.
sample() {
  if [ -z "$answers" ] || [ -z "$key" ]; then return; fi
  mark
  redis TIME
  case $out in
  '1) '*) ;;
  *) return ;;
  esac
  if [ "$1" = first ]; then
    redis MEMORY USAGE "$key"
    redis OBJECT IDLETIME "$key"
  fi
  redis TYPE "$key"
  kind=$out
  redis PTTL "$key"
  redis PEXPIRETIME "$key"
  case $kind in
  string)
    redis STRLEN "$key"
    if small 65536; then
      redis GET "$key"
      value=$out
    fi
    ;;
  hash)
    redis HLEN "$key"
    if small 64; then
      redis HGETALL "$key"
      value=$out
    fi
    ;;
  esac
  redis TIME
}

# redis WORD...: one command, of its own connection.
redis() {
  keep_redis "$@"
  if [ "$status" -eq 124 ]; then remark 'no answer within 3 seconds'; fi
}

# small MOST: the number just answered is not above it.
small() {
  number=${out#"(integer) "}
  case $number in
  '' | *[!0-9]* | ??????????*) return 1 ;;
  esac
  [ "$number" -le "$1" ]
}

beat_in_redis() {
  if [ -z "$answers" ] || [ -z "$beat_key" ]; then return; fi
  redis TIME
  redis OBJECT IDLETIME "$beat_key"
  redis GETRANGE "$beat_key" 0 255
}

server() {
  if [ -z "$answers" ]; then return; fi
  redis INFO everything
  clients=$(printf '%s\n' "$out" | sed -n 's/^connected_clients:\([0-9]\{1,9\}\).*/\1/p')
  limit=$(printf '%s\n' "$out" | sed -n 's/^maxmemory:\([0-9]\{1,18\}\).*/\1/p')
  used=$(printf '%s\n' "$out" | sed -n 's/^used_memory:\([0-9]\{1,18\}\).*/\1/p')
  redis ROLE
  if [ -z "$everything" ]; then return; fi
  # The reply of a full server could push the very lock out of its memory.
  if [ "${clients:-9999}" -gt 1000 ]; then
    remark 'CLIENT LIST is not asked for: too many clients for a transcript'
  elif [ "${limit:-0}" -gt 0 ] && [ $((clients * 800)) -gt $((limit - ${used:-0})) ]; then
    remark 'CLIENT LIST is not asked for: its reply could make Redis evict the lock'
  else
    redis CLIENT LIST
  fi
  redis SLOWLOG GET 128
  redis LATENCY LATEST
}
