package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/redisshare"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Limits for what costs a client little.
const (
	headerTimeout  = 5 * time.Second
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 32 << 10
	// maxStreams is how many requests an HTTP/2 connection may have at once.
	// Clients are told and wait; the streams of others are refused.
	maxStreams = 100
)

// server is a running [Run].
type server struct {
	*Options
	metrics *Metrics
	limiter *ratelimit.Memory // nil if there are no limits, or shared ones
	share   *redisshare.Share // nil if nothing is shared
	store   *laststore.Store
	service *datachain.Service
	// register has the documents; nil for none.
	register *register.Register

	public, admin                 *http.Server // admin may be nil
	publicListener, adminListener net.Listener
	tls                           *tls.Config // nil without TLS
	connections                   connections // to the public address
	failed                        chan error
	background                    sync.WaitGroup

	draining atomic.Bool
	// loaded is what the last read found, and nudge asks for another one soon.
	// firstLook is closed after the first one.
	loaded    atomic.Pointer[storeState]
	nudge     chan struct{}
	firstLook chan struct{}
	begun     time.Time
}

func newServer(store taxonomy.Store, options *Options) (*server, error) {
	o := *options
	o.HTTP.ReadTimeout = cmp.Or(o.HTTP.ReadTimeout, 2*time.Second) // as httpapi has it
	o.HTTP.WorkTimeout = cmp.Or(o.HTTP.WorkTimeout, 5*time.Second)
	o.HTTP.WriteTimeout = cmp.Or(o.HTTP.WriteTimeout, 10*time.Second)
	s := &server{Options: &o, failed: make(chan error, 2), nudge: make(chan struct{}, 1), firstLook: make(chan struct{}), begun: time.Now()}
	s.loaded.Store(new(storeState))
	s.metrics = NewMetrics(s.measured())
	t := &trouble{o.Logger, s.metrics}
	last := t.options(&o)
	last.Report = func(err error) {
		t.report(err)
		s.readNow() // and then more often, until it has recovered
	}
	s.store = laststore.New(s.metrics.Store(store), last)
	var err error
	if s.service, err = datachain.New(s.store, &datachain.Options{MaxInput: int(o.HTTP.MaxBody), MaxCPU: o.MaxCPU, Report: t.unusable}); err != nil {
		return nil, err
	}
	if err := s.limit(); err != nil {
		return nil, err
	}
	if s.register, err = o.openDocuments(s.service); err != nil {
		s.endSharing()
		return nil, err
	}
	handler, err := s.handler()
	if err != nil {
		s.endSharing()
		s.closeDocuments()
		return nil, err
	}
	errorLog := slog.NewLogLogger(o.Logger.Handler(), slog.LevelWarn)
	s.public = &http.Server{
		Handler:           s.metrics.Handler(handler),
		Protocols:         new(http.Protocols),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       headerTimeout + o.HTTP.WorkTimeout,
		WriteTimeout:      o.HTTP.WriteTimeout + 2*o.HTTP.WorkTimeout, // pages may wait as long as they work
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: maxStreams, WriteByteTimeout: o.HTTP.WriteTimeout},
		ErrorLog:          errorLog,
		ConnState:         s.connections.follow,
		ConnContext:       httpapi.ConnContext,
		// The API answers OPTIONS *, too.
		DisableGeneralOptionsHandler: true,
	}
	s.public.Protocols.SetHTTP1(true)
	s.public.Protocols.SetUnencryptedHTTP2(true) // the listener decrypts
	if o.AdminAddr != "" {
		s.admin = &http.Server{
			Handler: s.adminHandler(), ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
			ErrorLog: errorLog,
		}
	}
	return s, nil
}

// handler returns the API with MCP and the explorer.
func (s *server) handler() (http.Handler, error) {
	o := s.HTTP
	o.Logger, o.Stopping, o.Documents, o.Prover = s.Logger, s.draining.Load, s.register, s.Prover
	o.Observe = s.metrics.Observe
	var slots mcp.Slots
	switch {
	case s.share != nil:
		slots = s.share
		if s.RateLimit != nil {
			o.Limiter, o.LimiterBudget = s.share, 2*s.sharing().Timeout
		}
	case s.limiter != nil:
		o.Limiter = s.limiter
	}
	if s.MCP != nil {
		server, err := s.newMCP(s.service, slots, s.register)
		if err != nil {
			return nil, err
		}
		o.Mounts = append(o.Mounts, httpapi.Mount{Path: "/mcp", Handler: server.Handler(), Ready: s.readyForMCP})
	}
	if s.Explorer != nil {
		pages, err := s.newExplorer(s.service, s.register)
		if err != nil {
			return nil, err
		}
		o.Mounts = append(o.Mounts, httpapi.Mount{Path: "/", Handler: pages, Ready: s.readyForPages(pages.Version)})
	}
	return httpapi.New(s.service, &o)
}

