// Package editor opens the folders of an editor's workspace for the language server: the schema
// versions that their documents are validated against.
package editor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/cmd/internal/live"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/editors/lsp"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/product"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// Options configure a [Workspace].
type Options struct {
	// From is the location that was named. If it is not known, each folder can have its own.
	From stores.Location
	// Stores say how locations are opened, from the working directory. They have the log.
	Stores *stores.Options
	// UID is the user that project files must belong to; negative allows any.
	UID int
}

// Workspace opens the folders of an editor. Each location and directory is opened once, until
// Close. Make one with [New].
type Workspace struct {
	options Options
	log     *slog.Logger

	mu      sync.Mutex
	opened  map[stores.Location]*lsp.Releases
	pages   string // a temporary directory, or ""
	closers []func()
}

// New returns a workspace. It opens nothing yet.
func New(o Options) *Workspace {
	return &Workspace{options: o, log: o.Stores.Logger, opened: make(map[stores.Location]*lsp.Releases)}
}

// Close closes what was opened, and removes the pages.
func (w *Workspace) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.closers {
		f()
	}
}

// Common opens the versions for documents in folders without versions of their own: in the location
// that was named, else of the first folder of the workspace that has some, else of the working
// directory, else the samples. It is the first argument of [lsp.New].
func (w *Workspace) Common(_ context.Context, folders []string) (*lsp.Releases, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.options.From.Known() {
		return w.open(w.options.From)
	}
	for _, folder := range append(slices.Clone(folders), fileURI(w.options.Stores.Dir)) {
		if path, ok := filePath(folder); ok {
			if l := w.locate(path, w.project(path)); l.Known() {
				return w.open(l)
			}
		}
	}
	return w.open(stores.Location{Samples: true})
}

// Folder opens a folder of the workspace, with versions of its own if it has some and no location was
// named. It is [lsp.Options.Folder].
func (w *Workspace) Folder(_ context.Context, uri string) (*lsp.Folder, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	path, ok := filePath(uri)
	if !ok {
		return &lsp.Folder{}, nil
	}
	opened, project := &lsp.Folder{}, w.project(path)
	if project != nil {
		opened.Locale = project.Locale
	}
	if l := w.locate(path, project); !w.options.From.Known() && l.Known() {
		var err error
		if opened.Releases, err = w.open(l); err != nil {
			return nil, err
		}
	}
	return opened, nil
}

// SavePage saves the page of a document in a temporary directory, always in the same file, so that a
// browser can reload it. It is [lsp.Options.SavePage].
func (w *Workspace) SavePage(document string, page []byte) (uri string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.pages == "" {
		if w.pages, err = os.MkdirTemp("", "datachain-lsp-*"); err == nil {
			w.closers = append(w.closers, func() { _ = os.RemoveAll(w.pages) }) // the system removes what is left
		}
	}
	sum := sha256.Sum256([]byte(document))
	file := filepath.Join(w.pages, hex.EncodeToString(sum[:8])+".html")
	if err == nil {
		err = os.WriteFile(file, page, 0o600)
	}
	if err != nil {
		return "", fmt.Errorf("can't save the page: %s", wording.Reason(err))
	}
	return fileURI(file), nil
}

// project reads the project file of a folder. It returns nil if there is none, or it can't be used.
func (w *Workspace) project(path string) *stores.Project {
	project, err := stores.FindProject(path, w.options.UID)
	if err != nil {
		w.log.Warn("project file is not used", "error", err)
	}
	return project
}

// locate returns where a folder has its versions: the location that its project file names or, if the
// folder is a schema source, the folder. A project file can't make the server read outside of its
// repository.
func (w *Workspace) locate(path string, project *stores.Project) stores.Location {
	if project != nil {
		switch l := project.Location(""); {
		case !l.Known():
		case project.Inside():
			return l
		default:
			w.log.Warn("project file names versions outside of the repository; allow them with a flag of 'datachain lsp'",
				"file", project.File, "location", l.String())
		}
	}
	return stores.Location{Schemas: sources.RootOf(w.options.Stores.Dir, path)}
}

// open opens the versions of a location.
func (w *Workspace) open(from stores.Location) (*lsp.Releases, error) {
	if r := w.opened[from]; r != nil {
		return r, nil
	}
	store, err := stores.Open(context.Background(), from, w.options.Stores)
	if err != nil {
		return nil, err
	}
	w.closers = append(w.closers, store.Close)
	last, err := laststore.New(store.Store, &laststore.Options{
		Fallback: store.Fallback, Refresh: store.Refresh, Check: history.Check,
		Report: func(err error) {
			if !errors.Is(err, live.ErrFindings) { // which the editor shows
				w.log.Warn("store read failed, using last good data", "error", err)
			}
		},
		Recovered: func() { w.log.Info("store recovered") },
	})
	if err != nil {
		return nil, err
	}
	r := &lsp.Releases{Origin: from.Served(), Changes: last.Changes}
	if _, notifies := store.Store.(taxonomy.Notifier); !notifies {
		r.Changes = func(ctx context.Context) <-chan struct{} { return poll(ctx, last, time.Second) }
	}
	if from.Schemas != "" {
		dir := files.Absolute(w.options.Stores.Dir, from.Schemas)
		root, err := os.OpenRoot(dir) // links can't leave it
		if err != nil {
			return nil, fmt.Errorf("--schemas %s: %s", dir, wording.Reason(err))
		}
		w.closers = append(w.closers, func() { _ = root.Close() }) // only read
		r.Source = &lsp.Source{Root: fileURI(dir), Files: root.FS()}
	}
	if r.Service, err = product.New(last, &datachain.Options{MaxInput: -1, MaxCPU: -1}); err != nil {
		return nil, err
	}
	w.opened[from] = r
	return r, nil
}

// poll reports when the index of a store has changed. Until then, stores return the same pointer.
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

// fileURI returns the URI of an absolute path.
func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/taxonomies
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// filePath returns the path of a file URI.
func filePath(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	path := filepath.FromSlash(u.Path)
	if drive := filepath.FromSlash(u.Path[min(1, len(u.Path)):]); filepath.VolumeName(drive) != "" {
		path = drive // /C:/taxonomies
	}
	return path, filepath.IsAbs(path)
}
