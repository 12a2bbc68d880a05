package httpstore

import (
	"errors"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/taxonomy"
)

// What a failure can be about, besides a release.
const (
	aboutCache  = "cache"
	aboutIndex  = "index"
	aboutStable = "stable"
)

func aboutRelease(v taxonomy.Version) string { return "release " + v.String() }

// trouble knows what fails now, and tells of it.
type trouble struct {
	report    func(error)
	recovered func()

	// telling is held while somebody is told, so that news come in order; mu
	// guards causes alone, so that asking never waits for a listener.
	telling sync.Mutex
	mu      sync.Mutex
	causes  map[string]error
}

// set says what fails about a subject; nil where nothing does any more.
func (t *trouble) set(subject string, err error) {
	t.telling.Lock()
	defer t.telling.Unlock()
	t.mu.Lock()
	last := t.causes[subject]
	if err != nil {
		t.causes[subject] = err
	} else {
		delete(t.causes, subject)
	}
	over := last != nil && len(t.causes) == 0
	t.mu.Unlock()
	switch {
	case over:
		t.recovered()
	case err != nil && (last == nil || gist(last) != gist(err)):
		t.report(err)
	}
}

// gist is the text of an error without what differs from one connection to the
// next.
func gist(err error) string {
	text := err.Error()
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Source != nil {
		text = strings.ReplaceAll(text, op.Source.String(), "")
	}
	return text
}

// err returns all that fails now.
func (t *trouble) err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []error
	for _, subject := range slices.Sorted(maps.Keys(t.causes)) {
		all = append(all, t.causes[subject])
	}
	return errors.Join(all...)
}