// listen opens the ports, so that Run fails at once if that is not possible.
func (s *server) listen(ctx context.Context) error {
	if s.CertFile != "" {
		c, err := openCertificate(s.CertFile, s.KeyFile, s.Logger)
		if err != nil {
			return err
		}
		s.tls = &tls.Config{GetCertificate: c.get, MinVersion: tls.VersionTLS12}
	}
	config := new(net.ListenConfig)
	config.SetMultipathTCP(false) // such a port can't be told to ignore new connections
	var err error
	if s.publicListener, err = listenTCP(ctx, s.Addr, config.Listen); err != nil {
		return err
	}
	if s.admin != nil {
		if s.adminListener, err = listenTCP(ctx, s.AdminAddr, config.Listen); err != nil {
			return errors.Join(err, s.publicListener.Close())
		}
	}
	return nil
}

// listenTCP opens a port. A system without a hosts file, such as a small container, can't
// resolve localhost.
func listenTCP(ctx context.Context, at string, listen func(ctx context.Context, network, at string) (net.Listener, error)) (net.Listener, error) {
	l, err := listen(ctx, "tcp", at)
	host, port, _ := net.SplitHostPort(at)
	if _, unresolved := errors.AsType[*net.DNSError](err); unresolved && host == "localhost" {
		return listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", port))
	}
	return l, err
}

// start begins to answer requests.
func (s *server) start() {
	run := func(l net.Listener, serve func() error) {
		s.background.Go(func() {
			if err := serve(); !errors.Is(err, http.ErrServerClosed) {
				s.failed <- fmt.Errorf("the server on %s stopped: %w", l.Addr(), err)
			}
		})
	}
	run(s.publicListener, func() error {
		return s.public.Serve(httpapi.Listener(s.publicListener, &httpapi.ListenerOptions{TLS: s.tls, HeaderTimeout: headerTimeout, Logger: s.Logger}))
	})
	if s.admin != nil {
		run(s.adminListener, func() error { return s.admin.Serve(s.adminListener) })
	}
}

func (s *server) url() string {
	scheme := "http"
	if s.CertFile != "" {
		scheme = "https"
	}
	return scheme + "://" + s.publicListener.Addr().String()
}

func (s *server) adminURL() string {
	if s.admin == nil {
		return ""
	}
	return "http://" + s.adminListener.Addr().String()
}

// close ends at once whatever is still open.
func (s *server) close() error {
	err := s.public.Close()
	if s.admin != nil {
		err = errors.Join(err, s.admin.Close())
	}
	return err
}

// awaitRelease returns an error if nothing can be served because of a failure. While
// the store is read for the first time it waits, no longer than [startedAfter] after
// the start.
//
// A server that has just started on a damaged store gets requests until the load
// balancer checks whether it is ready. The balancer can send them to another server,
// and they must not count for the limits here.
func (s *server) awaitRelease(ctx context.Context) error {
	if len(s.loaded.Load().releases) > 0 {
		return nil
	}
	select {
	case <-s.firstLook:
	default:
		timer := time.NewTimer(time.Until(s.begun.Add(startedAfter)))
		defer timer.Stop()
		select {
		case <-s.firstLook:
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	now := s.loaded.Load()
	if len(now.releases) > 0 || now.failures != nil && len(now.failures) == 0 {
		return nil // a store without versions has not failed
	}
	s.readNow()
	return &datachain.Error{Issue: issue.Issue{
		Code: issue.CodeUpstreamError, Message: "No schema version could be read yet.", FixHint: "try again in a second",
	}}
}

// readyForMCP returns an error if a message to /mcp can't be answered. A message about a
// version that can't be read is not refused: the failure is part of a response with
// status 200, which load balancers do not repeat.
func (s *server) readyForMCP(ctx context.Context, r *http.Request) error {
	if r.Method != http.MethodPost {
		return nil // only messages need the store
	}
	return s.awaitRelease(ctx)
}

// readyForPages returns what returns an error if a page of the explorer can't be made.
// It reads the store only while something can't be read.
func (s *server) readyForPages(version func(*http.Request) (string, bool)) func(context.Context, *http.Request) error {
	return func(ctx context.Context, r *http.Request) error {
		of, needed := version(r)
		if !needed {
			return nil
		}
		if err := s.awaitRelease(ctx); err != nil || of == "" || s.store.Err() == nil {
			return err
		}
		_, err := s.service.Open(ctx, of)
		if status, _ := httpapi.Status(err); status < http.StatusInternalServerError {
			return nil // the page says that there is no such version
		}
		return err
	}
}

// certificateAge is how often the files of a certificate are checked.
const certificateAge = 10 * time.Second

// certificate is a certificate in files that may be renewed.
type certificate struct {
	cert, key string
	log       *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	stamps  [2]time.Time // modification times of the files
	next    time.Time    // when to check them
}

// openCertificate reads a certificate, and fails if it is not usable.
func openCertificate(cert, key string, log *slog.Logger) (*certificate, error) {
	c := &certificate{cert: cert, key: key, log: log}
	if err := c.load(); err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	return c, nil
}

// get returns the certificate in the files, or the last good one.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().After(c.next) {
		if err := c.load(); err != nil {
			c.log.Error("reading the certificate failed, using the last one", "error", err)
		}
	}
	return c.current, nil
}

