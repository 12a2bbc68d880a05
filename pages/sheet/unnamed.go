package sheet

import (
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// UnnamedError is an error about a document that does not name who answers for the system. Nothing
// else, such as the publisher of the register, can stand for that on a sign.
type UnnamedError struct {
	// Version is the schema version that the document pins.
	Version string
	// Category is where the document should name it, nil if the version does not mark that.
	Category *taxonomy.Category
	// Marked reports whether the version itself marks other categories with roles, so that
	// register.yaml can't add any.
	Marked bool
}

// Error says what is missing, and where to write it.
func (e *UnnamedError) Error() string {
	const missing, field = "no sign is made without a name of who answers for the system: ", "register.organisation.name in the document"
	switch {
	case e.Category != nil:
		return missing + "write it in the category " + e.Category.ID + ", or as " + field
	case e.Marked:
		return missing + "write it as " + field + ", or upgrade the document to a version of the taxonomy that has the role accountable, which " + e.Version + " lacks"
	}
	return missing + "write it as " + field + ", add roles for " + e.Version + " to register.yaml (categories: accountable, variables: name), or upgrade the document to a version that has them"
}

// Unnamed returns an error if nothing names who answers for the system, or nil.
func (s *Subject) Unnamed() *UnnamedError {
	if named(s.Summary) || hasText(s.Organisation) {
		return nil
	}
	snapshot := &s.Presentation.Datachain.SchemaSnapshot
	e := &UnnamedError{Version: s.Presentation.Datachain.SchemaVersion}
	e.Marked = slices.ContainsFunc(snapshot.Categories, func(c taxonomy.Category) bool { return c.Role != "" })
	if p, ok := s.Summary.Point(codes.RoleAccountable); ok {
		// A name that is written elsewhere is of no use: the version must mark where it is.
		if len(p.Entries) == 0 || p.Entries[0].State(codes.RoleName) != summary.NotKnown {
			e.Category = p.Category
		}
	}
	return e
}

// named reports whether the placement that comes first in the summary names who answers for the system.
// The title of an element names a kind of body.
func named(s *summary.Summary) bool {
	p, ok := s.Point(codes.RoleAccountable)
	return ok && len(p.Entries) > 0 && hasText(p.Entries[0].Name)
}

func hasText(l taxonomy.Localized) bool {
	return slices.ContainsFunc(l, func(t taxonomy.Text) bool { return strings.TrimSpace(t.Value) != "" })
}
