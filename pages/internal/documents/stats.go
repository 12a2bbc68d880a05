package documents

import (
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
)

// maxLate is how many overdue reviews are named.
const maxLate = 5

// registerStats is what pages say about all documents. It is kept until the register or the day changes.
type registerStats struct {
	state *register.State
	day   string
	// Published is the number of documents.
	Published int
	// Rights is the number of documents that name rights, of RightsKnown that can be counted.
	// RightsUnknown reports whether there are others.
	Rights, RightsKnown int
	RightsUnknown       bool
	// unordered are the roles of which a document has values that are not the highest.
	unordered map[taxonomy.Role]bool
	// Answers reports that a document says within how many days people get an answer.
	Answers bool
	// Overdue is the number of documents that are overdue, and Late the first of their documents.
	Overdue int
	Late    []*register.Document
}

func (d *Documents) statsOf(state *register.State) *registerStats {
	day := today()
	if kept := d.stats.Load(); kept != nil && kept.state == state && kept.day == day {
		return kept
	}
	s := &registerStats{state: state, day: day, unordered: make(map[taxonomy.Role]bool)}
	for _, d := range state.Documents() {
		if d.Removed() {
			continue
		}
		s.Published++
		if a := d.Details.Answered; a != nil && a.Days != nil && a.Answered > 0 {
			s.Answers = true
		}
		for i := range d.Summary.Points {
			p := &d.Summary.Points[i]
			s.unordered[p.Role] = s.unordered[p.Role] || len(p.Entries) > 0 && !p.AtMost
		}
		if d.Details.Status == register.Retired {
			continue // the list does not have it
		}
		if d.Overdue(day) {
			if s.Overdue++; len(s.Late) < maxLate {
				s.Late = append(s.Late, d)
			}
		}
		switch d.Summary.State(codes.RoleRights) {
		case summary.Said:
			s.Rights++
			s.RightsKnown++
		case summary.NotSaid:
			s.RightsKnown++
		default:
			s.RightsUnknown = true
		}
	}
	d.stats.Store(s)
	return s
}

// isHighest reports whether all documents that say something about a role name its highest value.
func (s *registerStats) isHighest(role taxonomy.Role) bool { return !s.unordered[role] }