// load reads the files if they have changed.
func (c *certificate) load() error {
	c.next = time.Now().Add(certificateAge)
	var stamps [2]time.Time
	for i, name := range []string{c.cert, c.key} {
		info, err := os.Stat(name)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(name), errors.Unwrap(err))
		}
		stamps[i] = info.ModTime()
	}
	if c.current != nil && stamps == c.stamps {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return err
	}
	if c.current != nil {
		c.log.Info("certificate renewed", "not_after", pair.Leaf.NotAfter)
	}
	c.current, c.stamps = &pair, stamps
	return nil
}

// ErrDrainTimeout means that requests took longer than [Options.DrainTimeout] and
// were cut off.
var ErrDrainTimeout = errors.New("requests were cut off by the drain timeout")

// drain stops the server without losing a request.
//
// To close a port or a connection at once would lose what is on its way there. So
// the server first goes on for a while, fails /readyz, and closes each connection
// with a response. Then it takes no new connections, and waits for the last
// requests; connections on which nothing was asked are not waited for.
func (s *server) drain(ctx context.Context) error {
	s.draining.Store(true)
	s.Logger.Info("draining", "delay_ms", s.DrainDelay.Milliseconds(), "timeout_ms", s.DrainTimeout.Milliseconds())
	s.delay()
	s.settle()
	ctx, cancel := context.WithTimeout(ctx, s.DrainTimeout)
	defer cancel()
	err := s.public.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = ErrDrainTimeout
	}
	if err = errors.Join(err, s.close()); err == nil {
		s.Logger.Info("stopped")
	}
	return err
}

const (
	// handshake is the time for connections that are being established, and
	// firstRequest the time until their first request has to arrive.
	handshake    = 100 * time.Millisecond
	firstRequest = time.Second
	// poll is how often connections are counted.
	poll = 20 * time.Millisecond
)

// delay waits until clients had time to move on. It does not wait if no client has
// made a request and none can ask whether the server is ready.
func (s *server) delay() {
	for end := time.Now().Add(s.DrainDelay); time.Now().Before(end); time.Sleep(poll) {
		if used, _ := s.connections.count(); s.admin == nil && used == 0 {
			return
		}
	}
}

// settle lets no new connections in, and waits for the first request on those
// that came last. Then it closes the connections on which nothing was asked:
// [http.Server.Shutdown] would wait for them.
func (s *server) settle() {
	if tcp, ok := s.publicListener.(*net.TCPListener); ok && ignoreNew(tcp) == nil {
		time.Sleep(handshake)
	}
	for end := time.Now().Add(firstRequest); time.Now().Before(end); time.Sleep(poll) {
		if _, young := s.connections.count(); young == 0 {
			break
		}
	}
	time.Sleep(poll) // requests that have arrived are begun now
	s.connections.closeUnused()
}

// connections counts open connections.
type connections struct {
	mu     sync.Mutex
	used   int                    // those on which a request has arrived
	unused map[net.Conn]time.Time // the others, with the time at which they were opened
}

// follow is called by net/http when the state of a connection changes.
func (c *connections) follow(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, unused := c.unused[conn]
	switch state {
	case http.StateNew:
		if c.unused == nil {
			c.unused = make(map[net.Conn]time.Time)
		}
		c.unused[conn] = time.Now()
	case http.StateActive:
		if unused {
			delete(c.unused, conn)
			c.used++
		}
	case http.StateClosed, http.StateHijacked:
		if unused {
			delete(c.unused, conn)
		} else {
			c.used--
		}
	}
}

// count returns how many connections were used, and how many others are so young
// that their first request may be on its way.
func (c *connections) count() (used, young int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, opened := range c.unused {
		if time.Since(opened) < firstRequest {
			young++
		}
	}
	return c.used, young
}

// closeUnused closes the connections on which no request has arrived.
func (c *connections) closeUnused() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.unused {
		_ = conn.Close() // there is nothing to lose
	}
}
