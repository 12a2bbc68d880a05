package serve

import (
	"context"
	"net/http"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// awaitRelease returns an error if nothing can be served because of a failure. While
// the store is read for the first time it waits, no longer than [startedAfter] after
// the start.
//
// A server that has just started on a damaged store gets requests until the load
// balancer checks whether it is ready. The balancer can send them to another server,
// and they must not count for the limits here.
func (s *server) awaitRelease(ctx context.Context) error {
	if len(s.loaded.Load().releases) > 0 {
		return nil
	}
	select {
	case <-s.firstLook:
	default:
		timer := time.NewTimer(time.Until(s.begun.Add(startedAfter)))
		defer timer.Stop()
		select {
		case <-s.firstLook:
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	now := s.loaded.Load()
	if len(now.releases) > 0 || now.failures != nil && len(now.failures) == 0 {
		return nil // a store without versions has not failed
	}
	s.lookNow()
	return &datachain.Error{Issue: issue.Issue{
		Code: issue.CodeUpstreamError, Message: "No schema version could be read yet.", FixHint: "try again in a second",
	}}
}

// readyForMCP returns an error if a message to /mcp can't be answered. A message about a
// version that can't be read is not refused: the failure is part of a response with
// status 200, which load balancers do not repeat.
func (s *server) readyForMCP(ctx context.Context, r *http.Request) error {
	if r.Method != http.MethodPost {
		return nil // only messages need the store
	}
	return s.awaitRelease(ctx)
}

// readyForPages returns what returns an error if a page of the explorer can't be made.
// It reads the store only while something can't be read.
func (s *server) readyForPages(version func(*http.Request) (string, bool)) func(context.Context, *http.Request) error {
	return func(ctx context.Context, r *http.Request) error {
		of, needed := version(r)
		if !needed {
			return nil
		}
		if err := s.awaitRelease(ctx); err != nil || of == "" || s.store.Err() == nil {
			return err
		}
		_, err := s.service.Open(ctx, of)
		if status, _ := datachain.HTTPStatus(err); status < http.StatusInternalServerError {
			return nil // the page says that there is no such version
		}
		return err
	}
}
