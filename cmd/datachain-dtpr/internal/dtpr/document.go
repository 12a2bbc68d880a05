package dtpr

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// DocumentOptions configure [Document]. Nil and the zero value mean the defaults.
type DocumentOptions struct {
	// Locale is that of texts which are not localized. The default is en.
	Locale string
}

// ImportedDocument is the result of [Document].
type ImportedDocument struct {
	// Text is the document in the format of this module. What did not have to be
	// changed is as it was, byte for byte.
	Text []byte
	// Version is the version that the document pins, or "" if it pins none.
	Version string
	Notes   []Note
}

// Document imports a datachain document. Of a resolved document it imports the thin one; package
// resolve makes it self-contained again. The error is a [*document.SyntaxError] if the text is not
// JSON; validate the result for everything else.
func Document(text []byte, o *DocumentOptions) (*ImportedDocument, error) {
	doc, err := document.Parse(text)
	if err != nil {
		return nil, err
	}
	d := documentImport{doc: doc, locale: "en", editor: edit.New(doc)}
	if o != nil {
		d.locale = cmp.Or(o.Locale, d.locale)
	}
	d.root(doc.Root())
	result := &ImportedDocument{Version: d.version, Notes: d.notes.all()}
	if result.Text, err = document.ApplyEdits(text, d.editor.Edits()); err != nil {
		return nil, fmt.Errorf("dtpr: %w", err)
	}
	return result, nil
}

type documentImport struct {
	doc     *document.Document
	locale  string
	version string
	notes   notes
	editor  *edit.Editor
}

// root imports the document as a whole.
func (d *documentImport) root(root document.Value) {
	d.prune(root, "schema_snapshot", "suggested_elements")
	d.pin(root)
	for _, key := range []string{"title", "description"} {
		d.localize(root, key)
	}
	for _, key := range []string{"created_at", "updated_at"} {
		d.timestamp(root, key)
	}
	elements, _ := root.Get("elements")
	for e := range elements.All() {
		d.prune(e)
		d.id(e, "element_id", ident.IsElementID)
		d.id(e, "context_type_id", validValue)
		variables, _ := e.Get("variables")
		for v := range variables.All() {
			d.id(v, "id", ident.IsID)
			d.localize(v, "value")
		}
	}
}

// validValue reports whether an id can be that of a context value.
func validValue(id string) bool {
	return ident.IsID(id) && !strings.EqualFold(id, taxonomy.VariantDefault) && !strings.EqualFold(id, taxonomy.VariantDark)
}

// note reports something about a value.
func (d *documentImport) note(k Kind, v document.Value, subject, format string, args ...any) {
	at := d.doc.Point(v.Range().Start)
	d.notes.add(Note{
		Kind: k, Subject: subject, Message: fmt.Sprintf(format, args...), Path: v.Path(),
		Position: issue.Position{Line: at.Line, Column: at.Column},
	})
}

// replace gives a value another text.
func (d *documentImport) replace(v document.Value, value any) {
	text, _ := json.Marshal(value) // strings and lists of strings always can
	d.editor.Replace(v, text)
}

// pin spells the version that the document pins: one without a status is stable.
func (d *documentImport) pin(root document.Value) {
	v, _ := root.Get("schema_version")
	d.version = v.Text()
	if _, err := taxonomy.ParseVersion(d.version); err == nil || d.version == "" {
		return
	}
	id, err := taxonomy.ParseVersion(d.version + "-" + string(taxonomy.Stable))
	if err != nil {
		return // validation reports it
	}
	d.note(Changed, v, d.version+" -> "+id.String(), "a version without a status is stable")
	d.version = id.String()
	d.replace(v, d.version)
}

// localize turns a plain text into a localized one.
func (d *documentImport) localize(in document.Value, key string) {
	v, ok := in.Get(key)
	if !ok || v.Kind() != '"' {
		return
	}
	d.note(Changed, v, d.locale, "a text without a locale has one")
	d.replace(v, taxonomy.Localized{{Locale: d.locale, Value: v.Text()}})
}

// timestamp adds a time to a date.
func (d *documentImport) timestamp(in document.Value, key string) {
	v, _ := in.Get(key)
	if ident.IsDate(v.Text()) {
		d.note(Changed, v, v.Text(), "a date has a time, midnight in UTC")
		d.replace(v, v.Text()+"T00:00:00Z")
	}
}

// id makes an id valid as [Import] does.
func (d *documentImport) id(in document.Value, key string, valid func(string) bool) {
	v, ok := in.Get(key)
	if !ok || v.Kind() != '"' || v.Text() == "" || valid(v.Text()) {
		return
	}
	fixed := source.SuggestID(v.Text(), valid)
	if fixed == "" && ident.IsID(v.Text()) {
		fixed = v.Text() + "_2" // it is reserved
	}
	if fixed != "" {
		d.note(Changed, v, v.Text()+" -> "+fixed, "the id is malformed or reserved, so it was changed")
		d.replace(v, fixed)
	}
}

// prune removes members of an object that are null, or have one of the names.
func (d *documentImport) prune(object document.Value, names ...string) {
	if object.Kind() != '{' {
		return
	}
	i := 0
	for m := range object.All() {
		if m.Kind() == 'n' || slices.Contains(names, m.Key()) {
			d.noteRemoved(m)
			d.editor.Remove(object, i)
		}
		i++
	}
}

// noteRemoved reports a member that is removed.
func (d *documentImport) noteRemoved(m document.Value) {
	switch {
	case m.Kind() == 'n':
		d.note(Changed, m, "", "%s is null, so it is omitted", m.Key())
	case m.Key() == "schema_snapshot":
		d.note(Dropped, m, "", "the copy of the schema is omitted: resolve the document to create it again")
	case m.Len() > 0:
		d.note(Dropped, m, "", "%s is not imported: only resolved documents have it", m.Key())
	}
}
