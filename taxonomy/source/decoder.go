package source

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// decoder reads the nodes of one file into the model and notes what is wrong
// with them. Each problem is noted once, where it stands, and reading goes on.
type decoder struct {
	findings
	file  file
	hints hints
	// locales are those of the schema version, nil where they are unknown.
	locales []string
	// lost is set where the file holds a thing that others may refer to, and
	// its id can't be read.
	lost bool
}

// parse reads the content of the file into nodes.
func (d *decoder) parse(data []byte) (*node, bool) {
	root, err := d.file.parse(data)
	if err != nil {
		d.fail(err)
		return nil, false
	}
	return root, true
}

// fail notes that the file can't be read.
func (d *decoder) fail(err error) {
	d.lost = true
	var bad *syntaxError
	if !errors.As(err, &bad) {
		bad = &syntaxError{code: issue.CodeSourceUnreadable, message: err.Error(), hint: "put a readable file here"}
	}
	d.add(issue.Issue{
		Code: bad.code, Severity: issue.SeverityError, Message: bad.message, FixHint: bad.hint, Path: issue.Root,
		Position: d.at(bad.place),
	})
}

// at returns the position of a place in the file.
func (d *decoder) at(p place) issue.Position {
	return issue.Position{File: d.file.name, Line: p.line, Column: p.col}
}

func (d *decoder) error(c issue.Code, n *node, message, hint string) {
	d.add(issue.Issue{Code: c, Severity: issue.SeverityError, Message: message, FixHint: hint, Path: n.path(), Position: d.at(n.place)})
}

func (d *decoder) warn(c issue.Code, n *node, message, hint string) {
	d.add(issue.Issue{Code: c, Severity: issue.SeverityWarning, Message: message, FixHint: hint, Path: n.path(), Position: d.at(n.place)})
}

// fields is an object whose keys have been checked.
type fields struct {
	d    *decoder
	n    *node
	what string // how messages call the object
}

// fields checks that n is an object with known keys only. Keys that begin with
// ! must be there. It reports false where there is nothing to read.
func (d *decoder) fields(n *node, what string, keys ...string) (fields, bool) {
	f := fields{d, n, what}
	if n.kind != object {
		message := fmt.Sprintf("%s is %s, but must be an object", what, n.shown())
		if n.parent == nil && n.kind == null {
			message = "the file is empty"
		}
		d.error(issue.CodeFieldType, n, message, "write the keys "+strings.Join(plain(keys), ", "))
		return f, false
	}
	var meant []string // by unknown keys
	for i := range n.items {
		if n.parent == nil && n.items[i].key == "$schema" {
			continue // by which an editor knows the format
		}
		if item := &n.items[i]; !slices.ContainsFunc(keys, func(key string) bool { return strings.TrimPrefix(key, "!") == item.key }) {
			meant = append(meant, d.unknownKey(item, what, plain(keys)))
		}
	}
	for _, key := range keys {
		name, must := strings.CutPrefix(key, "!")
		if !must || f.get(name) != nil || slices.Contains(meant, name) {
			continue
		}
		i := issue.Issue{
			Code: issue.CodeFieldMissing, Severity: issue.SeverityError, Message: fmt.Sprintf("%s has no %s", what, name),
			FixHint: "add " + name, Path: n.path().Key(name), Position: d.at(n.place),
		}
		if empty := n.get(name); empty != nil {
			i.FixHint, i.Position = "write a value for "+name, d.at(empty.keyAt)
		}
		d.add(i)
	}
	return f, true
}

// plain returns keys without their marks.
func plain(keys []string) []string {
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = strings.TrimPrefix(key, "!")
	}
	return names
}

// unknownKey notes a key that is not known, and returns the one it is meant to
// be, as far as that can be told.
func (d *decoder) unknownKey(item *node, what string, known []string) (meant string) {
	hint := "remove it; the keys of this object are " + strings.Join(known, ", ")
	if meant = d.hints.nearest(item.key, slices.Values(known)); meant != "" {
		hint = "write " + meant
	}
	d.add(issue.Issue{
		Code: issue.CodeFieldUnknown, Severity: issue.SeverityError, FixHint: hint, Path: item.path(),
		Message:  fmt.Sprintf("%s has the unknown key %q", what, prose.Clip(item.key)),
		Position: d.at(item.keyAt),
	})
	return meant
}

