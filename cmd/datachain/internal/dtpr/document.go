package dtpr

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
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

// Document imports a datachain document of the family: a thin one, which refers to its
// schema version. Of a resolved document the thin part is imported; package resolve
// makes it self-contained again. The error is a [*document.SyntaxError] if the text is
// not JSON; validate the result for everything else.
func Document(text []byte, o *DocumentOptions) (*ImportedDocument, error) {
	doc, err := document.Parse(text)
	if err != nil {
		return nil, err
	}
	d := documentImport{doc: doc, locale: "en"}
	if o != nil {
		d.locale = cmp.Or(o.Locale, d.locale)
	}
	d.root(doc.Root())
	result := &ImportedDocument{Version: d.version, Notes: d.notes.all()}
	if result.Text, err = document.ApplyEdits(text, d.edits); err != nil {
		return nil, fmt.Errorf("dtpr: %w", err)
	}
	return result, nil
}

type documentImport struct {
	doc     *document.Document
	locale  string
	version string
	notes   notes
	edits   []document.Edit
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
	d.edits = append(d.edits, document.Edit{Range: v.Range(), Text: text})
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

// id makes an id valid in the way that [Import] does.
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
	var members []document.Value
	for m := range object.All() {
		members = append(members, m)
	}
	gone := func(m document.Value) bool { return m.Kind() == 'n' || slices.Contains(names, m.Key()) }
	end := object.Range().Start + 1 // of the last member that is kept
	for i := 0; i < len(members); i++ {
		m := members[i]
		if !gone(m) {
			end = m.Range().End
			continue
		}
		first := m
		for ; i < len(members) && gone(members[i]); i++ {
			d.dropped(members[i])
		}
		cut := document.Range{Start: first.KeyRange().Start}
		if i < len(members) {
			cut.End = members[i].KeyRange().Start
			end = members[i].Range().End
		} else {
			cut = document.Range{Start: end, End: members[i-1].Range().End}
		}
		d.edits = append(d.edits, document.Edit{Range: cut})
	}
}

// dropped reports a member that is removed.
func (d *documentImport) dropped(m document.Value) {
	switch {
	case m.Kind() == 'n':
		d.note(Changed, m, "", "%s is null, so it is omitted", m.Key())
	case m.Key() == "schema_snapshot":
		d.note(Dropped, m, "", "the copy of the schema is omitted: resolve the document to create it again")
	case m.Len() > 0:
		d.note(Dropped, m, "", "%s is not imported: only resolved documents have it", m.Key())
	}
}

// isFrontMatter reports whether a directory has a taxonomy in the older layout.
func (t *tree) isFrontMatter(dir string) bool {
	return slices.ContainsFunc(t.localeDirs(path.Join(dir, "elements")), func(d string) bool {
		return slices.ContainsFunc(t.in(d), func(f string) bool { return path.Ext(f) == ".md" })
	})
}

// localeDirs returns the directories that are named for a locale, en first: it has the
// texts that the others are translated from.
func (t *tree) localeDirs(dir string) []string {
	dirs := slices.DeleteFunc(t.dirsIn(dir), func(d string) bool {
		_, err := language.Parse(spell(path.Base(d)))
		return err != nil
	})
	slices.SortStableFunc(dirs, func(a, b string) int {
		return cmp.Compare(rank(path.Base(a)), rank(path.Base(b)))
	})
	return dirs
}

// rank sorts locales.
func rank(locale string) int {
	if locale == "en" {
		return 0
	}
	return 1
}

// frontMatterTree is a taxonomy in the older layout, which can have several datachain
// types.
type frontMatterTree struct {
	locales                     []string
	types, categories, elements []object
	placed                      map[string]bool // elements that a datachain type has
	// updated is the latest date on which a file was updated, or "".
	updated string
}

