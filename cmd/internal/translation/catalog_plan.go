package translation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/edit"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
)

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

// entry adds the translation of an entry if it is new. It returns why the entry is skipped, or "".
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
