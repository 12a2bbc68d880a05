package register

import (
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// Gap is something that readers miss in a document, and a value of the field [ByGap].
type Gap string

// The gaps. The first two are only those of documents whose schema version marks what would say it; the
// page of the document says the same.
const (
	NoContact     Gap = "no_contact"     // of who answers for the system
	NoSafeguard   Gap = "no_safeguard"   // against the highest risk
	ReviewOverdue Gap = "review_overdue" // on the day of the query; see [Document.Overdue]
)

// Gaps returns all gaps, in the order in which lists show them.
func Gaps() []Gap { return []Gap{NoContact, NoSafeguard, ReviewOverdue} }

// lacksContact reports whether the document could say how to reach who answers for the system, and
// does not.
func (d *Document) lacksContact() bool {
	p, ok := d.Summary.Point(codes.RoleAccountable)
	if !ok || len(p.Entries) == 0 {
		return d.Summary.State(codes.RoleAccountable) == summary.NotSaid && d.Summary.State(codes.RoleContact) == summary.NotSaid
	}
	e := &p.Entries[0]
	reachable := e.Placement != nil && len(e.Placement.Actions) > 0 ||
		slices.ContainsFunc(e.Link, func(t taxonomy.Text) bool { return strings.HasPrefix(t.Value, "https://") })
	return !reachable && e.State(codes.RoleContact) == summary.NotSaid
}

// lacksSafeguard reports whether the document could say what is done against its highest risk, and
// does not.
func (d *Document) lacksSafeguard() bool {
	p, ok := d.Summary.Point(codes.RoleRisk)
	return ok && len(p.Entries) > 0 && p.Entries[0].State(codes.RoleSafeguard) == summary.NotSaid
}

// Overdue reports whether a day that the document names has passed and nothing was written since: a
// review of a system that is not retired was due before a day, such as 2026-11-15, or a system was
// planned for one.
func (d *Document) Overdue(day string) bool { return d.due() != "" && d.due() < day }

// StartPassed reports whether a system that is still planned was planned for a day before another one.
func (d *Document) StartPassed(day string) bool {
	return d.Details.Status == Planned && d.Details.Since != "" && d.Details.Since < day
}

// due returns the first day after which the document is overdue, or "".
func (d *Document) due() string {
	review, since := d.Details.ReviewBy, d.Details.Since
	switch {
	case d.Details.Status == Retired:
		return ""
	case d.Details.Status == Planned && since != "" && (review == "" || since < review):
		return since
	}
	return review
}
