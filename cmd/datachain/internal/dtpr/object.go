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
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// object is an object of the source. In the older layout it has a translation for each locale,
// which differ in texts only; in the other it has one with all locales.
type object struct {
	*version
	translations []translation
}

// translation is an object as one file has it. Its locale is "" if texts list their locales.
type translation struct {
	locale string
	value  source.Value
}

// main returns the value that gives everything but texts.
func (o object) main() source.Value {
	if len(o.translations) == 0 {
		return source.Value{}
	}
	return o.translations[0].value
}

// get returns a member of the main value.
func (o object) get(key string) source.Value { return o.main().Get(key) }

// nested returns an object in the object.
func (o object) nested(key string) object {
	nested := object{version: o.version}
	for _, p := range o.translations {
		switch v := p.value.Get(key); {
		case v.IsObject():
			nested.translations = append(nested.translations, translation{p.locale, v})
		case v.Exists():
			o.notes.at(Dropped, v, "", "%s is not an object", key)
		}
	}
	return nested
}

// items returns the objects of a list. Those of other locales belong to the one with
// the same id.
func (o object) items(key string) []object {
	var items []object
	for i, p := range o.translations {
		list := p.value.Get(key)
		if list.Exists() && !list.IsList() {
			o.notes.at(Dropped, list, "", "%s is not a list", key)
			continue
		}
		for v := range list.Items() {
			id, _ := v.Get("id").Scalar()
			at := -1
			if i > 0 {
				at = slices.IndexFunc(items, func(item object) bool { other, _ := item.get("id").Scalar(); return other == id && id != "" })
			}
			switch {
			case !v.IsObject():
				o.notes.at(Dropped, v, "", "an item of %s is not an object", key)
			case i == 0:
				items = append(items, object{o.version, []translation{{p.locale, v}}})
			case at >= 0:
				items[at].translations = append(items[at].translations, translation{p.locale, v})
			default:
				o.notes.at(Dropped, v, id, "an item of %s is only in this locale", key)
			}
		}
	}
	return items
}

// string returns a text that is not localized, or "".
func (o object) string(key string) string {
	v := o.get(key)
	s, ok := v.Scalar()
	if v.Exists() && !ok {
		o.notes.at(Dropped, v, "", "%s is not a string", key)
	}
	return strings.TrimSpace(s)
}

// bool returns a boolean.
func (o object) bool(key string) bool {
	v := o.get(key)
	b, ok := v.Bool()
	if v.Exists() && !ok {
		o.notes.at(Dropped, v, "", "%s is not true or false", key)
	}
	return b
}

// strings returns a list of strings. A single string is a list of one.
func (o object) strings(key string) []source.Value {
	v := o.get(key)
	if _, ok := v.Scalar(); ok {
		return []source.Value{v}
	}
	var list []source.Value
	for item := range v.Items() {
		if s, ok := item.Scalar(); ok && strings.TrimSpace(s) != "" {
			list = append(list, item)
		} else {
			o.notes.at(Dropped, item, "", "an item of %s is not a string", key)
		}
	}
	return list
}

// text returns a localized text in the order of the locales.
func (o object) text(key string) taxonomy.Localized {
	var l taxonomy.Localized
	for _, p := range o.translations {
		v := p.value.Get(key)
		switch s, isText := v.Scalar(); {
		case !v.Exists():
		case isText && p.locale != "":
			l = o.addText(l, p.locale, s, v)
		case isText:
			l = o.addText(l, o.locales[0], s, v)
		default:
			l = o.addTexts(l, v)
		}
	}
	slices.SortStableFunc(l, func(a, b taxonomy.Text) int {
		return slices.Index(o.locales, a.Locale) - slices.Index(o.locales, b.Locale)
	})
	return l
}

// addTexts adds the texts of a list of {locale, value}, or of a map from locale to
// text.
func (o object) addTexts(l taxonomy.Localized, v source.Value) taxonomy.Localized {
	for item := range v.Items() {
		locale, at := item.Key(), item
		if v.IsList() {
			locale, _ = item.Get("locale").Scalar()
			at = item.Get("value")
			o.reportUnknown(object{o.version, []translation{{value: item}}}, "locale", "value")
		}
		if s, ok := at.Scalar(); ok && locale != "" {
			l = o.addText(l, locale, s, at)
		} else if at.Exists() || v.IsList() {
			o.notes.at(Dropped, item, "", "a localized text must have a locale and a string")
		}
	}
	return l
}

