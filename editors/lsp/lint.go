package lsp

import (
	"bytes"
	"errors"
	"iter"
	"maps"
	"reflect"
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
	todo      lintWork
	// lastGood has the last text of each open file that could be parsed. The map is
	// replaced, never changed.
	lastGood map[string]*text
	// linted are the findings that were published last, with the open texts that they
	// are about. The maps are replaced, never changed.
	linted struct {
		issues map[taxonomy.Version]issue.Issues
		open   map[string]*text
	}

	compiled map[taxonomy.Version]*source.Compiled
	// evolutions are the findings in the files evolution.yaml and about reused ids.
	evolutions issue.Issues
	pause      *time.Timer // after which versions are compared, or nil
	versions   map[taxonomy.Version]*source.Linter
	published  map[string][]diagnostic // by file
}

// lintWork is what the next run must do.
type lintWork struct {
	all bool // all files must be read again
	// changed has the versions that must be compiled again, with the files that have changed. The
	// zero Version means that versions must be compared for evolutions.
	changed map[taxonomy.Version]map[string]bool
}

func (w *lintWork) empty() bool { return !w.all && len(w.changed) == 0 }

// add adds changed files of a version, or that versions must be compared.
func (w *lintWork) add(v taxonomy.Version, files ...string) {
	if w.changed == nil {
		w.changed = make(map[taxonomy.Version]map[string]bool)
	}
	if w.changed[v] == nil {
		w.changed[v] = make(map[string]bool)
	}
	for _, file := range files {
		w.changed[v][file] = true
	}
}

// merge adds other work.
func (w *lintWork) merge(other lintWork) {
	w.all = w.all || other.all
	for v, files := range other.changed {
		w.add(v, slices.Collect(maps.Keys(files))...)
	}
}

// lintAll lints all versions of the source, of which any file may have been saved. The
// caller has the lock.
func (s *session) lintAll(r *openReleases) {
	r.outlines.anySaved()
	r.linter.todo.all = true
	s.startLint(r)
}

// fileSaved lints a file of a source that was saved, added or removed. The caller has the lock.
func (s *session) fileSaved(f sourceFile) {
	f.releases.outlines.fileSaved(f.path, f.version)
	s.lint(f)
}

// lint lints the version of a file that has changed, and what it has to do with the others.
// The caller has the lock.
func (s *session) lint(f sourceFile) {
	f.releases.linter.todo.add(f.version, f.path)
	s.startLint(f.releases)
}

// startLint starts the goroutine that lints, unless it runs.
func (s *session) startLint(r *openReleases) {
	if r.linter.running || r.Source == nil || s.state != stateRunning {
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
			}
		}()
		defer s.recovered("lint", nil)
		for more {
			more = s.lintOnce(r)
		}
	})
}

