package dtpr

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// isFrontMatter reports whether a directory has a taxonomy in the older layout.
func (t *tree) isFrontMatter(dir string) bool {
	return slices.ContainsFunc(t.localeDirs(path.Join(dir, "elements")), func(d string) bool {
		return slices.ContainsFunc(t.in(d), func(f string) bool { return path.Ext(f) == ".md" })
	})
}

// localeDirs returns the directories that are named after a locale. The first one is en, whose texts
// are translated into the others.
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
	placed                      map[string]bool // elements that are in a datachain type
	// updated is the latest date on which a file was updated, or "".
	updated string
}

// importFrontMatter imports the datachain types of a directory in the older layout.
func (t *tree) importFrontMatter(dir string) ([]*Version, error) {
	f := frontMatterTree{placed: make(map[string]bool)}
	reader := newVersion(t, taxonomy.Version{}, nil)
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
		t.notes.file(Filled, dir, "no file names a datachain type, so it is the name of the directory")
	}
	for _, typ := range types {
		id, err := f.versionID(t, typ)
		if err != nil {
			return nil, fmt.Errorf("dtpr: %s: %w", dir, err)
		}
		v, err := f.version(t, id, typ)
		if err != nil {
			return nil, err
		}
		if len(v.content.Elements) > 0 {
			versions = append(versions, &Version{ID: id, From: dir, Source: v.content})
		} else {
			t.notes.add(Note{Kind: Lost, Subject: typ, Message: "the datachain type has no elements", Position: issue.Position{File: dir}})
		}
	}
	for _, o := range f.elements {
		if !f.placed[o.id()] && len(versions) > 0 {
			t.notes.at(Lost, o.main(), o.id(), "the element has no category that exists")
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
			value, ok, err := v.readValue(name)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			o := object{v, []translation{{locale, value}}}
			f.keepLatest(o.string("updated_at"))
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

// keepLatest keeps the latest date on which a file was updated.
func (f *frontMatterTree) keepLatest(updated string) {
	day, _, _ := strings.Cut(updated, "T")
	if ident.IsDate(day) {
		f.updated = max(f.updated, day)
	}
}

// typeIDs returns the datachain types: those that have a file, then those that categories name. The
// oldest trees have neither.
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
func (f *frontMatterTree) version(t *tree, id taxonomy.Version, typ string) (*version, error) {
	v := newVersion(t, id, f.locales)
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

// frontMatter returns the YAML between the lines --- at the start of a Markdown file,
// at the same lines.
func (t *tree) frontMatter(name string, content []byte) ([]byte, bool) {
	lines := strings.SplitAfter(strings.TrimPrefix(string(content), "\ufeff"), "\n")
	isMark := func(line string) bool { return strings.TrimRight(line, " \t\r\n") == "---" }
	if !isMark(lines[0]) {
		t.notes.file(Lost, name, "has no front matter between lines of ---")
		return nil, false
	}
	end := slices.IndexFunc(lines[1:], isMark)
	if end < 0 {
		t.notes.file(Lost, name, "has front matter without a closing line ---")
		return nil, false
	}
	if strings.TrimSpace(strings.Join(lines[end+2:], "")) != "" {
		t.notes.file(Dropped, name, "the text after the front matter has no place in the format")
	}
	return []byte("\n" + strings.Join(lines[1:end+1], "")), true
}

// singleBraces finds {variable}, but not {{variable}}.
var singleBraces = regexp.MustCompile(`(^|[^{])\{\s*([a-zA-Z0-9_-]+)\s*\}($|[^}])`)

// braces writes {variable} as {{variable}} in the texts of the older layout.
func (v *version) braces(l taxonomy.Localized, variables ...[]taxonomy.Variable) taxonomy.Localized {
	if !v.oldBraces {
		return l
	}
	declared := slices.Concat(variables...)
	for i := range l {
		l[i].Value = singleBraces.ReplaceAllStringFunc(l[i].Value, func(found string) string {
			m := singleBraces.FindStringSubmatch(found)
			if !slices.ContainsFunc(declared, func(d taxonomy.Variable) bool { return d.ID == m[2] }) {
				return found
			}
			return m[1] + "{{" + m[2] + "}}" + m[3]
		})
	}
	return l
}
