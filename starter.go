package datachain

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// Starter is a document to fill in. Its fields are in the order in which people read
// them. It is not valid yet: in place of each element is the id of its category, and the
// values of variables are empty. Validating it reports each of them until it is filled in,
// and lists the choices.
type Starter struct {
	ID            string               `json:"id"`
	SchemaVersion taxonomy.Version     `json:"schema_version"`
	CreatedAt     string               `json:"created_at"`
	Elements      []taxonomy.Placement `json:"elements"`
}

// NewStarter returns a starter for documents of a release, with a placement for each
// required category. Its texts are to be written in a locale.
func NewStarter(r *taxonomy.Release, id, locale string, now time.Time) *Starter {
	s := &Starter{
		ID: id, SchemaVersion: r.Version(), CreatedAt: now.Format(time.RFC3339),
		Elements: []taxonomy.Placement{},
	}
	for _, c := range r.Categories() {
		if !c.Required && c.Cardinality.Min == 0 {
			continue
		}
		for range max(1, c.Cardinality.Min) {
			s.Elements = append(s.Elements, taxonomy.Placement{ElementID: gap(r, c), Variables: emptyValues(c, locale)})
		}
	}
	return s
}

// Text returns the starter as indented JSON.
func (s *Starter) Text() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(s)
	return b.Bytes(), err
}

// gap returns what is in place of an element: the id of its category, from which
// validating tells the choices, or if that is an element, a similar id that is not.
func gap(r *taxonomy.Release, c *taxonomy.Category) string {
	id := c.ID
	for {
		if _, taken := r.Element(id); !taken {
			return id
		}
		id += "_"
	}
}

// emptyValues returns the required variables of a category without values.
func emptyValues(c *taxonomy.Category, locale string) []taxonomy.VariableValue {
	var list []taxonomy.VariableValue
	for _, v := range c.Variables {
		if !v.Required {
			continue
		}
		value := taxonomy.VariableValue{ID: v.ID}
		if v.Type != taxonomy.SelectVariable {
			value.Text = taxonomy.Localized{{Locale: locale}}
		}
		list = append(list, value)
	}
	return list
}
