// Command lockclient takes a lock with a real library, says so, and holds it: the
// libraries of Go whose locks lockscene must recognise. Where the library renews by
// itself it does; -renew makes it ask where it renews only on demand.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A hold takes a lock and keeps it until ctx ends. It calls held once it has it.
type hold func(ctx context.Context, o options, held func()) error

type options struct {
	addr, key string        // of a Redlock or a cluster several addresses, separated by commas
	lease     time.Duration // zero: the library's default
	renew     time.Duration // zero: only what the library does by itself
}

var libraries = map[string]hold{
	"redsync": holdRedsync, "redislock": holdRedislock, "rueidislock": holdRueidis, "go-zero": holdGoZero,
}

func main() {
	var o options
	lib := flag.String("lib", "", "redsync, redislock, rueidislock or go-zero")
	flag.StringVar(&o.addr, "redis", "127.0.0.1:6379", "host:port")
	flag.StringVar(&o.key, "key", "", "the lock's name, as the library's user calls it")
	flag.DurationVar(&o.lease, "lease", 0, "lease; zero is the library's default")
	flag.DurationVar(&o.renew, "renew", 0, "ask for an extension this often; zero: never")
	beat := flag.String("heartbeat", "", "touch this file while the work goes on")
	most := flag.Duration("for", time.Minute, "release and end after this long")
	flag.Parse()
	h, ok := libraries[*lib]
	if !ok || o.key == "" {
		fmt.Fprintln(os.Stderr, "lockclient: want -lib and -key")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, *most)
	defer cancel()
	go work(ctx, *beat)
	if err := h(ctx, o, func() { fmt.Println("held") }); err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "lockclient:", err)
		os.Exit(1)
	}
}

// work is what the lock is for: a little of the CPU, and a sign of life. SIGHUP
// stops it for ever, as a deadlock of the working goroutine would; renewals go on.
func work(ctx context.Context, beat string) {
	stuck := make(chan os.Signal, 1)
	signal.Notify(stuck, syscall.SIGHUP)
	text := strings.Repeat("ledger ", 2000)
	last := time.Time{}
	for ctx.Err() == nil {
		select {
		case <-stuck:
			fmt.Println("stuck")
			<-ctx.Done()
			return
		case <-time.After(5 * time.Millisecond):
		}
		words := strings.Fields(text)
		slices.Sort(words)
		if beat != "" && time.Since(last) > 200*time.Millisecond {
			last = time.Now()
			_ = os.WriteFile(beat, []byte(last.UTC().Format(time.RFC3339Nano)), 0o644)
		}
	}
}

// every calls f until ctx ends or it fails; with no interval it only waits.
func every(ctx context.Context, interval time.Duration, f func() error) error {
	if interval == 0 {
		<-ctx.Done()
		return nil
	}
	t := time.NewTicker(interval)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			if err := f(); err != nil {
				return err
			}
		}
	}
}
