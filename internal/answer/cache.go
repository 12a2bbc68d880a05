package answer

import (
	"context"
	"errors"
	"time"

	"github.com/datachain-go/datachain/internal/concurrent"
)

// Cache keeps answers by key, up to a bound, and makes each one once however many
// requests ask for it at the same time.
type Cache[K comparable] struct {
	answers *concurrent.Cache[K, *Answer]
	rare    *concurrent.Recent[K] // whose answers are not kept yet
}

// NewCache returns a cache of answers of a total size, in a number of shards, each with
// its part of the bound and its own lock. A bound of 0 keeps nothing.
func NewCache[K comparable](maxBytes int64, shards int) *Cache[K] {
	return &Cache[K]{concurrent.NewCache[K, *Answer](max(0, maxBytes), shards), concurrent.NewRecent[K]()}
}

// Get returns an answer that is kept and has not expired.
func (c *Cache[K]) Get(key K) (*Answer, bool) {
	ans, ok := c.answers.Get(key)
	if ok && !ans.Expires.IsZero() && !time.Now().Before(ans.Expires) {
		c.answers.Delete(key)
		return nil, false
	}
	return ans, ok
}

// Request is a request for an answer that is to be made.
type Request[K comparable] struct {
	Key K
	// KeySize is the memory of the key, if that is much.
	KeySize int
	// Rare says that the answer is only kept if it is asked for again, such as one
	// to a search: most never are, and would only take up memory.
	Rare bool
}

// Make makes an answer and keeps it, once for all requests that wait for it. If the
// request that makes it gives up, another one takes over.
func (c *Cache[K]) Make(ctx context.Context, q Request[K], create func() (*Answer, error)) (*Answer, error) {
	for tried := false; ; {
		ans, err := c.answers.Do(ctx, q.Key, func() (*Answer, int64, error) {
			tried = true
			ans, err := create()
			if err != nil {
				return nil, 0, err
			}
			if q.Rare && !c.rare.Seen(q.Key) {
				return ans, -1, nil
			}
			return ans, ans.cost() + 2*int64(q.KeySize), nil
		})
		if err == nil || tried || ctx.Err() != nil || !gaveUp(err) {
			return ans, err
		}
	}
}

// gaveUp reports whether a request timed out or its client disconnected.
func gaveUp(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}
