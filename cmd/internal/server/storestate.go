package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// How often the store is read. Requests see changes anyway: reading it is for readiness and metrics,
// loads new releases before they are requested, and reports what the store refuses even without
// requests.
const (
	readSoon  = time.Second      // while nothing is loaded or something fails
	readAgain = 5 * time.Second  // otherwise; a store at a URL does not read its index more often
	readLimit = 30 * time.Second // of one read
)

// storeState is the result of reading the store.
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
	index, err := s.served.Service.Versions(ctx)
	if err != nil {
		now.failures[""] = err
		index = new(taxonomy.Index)
	}
	for _, e := range index.Entries() {
		schema, err := s.served.Service.Open(ctx, e.ID.String())
		if err != nil {
			now.failures[e.ID.String()] = err
			continue
		}
		r := schema.Release()
		e.ContentHash = r.ContentHash()
		now.releases = append(now.releases, Loaded{e, len(r.ElementIDs())})
	}
	if !errors.Is(ctx.Err(), context.Canceled) { // the server has not ended
		s.loaded.Store(now)
	}
}

// wrongTrust returns why the index was refused if the trust file is not that of the store. Other
// reasons to refuse a log may pass.
func (l *storeState) wrongTrust() error {
	err := l.failures[""]
	switch trust.Reason(err) {
	case "unknown_key", "origin", "expired_key", "checkpoint":
		return errors.Unwrap(err) // without the advice to try again
	}
	return nil
}

// readNow makes follow read the store now.
func (s *server) readNow() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// follow reads the store from time to time, and logs what has changed since the last state.
func (s *server) follow(ctx context.Context, last *storeState) {
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
		case <-s.wake:
		}
		s.readStore(ctx)
	}
}

// compare logs what has changed since the last state.
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

// awaitRelease returns an error if no release could be read. While the store is read for the first
// time, it waits, until [startedAfter] after the start.
//
// A server that has just started on a damaged store gets requests until the load balancer checks
// whether it is ready. With the error, the balancer sends them to another server, and they do not
// count for the limits here.
func (s *server) awaitRelease(ctx context.Context) error {
	if len(s.loaded.Load().releases) > 0 {
		return nil
	}
	select {
	case <-s.firstRead:
	default:
		timer := time.NewTimer(time.Until(s.begun.Add(startedAfter)))
		defer timer.Stop()
		select {
		case <-s.firstRead:
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	now := s.loaded.Load()
	if len(now.releases) > 0 || now.failures != nil && len(now.failures) == 0 {
		return nil // a store without versions has not failed
	}
	s.readNow()
	return &datachain.Error{Issue: issue.Issue{
		Code: issue.CodeUpstreamError, Message: "No schema version could be read yet.", FixHint: "try again in a second",
	}}
}

// readyFor returns an error if a message to /mcp can't be answered, or a page about a version, or about
// all of them, can't be made. A message about a version that can't be read gets a response with status
// 200, which load balancers do not repeat. It reads the store only while something can't be read.
func (s *server) readyFor(ctx context.Context, version string) error {
	if err := s.awaitRelease(ctx); err != nil || version == "" || s.store.Err() == nil {
		return err
	}
	_, err := s.served.Service.Open(ctx, version)
	if status, _ := datachain.HTTPStatus(err); status < http.StatusInternalServerError {
		return nil // the page says that there is no such version
	}
	return err
}
