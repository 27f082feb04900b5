package redis

import "strconv"

// MaxValue is the largest value that is pulled whole: locks are small, and a
// cached gigabyte under a lock's name must not travel.
const MaxValue = 64 << 10

// MaxFields bounds HGETALL: a lock kept as a hash has one field a holder.
const MaxFields = 64

// Hello introduces our own connection to operators and, from 7.2, keeps our
// reads from touching the key's idle clock. Older servers refuse the second.
func Hello() [][]string {
	return [][]string{{"CLIENT", "SETNAME", "lockscene"}, {"CLIENT", "NO-TOUCH", "ON"}, {"CLIENT", "ID"}}
}

// Sample reads the lock tuple between two TIMEs. What moves no idle clock comes
// before what does: MEMORY USAGE sees a key past its expiry without making the
// server delete it, and OBJECT IDLETIME must be read before GETRANGE resets it
// on servers before 7.2.
func Sample(key string) [][]string {
	return [][]string{
		{"TIME"},
		{"MEMORY", "USAGE", key},
		{"OBJECT", "IDLETIME", key},
		{"TYPE", key},
		{"PTTL", key},
		{"PEXPIRETIME", key},
		{"STRLEN", key},
		{"GETRANGE", key, "0", strconv.Itoa(MaxValue - 1)},
		{"TIME"},
	}
}

// Brief is the part of a sample that follows a lease from look to look: when it
// ends, and whose it is. On a server that is otherwise idle every command starts
// with cold caches and costs one to four microseconds, so what is known from the
// full sample is not asked again.
//
// end is the command that tells the end: PEXPIRETIME, or PTTL on servers that
// lack it.
func Brief(key, end string) [][]string {
	return [][]string{
		{"TIME"},
		{end, key},
		{"GETRANGE", key, "0", strconv.Itoa(MaxValue - 1)},
		{"TIME"},
	}
}

// Get is the runbook's own command, sent once when STRLEN allows it.
func Get(key string) [][]string { return [][]string{{"GET", key}} }

// HashLength asks how big a hash is before anything of it is pulled.
func HashLength(key string) [][]string { return [][]string{{"HLEN", key}} }

// Hash reads a hash whose HLEN said it is small.
func Hash(key string) [][]string { return [][]string{{"HGETALL", key}} }

// MaxMembers bounds what is pulled of a lock kept as a sorted set, a set or a list.
const MaxMembers = 100

// Count asks how many members such a key has, before any is pulled; nil for a type
// that is no lock.
func Count(kind, key string) []string {
	switch kind {
	case "zset":
		return []string{"ZCARD", key}
	case "set":
		return []string{"SCARD", key}
	case "list":
		return []string{"LLEN", key}
	}
	return nil
}

// Members reads the first of them. A set has no first ones: it is read whole, when
// Count said that it is small.
func Members(kind, key string) []string {
	last := strconv.Itoa(MaxMembers - 1)
	switch kind {
	case "zset":
		return []string{"ZRANGE", key, "0", last, "WITHSCORES"}
	case "set":
		return []string{"SMEMBERS", key}
	}
	return []string{"LRANGE", key, "0", last}
}

// Server reads what the server says of itself; INFO everything is one command
// whose cost does not grow with keys or clients.
func Server() [][]string { return [][]string{{"INFO", "everything"}} }

// Roles reads the small server facts that INFO lacks.
func Roles() [][]string {
	return [][]string{{"ROLE"}, {"LATENCY", "LATEST"}, {"ACL", "WHOAMI"}}
}

// Clients reads the connections: O(clients) on the server's only thread.
func Clients() [][]string { return [][]string{{"CLIENT", "LIST"}} }

// Slowlog reads the last 128 slow commands.
func Slowlog() [][]string { return [][]string{{"SLOWLOG", "GET", "128"}} }

// Commandlog is the same by Valkey's own name for it, from 8.1 on: an account may be
// allowed the one and not the other.
func Commandlog() [][]string { return [][]string{{"COMMANDLOG", "GET", "128", "slow"}} }

// Heartbeat reads a worker's heartbeat key; the idle time first, as GET resets it.
func Heartbeat(key string) [][]string {
	return [][]string{{"TIME"}, {"OBJECT", "IDLETIME", key}, {"STRLEN", key}, {"GETRANGE", key, "0", "255"}}
}
