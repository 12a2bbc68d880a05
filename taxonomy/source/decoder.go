package source

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// decoder reads the nodes of one file into the model and notes what is wrong
// with them. Each problem is noted once, where it stands, and reading goes on.
type decoder struct {
	findings
	file  string
	hints *hints
	// locales are those of the schema version, nil where they are unknown.
	locales []string
}

// at returns the position of a node.
func (d *decoder) at(n *node) taxonomy.Position {
	return taxonomy.Position{File: d.file, Line: n.line, Column: n.col}
}

func (d *decoder) report(s taxonomy.Severity, c taxonomy.Code, n *node, message, hint string) {
	d.add(taxonomy.Issue{Code: c, Severity: s, Message: message, FixHint: hint, Path: n.path(), Position: d.at(n)})
}

func (d *decoder) error(c taxonomy.Code, n *node, message, hint string) {
	d.report(taxonomy.SeverityError, c, n, message, hint)
}

func (d *decoder) warn(c taxonomy.Code, n *node, message, hint string) {
	d.report(taxonomy.SeverityWarning, c, n, message, hint)
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
	known := make([]string, len(keys))
	for i, key := range keys {
		known[i] = strings.TrimPrefix(key, "!")
	}
	if n.kind != object {
		d.error(taxonomy.CodeFieldType, n, fmt.Sprintf("%s is %s, but must be an object", what, n.kind), "write the keys "+strings.Join(known, ", "))
		return f, false
	}
	for _, item := range n.items {
		if slices.Contains(known, item.key.value) {
			continue
		}
		hint := "remove it; the keys of this object are " + strings.Join(known, ", ")
		if near := d.hints.nearest(item.key.value, slices.Values(known)); near != "" {
			hint = "write " + near
		}
		i := taxonomy.Issue{
			Code: taxonomy.CodeFieldUnknown, Severity: taxonomy.SeverityError, FixHint: hint, Path: item.path(),
			Message:  fmt.Sprintf("%s has the unknown key %q", what, item.key.value),
			Position: taxonomy.Position{File: d.file, Line: item.key.line, Column: item.key.col},
		}
		d.add(i)
	}
	for _, key := range keys {
		if name, must := strings.CutPrefix(key, "!"); must && f.get(name) == nil {
			d.add(taxonomy.Issue{
				Code: taxonomy.CodeFieldMissing, Severity: taxonomy.SeverityError, FixHint: "add " + name,
				Message: fmt.Sprintf("%s has no %s", what, name),
				Path:    n.path().Key(name), Position: d.at(n),
			})
		}
	}
	return f, true
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
	f.d.error(taxonomy.CodeFieldType, n, fmt.Sprintf("%s: %s is %s, but must be %s", f.what, name(n), n.kind, want), hint)
	return false
}

// name is how messages call a value: by its key, or its place in a list.
func name(n *node) string {
	switch {
	case n.key != nil:
		return n.key.value
	case n.parent != nil:
		return fmt.Sprintf("%s[%d]", name(n.parent), n.index)
	}
	return "the file"
}

// string reads a text field.
func (f fields) string(key string) string {
	n := f.get(key)
	if n == nil || !f.is(n, text, "put it in quotes: "+strconv.Quote(n.value)) {
		return ""
	}
	if strings.TrimSpace(n.value) == "" {
		f.d.error(taxonomy.CodeFieldValue, n, fmt.Sprintf("%s: %s is empty", f.what, key), "write a text or remove the key")
	}
	return n.value
}

// bool reads a field that is true or false.
func (f fields) bool(key string) bool {
	n := f.get(key)
	return n != nil && f.is(n, boolean, "write true or false") && n.value == "true"
}

// int reads a whole number of at least least.
func (f fields) int(key string, least int) int {
	n := f.get(key)
	if n == nil || !f.is(n, number, "write a whole number") {
		return 0
	}
	const limit = 1_000_000_000 // within the int of every platform
	i, err := strconv.Atoi(n.value)
	if err != nil || i < least || i > limit {
		f.d.error(taxonomy.CodeFieldValue, n, fmt.Sprintf("%s: %s is %s, but must be a whole number from %d to %d", f.what, key, n.value, least, limit), "write a whole number")
		return 0
	}
	return i
}

// list yields the items of a list field.
func (f fields) list(key string) iter.Seq[*node] {
	return func(yield func(*node) bool) {
		n := f.get(key)
		if n == nil || !f.is(n, list, "write a list: one - a line, or [a, b]") {
			return
		}
		for _, item := range n.items {
			if !yield(item) {
				return
			}
		}
	}
}

// strings reads a list of texts, with the node of each.
func (f fields) strings(key string) iter.Seq2[string, *node] {
	return func(yield func(string, *node) bool) {
		for item := range f.list(key) {
			if f.is(item, text, "put it in quotes: "+strconv.Quote(item.value)) && !yield(item.value, item) {
				return
			}
		}
	}
}

// choice reads a text field that is one of a few words.
func choice[T ~string](f fields, key string, among ...T) T {
	n := f.get(key)
	if n == nil || !f.is(n, text, "write one of "+joined(among)) {
		return ""
	}
	if slices.Contains(among, T(n.value)) {
		return T(n.value)
	}
	hint := "write one of " + joined(among)
	if near := f.d.hints.nearest(n.value, func(yield func(string) bool) {
		for _, word := range among {
			if !yield(string(word)) {
				return
			}
		}
	}); near != "" {
		hint = "write " + near
	}
	f.d.error(taxonomy.CodeFieldValue, n, fmt.Sprintf("%s: %s is %q, but must be one of %s", f.what, key, n.value, joined(among)), hint)
	return ""
}

func joined[T ~string](words []T) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = string(w)
	}
	return strings.Join(all, ", ")
}
