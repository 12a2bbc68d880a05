package laststore

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/datachain-go/datachain/taxonomy"
)

// subject is what a problem is about.
type subject struct {
	about   about
	version taxonomy.Version // of a release
}

type about int

const (
	aboutStore about = iota // what the store says of itself
	aboutIndex
	aboutRelease
)

func (a subject) compare(b subject) int {
	return cmp.Or(cmp.Compare(a.about, b.about), a.version.Compare(b.version))
}

// problems are what is wrong now. The lock of the store guards them, but not
// err.
type problems struct {
	report    func(error)
	recovered func()
	causes    map[subject]error
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
func (p *problems) set(about subject, err error) {
	if err == nil {
		p.drop(func(known subject) bool { return known == about })
		return
	}
	known := p.known(err)
	if p.causes == nil {
		p.causes = make(map[subject]error)
	}
	p.causes[about] = err
	p.join()
	if p.report != nil && !known {
		p.report(err)
	}
}

func (p *problems) known(err error) bool {
	for _, known := range p.causes {
		if known.Error() == err.Error() {
			return true
		}
	}
	return false
}

// drop forgets the problems that are over.
func (p *problems) drop(over func(subject) bool) {
	before := len(p.causes)
	maps.DeleteFunc(p.causes, func(about subject, _ error) bool { return over(about) })
	if len(p.causes) == before {
		return
	}
	p.join()
	if len(p.causes) == 0 && p.recovered != nil {
		p.recovered()
	}
}

func (p *problems) join() {
	if len(p.causes) == 0 {
		p.joined.Store(nil)
		return
	}
	var all []error
	seen := make(map[string]bool)
	for _, about := range slices.SortedFunc(maps.Keys(p.causes), subject.compare) {
		if err := p.causes[about]; !seen[err.Error()] {
			seen[err.Error()] = true
			all = append(all, err)
		}
	}
	err := errors.Join(all...)
	p.joined.Store(&err)
}

// versions returns the versions whose releases have problems.
func (p *problems) versions() []taxonomy.Version {
	var all []taxonomy.Version
	for about := range p.causes {
		if about.about == aboutRelease {
			all = append(all, about.version)
		}
	}
	return all
}
