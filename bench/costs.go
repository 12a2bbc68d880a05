package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
)

// costly returns the requests whose CPU time is measured.
func costly() ([]request, error) {
	const version = api + "/schemas/ai@2026-11-15-stable"
	doc, err := os.ReadFile(filepath.Join(root, "examples", "documents", "benefits.json"))
	if err != nil {
		return nil, err
	}
	var all []request
	for _, path := range []string{
		version + "/manifest", version + "/elements", version + "/elements/decision.automated",
		version + "/elements/decision.automated/icon.svg", version + "/elements?query=personal+data",
		"/", "/t/ai@2026-11-15-stable",
	} {
		all = append(all, request{http.MethodGet, path, nil, http.StatusOK})
	}
	for _, path := range []string{"/validate", "/resolve", "/render"} {
		all = append(all, request{http.MethodPost, version + path, doc, http.StatusOK})
	}
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"validate_datachain","arguments":{"version":"ai@2026-11-15-stable","datachain":` + string(doc) + `}}}`
	return append(all, request{http.MethodPost, "/mcp", []byte(call), http.StatusOK}), nil
}

// costs prints the CPU time of the server for requests of each kind.
func (b *bench) costs(ctx context.Context) error {
	all, err := costly()
	if err != nil {
		return err
	}
	fmt.Print("| request | CPU time |\n|---|---:|\n")
	for _, r := range all {
		if err := b.cost(ctx, r.method+" "+r.path, func() request { return r }); err != nil {
			return err
		}
	}
	return b.cost(ctx, "a search that is not cached", novel)
}

// cost sends requests for a while and prints the CPU time of one.
func (b *bench) cost(ctx context.Context, name string, next func() request) error {
	before, err := b.cpu()
	if err != nil {
		return err
	}
	var n atomic.Int64
	limited, cancel := context.WithTimeout(ctx, b.each)
	defer cancel()
	each(limited, b.workers, func() {
		if b.ask(limited, next()) == http.StatusOK {
			n.Add(1)
		}
	})()
	after, err := b.cpu()
	fmt.Printf("| %s | %s |\n", name, (after-before)/time.Duration(max(n.Load(), 1)))
	return err
}
