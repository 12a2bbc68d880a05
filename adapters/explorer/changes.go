package explorer

import (
	"context"
	"slices"

	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/taxonomy"
)

// comparisonKey identifies the comparison of two releases by their content.
type comparisonKey struct{ before, after taxonomy.Hash }

// comparison is how a release differs from an earlier one.
type comparison struct {
	before taxonomy.Version
	// elements and categories have how each changed: added or changed.
	elements, categories    map[string]diff.Kind
	added, changed, removed int // elements
}

// lastStable returns the newest stable version before the one of the request.
func (q *request) lastStable() (taxonomy.Version, bool) {
	list := q.siblings()
	at := slices.IndexFunc(list, func(e taxonomy.Entry) bool { return e.ID == q.release().Version() })
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
	if !ok || q.alone {
		return nil, nil //nolint:nilnil // nothing to compare with is not a failure
	}
	earlier, err := q.explorer.service.Open(q.ctx, before.String())
	if err != nil {
		return nil, err
	}
	return q.compared(earlier.Release())
}

// compared compares the version with an earlier release.
func (q *request) compared(before *taxonomy.Release) (*comparison, error) {
	key := comparisonKey{before.ContentHash(), q.release().ContentHash()}
	return q.explorer.comparisons.Do(q.ctx, key, func() (*comparison, int64, error) {
		c, err := newComparison(q.ctx, before, q.release())
		return c, 1, err
	})
}

func newComparison(ctx context.Context, before, after *taxonomy.Release) (*comparison, error) {
	report, err := diff.Compare(before, after, &diff.Options{Interrupt: ctx.Err})
	if err != nil {
		return nil, err
	}
	c := &comparison{before: before.Version(), elements: make(map[string]diff.Kind), categories: make(map[string]diff.Kind)}
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
	return c, nil
}
