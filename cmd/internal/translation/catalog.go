package translation

import (
	"cmp"
	"slices"
	"strings"

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
	// Fuzzy means that the translation must be checked.
	Fuzzy bool
	// Previous is the text that was translated, if ID has changed since. Tools show both.
	Previous string
	// Comment is for translators.
	Comment string
	// Line is where the entry starts in the file that was read, from 1.
	Line int
}

// Catalog is a PO file of GNU gettext for one locale. The context of an entry (msgctxt) says where the
// text is, such as element/purpose.safety/title. Its id (msgid) is the text in the first locale of the
// version, and its value (msgstr) the translation, if there is one.
type Catalog struct {
	// Language is that of the translations, or "" for a template (POT), which has none.
	Language string
	// Version is the schema version, and Date the day on which it was released, as
	// YYYY-MM-DD. They are not read.
	Version, Date string
	Entries       []Entry
}

// Left returns how many entries have no translation, and how many have a fuzzy one.
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

// NewCatalog returns the texts of a schema version with their translations into a locale, or a
// template if the locale is "". Stale has the originals from which stale translations were made, by
// [write.LocalizedText.Key]. Those are marked as fuzzy.
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

// framed returns a translation that begins and ends with a line break if the original does, which
// gettext requires.
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

// describer returns a function that returns the comment of a text for translators: what it is, where
// it is shown, what to keep, and the guidance of its element or category.
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

// purpose returns what a text is and where it is shown.
func purpose(t *write.LocalizedText, of string) string {
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
		return wording.Sentence(field) + " of " + of + ". Shown beside icons, in lists and on signs."
	default:
		return wording.Sentence(field) + " of " + of + ". Shown on its page and beside its placements."
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
