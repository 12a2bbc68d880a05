// Package dtpr imports taxonomies and documents of the DTPR family (Digital Trust for
// Places and Routines), whose sources are public.
//
// [Import] reads a source tree and returns authoring source for package
// [github.com/datachain-go/datachain/authoring/source], with a [Note] for everything
// that was changed or could not be taken over. [Document] does the same for a
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
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// ErrNoTaxonomy is returned for a tree in which there is no taxonomy of the family.
var ErrNoTaxonomy = errors.New("no directory with datachain-type.yaml, or with elements/<locale>/*.md, was found")

// ErrVersionUnknown is wrapped by errors about a taxonomy that does not say which
// version it is, if [Options] do not either.
var ErrVersionUnknown = errors.New("the version is not known")

// Options configure [Import]. Nil and the zero value mean the defaults.
type Options struct {
	// Type and Date (YYYY-MM-DD) are those of a taxonomy that does not state them,
	// which those in the older layout do not. Without a Date, it is the latest date
	// on which a file was updated.
	Type, Date string
	// Status is that of a taxonomy that does not state it. The default is beta.
	Status taxonomy.Status
	// Licence and Attribution are written into every version. Trees of the family
	// do not state them in their files.
	Licence, Attribution string
	// MaxFiles and MaxTotalSize limit the tree. The defaults are
	// 50,000 files and 256 MiB.
	MaxFiles     int
	MaxTotalSize int64
	// Interrupt, if set, is called before each file is read. If it returns an
	// error, [Import] ends with that.
	Interrupt func() error
}

// Imported is the result of an import.
type Imported struct {
	// Versions are in the order of an index.
	Versions []*Version
	// Notes report what was lost, first, and what was changed, filled in or dropped,
	// in the order of files and places.
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
	n := new(notes)
	t, err := newTree(fsys, o.withDefaults(), n)
	if err != nil {
		return nil, err
	}
	for _, dir := range slices.Concat([]string{"."}, t.dirs) {
		var found []*Version
		switch {
		case t.dataFile(dir, "datachain-type") != "" || t.dataFile(dir, "meta") != "" && t.has(path.Join(dir, "elements")):
			found, err = t.importVersion(dir, n)
		case t.isFrontMatter(dir):
			found, err = t.importFrontMatter(dir, n)
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
	r.Notes = n.all()
	if len(r.Versions) == 0 {
		return nil, fmt.Errorf("dtpr: %w", ErrNoTaxonomy)
	}
	return r, nil
}

// version is a schema version that is being imported.
type version struct {
	*tree
	notes   *notes
	locales []string
	// oldBraces means that texts name variables in single braces.
	oldBraces bool

	id                            taxonomy.Version
	categories, elements, symbols *namer
	// positions are the orders that categories state, by their ids.
	positions map[string]int
	content   write.Authored
}

func newVersion(t *tree, n *notes, id taxonomy.Version, locales []string) *version {
	v := &version{
		tree: t, notes: n, id: id, locales: locales,
		categories: newNamer(n, "category", ident.IsID),
		elements:   newNamer(n, "element", ident.IsElementID),
		symbols:    newNamer(n, "symbol", ident.IsID),
		positions:  make(map[string]int),
	}
	v.content.Locales = locales
	v.content.Licence, v.content.Attribution = t.opts.Licence, t.opts.Attribution
	v.content.Symbols = make(map[string]string)
	return v
}

// importVersion imports a directory in the layout with meta.yaml.
func (t *tree) importVersion(dir string, n *notes) ([]*Version, error) {
	var meta, typ source.Value
	for _, f := range []struct {
		name string
		to   *source.Value
	}{{"meta", &meta}, {"datachain-type", &typ}} {
		if name := t.dataFile(dir, f.name); name != "" {
			value, _, err := t.readValue(name, n)
			if err != nil {
				return nil, err
			}
			*f.to = value
		}
	}
	id, err := t.versionID(dir, meta, typ, n)
	if err != nil {
		return nil, err
	}
	v := newVersion(t, n, id, localesOf(n, meta, typ))
	v.strays(dir)
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
	v.addManifest(object{v, []translation{{value: meta}}})
	v.addType(object{v, []translation{{value: typ}}})
	if err := v.addElements(elements); err != nil {
		return nil, err
	}
	return []*Version{{ID: id, From: dir, Source: v.content}}, nil
}

// versionID returns the id of a version: the one that meta.yaml states, in which a
// version without a status is stable.
func (t *tree) versionID(dir string, meta, typ source.Value, n *notes) (taxonomy.Version, error) {
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
			n.at(Dropped, meta.Get("status"), s, "status differs from that of the version id, which counts")
		}
		return id, nil
	}
	id, err := taxonomy.ParseVersion(stated + "-" + string(taxonomy.Stable))
	if err != nil {
		return taxonomy.Version{}, fmt.Errorf("dtpr: %s: %w: %q is not <type>@<date>-beta or <type>@<date>", dir, ErrVersionUnknown, stated)
	}
	n.at(Changed, meta.Get("version"), stated+" -> "+id.String(), "a version without a status is stable")
	return id, nil
}

