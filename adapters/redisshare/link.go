package redisshare

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// heldFor is how long after its last reply a connection is used without looking at it.
const heldFor = 100 * time.Millisecond

// A link holds a connection for commands that are sent one after the other. To take one
// from the pool for each command costs 2 to 4 µs (BenchmarkPeer): the pool locks, counts,
// and asks the system whether the server has closed the connection. So a connection that
// was idle goes back to the pool, which takes that look at the next one, and so does one
// that failed.
type link struct {
	client *redis.Client // nil if checks are spread over several nodes
	conn   *redis.Conn   // nil if none is held
	used   time.Time     // when the last reply arrived
}

// Process runs a command.
func (l *link) Process(ctx context.Context, cmd redis.Cmder) error {
	if l.conn != nil && time.Since(l.used) > heldFor {
		_ = l.close() // the pool keeps it
	}
	if l.conn == nil {
		l.conn = l.client.Conn()
	}
	err := l.conn.Process(ctx, cmd)
	if err != nil {
		_ = l.close() // the pool removes it if it is unusable
		return err
	}
	l.used = time.Now()
	return nil
}

// close gives the connection back to the pool.
func (l *link) close() error {
	if l.conn == nil {
		return nil
	}
	conn := l.conn
	l.conn = nil
	return conn.Close()
}
