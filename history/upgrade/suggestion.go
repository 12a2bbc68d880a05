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
func (u *upgrader) readSuggestions(elements []taxonomy.Element) {
	list, _ := u.doc.Root().Get("suggested_elements")
	u.suggested = make(map[string]*suggestion, len(elements))
	for i := range elements {
		e := &elements[i]
		if u.suggested[e.ID] != nil {
			continue
		}
		s := &suggestion{element: e}
		s.at, _ = list.At(i)
		s.category = u.history.Category(e.CategoryID).Current()
		s.renamed = s.category != nil && s.category.ID != e.CategoryID
		u.suggested[e.ID] = s
	}
	for i := range u.instance.Elements {
		if s := u.suggested[u.instance.Elements[i].ElementID]; s != nil {
			s.placed = true
		}
	}
}

// suggestions moves the suggested elements.
func (u *upgrader) suggestions() {
	list, _ := u.doc.Root().Get("suggested_elements")
	for item := range list.All() {
		id, _ := item.Get("id")
		s := u.suggested[id.Text()]
		if s == nil || s.at != item {
			continue // a wrong shape, or a second one with this id
		}
		at, _ := item.Get("category_id")
		switch {
		case s.renamed:
			u.edit.Replace(at, quote(s.category.ID))
			u.done(kindCategoryRenamed, at, "Changed the category of the suggested element %s from %s to %s.", ident.Name(s.element.ID), ident.Name(s.element.CategoryID), ident.Name(s.category.ID))
		case s.category == nil:
			u.review(kindCategoryRemoved, at, "write a category of the version",
				"The category %s of the suggested element %s is not in %s.%s", ident.Name(s.element.CategoryID), ident.Name(s.element.ID),
				u.to.Version(), u.sentence(u.history.Lineage.RemovalNote(codes.IDCategory, s.element.CategoryID, u.since)))
		}
		if e, ok := u.to.Element(s.element.ID); ok {
			n := note{at: id, codes: []issue.Code{codes.ElementIDCollision}, ReportEntry: ReportEntry{
				Kind: kindSuggestionPublished, Class: Review,
				Message: fmt.Sprintf("The element %s is now published, and still suggested.", u.title(e.ID, e)),
				FixHint: "remove the suggestion if both mean the same; otherwise give it another id",
			}}
			if s.placed && u.embedded { // the same id twice
				n.Class, n.Code = NeedsPerson, codes.ElementIDCollision
			}
			u.note(n)
		}
	}
}
