package lsp

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/lru"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// session is one client. Its fields up to mu are used only by the goroutine of
// receive, or do not change after initialize.
type session struct {
	server *Server
	ctx    context.Context // ends with the session
	out    *outbox
	// slots limit how many requests run at the same time.
	slots chan struct{}
	work  sync.WaitGroup

	requests atomic.Int64 // requests of the server so far; the last one has this id

	state   state
	client  client
	changes chan *openReleases // those that have changed
	titles  *lru.Cache[*taxonomy.Release, []titledElement]

	mu        sync.Mutex
	stopping  bool
	workspace *workspace // replaced only by the goroutine of receive
	documents map[address]*openDocument
	urgent    int                           // requests and runs that a user waits for; lint waits for them
	idle      chan struct{}                 // closed when nothing is urgent any more
	latest    string                        // the URI of the document that was opened or changed last
	pending   map[string]context.CancelFunc // requests by id
}

// state is how far the session is.
type state int

const (
	stateNew state = iota
	stateRunning
	stateShutdown
)

// errExit ends a session because the client asked for it.
var errExit = errors.New("lsp: exit")

// maxRequests is how many requests run at the same time. Others wait.
const maxRequests = 8

func newSession(ctx context.Context, s *Server) *session {
	return &session{
		server: s, ctx: ctx, out: newOutbox(),
		slots:     make(chan struct{}, maxRequests),
		changes:   make(chan *openReleases),
		titles:    lru.New[*taxonomy.Release, []titledElement](maxTitled),
		workspace: new(workspace),
		documents: make(map[address]*openDocument),
		idle:      make(chan struct{}),
		pending:   make(map[string]context.CancelFunc),
	}
}

// incoming is what Conn.Read returned.
type incoming struct {
	text []byte
	err  error
}

// receive handles messages until the session ends. The error is never nil.
func (s *session) receive(conn Conn, sent chan error) error {
	messages := make(chan incoming)
	go func() {
		for {
			var m incoming
			m.text, m.err = conn.Read(s.ctx)
			select {
			case messages <- m:
			case <-s.ctx.Done():
				return
			}
			if _, skipped := errors.AsType[*tooLargeError](m.err); m.err != nil && !skipped {
				return
			}
		}
	}()
	for {
		var err error
		select {
		case m := <-messages:
			err = s.handle(m)
		case r := <-s.changes:
			s.releasesChanged(r)
		case err = <-sent:
			sent <- nil // for the caller
			if err == nil {
				err = errExit
			}
		case <-s.ctx.Done():
			err = s.ctx.Err()
		}
		if err != nil {
			return err
		}
	}
}

// handle handles a message. The error ends the session.
func (s *session) handle(in incoming) error {
	if skipped, ok := errors.AsType[*tooLargeError](in.err); ok {
		s.skip(skipped)
		return nil
	}
	if in.err != nil {
		return in.err
	}
	m, wrong := readMessage(in.text)
	switch {
	case wrong != nil && m.Method != "" && m.ID == nil:
		s.log(logError, "message ignored: "+wrong.Message)
	case wrong != nil:
		s.out.put(newResponse(m.ID, nil, wrong))
	case m.Method == "": // the server's own requests need no answer
	case m.ID != nil:
		s.request(m)
	case m.Method == "exit":
		return errExit
	default:
		s.notification(m)
	}
	return nil
}

// notification handles a notification before the next message is read.
func (s *session) notification(m *message) {
	defer s.recovered(m.Method, nil)
	known := methods[m.Method]
	if s.state != stateRunning || known.notify == nil {
		return // unknown ones are ignored, as the protocol says
	}
	if err := known.notify(s, m.Params); err != nil {
		s.log(logError, m.Method+": "+err.Error())
	}
}

