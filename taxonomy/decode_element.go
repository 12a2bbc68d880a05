package taxonomy

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// elementReader reads the elements of a release. A release may have 100,000 of
// them, so it takes care of memory: the strings of an element are cut from its
// canonical text, which the release keeps anyway; the lists that elements of a
// category have in common are kept once; small slices come from larger ones.
type elementReader struct {
	canonical []byte // of the element at hand
	text      strings.Builder
	in        bytes.Buffer
	dec       *jsontext.Decoder

	texts     []Text // room for localized strings
	variables map[string][]Variable
	variants  map[string][]string
}

func newElementReader(raw [][]byte) *elementReader {
	size := 0
	for _, text := range raw {
		size += len(text)
	}
	r := &elementReader{
		variables: make(map[string][]Variable),
		variants:  make(map[string][]string),
	}
	r.text.Grow(size)
	r.dec = jsontext.NewDecoder(&r.in)
	return r
}

// read fills e and returns its canonical text; canonical is the same as bytes,
// until the next call.
func (r *elementReader) read(raw []byte, e *Element) (text string, canonical []byte, err error) {
	r.canonical, err = appendCanonical(r.canonical[:0], raw)
	if err != nil || !bytes.Equal(r.canonical, raw) {
		// Anything unusual gets the whole strict check and its messages.
		if r.canonical, err = Canonical(raw); err != nil {
			return "", nil, err
		}
	}
	start := r.text.Len()
	r.text.Write(r.canonical)
	text = r.text.String()[start:]

	r.in = *bytes.NewBuffer(r.canonical)
	r.dec.Reset(&r.in)
	if r.dec.PeekKind() != '{' {
		return "", nil, errors.New("want an object")
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return "", nil, err
	}
	for r.dec.PeekKind() != '}' {
		key, err := r.string(text)
		if err != nil {
			return "", nil, err
		}
		if err := r.field(text, key, e); err != nil {
			return "", nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	return text, r.canonical, nil
}

func (r *elementReader) field(text, key string, e *Element) (err error) {
	switch key {
	case "id":
		e.ID, err = r.string(text)
	case "category_id":
		e.CategoryID, err = r.string(text)
	case "symbol_id":
		e.SymbolID, err = r.string(text)
	case "title":
		e.Title, err = r.localized(text)
	case "description":
		e.Description, err = r.localized(text)
	case "keywords":
		e.Keywords, err = r.localized(text)
	case "authoring_guidance":
		e.AuthoringGuidance, err = r.localized(text)
	case "icon_variants":
		e.IconVariants, err = shared(r, text, r.variants)
	case "variables":
		e.Variables, err = shared(r, text, r.variables)
	case "sources":
		err = r.unmarshal(&e.Sources)
	case "max_placements":
		err = r.unmarshal(&e.MaxPlacements)
	case "order":
		err = r.unmarshal(&e.Order)
	default:
		err = r.extra(key, e)
	}
	return err
}

// string reads a string, cut from text where it holds no escapes.
func (r *elementReader) string(text string) (string, error) {
	if r.dec.PeekKind() != '"' {
		return "", errors.New("want a string")
	}
	raw, err := r.dec.ReadValue()
	if err != nil {
		return "", err
	}
	if bytes.IndexByte(raw, '\\') >= 0 {
		return unquote(raw), nil
	}
	end := int(r.dec.InputOffset())
	return text[end-len(raw)+1 : end-1], nil
}

func (r *elementReader) localized(text string) (Localized, error) {
	if r.dec.PeekKind() != '[' {
		return nil, errors.New("want a list of {locale, value}")
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return nil, err
	}
	const room = 512
	if cap(r.texts)-len(r.texts) < 16 {
		r.texts = make([]Text, 0, room)
	}
	start := len(r.texts)
	for r.dec.PeekKind() != ']' {
		t, err := r.localeText(text)
		if err != nil {
			return nil, err
		}
		r.texts = append(r.texts, t)
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return nil, err
	}
	return Localized(r.texts[start:len(r.texts):len(r.texts)]), nil
}

// localeText reads {locale, value}.
func (r *elementReader) localeText(text string) (t Text, err error) {
	if r.dec.PeekKind() != '{' {
		return t, errors.New("want {locale, value}")
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return t, err
	}
	for r.dec.PeekKind() != '}' {
		key, err := r.string(text)
		if err != nil {
			return t, err
		}
		switch key {
		case "locale":
			t.Locale, err = r.string(text)
		case "value":
			t.Value, err = r.string(text)
		default:
			err = fmt.Errorf("unknown key %q beside locale and value", key)
		}
		if err != nil {
			return t, err
		}
	}
	_, err = r.dec.ReadToken()
	return t, err
}

// shared reads a value that many elements have alike, once.
func shared[T any](r *elementReader, text string, known map[string][]T) ([]T, error) {
	raw, err := r.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	if list, ok := known[string(raw)]; ok {
		return list, nil
	}
	var list []T
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	end := int(r.dec.InputOffset())
	known[text[end-len(raw):end]] = list
	return list, nil
}

func (r *elementReader) unmarshal(into any) error {
	raw, err := r.dec.ReadValue()
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// extra keeps a field that this package does not know. The strict decoder has
// not seen it yet where the text came in canonical form.
func (r *elementReader) extra(key string, e *Element) error {
	raw, err := r.dec.ReadValue()
	if err != nil {
		return err
	}
	if _, err := ParseDocument(raw); err != nil {
		return err
	}
	if e.Extra == nil {
		e.Extra = make(Extra)
	}
	e.Extra[key] = bytes.Clone(raw)
	return nil
}
