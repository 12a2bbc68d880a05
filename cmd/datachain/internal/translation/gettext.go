package translation

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/authoring/edit"
	"github.com/datachain-go/datachain/authoring/review"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// Entry is one text and its translation.
type Entry struct {
	// Context says where the text is.
	Context string
	// ID is the text in the first locale, and Value its translation or "".
	ID, Value string
	// Fuzzy means that the translation has to be checked.
	Fuzzy bool
	// Previous is what ID was when it was translated, or "". Tools show both.
	Previous string
	// Comment is for translators.
	Comment string
	// Line is where the entry starts in the file that was read, from 1.
	Line int
}

// Catalog is a PO file of GNU gettext, for one locale. The context of an entry (msgctxt) says
// where the text is, such as element/purpose.safety/title, its id (msgid) is the text in the
// first locale of the version, and its value (msgstr) the translation, which is empty while
// there is none.
type Catalog struct {
	// Language is that of the translations, or "" for a template (POT), which has none.
	Language string
	// Version is the schema version, and Date the day on which it was released, as
	// YYYY-MM-DD. They are not read.
	Version, Date string
	Entries       []Entry
}

// maxEntries limits the entries of a file that is read.
const maxEntries = 1_000_000

// Text returns the file as text.
func (f *Catalog) Text() []byte {
	var b bytes.Buffer
	writeEntry(&b, f.head())
	for i := range f.Entries {
		b.WriteByte('\n')
		writeEntry(&b, &f.Entries[i])
	}
	return b.Bytes()
}

// Left returns how many entries have no translation, and of how many it is older than the original.
func (f *Catalog) Left() (missing, fuzzy int) {
	for _, e := range f.Entries {
		switch {
		case e.Value == "":
			missing++
		case e.Fuzzy:
			fuzzy++
		}
	}
	return missing, fuzzy
}

// head returns the entry without an id, with the fields that msgfmt expects. Equal content
// has equal fields, so files can be compared.
func (f *Catalog) head() *Entry {
	day := cmp.Or(f.Date, "1970-01-01") + " 00:00+0000"
	revised, plurals := day, pluralForms(f.Language)
	if f.Language == "" { // a template, in which translators fill in both
		revised = "YEAR-MO-DA HO:MI+ZONE"
	}
	var b strings.Builder
	for _, field := range [][2]string{
		{"Project-Id-Version", f.Version},
		{"Report-Msgid-Bugs-To", ""},
		{"POT-Creation-Date", day},
		{"PO-Revision-Date", revised},
		{"Last-Translator", ""},
		{"Language-Team", ""},
		{"Language", strings.ReplaceAll(f.Language, "-", "_")},
		{"MIME-Version", "1.0"},
		{"Content-Type", "text/plain; charset=UTF-8"},
		{"Content-Transfer-Encoding", "8bit"},
		{"Plural-Forms", plurals},
	} {
		if field[0] != "Plural-Forms" || plurals != "" {
			b.WriteString(field[0] + ": " + field[1] + "\n")
		}
	}
	return &Entry{Value: b.String(), Fuzzy: f.Language == ""}
}

// pluralForms returns how the plurals of a language are written, as in the manual of
// gettext, or "" if that is not known. Texts of a taxonomy have no plurals, but translation
// tools ask for it.
func pluralForms(locale string) string {
	language, region, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(locale, "_", "-")), "-")
	if language == "pt" && region == "br" {
		language = "fr"
	}
	for _, forms := range [][2]string{
		{"id ja ko lo ms my th vi zh", "nplurals=1; plural=0;"},
		{"af bg ca da de el en eo es et eu fi fy gl he hu it lb mn nb ne nl nn no pt sq sv sw tr ur", "nplurals=2; plural=(n != 1);"},
		{"am bn fa fr gu hi hy kn ln mg mr pa tl wa zu", "nplurals=2; plural=(n > 1);"},
		{"be bs hr ru sr uk", "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"},
		{"cs sk", "nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);"},
		{"pl", "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"},
		{"lt", "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2);"},
		{"lv", "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n!=0 ? 1 : 2);"},
		{"ro", "nplurals=3; plural=(n==1 ? 0 : n==0 || (n%100>0 && n%100<20) ? 1 : 2);"},
		{"sl", "nplurals=4; plural=(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3);"},
		{"ga", "nplurals=5; plural=(n==1 ? 0 : n==2 ? 1 : n>2 && n<7 ? 2 : n>6 && n<11 ? 3 : 4);"},
		{"ar", "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);"},
	} {
		if slices.Contains(strings.Fields(forms[0]), language) {
			return forms[1]
		}
	}
	return ""
}

