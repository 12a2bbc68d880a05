package httpapi

import (
	"net/http"
	"net/netip"
	"sync"

	"github.com/datachain-go/datachain/internal/codes"
)

// limit is the handler around the API and the mounts. It limits the requests that are prepared at
// once, those of one client, and the time for sending a body; [response.Write] limits the
// time for reading the response.
//
// A request holds one of MaxRequests places until its response is ready: after that, the server
// waits only for the client. It counts for its client until the response is sent. So clients that
// read slowly take no places from others, however many they are.
func (a *api) limit(res *response, r *http.Request) {
	if r.ContentLength != 0 {
		// Whichever handler reads the body, a slow client is not waited for.
		_ = http.NewResponseController(res).SetReadDeadline(res.begun.Add(a.WorkTimeout)) // not all writers support it
	}
	defer a.requests.add(res.clientKey, -1)
	if !a.requests.add(res.clientKey, 1) {
		a.fail(res, r, problem(codes.Overloaded, "wait for responses, and read them, before you send more requests",
			"The server is overloaded by this client: %d of its requests are in progress.", a.MaxClientRequests))
		return
	}
	select {
	case a.places <- struct{}{}:
		res.placed = true
	default:
		a.fail(res, r, overloaded())
		return
	}
	defer res.release()
	a.serve(res, r)
}

// quota limits what clients use at a time, in total and each.
type quota struct {
	max, maxPerClient int64

	mu        sync.Mutex
	total     int64
	perClient map[netip.Addr]int64 // only of clients that have some
}

func newQuota(limit, limitPerClient int64) *quota {
	return &quota{max: limit, maxPerClient: limitPerClient, perClient: make(map[netip.Addr]int64)}
}

// add counts n more for a client, or less if n is negative. It reports whether the client is within
// the limits; n is counted in any case.
func (q *quota) add(client netip.Addr, n int64) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.total += n
	used := q.perClient[client] + n
	if used == 0 {
		delete(q.perClient, client)
	} else {
		q.perClient[client] = used
	}
	return q.total <= q.max && used <= q.maxPerClient
}

// full reports whether nothing is left for a client.
func (q *quota) full(client netip.Addr) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.total >= q.max || q.perClient[client] >= q.maxPerClient
}
