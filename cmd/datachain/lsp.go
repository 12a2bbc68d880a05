package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/lsp"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/live"
	"github.com/datachain-go/datachain/cmd/datachain/internal/location"
	"github.com/datachain-go/datachain/cmd/datachain/internal/server"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

func (p *program) lspCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Check documents and sources in an editor (language server)",
		Long: `Serve the Language Server Protocol (LSP) over standard input and output. Editors start
this command; docs/editors.md has their settings. It reports what 'datachain validate
--strict' reports while a document is typed, and what 'datachain schema lint' reports
while a schema source is edited.

All documents of the workspace are checked, also those that are not open.

Documents are validated against a schema source as it is edited, published versions,
or the built-in sample taxonomies. Without --schemas, --store and --samples, a folder
of the workspace that has a project file datachain.yaml, or is a schema source, serves
its own documents; for others, it is the first such folder, else the working directory,
else the samples. A project file can name only directories inside of its repository.

Each flag can be set with an environment variable, such as DATACHAIN_STORE for --store.
The exit code is 1 if the editor ends the session without a shutdown request.`,
		Example: `  datachain lsp
  datachain lsp --schemas taxonomies
  datachain lsp --store https://datachain.example`,
	}
	p.reads(cmd)
	p.origins[cmd].settle = false // folders of the workspace have their own
	s := &settings{editor: true}
	flags.AddGroups(cmd, s.sourceFlags(),
		flags.Group{Title: "Links", Flags: []flags.Flag{
			flags.New("base-url", "URL of a service whose pages explain the codes of findings (default the repository)", flags.BaseURL(&s.HTTP.BaseURL)),
		}},
		flags.Group{Title: "Logging", Flags: s.logFlags()},
	)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s.from = p.from
		if err := s.check(cmd); err != nil {
			return err
		}
		return p.serveEditor(cmd.Context(), s)
	}
	return cmd
}

// serveEditor serves the editor that started the command.
func (p *program) serveEditor(ctx context.Context, s *settings) error {
	out := server.NewLogWriter(p.stderr)
	defer out.Flush()
	out.Immediate()
	s.Logger = newLogger(out, s)
	if p.stderrTerminal {
		p.say("Serving LSP on standard input and output. This command is meant to be started by an editor; see 'datachain lsp --help'.")
	}
	releases := &editorReleases{program: p, settings: s, opened: make(map[location.Location]*lsp.Releases), files: make(map[string]fs.FS)}
	server := lsp.New(releases.common, &lsp.Options{
		Version: p.versionAnswer().Version, BaseURL: s.HTTP.BaseURL, SavePage: p.pageSaver(), Folder: releases.folder,
	})
	err := server.Serve(ctx, lsp.NewStream(p.stdin, p.stdout))
	switch {
	case ctx.Err() != nil:
		return nil // a signal ends it, as usual
	case errors.Is(err, lsp.ErrNoShutdown):
		return errFindings
	}
	return err
}

