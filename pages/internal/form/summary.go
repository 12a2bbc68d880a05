package form

import (
	"html/template"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/internal/style"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// summaryRow is a point of the summary.
type summaryRow struct {
	Icon, Tag template.HTML
	Name      phrases.Text
	Lines     []phrases.Text // what the document says, or none
}

// summarize makes what people will see first of the document as it is so far.
func (c *composeForm) summarize() {
	instance, err := taxonomy.DecodeInstance(c.doc)
	if err != nil {
		return // the script keeps the last one
	}
	r := c.Release()
	shown := &datachain.Presentation{Release: r, Datachain: &taxonomy.Resolved{Instance: *instance, SchemaSnapshot: taxonomy.Snapshot{DatachainType: *r.Type()}}}
	for _, p := range instance.Elements {
		if e := c.elementOf(p.ElementID); e != nil {
			shown.Datachain.SchemaSnapshot.Elements = append(shown.Datachain.SchemaSnapshot.Elements, *e)
		}
	}
	points := summary.Of(shown.Datachain, shown.Release, c.roles()).Points
	if !slices.ContainsFunc(points, func(p summary.Point) bool { return p.Role != "" }) {
		for _, category := range r.Categories() {
			if category.Required && !slices.ContainsFunc(points, func(p summary.Point) bool { return p.Category.ID == category.ID }) {
				points = append(points, summary.Point{Category: category})
			}
		}
	}
	for i := range points {
		c.Summary = append(c.Summary, c.summaryRow(&points[i]))
	}
}

// summaryRow returns a point of the summary in the language of the form.
func (c *composeForm) summaryRow(p *summary.Point) summaryRow {
	row := summaryRow{Icon: core.Shape(p.Category.Shape), Name: c.Name(p.Category.Name, p.Category.ID)}
	if p.Role != "" {
		row.Name = c.Own(phrases.In(c.Lang).Heading(p))
	}
	if p.Context != nil && p.Context.Color != "" {
		label := c.Name(p.Context.Label, p.Context.ID)
		row.Tag = template.HTML(style.Tag(&p.Category.Context, p.Context, string(label.HTML()), "")) //nolint:gosec // escaped
	}
	for i := range p.Entries {
		e := &p.Entries[i]
		if e.Element == nil {
			continue
		}
		if _, published := c.Release().Element(e.Element.ID); published && i == 0 {
			row.Icon = c.Icon(c.Schema, e.Element)
		}
		said := []taxonomy.Localized{e.Name}
		if p.Role == codes.RolePurpose {
			said = []taxonomy.Localized{e.Words, e.Name}
		}
		said = append(said, e.Element.Title)
		said = said[slices.IndexFunc(said, func(l taxonomy.Localized) bool { return len(l) > 0 }):][:1]
		switch p.Role {
		case codes.RoleAccountable:
			said = append(said, e.Contact)
		case codes.RoleRisk:
			said = append(said, e.Safeguard)
		case "":
			for _, v := range e.Placement.Variables[:min(2, len(e.Placement.Variables))] {
				said = append(said, v.Text)
			}
		}
		for _, l := range said {
			if t := c.Blanks(l, e.Element.Variables, nil); !t.Empty() {
				row.Lines = append(row.Lines, t)
			}
		}
	}
	return row
}

// roles are those that the register gives the taxonomy, or nil.
func (c *composeForm) roles() *summary.Roles {
	if c.Register == nil {
		return nil
	}
	return c.Register.Settings().Roles[c.Release().Version().Type()]
}