func writeEntry(b *bytes.Buffer, e *Entry) {
	for line := range strings.Lines(e.Comment) {
		fmt.Fprintf(b, "#. %s\n", strings.TrimRight(line, "\n"))
	}
	if e.Fuzzy {
		b.WriteString("#, fuzzy\n")
	}
	if e.Previous != "" {
		writeString(b, "#| ", "msgid", e.Previous)
	}
	if e.Context != "" {
		writeString(b, "", "msgctxt", e.Context)
	}
	writeString(b, "", "msgid", e.ID)
	writeString(b, "", "msgstr", e.Value)
}

// writeString writes a keyword and a string, with a line for each line of the string.
// Each line begins with the mark.
func writeString(b *bytes.Buffer, mark, keyword, s string) {
	b.WriteString(mark + keyword)
	if strings.Contains(strings.TrimSuffix(s, "\n"), "\n") {
		b.WriteString(` ""`)
		for line := range strings.Lines(s) {
			b.WriteString("\n" + mark + escape(line))
		}
	} else {
		b.WriteString(" " + escape(s))
	}
	b.WriteByte('\n')
}

// escape returns a string in quotes, with the escapes of C.
func escape(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch r {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\t':
			b.WriteString(`\t`)
		case '\r':
			b.WriteString(`\r`)
		default:
			if r < ' ' || r == 0x7f {
				fmt.Fprintf(&b, `\%03o`, r)
			} else {
				b.WriteRune(r)
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}

// ParseCatalog reads a PO file in UTF-8. Obsolete entries (#~) are skipped; plural forms are an
// error, since texts of a taxonomy have none. Errors name the line.
func ParseCatalog(text []byte) (*Catalog, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) {
		return nil, errors.New("gettext: the file is not UTF-8")
	}
	p := parser{file: new(Catalog)}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if err := p.line(strings.TrimSpace(line), n); err != nil {
			return nil, fmt.Errorf("gettext: line %d: %w", n, err)
		}
	}
	if err := p.end(); err != nil {
		return nil, fmt.Errorf("gettext: line %d: %w", n, err)
	}
	return p.file, nil
}

// parser reads one line after the other.
type parser struct {
	file  *Catalog
	entry Entry
	// into is the string that further lines in quotes belong to.
	into *string
	// begun is set after the first keyword of an entry, and done after msgstr.
	begun, done bool
	// was is set while the lines of a previous msgid are read.
	was bool
}

func (p *parser) line(line string, n int) error {
	keyword, rest, _ := strings.Cut(line, " ")
	switch {
	case line == "" || strings.HasPrefix(line, "#~"):
		return nil
	case line[0] == '#':
		return p.comment(line)
	case line[0] == '"':
		if p.into == nil {
			return errors.New("a string must follow msgctxt, msgid or msgstr")
		}
		return p.add(line)
	case keyword == "msgctxt" || keyword == "msgid" && (p.done || !p.begun):
		if err := p.start(n); err != nil {
			return err
		}
	}
	switch keyword {
	case "msgctxt":
		p.into = &p.entry.Context
	case "msgid":
		p.into = &p.entry.ID
	case "msgstr":
		if !p.begun || p.done {
			return errors.New("msgstr must follow msgid")
		}
		p.into, p.done = &p.entry.Value, true
	default:
		return fmt.Errorf("unknown keyword %s: texts of a taxonomy have msgctxt, msgid and msgstr", wording.Quote(keyword))
	}
	return p.add(strings.TrimSpace(rest))
}

