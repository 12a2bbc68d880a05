package documents

import (
	"slices"
	"time"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/pages/internal/style"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/review"
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
	// Rights is the number of documents that name rights, and RightsAsked that of documents whose
	// taxonomy asks for them.
	Rights, RightsAsked int
	// Highest are the roles whose highest values summaries name.
	Highest []taxonomy.Role
	// Overdue is the number of reviews that are overdue, and Late the first of their documents.
	Overdue  int
	Late     []*register.Document
	swatches map[string]string // of data and risk, by context value
}

func (d *Documents) statsOf(state *register.State) *registerStats {
	today := time.Now().UTC().Format(time.DateOnly)
	if kept := d.stats.Load(); kept != nil && kept.state == state && kept.day == today {
		return kept
	}
	s := &registerStats{state: state, day: today, swatches: make(map[string]string)}
	for _, d := range state.Documents() {
		if d.Gone() {
			continue
		}
		s.Published++
		if review.Overdue(d, today) {
			if s.Overdue++; len(s.Late) < maxLate {
				s.Late = append(s.Late, d)
			}
		}
		if p, ok := d.Summary.Point(codes.RoleRights); ok {
			s.RightsAsked++
			if len(p.Entries) > 0 {
				s.Rights++
			}
		}
		for i := range d.Summary.Points {
			p := &d.Summary.Points[i]
			if p.Context != nil && s.swatches[p.Context.ID] == "" {
				s.swatches[p.Context.ID] = style.Swatch(&p.Category.Context, p.Context)
			}
		}
	}
	s.Highest = highestRoles(state.Documents())
	d.stats.Store(s)
	return s
}

// highestRoles returns the roles whose highest values the summaries of documents name.
func highestRoles(documents []*register.Document) (roles []taxonomy.Role) {
	for _, role := range []taxonomy.Role{codes.RoleData, codes.RoleRisk} {
		if slices.ContainsFunc(documents, func(d *register.Document) bool {
			p, ok := d.Summary.Point(role)
			return ok && p.AtMost && !d.Gone()
		}) {
			roles = append(roles, role)
		}
	}
	return roles
}
