package server

import (
	"context"
	"fmt"
	"net/http"
	"net/http/pprof"
	"strings"

	"github.com/datachain-go/datachain/internal/wording"
)

// adminHandler returns what is served on the admin address only.
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

// ready reports whether requests should be sent here: releases are loaded, and Redis, if servers
// share limits, has answered or timed out. It reads the index each time, since all versions may
// have been retired. A server that has lost Redis stays ready, as all others have lost it, too.
func (s *server) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), s.HTTP.ReadTimeout)
	defer cancel()
	index, err := s.served.Service.Versions(ctx)
	n := len(s.loaded.Load().releases)
	empty := err == nil && index.Len() == 0
	pending, unreachable := s.sharedState()
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
	case unreachable:
		plain(w, http.StatusOK, "ready: "+wording.Count(n, "release")+", but Redis is unreachable"+s.problems())
	default:
		plain(w, http.StatusOK, "ready: "+wording.Count(n, "release")+s.problems())
	}
}

// problems returns a line for each problem that last good data hides.
func (s *server) problems() string {
	var b strings.Builder
	if err := s.store.Err(); err != nil {
		fmt.Fprintf(&b, "\nstore: %s", wording.Line(err.Error()))
	}
	if s.served.Register == nil {
		return b.String()
	}
	for _, f := range s.served.Register.Failures() {
		fmt.Fprintf(&b, "\ndocuments of %s: %s", wording.Line(f.Origin.String()), wording.Line(f.Err.Error()))
	}
	if refused := s.served.Register.State().Refused(); len(refused) > 0 {
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
