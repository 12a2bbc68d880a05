package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/bench/program"
)

// server is the program under test.
type server struct {
	*program.Server
	dir string // with the program and its store
}

// startServer builds the server and starts it with a store of the samples.
func startServer(ctx context.Context) (s *server, err error) {
	s = new(server)
	if s.dir, err = os.MkdirTemp("", "soak"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(s.dir))
		}
	}()
	p, err := program.Build(ctx, s.dir)
	if err != nil {
		return nil, err
	}
	store := filepath.Join(s.dir, "store")
	if _, err := p.Run(ctx, "schema", "publish", program.Samples, "--store", store); err != nil {
		return nil, err
	}
	s.Server, err = p.Serve(ctx, "--store", store, "--rate-limit", "off")
	return s, err
}

func (s *server) stop() error { return errors.Join(s.Stop(), os.RemoveAll(s.dir)) }

// sample is the resource usage of the server.
type sample struct {
	// resident is measured before the garbage is collected, the others after it.
	resident, heap, goroutines, files float64
}

// sample reads the usage of the server, and runs its garbage collector.
func (s *server) sample() (m sample, err error) {
	resident, err := s.Resident()
	if err != nil {
		return m, err
	}
	for range 2 { // pools keep their values for one collection
		if _, err := s.ask("/debug/pprof/heap?gc=1"); err != nil {
			return m, err
		}
	}
	text, err := s.ask("/metrics")
	if err != nil {
		return m, err
	}
	m.resident = float64(resident)
	wanted := map[string]*float64{
		"go_memstats_heap_alloc_bytes": &m.heap, "go_goroutines": &m.goroutines, "process_open_fds": &m.files,
	}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if at := wanted[name]; at != nil {
			if *at, err = strconv.ParseFloat(value, 64); err != nil {
				return m, err
			}
			delete(wanted, name)
		}
	}
	if len(wanted) > 0 {
		return m, fmt.Errorf("the metrics lack %v", wanted)
	}
	return m, nil
}

func (s *server) ask(path string) (string, error) {
	res, err := http.Get(s.Admin + path)
	if err != nil {
		return "", err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	text, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", path, res.Status)
	}
	return string(text), err
}