// pageSaver returns a function that saves pages of documents in a temporary directory,
// which is removed when the command has ended. A document has one page, so that a browser
// that shows it can reload it.
func (p *program) pageSaver() func(document string, page []byte) (string, error) {
	dir := sync.OnceValues(func() (string, error) {
		dir, err := os.MkdirTemp("", "datachain-lsp-*")
		if err == nil {
			p.atEnd(func() { _ = os.RemoveAll(dir) }) // what is left is temporary
		}
		return dir, err
	})
	return func(document string, page []byte) (string, error) {
		dir, err := dir()
		sum := sha256.Sum256([]byte(document))
		file := filepath.Join(dir, hex.EncodeToString(sum[:8])+".html")
		if err == nil {
			err = os.WriteFile(file, page, 0o600)
		}
		if err != nil {
			return "", fmt.Errorf("can't save the page: %s", wording.Reason(err))
		}
		return fileURI(file), nil
	}
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

// editorReleases opens what the documents of an editor are validated against. Each
// location and folder is opened once.
type editorReleases struct {
	*program
	settings *settings // as they were given

	mu     sync.Mutex
	opened map[location.Location]*lsp.Releases
	files  map[string]fs.FS // by directory
}

// common opens what documents are validated against if their folder has no versions of its
// own: the location that was named, else the first one of a folder of the workspace or of
// the working directory, else the samples.
func (e *editorReleases) common(_ context.Context, folders []string) (*lsp.Releases, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.settings.from.Known() {
		return e.open(e.settings.from)
	}
	for _, folder := range append(slices.Clone(folders), fileURI(e.dir)) {
		if path, ok := filePath(folder); ok {
			if l := e.locate(path, e.project(path)); l.Known() {
				return e.open(l)
			}
		}
	}
	return e.open(location.Location{Samples: true})
}

// project reads the project file of a folder of the workspace. It returns nil if there is none
// that can be used.
func (e *editorReleases) project(path string) *location.Project {
	project, err := location.FindProject(path, e.uid)
	if err != nil {
		e.settings.Logger.Warn("project file is not used", "error", err)
	}
	return project
}

// locate returns where a folder of the workspace has its versions: what its project file
// names or, if the folder is a schema source, the folder itself. A folder is only data: its
// file can't make the server read outside of its repository.
func (e *editorReleases) locate(path string, project *location.Project) location.Location {
	if project != nil {
		switch l := project.Location(""); {
		case !l.Known():
		case project.Inside():
			return l
		default:
			e.settings.Logger.Warn("project file names versions outside of the repository; allow them with a flag of 'datachain lsp'",
				"file", project.File, "location", l.String())
		}
	}
	if e.sourceIn(path) != nil {
		return location.Location{Schemas: e.rootOf(path)}
	}
	return location.Location{}
}

// folder opens a folder of the workspace, which may have versions of its own unless others
// were named.
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
	opened, project := &lsp.Folder{Files: files}, e.project(path)
	if project != nil {
		opened.Locale = project.Locale
	}
	if l := e.locate(path, project); !e.settings.from.Known() && l.Known() {
		opened.Releases, err = e.open(l)
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
		return nil, fmt.Errorf("%s: %s", path, wording.Reason(err))
	}
	e.atEnd(func() { _ = root.Close() }) // only read
	e.files[path] = root.FS()
	return e.files[path], nil
}

// open opens the versions of a location.
func (e *editorReleases) open(from location.Location) (*lsp.Releases, error) {
	if r := e.opened[from]; r != nil {
		return r, nil
	}
	s := *e.settings
	s.from = from
	store, err := e.openServed(&s)
	if err != nil {
		return nil, err
	}
	last := laststore.New(store, &laststore.Options{
		Fallback: s.Fallback, Refresh: s.Refresh,
		Report: func(err error) {
			if !errors.Is(err, live.ErrFindings) { // which the editor shows
				s.Logger.Warn("store read failed, using last good data", "error", err)
			}
		},
		Recovered: func() { s.Logger.Info("store recovered") },
	})
	changes := last.Changes
	if _, notifies := store.(taxonomy.Notifier); !notifies {
		changes = func(ctx context.Context) <-chan struct{} { return poll(ctx, last, time.Second) }
	}
	var source *lsp.Source
	if s.from.Schemas != "" {
		dir := e.path(s.from.Schemas)
		files, err := e.directory(dir)
		if err != nil {
			return nil, fmt.Errorf("--schemas %w", err)
		}
		source = &lsp.Source{Root: fileURI(dir), Files: files}
	}
	service, err := datachain.New(last, &datachain.Options{MaxInput: -1, MaxCPU: -1})
	if err != nil {
		return nil, err
	}
	r := &lsp.Releases{Service: service, Origin: s.source, Changes: changes, Source: source}
	e.opened[from] = r
	return r, nil
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
