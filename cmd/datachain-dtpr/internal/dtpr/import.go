// Package dtpr imports taxonomies and documents of DTPR (Digital Trust for Places and Routines), whose
// sources are public, and of projects that use its format.
//
// [Import] reads a source tree and returns authoring source for package
// [github.com/datachain-go/datachain/authoring/source], with a [Note] about everything
// that was changed or could not be imported. [Document] does the same for a
// datachain document.
//
// Two layouts are supported, with any number of versions and datachain types in one
// tree:
//
//	<version>/meta.yaml, datachain-type.yaml       one directory for each version;
//	<version>/categories/*.yaml, elements/*.yaml   texts list their locales
//	<version>/symbols/*.svg
//
//	datachain_types/<locale>/*.md                  the older layout: front matter of
//	categories/<locale>/*.md                       Markdown files, one for each locale;
//	elements/<locale>/*.md                         symbols are anywhere in the tree
//
// Importing is deterministic, reads only from an [fs.FS], and treats the tree as
// untrusted: files, sizes, nesting and notes are limited, symbolic links are not
// followed, and symbols are rewritten by [icons.Sanitize].
package dtpr

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
)

// ErrNoTaxonomy is returned for a tree without a taxonomy in one of the layouts.
var ErrNoTaxonomy = errors.New("no directory with datachain-type.yaml, or with elements/<locale>/*.md, was found")

// ErrVersionUnknown is wrapped by errors about a taxonomy whose version neither its files nor
// [Options] state.
var ErrVersionUnknown = errors.New("the version is not known")

// Options configure [Import]. Nil and the zero value mean the defaults.
type Options struct {
	// Type and Date (YYYY-MM-DD) are those of a taxonomy that does not state them, as in the
	// older layout. The default of Date is the latest date on which a file was updated.
	Type, Date string
	// Status is that of a taxonomy that does not state it. The default is beta.
	Status taxonomy.Status
	// Licence and Attribution are written into every version. Trees do not state them.
	Licence, Attribution string
	// MaxFiles and MaxTotalSize limit the tree. The defaults are
	// 50,000 files and 256 MiB.
	MaxFiles     int
	MaxTotalSize int64
	// Interrupt, if not nil, is called before each file is read. If it returns an
	// error, [Import] ends with that.
	Interrupt func() error
}

// withDefaults returns the options with a default for each zero value.
func (o *Options) withDefaults() Options {
	var d Options
	if o != nil {
		d = *o
	}
	d.Status = cmp.Or(d.Status, taxonomy.Beta)
	d.MaxFiles = cmp.Or(d.MaxFiles, 50_000)
	if d.Interrupt == nil {
		d.Interrupt = func() error { return nil }
	}
	d.MaxTotalSize = cmp.Or(d.MaxTotalSize, 256<<20)
	return d
}

// Imported is the result of an import.
type Imported struct {
	// Versions are in the order of an index.
	Versions []*Version
	// Notes report first what was lost, then what was changed, filled in or dropped, in the
	// order of files and places.
	Notes []Note
}

// Version is an imported schema version.
type Version struct {
	ID taxonomy.Version
	// From is the directory that it comes from, slash-separated.
	From string
	// Source is its content.
	Source write.Authored
}

// Import reads the taxonomies of a tree. It returns an error if there is none, if two
// directories are the same version, or if a limit is exceeded; everything else is in
// the notes.
func Import(fsys fs.FS, o *Options) (*Imported, error) {
	r := new(Imported)
	t, err := newTree(fsys, o.withDefaults())
	if err != nil {
		return nil, err
	}
	for _, dir := range slices.Concat([]string{"."}, t.dirs) {
		var found []*Version
		switch {
		case t.dataFile(dir, "datachain-type") != "" || t.dataFile(dir, "meta") != "" && t.has(path.Join(dir, "elements")):
			found, err = t.importVersion(dir)
		case t.isFrontMatter(dir):
			found, err = t.importFrontMatter(dir)
		}
		if err != nil {
			return nil, err
		}
		r.Versions = append(r.Versions, found...)
	}
	slices.SortFunc(r.Versions, func(a, b *Version) int { return a.ID.Compare(b.ID) })
	for i, v := range r.Versions[min(1, len(r.Versions)):] {
		if before := r.Versions[i]; strings.EqualFold(before.ID.String(), v.ID.String()) {
			return nil, fmt.Errorf("dtpr: %s and %s are both %s: import one of them", before.From, v.From, v.ID)
		}
	}
	r.Notes = t.notes.all()
	if len(r.Versions) == 0 {
		return nil, fmt.Errorf("dtpr: %w", ErrNoTaxonomy)
	}
	return r, nil
}

// version is a schema version that is being imported.
type version struct {
	*tree
	locales []string
	// oldBraces means that texts name variables in single braces.
	oldBraces bool

	id                            taxonomy.Version
	categories, elements, symbols *namer
	// positions are the fields order of categories, by id.
	positions map[string]int
	content   write.Authored
}

