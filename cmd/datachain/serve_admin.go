package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
)

// adminHandler serves what is for operators alone. Nothing of it is on the
// public address.
func (s *server) adminHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", s.ready)
	mux.Handle("GET /metrics", s.metrics.Page())
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}

// ready says whether requests should be sent here. The index is asked for each
// time: there may be nothing left.
func (s *server) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), s.readTimeout)
	defer cancel()
	index, err := s.service.Versions(ctx)
	switch n := len(s.loaded.Load().releases); {
	case s.draining.Load():
		plain(w, http.StatusServiceUnavailable, "stopping")
	case n == 0:
		plain(w, http.StatusServiceUnavailable, "no release is loaded")
	case err == nil && index.Len() == 0:
		select {
		case s.nudge <- struct{}{}: // the look will log it
		default:
		}
		plain(w, http.StatusServiceUnavailable, "no version is left in the store")
	default:
		plain(w, http.StatusOK, "ready: "+prose.Count(n, "release"))
	}
}

func plain(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = fmt.Fprintln(w, line) // a client that went away is nobody's failure
}

// How often the store is looked at: while nothing is loaded, and then. Requests
// see changes by themselves; this is for readiness, for the metrics, and for the
// first request to a new release, which then finds it loaded.
const (
	lookSoon  = time.Second
	lookAgain = 10 * time.Second
	lookLimit = 30 * time.Second
)

// look is what a store has at a moment.
type look struct {
	releases []versionRow
	// failures are those of the index, under "", and of versions.
	failures map[string]error
}

// look reads the index and every release.
func (s *server) look(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	now := &look{failures: map[string]error{}}
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
		e.ContentHash = r.ContentHash() // a last good one may be older than the index
		now.releases = append(now.releases, newVersionRow(e, r))
	}
	if !errors.Is(ctx.Err(), context.Canceled) { // a server that stops knows nothing new
		s.loaded.Store(now)
	}
}

// follow looks at the store now and then, and logs what has changed since what
// was told at the start.
func (s *server) follow(ctx context.Context, told <-chan *look) {
	var last *look
	select {
	case <-ctx.Done():
		return
	case last = <-told:
	}
	for {
		s.compare(last, s.loaded.Load())
		last = s.loaded.Load()
		wait := lookAgain
		if len(last.releases) == 0 || s.inTrouble() {
			wait = lookSoon
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		case <-s.nudge:
		}
		s.look(ctx)
	}
}

// compare logs what is new since the last look.
func (s *server) compare(last, now *look) {
	had := map[string]string{}
	for _, r := range last.releases {
		had[r.ID.String()] = r.ContentHash.String()
	}
	for _, r := range now.releases {
		if had[r.ID.String()] != r.ContentHash.String() {
			s.log.Info("release loaded", "version", r.ID.String(), "content_hash", r.ContentHash.String(), "elements", r.Elements)
		}
		delete(had, r.ID.String())
	}
	for version := range had {
		s.log.Info("release no longer served", "version", version)
	}
	if len(now.releases) == 0 && len(last.releases) > 0 {
		s.log.Warn("nothing is left to serve; not ready", "next", "looking again each second")
	}
	for version, err := range now.failures {
		if before := last.failures[version]; before == nil || before.Error() != err.Error() {
			s.failure(version, err)
		}
	}
}

// failure tells of a version that can't be read, or, where that is empty, of the
// index.
func (s *server) failure(version string, err error) {
	if version == "" {
		s.log.Warn("the index can't be read", "error", err)
		return
	}
	s.log.Warn("can't be served", "version", version, "error", err)
}
