package evidence

// An Inside is the container or the pod that somebody went into to look: its host
// name and its pids are its own, and mean nothing on the machine below.
type Inside struct {
	Pod       string `json:"pod,omitempty"`       // empty: a container of no pod
	Namespace string `json:"namespace,omitempty"` // the pod's, where somebody named it
	Container string `json:"container,omitempty"` // of a pod: where somebody named it
}

// InitialPidNS is the link of the first pid namespace; the kernel fixes its number.
const InitialPidNS = "pid:[4026531836]"

// OwnPids says whether the pids that a vantage sees are surely not those of the
// machine below, which its kernel logs.
func (v Vantage) OwnPids() bool {
	return v.Inside != (Inside{}) || v.PidNS != "" && v.PidNS != InitialPidNS
}

// sameInside says whether two vantages on one machine may have looked from one
// container. Who does not say that he went into one was there if its name was his
// host's, or if his pids were none of the machine's.
func sameInside(a, b Vantage) bool {
	none := Inside{}
	switch {
	case a.Inside == b.Inside:
		return true
	case a.Inside == none:
		return a.Host == b.Inside.Pod || a.OwnPids()
	case b.Inside == none:
		return b.Host == a.Inside.Pod || b.OwnPids()
	}
	return false
}