// localesOf returns the locales of a version: those of meta.yaml, then those that only
// the datachain type lists.
func localesOf(n *notes, meta, typ source.Value) []string {
	var locales []string
	for _, v := range []source.Value{meta.Get("locales"), typ.Get("locales")} {
		for item := range v.Items() {
			code, ok := item.Scalar()
			spelled := spell(code)
			switch {
			case !ok || spelled == "":
				n.at(Dropped, item, code, "an item of locales is not a string")
			case ident.IndexLocale(locales, spelled) < 0:
				locales = append(locales, spelled)
			}
		}
	}
	if len(locales) == 0 {
		n.at(Filled, typ, "en", "the version lists no locales, so it has only en")
		return []string{"en"}
	}
	return locales
}

// strays reports the files of a version directory that are not part of the layout.
func (v *version) strays(dir string) {
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
		value, ok, err := v.readValue(f, v.notes)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, object{v, []translation{{value: value}}})
		}
	}
	for _, d := range v.dirsIn(dir) {
		v.notes.file(Lost, d, "the directory is not part of the layout")
	}
	return list, nil
}

// Kind says what a [Note] is about.
type Kind string

const (
	// Lost is an element, a category, a symbol or a file that should be in the
	// result, and could not be read or has no place in it.
	Lost Kind = "lost"
	// Dropped content is not in the result: a field that the format has no place for,
	// or a value that is not valid.
	Dropped Kind = "dropped"
	// Changed content is in the result in another form.
	Changed Kind = "changed"
	// Filled content was missing in the source, and the format requires it.
	Filled Kind = "filled"
	// Proposed content is a comment in the result, for a person to confirm.
	Proposed Kind = "proposed"
)

// Note reports one difference between what was read and the result.
type Note struct {
	Kind Kind `json:"kind"`
	// Message says what happened and why. Notes with the same message are alike.
	Message string `json:"message"`
	// Subject is the value that the note is about, such as an id. It may be "".
	Subject string `json:"subject,omitempty"`
	// Path is the place in the file, or nil for the whole file.
	Path     issue.Path     `json:"path,omitzero"`
	Position issue.Position `json:"position,omitzero"`
}

// maxNotes is the number of notes that are kept besides those on what was lost; a last
// one says if there are more.
const maxNotes = 20_000

// notes collects notes.
type notes struct {
	list []Note
	more int
}

func (n *notes) add(note Note) {
	if len(n.list) >= maxNotes && note.Kind != Lost {
		n.more++
		return
	}
	note.Subject = wording.Clip(note.Subject)
	n.list = append(n.list, note)
}

// at adds a note about a value.
func (n *notes) at(k Kind, v source.Value, subject, format string, args ...any) {
	n.add(Note{Kind: k, Message: fmt.Sprintf(format, args...), Subject: subject, Path: v.Path(), Position: v.Position()})
}

// file adds a note about a file or directory as a whole.
func (n *notes) file(k Kind, name, format string, args ...any) {
	n.add(Note{Kind: k, Message: fmt.Sprintf(format, args...), Position: issue.Position{File: name}})
}

// all returns the notes: what was lost first, then by files and places.
func (n *notes) all() []Note {
	slices.SortStableFunc(n.list, func(a, b Note) int {
		return cmp.Or(
			rankKind(a.Kind)-rankKind(b.Kind),
			strings.Compare(a.Position.File, b.Position.File),
			cmp.Compare(a.Position.Line, b.Position.Line),
			cmp.Compare(a.Position.Column, b.Position.Column),
		)
	})
	if n.more == 0 {
		return n.list
	}
	return append(n.list, Note{Kind: Dropped, Message: fmt.Sprintf("there are %d more notes than listed here", n.more)})
}

