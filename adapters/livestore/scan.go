package livestore

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/datachain-go/datachain/internal/folder"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/source"
)

// scanner is what is known of the folder. Its lock makes looks one at a time.
type scanner struct {
	sync.Mutex
	folder   *folder.Opened // what was looked at last
	began    time.Time      // that look
	took     time.Duration
	failed   bool // the folder could not be looked at
	closed   bool
	issues   issue.Issues
	versions map[taxonomy.Version]*version
	files    fingerprints
}

// version is a schema version as its source was last seen.
type version struct {
	sum      string    // of its files
	written  time.Time // the newest of them
	since    time.Time // when they were first seen like this
	compiled *source.Compiled
	good     *source.Compiled // the last one with a release
	// rested says that good was there for long enough to be what somebody
	// wanted, and not a part of what is being copied.
	rested bool
}

const (
	// few is how many files may be looked at for every call.
	few = 5000
	// rest is how many times as long as a look took the next one has to wait
	// where there are more.
	rest = 10
	// calm is for how long the files of a stable version must be left alone
	// before it is taken for whole.
	calm = 10 * time.Second
	// tries is how often a version is compiled while its files keep changing.
	tries = 5
)

// refresh looks at the folder, unless that has been done since the call began
// or costs too much to be done again so soon. Callers that wait for a look to
// end share the next one.
func (s *Store) refresh() {
	asked := time.Now()
	s.scan.Lock()
	defer s.scan.Unlock()
	if s.scan.closed || s.scan.began.After(asked) || len(s.scan.files) > few && time.Since(s.scan.began) < rest*s.scan.took {
		return
	}
	if err := s.lookLocked(); err != nil {
		s.fail(err)
	}
}

// look looks at the folder and compiles what has changed.
func (s *Store) look() error {
	s.scan.Lock()
	defer s.scan.Unlock()
	return s.lookLocked()
}

func (s *Store) lookLocked() error {
	scan := &s.scan
	scan.began = time.Now()
	at, err := s.folder.Use()
	defer at.Done()
	if err != nil {
		return err
	}
	if at != scan.folder {
		scan.files = nil // files of the same name are others
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
		sum, written := scan.files.add(fsys, folderOf(v), known)
		seen[v] = &version{sum: sum, written: written, since: scan.began}
	}
	scan.keepUnreadable(seen, issues)
	scan.took = time.Since(scan.began)

	changed := scan.failed || len(seen) != len(scan.versions) || !slices.EqualFunc(issues, scan.issues, sameIssue)
	for v, now := range seen {
		last := scan.versions[v]
		if last != nil && last.sum == now.sum {
			last.rest(scan.began)
			seen[v] = last
			continue
		}
		changed = true
		if last != nil {
			now.good, now.rested = last.good, last.rested
		}
		s.compile(fsys, v, now)
		now.rest(scan.began)
	}
	scan.versions, scan.issues, scan.failed = seen, issues, false
	if changed {
		s.serve()
	}
	return nil
}

// rest notes whether a version has been left alone for long enough, either by
// the times of its files or, where those tell nothing, by what was seen.
func (v *version) rest(now time.Time) {
	if v.good == v.compiled && (now.Sub(v.written) > calm || now.Sub(v.since) > calm) {
		v.rested = true
	}
}

// keepUnreadable keeps the versions of types whose folder is there but can't be
// read: nobody has taken them out.
func (scan *scanner) keepUnreadable(seen map[taxonomy.Version]*version, issues issue.Issues) {
	unreadable := make(map[string]bool)
	for _, i := range issues {
		if i.Code == issue.CodeSourceUnreadable {
			unreadable[i.Position.File] = true
		}
	}
	for v, last := range scan.versions {
		if unreadable[v.Type()] {
			seen[v] = last
		}
	}
}

