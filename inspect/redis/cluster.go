package redis

import (
	"bytes"
	"net"
	"strconv"
	"strings"
)

// Moved is the node that a cluster node sent us to, as host:port; empty when no
// reply did. Where it names no host, the one that was asked is meant. asking is that
// it answers only for commands with ASKING before them: it is taking the slot over,
// and this key is there already.
func Moved(raw []byte, asked string) (addr string, asking bool) {
	values, _ := ParseReplies(raw)
	for _, v := range values {
		if !v.IsError() {
			continue
		}
		f := strings.Fields(v.Str)
		if len(f) != 3 || f[0] != "MOVED" && f[0] != "ASK" {
			continue
		}
		host, port, err := net.SplitHostPort(f[2])
		if err != nil {
			continue
		}
		if host == "" {
			host, _, _ = net.SplitHostPort(asked)
		}
		return net.JoinHostPort(host, port), f[0] == "ASK"
	}
	return "", false
}

// asking puts ASKING before every command, since it holds for the next one only.
func asking(commands [][]string) [][]string {
	out := make([][]string, 0, 2*len(commands))
	for _, c := range commands {
		out = append(out, []string{"ASKING"}, c)
	}
	return out
}

// Clustered says whether an INFO reply is of a node of a cluster.
func Clustered(raw []byte) bool { return bytes.Contains(raw, []byte("\ncluster_enabled:1")) }

// Shards asks a cluster which nodes have which slots.
func Shards() [][]string { return [][]string{{"CLUSTER", "SLOTS"}} }

// A Shard is a range of slots and the nodes that keep it, the primary first.
type Shard struct {
	From, To int
	Nodes    []string // host:port
}

// ParseShards reads CLUSTER SLOTS.
func ParseShards(raw []byte, asked string) []Shard {
	values, _ := ParseReplies(raw)
	if len(values) == 0 {
		return nil
	}
	own, _, _ := net.SplitHostPort(asked)
	var out []Shard
	for _, v := range values[0].Array {
		if len(v.Array) < 3 || v.Array[0].Int < 0 || v.Array[1].Int >= slots {
			continue
		}
		s := Shard{From: int(v.Array[0].Int), To: int(v.Array[1].Int)}
		for _, n := range v.Array[2:] {
			if len(n.Array) < 2 {
				continue
			}
			host := n.Array[0].Str
			if host == "" {
				host = own
			}
			s.Nodes = append(s.Nodes, net.JoinHostPort(host, strconv.FormatInt(n.Array[1].Int, 10)))
		}
		out = append(out, s)
	}
	return out
}

// slots is how many a cluster has.
const slots = 16384

// Slot is a key's slot: CRC16 (XMODEM) of the key, or of what its first braces hold.
func Slot(key string) int {
	if i := strings.IndexByte(key, '{'); i >= 0 {
		if j := strings.IndexByte(key[i+1:], '}'); j > 0 {
			key = key[i+1 : i+1+j]
		}
	}
	crc := uint16(0)
	for i := range len(key) {
		crc ^= uint16(key[i]) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return int(crc) % slots
}
