package httpapi

import (
	"container/list"
	"context"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// names limits the names of each client for a limiter that only counts: while
// [ratelimit.MaxNames] names are in use, requests with another one have no name.
type names struct {
	limiter ratelimit.Limiter

	mu      sync.Mutex
	clients map[netip.Addr][]*clientName
	lru     list.List // of *clientName, the least recently used first
}

// maxNamesHeld limits the memory for names, to about 16 MB. At the limit, the oldest name
// becomes free early.
const maxNamesHeld = 1 << 16

// clientName is a name that a client uses.
type clientName struct {
	client     netip.Addr
	name       string
	undecided  int       // requests that the limiter is deciding on
	until      time.Time // when the last request that passed no longer counts
	lruElement *list.Element
}

func limitNames(l ratelimit.Limiter) *names {
	return &names{limiter: l, clients: make(map[netip.Addr][]*clientName)}
}

// Allow decides on a request with the name that counts.
func (n *names) Allow(ctx context.Context, key ratelimit.Key) (d ratelimit.Decision, err error) {
	if key.Name == "" {
		return n.limiter.Allow(ctx, key)
	}
	if used := n.use(key); used != nil {
		defer func() { n.finish(used, d) }() // even if the limiter panics
	} else {
		key.Name = ""
	}
	return n.limiter.Allow(ctx, key)
}

// use returns the name of a key, or nil if the client already uses as many as it may. The name
// is in use before the limiter decides, so that concurrent requests can't use more.
func (n *names) use(key ratelimit.Key) *clientName {
	n.mu.Lock()
	defer n.mu.Unlock()
	used := n.clients[key.Client]
	if i := slices.IndexFunc(used, func(c *clientName) bool { return c.name == key.Name }); i >= 0 {
		used[i].undecided++
		n.lru.MoveToBack(used[i].lruElement)
		return used[i]
	}
	now := time.Now()
	for _, c := range slices.Clone(used) {
		if c.undecided == 0 && !now.Before(c.until) {
			n.remove(c)
		}
	}
	if len(n.clients[key.Client]) >= ratelimit.MaxNames {
		return nil
	}
	if n.lru.Len() == maxNamesHeld {
		oldest, _ := n.lru.Front().Value.(*clientName) // nothing else is in the list
		n.remove(oldest)
	}
	c := &clientName{client: key.Client, name: key.Name, undecided: 1}
	c.lruElement = n.lru.PushBack(c)
	n.clients[key.Client] = append(n.clients[key.Client], c)
	return c
}

// finish ends a use of a name. If the request passed, the name is in use for as long as it counts.
func (n *names) finish(c *clientName, d ratelimit.Decision) {
	n.mu.Lock()
	defer n.mu.Unlock()
	c.undecided--
	if d.Allowed {
		// A limiter may count in slots of a second, and need not say what its window is.
		if until := time.Now().Add(max(d.Window, ratelimit.Window) + time.Second); until.After(c.until) {
			c.until = until
		}
	}
	if c.undecided == 0 && c.until.IsZero() {
		n.remove(c)
	}
}

// remove removes a name, unless it has been removed before.
func (n *names) remove(c *clientName) {
	n.lru.Remove(c.lruElement)
	used := slices.DeleteFunc(n.clients[c.client], func(other *clientName) bool { return other == c })
	if len(used) == 0 {
		delete(n.clients, c.client)
		return
	}
	n.clients[c.client] = used
}
