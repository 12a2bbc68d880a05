package source

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// LocalizedText is a text of authoring source that is translated.
type LocalizedText struct {
	// Kind, ID and Path say where it is, as in a [Change], without a locale.
	Kind Kind
	ID   string
	Path []Step
	Text taxonomy.Localized
}

// Key identifies the text in its version, such as element/purpose.safety/title or
// category/device/variables/area/label.
func (t *LocalizedText) Key() string {
	parts := []string{"schema"}
	if t.Kind != "" {
		parts = []string{string(t.Kind), t.ID}
	}
	for _, s := range t.Path {
		switch {
		case s.Number > 0:
			parts = append(parts, fmt.Sprint(s.Number))
		default:
			parts = append(parts, s.Key+s.ID)
		}
	}
	return strings.Join(parts, "/")
}

// Texts returns every text that is translated: those of the schema file, then of the
// categories, then of the elements, in order.
func (a *Authored) Texts() []LocalizedText {
	var c textCollector
	c.add(a.Title, Step{Key: "title"})
	c.add(a.Description, Step{Key: "description"})
	c.add(a.Notes, Step{Key: "notes"})
	c.in(Step{Key: "datachain_type"}, func() {
		c.add(a.Type.Name, Step{Key: "name"})
		c.add(a.Type.Description, Step{Key: "description"})
		for _, s := range a.Type.Subchains {
			c.add(s.Name, Step{Key: "subchains"}, Step{ID: s.ID}, Step{Key: "name"})
		}
	})
	for _, r := range a.Removed {
		c.in(Step{Key: "removed"}, func() {
			c.in(Step{ID: r.ID}, func() {
				c.add(r.Note, Step{Key: "note"})
				c.successors(r.ReplacedBy)
			})
		})
	}
	for i := range a.Categories {
		c.category(&a.Categories[i])
	}
	for i := range a.Elements {
		c.element(&a.Elements[i])
	}
	return c.list
}

// textCollector collects the texts of one object after the other.
type textCollector struct {
	kind   Kind
	id     string
	prefix []Step
	list   []LocalizedText
}

func (c *textCollector) add(l taxonomy.Localized, path ...Step) {
	if len(l) > 0 {
		c.list = append(c.list, LocalizedText{c.kind, c.id, slices.Concat(c.prefix, path), l})
	}
}

// in collects texts below a step.
func (c *textCollector) in(s Step, collect func()) {
	c.prefix = append(c.prefix, s)
	collect()
	c.prefix = c.prefix[:len(c.prefix)-1]
}

func (c *textCollector) category(cat *taxonomy.Category) {
	c.kind, c.id = KindCategory, cat.ID
	c.add(cat.Name, Step{Key: "name"})
	c.add(cat.Description, Step{Key: "description"})
	c.variables(cat.Variables)
	c.in(Step{Key: "context"}, func() {
		c.add(cat.Context.Name, Step{Key: "name"})
		c.add(cat.Context.Description, Step{Key: "description"})
		for _, v := range cat.Context.Values {
			c.add(v.Label, Step{Key: "values"}, Step{ID: v.ID}, Step{Key: "label"})
			c.add(v.Description, Step{Key: "values"}, Step{ID: v.ID}, Step{Key: "description"})
		}
	})
	c.add(cat.Prompt, Step{Key: "prompt"})
	c.add(cat.AuthoringGuidance, Step{Key: "authoring_guidance"})
}

func (c *textCollector) element(e *taxonomy.Element) {
	c.kind, c.id = KindElement, e.ID
	c.add(e.Title, Step{Key: "title"})
	c.add(e.Description, Step{Key: "description"})
	c.add(e.Keywords, Step{Key: "keywords"})
	c.successors(e.ReplacedBy)
	c.variables(e.Variables)
	c.add(e.AuthoringGuidance, Step{Key: "authoring_guidance"})
	for i, l := range e.Examples {
		c.add(l, Step{Key: "examples"}, Step{Number: i + 1})
	}
}

func (c *textCollector) variables(list []taxonomy.Variable) {
	for _, v := range list {
		c.add(v.Label, Step{Key: "variables"}, Step{ID: v.ID}, Step{Key: "label"})
		for _, o := range v.Options {
			at := []Step{{Key: "variables"}, {ID: v.ID}, {Key: "options"}, {ID: o.ID}}
			c.add(o.Label, slices.Concat(at, []Step{{Key: "label"}})...)
			c.add(o.Description, slices.Concat(at, []Step{{Key: "description"}})...)
		}
	}
}

func (c *textCollector) successors(list []taxonomy.Successor) {
	for _, s := range list {
		c.add(s.Note, Step{Key: "replaced_by"}, Step{ID: s.ID}, Step{Key: "note"})
	}
}
