// Package drill breaks real Redis locks on this machine and checks what
// lockscene says about it: a real redis-server, real lock clients, the real
// kernel. It is the ground truth of the project.
//
// One drill is one [Row] of the table: a story, an injection, and the verdict
// that is right because we know what we did. A row runs in its own [Scene], which
// owns everything the drill starts and removes it again, on failure too. Every
// injection is proven first, by looking where the kernel or Redis would show
// it, so that a drill never judges a failure that did not happen.
//
// Lock clients are the test binary run again in another [Role]: a worker that
// holds and renews, a sidecar that renews for another, a tracer that stops one.
//
// Nothing outside the namespaces, control groups and folders a scene made is
// touched. The machine's clock is never set: Redis gets its own wall clock by a
// preloaded shim. What this machine cannot break is reported as not run, with
// the reason, at the end; it never passes silently.
//
//	go test ./testdata/drill                          run the table
//	go test ./testdata/drill -run Drills/oom -v       one family
//	go test ./testdata/drill -args -record DIR        keep a bundle and a story of each
//	go test ./testdata/drill -args -inject-only       prove the injections, judge nothing
package drill
