package serve

import (
	"context"
	"net/http"
	"time"

	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// waitingMCP answers MCP clients with 503 while no release could be loaded. An MCP
// server reports a failed call inside a response with status 200, which no load
// balancer sends to another server; REST has status 502 for the same failure. A
// server that has just started on a damaged store gets requests until the balancer
// checks whether it is ready.
type waitingMCP struct {
	*mcp.Handler
	server *server
}

// ServeHTTP implements [http.Handler].
func (h *waitingMCP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost && h.server.hasNothing(r.Context()) {
		w.Header().Set("Retry-After", "1")
		h.Refuse(w, r, http.StatusServiceUnavailable, issue.Issue{
			Code: issue.CodeUpstreamError, Message: "No schema version could be read yet.", FixHint: "try again in a second",
		})
		return
	}
	h.Handler.ServeHTTP(w, r)
}

// hasNothing reports whether nothing can be served because of a failure. While the
// store is read for the first time it waits, no longer than [startedAfter] after the
// start.
func (s *server) hasNothing(ctx context.Context) bool {
	if len(s.loaded.Load().releases) > 0 {
		return false
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
		return false // a store without versions is no failure
	}
	s.lookNow()
	return true
}
