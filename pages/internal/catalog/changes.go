package catalog

import (
	"slices"

	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/taxonomy"
)

// comparison is how a release differs from an earlier one, in short. The pages of a version
// need no more of the report, which is large.
type comparison struct {
	before taxonomy.Version
	// elements and categories have how each changed: added or changed.
	elements, categories    map[string]diff.Kind
	added, changed, removed int // elements
}

// lastStable returns the newest stable version before the one of the request.
func (q *request) lastStable() (taxonomy.Version, bool) {
	list := q.Siblings()
	at := slices.IndexFunc(list, func(e taxonomy.Entry) bool { return e.ID == q.Release().Version() })
	for _, e := range list[at+1:] {
		if e.ID.Status() == taxonomy.Stable {
			return e.ID, true
		}
	}
	return taxonomy.Version{}, false
}

// sinceStable compares the version with the last stable one before it. It returns nil if
// there is none.
func (q *request) sinceStable() (*comparison, error) {
	before, ok := q.lastStable()
	if !ok || q.Alone {
		return nil, nil //nolint:nilnil // nothing to compare with is not a failure
	}
	earlier, err := q.Site.Service.Open(q.Ctx, before.String())
	if err != nil {
		return nil, err
	}
	report, err := q.reports.Compare(q.Request, earlier.Release(), q.Release())
	if err != nil {
		return nil, err
	}
	return newComparison(report), nil
}

func newComparison(report *diff.Report) *comparison {
	c := &comparison{before: report.Old, elements: make(map[string]diff.Kind), categories: make(map[string]diff.Kind)}
	for _, change := range report.Changes {
		kind := change.Kind
		if len(change.Path) > 0 || kind == diff.Reordered || kind == diff.Renamed {
			kind = diff.Changed
		}
		switch change.Subject {
		case diff.Element:
			c.elements[change.ID] = kind
		case diff.Category:
			c.categories[change.ID] = kind
		}
	}
	for _, kind := range c.elements {
		switch kind {
		case diff.Added:
			c.added++
		case diff.Removed:
			c.removed++
		default:
			c.changed++
		}
	}
	return c
}