// request starts a request. What it needs of the documents is taken now, so that
// later changes do not affect it.
func (s *session) request(m *message) {
	answer := func(result any, err *responseError) { s.out.put(newResponse(m.ID, result, err)) }
	defer s.recovered(m.Method, answer)
	known := methods[m.Method]
	switch {
	case m.Method == "initialize":
		answer(s.initialize(m.Params))
		return
	case s.state == stateNew:
		answer(nil, failed(codeServerNotInitialized, "The first request must be initialize."))
		return
	case m.Method == "shutdown":
		s.stopAll()
		s.state = stateShutdown
		answer(nil, nil)
		return
	case s.state == stateShutdown:
		answer(nil, failed(codeInvalidRequest, "The server is shutting down: only exit is allowed."))
		return
	case known.request == nil:
		answer(nil, failed(codeMethodNotFound, "The server has no method %s.", wording.Clip(m.Method)))
		return
	}
	run, err := known.request(s, m.Params)
	if err != nil {
		answer(nil, asResponse(s.ctx, err))
		return
	}
	s.start(m, run, answer)
}

// start runs a request in the background until it is answered or canceled.
func (s *session) start(m *message, run answerFunc, answer func(any, *responseError)) {
	ctx, cancel := context.WithCancel(s.ctx)
	key := string(m.ID)
	s.mu.Lock()
	_, twice := s.pending[key]
	if !twice {
		s.pending[key] = cancel
		s.urgent++
	}
	s.mu.Unlock()
	if twice {
		cancel()
		answer(nil, failed(codeInvalidRequest, "A request with the id %s is not answered yet.", wording.Clip(key)))
		return
	}
	s.work.Go(func() {
		defer func() {
			cancel()
			s.mu.Lock()
			delete(s.pending, key)
			s.mu.Unlock()
			s.urgentDone()
		}()
		defer s.recovered(m.Method, answer)
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			answer(nil, asResponse(ctx, ctx.Err()))
			return
		}
		result, err := run(ctx)
		if err != nil {
			answer(nil, asResponse(ctx, err))
			return
		}
		answer(result, nil)
	})
}

// recovered must be deferred. It keeps a panic from ending the session: the panic is
// logged and answered as an error.
func (s *session) recovered(method string, answer func(any, *responseError)) {
	cause := recover()
	if cause == nil {
		return
	}
	stack := make([]byte, 16<<10)
	stack = stack[:runtime.Stack(stack, false)]
	s.log(logError, "internal error in "+method+": "+fmt.Sprint(cause)+"\n"+string(stack))
	if answer != nil {
		answer(nil, failed(codeInternalError, "Internal error in %s; the log has the details.", method))
	}
}

// awaitIdle waits until nothing is urgent, or for some time.
func (s *session) awaitIdle(limit time.Duration) {
	s.mu.Lock()
	urgent, idle := s.urgent, s.idle
	s.mu.Unlock()
	if urgent == 0 {
		return
	}
	select {
	case <-idle:
	case <-time.After(limit):
	case <-s.ctx.Done():
	}
}

// urgentDone ends work that was counted as urgent.
func (s *session) urgentDone() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.urgent--; s.urgent == 0 {
		close(s.idle)
		s.idle = make(chan struct{})
	}
}

// stopAll cancels everything that runs, and waits for it.
func (s *session) stopAll() {
	s.mu.Lock()
	s.stopping = true
	for _, cancel := range s.pending {
		cancel()
	}
	for _, d := range s.documents {
		d.cancel()
		d.run++
	}
	s.mu.Unlock()
	s.work.Wait()
}

// cancelParams are those of $/cancelRequest.
type cancelParams struct {
	ID jsontext.Value `json:"id"`
}

func (s *session) cancelRequest(p *cancelParams) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.pending[string(p.ID)]; cancel != nil {
		cancel()
	}
	return nil
}

// skip reports a message that was too large to read.
func (s *session) skip(e *tooLargeError) {
	var about struct {
		ID     jsontext.Value `json:"id"`
		Method string         `json:"method"`
		Params struct {
			Document versionedID `json:"textDocument"`
		} `json:"params"`
	}
	if err := json.Unmarshal(e.Outline, &about, wire()); err != nil {
		s.log(logError, e.Error())
		return
	}
	s.log(logError, e.Error()+": "+wording.Clip(about.Method))
	switch {
	case about.ID != nil:
		s.out.put(newResponse(about.ID, nil, failed(codeRequestFailed, "The message has %d bytes; at most %d are allowed.", e.Size, e.Max)))
	case s.state == stateRunning && strings.HasPrefix(about.Method, "textDocument/did"):
		s.change(about.Params.Document, "", e.Max)
	}
}
