package lsp

import (
	"sync"

	"github.com/go-json-experiment/json"
)

// outbox is the queue of messages to a client. Putting a message in never waits for
// the client. Diagnostics that were not sent yet are replaced by newer ones of the
// same document, so a client that does not read costs no more memory than its open
// documents and unanswered requests.
type outbox struct {
	mu     sync.Mutex
	ready  sync.Cond
	queue  []*outgoing
	latest map[string]*outgoing // by URI
	logged int                  // log messages in the queue
	closed bool
}

// outgoing is a message in the queue.
type outgoing struct {
	body any
	uri  string // of diagnostics, which replace older ones
	log  bool   // it may be dropped
}

// maxLogged is how many log messages wait for a client that does not read.
const maxLogged = 1000

func newOutbox() *outbox {
	o := &outbox{latest: make(map[string]*outgoing)}
	o.ready.L = &o.mu
	return o
}

// put adds a message.
func (o *outbox) put(body any) { o.add(&outgoing{body: body}) }

func (o *outbox) add(m *outgoing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed || m.log && o.logged >= maxLogged {
		return
	}
	if m.uri != "" {
		if waiting := o.latest[m.uri]; waiting != nil {
			waiting.body = m.body
			return
		}
		o.latest[m.uri] = m
	}
	if m.log {
		o.logged++
	}
	o.queue = append(o.queue, m)
	o.ready.Signal()
}

// close lets send return when the queue is empty.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.ready.Signal()
}

// send writes messages until the outbox is closed and empty, or a write fails, which
// drops all messages, now and later.
func (o *outbox) send(conn Conn) error {
	for {
		body, ok := o.next()
		if !ok {
			return nil
		}
		text, err := json.Marshal(body, wire())
		if err == nil {
			err = conn.Write(text)
		}
		if err != nil {
			o.drop()
			return err
		}
	}
}

// drop removes all messages, and those to come.
func (o *outbox) drop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed, o.queue = true, nil
}

// next waits for a message; there is none if the outbox is closed.
func (o *outbox) next() (any, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.queue) == 0 {
		if o.closed {
			return nil, false
		}
		o.ready.Wait()
	}
	m := o.queue[0]
	o.queue[0] = nil
	o.queue = o.queue[1:]
	if m.uri != "" {
		delete(o.latest, m.uri)
	}
	if m.log {
		o.logged--
	}
	return m.body, true
}

// The levels of messages.
const (
	logError   = 1
	logWarning = 2
	logInfo    = 3
)

// log sends a message to the log of the client.
func (s *session) log(level int, text string) {
	s.out.add(&outgoing{log: true, body: newNotification("window/logMessage", object{"type": level, "message": text})})
}

// warn shows a warning to the user.
func (s *session) warn(text string) {
	s.out.put(newNotification("window/showMessage", object{"type": logWarning, "message": text}))
}

// ask sends a request whose answer does not matter: if the client can't do it, it
// tells the user.
func (s *session) ask(method string, params any) {
	m := newNotification(method, params)
	m["id"] = s.requests.Add(1)
	s.out.put(m)
}