// addText adds a text unless it is empty, or in a locale that the version does not
// have, or not the first in its locale.
func (o object) addText(l taxonomy.Localized, locale, value string, at source.Value) taxonomy.Localized {
	spelled := spell(locale)
	i := slices.IndexFunc(o.locales, func(known string) bool { return strings.EqualFold(known, spelled) })
	_, twice := l.Get(spelled)
	switch {
	case strings.TrimSpace(value) == "":
		// As good as missing: lint reports it as a missing translation.
	case i < 0:
		o.notes.at(Dropped, at, locale, "the text is in a locale that the version does not list")
	case twice:
		o.notes.at(Dropped, at, locale, "the text is the second one in its locale")
	default:
		return append(l, taxonomy.Text{Locale: o.locales[i], Value: value})
	}
	return l
}

// spell returns a locale as BCP 47 spells it.
func spell(locale string) string { return strings.ReplaceAll(strings.TrimSpace(locale), "_", "-") }

// reportUnknown reports the members of an object that were not imported. Those with a reason
// of their own are given as "key: reason"; a reason of "" is none to report.
func (v *version) reportUnknown(o object, known ...string) {
	for i, p := range o.translations {
		for m := range p.value.Items() {
			if !m.Exists() || m.IsList() && isEmpty(m) {
				continue
			}
			why := "the format has no place for it"
			at := slices.IndexFunc(known, func(k string) bool { name, _, _ := strings.Cut(k, ": "); return name == m.Key() })
			if at >= 0 {
				_, reason, given := strings.Cut(known[at], ": ")
				if !given {
					if i > 0 {
						v.differs(o, m)
					}
					continue
				}
				why = reason
			}
			v.notes.at(Dropped, m, "", "%s is not imported: %s", m.Key(), why)
		}
	}
}

// differs reports a value of another locale that contradicts the main one. Texts are
// meant to differ.
func (v *version) differs(o object, m source.Value) {
	if slices.Contains([]string{"name", "title", "description", "prompt", "headline", "label"}, m.Key()) {
		return
	}
	other := o.get(m.Key())
	a, isScalar := m.Scalar()
	b, _ := other.Scalar()
	if isScalar && a != b || m.IsList() && other.IsList() && !sameScalars(m, other) {
		v.notes.at(Dropped, m, a, "%s differs from that in %s, which counts", m.Key(), o.translations[0].locale)
	}
}

// sameScalars reports whether two lists have the same scalars. Objects are compared
// elsewhere.
func sameScalars(a, b source.Value) bool {
	scalars := func(v source.Value) (list []string) {
		for item := range v.Items() {
			s, _ := item.Scalar()
			list = append(list, s)
		}
		return list
	}
	return slices.Equal(scalars(a), scalars(b))
}

// isEmpty reports whether a list or an object has no items.
func isEmpty(v source.Value) bool {
	for range v.Items() {
		return false
	}
	return true
}

// maxDepth limits the nesting of directories.
const maxDepth = 16

// tree is a source tree. It is listed once.
type tree struct {
	fsys fs.FS
	opts Options
	// files and dirs are slash-separated paths from the root, sorted.
	files []string
	dirs  []string
	drawn map[string][]string // SVG files by their base name
	size  int64               // of what was read
}

// Limits of a tree that were exceeded.
var (
	errTooManyFiles = errors.New("the tree has too many files: name the directory of the taxonomy, or raise the limit")
	errTooLarge     = errors.New("the files of the tree are too large in total: name the directory of the taxonomy, or raise the limit")
)

// newTree lists a tree. Hidden directories and those of package managers are skipped.
func newTree(fsys fs.FS, o Options, n *notes) (*tree, error) {
	t := &tree{fsys: fsys, opts: o, drawn: make(map[string][]string)}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return errors.New(wording.Reason(err))
		case err != nil:
			n.file(lossOf(name), name, "can't be read: %s", wording.Reason(err))
			return nil
		case o.Interrupt != nil && len(t.files)%256 == 0 && o.Interrupt() != nil:
			return o.Interrupt()
		case name == ".":
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || strings.Count(name, "/") >= maxDepth):
			return fs.SkipDir
		case d.IsDir():
			t.dirs = append(t.dirs, name)
		case strings.HasPrefix(d.Name(), "."):
		case !d.Type().IsRegular():
			n.file(lossOf(name), name, "the file is not a regular file; links are not followed")
		default:
			t.files = append(t.files, name)
		}
		if len(t.files)+len(t.dirs) > o.MaxFiles {
			return errTooManyFiles
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("dtpr: %w", err)
	}
	slices.Sort(t.files)
	for _, f := range t.files {
		if path.Ext(f) == ".svg" {
			t.drawn[path.Base(f)] = append(t.drawn[path.Base(f)], f)
		}
	}
	slices.Sort(t.dirs)
	return t, nil
}

// lossOf returns the kind of the note on a file or directory that is skipped: Lost if the
// layouts have elements, categories, symbols or datachain types there.
func lossOf(name string) Kind {
	for part := range strings.SplitSeq(name, "/") {
		switch strings.TrimSuffix(part, path.Ext(part)) {
		case "elements", "categories", "symbols", "datachain_types", "meta", "datachain-type":
			return Lost
		}
	}
	return Dropped
}

