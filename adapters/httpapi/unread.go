package httpapi

import (
	"container/list"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// unread bounds the bytes of responses that clients have not read yet: all of them, and
// those of one client. Past a bound, the connection that has read nothing for longest is
// closed, so that clients which do not read take memory away only from one another.
type unread struct {
	most, each int64
	log        *slog.Logger

	mu      sync.Mutex
	total   int64
	clients map[netip.Addr]int64 // only those that have not read something
	readers list.List            // of *reader, the one that has read nothing for longest first
}

// A reader is a connection with responses that are not read yet.
type reader struct {
	conn      net.Conn      // nil if it is not one of [Listener], and has one response
	at        *list.Element // nil if it has no responses
	responses []*response
}

func newUnread(most int64, log *slog.Logger) *unread {
	return &unread{most: most, each: max(1, most/8), log: log, clients: make(map[netip.Addr]int64)}
}

// add notes bytes of a response that is about to be written. The caller ends with done.
func (u *unread) add(res *response, n int) {
	if own, ok := res.request.Context().Value(connKey{}).(*conn); ok {
		res.reader = &own.reader
	} else {
		res.reader = new(reader)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	r := res.reader
	if r.at == nil {
		r.at = u.readers.PushBack(r)
	}
	r.responses = append(r.responses, res)
	res.unread = int64(n)
	u.total += int64(n)
	u.clients[res.share] += int64(n)
	// A response that is too large by itself is sent: its client reads it, or is late.
	for dropped := true; dropped && u.clients[res.share] > max(u.each, res.unread); {
		dropped = u.drop(func(r *response) bool { return r.share == res.share })
	}
	for dropped := true; dropped && u.total > max(u.most, res.unread); {
		dropped = u.drop(func(*response) bool { return true })
	}
}

// drop closes the first connection with such a response. The caller holds mu.
func (u *unread) drop(such func(*response) bool) bool {
	for e := u.readers.Front(); e != nil; e = e.Next() {
		r, _ := e.Value.(*reader)
		if !slices.ContainsFunc(r.responses, such) {
			continue
		}
		one, bytes := r.responses[0], int64(0)
		if r.conn != nil {
			_ = r.conn.Close() // it may be closed already
		} else { // its handler waits for mu before it returns
			_ = http.NewResponseController(one.ResponseWriter).SetWriteDeadline(time.Unix(1, 0)) // not all writers support it
		}
		for _, res := range slices.Clone(r.responses) {
			bytes += res.unread
			u.take(res, res.unread)
		}
		go u.log.Warn("closed a connection whose client does not read", "client", one.client.String(), "unread_bytes", bytes)
		return true
	}
	return false
}

// read notes that n bytes of a response were read.
func (u *unread) read(res *response, n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if res.unread == 0 {
		return // its connection was closed
	}
	u.readers.MoveToBack(res.reader.at)
	u.take(res, int64(n))
}

// done notes that nothing of a response is waited for any more.
func (u *unread) done(res *response) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if res.unread > 0 {
		u.take(res, res.unread)
	}
}

// take removes bytes of a response. The caller holds mu.
func (u *unread) take(res *response, n int64) {
	res.unread -= n
	u.total -= n
	if u.clients[res.share] -= n; u.clients[res.share] == 0 {
		delete(u.clients, res.share)
	}
	if r := res.reader; res.unread == 0 {
		r.responses = slices.DeleteFunc(r.responses, func(other *response) bool { return other == res })
		if len(r.responses) == 0 {
			u.readers.Remove(r.at)
			r.at = nil
		}
	}
}