func rankKind(k Kind) int {
	if k == Lost {
		return 0
	}
	return 1
}

// location is where an id is.
type location struct {
	path     issue.Path
	position issue.Position
}

func locationOf(v source.Value) location { return location{v.Path(), v.Position()} }

// namer gives valid ids to the things of one kind, the same ones in every run.
type namer struct {
	notes *notes
	what  string
	valid func(string) bool
	// given are the new ids by the old ones, and taken those that are used, without
	// case.
	given map[string]string
	taken map[string]bool
}

func newNamer(n *notes, what string, valid func(string) bool, reserved ...string) *namer {
	m := &namer{n, what, valid, make(map[string]string), make(map[string]bool)}
	for _, id := range reserved {
		m.taken[id] = true
	}
	return m
}

// define returns the id of a thing that is defined: its own, or a similar one if that
// is malformed or taken.
func (m *namer) define(id string, at location) string {
	fixed := id
	if !m.valid(id) {
		fixed = source.SuggestID(id, m.valid)
	}
	if fixed == "" {
		fixed = m.what
	}
	base := fixed
	if len(base) > ident.MaxIDLength-8 {
		base = base[:ident.MaxIDLength-8] // room for a number
	}
	for i := 2; m.taken[strings.ToLower(fixed)]; i++ {
		fixed = fmt.Sprintf("%s_%d", base, i)
	}
	m.taken[strings.ToLower(fixed)] = true
	if _, twice := m.given[id]; !twice {
		m.given[id] = fixed // references mean the first one
	}
	if fixed != id {
		m.notes.add(Note{
			Kind: Changed, Message: "the " + m.what + " id is malformed, reserved or taken, so it was changed",
			Subject: id + " -> " + fixed, Path: at.path, Position: at.position,
		})
	}
	return fixed
}

// refer returns the id of a thing that is named.
func (m *namer) refer(id string) (string, bool) {
	fixed, ok := m.given[id]
	return fixed, ok
}

// proposal is a mapping that a source suggests, because it cites an entry of a law. A person
// has to confirm it, and say how the two are related.
type proposal struct {
	scheme  taxonomy.Scheme
	entry   string
	because string
}

// propose returns the mappings that the sources of an element or a category suggest: to the
// articles, and points of annexes, that they cite of acts with a European Legislation
// Identifier (ELI) as their URL. Each is there once.
func propose(sources []taxonomy.Source) []proposal {
	var list []proposal
	for _, s := range sources {
		act := eli.FindStringSubmatch(s.URL)
		if act == nil {
			continue
		}
		name := strings.TrimRight(wording.Line(beforeEntry.ReplaceAllString(s.Title, "")), " ,:(")
		if name == "" {
			name = strings.Join(act[1:], " ")
		}
		scheme := taxonomy.Scheme{ID: strings.Join(act[1:], "-"), URL: s.URL, Title: taxonomy.Localized{{Value: name}}}
		for _, entry := range slices.Concat(entriesIn(s.Citation), entriesIn(s.Title)) {
			if !slices.ContainsFunc(list, func(p proposal) bool { return p.scheme.ID == scheme.ID && p.entry == entry }) {
				list = append(list, proposal{scheme, entry, wording.Line(s.Title)})
			}
		}
	}
	return list
}

var (
	// eli finds the type, year and number of an act in its ELI.
	eli = regexp.MustCompile(`^https?://[^/]+/eli/([a-z]{1,16})/(\d{4})/(\d{1,6})(?:/|$)`)
	// articles and annexes find entries: "Articles 13, 15(1)(h) and 17", "Article 9",
	// "Annex III §5(b) and §5(c)", "Annex XI, section 1, point 2(e)".
	articles = regexp.MustCompile(`(?i)\bart(?:icles?|s?\.)[\s\x{A0}]*(` + item + `(?:` + between + item + `)*)`)
	annexes  = regexp.MustCompile(`\bAnnex ([IVXLC]+|\d+)\b(,? section \d+)?(?:,?\s*(` + point + `(?:` + between + point + `)*))?`)
	items    = regexp.MustCompile(item)
	ranges   = regexp.MustCompile(`^(\d{1,3})\s*(?:–|-|to)\s*(\d{1,3})$`)
	// beforeEntry finds what follows the name of an act in a title.
	beforeEntry = regexp.MustCompile(`(?i)\s*(?:\bart(?:icles?|s?\.)[\s\x{A0}]*\d|\bAnnex |—|–).*$`)
)

