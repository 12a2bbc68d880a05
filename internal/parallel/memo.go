package parallel

import "sync"

// Memo calls a function once for each key, and returns what it returned to everyone who asks for the
// key. The zero value is ready to use, from several goroutines.
type Memo[K comparable, V any] struct {
	mu    sync.Mutex
	calls map[K]func() (V, error)
}

// Get returns what load returned, or returns now, for a key.
func (m *Memo[K, V]) Get(key K, load func() (V, error)) (V, error) {
	m.mu.Lock()
	once := m.calls[key]
	if once == nil {
		if m.calls == nil {
			m.calls = make(map[K]func() (V, error))
		}
		once = sync.OnceValues(load)
		m.calls[key] = once
	}
	m.mu.Unlock()
	return once()
}
