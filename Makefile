# make demo   breaks a real lock on this machine and shows what lockscene says
# make test   installs what the tests need, then runs everything
# make build  one static binary
# make dist   what people install, into dist/: binaries, Debian packages, SHA256SUMS

.PHONY: build dist demo test check setup drills bench man clean

build:
	CGO_ENABLED=0 go build -trimpath -o lockscene .

dist:
	@sh docs/packaging/dist.sh

demo: build
	@sh testdata/demo.sh

test: setup check
	sh testdata/test.sh

# What needs no server: formatting, vet, staticcheck, the laws.
check:
	@test -z "$$(gofmt -l . | tee /dev/stderr)" || { echo 'not gofmt-ed'; exit 1; }
	go vet . ./... ./testdata/drill
	GOOS=darwin GOARCH=arm64 go vet . ./...
	go tool staticcheck . ./... ./testdata/drill
	go test -run Law .

setup:
	@sh testdata/setup.sh

drills: setup
	go test ./testdata/drill -count=1 -timeout 20m

bench:
	go test -run xxx -bench . -benchtime 50x . 
	go test -run xxx -bench . ./inspect/... ./classify/...

# One page a command, from the commands themselves; dist is not kept in git.
MANDIR ?= dist/man
man:
	go test -count=1 -vet=off -run TestManPages . -man "$(MANDIR)"

clean:
	rm -rf lockscene lockscene-*.tar.gz dist