// comment reads a line that begins with #. It belongs to the next entry.
func (p *parser) comment(line string) error {
	if err := p.end(); err != nil {
		return err
	}
	switch {
	case strings.HasPrefix(line, "#,"):
		for flag := range strings.SplitSeq(line[2:], ",") {
			p.entry.Fuzzy = p.entry.Fuzzy || strings.TrimSpace(flag) == "fuzzy"
		}
	case strings.HasPrefix(line, "#."):
		p.entry.Comment += strings.TrimSpace(line[2:]) + "\n"
	case strings.HasPrefix(line, "#|"):
		return p.previous(strings.TrimSpace(line[2:]))
	}
	return nil
}

// previous reads a line of what an entry was before. Only its msgid matters.
func (p *parser) previous(line string) error {
	keyword, rest, _ := strings.Cut(line, " ")
	switch {
	case keyword == "msgid":
		p.was, line = true, strings.TrimSpace(rest)
	case !strings.HasPrefix(line, `"`):
		p.was = false
	}
	if !p.was {
		return nil
	}
	s, err := unescape(line)
	p.entry.Previous += s
	return err
}

// start begins an entry.
func (p *parser) start(n int) error {
	if err := p.end(); err != nil {
		return err
	}
	p.begun, p.entry.Line = true, n
	return nil
}

// end takes over the entry that is complete, if there is one.
func (p *parser) end() error {
	switch {
	case !p.begun:
		return nil
	case !p.done:
		return errors.New("the entry before it has no msgstr")
	case p.entry.ID == "" && p.entry.Context == "":
		p.header()
	case len(p.file.Entries) >= maxEntries:
		return fmt.Errorf("there are more than %d entries", maxEntries)
	default:
		p.entry.Comment = strings.TrimSuffix(p.entry.Comment, "\n")
		p.file.Entries = append(p.file.Entries, p.entry)
	}
	p.entry, p.into, p.begun, p.done, p.was = Entry{}, nil, false, false, false
	return nil
}

// header reads the entry without an id.
func (p *parser) header() {
	for line := range strings.Lines(p.entry.Value) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(strings.TrimSpace(name), "language") {
			p.file.Language = strings.TrimSpace(value)
		}
	}
}

// add appends a string in quotes.
func (p *parser) add(quoted string) error {
	s, err := unescape(quoted)
	*p.into += s
	return err
}

// unescape returns the string in quotes.
func unescape(quoted string) (string, error) {
	if len(quoted) < 2 || quoted[0] != '"' || quoted[len(quoted)-1] != '"' {
		return "", fmt.Errorf("%s must be a string in double quotes", wording.Quote(quoted))
	}
	rest := quoted[1 : len(quoted)-1]
	var b strings.Builder
	for rest != "" {
		if rest[0] == '"' {
			return "", errors.New("a quote in a string must be written as \\\"")
		}
		r, multibyte, tail, err := strconv.UnquoteChar(rest, '"')
		if err != nil {
			return "", fmt.Errorf("invalid escape in %s", wording.Quote(quoted))
		}
		if multibyte || r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			return "", fmt.Errorf("invalid escape in %s", wording.Quote(quoted)) // a byte that is not a character
		}
		rest = tail
	}
	return b.String(), nil
}

// NewCatalog returns the texts of a schema version with their translations into a locale of
// it, or without any if the locale is "". Stale has the translations that are older than
// their originals: what the original was, by [write.LocalizedText.Key]. They are marked as
// fuzzy.
func NewCatalog(a *write.Authored, locale string, stale map[string]string) *Catalog {
	f := &Catalog{Language: locale}
	describe := describer(a)
	for _, t := range a.Texts() {
		original, ok := t.Text.Get(a.Locales[0])
		if !ok {
			continue // there is nothing to translate
		}
		e := Entry{Context: t.Key(), ID: original, Comment: describe(&t, original)}
		if locale != "" {
			value, _ := t.Text.Get(locale)
			e.Value = framed(value, original)
		}
		if was, ok := stale[e.Context]; ok && e.Value != "" {
			e.Fuzzy, e.Previous = true, was
		}
		f.Entries = append(f.Entries, e)
	}
	return f
}