func newVersion(t *tree, id taxonomy.Version, locales []string) *version {
	v := &version{
		tree: t, id: id, locales: locales,
		categories: newNamer(&t.notes, "category", ident.IsID),
		elements:   newNamer(&t.notes, "element", ident.IsElementID),
		symbols:    newNamer(&t.notes, "symbol", ident.IsID),
		positions:  make(map[string]int),
	}
	v.content.Locales = locales
	v.content.Licence, v.content.Attribution = t.opts.Licence, t.opts.Attribution
	v.content.Symbols = make(map[string]string)
	return v
}

// importVersion imports a directory in the layout with meta.yaml.
func (t *tree) importVersion(dir string) ([]*Version, error) {
	var meta, typ source.Value
	for _, f := range []struct {
		name string
		to   *source.Value
	}{{"meta", &meta}, {"datachain-type", &typ}} {
		if name := t.dataFile(dir, f.name); name != "" {
			value, _, err := t.readValue(name)
			if err != nil {
				return nil, err
			}
			*f.to = value
		}
	}
	id, err := t.versionID(dir, meta, typ)
	if err != nil {
		return nil, err
	}
	v := newVersion(t, id, t.localesOf(meta, typ))
	v.noteStrays(dir)
	if err := v.readSymbols(path.Join(dir, "symbols")); err != nil {
		return nil, err
	}
	categories, err := v.readObjects(path.Join(dir, "categories"))
	if err != nil {
		return nil, err
	}
	elements, err := v.readObjects(path.Join(dir, "elements"))
	if err != nil {
		return nil, err
	}
	v.defineElements(elements)
	v.addCategories(categories)
	v.addManifest(v.object(meta))
	v.addType(v.object(typ))
	if err := v.addElements(elements); err != nil {
		return nil, err
	}
	return []*Version{{ID: id, From: dir, Source: v.content}}, nil
}

// versionID returns the id of a version: the one that meta.yaml states, in which a
// version without a status is stable.
func (t *tree) versionID(dir string, meta, typ source.Value) (taxonomy.Version, error) {
	stated, _ := meta.Get("version").Scalar()
	if stated == "" {
		name, _ := typ.Get("id").Scalar()
		stated = name + "@" + path.Base(dir)
		if t.opts.Date != "" {
			stated = name + "@" + t.opts.Date + "-" + string(t.opts.Status)
		}
	}
	if id, err := taxonomy.ParseVersion(stated); err == nil {
		if s, _ := meta.Get("status").Scalar(); s != "" && s != string(id.Status()) {
			t.notes.at(Dropped, meta.Get("status"), s, "status differs from that of the version id, which counts")
		}
		return id, nil
	}
	id, err := taxonomy.ParseVersion(stated + "-" + string(taxonomy.Stable))
	if err != nil {
		return taxonomy.Version{}, fmt.Errorf("dtpr: %s: %w: %q is not <type>@<date>-beta or <type>@<date>", dir, ErrVersionUnknown, stated)
	}
	t.notes.at(Changed, meta.Get("version"), stated+" -> "+id.String(), "a version without a status is stable")
	return id, nil
}

// localesOf returns the locales of a version: those of meta.yaml, then other ones of the datachain type.
func (t *tree) localesOf(meta, typ source.Value) []string {
	var locales []string
	for _, v := range []source.Value{meta.Get("locales"), typ.Get("locales")} {
		for item := range v.Items() {
			code, ok := item.Scalar()
			spelled := spell(code)
			switch {
			case !ok || spelled == "":
				t.notes.at(Dropped, item, code, "an item of locales is not a string")
			case ident.IndexLocale(locales, spelled) < 0:
				locales = append(locales, spelled)
			}
		}
	}
	if len(locales) == 0 {
		t.notes.at(Filled, typ, "en", "the version lists no locales, so it has only en")
		return []string{"en"}
	}
	return locales
}

// noteStrays reports the files of a version directory that are not part of the layout.
func (v *version) noteStrays(dir string) {
	for _, f := range v.in(dir) {
		switch name := stem(f); {
		case isData(f) && (name == "meta" || name == "datachain-type"):
		case isData(f) && name == "translations":
			v.notes.file(Dropped, f, "the review states of translations have no place in the format")
		default:
			v.notes.file(Dropped, f, "the file is not part of the layout")
		}
	}
	for _, d := range v.dirsIn(dir) {
		if name := path.Base(d); name != "categories" && name != "elements" && name != "symbols" && v.dataFile(d, "datachain-type") == "" {
			v.notes.file(Dropped, d, "the directory is not part of the layout")
		}
	}
}

// readObjects reads the files of a directory, one object each.
func (v *version) readObjects(dir string) ([]object, error) {
	var list []object
	for _, f := range v.in(dir) {
		if !isData(f) {
			v.notes.file(Lost, f, "the file is not part of the layout")
			continue
		}
		value, ok, err := v.readValue(f)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, v.object(value))
		}
	}
	for _, d := range v.dirsIn(dir) {
		v.notes.file(Lost, d, "the directory is not part of the layout")
	}
	return list, nil
}
