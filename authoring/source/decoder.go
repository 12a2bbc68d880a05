package source

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// decoder reads the nodes of one file into the model. It reports each problem
// once, at its position, and reads on.
type decoder struct {
	*folder.File
	hints folder.Hints
	// locales are those of the schema version, or nil if they are unknown.
	locales []string
}

// fields is an object whose keys have been checked.
type fields struct {
	*decoder
	node *yaml.Node
	what string // names the object in messages
}

// fields checks that n is an object and has only the given keys. A key that is
// marked with ! is required. It returns false if n is not an object.
func (d *decoder) fields(n *yaml.Node, what string, keys ...string) (fields, bool) {
	f := fields{d, n, what}
	if n.Kind != yaml.Object {
		hint := "write the keys " + strings.Join(unmarked(keys), ", ")
		if n.Parent == nil && n.Kind == yaml.Null {
			d.Errorf(codes.FieldType, d.At(n), hint, "The file is empty.")
		} else {
			f.wrong(codes.FieldType, n, hint, "must be an object, not %s", n)
		}
		return f, false
	}
	var misspelt []string // the keys that unknown ones stand for
	for item := range n.All() {
		if n.Parent == nil && item.Key == "$schema" {
			continue // tells an editor the format
		}
		switch {
		case slices.Contains(keys, item.Key):
			if item.Blank {
				f.emptyKey(item)
			}
		case !slices.Contains(keys, "!"+item.Key):
			misspelt = append(misspelt, f.unknownKey(item, unmarked(keys)))
		}
	}
	for _, key := range keys {
		name, required := strings.CutPrefix(key, "!")
		if !required || f.get(name) != nil || slices.Contains(misspelt, name) {
			continue
		}
		hint, at := "add "+name, n.Place
		if empty := n.Get(name); empty != nil {
			hint, at = lostHint(empty, "write a value for "+name), empty.KeyAt
		}
		d.Errorf(codes.FieldMissing, folder.Location{At: d.Position(at), Path: n.Path().Key(name)}, hint, "%s: %s is missing.", what, name)
	}
	return f, true
}

// emptyKey reports an optional key without a value. It is an error if the value is
// clearly there, but lost.
func (f fields) emptyKey(item *yaml.Node) {
	report := f.Warnf
	if _, ok := lostColor(item); ok {
		report = f.Errorf
	}
	report(codes.FieldEmpty, folder.Location{At: f.Position(item.KeyAt), Path: item.Path()}, lostHint(item, "write a value or remove the key"),
		"%s: %s has no value.", f.what, item.Key)
}

// lostHint returns the hint for a key without a value: the value may have become a
// comment.
func lostHint(item *yaml.Node, otherwise string) string {
	if color, ok := lostColor(item); ok {
		return fmt.Sprintf("put the colour in quotes: %s: %q; without quotes, # begins a comment", item.Key, color)
	}
	if yaml.HidesText(item.Comment) {
		return fmt.Sprintf("if %s is the value, put it in quotes, because # begins a comment; otherwise %s", wording.Quote(item.Comment), otherwise)
	}
	return otherwise
}

// lostColor returns the colour that was written without quotes, and so is a comment.
func lostColor(item *yaml.Node) (string, bool) {
	if item.Key != "color" || !strings.HasPrefix(item.Comment, "#") {
		return "", false
	}
	written, _, _ := strings.Cut(item.Comment, " ") // another comment may follow
	return asColor(written)
}

// unmarked returns keys without the marks of required ones.
func unmarked(keys []string) []string {
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = strings.TrimPrefix(key, "!")
	}
	return names
}

// unknownKey reports an unknown key and returns the known one that it likely is,
// or "" if that is not clear.
func (f fields) unknownKey(item *yaml.Node, known []string) (likely string) {
	hint := "remove it; the allowed keys are " + strings.Join(known, ", ")
	near := slices.DeleteFunc(otherNames(item.Key), func(name string) bool { return !slices.Contains(known, name) })
	if len(near) == 0 {
		near = f.hints.Nearest(item.Key, slices.Values(known))
	}
	if len(near) > 0 {
		hint = "write " + wording.Or(near)
	}
	i := folder.NewError(codes.FieldUnknown, folder.Location{At: f.Position(item.KeyAt), Path: item.Path()}, hint, "%s: unknown key %s.", f.what, wording.Quote(item.Key))
	if len(near) == 1 {
		likely = near[0]
		if f.node.Get(likely) == nil {
			i.Fix = &issue.Fix{Path: i.Path, Key: likely}
		}
	}
	f.Add(i)
	return likely
}

