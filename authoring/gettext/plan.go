package gettext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/prose"
)

// New returns the texts of a schema version with their translations into a locale of
// it. Stale has the translations that are older than their originals: what the original
// was, by [source.LocalizedText.Key]. They are marked as fuzzy.
func New(a *source.Authored, locale string, stale map[string]string) *File {
	f := &File{Language: locale}
	for _, t := range a.Texts() {
		original, ok := t.Text.Get(a.Locales[0])
		if !ok {
			continue // there is nothing to translate
		}
		value, _ := t.Text.Get(locale)
		e := Entry{Context: t.Key(), ID: original, Value: value, Comment: comment(original)}
		if was, ok := stale[e.Context]; ok && value != "" {
			e.Fuzzy, e.Previous = true, was
		}
		f.Entries = append(f.Entries, e)
	}
	return f
}

// comment tells translators what to keep.
func comment(text string) string {
	var names []string
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, "{{")
		name, tail, closed := strings.Cut(after, "}}")
		if !ok || !closed {
			break
		}
		if name = "{{" + name + "}}"; !slices.Contains(names, name) {
			names = append(names, name)
		}
		rest = tail
	}
	if len(names) == 0 {
		return ""
	}
	return "Keep " + prose.And(names) + "."
}

// Skipped is an entry that is not taken over.
type Skipped struct {
	Line    int    `json:"line"`
	Context string `json:"context"`
	Reason  string `json:"reason"`
}

// Translation is one text that changes.
type Translation struct {
	Context string `json:"context"`
	Old     string `json:"old,omitempty"`
	New     string `json:"new"`
}

// Plan is what importing a PO file changes.
type Plan struct {
	Translations []Translation
	Skipped      []Skipped
	source       source.Changes
	locale       string
}

// Plan compares the translations of the file with those of a schema version. Entries
// without a translation, those that are marked as fuzzy, and those whose original has
// changed since are skipped. The language of the file must be one of the version, and
// not the first one, which is what is translated.
func (f *File) Plan(a *source.Authored) (*Plan, error) {
	i := slices.IndexFunc(a.Locales, func(l string) bool { return strings.EqualFold(l, strings.ReplaceAll(f.Language, "_", "-")) })
	switch {
	case f.Language == "":
		return nil, fmt.Errorf("gettext: the header does not name the language: write Language: %s", prose.Or(a.Locales[1:]))
	case i < 0:
		return nil, fmt.Errorf("gettext: the version has no locale %s: add it to locales in the schema file", prose.Quote(f.Language))
	case i == 0:
		return nil, fmt.Errorf("gettext: %s is the language that is translated from", a.Locales[0])
	}
	p := &Plan{locale: a.Locales[i]}
	texts := make(map[string]*source.LocalizedText)
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
func (p *Plan) entry(e Entry, t *source.LocalizedText, original string, twice bool) string {
	if t == nil {
		return "the version has no such text"
	}
	text, _ := t.Text.Get(original)
	old, _ := t.Text.Get(p.locale)
	switch {
	case twice:
		return "the text is in the file already"
	case strings.TrimSpace(e.Value) == "" || e.Value == old:
		return ""
	case e.Fuzzy:
		return "the translation is marked as fuzzy"
	case e.ID != text:
		return "the original has changed since"
	}
	p.Translations = append(p.Translations, Translation{e.Context, old, e.Value})
	p.source.Set = append(p.source.Set, source.Change{
		Kind: t.Kind, ID: t.ID, Path: slices.Concat(t.Path, []source.Step{{Locale: p.locale}}), Value: e.Value,
	})
	return ""
}

// Source returns the changes of the source.
func (p *Plan) Source() *source.Changes { return &p.source }

// Check returns an error unless the source after the changes has the new translations,
// and every other text as before.
func (p *Plan) Check(before, after *source.Authored) error {
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

func values(a *source.Authored) map[place]string {
	all := make(map[place]string)
	for _, t := range a.Texts() {
		for _, text := range t.Text {
			all[place{t.Key(), text.Locale}] = text.Value
		}
	}
	return all
}
