package source

import (
	"iter"
	"strings"

	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Value is a value of a YAML or JSON file with its position, for formats that are
// imported. It has only the types of JSON, as in authoring source. The zero Value is a
// missing one: its methods return nothing.
type Value struct {
	node *yaml.Node
	file string
}

// ParseValue reads the content of a file within the limits of authoring source on
// nesting and aliases. The content is JSON if the name ends with .json, and otherwise
// YAML. The issue says why it can't be read; it is nil if it can.
func ParseValue(name string, content []byte) (Value, *issue.Issue) {
	root, p := yaml.Parse(name, content)
	if p != nil {
		return Value{}, &issue.Issue{
			Code: p.Code, Severity: issue.SeverityError, Message: p.Message, FixHint: p.Hint, Position: p.In(name),
		}
	}
	return Value{root, name}, nil
}

// kind returns the kind of the value. A missing one is null.
func (v Value) kind() yaml.Kind {
	if v.node == nil {
		return yaml.Null
	}
	return v.node.Kind
}

// Exists reports whether there is a value. A null is none.
func (v Value) Exists() bool { return v.kind() != yaml.Null }

// IsObject reports whether the value is an object.
func (v Value) IsObject() bool { return v.kind() == yaml.Object }

// IsList reports whether the value is a list.
func (v Value) IsList() bool { return v.kind() == yaml.List }

// Text returns the value of a string.
func (v Value) Text() (string, bool) {
	if v.kind() != yaml.String {
		return "", false
	}
	return v.node.Value, true
}

// Scalar returns a string, a number or a boolean as it is written, without quotes.
func (v Value) Scalar() (string, bool) {
	if k := v.kind(); k != yaml.String && k != yaml.Number && k != yaml.Boolean {
		return "", false
	}
	return v.node.Value, true
}

// Bool returns the value of a boolean.
func (v Value) Bool() (value, ok bool) {
	if v.kind() != yaml.Boolean {
		return false, false
	}
	return v.node.Value[0] == 't' || v.node.Value[0] == 'T', true
}

// Key returns the key of a member of an object, and "" for other values.
func (v Value) Key() string {
	if v.node == nil {
		return ""
	}
	return v.node.Key
}

// Get returns a member of an object.
func (v Value) Get(key string) Value {
	if v.node == nil {
		return Value{}
	}
	return Value{v.node.Get(key), v.file}
}

// Items iterates over the items of a list or the members of an object, in order.
func (v Value) Items() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for item := range v.node.All() {
			if !yield(Value{item, v.file}) {
				return
			}
		}
	}
}

// Path returns the path of the value in its file.
func (v Value) Path() issue.Path {
	if v.node == nil {
		return nil
	}
	return v.node.Path()
}

// Position returns where the value is, or its key if it is a member of an object.
func (v Value) Position() issue.Position {
	if v.node == nil {
		return issue.Position{File: v.file}
	}
	if v.node.InObject() {
		return v.node.KeyAt.In(v.file)
	}
	return v.node.In(v.file)
}

// SuggestID turns a string into an id that is valid according to a function: without accents,
// and with _ for what an id can't have. A long string is cut. It returns "" if nothing is left.
func SuggestID(s string, valid func(string) bool) string {
	if len(s) > ident.MaxIDLength/2 {
		s = strings.ToValidUTF8(s[:ident.MaxIDLength/2], "")
	}
	return toID(s, valid)
}
