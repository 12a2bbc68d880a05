package core

import (
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/internal/lru"
	"github.com/datachain-go/datachain/taxonomy"
)

// Reports are comparisons of releases, which are kept.
type Reports struct {
	kept *lru.Cache[reportKey, *diff.Report]
}

const maxReports = 8 << 20 // bytes

// NewReports returns no reports.
func NewReports() *Reports { return &Reports{lru.New[reportKey, *diff.Report](maxReports)} }

// reportKey identifies the comparison of two releases. A beta keeps its id when its
// content changes, and a stable version may have the content of a beta. What became of ids
// is in the index.
type reportKey struct {
	index         *taxonomy.Index
	oldID, newID  taxonomy.Version
	before, after taxonomy.Hash
}

// Compare compares two releases.
func (r *Reports) Compare(q *Request, before, after *taxonomy.Release) (*diff.Report, error) {
	key := reportKey{q.Index, before.Version(), after.Version(), before.ContentHash(), after.ContentHash()}
	return r.kept.Do(q.Ctx, key, func() (*diff.Report, int64, error) {
		report, err := diff.Compare(before, after, &diff.Options{Interrupt: q.Ctx.Err})
		if err != nil {
			return nil, 0, err
		}
		size := int64(1 << 10)
		for i := range report.Changes {
			size += int64(256 + len(report.Changes[i].Old) + len(report.Changes[i].New))
		}
		return report, size, nil
	})
}