// importFrontMatter imports the datachain types of a directory in the older layout.
func (t *tree) importFrontMatter(dir string, n *notes) ([]*Version, error) {
	f := frontMatterTree{placed: make(map[string]bool)}
	reader := newVersion(t, n, taxonomy.Version{}, nil)
	for _, kind := range []struct {
		name string
		to   *[]object
	}{{"datachain_types", &f.types}, {"categories", &f.categories}, {"elements", &f.elements}} {
		list, err := f.read(reader, path.Join(dir, kind.name))
		if err != nil {
			return nil, err
		}
		*kind.to = list
	}
	slices.SortStableFunc(f.locales, func(a, b string) int { return cmp.Or(rank(a)-rank(b), strings.Compare(a, b)) })
	var versions []*Version
	types := f.typeIDs(t.opts.Type)
	if name := source.SuggestID(path.Base(dir), ident.IsID); len(types) == 0 && name != "" {
		types = []string{name}
		n.file(Filled, dir, "no file names a datachain type, so it is the name of the directory")
	}
	for _, typ := range types {
		id, err := f.versionID(t, typ)
		if err != nil {
			return nil, fmt.Errorf("dtpr: %s: %w", dir, err)
		}
		v, err := f.version(t, n, id, typ)
		if err != nil {
			return nil, err
		}
		if len(v.content.Elements) > 0 {
			versions = append(versions, &Version{ID: id, From: dir, Source: v.content})
		} else {
			n.add(Note{Kind: Lost, Subject: typ, Message: "the datachain type has no elements", Position: issue.Position{File: dir}})
		}
	}
	for _, o := range f.elements {
		if !f.placed[o.id()] && len(versions) > 0 {
			n.at(Lost, o.main(), o.id(), "the element has no category that exists")
		}
	}
	if len(versions) == 0 {
		return nil, fmt.Errorf("dtpr: %s: %w: no file names a datachain type", dir, ErrVersionUnknown)
	}
	return versions, nil
}

// read reads the files of all locales and joins those with the same id.
func (f *frontMatterTree) read(v *version, dir string) ([]object, error) {
	var list []object
	at := make(map[string]int)
	for _, d := range v.localeDirs(dir) {
		locale := spell(path.Base(d))
		if !slices.Contains(f.locales, locale) {
			f.locales = append(f.locales, locale)
		}
		for _, name := range v.in(d) {
			if path.Ext(name) != ".md" {
				v.notes.file(Lost, name, "the file is not part of the layout")
				continue
			}
			value, ok, err := v.readValue(name, v.notes)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			o := object{v, []translation{{locale, value}}}
			f.note(o.string("updated_at"))
			i, known := at[o.id()]
			switch {
			case known && list[i].translations[len(list[i].translations)-1].locale == locale:
				v.notes.at(Lost, value, o.id(), "the id is in another file of this locale")
			case known:
				list[i].translations = append(list[i].translations, o.translations[0])
			default:
				at[o.id()] = len(list)
				list = append(list, o)
			}
		}
	}
	return list, nil
}

// note remembers the latest date.
func (f *frontMatterTree) note(updated string) {
	day, _, _ := strings.Cut(updated, "T")
	if ident.IsDate(day) {
		f.updated = max(f.updated, day)
	}
}

// typeIDs returns the datachain types: those that have a file, then those that
// categories name. The oldest trees name none.
func (f *frontMatterTree) typeIDs(otherwise string) []string {
	var ids []string
	add := func(id string) {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, o := range f.types {
		add(o.id())
	}
	for _, o := range f.categories {
		add(o.string("datachain_type"))
	}
	if len(ids) == 0 {
		add(otherwise)
	}
	return ids
}

// versionID returns the version of a datachain type.
func (f *frontMatterTree) versionID(t *tree, typ string) (taxonomy.Version, error) {
	date := cmp.Or(t.opts.Date, f.updated)
	if date == "" {
		return taxonomy.Version{}, fmt.Errorf("%w: no file says when it was updated, so give a date", ErrVersionUnknown)
	}
	return taxonomy.NewVersion(typ, date, t.opts.Status)
}

// version imports one datachain type.
func (f *frontMatterTree) version(t *tree, n *notes, id taxonomy.Version, typ string) (*version, error) {
	v := newVersion(t, n, id, f.locales)
	v.oldBraces = true
	own := func(list []object, keep func(object) bool) (kept []object) {
		for _, o := range list {
			if keep(o) {
				kept = append(kept, object{v, o.translations})
			}
		}
		return kept
	}
	categories := own(f.categories, func(o object) bool { return cmp.Or(o.string("datachain_type"), typ) == typ })
	slices.SortStableFunc(categories, func(a, b object) int { return cmp.Compare(a.order(), b.order()) })
	names := make(map[string]bool, len(categories))
	for _, o := range categories {
		names[o.id()] = true
	}
	elements := own(f.elements, func(o object) bool {
		for _, item := range o.strings(o.categoryKey()) {
			if name, _ := item.Scalar(); names[name] {
				f.placed[o.id()] = true
				return true
			}
		}
		return false
	})
	v.defineElements(elements)
	v.addCategories(categories)
	described := object{version: v}
	for _, o := range own(f.types, func(o object) bool { return o.id() == typ }) {
		described = o
	}
	v.addType(described)
	err := v.addElements(elements)
	return v, err
}

// order returns the position of a category; those without one come last.
func (o object) order() int {
	s, _ := o.get("order").Scalar()
	n := 0
	if _, err := fmt.Sscanf(s, "%d", &n); err != nil {
		return 1 << 30
	}
	return n
}
