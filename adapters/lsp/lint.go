package lsp

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/textpos"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// linter is the state of linting the source. The session's lock guards the first
// fields; the others belong to the one goroutine that lints.
type linter struct {
	running bool
	// forgotten is set if the source is not used any more.
	forgotten bool
	all       bool                      // every version must be compiled again
	dirty     map[taxonomy.Version]bool // these must
	// good has the last text of each open file that could be parsed. The map is
	// replaced, never changed.
	good map[string]*text
	// linted are the findings that were published last, with the open texts that they
	// are about. The maps are replaced, never changed.
	linted struct {
		issues map[taxonomy.Version]issue.Issues
		open   map[string]*text
	}

	compiled map[taxonomy.Version]*source.Compiled
	// evolutions are the findings in the files evolution.yaml and about ids that came
	// back. The zero Version in dirty means that versions must be compared for them.
	evolutions issue.Issues
	pause      *time.Timer // after which versions are compared, or nil
	versions   map[taxonomy.Version]*versionLinter
	published  map[string][]diagnostic // by file
}

// lintAll lints all versions of the source. The caller has the lock.
func (s *session) lintAll(r *root) {
	r.linter.all = true
	s.startLint(r)
}

// lint lints a version of the source, and what it has to do with the others. The caller
// has the lock.
func (s *session) lint(r *root, v taxonomy.Version) {
	r.linter.mark(v)
	s.startLint(r)
}

func (l *linter) mark(v taxonomy.Version) {
	if l.dirty == nil {
		l.dirty = make(map[taxonomy.Version]bool)
	}
	l.dirty[v] = true
}

// startLint starts the goroutine that lints, unless it runs.
func (s *session) startLint(r *root) {
	if r.linter.running || r.releases.Source == nil || s.state != stateRunning {
		return
	}
	r.linter.running = true
	s.work.Go(func() {
		more := true
		defer func() {
			if more { // it has panicked
				s.mu.Lock()
				defer s.mu.Unlock()
				r.linter.running = false
				s.wake()
			}
		}()
		defer s.recovered("lint", nil)
		for more {
			more = s.lintOnce(r)
		}
	})
}

// linting reports whether a source is being linted. The caller has the lock.
func (s *session) linting() bool {
	return slices.ContainsFunc(s.workspace.roots, func(r *root) bool { return r.linter.running })
}

// lintOnce compiles what has changed and publishes all findings. If the source changes
// meanwhile, it publishes nothing. It reports whether there is more to do.
func (s *session) lintOnce(r *root) bool {
	l := &r.linter
	s.mu.Lock()
	all, dirty := l.all, l.dirty
	l.all, l.dirty = false, nil
	at := s.files(r)
	l.running = !s.stopping && !l.forgotten && (all || len(dirty) > 0)
	running := l.running
	if !running {
		s.wake()
	}
	s.mu.Unlock()
	if !running {
		return false
	}
	versions, issues, err := source.Versions(at)
	if err != nil {
		s.log(logError, "lint: "+err.Error())
		return true
	}
	last := l.compiled
	l.compiled = make(map[taxonomy.Version]*source.Compiled)
	maps.DeleteFunc(l.versions, func(v taxonomy.Version, _ *versionLinter) bool { return !slices.Contains(versions, v) })
	var list []*source.Compiled
	for _, v := range versions {
		c := last[v]
		if c == nil || all || dirty[v] {
			c, err = l.version(v).lint(at, v, all, func() error { return s.superseded(r) })
			if errors.Is(err, errSuperseded) {
				s.lintLater(r, last, all, dirty)
				return true
			}
			if err != nil {
				s.log(logError, "lint: "+err.Error())
				continue
			}
		}
		l.compiled[v] = c
		list = append(list, c)
		issues = append(issues, c.Issues...)
	}
	issues = append(issues, source.AliasConflicts(list)...)
	compared := all || dirty[taxonomy.Version{}] || last == nil
	if compared {
		tree := &source.Tree{Versions: list}
		tree.ReadEvolutions(at, nil)
		l.evolutions = tree.TreeIssues
	}
	issues = append(issues, l.evolutions...)
	found := s.located(at, issues)
	s.mu.Lock()
	defer s.mu.Unlock()
	l.good = at.parsed(issues)
	if l.forgotten || l.all || len(l.dirty) > 0 { // set by every change of a text too
		return true
	}
	s.publishLint(r, at, found)
	if !compared {
		s.compareLater(r)
	}
	return true
}

// comparePause is how long a source must be unchanged before its versions are compared,
// which takes longer than linting what has changed.
const comparePause = 300 * time.Millisecond