// framed returns a translation with the line breaks that the original begins and ends
// with: gettext refuses others.
func framed(value, original string) string {
	inner := strings.Trim(value, "\n")
	if inner == "" {
		return ""
	}
	if strings.HasPrefix(original, "\n") {
		inner = "\n" + inner
	}
	if strings.HasSuffix(original, "\n") {
		inner += "\n"
	}
	return inner
}

// describer returns a function that writes the comment of a text for translators: what it
// is, where it is shown, how long it may be, what to keep, and the guidance of its owner.
func describer(a *write.Authored) func(t *write.LocalizedText, original string) string {
	type owner struct {
		text     string
		guidance taxonomy.Localized
	}
	name := func(l taxonomy.Localized) string { return wording.Quote(l.Pick(a.Locales[0])) }
	owners := make(map[string]owner) // by kind and id
	names := make(map[string]string) // of categories
	for i := range a.Categories {
		c := &a.Categories[i]
		names[c.ID] = "the category " + name(c.Name)
		owners[string(source.KindCategory)+c.ID] = owner{names[c.ID], c.AuthoringGuidance}
	}
	for i := range a.Elements {
		e := &a.Elements[i]
		owners[string(source.KindElement)+e.ID] = owner{"the element " + name(e.Title) + " in " + names[e.CategoryID], e.AuthoringGuidance}
	}
	return func(t *write.LocalizedText, original string) string {
		o := owners[string(t.Kind)+t.ID]
		lines := []string{purpose(t, cmp.Or(o.text, "the taxonomy"))}
		if keep := placeholders(original); len(keep) > 0 {
			lines = append(lines, "Keep "+wording.And(keep)+".")
		}
		if guidance, ok := o.guidance.Get(a.Locales[0]); ok && len(t.Path) == 1 && t.Path[0].Key != "authoring_guidance" {
			lines = append(lines, "Guidance for authors: "+wording.Printable(strings.Join(strings.Fields(guidance), " ")))
		}
		return strings.Join(lines, "\n")
	}
}

// purpose says what a text is and where it is shown. The limits are those of reviews.
func purpose(t *write.LocalizedText, of string) string {
	words := func(sign string) string {
		return fmt.Sprintf(" At most %.0f words.", review.Lookup(sign).Limit*review.TranslationRoom)
	}
	last := func(i int) string { // key i from the end, without ids and numbers
		for _, step := range slices.Backward(t.Path) {
			if step.Key == "" {
				continue
			}
			if i--; i < 0 {
				return step.Key
			}
		}
		return ""
	}
	switch field, list := last(0), last(1); {
	case list == "options":
		return wording.Sentence(field) + " of a choice, in " + of + ". Shown where authors choose, and on the page of a document."
	case list == "values":
		return wording.Sentence(field) + " of a context value, in " + of + ". Shown with its colour beside placements, and on signs."
	case list == "context":
		return wording.Sentence(field) + " of the context of " + of + ". Shown where authors choose a value, and in legends."
	case list == "variables":
		return wording.Sentence(field) + " of a variable, in " + of + ". Shown beside the field that authors fill in."
	case list == "subchains":
		return wording.Sentence(field) + " of a part of the taxonomy. Shown as a heading."
	case list == "schemes":
		return "Title of a law or standard that elements refer to. Shown in crosswalks: use its official title."
	case field == "examples":
		return "Example for " + of + ". Shown on its page."
	case field == "note":
		return "Note, in " + of + ". Shown to authors of documents, beside successors and mappings."
	case field == "notes":
		return "What is new in the version. Shown on its page and in the feed of releases."
	case field == "keywords":
		return "Words that find " + of + " in searches. Not shown; translate what readers would type, not word by word."
	case field == "prompt":
		return "The question that " + of + " answers. Shown to authors, and as a heading for readers."
	case field == "authoring_guidance":
		return "Guidance for authors of documents, in " + of + ". Readers do not see it."
	case t.Kind == "" && list != "removed":
		return wording.Sentence(field) + " of " + of + ". Shown on its pages, and in lists of taxonomies."
	case field == "title" || field == "name":
		return wording.Sentence(field) + " of " + of + ". Shown beside icons, in lists and on signs." + words("title-length")
	default:
		return wording.Sentence(field) + " of " + of + ". Shown on its page and beside its placements." + words("description-length")
	}
}

