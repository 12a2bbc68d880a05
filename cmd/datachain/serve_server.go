package main

import (
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

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/metrics"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// How long a client may take for what costs it little. All else has a flag.
const (
	headerTimeout = 5 * time.Second
	idleTimeout   = 2 * time.Minute
	// slowClient is the time for an answer to arrive, besides that for
	// making it.
	slowClient     = time.Minute
	maxHeaderBytes = 32 << 10
)

// server is a running `serve`.
type server struct {
	*settings
	sys     *system
	log     *slog.Logger
	metrics *metrics.Metrics
	limiter *ratelimit.Memory // nil where there are no limits
	last    *laststore.Store
	service *datachain.Service
	version string // of this program

	public, admin                 *http.Server // admin is nil where it is off
	publicListener, adminListener net.Listener
	connections                   connections // to the public address
	failed                        chan error
	background                    sync.WaitGroup

	draining atomic.Bool
	// told are the findings that were logged and are still there.
	told map[string]bool
	// loaded is what the last look found, and nudge asks for another one soon.
	loaded atomic.Pointer[look]
	nudge  chan struct{}
}

func newServer(p *program, s *settings, log *slog.Logger) *server {
	srv := &server{settings: s, sys: &p.system, log: log, failed: make(chan error, 2), nudge: make(chan struct{}, 1)}
	build := p.versionAnswer()
	srv.version = build.Version
	srv.loaded.Store(new(look))
	srv.metrics = metrics.New(&metrics.Options{
		Build:   metrics.Build{Version: build.Version, Revision: build.Revision, GoVersion: build.Go},
		Limiter: srv.limiterStats, InTrouble: srv.inTrouble,
	})
	return srv
}

// open makes the service over a store.
func (s *server) open(store taxonomy.Store) error {
	if s.rateLimit {
		var err error
		if s.limiter, err = ratelimit.NewMemory(&ratelimit.Options{Limits: s.limits, MaxKeys: s.limiterKeys}); err != nil {
			return err
		}
	}
	s.service = datachain.New(store, &datachain.Options{MaxCPU: s.maxCPU, Report: s.unusable})
	api, err := s.handler()
	if err != nil {
		return err
	}
	s.public = &http.Server{
		Handler:           s.metrics.Handler(api),
		Protocols:         new(http.Protocols),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       headerTimeout + s.workTimeout,
		WriteTimeout:      slowClient + s.workTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
		ConnState:         s.connections.follow,
		// OPTIONS * is the API's, too.
		DisableGeneralOptionsHandler: true,
	}
	s.public.Protocols.SetHTTP1(true)
	s.public.Protocols.SetHTTP2(true)
	s.public.Protocols.SetUnencryptedHTTP2(true)
	if s.adminAddr != "" {
		s.admin = &http.Server{
			Handler: s.adminHandler(), ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
			ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
		}
	}
	return nil
}

// handler returns the API.
func (s *server) handler() (http.Handler, error) {
	o := &httpapi.Options{
		BaseURL: s.baseURL, TrustedProxies: s.proxies, AliasMaxAge: s.aliasMaxAge,
		MaxBody: s.maxBody, ReadTimeout: s.readTimeout, WorkTimeout: s.workTimeout,
		MaxRequests: s.maxRequests, MaxWork: s.maxWork, CacheBytes: s.cacheSize,
		Logger: s.log, LogRequests: s.logRequests, Stopping: s.draining.Load,
		Observe: func(o httpapi.Observation) { s.metrics.Observe(metrics.Request(o)) },
	}
	if s.cacheSize == 0 {
		o.CacheBytes = -1 // where 0 is the default
	}
	if s.limiter != nil {
		o.Limiter = s.limiter
	}
	var err error
	if o.Also, err = s.alsoServed(); err != nil {
		return nil, err
	}
	return httpapi.New(s.service, o), nil
}

func (s *server) limiterStats() metrics.LimiterStats {
	if s.limiter == nil {
		return metrics.LimiterStats{}
	}
	stats := s.limiter.Stats()
	told := metrics.LimiterStats{Keys: stats.Keys, Bytes: stats.Bytes, Evicted: stats.Evicted}
	for _, b := range stats.Buckets {
		told.Buckets = append(told.Buckets, metrics.BucketStats{Name: b.Bucket.String(), Allowed: b.Allowed, Refused: b.Refused})
	}
	return told
}

// listen opens the ports, so that it shows at once where that is not possible.
func (s *server) listen(ctx context.Context) error {
	if s.tlsCert != "" {
		c, err := openCertificate(s.sys.path(s.tlsCert), s.sys.path(s.tlsKey), s.log)
		if err != nil {
			return &adviceError{
				fmt.Errorf("--tls-cert %s, --tls-key %s: %w", s.tlsCert, s.tlsKey, err),
				"Give a certificate chain and its private key, both in PEM.",
			}
		}
		s.public.TLSConfig = &tls.Config{GetCertificate: c.get, MinVersion: tls.VersionTLS12}
	}
	var err error
	if s.publicListener, err = listenOn(ctx, "addr", s.addr); err != nil {
		return err
	}
	if s.admin != nil {
		if s.adminListener, err = listenOn(ctx, "admin-addr", s.adminAddr); err != nil {
			return errors.Join(err, s.publicListener.Close())
		}
	}
	return nil
}

// start begins to answer.
func (s *server) start() {
	s.run("--addr", func() error {
		if s.public.TLSConfig != nil {
			return s.public.ServeTLS(s.publicListener, "", "")
		}
		return s.public.Serve(httpapi.Listener(s.publicListener))
	})
	if s.admin != nil {
		s.run("--admin-addr", func() error { return s.admin.Serve(s.adminListener) })
	}
}

func (s *server) run(flag string, serve func() error) {
	s.background.Go(func() {
		if err := serve(); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- fmt.Errorf("%s: the server stopped: %w", flag, err)
		}
	})
}

// keepLast returns a store that serves the last good data while the given one
// fails.
func (s *server) keepLast(store taxonomy.Store) taxonomy.Store {
	s.last = laststore.New(s.metrics.Store(store), &laststore.Options{Report: s.trouble, Recovered: s.recovered})
	return s.last
}

// trouble logs a new problem of the store.
func (s *server) trouble(err error) {
	s.metrics.Report(err)
	s.log.Warn("store read failed, serving last good data", "error", said(err))
}

// unusable logs a derived file of the store that can't be used.
func (s *server) unusable(err error) {
	s.metrics.Report(err)
	s.log.Warn("a derived file in the store can't be used, deriving it again", "error", said(err))
}

// recovered logs that the store has no problem any more.
func (s *server) recovered() { s.log.Info("store recovered") }

// findings logs what is wrong with a source that is being edited. It is called
// with all findings each time they change; those that were logged before are not
// logged again.
func (s *server) findings(issues issue.Issues) {
	now := make(map[string]bool, len(issues))
	for _, i := range issues {
		key := i.Position.File + " " + i.String()
		if now[key] = true; !s.told[key] {
			s.log.Warn("finding", "place", i.Position.String(), "code", i.Code, "message", i.Message, "hint", i.FixHint)
		}
	}
	s.told = now
	if len(issues) == 0 {
		s.log.Info("the source has no findings")
	}
}

// inTrouble reports whether something is not served as it is in the store.
func (s *server) inTrouble() bool { return s.last != nil && s.last.Err() != nil }
