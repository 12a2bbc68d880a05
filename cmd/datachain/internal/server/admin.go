package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/pprof"
	"strings"
	"sync"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/trust"
)

// adminHandler serves operators. Nothing of it is on the public address.
func (s *server) adminHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", s.ready)
	mux.Handle("GET /metrics", s.metrics.Page())
	mux.HandleFunc("GET /documents", s.refusals)
	if s.Profiles { // they show internals, and making one costs CPU time
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	}
	return mux
}

// ready reports whether requests should be sent here: releases are loaded, and what
// servers share has answered or was given up. It reads the index each time, since
// all versions may have been retired. A server that has lost Redis stays ready, as
// all others have lost it, too.
func (s *server) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), s.HTTP.ReadTimeout)
	defer cancel()
	index, err := s.service.Versions(ctx)
	n := len(s.loaded.Load().releases)
	empty := err == nil && index.Len() == 0
	pending, away := s.sharedState()
	if n == 0 || empty {
		s.readNow()
	}
	switch {
	case s.draining.Load():
		plain(w, http.StatusServiceUnavailable, "draining")
	case empty:
		plain(w, http.StatusServiceUnavailable, "the store has no versions")
	case n == 0:
		plain(w, http.StatusServiceUnavailable, "no release is loaded")
	case pending:
		plain(w, http.StatusServiceUnavailable, "Redis has not answered yet")
	case away:
		plain(w, http.StatusOK, "ready: "+wording.Count(n, "release")+", but Redis is unreachable"+s.problems())
	default:
		plain(w, http.StatusOK, "ready: "+wording.Count(n, "release")+s.problems())
	}
}

// problems returns what is wrong now although last good data is served, in a line each.
func (s *server) problems() string {
	var b strings.Builder
	if err := s.store.Err(); err != nil {
		fmt.Fprintf(&b, "\nstore: %s", wording.Line(err.Error()))
	}
	if s.register == nil {
		return b.String()
	}
	for _, f := range s.register.Failures() {
		fmt.Fprintf(&b, "\ndocuments of %s: %s", wording.Line(f.Origin.String()), wording.Line(f.Err.Error()))
	}
	if refused := s.register.State().Refused(); len(refused) > 0 {
		fmt.Fprintf(&b, "\n%s refused, see /documents; the first: %s", wording.Count(len(refused), "document"), wording.Line(refusedLine(refused[0])))
	}
	return b.String()
}

func plain(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = fmt.Fprintln(w, line) // the client may have disconnected
}

// How often the store is read: while nothing is loaded or something fails, and
// otherwise. Requests see changes anyway; this is for readiness and metrics, and
// so that the first request to a new release finds it loaded. A store at a URL reads its index
// again after five seconds: what it refuses is reported in that time, also without requests.
const (
	readSoon  = time.Second
	readAgain = 5 * time.Second
	readLimit = 30 * time.Second
)

// storeState is the state of the store at a moment.
type storeState struct {
	releases []Loaded
	// failures are those of the index, under "", and of versions.
	failures map[string]error
}

// readStore reads the index and every release.
func (s *server) readStore(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	now := &storeState{failures: map[string]error{}}
	index, err := s.service.Versions(ctx)
	if err != nil {
		now.failures[""] = err
		index = new(taxonomy.Index)
	}
	for _, e := range index.Entries() {
		schema, err := s.service.Open(ctx, e.ID.String())
		if err != nil {
			now.failures[e.ID.String()] = err
			continue
		}
		r := schema.Release()
		e.ContentHash = r.ContentHash()
		now.releases = append(now.releases, Loaded{e, len(r.ElementIDs())})
	}
	if !errors.Is(ctx.Err(), context.Canceled) { // by the end of the server
		s.loaded.Store(now)
	}
}

// wrongTrust returns why the index was refused, if the trust file is not that of the store:
// what else a log can be refused for may pass, such as a cosignature that is late.
func (l *storeState) wrongTrust() error {
	err := l.failures[""]
	switch trust.Reason(err) {
	case "unknown_key", "origin", "expired_key", "checkpoint":
		return errors.Unwrap(err) // without the advice to try again
	}
	return nil
}