// get returns the value of a key. A null is as good as no value.
func (f fields) get(key string) *node {
	if n := f.n.get(key); n != nil && n.kind != null {
		return n
	}
	return nil
}

// is checks the kind of a value.
func (f fields) is(n *node, want kind, hint string) bool {
	if n.kind == want {
		return true
	}
	f.d.error(issue.CodeFieldType, n, fmt.Sprintf("%s: %s is %s, but must be %s", f.what, f.name(n), n.shown(), want), hint)
	return false
}

// isText checks that a value is a text.
func (f fields) isText(n *node) bool {
	if n.kind == text {
		return true
	}
	hint := "write a text"
	if n.kind == number || n.kind == boolean {
		hint = "put it in quotes: " + prose.Quote(n.value)
	}
	return f.is(n, text, hint)
}

// name is how messages call a value within the object: title.en, sources[0].
func (f fields) name(n *node) string {
	step := prose.Clip(n.key)
	if !n.inObject() {
		step = fmt.Sprintf("[%d]", n.index)
	}
	switch {
	case n.parent == f.n:
		return step
	case n.inObject():
		step = "." + step
	}
	return f.name(n.parent) + step
}

// shown is how messages call a value that is not what it should be.
func (n *node) shown() string {
	switch n.kind {
	case boolean:
		return n.value
	case number:
		return "the number " + prose.Clip(n.value)
	case text:
		return "the text " + prose.Quote(n.value)
	}
	return n.kind.String()
}

// string reads a text field.
func (f fields) string(key string) string {
	n := f.get(key)
	if n == nil || !f.isText(n) {
		return ""
	}
	if strings.TrimSpace(n.value) == "" {
		f.d.error(issue.CodeFieldValue, n, fmt.Sprintf("%s: %s is empty", f.what, key), "write a text or remove the key")
		return ""
	}
	return n.value
}

// bool reads a field that is true or false.
func (f fields) bool(key string) bool {
	n := f.get(key)
	return n != nil && f.is(n, boolean, "write true or false") && strings.EqualFold(n.value, "true")
}

// int reads a whole number of at least least.
func (f fields) int(key string, least int) int {
	n := f.get(key)
	if n == nil || !f.is(n, number, "write a whole number in plain digits, such as 3") {
		return 0
	}
	const limit = 1_000_000_000 // within the int of every platform
	i, err := strconv.Atoi(n.value)
	if err != nil || i < least || i > limit {
		f.d.error(issue.CodeFieldValue, n, fmt.Sprintf("%s: %s is %s, but must be a whole number from %d to %d", f.what, key, prose.Clip(n.value), least, limit), "write a whole number in plain digits, such as 3")
		return 0
	}
	return i
}

// list yields the items of a list field. A list of more than most items is
// refused, unless most is 0.
func (f fields) list(key string, most int) iter.Seq[*node] {
	return func(yield func(*node) bool) {
		n := f.get(key)
		if n == nil || !f.is(n, list, "write a list: [a, b], or each item on a line after -") {
			return
		}
		if most > 0 && len(n.items) > most {
			f.d.error(issue.CodeFieldValue, n, fmt.Sprintf("%s: %s has %d items, but may have %d at most", f.what, key, len(n.items), most), "write fewer")
			return
		}
		for i := range n.items {
			if !yield(&n.items[i]) {
				return
			}
		}
	}
}

// choice reads a text field that is one of a few words.
func choice[T ~string](f fields, key string, among ...T) T {
	words := make([]string, len(among))
	for i, w := range among {
		words[i] = string(w)
	}
	allowed := "one of " + strings.Join(words, ", ")
	n := f.get(key)
	if n == nil || !f.is(n, text, "write "+allowed) {
		return ""
	}
	if slices.Contains(words, n.value) {
		return T(n.value)
	}
	hint := "write " + allowed
	if near := f.d.hints.nearest(n.value, slices.Values(words)); near != "" {
		hint = "write " + near
	}
	f.d.error(issue.CodeFieldValue, n, fmt.Sprintf("%s: %s is %q, but must be %s", f.what, key, prose.Clip(n.value), allowed), hint)
	return ""
}
