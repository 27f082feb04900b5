package evidence

import "testing"

func TestNamedIn(t *testing.T) {
	quince := Named{Host: "quince-3", Pid: 41207}
	for value, want := range map[string]Named{
		"quince-3:41207:9b1e77c4": quince,
		"quince-3|41207|x":        quince,
		"41207@quince-3":          quince,
		"41207@quince-3:uuid":     quince,
		"quince-3/41207":          quince,
		"quince-3_41207_9f0c2d7e5b1a4c3d8e6f708192a3b4c5":               quince,
		"quince_3_41207_9f0c2d7e5b1a4c3d8e6f708192a3b4c5_WRITERWAITING": {Host: "quince_3", Pid: 41207},
		"quince-3_41207_9f0c2d7e":                                       {},
		`{"hostname":"quince-3","pid":41207,"at":1}`:                    quince,
		`{"host":"quince-3","pid":"41207"}`:                             quince,
		"9b1e77c4a11b22c39b1e77c4a11b22c3:17":                           {}, // a token and a thread
		"1f0c2e9a-2a7d-4d6f-9e2b-8a3c55d01e77:73":                       {},
		"1":                 {},
		"quince-3:0:x":      {},
		"quince-3:041207":   {},
		"quince-3:99999999": {},
		"10.0.0.5:6379":     {}, // no letter: an address
		`{"pid":41207}`:     {},
		`{"host":`:          {},
		"":                  {},
	} {
		if got := NamedIn(value); got != want {
			t.Errorf("%q names %+v, want %+v", value, got, want)
		}
	}
}

func FuzzNamedIn(f *testing.F) {
	f.Add("quince-3:41207:9b1e77c4")
	f.Add(`{"host":"quince-3","pid":41207}`)
	f.Fuzz(func(t *testing.T, value string) {
		if n := NamedIn(value); (n.Pid == 0) != (n.Host == "") {
			t.Fatalf("%q names half: %+v", value, n)
		}
	})
}
