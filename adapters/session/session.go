// Package session keeps the latest value of each session: a few bytes under an
// id that a client chose. [Slots] is the interface, [Memory] the implementation
// for one process. Servers that share their sessions need an implementation that
// they share, too; package sessiontest proves one.
package session

import "context"

// Slots keeps one value for each session. Implementations are safe for
// concurrent use, bound what they keep, and return when the context ends.
//
// A session id is whatever a client sent: any bytes, any length. Values are
// shared, not copied: neither the slice given to Put nor the one returned by Get
// may be modified.
type Slots interface {
	// Put keeps a value in place of the one before. A value that is too large
	// to keep is dropped without an error, and so is the one before it, which
	// is out of date.
	Put(ctx context.Context, session string, value []byte) error
	// Get returns the value of the last Put, or false if there is none: it was
	// never put, has expired, was evicted or got lost on its way. If servers share
	// their slots, the last Put is that of any of them: no value is better than an
	// older one.
	Get(ctx context.Context, session string) ([]byte, bool, error)
}
