package register

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// Unmarked is a datachain type of which documents pin schema versions without roles, and for which
// the settings have none either: it is not known what these documents say about data, risks or
// rights, or who answers for the systems.
type Unmarked struct {
	Type string `json:"type"`
	// Versions are the schema versions without roles, in the order of their ids.
	Versions  []string `json:"versions"`
	Documents int      `json:"documents"`
}

// String says what is missing, and where to write it.
func (u Unmarked) String() string {
	return fmt.Sprintf("%s of %s without roles: lists, filters, boards and signs do not know what they say; add roles for %s to register.yaml, or upgrade them to a version with roles",
		wording.Count(u.Documents, "document"), strings.Join(u.Versions, ", "), u.Type)
}

// Unmarked returns the types without roles, in their order.
func (s *State) Unmarked() []Unmarked {
	types := make(map[string]*Unmarked)
	for _, d := range s.documents {
		if d.Removed() || d.Version == (taxonomy.Version{}) || marked(&d.Summary) {
			continue
		}
		u := types[d.Version.Type()]
		if u == nil {
			u = &Unmarked{Type: d.Version.Type()}
			types[u.Type] = u
		}
		u.Documents++
		if v := d.Version.String(); !slices.Contains(u.Versions, v) {
			u.Versions = append(u.Versions, v)
		}
	}
	var list []Unmarked
	for _, typ := range slices.Sorted(maps.Keys(types)) {
		slices.Sort(types[typ].Versions)
		list = append(list, *types[typ])
	}
	return list
}

// marked reports whether the state of any point of a summary is known.
func marked(s *summary.Summary) bool {
	return slices.ContainsFunc([]taxonomy.Role{codes.RolePurpose, codes.RoleData, codes.RoleDecision, codes.RoleRisk, codes.RoleAccountable, codes.RoleRights}, func(role taxonomy.Role) bool {
		return s.State(role) != summary.NotKnown
	})
}
