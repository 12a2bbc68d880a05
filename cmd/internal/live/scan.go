package live

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// scanner is the state of the last check of the directory. Only one check runs at a time.
type scanner struct {
	sync.Mutex
	folder     *files.Opened // that was checked last
	began      time.Time     // of the last check
	took       time.Duration
	closed     bool
	issues     issue.Issues
	versions   map[taxonomy.Version]*version
	evolutions map[string]*evolution // by type
	files      fingerprints
}

// evolution is the content of the file evolution.yaml of a type at the last check.
type evolution struct {
	sum    string
	value  *history.Evolution // nil if there is none
	issues issue.Issues
}

// version is a schema version at the last check.
type version struct {
	sum      string    // of its files
	written  time.Time // the newest of them
	since    time.Time // when they were first seen like this
	compiled *source.Compiled
	good     *source.Compiled // the last one with a release
	// settled is set when good did not change for so long that no file of it is still being
	// copied.
	settled bool
}

const (
	// filesPerCall is how many files may be checked at every call.
	filesPerCall = 5000
	// pauseFactor is how many times as long as a check took the next one must wait
	// if there are more files.
	pauseFactor = 10
	// settleTime is for how long the files of a stable version must not change
	// before it counts as complete.
	settleTime = 10 * time.Second
	// tries is how often a version is compiled while its files keep changing.
	tries = 5
)

// refresh checks the directory, unless that was done since the call began or is too expensive to
// repeat so soon. Callers that wait for a check share the next one.
func (s *Store) refresh() {
	asked := time.Now()
	s.scan.Lock()
	defer s.scan.Unlock()
	if s.scan.closed || s.scan.began.After(asked) || len(s.scan.files) > filesPerCall && time.Since(s.scan.began) < pauseFactor*s.scan.took {
		return
	}
	if err := s.check(); err != nil {
		s.fail(err)
	}
}

// check checks the directory and compiles what has changed. The caller holds the
// lock.
func (s *Store) check() error {
	scan := &s.scan
	scan.began = time.Now()
	at, err := s.folder.Use()
	defer at.Done()
	if err != nil {
		return err
	}
	if at != scan.folder {
		scan.files = nil // another directory may have files of the same name
	}
	fsys := at.FS()
	versions, issues, err := source.Versions(fsys)
	if err != nil {
		return err
	}
	scan.folder = at
	seen := make(map[taxonomy.Version]*version, len(versions))
	known := scan.files
	scan.files = make(fingerprints, len(known))
	for _, v := range versions {
		sum, written := scan.files.add(fsys, source.Directory(v), known)
		seen[v] = &version{sum: sum, written: written, since: scan.began}
	}
	scan.keepUnreadable(seen, issues)
	evolutions, wrong, evolved := s.evolutions(fsys, versions, known)
	issues = append(issues, wrong...)
	scan.took = time.Since(scan.began)

	var edits []Edit
	changed := s.now.Load().err != nil || len(seen) != len(scan.versions) || !slices.EqualFunc(issues, scan.issues, sameIssue) || evolved
	for v, now := range seen {
		last := scan.versions[v]
		if last != nil && last.sum == now.sum {
			last.settle(scan.began)
			seen[v] = last
			continue
		}
		changed = true
		if last != nil {
			now.good, now.settled = last.good, last.settled
		}
		s.compile(fsys, v, now)
		now.settle(scan.began)
		if e, notable := now.edit(v, last); notable {
			edits = append(edits, e)
		}
	}
	opened := scan.versions == nil
	scan.versions, scan.evolutions, scan.issues = seen, evolutions, issues
	if !changed {
		return nil
	}
	err = s.serve()
	if err == nil && !opened && s.opts.Edited != nil {
		slices.SortFunc(edits, func(a, b Edit) int { return a.Version.Compare(b.Version) })
		for _, e := range edits {
			s.opts.Edited(e)
		}
	}
	return err
}

// evolutions returns the evolutions of types, what is wrong with them, and whether one has changed. It
// reads only changed files. If one can't be read any more, the last good one stays.
func (s *Store) evolutions(fsys fs.FS, versions []taxonomy.Version, known fingerprints) (all map[string]*evolution, wrong issue.Issues, changed bool) {
	all = make(map[string]*evolution)
	for _, v := range versions {
		typ := v.Type()
		if all[typ] != nil {
			continue
		}
		var sums []string
		for _, name := range source.EvolutionFiles(typ) {
			sum, _ := s.scan.files.add(fsys, name, known)
			sums = append(sums, sum)
		}
		sum := strings.Join(sums, "")
		last := s.scan.evolutions[typ]
		if last != nil && last.sum == sum {
			all[typ], wrong = last, append(wrong, last.issues...)
			continue
		}
		changed = true
		now := &evolution{sum: sum}
		now.value, now.issues = source.ReadEvolution(fsys, typ, nil)
		if last != nil && now.issues.HasErrors() {
			now.value = last.value // as a version that does not compile any more
		}
		all[typ], wrong = now, append(wrong, now.issues...)
	}
	return all, wrong, changed
}

