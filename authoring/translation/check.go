package translation

import (
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/evolution/diff"
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
