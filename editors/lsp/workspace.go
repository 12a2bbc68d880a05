package lsp

import (
	"context"
	"slices"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// Folder is a folder of a workspace.
type Folder struct {
	// Releases are what the documents of the folder are validated by; nil means those
	// of the client, see [New]. Folders can share releases.
	Releases *Releases
	// Locale is the language of titles and pages for documents of the folder; "" means
	// that of the editor. Settings of the client override it.
	Locale string
}

// openReleases are releases that a session uses, those of the client or of folders, with what
// it knows of their source. The session's lock guards the linter.
type openReleases struct {
	*Releases
	source   address            // of the source, if there is one
	stop     context.CancelFunc // ends the wait for changes
	linter   linter
	outlines outlines
}

// folder is a folder of the workspace. It does not change.
type folder struct {
	uri      string
	at       address
	releases *openReleases
	locale   string // or ""
}

// workspace has the releases and folders of a client. It does not change: a change of the
// folders makes a new one.
type workspace struct {
	common   *openReleases
	releases []*openReleases // the common one first
	folders  []*folder
}

// openWorkspace opens the releases of all folders. Those that are open already are
// kept.
func (s *session) openWorkspace(uris []string) (*workspace, error) {
	releases, err := s.server.open(s.ctx, uris)
	if err != nil {
		return nil, err
	}
	w := &workspace{}
	w.common = s.open(w, releases)
	for _, uri := range uris {
		if slices.ContainsFunc(w.folders, func(f *folder) bool { return f.uri == uri }) {
			continue
		}
		f := &folder{uri: uri, at: newAddress(uri), releases: w.common}
		w.folders = append(w.folders, f)
		if s.server.options.Folder == nil {
			continue
		}
		opened, err := s.server.options.Folder(s.ctx, uri)
		if err != nil {
			s.log(logError, "folder "+wording.Clip(uri)+": "+err.Error())
			continue
		}
		f.locale = opened.Locale
		if opened.Releases != nil {
			f.releases = s.open(w, opened.Releases)
		}
	}
	return w, nil
}

// open opens releases, unless they are open already, and adds them to a workspace.
func (s *session) open(w *workspace, releases *Releases) *openReleases {
	same := func(r *openReleases) bool { return r.Releases == releases }
	if i := slices.IndexFunc(w.releases, same); i >= 0 {
		return w.releases[i]
	}
	var r *openReleases
	if i := slices.IndexFunc(s.workspace.releases, same); i >= 0 {
		r = s.workspace.releases[i]
	} else {
		r = s.newReleases(releases)
	}
	w.releases = append(w.releases, r)
	return r
}

// newReleases opens releases, and tells the session about their changes until it ends.
func (s *session) newReleases(releases *Releases) *openReleases {
	ctx, stop := context.WithCancel(s.ctx)
	r := &openReleases{Releases: releases, stop: stop}
	if releases.Source != nil {
		r.source = newAddress(releases.Source.Root)
	}
	if releases.Changes == nil {
		return r
	}
	changes := releases.Changes(ctx)
	go func() {
		for {
			select {
			case _, open := <-changes:
				if !open {
					return
				}
			case <-ctx.Done():
				return
			}
			select {
			case s.changes <- r:
			case <-ctx.Done():
				return
			}
		}
	}()
	return r
}

// folderOf returns the innermost folder that an address is in.
func (w *workspace) folderOf(a address) (inner *folder) {
	var file string
	for _, f := range w.folders {
		if path, ok := a.in(f.at); ok && (inner == nil || len(path) < len(file)) {
			inner, file = f, path
		}
	}
	return inner
}

// releasesOf returns the releases that a document is validated by.
func (w *workspace) releasesOf(a address) *openReleases {
	if f := w.folderOf(a); f != nil {
		return f.releases
	}
	return w.common
}

// sourceFile is a file of authoring source. Its version is zero if it is an evolution.yaml,
// which is about all versions of its type.
type sourceFile struct {
	releases *openReleases
	path     string
	version  taxonomy.Version
}

// sourceOf returns the file of a source that an address is. If sources are nested, it
// belongs to the inner one.
func (w *workspace) sourceOf(a address) (sourceFile, bool) {
	var found sourceFile
	for _, r := range w.releases {
		path, below := a.in(r.source)
		if r.Source == nil || !below {
			continue
		}
		v, inVersion := versionOf(path)
		if !inVersion && evolutionType(path) == "" {
			continue
		}
		if found.releases == nil || len(path) < len(found.path) {
			found = sourceFile{r, path, v}
		}
	}
	return found, found.releases != nil
}

// didChangeFoldersParams are those of workspace/didChangeWorkspaceFolders.
type didChangeFoldersParams struct {
	Event struct {
		Added   []documentID `json:"added"`
		Removed []documentID `json:"removed"`
	} `json:"event"`
}

// didChangeFolders opens the releases of new folders, and forgets those that only
// removed ones used. Everything is validated again.
func (s *session) didChangeFolders(p *didChangeFoldersParams) error {
	var uris []string
	for _, f := range s.workspace.folders {
		removed := func(r documentID) bool { return newAddress(r.URI) == f.at }
		if !slices.ContainsFunc(p.Event.Removed, removed) {
			uris = append(uris, f.uri)
		}
	}
	for _, added := range p.Event.Added {
		uris = append(uris, added.URI)
	}
	next, err := s.openWorkspace(uris)
	if err != nil {
		return err
	}
	s.mu.Lock()
	last := s.workspace
	s.workspace = next
	for _, r := range last.releases {
		if !slices.Contains(next.releases, r) {
			r.stop()
			s.forgetLint(r)
		}
	}
	for _, d := range s.documents {
		s.classify(d)
	}
	for _, r := range next.releases {
		s.lintAll(r)
	}
	s.validateOpen()
	s.mu.Unlock()
	s.logOrigins()
	return nil
}

// logOrigins tells where schema versions come from.
func (s *session) logOrigins() {
	s.log(logInfo, "schema versions come from "+s.workspace.common.Origin)
	for _, f := range s.workspace.folders {
		if f.releases != s.workspace.common {
			s.log(logInfo, "schema versions of "+f.uri+" come from "+f.releases.Origin)
		}
	}
}

// watchedParams are those of workspace/didChangeWatchedFiles.
type watchedParams struct {
	Changes []struct {
		URI  string `json:"uri"`
		Type int    `json:"type"`
	} `json:"changes"`
}

// didChangeWatchedFiles lints and validates what the changed files concern. Open documents
// are validated again: the files may be those of a taxonomy.
func (s *session) didChangeWatchedFiles(p *watchedParams) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	const deleted = 3
	for _, c := range p.Changes {
		at := newAddress(c.URI)
		if file, inSource := s.workspace.sourceOf(at); inSource {
			s.fileSaved(file)
		} else if c.Type == deleted {
			s.removed(at)
		}
	}
	if len(p.Changes) == 0 { // anything can have changed
		for _, r := range s.workspace.releases {
			s.lintAll(r)
		}
	}
	s.validateOpen()
	return nil
}

// removed lints the sources again that a removed directory concerns. The caller has the lock.
func (s *session) removed(dir address) {
	for _, r := range s.workspace.releases {
		if r.Source == nil {
			continue
		}
		_, inside := dir.in(r.source)
		_, around := r.source.in(dir)
		if inside || around || dir == r.source {
			s.lintAll(r)
		}
	}
}

// releasesChanged validates all open documents again. Saved files of the source may have
// changed, too, if the client does not watch them.
func (s *session) releasesChanged(r *openReleases) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.validateOpen()
	if !s.client.watch {
		s.lintAll(r)
	}
}
