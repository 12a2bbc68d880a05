package form

import (
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// composeElement is an element to choose.
type composeElement struct {
	*core.ElementRow
	Element *taxonomy.Element
	Placed  bool
	// Needs are the fields to fill in if it is chosen, which the script shows without a request.
	Needs *composePlacement
}

// listAll lists the elements of the open question, or of all for the script.
func (c *composeForm) listAll() error {
	elements := core.Child(c.doc.Root(), "elements")
	for _, one := range c.Questions {
		if one.Listed = one.Category != nil && !one.Locked && !one.Full && (one.Open || c.Lists); !one.Listed {
			continue
		}
		query := search.Query{Categories: []string{one.Category.ID}, Limit: maxChoices}
		if one.Open {
			query.Text = core.QueryText(c.Query)
		} else {
			query.Limit = min(maxChoices, max(minListed, maxListed/len(c.Release().Categories())))
		}
		if err := c.listElements(one, elements, query); err != nil {
			return err
		}
	}
	return nil
}

// listElements lists the elements of a category, or those that match the query.
func (c *composeForm) listElements(one *composeQuestion, elements document.Value, query search.Query) error {
	r := c.Release()
	placed := make(map[string]bool)
	for p := range elements.All() {
		placed[core.TextAt(p, "element_id")] = true
	}
	var list []*taxonomy.Element
	var total int
	var index *search.Index
	if query.Text == "" {
		begin, end := r.CategoryRange(one.Category.ID)
		list, total = r.Elements()[begin:min(end, begin+query.Limit)], end-begin
	} else {
		found, x, err := c.Schema.Search(c.Ctx, c.Chooser().Locale, query)
		if err != nil {
			return err
		}
		for _, hit := range found.Hits {
			list = append(list, hit.Element)
		}
		index, total = x, found.Total
		one.Meant = core.Meant(found.DidYouMean, "")
	}
	for _, e := range list {
		if e.Deprecated() && !placed[e.ID] {
			continue
		}
		own := c.ElementRow(c.Schema, e, index, query)
		own.About = c.about(e)
		one.Choices = append(one.Choices, &composeElement{
			ElementRow: own, Element: e, Placed: placed[e.ID], Needs: c.needs(e, one.Category),
		})
	}
	one.Query = query.Text
	if total > len(list) {
		one.MoreThan = c.Word("compose.moreelements", c.Number(len(list)), c.Number(total))
	}
	return nil
}
