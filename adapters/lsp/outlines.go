package lsp

import (
	"maps"
	"slices"
	"sync"

	"github.com/datachain-go/datachain/authoring/outline"
	"github.com/datachain-go/datachain/taxonomy"
)

// maxOutlines is how many outlines a source keeps. The outline of 10,000 elements has
// about 50 MB.
const maxOutlines = 4

// outlines keeps the outlines of the versions that are edited. The outline of a large
// version takes seconds to read, and each key that a user presses needs it; a change
// of one file takes milliseconds.
type outlines struct {
	mu   sync.Mutex
	kept []*keptOutline // the last used one first
}

// outlineKey names an outline: that of the current texts, or that of the last good
// ones.
type outlineKey struct {
	version taxonomy.Version
	good    bool
}

// keptOutline is an outline with the state of the files that it was made of. The lock
// is held while it is updated, so that others wait for the result.
type keptOutline struct {
	key     outlineKey
	mu      sync.Mutex
	outline *outline.Outline
	readState
}

// readState is the state of the files of a version when they were read: the texts that were
// open, and what was saved.
type readState struct {
	open  map[string]*text
	saved *savedState
}

// state returns the state of the files of a version.
func (f *files) state(v taxonomy.Version) readState { return readState{f.openIn(v), f.saving} }

// get returns the outline of a version.
func (o *outlines) get(at *files, v taxonomy.Version) (*outline.Outline, error) {
	k := o.keep(outlineKey{v, at.lastGood})
	k.mu.Lock()
	defer k.mu.Unlock()
	var next *outline.Outline
	var err error
	switch changed, known := k.changed(at, v); {
	case k.outline == nil || !known:
		next, err = outline.New(at, v)
	case len(changed) == 0:
		return k.outline, nil
	default:
		next, err = k.outline.Update(at, changed...)
	}
	if err != nil {
		k.outline = nil
		return nil, err
	}
	k.outline, k.readState = next, at.state(v)
	return next, nil
}

// keep returns the entry of a key, and drops the one that was not used for longest if
// there are too many.
func (o *outlines) keep(key outlineKey) *keptOutline {
	o.mu.Lock()
	defer o.mu.Unlock()
	i := slices.IndexFunc(o.kept, func(k *keptOutline) bool { return k.key == key })
	if i < 0 {
		o.kept = append(o.kept, &keptOutline{key: key})
		i = len(o.kept) - 1
	}
	used := o.kept[i]
	o.kept = slices.Insert(slices.Delete(o.kept, i, i+1), 0, used)
	if len(o.kept) > maxOutlines {
		o.kept[maxOutlines] = nil
		o.kept = o.kept[:maxOutlines]
	}
	return used
}

// changed returns the files of a version that have changed since they were read, or false
// if that is not known.
func (s *readState) changed(at *files, v taxonomy.Version) ([]string, bool) {
	changed, known := at.saving.since(s.saved)
	if !known {
		return nil, false
	}
	open := at.openIn(v)
	for file, t := range open {
		if s.open[file] != t {
			changed = append(changed, file)
		}
	}
	for file := range s.open {
		if open[file] == nil {
			changed = append(changed, file)
		}
	}
	return slices.DeleteFunc(changed, func(file string) bool {
		in, ok := versionOf(file)
		return !ok || in != v
	}), true
}

// savedState counts the changes of saved files. It does not change: each change makes a
// new one.
type savedState struct {
	// all counts the changes of which it is not known what they changed, and last
	// all others. files has the last change of each file.
	all, last int
	files     map[string]int
}

// maxSavedChanges is how many changed files are remembered.
const maxSavedChanges = 1000

// changed returns the state after a change of some files; none means that any file may
// have changed.
func (s *savedState) changed(files ...string) *savedState {
	next := &savedState{all: s.all, last: s.last + 1, files: maps.Clone(s.files)}
	if len(files) == 0 || len(files)+len(s.files) > maxSavedChanges {
		next.all++
		next.files = nil
		return next
	}
	if next.files == nil {
		next.files = make(map[string]int)
	}
	for _, file := range files {
		next.files[file] = next.last
	}
	return next
}

// since returns the files that were changed since an older or newer state, or false if
// that is not known.
func (s *savedState) since(other *savedState) ([]string, bool) {
	if s == other {
		return nil, true
	}
	if other == nil || s.all != other.all {
		return nil, false
	}
	older, newer := s, other
	if older.last > newer.last {
		older, newer = newer, older
	}
	var list []string
	for file, change := range newer.files {
		if change > older.last {
			list = append(list, file)
		}
	}
	return list, true
}
