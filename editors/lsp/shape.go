package lsp

import (
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// shape is a part of a JSON Schema: what completion needs of it.
type shape struct {
	Ref         string           `json:"$ref"`
	Description string           `json:"description"`
	Type        jsontext.Value   `json:"type"`
	Enum        []jsontext.Value `json:"enum"`
	Required    []string         `json:"required"`
	Properties  members          `json:"properties"`
	Additional  *shape           `json:"additionalProperties"`
	Items       *shape           `json:"items"`
	AnyOf       []*shape         `json:"anyOf"`
	AllOf       []*shape         `json:"allOf"`
	Defs        members          `json:"$defs"`
}

// UnmarshalJSON reads a schema, which may also be true or false.
func (s *shape) UnmarshalJSON(text []byte) error {
	type plain shape // without this method
	if kind := jsontext.Value(text).Kind(); kind != '{' {
		return nil
	}
	return json.Unmarshal(text, (*plain)(s))
}

// members are named schemas, in the order of the text.
type members []member

type member struct {
	name  string
	shape *shape
}

// UnmarshalJSONFrom reads members in order.
func (m *members) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		next := member{name.String(), new(shape)}
		if err := json.UnmarshalDecode(d, next.shape); err != nil {
			return err
		}
		*m = append(*m, next)
	}
	_, err := d.ReadToken()
	return err
}

func (m members) get(name string) *shape {
	for _, x := range m {
		if x.name == name {
			return x.shape
		}
	}
	return nil
}

// The shapes of documents and of authoring files. Resolved documents have every field of thin
// ones, too.
var (
	documentShape  = newShape("resolved")
	schemaShape    = newShape("authoring_schema")
	categoryShape  = newShape("authoring_category")
	elementsShape  = newShape("authoring_elements")
	evolutionShape = newShape("authoring_evolution")
)

// newShape returns a function that returns the shape of a JSON Schema. It is read when
// it is needed first.
func newShape(name string) func() *shape {
	return sync.OnceValue(func() *shape {
		root := new(shape)
		text, _ := validate.JSONSchema(name)
		if err := json.Unmarshal(text, root); err != nil {
			panic("lsp: " + err.Error()) // it is embedded
		}
		return root
	})
}

// at returns the shapes that a value at a path can have.
func (s *shape) at(path issue.Path) []*shape {
	list := s.alternatives(s)
	for _, step := range path {
		var next []*shape
		for _, x := range list {
			child := x.Additional
			if _, isIndex := step.IsIndex(); isIndex {
				child = x.Items
			} else if p := x.Properties.get(step.Name()); p != nil {
				child = p
			}
			if child != nil {
				next = append(next, s.alternatives(child)...)
			}
		}
		list = next
	}
	return list
}

// alternatives returns a shape with those that it refers to; s is the root.
func (s *shape) alternatives(x *shape) []*shape {
	list := []*shape{x}
	if x.Ref != "" {
		if target := s.resolve(x.Ref); target != nil {
			list = append(list, s.alternatives(target)...)
		}
	}
	for _, other := range slices.Concat(x.AnyOf, x.AllOf) {
		list = append(list, s.alternatives(other)...)
	}
	return list
}

// resolve returns the target of a reference such as #/$defs/a/$defs/b.
func (s *shape) resolve(ref string) *shape {
	at := s
	for _, name := range strings.Split(ref, "/")[1:] {
		if name == "$defs" {
			continue
		}
		if at = at.Defs.get(name); at == nil {
			return nil
		}
	}
	return at
}

// kind returns the kind of the values of a shape: '"', '[', '{', '0', 't', or 0 if
// there are several.
func (s *shape) kind(x *shape) byte {
	kinds := map[string]byte{`"string"`: '"', `"array"`: '[', `"object"`: '{', `"integer"`: '0', `"number"`: '0', `"boolean"`: 't'}
	found := byte(0)
	for _, other := range s.alternatives(x) {
		k := kinds[string(other.Type)]
		if k != 0 && found != 0 && k != found {
			return 0
		}
		found = max(found, k)
	}
	return found
}
