package taxonomy

import (
	"encoding/json"

	jsonv2 "github.com/go-json-experiment/json"
)

// Extra holds the fields of a JSON object that this package does not know, by
// name, so that reading a document and writing it again keeps them. Types
// without it, such as [Source] or [Option], are read for what is known of them
// alone; who must keep every field of those, too, has the texts of a
// [Document] and of a [Release].
type Extra map[string]json.RawMessage

// Manifest is the title page of a schema version.
type Manifest struct {
	ID          Version   `json:"id"`
	Status      Status    `json:"status"`
	ContentHash Hash      `json:"content_hash"`
	Title       Localized `json:"title"`
	Description Localized `json:"description"`
	// Locales are the languages of the schema version; the first one is the
	// fallback.
	Locales []string `json:"locales"`
	Extra   Extra    `json:",embed"`
}

// Type is the datachain type that a schema version defines.
type Type struct {
	ID          string    `json:"id"`
	Name        Localized `json:"name"`
	Description Localized `json:"description,omitempty"`
	// Categories are the ids of the categories in declaration order.
	Categories []string   `json:"categories"`
	Subchains  []Subchain `json:"subchains"`
	Extra      Extra      `json:",embed"`
}

// Subchain is a named part of a datachain: some of its categories.
type Subchain struct {
	ID         string    `json:"id"`
	Name       Localized `json:"name"`
	Categories []string  `json:"categories"`
}

// Shape is the outline that the icons of a category have.
type Shape string

// The four shapes.
const (
	Circle        Shape = "circle"
	Hexagon       Shape = "hexagon"
	Octagon       Shape = "octagon"
	RoundedSquare Shape = "rounded-square"
)

// Shapes returns the four shapes in alphabetical order.
func Shapes() []Shape { return []Shape{Circle, Hexagon, Octagon, RoundedSquare} }

// Category groups elements that answer one question about a system.
type Category struct {
	ID          string    `json:"id"`
	Name        Localized `json:"name"`
	Description Localized `json:"description"`
	Shape       Shape     `json:"shape"`
	// Required means that a datachain must place an element of the category.
	Required    bool        `json:"required,omitzero"`
	Cardinality Cardinality `json:"cardinality,omitzero"`
	// Variables are inherited by each element of the category; elements
	// carry the effective list.
	Variables []Variable `json:"variables,omitempty"`
	Context   Context    `json:"context"`
	// Prompt is the question that an author answers with the category.
	Prompt            Localized `json:"prompt,omitempty"`
	AuthoringGuidance Localized `json:"authoring_guidance,omitempty"`
	Extra             Extra     `json:",embed"`
}

// Cardinality bounds how many placements of a category a datachain may have.
// The zero value bounds nothing.
type Cardinality struct {
	Min int `json:"min,omitzero"`
	// Max is the most placements; 0 means any number.
	Max int `json:"max,omitzero"`
}

// Context is a choice that a placement can make for its category, such as how
// far the data identifies a person.
type Context struct {
	ID          string    `json:"id,omitempty"`
	Name        Localized `json:"name,omitempty"`
	Description Localized `json:"description,omitempty"`
	// Required means that a placement must choose a value.
	Required bool           `json:"required,omitzero"`
	Values   []ContextValue `json:"values"`
}

// Value returns the context value with the id.
func (c *Context) Value(id string) (*ContextValue, bool) {
	for i := range c.Values {
		if c.Values[i].ID == id {
			return &c.Values[i], true
		}
	}
	return nil, false
}

// ContextValue is one choice of a [Context], and an icon variant.
type ContextValue struct {
	ID          string    `json:"id"`
	Label       Localized `json:"label"`
	Description Localized `json:"description,omitempty"`
	// Color is #RRGGBB; without one the value is a tag, and its icon is the
	// default one.
	Color string `json:"color,omitempty"`
}

