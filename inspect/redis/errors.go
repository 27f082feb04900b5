package redis

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/lockscene/lockscene/evidence"
)

// replyErrors gives the status of a refusal by the word it begins with. A
// server that answers is not broken: most of these cost one reading only.
var replyErrors = []struct {
	prefix string
	status evidence.Status
	why    string
}{
	{"NOAUTH", evidence.Denied, "Redis wants a password: set REDISCLI_AUTH, or put it in --redis-password-file"},
	{"WRONGPASS", evidence.Denied, "Redis refused the user or password"},
	{"NOPERM", evidence.Denied, "the Redis user may not run it: lockscene inspect --acl prints the line that allows it"},
	{"ERR unknown command", evidence.Unsupported, "this server has no such command, or it was renamed"},
	{"ERR unknown subcommand", evidence.Unsupported, "this server has no such subcommand"},
	{"ERR Unknown subcommand", evidence.Unsupported, "this server has no such subcommand"},
	{"ERR This Redis command is not allowed", evidence.Unsupported, "the provider blocks it"},
	{"ERR An LFU maxmemory policy is selected", evidence.Disabled, "idle times are not kept under an LFU policy"},
	{"LOADING", evidence.Failed, "Redis is loading its data set and answers nothing yet"},
	{"BUSY", evidence.Failed, "Redis is busy running a script"},
	{"MASTERDOWN", evidence.Failed, "this replica lost its primary and refuses to serve stale data"},
	{"READONLY", evidence.Failed, "this node is a read-only replica"},
	{"MOVED", evidence.Failed, "the key lives on another node of the cluster"},
	{"ASK", evidence.Failed, "the key is moving to another node of the cluster"},
	{"CLUSTERDOWN", evidence.Failed, "the cluster is down"},
	{"WRONGTYPE", evidence.Unsupported, "the key is of another type"},
	{"ERR max number of clients reached", evidence.Denied, "Redis has no free connection"},
	{"DENIED", evidence.Denied, "Redis is in protected mode and refuses other hosts"},
}

// StatusOfError classes an error reply and explains it.
func StatusOfError(text string) (evidence.Status, string) {
	for _, e := range replyErrors {
		if strings.HasPrefix(text, e.prefix) {
			if e.prefix == "MOVED" || e.prefix == "ASK" {
				return e.status, e.why + ": " + evidence.Clip(evidence.Printable(text), 80)
			}
			return e.status, e.why
		}
	}
	return evidence.Failed, "Redis answered: " + evidence.Clip(evidence.Printable(text), 120)
}

// statusOfNet classes an error of the connection itself.
func statusOfNet(err error) (evidence.Status, string) {
	var dns *net.DNSError
	var timeout net.Error
	text := err.Error()
	switch {
	case errors.Is(err, context.Canceled):
		return evidence.Skipped, "the capture was interrupted"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded),
		errors.As(err, &timeout) && timeout.Timeout():
		return evidence.Timeout, "no answer in time"
	case errors.As(err, &dns):
		return evidence.Failed, "the host name does not resolve"
	case errors.Is(err, syscall.ECONNREFUSED):
		return evidence.Failed, "connection refused: nothing listens there"
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return evidence.Failed, "no route to the server"
	case strings.Contains(text, "x509:"), strings.Contains(text, "tls:"):
		return evidence.Failed, "TLS failed; --tls-ca names the authority of Redis's certificate: " + evidence.Clip(evidence.Printable(text), 100)
	case strings.Contains(text, "WRONGPASS"), strings.Contains(text, "NOAUTH"), strings.Contains(text, "invalid username-password"):
		return evidence.Denied, "Redis refused the user or password"
	case strings.Contains(text, "without any password configured"):
		return evidence.Denied, "a password was given but this Redis has none"
	case strings.Contains(text, "NOPERM"):
		return evidence.Denied, "the Redis user may not run it: lockscene inspect --acl prints the line that allows it"
	}
	return evidence.Failed, evidence.Clip(evidence.Printable(text), 160)
}
