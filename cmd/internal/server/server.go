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
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	handler "github.com/datachain-go/datachain/pages/server"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy"
)

// Limits that protect the server from clients.
const (
	headerTimeout  = 5 * time.Second
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 32 << 10
	// maxStreams is how many requests an HTTP/2 connection may have at once.
	// It is announced to clients, and further streams are refused.
	maxStreams = 100
)

// server is a running [Run].
type server struct {
	*Options
	metrics *Metrics
	limiter *ratelimit.Memory // nil if there are no limits, or shared ones
	share   Share             // nil if nothing is shared
	store   *laststore.Store
	served  *handler.Server

	public, admin                 *http.Server // admin may be nil
	publicListener, adminListener net.Listener
	tls                           *tls.Config // nil without TLS
	connections                   connections // to the public address
	failed                        chan error
	background                    sync.WaitGroup

	draining atomic.Bool
	// loaded is what the last read found, and wake asks for another one soon.
	// firstRead is closed after the first one.
	loaded    atomic.Pointer[storeState]
	wake      chan struct{}
	firstRead chan struct{}
	begun     time.Time
}

func newServer(store taxonomy.Store, options *Options) (*server, error) {
	o := *options
	o.HTTP.ReadTimeout = cmp.Or(o.HTTP.ReadTimeout, 2*time.Second) // as httpapi has it
	o.HTTP.WorkTimeout = cmp.Or(o.HTTP.WorkTimeout, 5*time.Second)
	o.HTTP.WriteTimeout = cmp.Or(o.HTTP.WriteTimeout, 10*time.Second)
	s := &server{Options: &o, failed: make(chan error, 2), wake: make(chan struct{}, 1), firstRead: make(chan struct{}), begun: time.Now()}
	s.loaded.Store(new(storeState))
	err := s.limit()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.endSharing()
		}
	}()
	s.metrics = NewMetrics(s.metricsOptions())
	failures := &storeLog{o.Logger, s.metrics}
	last := failures.options(&o)
	last.Report = func(err error) {
		failures.report(err)
		s.readNow() // and then more often, until it has recovered
	}
	if s.store, err = laststore.New(s.metrics.Store(store), last); err != nil {
		return nil, err
	}
	o.Ready, o.HTTP.Stopping, o.HTTP.Observe = s.readyFor, s.draining.Load, s.metrics.Observe
	if s.served, err = wire(s.store, &o, failures.unusable); err != nil {
		return nil, err
	}
	errorLog := slog.NewLogLogger(o.Logger.Handler(), slog.LevelWarn)
	s.public = &http.Server{
		Handler:           s.metrics.Handler(s.served),
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

// listen opens the ports, so that Run fails at once if that is not possible.
func (s *server) listen(ctx context.Context) error {
	if s.CertFile != "" {
		c, err := openCertificate(s.CertFile, s.KeyFile, s.Logger)
		if err != nil {
			return err
		}
		s.tls = &tls.Config{GetCertificate: c.get, MinVersion: tls.VersionTLS12}
	}
	var config net.ListenConfig
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
		return s.public.Serve(httpapi.Listener(s.publicListener, &httpapi.ListenerOptions{TLS: s.tls, Logger: s.Logger}))
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
	return scheme + "://" + reachable(s.Addr, s.publicListener)
}

func (s *server) adminURL() string {
	if s.admin == nil {
		return ""
	}
	return "http://" + reachable(s.AdminAddr, s.adminListener)
}

// reachable returns the address of a listener with the host that was asked for, such as localhost,
// which is also what a client on this machine uses if the server listens on all addresses.
func reachable(asked string, l net.Listener) string {
	host, _, _ := net.SplitHostPort(asked)
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
		host = "localhost"
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return net.JoinHostPort(host, port)
}

// close closes the servers at once.
func (s *server) close() error {
	err := s.public.Close()
	if s.admin != nil {
		err = errors.Join(err, s.admin.Close())
	}
	return err
}

// metricsOptions returns what the metrics read.
func (s *server) metricsOptions() *MetricsOptions {
	o := &MetricsOptions{
		Build: s.Build, InTrouble: func() bool { return s.store.Err() != nil },
		Served: func() Served {
			now := s.store.Status()
			return Served{Confirmed: now.Confirmed, Unread: now.Unread, HeldAliases: now.HeldAliases, Refused: trust.Reason(s.store.Err())}
		},
		Releases: func() []Loaded { return s.loaded.Load().releases },
	}
	if s.share != nil {
		o.Shared = s.share.Stats
	}
	switch {
	case s.limiter != nil:
		o.Limiter = s.limiter.Stats
	case s.share != nil && s.RateLimit != nil:
		o.Limiter = func() ratelimit.Stats { return s.share.Stats().Limiter }
	}
	if len(s.Documents) > 0 {
		o.Documents = s.documentStats
	}
	return o
}
