// Package translation lets people translate and edit the texts of a schema version with the
// tools that they know. The texts leave the source as a [Table] for spreadsheets, or as a
// [Catalog] of GNU gettext, and come back as changes of the source. [Check] finds the texts
// that are not translated, and those whose translation is older than its original:
//
//	report := translation.Check(release, lastStable)
//	for _, p := range report.Locales {
//		fmt.Printf("%s: %d %%\n", p.Locale, p.Percent())
//	}
//
// The original of a text is the one in the fallback locale. A translation is stale if
// the original has changed since an older release, and the translation has not.
//
// What elements inherit from their category is counted once, for the category. A prompt
// or guidance for authors that is only in the fallback locale is not meant to be
// translated.
//
// The package does no I/O and has no state.
package translation

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/diff"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// State is what is wrong with a translation.
type State string

// The states.
const (
	// Missing means that there is no text in the language.
	Missing State = "missing"
	// Stale means that the original has changed, and the translation has not.
	Stale State = "stale"
)

// Gap is a text that has to be translated.
type Gap struct {
	Locale  string       `json:"locale"`
	State   State        `json:"state"`
	Subject diff.Subject `json:"subject"`
	ID      string       `json:"id,omitempty"`
	// Path is the text in the language, such as variables.contact.label.fr.
	Path issue.Path `json:"path"`
	// Original is the text to translate.
	Original string `json:"original"`
	// Before is what the original was, and Translation what it was translated to.
	// They are empty if the text is missing.
	Before      string `json:"before,omitempty"`
	Translation string `json:"translation,omitempty"`
}

// Key identifies the text in its version, as source.LocalizedText.Key does: such as
// element/purpose.safety/title.
func (g *Gap) Key() string {
	parts := []string{string(g.Subject), g.ID}
	switch g.Subject {
	case diff.Manifest:
		parts = []string{"schema"}
	case diff.DatachainType:
		parts = []string{"schema", string(diff.DatachainType)}
	}
	for _, step := range g.Path[:len(g.Path)-1] { // without the language
		if i, isIndex := step.IsIndex(); isIndex {
			parts = append(parts, strconv.Itoa(i+1))
		} else {
			parts = append(parts, step.Name())
		}
	}
	return strings.Join(parts, "/")
}

// Progress is how much of a release is translated into a language.
type Progress struct {
	Locale string `json:"locale"`
	// Total is the number of texts, Current of those whose translation is up to
	// date.
	Total   int `json:"total"`
	Current int `json:"current"`
	Missing int `json:"missing"`
	Stale   int `json:"stale"`
}

// Percent returns how much is translated and up to date, rounded down: 100 means
// everything.
func (p Progress) Percent() int {
	if p.Total == 0 {
		return 100
	}
	return p.Current * 100 / p.Total
}

// Report is what is left to translate in a release.
type Report struct {
	Version taxonomy.Version
	// Since is the older release, or the zero Version if there is none: then no
	// translation is known to be stale.
	Since taxonomy.Version
	// Fallback is the locale of the originals.
	Fallback string
	// Locales has the progress of each locale of the release, in its order; the
	// fallback comes first.
	Locales []Progress
	// Gaps are sorted by locale, then by their place in the release.
	Gaps []Gap
}

// Check finds what is left to translate in a release. Older is the release that was
// translated last, such as the last stable version, or nil if there is none.
func Check(r, older *taxonomy.Release) *Report {
	report := &Report{Version: r.Version(), Fallback: r.Locales()[0]}
	was := make(map[string]taxonomy.Localized)
	if older != nil {
		report.Since = older.Version()
		for _, t := range Texts(older) {
			was[t.former[0]] = t.Texts
		}
	}
	texts := Texts(r)
	for _, locale := range r.Locales() {
		progress := Progress{Locale: locale, Total: len(texts)}
		for i := range texts {
			gap, ok := texts[i].gap(locale, report.Fallback, was)
			switch {
			case !ok:
				progress.Current++
				continue
			case gap.State == Missing:
				progress.Missing++
			default:
				progress.Stale++
			}
			report.Gaps = append(report.Gaps, gap)
		}
		report.Locales = append(report.Locales, progress)
	}
	return report
}

// gap returns what is wrong with the translation of a text.
func (t *Text) gap(locale, fallback string, older map[string]taxonomy.Localized) (Gap, bool) {
	original := t.Texts.Pick(fallback)
	gap := Gap{Locale: locale, Subject: t.Subject, ID: t.ID, Path: t.Path.Key(locale), Original: original}
	text, ok := t.Texts.Get(locale)
	if !ok {
		gap.State = Missing
		return gap, true
	}
	if strings.EqualFold(locale, fallback) {
		return Gap{}, false
	}
	i := slices.IndexFunc(t.former, func(key string) bool { return older[key] != nil })
	if i < 0 {
		return Gap{}, false
	}
	before, known := older[t.former[i]].Get(fallback)
	_, still := t.Texts.Get(fallback)
	translated, _ := older[t.former[i]].Get(locale)
	if !known || !still || before == original || translated != text {
		return Gap{}, false
	}
	gap.State, gap.Before, gap.Translation = Stale, before, text
	return gap, true
}

