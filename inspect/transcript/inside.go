package transcript

import (
	"slices"
	"strings"
)

// An Inside is the container or the pod that a command ran in, where an exec was
// typed. The zero Inside is a shell of the host's own.
type Inside struct {
	Name      string // as typed: a container, a pod, deploy/worker
	Part      string // the container of the pod, where -c named it
	Namespace string // the pod's, where -n named it
	By        string // the program that went in: docker, kubectl, …
	Host      string // what prompts in it call its host; empty: none did
}

// Pod says whether it is a pod's, which runs on a machine that the exec does not
// name, or a container's of the very host where the exec was typed.
func (in Inside) Pod() bool {
	switch in.By {
	case "kubectl", "oc", "k3s", "microk8s.kubectl":
		return true
	}
	return false
}

// or is where a command runs: in what its own words say, else where its shell is.
func (in Inside) or(shell Inside) Inside {
	if in.Name != "" {
		return in
	}
	return shell
}

// within is the container that an exec goes to, and what it runs there.
func within(argv []string) (in Inside, cmd []string) {
	const valued = "-n --namespace -c --container -u --user -w --workdir -e --env --context --kubeconfig --index"
	i := slices.Index(argv, "exec")
	if i < 0 {
		return Inside{}, nil
	}
	rest := argv[i+1:]
	flags := options(rest, valued)
	if flags == len(rest) {
		return Inside{}, nil
	}
	behind := options(rest[flags+1:], valued)
	in = Inside{Name: rest[flags], By: base(argv[0])}
	in.Namespace = valueOf(argv[1:i], "-n", "--namespace")
	for _, words := range [][]string{rest[:flags], rest[flags+1 : flags+1+behind]} {
		in.Part = either(in.Part, valueOf(words, "-c", "--container"))
		in.Namespace = either(in.Namespace, valueOf(words, "-n", "--namespace"))
	}
	if !in.Pod() {
		in.Part, in.Namespace = "", ""
	}
	in.Name = strings.TrimPrefix(strings.TrimPrefix(in.Name, "pods/"), "pod/")
	return in, rest[flags+1+behind:]
}

// valueOf is the value of a flag in any of its forms: -c app, -c=app, -capp.
func valueOf(words []string, short, long string) string {
	for i, w := range words {
		switch {
		case (w == short || w == long) && i+1 < len(words):
			return words[i+1]
		case strings.HasPrefix(w, long+"="):
			return w[len(long)+1:]
		case strings.HasPrefix(w, short) && len(w) > len(short) && w[1] != '-':
			return strings.TrimPrefix(w[len(short):], "=")
		}
	}
	return ""
}
