package datachain

import "github.com/datachain-go/datachain/taxonomy"

// Summary is what a reader should know about a document first, in no language: the
// faces of a document, such as its page, a row of a list or a sign, choose the texts
// of theirs. It refers to the presentation that it was made from and must not be
// changed.
type Summary struct {
	// Points are in the order in which faces show them.
	Points []Point
}

// Point is one field of a [Summary].
type Point struct {
	// Role is purpose, data, decision, risk, accountable or rights. It is empty if
	// the taxonomy has no roles; then the name of Category is the heading.
	Role taxonomy.Role
	// Category is that of the first entry, or the first one with the role.
	Category *taxonomy.Category
	// AtMost means that the entries have the highest context value in the document,
	// by the order of the context.
	AtMost bool
	// Context is that highest value, or that of the first entry; nil if it has none.
	Context *taxonomy.ContextValue
	// Entries are empty if the document says nothing about it.
	Entries []Entry
}

// Entry is a placement with the document's own words, by the roles of variables.
type Entry struct {
	Placement *taxonomy.Placement
	Element   *taxonomy.Element
	Context   *taxonomy.ContextValue // nil if the placement has none

	// Name is the value of the variable with the role name, or the label of the
	// placement.
	Name       taxonomy.Localized
	Words      taxonomy.Localized
	Contact    taxonomy.Localized
	Link       taxonomy.Localized
	Safeguard  taxonomy.Localized
	LegalBasis taxonomy.Localized
	Period     taxonomy.Localized
}

// Roles gives the categories, contexts and variables of a datachain type roles, for
// schema versions that have none.
type Roles struct {
	// Categories are the roles of categories, by id.
	Categories map[string]taxonomy.Role `json:"categories,omitempty"`
	Lead       Leads                    `json:"lead,omitzero"`
	// Contexts are those of categories, by the id of the category.
	Contexts map[string]ContextRole `json:"contexts,omitempty"`
	// Variables are the roles of variables, by id.
	Variables map[string]taxonomy.Role `json:"variables,omitempty"`
}

// Leads are the elements and context values that are meant if a category has several
// placements.
type Leads struct {
	Elements []string `json:"elements,omitempty"`
	// ContextValues are ids of values, by the id of the category.
	ContextValues map[string][]string `json:"context_values,omitempty"`
}

// ContextRole is the order and the role of a context.
type ContextRole struct {
	Order taxonomy.Order `json:"order,omitempty"`
	Role  taxonomy.Role  `json:"role,omitempty"`
}

// Summary returns the summary of the document. overlay has the roles for a schema
// version without any; it can be nil.
func (p *Presentation) Summary(overlay *Roles) *Summary {
	return &Summary{}
}

// Point returns the point with the role.
func (s *Summary) Point(role taxonomy.Role) (*Point, bool) {
	for i := range s.Points {
		if s.Points[i].Role == role {
			return &s.Points[i], true
		}
	}
	return nil, false
}