// compareLater compares the versions of the source in the next pause. The caller has the
// lock.
func (s *session) compareLater(r *root) {
	if r.linter.pause != nil {
		r.linter.pause.Stop()
	}
	r.linter.pause = time.AfterFunc(comparePause, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.stopping && !r.linter.forgotten {
			s.lint(r, taxonomy.Version{})
		}
	})
}

// version returns the linter of a version.
func (l *linter) version(v taxonomy.Version) *versionLinter {
	if l.versions == nil {
		l.versions = make(map[taxonomy.Version]*versionLinter)
	}
	if l.versions[v] == nil {
		l.versions[v] = &versionLinter{Linter: source.NewLinter(v)}
	}
	return l.versions[v]
}

// versionLinter lints a version, with the state of the files that it has read.
type versionLinter struct {
	*source.Linter
	readState
}

// lint lints the version. What it has read of a file that has not changed still holds,
// unless all files must be read again.
func (l *versionLinter) lint(at *files, v taxonomy.Version, all bool, interrupt func() error) (*source.Compiled, error) {
	changed, known := l.changed(at, v)
	l.readState = at.state(v)
	return l.Lint(at, changed, known && !all, &source.Options{Interrupt: interrupt})
}

// maxLintWait is how long a lint run waits before each file for requests.
const maxLintWait = 20 * time.Millisecond

// errSuperseded ends a run because the source has changed.
var errSuperseded = errors.New("lsp: the source has changed")

// superseded returns an error if the source has changed since a run began.
func (s *session) superseded(r *root) error {
	limited, cancel := context.WithTimeout(s.ctx, maxLintWait)
	_ = s.await(limited, func() bool { return s.urgent == 0 }) // then it goes on anyway
	cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping || r.linter.forgotten || r.linter.all || len(r.linter.dirty) > 0 {
		return errSuperseded
	}
	return nil
}

// lintLater leaves to the next run what a run was to do.
func (s *session) lintLater(r *root, last map[taxonomy.Version]*source.Compiled, all bool, dirty map[taxonomy.Version]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.linter.compiled = last
	r.linter.all = r.linter.all || all
	for v := range dirty {
		r.linter.mark(v)
	}
}

// located returns the findings by file, with their places in the texts.
func (s *session) located(at *files, issues issue.Issues) map[string][]diagnostic {
	text := at.texts(s.client.encoding)
	byFile := make(map[string][]datachain.Finding)
	for _, i := range issues {
		file := i.Position.File
		from, to := text(file).place(i.Position)
		byFile[file] = append(byFile[file], datachain.Finding{
			Issue: i, Span: document.Span{Start: document.Point{Offset: from}, End: document.Point{Offset: to}},
		})
	}
	found := make(map[string][]diagnostic)
	for file, list := range byFile {
		found[file] = s.newDiagnostics(text(file), list)
	}
	return found
}

// place returns the part of a text that a finding underlines: from its position to the
// end of the line, without white space.
func (t *text) place(p issue.Position) (from, to int) {
	line := min(max(p.Line, 1), t.lines().Len())
	from = t.lines().Offset(textpos.Point{Line: line, Column: max(p.Column, 1)})
	_, end := t.lines().Line(line)
	return from, from + len(bytes.TrimRight(t.content[from:end], " \t"))
}

// publishLint sends the findings of all files, and that others have none any more. The
// caller has the lock.
func (s *session) publishLint(r *root, at *files, found map[string][]diagnostic) {
	l, changed := &r.linter, false
	l.linted.issues, l.linted.open = make(map[taxonomy.Version]issue.Issues), at.open
	for v, c := range l.compiled {
		l.linted.issues[v] = c.Issues
	}
	files := make(map[string]bool) // also those that have no findings any more
	for _, names := range []iter.Seq[string]{maps.Keys(found), maps.Keys(l.published), maps.Keys(at.open)} {
		for file := range names {
			files[file] = true
		}
	}
	l.published = found
	for file := range files {
		r := &report{uri: at.uri(file), found: found[file], source: true}
		if t := at.open[file]; t != nil { // whose client sees that it was validated
			r.version = &t.version
		}
		if len(r.found) == 0 {
			changed = s.forget(newAddress(r.uri), r.uri, r.version) || changed
		} else {
			changed = s.report(newAddress(r.uri), r) || changed
		}
	}
	if changed {
		s.refresh()
	}
}

// forgetLint removes the findings of a source that is not used any more. The caller has
// the lock.
func (s *session) forgetLint(r *root) {
	at := s.files(r)
	for file := range r.linter.published {
		s.forget(newAddress(at.uri(file)), at.uri(file), nil)
	}
	r.linter.published, r.linter.forgotten = nil, true
}
