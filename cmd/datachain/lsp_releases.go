package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/lsp"
	"github.com/datachain-go/datachain/taxonomy"
)

// editorReleases opens what the documents of an editor are validated against. Each
// origin and folder is opened once.
type editorReleases struct {
	*program
	settings *settings // as they were given

	mu     sync.Mutex
	opened map[origin]*lsp.Releases
	files  map[string]fs.FS // by directory
}

func (p *program) newEditorReleases(s *settings) *editorReleases {
	return &editorReleases{program: p, settings: s, opened: make(map[origin]*lsp.Releases), files: make(map[string]fs.FS)}
}

// common opens what documents are validated against if their folder is not a source: the
// origin that was named, else the first folder of the workspace that is a source, else
// the default.
func (e *editorReleases) common(_ context.Context, folders []string) (*lsp.Releases, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.settings.named() {
		return e.open(e.settings.origin)
	}
	for _, folder := range folders {
		if path, ok := filePath(folder); ok && e.sourceIn(path) != nil {
			return e.open(origin{schemas: e.rootOf(path)})
		}
	}
	return e.open(e.settings.origin)
}

// folder opens a folder of the workspace. One that is a source has versions of its own,
// unless others were named.
func (e *editorReleases) folder(_ context.Context, uri string) (*lsp.Folder, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	path, ok := filePath(uri)
	if !ok {
		return &lsp.Folder{}, nil
	}
	files, err := e.directory(path)
	if err != nil {
		return nil, err
	}
	opened := &lsp.Folder{Files: files}
	if !e.settings.named() && e.sourceIn(path) != nil {
		opened.Releases, err = e.open(origin{schemas: e.rootOf(path)})
	}
	return opened, err
}

// directory opens the files of a directory. Links can't leave it.
func (e *editorReleases) directory(path string) (fs.FS, error) {
	if files := e.files[path]; files != nil {
		return files, nil
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", path, reason(err))
	}
	e.atEnd(func() { _ = root.Close() }) // only read
	e.files[path] = root.FS()
	return e.files[path], nil
}

// open opens the versions of an origin.
func (e *editorReleases) open(from origin) (*lsp.Releases, error) {
	if r := e.opened[from]; r != nil {
		return r, nil
	}
	s := *e.settings
	s.origin = from
	if settled := e.settle(from); settled.samples {
		s.origin = settled // without advice about flags of serve
	}
	store, err := e.openServed(&s)
	if err != nil {
		return nil, err
	}
	last := laststore.New(store, &laststore.Options{
		Fallback: s.Fallback, Refresh: s.Refresh,
		Report:    func(err error) { s.Logger.Warn("store read failed, using last good data", "error", err) },
		Recovered: func() { s.Logger.Info("store recovered") },
	})
	changes := last.Changes
	if _, notifies := store.(taxonomy.Notifier); !notifies {
		changes = func(ctx context.Context) <-chan struct{} { return poll(ctx, last, time.Second) }
	}
	source, err := e.source(&s)
	if err != nil {
		return nil, err
	}
	service, err := datachain.New(last, &datachain.Options{MaxCPU: -1})
	if err != nil {
		return nil, err
	}
	r := &lsp.Releases{Service: service, Origin: s.source, Changes: changes, Source: source}
	e.opened[from] = r
	return r, nil
}

// source opens the files of a schema source, or returns nil if there is none.
func (e *editorReleases) source(s *settings) (*lsp.Source, error) {
	if s.schemas == "" {
		return nil, nil
	}
	dir := e.path(s.schemas)
	files, err := e.directory(dir)
	if err != nil {
		return nil, fmt.Errorf("--schemas %w", err)
	}
	return &lsp.Source{Root: fileURI(dir), Files: files}, nil
}

// poll reports that the index of a store has changed. Stores return the same index
// until then.
func poll(ctx context.Context, store taxonomy.Store, every time.Duration) <-chan struct{} {
	changes := make(chan struct{}, 1)
	go func() {
		defer close(changes)
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		known, _ := store.Index(ctx) // the store reports its failures
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			now, err := store.Index(ctx)
			if err != nil || now == known {
				continue
			}
			known = now
			select {
			case changes <- struct{}{}:
			default: // one is waiting
			}
		}
	}()
	return changes
}