// Select returns the report on one locale only, ignoring case, or false if the release
// does not have it.
func (r *Report) Select(locale string) (*Report, bool) {
	only := *r
	only.Locales = slices.DeleteFunc(slices.Clone(r.Locales), func(p Progress) bool { return !strings.EqualFold(p.Locale, locale) })
	only.Gaps = slices.DeleteFunc(slices.Clone(r.Gaps), func(g Gap) bool { return !strings.EqualFold(g.Locale, locale) })
	return &only, len(only.Locales) > 0
}

// Text is a localized text of a release.
type Text struct {
	// Subject and ID are the part of the release that has the text, as in a
	// [diff.Change].
	Subject diff.Subject
	ID      string
	// Path is the field. It names items of lists by their ids, as in
	// variables.contact.label.
	Path issue.Path
	// Texts are the text in each language.
	Texts taxonomy.Localized

	// former are the keys of the text in older releases, its own first.
	former []string
}

// Texts returns the texts of a release that are meant to be translated: those of the
// manifest and the datachain type, then of the categories and the elements in order. An
// element has those of the variables that it does not inherit.
func Texts(r *taxonomy.Release) []Text {
	w := &walker{fallback: r.Locales()[0]}
	w.walk(newSpot(diff.Manifest, ""), reflect.ValueOf(r.Manifest()).Elem())
	w.walk(newSpot(diff.DatachainType, ""), reflect.ValueOf(r.Type()).Elem())
	for _, c := range r.Categories() {
		w.walk(newSpot(diff.Category, c.ID, c.RenamedFrom...), reflect.ValueOf(c).Elem())
	}
	for _, e := range r.Elements() {
		c, _ := r.Category(e.CategoryID)
		own := *e
		own.Variables = slices.DeleteFunc(slices.Clone(e.Variables), func(v taxonomy.Variable) bool {
			return slices.ContainsFunc(c.Variables, func(inherited taxonomy.Variable) bool {
				return inherited.ID == v.ID && reflect.DeepEqual(inherited, v)
			})
		})
		w.walk(newSpot(diff.Element, e.ID), reflect.ValueOf(&own).Elem())
	}
	return w.texts
}

// walker collects the texts of a release.
type walker struct {
	fallback string
	texts    []Text
}

// spot is the place of a text, and the keys that it had in older releases.
type spot struct {
	subject diff.Subject
	id      string
	path    issue.Path
	former  []string
}

// maxFormer limits how many combinations of former ids are followed.
const maxFormer = 16

func newSpot(s diff.Subject, id string, from ...string) spot {
	former := []string{string(s) + "/" + id}
	for _, old := range from {
		former = append(former, string(s)+"/"+old)
	}
	return spot{s, id, issue.Root, former}
}

// key returns the place of a field, or of an item of a list that had other ids.
func (s spot) key(name string, from ...string) spot {
	next := spot{s.subject, s.id, s.path.Key(name), nil}
	for _, id := range append([]string{name}, from...) {
		for _, f := range s.former {
			if len(next.former) < maxFormer {
				next.former = append(next.former, f+"/"+id)
			}
		}
	}
	return next
}

// index returns the place of an item of a list without ids.
func (s spot) index(i int) spot {
	next := s
	next.path = s.path.Index(i)
	next.former = nil
	for _, f := range s.former {
		next.former = append(next.former, f+next.path[len(next.path)-1:].String())
	}
	return next
}

// walk adds the texts of a value by the struct tags of its type. Those for authors count
// only if one of them is translated.
func (w *walker) walk(at spot, v reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[taxonomy.Localized]():
		l, _ := reflect.TypeAssert[taxonomy.Localized](v)
		if name := at.path[len(at.path)-1].Name(); name == "prompt" || name == "authoring_guidance" {
			if _, ok := l.Get(w.fallback); ok && len(l) == 1 {
				return
			}
		}
		if len(l) > 0 {
			w.texts = append(w.texts, Text{at.subject, at.id, at.path, l, at.former})
		}
	case v.Kind() == reflect.Struct:
		list, _ := codes.Fields(v.Type())
		for _, f := range list {
			if k := f.Type.Kind(); k == reflect.Struct || k == reflect.Slice && f.Type.Elem().Kind() != reflect.String {
				w.walk(at.key(f.Name), v.FieldByIndex(f.Index))
			}
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			item, next := v.Index(i), at.index(i)
			if item.Kind() == reflect.Struct && item.FieldByName("ID").IsValid() {
				var from []string
				if f := item.FieldByName("RenamedFrom"); f.IsValid() {
					from, _ = reflect.TypeAssert[[]string](f)
				}
				next = at.key(item.FieldByName("ID").String(), from...)
			}
			w.walk(next, item)
		}
	}
}
