package write

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// Document returns a document to fill in, as indented JSON with the fields in the order in
// which people read them, and a placement for each required category of a release. Its texts
// have the locale. It is not valid yet: in place of each element it has the id of the category,
// and the values of variables are empty. Validating it reports each of them, with the choices.
func Document(r *taxonomy.Release, id, locale string, now time.Time) ([]byte, error) {
	if _, err := taxonomy.MatchLocale(nil, locale); err != nil {
		return nil, fmt.Errorf("write: %s: %w", r.Version(), err)
	}
	s := struct {
		ID            string               `json:"id"`
		SchemaVersion taxonomy.Version     `json:"schema_version"`
		CreatedAt     string               `json:"created_at"`
		Elements      []taxonomy.Placement `json:"elements"`
	}{id, r.Version(), now.Format(time.RFC3339), []taxonomy.Placement{}}
	for _, c := range r.Categories() {
		if !c.Required && c.Cardinality.Min == 0 {
			continue
		}
		for range max(1, c.Cardinality.Min) {
			s.Elements = append(s.Elements, taxonomy.Placement{ElementID: placeholder(r, c), Variables: emptyValues(c, locale)})
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(s)
	return b.Bytes(), err
}

// placeholder returns the id in place of an element: that of its category, for which
// validating lists the choices, or if there is an element with that id, a similar one.
func placeholder(r *taxonomy.Release, c *taxonomy.Category) string {
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
