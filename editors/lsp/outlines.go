package lsp

import (
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
	mu    sync.Mutex
	cache []*cachedOutline // the last used one first
}

// outlineKey names an outline: that of the current texts, or that of the last good
// ones.
type outlineKey struct {
	version taxonomy.Version
	good    bool
}

// cachedOutline is an outline with the open texts that it was made of.
type cachedOutline struct {
	key outlineKey
	// saved are the files that were saved since, and stale means that any file may have
	// been. The lock of outlines guards them.
	saved []string
	stale bool

	mu      sync.Mutex // held during an update, so that others wait for the result
	outline *outline.Outline
	open    map[string]*text
}

// get returns the outline of a version.
func (o *outlines) get(at *files, v taxonomy.Version) (*outline.Outline, error) {
	k := o.use(outlineKey{v, at.lastGood})
	k.mu.Lock()
	defer k.mu.Unlock()
	o.mu.Lock()
	changed, stale := k.saved, k.stale
	k.saved, k.stale = nil, false
	o.mu.Unlock()
	open := at.openIn(v)
	for file, t := range open {
		if k.open[file] != t {
			changed = append(changed, file)
		}
	}
	for file := range k.open {
		if open[file] == nil {
			changed = append(changed, file)
		}
	}
	var next *outline.Outline
	var err error
	switch {
	case k.outline == nil || stale:
		next, err = outline.New(at, v)
	case len(changed) == 0:
		return k.outline, nil
	default:
		next, err = k.outline.Update(at, changed...)
	}
	k.outline, k.open = next, open
	return next, err
}

// use returns the entry of a key, and drops the one that was not used for longest if
// there are too many.
func (o *outlines) use(key outlineKey) *cachedOutline {
	o.mu.Lock()
	defer o.mu.Unlock()
	i := slices.IndexFunc(o.cache, func(k *cachedOutline) bool { return k.key == key })
	if i < 0 {
		o.cache = append(o.cache, &cachedOutline{key: key})
		i = len(o.cache) - 1
	}
	used := o.cache[i]
	o.cache = slices.Insert(slices.Delete(o.cache, i, i+1), 0, used)
	if len(o.cache) > maxOutlines {
		o.cache[maxOutlines] = nil
		o.cache = o.cache[:maxOutlines]
	}
	return used
}

// fileSaved takes note that a file of a version was saved, added or removed.
func (o *outlines) fileSaved(file string, v taxonomy.Version) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, k := range o.cache {
		if k.key.version == v && !slices.Contains(k.saved, file) {
			k.saved = append(k.saved, file)
		}
	}
}

// anySaved takes note that any file may have been saved.
func (o *outlines) anySaved() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, k := range o.cache {
		k.stale = true
	}
}
