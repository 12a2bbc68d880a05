package validate

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var categoryCount = &Rule{
	Name:  "category_count",
	Doc:   "A category has as many placements as its cardinality allows.",
	Codes: []issue.Code{codes.ElementRequired, codes.InstanceCategoryTooMany},
	// Too few placements are reported only if all are known; more only add findings.
	DespiteShape: true,
	Needs:        Limits,
	Run: func(_ context.Context, p *Pass) error {
		for _, c := range p.countingSchema().Categories() {
			if p.unknown.has(AllElements) {
				break
			}
			least := c.Cardinality.Min
			if least == 0 {
				continue
			}
			n := p.countIntended(c, least)
			// The rule required_category reports a required category without any.
			if n < least && (n > 0 || !c.Required) {
				p.reportTooFew(c, issue.Issue{
					Code:    codes.ElementRequired,
					Message: fmt.Sprintf("The category %s needs at least %s, but has %d.", ident.Name(c.ID), wording.Count(least, "placement"), n),
				}, fmt.Sprintf("%d more", least-n))
			}
		}
		var count map[*taxonomy.Category]int
		for placed := range p.Placements() {
			c := placed.counted.category
			if c == nil || c.Cardinality.Max == 0 || p.perCategory[c] <= c.Cardinality.Max {
				continue
			}
			if count == nil {
				count = make(map[*taxonomy.Category]int)
			}
			if count[c]++; count[c] > c.Cardinality.Max {
				p.fail(codes.InstanceCategoryTooMany, placed.Path(),
					fmt.Sprintf("The category %s can have at most %s; this is number %d.", ident.Name(c.ID), wording.Count(c.Cardinality.Max, "placement"), count[c]),
					"remove this placement, or another one of the category")
			}
		}
		return nil
	},
}

var elementCount = &Rule{
	Name:  "element_count",
	Doc:   "An element is placed no more often than its max_placements allows.",
	Codes: []issue.Code{codes.InstanceElementTooMany},
	// More placements only add findings.
	DespiteShape: true,
	Needs:        Limits,
	Run: func(_ context.Context, p *Pass) error {
		var count map[*taxonomy.Element]int
		for placed := range p.Placements() {
			e := placed.counted.element
			if e == nil || e.MaxPlacements == 0 {
				continue
			}
			if count == nil {
				count = make(map[*taxonomy.Element]int)
			}
			if count[e]++; count[e] > e.MaxPlacements {
				p.fail(codes.InstanceElementTooMany, placed.Path(),
					fmt.Sprintf("The element %s can have at most %s; this is number %d.", ident.Name(e.ID), wording.Count(e.MaxPlacements, "placement"), count[e]),
					"remove this placement, or another one of the element")
			}
		}
		return nil
	},
}

var requiredCategory = &Rule{
	Name:  "required_category",
	Doc:   "Each required category has a placement, even if its element_id is misspelled.",
	Codes: []issue.Code{codes.RequiredCategoryMissing},
	// Any placement could be of the category.
	DespiteShape: true,
	Needs:        AllElements | Limits,
	Run: func(_ context.Context, p *Pass) error {
		for _, c := range p.countingSchema().Categories() {
			if c.Required && p.countIntended(c, 1) == 0 {
				p.reportTooFew(c, issue.Issue{
					Code:    codes.RequiredCategoryMissing,
					Message: fmt.Sprintf("The category %s is required, but has no placement.", ident.Name(c.ID)),
				}, "one")
			}
		}
		return nil
	},
}

// reportTooFew reports a category that needs more placements. The hint lists its elements, as
// far as the schema has them: a snapshot lacks the elements that are not placed.
func (p *Pass) reportTooFew(c *taxonomy.Category, i issue.Issue, howMany string) {
	list, n := listing(elementIDs(p.countingSchema().ElementsOf(c.ID)))
	if n == 0 {
		list = "the elements of the category"
	}
	i.Path, i.About.Category = elementsPath, c.ID
	if i.FixHint = fmt.Sprintf("place %s of %s", howMany, list); p.Live != nil {
		i.FixHint += "; then resolve the document again"
	}
	p.Report(i)
}

// counted is what a placement counts as: an element and its category, or nil.
type counted struct {
	element  *taxonomy.Element
	category *taxonomy.Category
}

// countingSchema returns the schema that says which categories are required, and how often
// elements and categories can be placed: the published version, if there is one. A snapshot
// has only the categories that are placed, so it can't say that a required one is missing.
func (p *Pass) countingSchema() Definitions {
	if p.Live != nil {
		return p.Live
	}
	return p.Schema
}

// count sets what each placement counts as, and counts the placements of each category.
func (p *Pass) count() {
	p.perCategory = make(map[*taxonomy.Category]int)
	for i := range p.placed {
		placed := &p.placed[i]
		placed.counted = counted{placed.Element, placed.Category}
		if p.Live != nil {
			placed.counted = p.countLive(placed)
		}
		if c := placed.counted.category; c != nil {
			p.perCategory[c]++
		}
	}
}

// countIntended returns how many placements a category has. If they are fewer than needed,
// it also counts misspelled ids of its elements, and the id of the category in their place:
// these are reported as unknown elements, not also as missing placements.
func (p *Pass) countIntended(c *taxonomy.Category, needed int) int {
	n := p.perCategory[c]
	if n < needed {
		n += p.typos().perCategory[c]
	}
	return n
}

// misspelled is what the placements of unknown elements were probably meant to place.
type misspelled struct {
	elements    map[string]bool
	perCategory map[*taxonomy.Category]int
}

// typos guesses which elements and categories the placements of unknown elements mean.
func (p *Pass) typos() *misspelled {
	if p.misspelled != nil {
		return p.misspelled
	}
	m := &misspelled{make(map[string]bool), make(map[*taxonomy.Category]int)}
	p.misspelled = m
	for placed := range p.Placements() {
		if placed.counted.element != nil || placed.brokenID {
			continue
		}
		category := placed.ElementID // it may be written in place of one of its elements
		near := p.hints.element(placed.ElementID, p.countingSchema()).one
		if e, ok := p.countingSchema().Element(near); ok {
			m.elements[near], category = true, e.CategoryID
		}
		if c, ok := p.countingSchema().Category(category); ok {
			m.perCategory[c]++
		}
	}
	return m
}

// countLive returns what a placement of a resolved document counts as in the published
// version, which has the last word on published elements; others are suggestions.
func (p *Pass) countLive(placed *Placed) counted {
	e, published := p.Live.Element(placed.ElementID)
	if !published {
		if e = p.snapshot.suggested[placed.ElementID]; e == nil {
			return counted{}
		}
	}
	c, _ := p.Live.Category(e.CategoryID)
	return counted{e, c}
}
