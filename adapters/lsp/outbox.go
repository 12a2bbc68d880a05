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
	err    error
}

// outgoing is a message in the queue.
type outgoing struct {
	body any
	uri  string // of diagnostics
	log  bool
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

// log adds a message that may be dropped.
func (o *outbox) log(body any) { o.add(&outgoing{body: body, log: true}) }

// publish adds diagnostics of a document, in place of older ones.
func (o *outbox) publish(uri string, body any) { o.add(&outgoing{body: body, uri: uri}) }

func (o *outbox) add(m *outgoing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed || o.err != nil || m.log && o.logged >= maxLogged {
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

// send writes messages until the outbox is closed and empty, or a write fails.
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
			o.fail(err)
			return err
		}
	}
}

// fail drops all messages, now and later.
func (o *outbox) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.err, o.queue = err, nil
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