// otherNames returns the keys for what other formats, or other objects of this one,
// call by another name.
func otherNames(key string) []string {
	switch key {
	case "category":
		return []string{"category_id"}
	case "symbol", "icon", "icon_id":
		return []string{"symbol_id"}
	case "element_variables", "category_variables":
		return []string{"variables"}
	case "name", "title", "label":
		return []string{"title", "name", "label"}
	}
	return nil
}

// wrong reports an error in the object, at n.
func (f fields) wrong(c issue.Code, n *yaml.Node, hint, format string, args ...any) {
	f.Errorf(c, f.At(n), hint, "%s: %s.", f.what, fmt.Sprintf(format, args...))
}

// get returns the value of a key. A null counts as no value.
func (f fields) get(key string) *yaml.Node {
	if n := f.node.Get(key); n != nil && n.Kind != yaml.Null {
		return n
	}
	return nil
}

// place returns where the value of a key is, if it has one.
func (f fields) place(key string) yaml.Place {
	if n := f.get(key); n != nil {
		return n.Place
	}
	return yaml.Place{}
}

// is checks the kind of a value.
func (f fields) is(n *yaml.Node, want yaml.Kind, hint string) bool {
	if n.Kind != want {
		f.wrong(codes.FieldType, n, hint, "%s must be %s, not %s", f.name(n), want, n)
	}
	return n.Kind == want
}

// isText checks that a value is a string.
func (f fields) isText(n *yaml.Node) bool {
	hint := "write a string"
	if n.Kind == yaml.Number || n.Kind == yaml.Boolean {
		hint = "put it in quotes: " + wording.Quote(n.Value)
	}
	return f.is(n, yaml.String, hint)
}

// name returns the path of a value within the object: title.en, sources[0].
func (f fields) name(n *yaml.Node) string {
	step := wording.Plain(n.Key)
	if !n.InObject() {
		step = fmt.Sprintf("[%d]", n.Index)
	}
	switch {
	case n.Parent == f.node:
		return step
	case n.InObject():
		step = "." + step
	}
	return f.name(n.Parent) + step
}

// string reads a string field.
func (f fields) string(key string) string {
	n := f.get(key)
	if n == nil || !f.isText(n) {
		return ""
	}
	if strings.TrimSpace(n.Value) == "" {
		f.wrong(codes.FieldValue, n, "write a value or remove the key", "%s is empty", key)
		return ""
	}
	return n.Value
}

// bool reads a field that is true or false.
func (f fields) bool(key string) bool {
	n := f.get(key)
	return n != nil && f.is(n, yaml.Boolean, "write true or false") && strings.EqualFold(n.Value, "true")
}

// int reads an integer field that has a minimum.
func (f fields) int(key string, minimum int) int {
	const hint = "write an integer in plain digits, such as 3"
	const limit = 1_000_000_000 // fits the int of every platform
	n := f.get(key)
	if n == nil || !f.is(n, yaml.Number, hint) {
		return 0
	}
	i, err := strconv.Atoi(n.Value)
	if err != nil || i < minimum || i > limit {
		f.wrong(codes.FieldValue, n, hint, "%s must be an integer from %d to %d, not %s", key, minimum, limit, wording.Plain(n.Value))
		return 0
	}
	return i
}

// list yields the items of a list field. More than maximum items are an error, unless maximum
// is 0.
func (f fields) list(key string, maximum int) iter.Seq[*yaml.Node] {
	return func(yield func(*yaml.Node) bool) {
		n := f.get(key)
		if n == nil || !f.is(n, yaml.List, "write a list: [a, b], or one item per line after -") {
			return
		}
		if maximum > 0 && len(n.Items) > maximum {
			f.wrong(codes.FieldValue, n, "shorten the list", "%s has %d items, but at most %d are allowed", key, len(n.Items), maximum)
			return
		}
		n.All()(yield)
	}
}

// choice reads a string field that is one of a few words.
func choice[T ~string](f fields, key string, allowed ...T) T {
	words := make([]string, len(allowed))
	for i, w := range allowed {
		words[i] = string(w)
	}
	hint := "write " + wording.Or(words)
	n := f.get(key)
	if n == nil || !f.is(n, yaml.String, hint) {
		return ""
	}
	if slices.Contains(words, n.Value) {
		return T(n.Value)
	}
	f.Misspelt(&f.hints, folder.NewError(codes.FieldValue, f.At(n), hint,
		"%s: %s must be %s, not %s.", f.what, key, wording.Or(words), wording.Quote(n.Value)), n.Value, slices.Values(words))
	return ""
}