// placeholders returns the variables in a text, which translators must keep.
func placeholders(text string) []string {
	var names []string
	for p := range ident.Pieces(text) {
		if p.Placeholder && !slices.Contains(names, p.Text) {
			names = append(names, p.Text)
		}
	}
	return names
}

// Skipped is an entry that is not imported.
type Skipped struct {
	Line    int    `json:"line"`
	Context string `json:"context"`
	Reason  string `json:"reason"`
}

// Change is one text that changes.
type Change struct {
	Context string `json:"context"`
	Old     string `json:"old,omitempty"`
	New     string `json:"new"`
}

// CatalogPlan is what importing a PO file changes.
type CatalogPlan struct {
	Translations []Change
	Skipped      []Skipped
	source       edit.Changes
	locale       string
}

// Plan compares the translations of the file with those of a schema version. Entries
// without a translation, those that are marked as fuzzy, and those whose original has
// changed since are skipped. The language of the file must be one of the version, and
// not the first one, which is what is translated.
func (f *Catalog) Plan(a *write.Authored) (*CatalogPlan, error) {
	i := ident.IndexLocale(a.Locales, strings.ReplaceAll(f.Language, "_", "-"))
	switch {
	case f.Language == "":
		return nil, fmt.Errorf("gettext: the header does not name the language: write Language: %s", wording.Or(a.Locales[1:]))
	case i < 0:
		return nil, fmt.Errorf("gettext: the version has no locale %s: add it to locales in the schema file", wording.Quote(f.Language))
	case i == 0:
		return nil, fmt.Errorf("gettext: %s is the language that is translated from", a.Locales[0])
	}
	p := &CatalogPlan{locale: a.Locales[i]}
	texts := make(map[string]*write.LocalizedText)
	all := a.Texts()
	for k := range all {
		texts[all[k].Key()] = &all[k]
	}
	seen := make(map[string]bool, len(f.Entries))
	for _, e := range f.Entries {
		if reason := p.entry(e, texts[e.Context], a.Locales[0], seen[e.Context]); reason != "" {
			p.Skipped = append(p.Skipped, Skipped{e.Line, e.Context, reason})
		}
		seen[e.Context] = true
	}
	return p, nil
}

// entry compares one entry. It returns why it is skipped, or "".
func (p *CatalogPlan) entry(e Entry, t *write.LocalizedText, original string, twice bool) string {
	if t == nil {
		return "the version has no such text"
	}
	text, _ := t.Text.Get(original)
	old, _ := t.Text.Get(p.locale)
	switch {
	case twice:
		return "the text is in the file already"
	case strings.TrimSpace(e.Value) == "" || e.Value == old || e.Value == framed(old, text):
		return ""
	case e.Fuzzy:
		return "the translation is marked as fuzzy"
	case e.ID != text:
		return "the original has changed since"
	}
	p.Translations = append(p.Translations, Change{e.Context, old, e.Value})
	p.source.Set = append(p.source.Set, edit.Change{
		Kind: t.Kind, ID: t.ID, Path: slices.Concat(t.Path, []edit.Step{{Locale: p.locale}}), Value: e.Value,
	})
	return ""
}

// Source returns the changes of the source.
func (p *CatalogPlan) Source() *edit.Changes { return &p.source }

// Check returns an error unless the source after the changes has the new translations,
// and every other text as before.
func (p *CatalogPlan) Check(before, after *write.Authored) error {
	wanted := values(before)
	for _, t := range p.Translations {
		wanted[place{t.Context, p.locale}] = t.New
	}
	got := values(after)
	for at, value := range wanted {
		if got[at] != value {
			return fmt.Errorf("gettext: %s can't be changed automatically: edit the file by hand", at.key)
		}
	}
	if len(got) != len(wanted) {
		return fmt.Errorf("gettext: %d texts would be %d: edit the files by hand", len(wanted), len(got))
	}
	return nil
}

// place is a text in a locale.
type place struct{ key, locale string }

func values(a *write.Authored) map[place]string {
	all := make(map[place]string)
	for _, t := range a.Texts() {
		for _, text := range t.Text {
			all[place{t.Key(), text.Locale}] = text.Value
		}
	}
	return all
}
