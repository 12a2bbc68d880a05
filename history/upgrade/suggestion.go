package upgrade

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// suggestion is a suggested element. It is kept, and only its category follows.
type suggestion struct {
	at      document.Value
	element *taxonomy.Element
	// category is that of the new version, or nil if it has none.
	category *taxonomy.Category
	renamed  bool // the category has another id
	placed   bool
}

// readSuggestions collects the suggested elements by id. Of two with the same id the
// first counts.
func (m *upgrader) readSuggestions(elements []taxonomy.Element) {
	list, _ := m.doc.Root().Get("suggested_elements")
	m.suggested = make(map[string]*suggestion, len(elements))
	for i := range elements {
		e := &elements[i]
		if m.suggested[e.ID] != nil {
			continue
		}
		s := &suggestion{element: e}
		s.at, _ = list.At(i)
		s.category = m.past.Category(e.CategoryID).Current()
		s.renamed = s.category != nil && s.category.ID != e.CategoryID
		m.suggested[e.ID] = s
	}
	for i := range m.instance.Elements {
		if s := m.suggested[m.instance.Elements[i].ElementID]; s != nil {
			s.placed = true
		}
	}
}

// suggestions moves the suggested elements.
func (m *upgrader) suggestions() {
	list, _ := m.doc.Root().Get("suggested_elements")
	for item := range list.All() {
		id, _ := item.Get("id")
		s := m.suggested[id.Text()]
		if s == nil || s.at != item {
			continue // a wrong shape, or a second one with this id
		}
		at, _ := item.Get("category_id")
		switch {
		case s.renamed:
			m.edit.Replace(at, quote(s.category.ID))
			m.done(kindCategoryRenamed, at, "Changed the category of the suggested element %s from %s to %s.", ident.Name(s.element.ID), ident.Name(s.element.CategoryID), ident.Name(s.category.ID))
		case s.category == nil:
			m.review(kindCategoryRemoved, at, "write a category of the version",
				"The category %s of the suggested element %s is not in %s.%s", ident.Name(s.element.CategoryID), ident.Name(s.element.ID),
				m.to.Version(), m.sentence(m.past.Lineage.RemovalNote(codes.IDCategory, s.element.CategoryID, m.since)))
		}
		if e, ok := m.to.Element(s.element.ID); ok {
			n := note{at: id, codes: []issue.Code{codes.ElementIDCollision}, ReportEntry: ReportEntry{
				Kind: kindSuggestionPublished, Class: Review,
				Message: fmt.Sprintf("The element %s is now published, and still suggested.", m.title(e.ID, e)),
				FixHint: "remove the suggestion if both mean the same; otherwise give it another id",
			}}
			if s.placed && m.embedded { // the same id twice
				n.Class, n.Code = NeedsPerson, codes.ElementIDCollision
			}
			m.note(n)
		}
	}
}
