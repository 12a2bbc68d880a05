package folder

import (
	"slices"

	"github.com/datachain-go/datachain/authoring/internal/yaml"
)

// Objects are the elements, the categories and the schema of a version.
type Objects map[ObjectID]Object

// ObjectID identifies an object. Kind is element or category; both are empty for the schema.
type ObjectID struct{ Kind, ID string }

// Object is an object of a file.
type Object struct {
	File string
	Node *yaml.Node
}

// Define notes where the objects of a file are, in place of those that it had before. The
// first with an id counts.
func (o Objects) Define(file Entry, root *yaml.Node) {
	note := func(kind string, n *yaml.Node) {
		if id := n.Get("id"); id != nil {
			at := ObjectID{kind, id.Value}
			if known, taken := o[at]; !taken || known.File == file.Name {
				o[at] = Object{file.Name, n}
			}
		}
	}
	switch {
	case file.Kind == Schema:
		o[ObjectID{}] = Object{file.Name, root}
	case file.Kind == Categories:
		note("category", root)
	case root.Kind == yaml.List:
		for i := range slices.Backward(root.Items) {
			note("element", &root.Items[i])
		}
	default:
		note("element", root)
	}
}

// LocaleEntry is one text of a localized string.
type LocaleEntry struct {
	Locale string
	At     yaml.Place // of the locale
	Value  *yaml.Node
}

// LocaleEntryOf reads a member of a map from locale to text, or an item of a list of {locale,
// value}.
func LocaleEntryOf(item *yaml.Node) (e LocaleEntry) {
	if item.InObject() {
		return LocaleEntry{item.Key, item.KeyAt, item}
	}
	if code := item.Get("locale"); code != nil {
		e.Locale, e.At = code.Value, code.Place
	}
	e.Value = item.Get("value")
	return e
}
