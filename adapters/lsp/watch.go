package lsp

import "github.com/go-json-experiment/json/jsontext"

// Params of client/registerCapability.
type (
	registrationParams struct {
		Registrations []registration `json:"registrations"`
	}
	registration struct {
		ID      string       `json:"id"`
		Method  string       `json:"method"`
		Options watchOptions `json:"registerOptions"`
	}
	watchOptions struct {
		Watchers []watcher `json:"watchers"`
	}
	watcher struct {
		Glob string `json:"globPattern"`
		Kind int    `json:"kind,omitzero"`
	}
)

// Kinds of changes to watch for, and types of changes.
const (
	watchDelete = 4
	typeDeleted = 3
)

// watch asks the client to watch files that can be documents or parts of a source. If a
// directory is removed, clients report only that.
func (s *session) watch() {
	s.out.put(notification{version2, jsontext.Value(`"watch"`), "client/registerCapability", registrationParams{
		Registrations: []registration{{"watch", "workspace/didChangeWatchedFiles", watchOptions{[]watcher{
			{Glob: "**/*.{yaml,yml,json,svg}"}, {Glob: "**", Kind: watchDelete},
		}}}},
	}})
}

// watchedParams are those of workspace/didChangeWatchedFiles.
type watchedParams struct {
	Changes []struct {
		URI  string `json:"uri"`
		Type int    `json:"type"`
	} `json:"changes"`
}

// didChangeWatchedFiles lints and judges what the changed files concern. Open documents
// are judged again: the files may be those of a taxonomy.
func (s *session) didChangeWatchedFiles(p *watchedParams) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed := make(map[*root][]string)
	for _, c := range p.Changes {
		at := newAddress(c.URI)
		file, inSource := s.workspace.sourceOf(at)
		switch {
		case inSource:
			changed[file.root] = append(changed[file.root], file.path)
			s.lint(file.root, file.version)
		case c.Type == typeDeleted:
			s.removed(at)
		case s.documents[at] == nil:
			s.scanFile(at)
		}
	}
	again := len(p.Changes) == 0 // anything can have changed
	for _, r := range s.workspace.roots {
		if files := changed[r]; len(files) > 0 || len(p.Changes) == 0 {
			r.saving = r.saving.changed(files...)
			again = again || r.releases.Changes == nil
		}
		if len(p.Changes) == 0 {
			s.lintAll(r)
		}
	}
	if again {
		s.scanAll()
	}
	s.judgeOpen()
	return nil
}

// removed forgets a document that was removed, or all in a directory. Sources there are
// linted again. The caller has the lock.
func (s *session) removed(dir address) {
	for at, r := range s.reports {
		if _, below := at.in(dir); (below || at == dir) && !r.source {
			s.forget(at, r.uri, nil)
		}
	}
	for _, r := range s.workspace.roots {
		if r.releases.Source == nil {
			continue
		}
		_, inside := dir.in(r.source)
		_, around := r.source.in(dir)
		if inside || around || dir == r.source {
			r.saving = r.saving.changed()
			s.lintAll(r)
		}
	}
}

// releasesChanged judges all documents again. Saved files of the source may have
// changed, too, if the client does not watch them.
func (s *session) releasesChanged(r *root) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scanAll()
	s.judgeOpen()
	if !s.client.watch {
		r.saving = r.saving.changed()
		s.lintAll(r)
	}
}
