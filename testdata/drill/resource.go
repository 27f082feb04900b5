package drill

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A Database is a PostgreSQL server of one test run. The resources of its drills are
// schemas in it.
type Database struct{ dir string }

// StartDatabase makes a server that listens on a socket only; its reason why not, as
// text, where this machine has none.
func StartDatabase(t *testing.T) (*Database, string) {
	t.Helper()
	bins, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(bins) == 0 {
		return nil, "PostgreSQL is not installed"
	}
	if os.Geteuid() != 0 {
		return nil, "starting PostgreSQL as its own user needs root"
	}
	bin := bins[len(bins)-1]
	dir, err := os.MkdirTemp("", "lockscene-db")
	if err != nil {
		return nil, err.Error()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	_ = os.Chmod(dir, 0o755)
	// Not by a program that stays in between: the server is to be signalled itself.
	as := func(args ...string) *exec.Cmd {
		return exec.Command("setpriv", append([]string{"--reuid=postgres", "--regid=postgres", "--init-groups"}, args...)...)
	}
	if out, err := exec.Command("chown", "postgres", dir).CombinedOutput(); err != nil {
		return nil, "PostgreSQL has no user of its own: " + firstLine(out)
	}
	if out, err := as(bin+"/initdb", "-D", dir+"/data", "--auth=trust", "--no-sync", "-E", "UTF8").CombinedOutput(); err != nil {
		return nil, "initdb: " + firstLine(out)
	}
	server := as(bin+"/postgres", "-D", dir+"/data", "-k", dir, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200")
	server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT}
	if err := server.Start(); err != nil {
		return nil, err.Error()
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGQUIT) // PostgreSQL's immediate shutdown
		late := time.AfterFunc(10*time.Second, func() { _ = server.Process.Kill() })
		defer late.Stop()
		_ = server.Wait()
	})
	return &Database{dir}, ""
}

// resourceSQL is a protected resource: a table whose write path compares tokens. The
// unfenced twin is the same without the comparison. Both record every attempt.
const resourceSQL = `
create schema SCHEMA; set search_path = SCHEMA;
create table fence(highest bigint not null); insert into fence values (0);
create table effects(request text, token bigint, owner text);
create table audit(at timestamptz not null default clock_timestamp(), owner text, token bigint, request text, ok boolean, note text);
create function guarded_write(o text, t bigint, r text, n text) returns text language plpgsql as $$
declare h bigint;
begin
  select highest into h from fence for update;
  if FENCED and t < h then
    insert into audit(owner, token, request, ok, note) values (o, t, r, false, n);
    return 'rejected';
  end if;
  update fence set highest = greatest(h, t);
  insert into effects values (r, t, o);
  insert into audit(owner, token, request, ok, note) values (o, t, r, true, n);
  return 'accepted';
end $$;`

// Resource makes one, and says where it is, as a worker wants it.
func (s *Scene) Resource(db *Database, schema string, fenced bool) string {
	s.T.Helper()
	text := strings.NewReplacer("SCHEMA", schema, "FENCED", map[bool]string{true: "true", false: "false"}[fenced]).Replace(resourceSQL)
	cmd := exec.CommandContext(s.Ctx, "psql", "-qX", "-v", "ON_ERROR_STOP=1", "-h", db.dir, "-U", "postgres", "postgres")
	cmd.Stdin = strings.NewReader(text)
	s.Must("PostgreSQL answers", func() bool {
		return exec.Command("psql", "-qX", "-h", db.dir, "-U", "postgres", "-c", "select 1", "postgres").Run() == nil
	})
	if out, err := cmd.CombinedOutput(); err != nil {
		s.T.Fatalf("make the protected resource: %v: %s", err, out)
	}
	return db.dir + " " + schema
}

// auditSQL is what the resource recorded, as events.
const auditSQL = `select json_build_object('at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'clock', 'host:HOST', 'actor', 'resource', 'event', case when ok then 'write' else 'reject' end,
'owner', owner, 'token', token::text, 'request', request, 'ok', ok, 'text', nullif(note, '')) from audit order by at`

// Audit writes the resource's record to a file.
func (s *Scene) Audit(resource, file string) {
	s.T.Helper()
	dir, schema, _ := strings.Cut(resource, " ")
	host, err := os.Hostname()
	s.check(err, "ask for the host's name")
	cmd := exec.CommandContext(s.Ctx, "psql", "-qAtX", "-h", dir, "-U", "postgres", "-c", strings.Replace(auditSQL, "HOST", host, 1), "postgres")
	cmd.Env = append(os.Environ(), "PGOPTIONS=-c search_path="+schema)
	out, err := cmd.Output()
	s.check(err, "read the resource's record")
	s.check(os.WriteFile(file, out, 0o644), "write the resource's record")
}