// lintOnce compiles what has changed and publishes all findings. If the source changes
// meanwhile, it publishes nothing. It reports whether there is more to do.
func (s *session) lintOnce(r *openReleases) bool {
	l := &r.linter
	s.mu.Lock()
	work := l.todo
	l.todo = lintWork{}
	at := s.files(r)
	l.running = !s.stopping && !l.forgotten && !work.empty()
	running := l.running
	s.mu.Unlock()
	if !running {
		return false
	}
	versions, issues, err := source.Versions(at)
	if err != nil {
		s.log(logError, "lint: "+err.Error())
		return s.lintFailed(r, work)
	}
	last := l.compiled
	l.compiled = make(map[taxonomy.Version]*source.Compiled)
	maps.DeleteFunc(l.versions, func(v taxonomy.Version, _ *source.Linter) bool { return !slices.Contains(versions, v) })
	var list []*source.Compiled
	for _, v := range versions {
		c := last[v]
		if c == nil || work.all || work.changed[v] != nil {
			changed := slices.Collect(maps.Keys(work.changed[v]))
			c, err = l.version(v).Lint(at, changed, !work.all, &source.Options{Interrupt: func() error { return s.superseded(r) }})
			if errors.Is(err, errSuperseded) {
				s.lintLater(r, last, work)
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
	compared := work.all || work.changed[taxonomy.Version{}] != nil || last == nil
	if compared {
		tree := &source.Tree{Versions: list}
		tree.ReadEvolutions(at, nil)
		l.evolutions = tree.TreeIssues
	}
	issues = append(issues, l.evolutions...)
	found := s.lintDiagnostics(at, issues)
	s.mu.Lock()
	defer s.mu.Unlock()
	l.lastGood = at.parsed(issues)
	if l.forgotten || !l.todo.empty() { // by a change of a text, too
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

// compareLater compares the versions of the source once it has not changed for comparePause.
// The caller has the lock.
func (s *session) compareLater(r *openReleases) {
	if r.linter.pause != nil {
		r.linter.pause.Stop()
	}
	r.linter.pause = time.AfterFunc(comparePause, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.stopping && !r.linter.forgotten {
			r.linter.todo.add(taxonomy.Version{})
			s.startLint(r)
		}
	})
}

// version returns the linter of a version.
func (l *linter) version(v taxonomy.Version) *source.Linter {
	if l.versions == nil {
		l.versions = make(map[taxonomy.Version]*source.Linter)
	}
	if l.versions[v] == nil {
		l.versions[v] = source.NewLinter(v)
	}
	return l.versions[v]
}

// maxLintWait is how long a lint run waits before each file for requests.
const maxLintWait = 20 * time.Millisecond

// errSuperseded ends a run because the source has changed.
var errSuperseded = errors.New("lsp: the source has changed")

// superseded returns an error if the source has changed since a run began.
func (s *session) superseded(r *openReleases) error {
	s.awaitIdle(maxLintWait) // then it goes on anyway
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping || r.linter.forgotten || !r.linter.todo.empty() {
		return errSuperseded
	}
	return nil
}

// lintLater leaves the work of a superseded run to the next one.
func (s *session) lintLater(r *openReleases, last map[taxonomy.Version]*source.Compiled, work lintWork) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.linter.compiled = last
	r.linter.todo.merge(work)
}

// lintFailed leaves the work of a run that could not list the source to the run after the next
// change. It reports whether there was one meanwhile.
func (s *session) lintFailed(r *openReleases, work lintWork) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.linter.running = !r.linter.todo.empty()
	r.linter.todo.merge(work)
	return r.linter.running
}

// lintDiagnostics returns the findings by file, with their places in the texts.
func (s *session) lintDiagnostics(at *files, issues issue.Issues) map[string][]diagnostic {
	text := at.texts(s.client.encoding)
	byFile := make(map[string][]datachain.Finding)
	for _, i := range issues {
		file := i.Position.File
		from, to := text(file).restOfLine(i.Position)
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

// restOfLine returns the part of a text that a finding of lint underlines: from its position to the
// end of the line, without white space.
func (t *text) restOfLine(p issue.Position) (from, to int) {
	line := min(max(p.Line, 1), t.lines().Len())
	from = t.lines().Offset(textpos.Point{Line: line, Column: max(p.Column, 1)})
	_, end := t.lines().Line(line)
	return from, from + len(bytes.TrimRight(t.content[from:end], " \t"))
}

// publishLint sends the findings of all files, and that others have none any more. The
// caller has the lock.
func (s *session) publishLint(r *openReleases, at *files, found map[string][]diagnostic) {
	l := &r.linter
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
	for file := range files {
		// A client keeps what it was sent. One that has opened the file waits for its version.
		if t := at.open[file]; t != nil {
			s.publish(at.uri(file), &t.version, found[file])
		} else if !reflect.DeepEqual(found[file], l.published[file]) {
			s.publish(at.uri(file), nil, found[file])
		}
	}
	l.published = found
}

// forgetLint removes the findings of a source that is not used any more. The caller has
// the lock.
func (s *session) forgetLint(r *openReleases) {
	at := s.files(r)
	for file := range r.linter.published {
		s.publish(at.uri(file), nil, nil)
	}
	r.linter.published, r.linter.forgotten = nil, true
}
