package summary

import (
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// State is whether a document says something that has a role. Whatever counts documents by what
// they say counts those whose state is known, and says of how many it speaks.
type State string

// The states.
const (
	Said    State = "said"
	NotSaid State = "not_said"
	// NotKnown means that nothing in the schema version has the role: the document may say it in
	// any category, and only its page has everything.
	NotKnown State = "not_known"
)

// State returns the state of a role of categories, or of variables that any placement can have.
func (s *Summary) State(role taxonomy.Role) State {
	if p, ok := s.Point(role); ok {
		return stateOf(true, len(p.Entries) > 0)
	}
	return stateOf(s.marked.has(role), s.said.has(role))
}

// State returns the state of a role of variables in the placement.
func (e *Entry) State(role taxonomy.Role) State {
	text := e.text(role)
	return stateOf(e.marked.has(role), text != nil && slices.ContainsFunc(*text, func(t taxonomy.Text) bool { return strings.TrimSpace(t.Value) != "" }))
}

func stateOf(marked, said bool) State {
	switch {
	case said:
		return Said
	case marked:
		return NotSaid
	}
	return NotKnown
}

// text returns the field for the values of variables with a role, or nil.
func (e *Entry) text(role taxonomy.Role) *taxonomy.Localized {
	switch role {
	case taxonomy.RoleName:
		return &e.Name
	case taxonomy.RoleWords:
		return &e.Words
	case taxonomy.RoleContact:
		return &e.Contact
	case taxonomy.RoleLink:
		return &e.Link
	case taxonomy.RoleSafeguard:
		return &e.Safeguard
	case taxonomy.RoleLegalBasis:
		return &e.LegalBasis
	case taxonomy.RolePeriod:
		return &e.Period
	}
	return nil
}

// roleSet is a set of roles of categories and variables. A register keeps one for each document and
// each entry.
type roleSet uint32

var allRoles = [...]taxonomy.Role{
	taxonomy.RolePurpose, taxonomy.RoleAccountable, taxonomy.RolePeople, taxonomy.RoleDecision, taxonomy.RoleData, taxonomy.RoleOutput,
	taxonomy.RoleAccess, taxonomy.RoleStorage, taxonomy.RoleRetention, taxonomy.RoleRisk, taxonomy.RoleRights,
	taxonomy.RoleName, taxonomy.RoleWords, taxonomy.RoleContact, taxonomy.RoleLink, taxonomy.RoleSafeguard, taxonomy.RoleLegalBasis, taxonomy.RolePeriod,
}

var variableRoles = allRoles[slices.Index(allRoles[:], taxonomy.RoleName):]

func (s *roleSet) add(role taxonomy.Role) {
	if i := slices.Index(allRoles[:], role); i >= 0 {
		*s |= 1 << i
	}
}

func (s roleSet) has(role taxonomy.Role) bool {
	i := slices.Index(allRoles[:], role)
	return i >= 0 && s&(1<<i) != 0
}
