package ratelimit

import (
	"context"
	"errors"
)

// LimitNames returns a limiter that counts with another one, and keeps to what the contract says
// about the names of clients: it hands on the name of a request, or none if the address uses
// [MaxNames] other names. So a limiter of a program's own only counts the requests of each [Key]
// as it gets it. Of the options, MaxKeys and Now matter here.
//
// Names are those that this process has seen. Servers that share their counts let an address use
// that many names on each.
func LimitNames(l Limiter, o *Options) (Limiter, error) {
	if l == nil {
		return nil, errors.New("ratelimit: the limiter is nil")
	}
	m, err := NewMemory(o)
	if err != nil {
		return nil, err
	}
	return &named{l, m}, nil
}

type named struct {
	limiter Limiter
	names   *Memory // of the requests that passed
}

// Allow decides on a request with the name that counts.
func (n *named) Allow(ctx context.Context, key Key) (Decision, error) {
	key = NewKey(key.Bucket, key.Client, key.Name)
	key.Name = n.names.name(key)
	d, err := n.limiter.Allow(ctx, key)
	if err == nil && d.Allowed && d.Limit > 0 {
		n.names.use(key)
	}
	return d, err
}

// name returns the name of a key or, if the client has used up its names, "".
func (m *Memory) name(key Key) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.entry(key, m.slot()).Name
}

// use counts a request that has passed.
func (m *Memory) use(key Key) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.slot()
	m.sweep(now)
	e := m.entry(key, now)
	m.ages.MoveToBack(e.age)
	e.expire(now)
	m.count(e, now)
}
