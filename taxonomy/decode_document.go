package taxonomy

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// DecodeInstance returns a document as a thin datachain. It fails if a known field
// has a value of the wrong type, and checks nothing else.
func DecodeInstance(d *document.Document) (*Instance, error) {
	i := new(Instance)
	return i, errname.Add("taxonomy", decode(&treeReader{}, d, i))
}

// DecodeResolved returns a document as a resolved datachain, as [DecodeInstance]
// does.
func DecodeResolved(d *document.Document) (*Resolved, error) { return decodeResolved(d, nil) }

// DecodeResolved is like the function [DecodeResolved], but faster for a document that
// was resolved with this release: parts of the snapshot that are the same are those of
// the release, and must not be modified.
func (r *Release) DecodeResolved(d *document.Document) (*Resolved, error) {
	return decodeResolved(d, r)
}

func decodeResolved(d *document.Document, published *Release) (*Resolved, error) {
	res := new(Resolved)
	err := decode(&treeReader{published: published}, d, res)
	res.completeSuggestions()
	return res, errname.Add("taxonomy", err)
}

// unmarshal decodes a text with the decoder of documents, so that both accept the same JSON.
func unmarshal[T any](text []byte, into *T) error {
	d, err := document.Parse(slices.Clone(text)) // fields keep parts of it
	if err != nil {
		return err
	}
	return decode(&treeReader{}, d, into)
}

// decode decodes a document. Null is not a valid value of any field.
func decode[T any](tr *treeReader, d *document.Document, into *T) error {
	if !d.Strict() {
		return fmt.Errorf("taxonomy: the document is not strict JSON: %w", d.SyntaxErrors()[0])
	}
	t := reflect.TypeFor[T]()
	cached, ok := treeReaders.Load(t)
	if !ok {
		cached, _ = treeReaders.LoadOrStore(t, treeReaderOf(t))
	}
	read, _ := cached.(readTree)
	tr.err = nil
	if read(tr, d.Root(), reflect.ValueOf(into).Elem()); tr.err != nil {
		return tr.err
	}
	return nil
}

// treeReaders caches the reader of each type that was decoded: making one reads all tags.
var treeReaders sync.Map

// treeReader decodes the values of a document. Editors validate at every keystroke, so it
// reads the tree that the document already has instead of parsing the text again, and cuts
// small slices from larger ones. It keeps the first error.
type treeReader struct {
	published *Release // the release from which the snapshot probably comes, or nil
	err       *valueError

	// Slices from which cut takes the slices of the many small lists of a document.
	texts   []Text
	strings []string
	values  []VariableValue
}

func (tr *treeReader) fail(v document.Value, want string) {
	if tr.err == nil {
		tr.err = &valueError{v.Path(), errors.New("must be " + want)}
	}
}

// valueError is the error for a value that can't be decoded.
type valueError struct {
	path issue.Path
	err  error
}

func (e *valueError) Error() string {
	return cmp.Or(e.path.String(), "document") + ": " + e.err.Error()
}

func (e *valueError) Unwrap() error { return e.err }

// readTree decodes a value of a document into a variable.
type readTree func(tr *treeReader, v document.Value, into reflect.Value)

// treeReaderOf returns the reader of a type: a special one for some types, or that of its
// kind.
func treeReaderOf(t reflect.Type) readTree {
	switch t {
	case reflect.TypeFor[Type]():
		return publishedOr(func(r *Release, _ string) (*Type, string) { return r.Type(), r.TypeJSON() })
	case reflect.TypeFor[Category]():
		return publishedOr(func(r *Release, id string) (*Category, string) { c, _ := r.Category(id); return c, r.CategoryJSON(id) })
	case reflect.TypeFor[Element]():
		return publishedOr(func(r *Release, id string) (*Element, string) { e, _ := r.Element(id); return e, r.ElementJSON(id) })
	case reflect.TypeFor[Localized]():
		return treeReaderFor((*treeReader).localized)
	case reflect.TypeFor[[]string]():
		return treeReaderFor((*treeReader).stringList)
	case reflect.TypeFor[Label]():
		return treeReaderFor((*treeReader).label)
	case reflect.TypeFor[VariableValue]():
		return treeReaderFor((*treeReader).variableValue)
	case reflect.TypeFor[[]VariableValue]():
		return treeReaderFor(func(tr *treeReader, v document.Value, into *[]VariableValue) {
			eachIn(tr, v, cut(&tr.values, v.Len()), into, (*treeReader).variableValue)
		})
	case reflect.TypeFor[map[string]ElementProvenance]():
		read := structReader(reflect.TypeFor[ElementProvenance]())
		return mapReader(func(tr *treeReader, v document.Value, into *ElementProvenance) {
			read(tr, v, reflect.ValueOf(into).Elem())
		})
	case reflect.TypeFor[map[string]json.RawMessage]():
		return mapReader(func(_ *treeReader, v document.Value, into *json.RawMessage) { *into = v.Raw() })
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return readText
	}
	return treeReaderOfKind(t)
}