// compile reads a version anew and keeps the last good release where it can't.
// A reading during which files changed may be half old and half new, so it is
// not served: the version is read again.
func (s *Store) compile(fsys fs.FS, v taxonomy.Version, known *version) {
	for try := 1; ; try++ {
		s.compileOnce(fsys, v, known)
		sum, written := make(fingerprints).add(fsys, folderOf(v), s.scan.files)
		if sum == known.sum || try == tries {
			break
		}
		known.sum, known.written = sum, written
	}
	compiled := known.compiled
	if compiled.Release == nil {
		return
	}
	switch good := known.good; {
	case good == nil || v.Status() == taxonomy.Beta || !known.rested:
		if good != nil && good.Release.ContentHash() == compiled.Release.ContentHash() {
			compiled.Release = good.Release // the same content stays the same value
		}
		known.good = compiled
	case good.Release.ContentHash() != compiled.Release.ContentHash():
		compiled.Issues = append(compiled.Issues, issue.Issue{
			Code: issue.CodeStableChanged, Severity: issue.SeverityError, Path: issue.Root,
			Message:  fmt.Sprintf("The source of the stable version %s has changed; it is served as it was (%s).", v, good.Release.ContentHash()),
			FixHint:  "undo the edit and put it into a new version: datachain schema new " + v.Type(),
			Position: issue.Position{File: folderOf(v)},
		})
	}
}

func (s *Store) compileOnce(fsys fs.FS, v taxonomy.Version, known *version) {
	compiled, err := source.Compile(fsys, v, s.opts.Source)
	if err != nil {
		// The folder went while it was looked at: the next look will tell.
		compiled = &source.Compiled{Version: v, Issues: issue.Issues{{
			Code: issue.CodeSourceUnreadable, Severity: issue.SeverityError, Message: err.Error(),
			FixHint: "make the folder readable", Path: issue.Root, Position: issue.Position{File: folderOf(v)},
		}}}
	}
	known.compiled = compiled
}

// serve puts together what is served from now on, and tells whoever listens.
func (s *Store) serve() {
	next := &state{releases: make(map[taxonomy.Version]*taxonomy.Release), issues: slices.Clone(s.scan.issues)}
	var entries []taxonomy.Entry
	var good []*source.Compiled
	claimed := make(map[string]bool)
	for _, v := range sortedVersions(s.scan.versions) {
		known := s.scan.versions[v]
		next.issues = append(next.issues, known.compiled.Issues...)
		if known.good == nil {
			continue
		}
		good = append(good, known.good)
		next.releases[v] = known.good.Release
		e := known.good.Publication().Entry()
		// Of two that claim an alias the first has it: a conflict is
		// reported and stops nobody's work.
		e.Aliases = slices.DeleteFunc(e.Aliases, func(a string) bool {
			taken := claimed[a]
			claimed[a] = true
			return taken
		})
		entries = append(entries, e)
	}
	next.issues = append(next.issues, source.AliasConflicts(good)...)
	index, err := taxonomy.NewIndex(entries)
	if err != nil {
		s.fail(err)
		return
	}
	next.index = index
	s.swap(next)
}

// swap serves the next state.
func (s *Store) swap(next *state) {
	last := s.now.Swap(next)
	if s.opts.Report != nil && !slices.EqualFunc(last.issues, next.issues, sameIssue) {
		s.opts.Report(slices.Clone(next.issues))
	}
	if !sameReleases(last, next) {
		s.listeners.Tell()
	}
}

// fail keeps serving what there is where the folder can't be looked at.
func (s *Store) fail(err error) {
	s.scan.failed = true
	next := *s.now.Load()
	next.issues = issue.Issues{{
		Code: issue.CodeSourceUnreadable, Severity: issue.SeverityError, Message: err.Error(),
		FixHint: "put the folder back; what was read is served meanwhile", Path: issue.Root,
	}}
	s.swap(&next)
}

// folderOf returns where the source of a version stands.
func folderOf(v taxonomy.Version) string { return path.Join(v.Type(), v.Folder()) }

func sortedVersions(m map[taxonomy.Version]*version) []taxonomy.Version {
	versions := make([]taxonomy.Version, 0, len(m))
	for v := range m {
		versions = append(versions, v)
	}
	slices.SortFunc(versions, taxonomy.Version.Compare)
	return versions
}

func sameIssue(a, b issue.Issue) bool {
	return a.Code == b.Code && a.Message == b.Message && a.Position == b.Position
}

// sameReleases reports whether two states serve the same, aliases included.
func sameReleases(a, b *state) bool {
	return slices.EqualFunc(a.index.Entries(), b.index.Entries(), func(x, y taxonomy.Entry) bool {
		return x.ID == y.ID && x.ContentHash == y.ContentHash && slices.Equal(x.Aliases, y.Aliases)
	})
}
