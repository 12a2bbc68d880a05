// Package summary provides what a reader should know about a document first: what a system is for,
// the most sensitive data it uses, who decides, what can go wrong, who is accountable and which
// rights people have. The roles of categories, contexts and variables say where a document answers.
// The result has texts in all languages and no words of its own: a page, a row of a list or a sign
// picks the texts to show, and package phrases has the words around them.
//
// # Experimental
//
// This package may change in a minor version.
package summary

import (
	"cmp"
	"math"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// Summary is the summary of a document in all its languages. It shares data with the document and
// the release, and must not be changed.
type Summary struct {
	// Points are in the order in which to show them.
	Points []Point
	// Stage is the stage of the system's life cycle, such as a trial; nil if the
	// document does not say.
	Stage *taxonomy.ContextValue

	marked, said roleSet // of categories and variables
}

// Point is one field of a [Summary].
type Point struct {
	// Role is purpose, data, decision, risk, accountable or rights. It is empty if
	// the taxonomy has no roles; then the name of Category is the heading.
	Role taxonomy.Role
	// Category is that of the first entry or, without entries, the first with the role.
	Category *taxonomy.Category
	// AtMost means that the entries were chosen because they have the highest context
	// value in the document, by the order of the context.
	AtMost bool
	// Context is that highest value, or else the one that all entries have; nil if they
	// have none or several.
	Context *taxonomy.ContextValue
	// Entries are all purposes, or the most important placements of another role. They
	// are empty if the document says nothing about the role.
	Entries []Entry
}

// Entry is a placement with the document's own words, by the roles of variables.
type Entry struct {
	Placement *taxonomy.Placement
	Element   *taxonomy.Element      // nil if it is not known
	Role      taxonomy.Role          // of its category, or empty
	Context   *taxonomy.ContextValue // nil if the placement has none
	// Lead means that the placement comes first among several of its category.
	Lead bool

	// Name is the value of the variable with the role name, or the label of the
	// placement. The locale of a label can be empty.
	Name       taxonomy.Localized
	Words      taxonomy.Localized
	Contact    taxonomy.Localized
	Link       taxonomy.Localized
	Safeguard  taxonomy.Localized
	LegalBasis taxonomy.Localized
	Period     taxonomy.Localized

	marked roleSet // of the variables of the element
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

// Leads are the elements and context values that come first in a summary if a category has
// several placements.
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

// Of returns the summary of a document. Roles come from the snapshot of the document and, for
// categories without placements, from the release, which is nil if it is no longer published.
// overlay has the roles for a schema version without any; it can be nil.
func Of(doc *taxonomy.Resolved, release *taxonomy.Release, overlay *Roles) *Summary {
	return newSummarizer(doc, release, overlay).summary()
}

// Entries returns one entry for each placement, in the order of the document, and the summary that
// [Of] returns.
func Entries(doc *taxonomy.Resolved, release *taxonomy.Release, overlay *Roles) ([]Entry, *Summary) {
	s := newSummarizer(doc, release, overlay)
	return s.entries, s.summary()
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

// summarizer makes the summary of a document.
type summarizer struct {
	hasRoles   bool
	marked     roleSet
	said       roleSet
	overlay    *Roles // empty if the schema version has roles
	categories []*taxonomy.Category
	entries    []Entry             // in document order
	placed     map[string][]*Entry // the entries by category, sorted by priority
}

func newSummarizer(doc *taxonomy.Resolved, release *taxonomy.Release, overlay *Roles) *summarizer {
	s := &summarizer{overlay: new(Roles), placed: make(map[string][]*Entry)}
	snapshot := &doc.SchemaSnapshot
	for _, id := range snapshot.DatachainType.Categories {
		i := slices.IndexFunc(snapshot.Categories, func(c taxonomy.Category) bool { return c.ID == id })
		if i >= 0 {
			s.categories = append(s.categories, &snapshot.Categories[i])
		} else if release != nil {
			if c, ok := release.Category(id); ok {
				s.categories = append(s.categories, c)
			}
		}
	}
	s.hasRoles = slices.ContainsFunc(s.categories, func(c *taxonomy.Category) bool { return c.Role != "" })
	if !s.hasRoles && overlay != nil {
		s.overlay = overlay
		s.hasRoles = slices.ContainsFunc(s.categories, func(c *taxonomy.Category) bool { return s.role(c) != "" })
	}
	for _, c := range s.categories {
		s.marked.add(s.role(c))
		for i := range c.Variables {
			s.marked.add(s.variableRole(&c.Variables[i]))
		}
	}
	s.readPlacements(doc)
	return s
}

func (s *summarizer) summary() *Summary {
	summary := &Summary{Stage: s.stage(), marked: s.marked, said: s.said}
	if !s.hasRoles {
		summary.Points = s.withoutRoles()
		return summary
	}
	for _, role := range []taxonomy.Role{
		taxonomy.RolePurpose, taxonomy.RoleData, taxonomy.RoleDecision, taxonomy.RoleRisk, taxonomy.RoleAccountable, taxonomy.RoleRights,
	} {
		if point, ok := s.point(role); ok {
			summary.Points = append(summary.Points, point)
		}
	}
	return summary
}

// readPlacements makes an entry of each placement. Of elements with the same id the first
// counts, and those of the snapshot come before suggested ones.
func (s *summarizer) readPlacements(doc *taxonomy.Resolved) {
	elements := make(map[string]*taxonomy.Element, len(doc.SchemaSnapshot.Elements)+len(doc.SuggestedElements))
	for _, list := range [][]taxonomy.Element{doc.SchemaSnapshot.Elements, doc.SuggestedElements} {
		for i := range list {
			if elements[list[i].ID] == nil {
				elements[list[i].ID] = &list[i]
			}
		}
	}
	categories := make(map[string]*taxonomy.Category, len(s.categories))
	for _, c := range s.categories {
		categories[c.ID] = c
	}
	s.entries = make([]Entry, len(doc.Elements))
	for i := range doc.Elements {
		entry := &s.entries[i]
		entry.Placement = &doc.Elements[i]
		e := elements[entry.Placement.ElementID]
		if e == nil {
			continue
		}
		s.readWords(entry, e)
		if c := categories[e.CategoryID]; c != nil {
			entry.Role = s.role(c)
			s.said.add(entry.Role)
			entry.Context, _ = c.Context.Value(entry.Placement.ContextTypeID)
			entry.Lead = s.isLead(c, entry)
		}
		s.placed[e.CategoryID] = append(s.placed[e.CategoryID], entry)
	}
	for _, entries := range s.placed {
		slices.SortStableFunc(entries, func(a, b *Entry) int { return cmp.Compare(a.priority(), b.priority()) })
	}
}

// readWords sets the element of an entry and the document's own words.
func (s *summarizer) readWords(entry *Entry, e *taxonomy.Element) {
	placed := entry.Placement
	entry.Element = e
	for i := range e.Variables {
		v := &e.Variables[i]
		role := s.variableRole(v)
		entry.marked.add(role)
		field := entry.text(role)
		if field == nil || len(*field) > 0 {
			continue
		}
		for k := range placed.Variables {
			if placed.Variables[k].ID == v.ID {
				*field = valueOf(v, &placed.Variables[k])
				break
			}
		}
	}
	if len(entry.Name) == 0 && placed.Label != nil {
		if entry.Name = placed.Label.Text; len(entry.Name) == 0 && placed.Label.Plain != "" {
			entry.Name = taxonomy.Localized{{Value: placed.Label.Plain}}
		}
	}
	s.marked |= entry.marked
	for _, role := range variableRoles {
		if entry.State(role) == Said {
			s.said.add(role)
		}
	}
}

// valueOf returns the value of a variable: its text, or the labels of its options in each
// language of the first one.
func valueOf(v *taxonomy.Variable, value *taxonomy.VariableValue) taxonomy.Localized {
	if len(value.Options) == 0 {
		return value.Text
	}
	var labels []taxonomy.Localized
	for _, id := range value.Options {
		if i := slices.IndexFunc(v.Options, func(o taxonomy.Option) bool { return o.ID == id }); i >= 0 {
			labels = append(labels, v.Options[i].Label)
		}
	}
	if len(labels) < 2 {
		return slices.Concat(labels...)
	}
	joined := slices.Clone(labels[0])
	for i := range joined {
		for _, l := range labels[1:] {
			joined[i].Value += ", " + l.Pick(joined[i].Locale)
		}
	}
	return joined
}

func (e *Entry) priority() int {
	if e.Placement.Priority == nil {
		return 0
	}
	return *e.Placement.Priority
}

// role returns the role of a category.
func (s *summarizer) role(c *taxonomy.Category) taxonomy.Role {
	return cmp.Or(c.Role, s.overlay.Categories[c.ID])
}

// variableRole returns the role of a variable.
func (s *summarizer) variableRole(v *taxonomy.Variable) taxonomy.Role {
	return cmp.Or(v.Role, s.overlay.Variables[v.ID])
}

// countHigher returns how many values of the context are higher than that of the entry; ok is
// false if the context has no order, or the placement no value.
func (s *summarizer) countHigher(c *taxonomy.Category, e *Entry) (higher int, ok bool) {
	i := slices.IndexFunc(c.Context.Values, func(v taxonomy.ContextValue) bool { return v.ID == e.Placement.ContextTypeID })
	switch order := cmp.Or(c.Context.Order, s.overlay.Contexts[c.ID].Order); {
	case i < 0:
		return 0, false
	case order == taxonomy.OrderRising:
		return len(c.Context.Values) - 1 - i, true
	case order == taxonomy.OrderFalling:
		return i, true
	}
	return 0, false
}

// isLead reports whether an element or a context value comes first among several.
func (s *summarizer) isLead(c *taxonomy.Category, e *Entry) bool {
	lead := &s.overlay.Lead
	return e.Element.Lead || e.Context != nil && e.Context.Lead ||
		slices.Contains(lead.Elements, e.Element.ID) || e.Context != nil && slices.Contains(lead.ContextValues[c.ID], e.Context.ID)
}

// point returns what the document says about a role; ok is false if no category has the role.
func (s *summarizer) point(role taxonomy.Role) (point Point, ok bool) {
	point.Role = role
	type placed struct {
		category *taxonomy.Category
		*Entry
	}
	var entries, leads, highest []placed
	least := math.MaxInt
	for _, c := range s.categories {
		if s.role(c) != role {
			continue
		}
		if point.Category == nil {
			point.Category = c
		}
		for _, e := range s.placed[c.ID] {
			one := placed{c, e}
			entries = append(entries, one)
			if e.Lead {
				leads = append(leads, one)
			}
			higher, ordered := s.countHigher(c, e)
			switch {
			case !ordered || higher > least:
			case higher < least:
				least, highest = higher, []placed{one}
			case c == highest[0].category:
				highest = append(highest, one)
			}
		}
	}
	if point.Category == nil {
		return Point{}, false
	}
	most := 1
	switch role {
	case taxonomy.RolePurpose: // no purpose may be hidden
		most = len(entries)
		entries = slices.Concat(leads, slices.DeleteFunc(entries, func(p placed) bool { return p.Lead }))
	case taxonomy.RoleRights:
		most = 2
		// Rights with a contact or a link come first.
		slices.SortStableFunc(entries, func(a, b placed) int { return cmp.Compare(b.usable(), a.usable()) })
	default:
		if role == taxonomy.RoleData || role == taxonomy.RoleDecision {
			most = 3
		}
		if (role == taxonomy.RoleData || role == taxonomy.RoleRisk) && len(highest) > 0 {
			entries, point.AtMost = highest, true
		} else if len(leads) > 0 {
			entries = leads
		}
	}
	for i := range entries[:min(most, len(entries))] {
		point.Entries = append(point.Entries, *entries[i].Entry)
	}
	if len(entries) > 0 {
		point.Category, point.Context = entries[0].category, entries[0].Context
	}
	for i := range point.Entries {
		if point.Context == nil || point.Entries[i].Context == nil || point.Entries[i].Context.ID != point.Context.ID {
			point.Context = nil
		}
	}
	return point, true
}

// usable returns 1 if the placement tells how to act, with actions, a contact or a link, and
// 0 otherwise.
func (e *Entry) usable() int {
	if len(e.Placement.Actions) > 0 || len(e.Contact) > 0 || len(e.Link) > 0 {
		return 1
	}
	return 0
}

// stage returns the first context value of a placement whose context has the role stage.
func (s *summarizer) stage() *taxonomy.ContextValue {
	for _, c := range s.categories {
		if cmp.Or(c.Context.Role, s.overlay.Contexts[c.ID].Role) != taxonomy.RoleStage {
			continue
		}
		for _, e := range s.placed[c.ID] {
			if e.Context != nil {
				return e.Context
			}
		}
	}
	return nil
}

// withoutRoles returns the first placements of the first five required categories or, if
// none is required, of the first five categories with placements.
func (s *summarizer) withoutRoles() []Point {
	var required, others []*taxonomy.Category
	for _, c := range s.categories {
		if len(s.placed[c.ID]) > 0 {
			others = append(others, c)
			if c.Required {
				required = append(required, c)
			}
		}
	}
	if len(required) == 0 {
		required = others
	}
	points := make([]Point, min(5, len(required)))
	for i := range points {
		first := s.placed[required[i].ID][0]
		points[i] = Point{Category: required[i], Context: first.Context, Entries: []Entry{*first}}
	}
	return points
}