// readText decodes a string into a type that parses it.
func readText(tr *treeReader, v document.Value, into reflect.Value) {
	text, _ := reflect.TypeAssert[encoding.TextUnmarshaler](into.Addr())
	if v.Kind() != '"' {
		tr.fail(v, "a string")
	} else if err := text.UnmarshalText([]byte(v.Text())); err != nil && tr.err == nil {
		tr.err = &valueError{v.Path(), err}
	}
}

// treeReaderOfKind returns the reader of a type by its kind.
func treeReaderOfKind(t reflect.Type) readTree {
	switch t.Kind() {
	case reflect.String:
		return func(tr *treeReader, v document.Value, into reflect.Value) {
			if v.Kind() != '"' {
				tr.fail(v, "a string")
				return
			}
			into.SetString(v.Text())
		}
	case reflect.Bool:
		return func(tr *treeReader, v document.Value, into reflect.Value) {
			if v.Kind() != 't' && v.Kind() != 'f' {
				tr.fail(v, "true or false")
				return
			}
			into.SetBool(v.Kind() == 't')
		}
	case reflect.Int:
		return readInt
	case reflect.Struct:
		return structReader(t)
	case reflect.Slice:
		return listReader(t)
	case reflect.Pointer:
		read := treeReaderOf(t.Elem())
		return func(tr *treeReader, v document.Value, into reflect.Value) {
			into.Set(reflect.New(t.Elem()))
			read(tr, v, into.Elem())
		}
	}
	panic("taxonomy: values of type " + t.String() + " can't be decoded")
}

// treeReaderFor returns a function that decodes into a *T as a reader.
func treeReaderFor[T any](read func(*treeReader, document.Value, *T)) readTree {
	return func(tr *treeReader, v document.Value, into reflect.Value) { read(tr, v, pointer[T](into)) }
}

// publishedOr returns the reader of a type of which a release has values. A value with the same
// text as that of the release is copied from there: most documents are validated while the
// version that they pin is published. find returns the value with an id, and its text.
func publishedOr[T any](find func(r *Release, id string) (*T, string)) readTree {
	read := structReader(reflect.TypeFor[T]())
	return func(tr *treeReader, v document.Value, into reflect.Value) {
		if tr.published != nil {
			id, _ := v.Get("id")
			if known, text := find(tr.published, id.Text()); known != nil && string(v.Raw()) == text {
				*pointer[T](into) = *known
				return
			}
		}
		read(tr, v, into)
	}
}

// structReader returns the reader of a struct type with the wire fields that its tags
// describe.
func structReader(t reflect.Type) readTree {
	p := newPlan(t)
	return func(tr *treeReader, v document.Value, into reflect.Value) {
		if v.Kind() != '{' {
			tr.fail(v, "an object")
			return
		}
		next := 0
		for m := range v.All() {
			key := m.Key()
			if i := p.find(key, next); i >= 0 {
				p.fields[i].read(tr, m, within(into, p.fields[i].index))
				next = i + 1
			} else if p.extra != nil {
				p.addExtra(into, key, m.Raw())
			}
		}
	}
}

// maxPrealloc is the number of items that are allocated before a list or map is read. In a
// hostile document, an item of one byte would take a hundred times its size.
const maxPrealloc = 1024

// listReader returns the reader of a slice type. It allocates as it reads, and stops at the
// first error.
func listReader(t reflect.Type) readTree {
	read, empty := treeReaderOf(t.Elem()), reflect.MakeSlice(t, 0, 0)
	return func(tr *treeReader, v document.Value, into reflect.Value) {
		if v.Kind() != '[' {
			tr.fail(v, "an array")
			return
		}
		into.Set(empty) // not nil: the document has the list
		into.Grow(min(v.Len(), maxPrealloc))
		n := 0
		for item := range v.All() {
			if tr.err != nil {
				return
			}
			if n == into.Len() {
				into.Grow(1)
				into.SetLen(min(into.Cap(), v.Len()))
			}
			read(tr, item, into.Index(n))
			n++
		}
	}
}

// mapReader returns the reader of a map type.
func mapReader[T any](read func(*treeReader, document.Value, *T)) readTree {
	return treeReaderFor(func(tr *treeReader, v document.Value, into *map[string]T) {
		*into = make(map[string]T, min(v.Len(), maxPrealloc))
		eachOf(tr, v, *into, read)
	})
}

// eachOf decodes the members of an object into a map. Inside the closure of mapReader, the loop
// would allocate.
func eachOf[T any](tr *treeReader, v document.Value, into map[string]T, read func(*treeReader, document.Value, *T)) {
	if v.Kind() != '{' {
		tr.fail(v, "an object")
		return
	}
	next, none := new(T), *new(T)
	for m := range v.All() {
		*next = none
		read(tr, m, next)
		into[m.Key()] = *next
	}
}

