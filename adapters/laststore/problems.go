package laststore

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
)

// The subjects of problems. That of a release is its *entry.
const (
	theStore = "store" // what the store reports about itself
	theIndex = "index"
)

// problems are what is wrong now, by subject. The lock of the store guards them,
// except err.
type problems struct {
	report    func(error)
	recovered func()
	causes    map[any]error
	joined    atomic.Pointer[error]
}

// err returns all problems, or nil.
func (p *problems) err() error {
	if err := p.joined.Load(); err != nil {
		return *err
	}
	return nil
}

// set notes what is wrong with a subject, or with nil that nothing is any more.
// It reports what is new: a store that is down fails in the same way for every
// release.
func (p *problems) set(subject any, err error) {
	if err == nil {
		p.drop(func(known any) bool { return known == subject })
		return
	}
	known := slices.ContainsFunc(slices.Collect(maps.Values(p.causes)), func(e error) bool { return e.Error() == err.Error() })
	if p.causes == nil {
		p.causes = make(map[any]error)
	}
	p.causes[subject] = err
	p.join()
	if p.report != nil && !known {
		p.report(err)
	}
}

// drop forgets the problems that are over.
func (p *problems) drop(over func(subject any) bool) {
	before := len(p.causes)
	maps.DeleteFunc(p.causes, func(subject any, _ error) bool { return over(subject) })
	if len(p.causes) == before {
		return
	}
	p.join()
	if len(p.causes) == 0 && p.recovered != nil {
		p.recovered()
	}
}

// join publishes the problems for err.
func (p *problems) join() {
	if len(p.causes) == 0 {
		p.joined.Store(nil)
		return
	}
	all := slices.SortedFunc(maps.Values(p.causes), func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	err := errors.Join(slices.CompactFunc(all, func(a, b error) bool { return a.Error() == b.Error() })...)
	p.joined.Store(&err)
}

// failed returns the releases that have problems.
func (p *problems) failed() []*entry {
	var all []*entry
	for subject := range p.causes {
		if e, ok := subject.(*entry); ok {
			all = append(all, e)
		}
	}
	return all
}
