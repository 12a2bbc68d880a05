package redisshare

import (
	"sync"
	"time"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// maxRefusals bounds the memory for refusals: about 150 bytes each.
const maxRefusals = 1 << 16

// sweepAtOnce is how many refusals are looked at to find expired ones.
const sweepAtOnce = 16

// refusals remembers which keys Redis has refused. Refused requests are not
// counted, so Redis would answer the same until the refusal expires, whatever
// other servers do meanwhile.
type refusals struct {
	max int

	mu  sync.Mutex
	all map[ratelimit.Key]refusal
}

// A refusal has times since the start of the [Share].
type refusal struct {
	holds time.Duration // until Redis might decide otherwise
	retry time.Duration // until enough requests have expired
}

// find returns how long a client has to wait that would be refused.
func (r *refusals) find(key ratelimit.Key, now time.Duration) (retry time.Duration, refused bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found, ok := r.all[key]
	if !ok {
		return 0, false
	}
	if now >= found.holds {
		delete(r.all, key)
		return 0, false
	}
	return found.retry - now, true
}

// add remembers a refusal. At the bound, expired ones or, if none is found, any
// one makes room: it costs Redis a check to learn of it again.
func (r *refusals) add(key ratelimit.Key, fresh refusal, now time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.all) >= r.max {
		r.sweep(now)
	}
	r.all[key] = fresh
}

func (r *refusals) sweep(now time.Duration) {
	looked := 0
	for key, old := range r.all { // from a random place
		if looked++; now >= old.holds || looked == sweepAtOnce && len(r.all) >= r.max {
			delete(r.all, key)
		}
		if looked == sweepAtOnce {
			return
		}
	}
}

func (r *refusals) len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.all)
}
