package taxonomy

import (
	"errors"
	"reflect"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// elementReader decodes the elements of a release, of which there can be 100,000.
// The strings of an element are cut from its text, which the release keeps anyway;
// lists that many elements share are kept once; small slices are cut from larger
// ones. BenchmarkDecodeRelease compares it with json.Unmarshal.
type elementReader struct {
	texts     []Text // room for localized texts
	variables map[string][]Variable
	variants  map[string][]string

	plan    *plan[scanField]
	member  func(key string) bool // field, which would be allocated for each element
	scanner jcs.Scanner
	into    reflect.Value
	next    int // position of the field that probably comes next
}

func newElementReader() *elementReader {
	r := &elementReader{variables: make(map[string][]Variable), variants: make(map[string][]string), plan: elementPlan()}
	r.member = r.field
	return r
}

// read decodes text into e and returns its canonical form. Text that has unusual
// values is decoded like the other parts.
func (r *elementReader) read(text string, e *Element) (string, error) {
	if r.readCanonical(text, e) {
		return text, nil
	}
	// Elements that were just marshalled, for example, are not canonical.
	if canonical, err := document.CanonicalString(text); err == nil && r.readCanonical(canonical, e) {
		return canonical, nil
	}
	return readPart(text, e)
}

// readCanonical decodes text into e if it is canonical and has usual values. It
// leaves e empty otherwise.
func (r *elementReader) readCanonical(text string, e *Element) bool {
	r.scanner, r.into, r.next = *jcs.NewScanner(text), reflect.ValueOf(e).Elem(), 0
	if utf8.ValidString(text) && r.scanner.Object(0, r.member) && r.scanner.Offset() == len(text) {
		return true
	}
	*e = Element{}
	return false
}

// field decodes the value of a key of the element.
func (r *elementReader) field(key string) bool {
	i := r.plan.find(key, r.next)
	if i < 0 {
		raw, ok := r.scanner.Raw()
		r.plan.addExtra(r.into, key, []byte(raw))
		return ok
	}
	r.next = i + 1
	return r.plan.fields[i].read(r, &r.scanner, within(r.into, r.plan.fields[i].index))
}

// readPart decodes a part of a release and returns its canonical form.
func readPart(text string, into any) (string, error) {
	canonical, err := document.CanonicalString(text)
	if err != nil {
		return "", err
	}
	if canonical[0] != '{' {
		return "", errors.New("must be an object")
	}
	return canonical, json.Unmarshal([]byte(canonical), into)
}

// scanField decodes a value as json.Unmarshal would, or reports false.
type scanField func(r *elementReader, s *jcs.Scanner, into reflect.Value) bool

var elementPlan = sync.OnceValue(func() *plan[scanField] { return newPlan(reflect.TypeFor[Element](), scannerOf) })

func scannerOf(t reflect.Type) scanField {
	switch t {
	case reflect.TypeFor[Localized]():
		return func(r *elementReader, s *jcs.Scanner, into reflect.Value) (ok bool) {
			*pointer[Localized](into), ok = r.localized(s)
			return ok
		}
	case reflect.TypeFor[[]string]():
		return func(r *elementReader, s *jcs.Scanner, into reflect.Value) (ok bool) {
			*pointer[[]string](into), ok = shared(s, r.variants)
			return ok
		}
	case reflect.TypeFor[[]Variable]():
		return func(r *elementReader, s *jcs.Scanner, into reflect.Value) (ok bool) {
			*pointer[[]Variable](into), ok = shared(s, r.variables)
			return ok
		}
	}
	switch t.Kind() {
	case reflect.String:
		return func(_ *elementReader, s *jcs.Scanner, into reflect.Value) bool {
			text, ok := s.Unquoted()
			into.SetString(text)
			return ok
		}
	case reflect.Int:
		return func(_ *elementReader, s *jcs.Scanner, into reflect.Value) bool {
			i, ok := s.Integer()
			into.SetInt(int64(i))
			return ok
		}
	}
	return func(_ *elementReader, s *jcs.Scanner, into reflect.Value) bool { // what few elements have
		raw, ok := s.Raw()
		return ok && json.Unmarshal([]byte(raw), into.Addr().Interface()) == nil
	}
}

// localized decodes a list of {locale, value}.
func (r *elementReader) localized(s *jcs.Scanner) (Localized, bool) {
	const room = 512
	if cap(r.texts)-len(r.texts) < 16 {
		r.texts = make([]Text, 0, room)
	}
	start := len(r.texts)
	ok := s.Array(1, func() bool {
		t, ok := localeText(s)
		r.texts = append(r.texts, t)
		return ok
	})
	return Localized(r.texts[start:len(r.texts):len(r.texts)]), ok
}

func localeText(s *jcs.Scanner) (t Text, ok bool) {
	ok = s.Object(2, func(key string) (ok bool) {
		switch key {
		case "locale":
			t.Locale, ok = s.Unquoted()
		case "value":
			t.Value, ok = s.Unquoted()
		}
		return ok
	})
	return t, ok
}

// shared decodes a list that many elements have in common, once.
func shared[T any](s *jcs.Scanner, known map[string][]T) ([]T, bool) {
	raw, ok := s.Raw()
	if !ok {
		return nil, false
	}
	if list, ok := known[raw]; ok {
		return list, true
	}
	return keep(raw, known)
}

// keep decodes a list that is new.
func keep[T any](raw string, known map[string][]T) (list []T, ok bool) {
	if err := json.Unmarshal([]byte(raw), &list); err != nil {
		return nil, false
	}
	known[raw] = list
	return list, true
}