const (
	item    = `\d{1,3}[a-z]?(?:\(\w{1,4}\))*(?:\s*(?:–|-|to)\s*\d{1,3})?`
	point   = `(?:§|points?)?\s*` + item
	between = `(?:\s*(?:,|and|\+|&|or)\s*)+`
)

// maxRange is the number of articles in a range that are proposed one by one.
const maxRange = 50

// entriesIn returns the entries that a text cites.
func entriesIn(text string) []string {
	var list []string
	for _, m := range articles.FindAllStringSubmatch(text, -1) {
		for _, number := range items.FindAllString(m[1], -1) {
			list = append(list, spread("Art. ", number)...)
		}
	}
	for _, m := range annexes.FindAllStringSubmatch(text, -1) {
		annex := "Annex " + m[1]
		if section := strings.TrimLeft(m[2], ", "); section != "" {
			annex += ", " + section
		}
		points := items.FindAllString(m[3], -1)
		for _, number := range points {
			list = append(list, spread(annex+", point ", number)...)
		}
		if len(points) == 0 {
			list = append(list, annex)
		}
	}
	return list
}

// spread returns the entries of a range of numbers, or the one entry.
func spread(prefix, number string) []string {
	m := ranges.FindStringSubmatch(number)
	if m == nil {
		return []string{prefix + number}
	}
	first, _ := strconv.Atoi(m[1]) // three digits
	last, _ := strconv.Atoi(m[2])
	if last < first || last-first >= maxRange {
		return []string{prefix + m[1], prefix + m[2]}
	}
	var list []string
	for n := first; n <= last; n++ {
		list = append(list, prefix+strconv.Itoa(n))
	}
	return list
}

// noteProposals notes that mappings are proposed for an element or a category.
func (v *version) noteProposals(o object, id string, sources []taxonomy.Source) {
	if list := propose(sources); len(list) > 0 {
		v.notes.at(Proposed, o.get("sources"), id, "sources cite articles of laws: confirm the mappings at the end of the file")
	}
}

// Files returns the authoring source of the version by file names. Mappings that sources
// suggest are comments at the ends of files, so that nothing is a fact before a person
// confirms it.
func (v *Version) Files() map[string][]byte {
	files := v.Source.Files()
	var schemes []taxonomy.Scheme
	add := func(name string, sources []taxonomy.Source) {
		list := propose(sources)
		if len(list) == 0 {
			return
		}
		text := fmt.Append(files[name], "# Proposed by the sources. Check each, correct the relation, and remove the # to confirm it.\n#mappings:\n")
		for _, p := range list {
			text = fmt.Appendf(text, "#- {scheme: %s, id: %s, relation: %s} # %s\n", p.scheme.ID, quoted(p.entry), codes.RelationRelated, p.because)
			if !slices.ContainsFunc(schemes, func(s taxonomy.Scheme) bool { return s.ID == p.scheme.ID }) {
				schemes = append(schemes, p.scheme)
			}
		}
		files[name] = text
	}
	for i := range v.Source.Categories {
		add("categories/"+v.Source.Categories[i].ID+".yaml", v.Source.Categories[i].Sources)
	}
	for i := range v.Source.Elements {
		add("elements/"+v.Source.Elements[i].ID+".yaml", v.Source.Elements[i].Sources)
	}
	if len(schemes) > 0 {
		text := fmt.Append(files["schema.yaml"], "# The schemes of proposed mappings. Remove the # of those that you confirm.\n#schemes:\n")
		for _, s := range schemes {
			text = fmt.Appendf(text, "#- {id: %s, title: {%s: %s}, url: %s}\n", s.ID, v.Source.Locales[0], quoted(s.Title[0].Value), quoted(s.URL))
		}
		files["schema.yaml"] = text
	}
	return files
}

// quoted returns a text as JSON, which is YAML, too.
func quoted(text string) string {
	b, _ := json.Marshal(text) // of a string
	return string(b)
}
