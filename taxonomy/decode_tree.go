package taxonomy

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// treeReader decodes values of a document. Editors validate at every keystroke, so it
// walks the tree that the document has already, without reflection, and cuts small
// slices from larger ones. It keeps the first error.
type treeReader struct {
	live *Release // that a snapshot probably comes from, or nil
	err  error

	// Room for what documents have many of.
	texts   []Text
	strings []string
	values  []VariableValue
	labels  []Label
}

func (r *treeReader) fail(v document.Value, want string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s: must be %s", cmp.Or(v.Path().String(), "document"), want)
	}
}

// object calls known for each member of an object. Members for which it reports
// false are kept in extra, unless that is nil.
func (r *treeReader) object(v document.Value, known func(key string, v document.Value) bool, extra *Extra) {
	if v.Kind() != '{' {
		r.fail(v, "an object")
		return
	}
	for m := range v.All() {
		key := m.Key()
		if known(key, m) || extra == nil {
			continue
		}
		if *extra == nil {
			*extra = make(Extra)
		}
		(*extra)[key] = m.Raw()
	}
}

// maxRoom is how much room is made for a list or map before its items are read. A
// placement takes a hundred times the memory of a zero in a hostile document.
const maxRoom = 1024

// each decodes a list. It allocates as it goes and ends at the first error.
func each[T any](r *treeReader, v document.Value, into *[]T, read func(document.Value, *T)) {
	eachIn(r, v, make([]T, 0, min(v.Len(), maxRoom)), into, read)
}

// eachIn decodes a list into given room.
func eachIn[T any](r *treeReader, v document.Value, room []T, into *[]T, read func(document.Value, *T)) {
	if v.Kind() != '[' {
		r.fail(v, "an array")
		return
	}
	for item := range v.All() {
		if r.err != nil {
			return
		}
		var next T
		room = append(room, next)
		read(item, &room[len(room)-1])
	}
	*into = room
}

// cut returns room for n items, which it cuts from a larger slice.
func cut[T any](from *[]T, n int) []T {
	const few = 32
	if n == 0 {
		return []T{} // not nil: the document has the list
	}
	if n = min(n, maxRoom); n > cap(*from)-len(*from) {
		*from = make([]T, 0, max(n, few))
	}
	at := len(*from)
	*from = (*from)[:at+n]
	return (*from)[at : at : at+n]
}

func text[S ~string](r *treeReader, v document.Value, into *S) {
	if v.Kind() == '"' {
		*into = S(v.Text())
		return
	}
	r.fail(v, "a string")
}

func (r *treeReader) string(v document.Value, into *string) { text(r, v, into) }

func (r *treeReader) stringList(v document.Value, into *[]string) {
	eachIn(r, v, cut(&r.strings, v.Len()), into, r.string)
}

func (r *treeReader) bool(v document.Value, into *bool) {
	switch v.Kind() {
	case 't', 'f':
		*into = v.Kind() == 't'
	default:
		r.fail(v, "true or false")
	}
}

func (r *treeReader) int(v document.Value, into *int) {
	i, err := strconv.Atoi(string(v.Raw()))
	if err != nil {
		// An integer can be written as 2.0 or 2e1, too.
		f, errFloat := strconv.ParseFloat(string(v.Raw()), 64)
		if i = int(f); errFloat != nil || float64(i) != f {
			r.fail(v, "an integer")
			return
		}
	}
	*into = i
}

func (r *treeReader) localized(v document.Value, into *Localized) {
	eachIn(r, v, cut(&r.texts, v.Len()), (*[]Text)(into), r.localeText)
}

func (r *treeReader) localeText(v document.Value, t *Text) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "locale":
			r.string(v, &t.Locale)
		case "value":
			r.string(v, &t.Value)
		}
		return true
	}, nil)
}

func (r *treeReader) source(v document.Value, s *Source) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "type":
			r.string(v, &s.Type)
		case "title":
			r.string(v, &s.Title)
		case "url":
			r.string(v, &s.URL)
		case "citation":
			r.string(v, &s.Citation)
		case "licence":
			r.string(v, &s.Licence)
		case "attribution":
			r.string(v, &s.Attribution)
		}
		return true
	}, nil)
}
