package evidence

import "testing"

// A pid means the same process from two vantages only where both see it in one
// container, or both on the machine.
func TestSameProcessesInside(t *testing.T) {
	pod := Inside{Pod: "web-0"}
	for name, tt := range map[string]struct {
		a, b Vantage
		want bool
	}{
		"one host":                          {Vantage{Host: "q"}, Vantage{Host: "q"}, true},
		"one pod":                           {Vantage{Host: "web-0", Inside: pod}, Vantage{Host: "web-0", Inside: pod}, true},
		"two containers of a pod":           {Vantage{Host: "web-0", Inside: Inside{Pod: "web-0", Container: "app"}}, Vantage{Host: "web-0", Inside: Inside{Pod: "web-0", Container: "proxy"}}, false},
		"a pod, and a capture from within":  {Vantage{Host: "web-0", Inside: pod}, Vantage{Host: "web-0", PidNS: "pid:[4026532001]"}, true},
		"a pod of its host's name":          {Vantage{Host: "q", Inside: pod}, Vantage{Host: "q"}, false},
		"a container, and one from within":  {Vantage{Host: "3f2a9c1d04be", Inside: Inside{Container: "worker"}}, Vantage{Host: "3f2a9c1d04be", PidNS: "pid:[4026532001]"}, true},
		"a container, and its machine":      {Vantage{Host: "q", BootID: "b", Inside: Inside{Container: "worker"}}, Vantage{Host: "q", BootID: "b", PidNS: InitialPidNS}, false},
		"a machine from two pid namespaces": {Vantage{Host: "q", BootID: "b", PidNS: "pid:[4026532001]"}, Vantage{Host: "q", BootID: "b", PidNS: InitialPidNS}, false},
	} {
		if SameProcesses(tt.a, tt.b) != tt.want || SameProcesses(tt.b, tt.a) != tt.want {
			t.Errorf("%s: %v", name, !tt.want)
		}
	}
}