// Element is what a datachain places: one statement about a system.
type Element struct {
	ID          string    `json:"id"`
	Title       Localized `json:"title"`
	Description Localized `json:"description"`
	CategoryID  string    `json:"category_id"`
	SymbolID    string    `json:"symbol_id"`
	// IconVariants are the variants that an icon of the element comes in:
	// default, dark, and the context values of its category.
	IconVariants []string `json:"icon_variants"`
	// Variables are the effective variables: those of the category and the
	// element's own, which override by id.
	Variables []Variable `json:"variables"`
	// Keywords are further words by which the element is found.
	Keywords Localized `json:"keywords,omitempty"`
	// MaxPlacements is how often a datachain may place the element; 0 means
	// any number.
	MaxPlacements int `json:"max_placements,omitzero"`
	// Order sorts elements of one category before their ids do.
	Order             int       `json:"order,omitzero"`
	AuthoringGuidance Localized `json:"authoring_guidance,omitempty"`
	Sources           []Source  `json:"sources,omitempty"`
	Extra             Extra     `json:",embed"`
}

// Variable returns the effective variable with the id.
func (e *Element) Variable(id string) (*Variable, bool) {
	for i := range e.Variables {
		if e.Variables[i].ID == id {
			return &e.Variables[i], true
		}
	}
	return nil, false
}

// VariableType says what the value of a variable looks like.
type VariableType string

const (
	// TextVariable values are localized strings.
	TextVariable VariableType = "text"
	// SelectVariable values are lists of option ids.
	SelectVariable VariableType = "select"
)

// Variable is a blank of an element that a placement fills in.
type Variable struct {
	ID       string       `json:"id"`
	Label    Localized    `json:"label"`
	Required bool         `json:"required"`
	Type     VariableType `json:"type"`
	// Options are what a select variable offers.
	Options []Option `json:"options,omitempty"`
}

// Option is one choice of a select [Variable].
type Option struct {
	ID          string    `json:"id"`
	Label       Localized `json:"label"`
	Description Localized `json:"description,omitempty"`
	// AppliesTo are the ids of the elements that may use the option; empty
	// means every element that has the variable.
	AppliesTo []string `json:"applies_to,omitempty"`
}

// Source is where a statement comes from.
type Source struct {
	Type     string `json:"type"`
	Title    string `json:"title"`
	URL      string `json:"url,omitempty"`
	Citation string `json:"citation,omitempty"`
}

// The types with Extra bring their own methods, so that encoding/json, which
// has no way to embed unknown fields, reads and writes them whole, too.

// MarshalJSON writes the manifest with its extra fields.
func (m Manifest) MarshalJSON() ([]byte, error) {
	type plain Manifest
	return jsonv2.Marshal(plain(m), jsonv2.Deterministic(true))
}

// UnmarshalJSON reads a manifest and keeps the fields it does not know.
func (m *Manifest) UnmarshalJSON(data []byte) error {
	type plain Manifest
	return jsonv2.Unmarshal(data, (*plain)(m))
}

// MarshalJSON writes the type with its extra fields.
func (t Type) MarshalJSON() ([]byte, error) {
	type plain Type
	return jsonv2.Marshal(plain(t), jsonv2.Deterministic(true))
}

// UnmarshalJSON reads a type and keeps the fields it does not know.
func (t *Type) UnmarshalJSON(data []byte) error {
	type plain Type
	return jsonv2.Unmarshal(data, (*plain)(t))
}

// MarshalJSON writes the category with its extra fields.
func (c Category) MarshalJSON() ([]byte, error) {
	type plain Category
	return jsonv2.Marshal(plain(c), jsonv2.Deterministic(true))
}

// UnmarshalJSON reads a category and keeps the fields it does not know.
func (c *Category) UnmarshalJSON(data []byte) error {
	type plain Category
	return jsonv2.Unmarshal(data, (*plain)(c))
}

// MarshalJSON writes the element with its extra fields.
func (e Element) MarshalJSON() ([]byte, error) {
	type plain Element
	return jsonv2.Marshal(plain(e), jsonv2.Deterministic(true))
}

// UnmarshalJSON reads an element and keeps the fields it does not know.
func (e *Element) UnmarshalJSON(data []byte) error {
	type plain Element
	return jsonv2.Unmarshal(data, (*plain)(e))
}
