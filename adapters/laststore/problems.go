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
// It reports what is new.
func (p *problems) set(about subject, err error) {
	if err == nil {
		p.drop(func(known subject) bool { return known == about })
		return
	}
	last := p.causes[about]
	if p.causes == nil {
		p.causes = make(map[subject]error)
	}
	p.causes[about] = err
	p.join()
	if p.report != nil && (last == nil || last.Error() != err.Error()) {
		p.report(err)
	}
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
	for _, about := range slices.SortedFunc(maps.Keys(p.causes), subject.compare) {
		all = append(all, p.causes[about])
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