// in returns the files directly in a directory.
func (t *tree) in(dir string) []string { return children(t.files, dir) }

// dirsIn returns the directories directly in a directory.
func (t *tree) dirsIn(dir string) []string { return children(t.dirs, dir) }

func children(sorted []string, dir string) []string {
	prefix := dir + "/"
	if dir == "." {
		prefix = ""
	}
	at, _ := slices.BinarySearch(sorted, prefix)
	var list []string
	for _, name := range sorted[at:] {
		below, ok := strings.CutPrefix(name, prefix)
		if !ok {
			break
		}
		if !strings.Contains(below, "/") {
			list = append(list, name)
		}
	}
	return list
}

// has reports whether a directory exists.
func (t *tree) has(dir string) bool {
	_, ok := slices.BinarySearch(t.dirs, dir)
	return ok
}

// read reads a file within the limits. It reports why it can't, and then returns false;
// an error ends the import.
func (t *tree) read(name string, limit int64, n *notes) (content []byte, ok bool, err error) {
	if t.opts.Interrupt != nil {
		if err := t.opts.Interrupt(); err != nil {
			return nil, false, err
		}
	}
	f, err := t.fsys.Open(name)
	if err != nil {
		n.file(Lost, name, "can't be read: %s", wording.Reason(err))
		return nil, false, nil
	}
	defer func() { _ = f.Close() }() // only read
	content, err = limited.Read(f, limit, 0)
	switch t.size += int64(len(content)); {
	case errors.Is(err, limited.ErrTooLarge):
		n.file(Lost, name, "is larger than %d bytes", limit)
		return nil, false, nil
	case err != nil:
		n.file(Lost, name, "can't be read: %s", wording.Reason(err))
		return nil, false, nil
	case t.size > t.opts.MaxTotalSize:
		return nil, false, fmt.Errorf("dtpr: %w", errTooLarge)
	}
	return content, true, nil
}

// readValue reads a YAML or JSON file, or the front matter of a Markdown file.
func (t *tree) readValue(name string, n *notes) (source.Value, bool, error) {
	content, ok, err := t.read(name, source.DefaultMaxFileSize, n)
	if !ok {
		return source.Value{}, false, err
	}
	if path.Ext(name) == ".md" {
		if content, ok = frontMatter(name, content, n); !ok {
			return source.Value{}, false, nil
		}
	}
	v, problem := source.ParseValue(name, content)
	switch {
	case problem != nil:
		n.add(Note{Kind: Lost, Message: "the file can't be read: " + problem.Message, Position: problem.Position})
	case !v.IsObject():
		n.at(Lost, v, "", "the file is not an object with keys")
	default:
		return v, true, nil
	}
	return source.Value{}, false, nil
}

// frontMatter returns the YAML between the lines --- at the start of a Markdown file,
// at the same lines.
func frontMatter(name string, content []byte, n *notes) ([]byte, bool) {
	lines := strings.SplitAfter(strings.TrimPrefix(string(content), "\ufeff"), "\n")
	isMark := func(line string) bool { return strings.TrimRight(line, " \t\r\n") == "---" }
	if !isMark(lines[0]) {
		n.file(Lost, name, "has no front matter between lines of ---")
		return nil, false
	}
	end := slices.IndexFunc(lines[1:], isMark)
	if end < 0 {
		n.file(Lost, name, "has front matter without a closing line ---")
		return nil, false
	}
	if strings.TrimSpace(strings.Join(lines[end+2:], "")) != "" {
		n.file(Dropped, name, "the text after the front matter has no place in the format")
	}
	return []byte("\n" + strings.Join(lines[1:end+1], "")), true
}

// isData reports whether a file is YAML or JSON.
func isData(name string) bool {
	ext := path.Ext(name)
	return ext == ".yaml" || ext == ".yml" || ext == ".json"
}

// stem returns the base name of a file without its extension.
func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// dataFile returns the YAML or JSON file of a directory with a name, or "".
func (t *tree) dataFile(dir, name string) string {
	for _, f := range t.in(dir) {
		if isData(f) && stem(f) == name {
			return f
		}
	}
	return ""
}

// symbolLimit is how much of a symbol is read: more than the 256 KiB that [icons.Sanitize]
// takes, whose message is more helpful.
const symbolLimit = 256<<10 + 1

func (o *Options) withDefaults() Options {
	var d Options
	if o != nil {
		d = *o
	}
	d.Status = cmp.Or(d.Status, taxonomy.Beta)
	d.MaxFiles = cmp.Or(d.MaxFiles, 50_000)
	d.MaxTotalSize = cmp.Or(d.MaxTotalSize, 256<<20)
	return d
}