// readNow ends the wait for the next read.
func (s *server) readNow() {
	select {
	case s.nudge <- struct{}{}:
	default:
	}
}

// follow looks at the store from time to time, and logs what has changed since
// the state that was announced.
func (s *server) follow(ctx context.Context, announced <-chan *storeState) {
	var last *storeState
	select {
	case <-ctx.Done():
		return
	case last = <-announced:
	}
	for {
		now := s.loaded.Load()
		s.compare(last, now)
		last = now
		wait := readAgain
		if len(last.releases) == 0 || len(last.failures) > 0 || s.store.Err() != nil {
			wait = readSoon
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		case <-s.nudge:
		}
		s.readStore(ctx)
	}
}

// compare logs what is new since the last read.
func (s *server) compare(last, now *storeState) {
	had := map[taxonomy.Version]taxonomy.Hash{}
	for _, r := range last.releases {
		had[r.ID] = r.ContentHash
	}
	for _, r := range now.releases {
		if had[r.ID] != r.ContentHash {
			s.Logger.Info("release loaded", "version", r.ID.String(), "content_hash", r.ContentHash.String(), "elements", r.Elements)
		}
		delete(had, r.ID)
	}
	for version := range had {
		s.Logger.Info("release removed", "version", version.String())
	}
	if len(now.releases) == 0 && (len(last.releases) > 0 || last.failures == nil) {
		s.Logger.Warn("no release is loaded, retrying every second")
	}
	for version, err := range now.failures {
		switch before := last.failures[version]; {
		case before != nil && before.Error() == err.Error():
		case s.store.Err() != nil && isUpstream(err): // the store has logged it
		case version == "":
			s.Logger.Warn("reading the index failed", "error", err)
		default:
			s.Logger.Warn("loading a release failed", "version", version, "error", err)
		}
	}
}

// isUpstream reports whether an error is one of the store.
func isUpstream(err error) bool {
	e, ok := errors.AsType[*datachain.Error](err)
	return ok && e.Issue.Code == issue.CodeUpstreamError
}

const (
	logDelay = 100 * time.Millisecond // how long a line may wait
	logRoom  = 64 << 10               // how many bytes may wait
)

// LogWriter gathers log lines, so that a request does not pay for a system call.
// They are written when there are many, after a tenth of a second, and by Flush.
// Nothing is dropped: a writer that is slow makes callers wait. Make one with
// [NewLogWriter].
type LogWriter struct {
	mu        sync.Mutex
	w         io.Writer
	buf       []byte
	timer     *time.Timer // runs while lines wait
	immediate bool
}

// NewLogWriter returns a writer that gathers lines for another one.
func NewLogWriter(w io.Writer) *LogWriter {
	l := &LogWriter{w: w, buf: make([]byte, 0, logRoom)}
	l.timer = time.AfterFunc(logDelay, l.Flush)
	l.timer.Stop()
	return l
}

// Write takes a line. It does not fail: an error of the log has nowhere to go.
func (l *LogWriter) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.buf)+len(line) > logRoom {
		l.flush()
	}
	if len(l.buf) == 0 {
		l.timer.Reset(logDelay)
	}
	l.buf = append(l.buf, line...)
	if l.immediate || len(l.buf) > logRoom {
		l.flush()
	}
	return len(line), nil
}

// Flush writes the lines that wait. Call it once more at the end.
func (l *LogWriter) Flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
}

// Immediate writes the lines that wait, and from now on each line at once, since
// the program may end at any time.
func (l *LogWriter) Immediate() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.immediate = true
	l.flush()
}

func (l *LogWriter) flush() {
	l.timer.Stop()
	if len(l.buf) == 0 {
		return
	}
	_, _ = l.w.Write(l.buf)
	if l.buf = l.buf[:0]; cap(l.buf) > 2*logRoom { // after an unusually long line
		l.buf = make([]byte, 0, logRoom)
	}
}
