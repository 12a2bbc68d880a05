// Package server runs the server of the datachain command: the REST API, MCP and pages on a public
// address, and health checks, [Metrics] and optional profiles on an admin address. At the end it
// drains requests.
package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	handler "github.com/datachain-go/datachain/pages/server"
	"github.com/datachain-go/datachain/taxonomy"
)

// Options configure a server.
type Options struct {
	// Addr is the public address.
	Addr string
	// AdminAddr is the address of health checks and metrics; an empty one
	// turns them off. Profiles adds profiles of the Go runtime.
	AdminAddr string
	Profiles  bool
	// CertFile and KeyFile turn TLS on. The files are read again when they
	// change.
	CertFile, KeyFile string

	// Options configure what is served. Run sets the limiter, the logger, hooks, and what is called when
	// documents change.
	handler.Options
	// RateLimit configures the limiter; nil turns it off.
	RateLimit *ratelimit.Options
	// Shared makes servers share their limits and MCP sessions through Redis;
	// nil keeps both in the memory of this one.
	Shared *Shared
	// Fallback is read while the store fails from the start, and Refresh is how
	// long its index is served before it is read again; see [laststore.Options].
	Fallback taxonomy.Store
	Refresh  time.Duration

	// DrainDelay is how long new requests are still accepted after the context has ended, so that
	// load balancers can choose another server. DrainTimeout is how long the last requests may
	// take after that.
	DrainDelay, DrainTimeout time.Duration

	// Build identifies the program in the metrics.
	Build Build
	// Logger is required.
	Logger *slog.Logger
	// Started is called once: when the server listens and has read the store,
	// or after 3 seconds if that takes longer.
	Started func(Started)
}

// Shared configures what servers share.
type Shared struct {
	// Open connects to Redis.
	Open func(address string, o *ShareOptions) (Share, error)
	// Address is that of Redis, and Prefix begins every key.
	Address, Prefix string
	// Replicas is the number of servers.
	Replicas int
	// Timeout is how long a check waits; 0 means 25 milliseconds.
	Timeout time.Duration
}

// Started describes a server that has started.
type Started struct {
	// URL and AdminURL have the ports that the system has chosen, if those of
	// the options were 0. AdminURL is empty if the admin address is off.
	URL, AdminURL string
	// Releases are the loaded releases, and Failed is how many others can't be read.
	Releases []Loaded
	Failed   int
	// Documents is how many documents there are.
	Documents int
}

// Loaded is a loaded release. Its content hash is that of the release, which may
// be older than the one in the index.
type Loaded struct {
	taxonomy.Entry
	Elements int
}

// startedAfter is how long [Options.Started] waits for a slow store.
const startedAfter = 3 * time.Second

// Run serves a store until ctx ends, and then drains requests: see [Options.DrainDelay]. The error is
// [ErrDrainTimeout] if requests were cut off. If the first index is refused because the trust file is
// not that of the store, Run returns that error, since trying again would not help.
func Run(ctx context.Context, store taxonomy.Store, o *Options) error {
	s, err := newServer(store, o)
	if err != nil {
		return err
	}
	defer s.endSharing()
	defer func() { _ = s.served.Close() }() // documents were only read
	if err := s.listen(ctx); err != nil {
		return err
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx)) // until it is drained
	defer s.background.Wait()
	defer stop()
	s.start()
	ready := make(chan struct{})
	s.background.Go(func() {
		s.readStore(serving)
		close(s.firstRead)
		if err := s.loaded.Load().wrongTrust(); err != nil {
			s.failed <- err
			return
		}
		s.awaitShared(serving)
		close(ready)
	})
	select {
	case err := <-s.failed:
		return errors.Join(err, s.close())
	case <-ready:
	case <-ctx.Done():
	case <-time.After(startedAfter):
	}
	found := s.loaded.Load()
	if o.Started != nil {
		started := Started{URL: s.url(), AdminURL: s.adminURL(), Releases: found.releases, Failed: len(found.failures)}
		if r := s.served.Register; r != nil {
			started.Documents = len(r.State().Documents())
		}
		o.Started(started)
	}
	s.compare(&storeState{releases: found.releases}, found) // logs the failures
	s.background.Go(func() {
		select {
		case <-serving.Done():
		case <-ready:
			s.follow(serving, found)
		}
	})
	select {
	case err := <-s.failed:
		return errors.Join(err, s.close())
	case <-ctx.Done():
		return s.drain(context.WithoutCancel(ctx))
	}
}

// Stdio serves one MCP client until it closes in, or ctx ends. Of the options, Service, MCP,
// Fallback, Documents, Register and Logger are used.
func Stdio(ctx context.Context, store taxonomy.Store, in io.Reader, out io.Writer, o *Options) error {
	failures := &storeLog{log: o.Logger}
	last, err := laststore.New(store, failures.options(o))
	if err != nil {
		return err
	}
	alone := *o
	alone.NoPages = true
	served, err := wire(last, &alone, failures.unusable)
	if err != nil {
		return err
	}
	defer func() { _ = served.Close() }() // documents were only read
	return served.MCP.ServeStdio(ctx, in, out)
}
