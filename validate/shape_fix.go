package validate

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// fixKind fixes a value of the wrong kind if it fits without quotes, with quotes, in an
// array or out of one, or if it names an option. If a string fits in the blank of the
// example, the hint shows that.
func (e *explainer) fixKind(i *issue.Issue, at shapedValue) {
	const tooLong = 1 << 16
	raw := at.Raw()
	if len(raw) > tooLong {
		return
	}
	try := func(text []byte, hint string) bool {
		if !at.fitsAs(text) {
			return false
		}
		i.FixHint, i.Fix = short(text, hint), &issue.Fix{Value: text}
		return true
	}
	switch at.Kind() {
	case '"':
		if try([]byte(at.Text()), "write it as JSON, not as a string that contains JSON") {
			return
		}
	case '0', 't', 'f':
		if try(quote(string(raw)), "put it in quotes") {
			return
		}
	case '[':
		path := at.Path()
		if only, ok := at.At(0); ok && at.Len() == 1 && len(path) > 0 && !e.isPin(path) && try(only.Raw(), "write it without [ and ]") {
			return
		}
	case '{':
		if texts := e.listOfTexts(at.Value); texts != nil && try(texts, "write a list of objects with locale and value") {
			return
		}
	}
	if try(slices.Concat([]byte("["), raw, []byte("]")), "put it in [ and ]") {
		return
	}
	if at.Kind() != '"' {
		return
	}
	example := at.shape.example
	if v, elementID := e.selected(at.Path()); v != nil {
		example = nil                // which is a text: the shape allows it, the variable does not
		var label taxonomy.Localized // in every language, since it has none
		for _, locale := range e.p.countingSchema().Locales() {
			label = append(label, taxonomy.Text{Locale: locale, Value: at.Text()})
		}
		if o := e.p.named(v, elementID, label); o != nil {
			text := slices.Concat([]byte("["), quote(o.ID), []byte("]"))
			i.FixHint, i.Fix = short(text, "write the id of the option in [ and ]"), &issue.Fix{Value: text}
		}
	}
	blank := []byte(`"…"`)
	switch filledIn := bytes.Replace(example, blank, raw, 1); {
	case bytes.Count(example, blank) != 1 || !at.fitsAs(filledIn):
	case bytes.HasPrefix(example, []byte(`[{"locale"`)) && at.Path()[0].Name() != snapshotPath[0].Name():
		e.p.localize(i, nil, raw)
	default:
		i.FixHint = short(filledIn, i.FixHint)
	}
}

// selected returns the select variable whose value is at a path, and the id of the placed
// element. The variable is nil if there is none.
func (e *explainer) selected(path issue.Path) (v *taxonomy.Variable, elementID string) {
	schema := e.p.countingSchema()
	if schema == nil || len(path) != 5 || path[0].Name() != "elements" || path[2].Name() != "variables" || path[4].Name() != "value" {
		return nil, ""
	}
	id, _ := e.p.Document.Find(path[:2].Key("element_id"))
	variableID, _ := e.p.Document.Find(path[:4].Key("id"))
	element, ok := schema.Element(id.Text())
	if !ok {
		return nil, ""
	}
	if v = e.p.variable(&Placed{Element: element}, variableID.Text()); v == nil || v.Type != taxonomy.SelectVariable {
		return nil, ""
	}
	return v, element.ID
}

// listOfTexts returns the texts of an object whose keys are locales of the release, such
// as {"en": "Purpose"}, as a localized text, or nil if it is not one.
func (e *explainer) listOfTexts(v document.Value) []byte {
	schema := e.p.countingSchema()
	if schema == nil {
		return nil
	}
	b := []byte("[")
	for m := range v.All() {
		if m.Kind() != '"' || !slices.Contains(schema.Locales(), m.Key()) {
			return nil
		}
		if len(b) > 1 {
			b = append(b, ", "...)
		}
		b = fmt.Appendf(b, `{"locale": %s, "value": %s}`, m.RawKey(), m.Raw())
	}
	if len(b) == 1 {
		return nil
	}
	return append(b, ']')
}

// short returns the hint to write a text, or another hint if the text is long.
func short(text []byte, hint string) string {
	const long = 80
	if len(text) > long || bytes.IndexByte(text, '\n') >= 0 {
		return hint
	}
	return "write " + string(text)
}

// fitsAs reports whether another JSON text would fit in place of the value.
func (at shapedValue) fitsAs(text []byte) bool {
	doc, err := document.Parse(text)
	return err == nil && at.shape.fits(doc.Root())
}
