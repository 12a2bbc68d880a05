package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"os"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/metrics"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/internal/gcpace"
	"github.com/datachain-go/datachain/internal/serve"
)

// serveAs runs a server until its input ends.
func serveAs(role string) error {
	in := json.NewDecoder(os.Stdin)
	var replies []*testCase
	if err := in.Decode(&replies); err != nil {
		return err
	}
	var handler http.Handler
	var err error
	switch role {
	case "ours", "ours, logging":
		handler, err = ours(role != "ours")
	case "bare", "bare, paced":
		handler = bare(replies)
	default:
		err = fmt.Errorf("there is no role %q", role)
	}
	if err != nil {
		return err
	}
	if role != "bare" {
		defer gcpace.Start(serve.Headroom)() // as in `datachain serve`
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", l.Addr())
	// As in `datachain serve`.
	server := &http.Server{
		Handler: handler, Protocols: new(http.Protocols), MaxHeaderBytes: 32 << 10,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 15 * time.Second, IdleTimeout: 2 * time.Minute,
	}
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetHTTP2(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	go func() {
		untilEOF(os.Stdin)
		_ = server.Close()
	}()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// ours returns the handler of `datachain serve`.
func ours(logs bool) (http.Handler, error) {
	store, err := taxonomies.Store()
	if err != nil {
		return nil, err
	}
	const most = 65535
	limiter, err := ratelimit.NewMemory(&ratelimit.Options{Limits: ratelimit.Limits{Read: most, Icons: most}})
	if err != nil {
		return nil, err
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	m := metrics.New(nil)
	service := datachain.New(m.Store(store), &datachain.Options{Report: m.Report})
	handler, err := httpapi.New(service, &httpapi.Options{
		Limiter: &crowd{Limiter: limiter},
		Logger:  slog.New(slog.NewTextHandler(serve.NewLogWriter(null), nil)), LogRequests: logs,
		Observe: func(o httpapi.Observation) { m.Observe(metrics.Request(o)) },
	})
	if err != nil {
		return nil, err
	}
	return m.Handler(handler), nil
}

// crowd is a limiter that attributes requests to many clients in turn. A single
// client would soon exceed its limit.
type crowd struct {
	ratelimit.Limiter
	n atomic.Uint32
}

// Allow counts the request for the next client.
func (c *crowd) Allow(ctx context.Context, key ratelimit.Key) (ratelimit.Decision, error) {
	key.Client = netip.AddrFrom4([4]byte{10, 0, 0, byte(c.n.Add(1))})
	return c.Limiter.Allow(ctx, key)
}

// bare is a handler that sends the recorded response of a URL and does nothing else.
func bare(replies []*testCase) http.Handler {
	byPath := make(map[string]*testCase)
	for i, c := range replies {
		c.Header.Del("Date") // net/http has its own
		byPath[prefix(i)+c.Path] = c
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := byPath[r.RequestURI]
		if c == nil {
			http.NotFound(w, r)
			return
		}
		maps.Copy(w.Header(), c.Header)
		w.WriteHeader(c.Status)
		_, _ = w.Write(c.Body)
	})
}