// edit returns the result of the edit of a version, which was last before or is new.
// An edit that changes nothing, such as one of a comment, is not notable.
func (v *version) edit(id taxonomy.Version, last *version) (e Edit, notable bool) {
	e = Edit{Version: id, Failed: v.good != v.compiled}
	if v.good != nil {
		e.Served = v.good.Release
	}
	same := last != nil && last.good == last.compiled && last.good != nil && v.good != nil &&
		last.good.Release.ContentHash() == v.good.Release.ContentHash()
	return e, e.Failed || !same
}

// settle sets settled if a version did not change for long enough: by the times of its files or, in
// case those are wrong, by the times of checks.
func (v *version) settle(now time.Time) {
	if v.good == v.compiled && (now.Sub(v.written) > settleTime || now.Sub(v.since) > settleTime) {
		v.settled = true
	}
}

// keepUnreadable keeps the versions of types whose directory exists but can't be
// read: they were not removed.
func (scan *scanner) keepUnreadable(seen map[taxonomy.Version]*version, issues issue.Issues) {
	for _, i := range issues {
		if i.Code != codes.SourceUnreadable {
			continue
		}
		for v, last := range scan.versions {
			if v.Type() == i.Position.File {
				seen[v] = last
			}
		}
	}
}

// compile compiles a version. If files changed meanwhile, the result may be half
// old and half new, so it is not used: the version is compiled again.
func (s *Store) compile(fsys fs.FS, v taxonomy.Version, known *version) {
	for try := 1; ; try++ {
		compiled, err := source.Compile(fsys, v, nil)
		if err != nil { // the directory was removed meanwhile
			compiled = &source.Compiled{Version: v, Issues: unreadable(err, source.Directory(v), "make the directory readable")}
		}
		known.compiled = compiled
		sum, written := make(fingerprints).add(fsys, source.Directory(v), s.scan.files)
		if sum == known.sum || try == tries {
			break
		}
		known.sum, known.written = sum, written
	}
	compiled, good := known.compiled, known.good
	switch {
	case compiled.Release == nil:
	case good == nil || v.Status() == taxonomy.Beta || !known.settled:
		if good != nil && good.Release.ContentHash() == compiled.Release.ContentHash() {
			compiled.Release = good.Release // the same content stays the same value
		}
		known.good = compiled
	case good.Release.ContentHash() != compiled.Release.ContentHash():
		compiled.Issues = append(compiled.Issues, issue.Issue{
			Code: codes.StableChanged, Severity: issue.SeverityError, Path: issue.Root,
			Message:  fmt.Sprintf("The source of the stable version %s has changed; it is served as it was (%s).", v, good.Release.ContentHash()),
			FixHint:  "undo the edit and put it into a new version: datachain schema new " + v.Type(),
			Position: issue.Position{File: source.Directory(v)},
		})
	}
}

// serve replaces what is served by the good versions of the last check.
func (s *Store) serve() error {
	next := &state{releases: make(map[taxonomy.Version]*taxonomy.Release), issues: slices.Clone(s.scan.issues)}
	var entries []taxonomy.Entry
	var good []*source.Compiled
	claimed := make(map[string]bool)
	for _, v := range slices.SortedFunc(maps.Keys(s.scan.versions), taxonomy.Version.Compare) {
		known := s.scan.versions[v]
		next.issues = append(next.issues, known.compiled.Issues...)
		if known.good == nil {
			continue
		}
		good = append(good, known.good)
		next.releases[v] = known.good.Release
		e := known.good.Publication().Entry()
		// The first of two versions that claim an alias gets it: a conflict is
		// reported, and stops nothing.
		e.Aliases = slices.DeleteFunc(e.Aliases, func(a string) bool {
			taken := claimed[a]
			claimed[a] = true
			return taken
		})
		entries = append(entries, e)
	}
	next.issues = append(next.issues, source.AliasConflicts(good)...)
	var err error
	if next.index, err = taxonomy.NewIndex(entries); err != nil {
		return err
	}
	for typ, e := range s.scan.evolutions {
		if next.index, err = history.Record(next.index, typ, e.value); err != nil {
			return err
		}
	}
	s.swap(next)
	return nil
}

// fail makes calls fail while the directory can't be read.
func (s *Store) fail(err error) {
	next := *s.now.Load()
	next.err, next.issues = err, unreadable(err, "", "restore the directory")
	s.swap(&next)
}

// swap serves another state, and reports what is new in it.
func (s *Store) swap(next *state) {
	last := s.now.Swap(next)
	if s.opts.Report != nil && !slices.EqualFunc(last.issues, next.issues, sameIssue) {
		s.opts.Report(slices.Clone(next.issues))
	}
	if !last.index.Equal(next.index) {
		s.listeners.Notify()
	}
}

func unreadable(err error, file, hint string) issue.Issues {
	return issue.Issues{{
		Code: codes.SourceUnreadable, Severity: issue.SeverityError, Message: err.Error(), FixHint: hint,
		Path: issue.Root, Position: issue.Position{File: file},
	}}
}

func sameIssue(a, b issue.Issue) bool {
	return a.Code == b.Code && a.Message == b.Message && a.Position == b.Position
}
