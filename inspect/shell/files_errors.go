package shell

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// A reason is how the C library words an error, and what it means for a read.
var reasons = []struct {
	text   string
	status evidence.Status
}{
	{"No such file or directory", evidence.Missing},
	{"No such process", evidence.Missing},
	{"no such file or directory", evidence.Missing},
	{"No such device", evidence.Missing},
	{"Not a directory", evidence.Missing},
	{"not found", evidence.Unsupported},
	{"command not found", evidence.Unsupported},
	{"Permission denied", evidence.Denied},
	{"permission denied", evidence.Denied},
	{"Operation not permitted", evidence.Denied},
	{"Operation not supported", evidence.Unsupported},
	{"Not supported", evidence.Unsupported},
	{"Function not implemented", evidence.Unsupported},
	{"Input/output error", evidence.Failed},
	{"I/O error", evidence.Failed},
	{"Invalid argument", evidence.Failed},
	{"Is a directory", evidence.Failed},
	{"Stale file handle", evidence.Failed},
	{"Too many open files", evidence.Failed},
	{"Too many open files in system", evidence.Failed},
	{"Cannot allocate memory", evidence.Failed},
	{"Transport endpoint is not connected", evidence.Failed},
	{"Connection timed out", evidence.Timeout},
	{"nonexistent directory", evidence.Missing},
	// What German, French, Spanish, Italian and Portuguese systems print.
	{"Datei oder Verzeichnis nicht gefunden", evidence.Missing},
	{"Kein passender Prozess gefunden", evidence.Missing},
	{"Keine Berechtigung", evidence.Denied},
	{"Aucun fichier ou dossier de ce type", evidence.Missing},
	{"Aucun processus de ce type", evidence.Missing},
	{"Permission non accordée", evidence.Denied},
	{"No existe el fichero o el directorio", evidence.Missing},
	{"No existe el archivo o el directorio", evidence.Missing},
	{"Permiso denegado", evidence.Denied},
	{"File o directory non esistente", evidence.Missing},
	{"Permesso negato", evidence.Denied},
	{"Arquivo ou diretório inexistente", evidence.Missing},
	{"Permissão negada", evidence.Denied},
}

// statusOf is what an error's words at the end of a line mean.
func statusOf(line string) (evidence.Status, bool) {
	at := strings.LastIndex(line, ": ")
	if at < 0 {
		return "", false
	}
	text := strings.TrimSpace(line[at+2:])
	for _, r := range reasons {
		if text == r.text {
			return r.status, true
		}
	}
	return "", false
}

// complaint reads a line in which the command says that it could not read a
// file. The program's name must stand in front, or a typed path, so that no
// line of a file's own passes for one by its end alone.
func (r *fileReader) complaint(line string) (File, bool) {
	if len(line) > 1024 || len(r.failed) >= maxFiles {
		return File{}, false
	}
	status, ok := statusOf(line)
	speaker, rest, named := strings.Cut(line, ": ")
	if speaker == "zsh" && !ok {
		return r.zsh(rest, line)
	}
	if !ok || !named {
		return File{}, false
	}
	if !r.speaks(speaker) {
		// zsh and less name the file without themselves.
		if r.name == "less" && r.typed.stands(speaker) {
			return File{Path: speaker, Status: status, Why: evidence.Clip(line, 200)}, true
		}
		return File{}, false
	}
	if status == evidence.Unsupported && strings.HasSuffix(line, "not found") && !r.command(rest) {
		return File{}, false
	}
	return File{Path: r.named(rest), Status: status, Why: evidence.Clip(line, 200)}, true
}

// zsh names the file last: "zsh: permission denied: /proc/1/io".
func (r *fileReader) zsh(text, line string) (File, bool) {
	reason, p, ok := strings.Cut(text, ": ")
	switch {
	case !ok || !r.typed.stands(p):
		return File{}, false
	case strings.EqualFold(reason, "no matches found"):
		return File{Path: p, Status: evidence.Missing, Why: evidence.Clip(line, 200)}, true
	}
	status, ok := statusOf(": " + reason)
	return File{Path: p, Status: status, Why: evidence.Clip(line, 200)}, ok
}

// command: "bash: cat: command not found" speaks of all files at once.
func (r *fileReader) command(rest string) bool {
	return strings.Contains(rest, r.name+":") || strings.Contains(rest, r.name)
}

// speaks says whether a line's first word is the command or a shell.
func (r *fileReader) speaks(word string) bool {
	word = strings.TrimPrefix(word[strings.LastIndexByte(word, '/')+1:], "-")
	switch word {
	case r.name, "bash", "sh", "ash", "dash", "zsh", "ksh", "busybox", "sudo":
		return true
	}
	return r.name == "awk" && (word == "gawk" || word == "mawk")
}

// named finds the path that a complaint is about: a typed one, one that a typed
// pattern matches, else what stands in quotes. Empty: it names none.
func (r *fileReader) named(text string) string {
	for _, p := range r.paths {
		if strings.Contains(text, p+":") || strings.Contains(text, p+"'") || strings.Contains(text, p+"’") || strings.Contains(text, p+"\"") || strings.HasSuffix(text, p) {
			return p
		}
	}
	for _, quotes := range []string{"''", "‘’", "\"\""} {
		q := []rune(quotes)
		if _, after, ok := strings.Cut(text, string(q[0])); ok {
			if p, _, ok := strings.Cut(after, string(q[1])); ok {
				return p
			}
		}
	}
	for w := range strings.FieldsSeq(text) {
		if p := strings.TrimSuffix(w, ":"); strings.HasPrefix(p, "/") || r.typed.stands(p) {
			return p
		}
	}
	if len(r.paths) == 1 {
		return r.paths[0]
	}
	return ""
}
