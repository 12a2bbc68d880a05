package source

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	wire "github.com/datachain-go/datachain/internal/fields"
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
	c.in(Step{Key: "title"}, reflect.ValueOf(a.Title))
	c.in(Step{Key: "description"}, reflect.ValueOf(a.Description))
	c.in(Step{Key: "notes"}, reflect.ValueOf(a.Notes))
	c.in(Step{Key: "datachain_type"}, reflect.ValueOf(a.Type))
	c.in(Step{Key: "removed"}, reflect.ValueOf(a.Removed))
	for i := range a.Categories {
		c.kind, c.id = KindCategory, a.Categories[i].ID
		c.walk(reflect.ValueOf(&a.Categories[i]).Elem())
	}
	for i := range a.Elements {
		c.kind, c.id = KindElement, a.Elements[i].ID
		c.walk(reflect.ValueOf(&a.Elements[i]).Elem())
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

// in collects the texts of a value below a step.
func (c *textCollector) in(s Step, v reflect.Value) {
	c.prefix = append(c.prefix, s)
	c.walk(v)
	c.prefix = c.prefix[:len(c.prefix)-1]
}

// walk collects the texts of a value by the struct tags of its type.
func (c *textCollector) walk(v reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[taxonomy.Localized]():
		if l, _ := v.Interface().(taxonomy.Localized); len(l) > 0 {
			c.list = append(c.list, LocalizedText{c.kind, c.id, slices.Clone(c.prefix), l})
		}
	case v.Kind() == reflect.Struct:
		list, _ := wire.Of(v.Type())
		for _, f := range list {
			c.in(Step{Key: f.Name}, v.FieldByIndex(f.Index))
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			s := Step{Number: i + 1}
			if item := v.Index(i); item.Kind() == reflect.Struct && item.FieldByName("ID").IsValid() {
				s = Step{ID: item.FieldByName("ID").String()}
			}
			c.in(s, v.Index(i))
		}
	}
}