// eachIn decodes a list into an empty slice with its capacity.
func eachIn[T any](tr *treeReader, v document.Value, buf []T, into *[]T, read func(*treeReader, document.Value, *T)) {
	if v.Kind() != '[' {
		tr.fail(v, "an array")
		return
	}
	for item := range v.All() {
		if tr.err != nil {
			return
		}
		var next T
		buf = append(buf, next)
		read(tr, item, &buf[len(buf)-1])
	}
	*into = buf
}

// cut returns an empty slice with capacity for n items, cut from a larger slice.
func cut[T any](from *[]T, n int) []T {
	const few = 32
	if n == 0 {
		return []T{} // not nil: the document has the list
	}
	if n = min(n, maxPrealloc); n > cap(*from)-len(*from) {
		*from = make([]T, 0, max(n, few))
	}
	at := len(*from)
	*from = (*from)[:at+n]
	return (*from)[at : at : at+n]
}

func readInt(tr *treeReader, v document.Value, into reflect.Value) {
	i, err := strconv.Atoi(string(v.Raw()))
	if err != nil {
		// An integer can be written as 2.0 or 2e1, too.
		f, errFloat := strconv.ParseFloat(string(v.Raw()), 64)
		if i = int(f); errFloat != nil || float64(i) != f {
			tr.fail(v, "an integer")
			return
		}
	}
	into.SetInt(int64(i))
}

func (tr *treeReader) string(v document.Value, into *string) {
	if v.Kind() != '"' {
		tr.fail(v, "a string")
		return
	}
	*into = v.Text()
}

func (tr *treeReader) stringList(v document.Value, into *[]string) {
	eachIn(tr, v, cut(&tr.strings, v.Len()), into, (*treeReader).string)
}

// Texts have their own functions, since documents consist of them.

func (tr *treeReader) localized(v document.Value, into *Localized) {
	eachIn(tr, v, cut(&tr.texts, v.Len()), (*[]Text)(into), (*treeReader).text)
}

func (tr *treeReader) text(v document.Value, into *Text) {
	if v.Kind() != '{' {
		tr.fail(v, "an object")
		return
	}
	for m := range v.All() {
		switch m.Key() {
		case "locale":
			tr.string(m, &into.Locale)
		case "value":
			tr.string(m, &into.Value)
		}
	}
}

func (tr *treeReader) label(v document.Value, into *Label) {
	if v.Kind() == '[' {
		tr.localized(v, &into.Text)
		return
	}
	tr.string(v, &into.Plain)
}

// variableValue decodes a value, which has one of two forms.
func (tr *treeReader) variableValue(v document.Value, into *VariableValue) {
	if v.Kind() != '{' {
		tr.fail(v, "an object")
		return
	}
	for m := range v.All() {
		switch key := m.Key(); key {
		case "id":
			tr.string(m, &into.ID)
		case "value":
			if first, ok := m.At(0); ok && first.Kind() == '"' {
				tr.stringList(m, &into.Options)
			} else {
				tr.localized(m, &into.Text)
			}
		default:
			if into.Extra == nil {
				into.Extra = make(Extra)
			}
			into.Extra[key] = m.Raw()
		}
	}
}

// plan describes how to decode objects into a struct type. It is derived from the struct tags,
// once, so that a new field needs no code.
type plan struct {
	fields []plannedField // sorted by name, as in canonical JSON
	extra  []int          // the index of the Extra, or nil
}

type plannedField struct {
	name  string
	index []int
	read  readTree // reads a value into the field
}

func newPlan(t reflect.Type) *plan {
	list, extra := jsonfields.Of(t)
	p := &plan{extra: extra}
	for _, f := range list {
		p.fields = append(p.fields, plannedField{f.Name, f.Index, treeReaderOf(f.Type)})
	}
	slices.SortFunc(p.fields, func(a, b plannedField) int { return strings.Compare(a.name, b.name) })
	return p
}

// find returns the position of a field, or -1. next is where to look first.
func (p *plan) find(name string, next int) int {
	for i := next; i < len(p.fields); i++ {
		if p.fields[i].name == name {
			return i
		}
	}
	for i := range min(next, len(p.fields)) {
		if p.fields[i].name == name {
			return i
		}
	}
	return -1
}

// within returns the field of a struct with the index.
func within(v reflect.Value, index []int) reflect.Value {
	for _, i := range index {
		v = v.Field(i)
	}
	return v
}

// addExtra keeps an unknown field of a struct.
func (p *plan) addExtra(into reflect.Value, name string, raw []byte) {
	extra := pointer[Extra](within(into, p.extra))
	if *extra == nil {
		*extra = make(Extra)
	}
	(*extra)[name] = raw
}

// pointer returns the address of a variable of type T.
func pointer[T any](v reflect.Value) *T {
	p, _ := reflect.TypeAssert[*T](v.Addr())
	return p
}
