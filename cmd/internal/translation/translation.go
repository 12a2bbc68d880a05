// Package translation exports the texts of a schema version for translators, and imports them as
// changes of its source: as a [Table] for spreadsheets, or as a [Catalog] of GNU gettext. [Check]
// finds texts without a translation, and translations that are older than their original:
//
//	report := translation.Check(release, lastStable)
//	for _, p := range report.Locales {
//		fmt.Printf("%s: %d %%\n", p.Locale, p.Percent)
//	}
//
// The original of a text is the one in the fallback locale. A translation is stale if
// the original has changed since an older release, and the translation has not.
//
// What elements inherit from their category counts once, for the category. A prompt or guidance for
// authors that is only in the fallback locale is not to be translated.
package translation

import (
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/internal/codes"
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
	// Position is the place in the source; see [Report.Locate].
	Position issue.Position `json:"position,omitzero"`

	key string // of the text in its version; see [write.LocalizedText.Key]
}

// Progress is how much of a release is translated into a language.
type Progress struct {
	Locale string `json:"locale"`
	// Total is the number of texts, and Current that of translations that are up to date.
	Total   int `json:"total"`
	Current int `json:"current"`
	Missing int `json:"missing"`
	Stale   int `json:"stale"`
	// Percent is how much is translated and up to date, rounded down: 100 means everything.
	Percent int `json:"percent"`
}

// Report is what is left to translate in a release.
type Report struct {
	Version taxonomy.Version `json:"id"`
	// Since is the older release, or the zero Version if there is none. Then no translation is
	// stale.
	Since taxonomy.Version `json:"since,omitzero"`
	// Fallback is the locale of the originals.
	Fallback string `json:"fallback"`
	// Locales has the progress of each locale of the release, in its order; the
	// fallback comes first.
	Locales []Progress `json:"locales"`
	// Gaps are sorted by locale, then by their place in the release.
	Gaps []Gap `json:"gaps"`
}

// Check returns what is left to translate in a release. Older is the release that was translated last,
// such as the last stable version, or nil.
func Check(r, older *taxonomy.Release) *Report {
	report := &Report{Version: r.Version(), Fallback: r.Locales()[0], Locales: []Progress{}, Gaps: []Gap{}}
	was := make(map[string]taxonomy.Localized)
	if older != nil {
		report.Since = older.Version()
		past := history.Of(older.Version(), r)
		for _, t := range write.FromRelease(older).Texts() {
			was[keyNow(past, t)] = t.Text
		}
	}
	texts := slices.DeleteFunc(write.FromRelease(r).Texts(), func(t write.LocalizedText) bool {
		key := t.Path[len(t.Path)-1].Key
		_, ok := t.Text.Get(report.Fallback)
		return (key == "prompt" || key == "authoring_guidance") && ok && len(t.Text) == 1
	})
	for _, locale := range r.Locales() {
		progress := Progress{Locale: locale, Total: len(texts), Percent: 100}
		for i := range texts {
			gap, ok := gapOf(&texts[i], locale, report.Fallback, was)
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
		if progress.Total > 0 {
			progress.Percent = progress.Current * 100 / progress.Total
		}
		report.Locales = append(report.Locales, progress)
	}
	return report
}

// gapOf returns what is wrong with the translation of a text, and false if nothing is.
func gapOf(t *write.LocalizedText, locale, fallback string, older map[string]taxonomy.Localized) (Gap, bool) {
	original := t.Text.Pick(fallback)
	gap := Gap{Locale: locale, Subject: diff.Subject(t.Kind), ID: t.ID, Original: original, key: t.Key()}
	path := t.Path
	if t.Kind == "" {
		gap.Subject = diff.Manifest
		if path[0].Key == string(diff.DatachainType) {
			gap.Subject, path = diff.DatachainType, path[1:]
		}
	}
	for _, s := range path {
		if s.Number > 0 {
			gap.Path = gap.Path.Index(s.Number - 1)
		} else {
			gap.Path = gap.Path.Key(s.Key + s.ID)
		}
	}
	gap.Path = gap.Path.Key(locale)
	text, ok := t.Text.Get(locale)
	if !ok {
		gap.State = Missing
		return gap, true
	}
	if strings.EqualFold(locale, fallback) {
		return Gap{}, false
	}
	before, known := older[gap.key].Get(fallback)
	_, still := t.Text.Get(fallback)
	translated, _ := older[gap.key].Get(locale)
	if !known || !still || before == original || translated != text {
		return Gap{}, false
	}
	gap.State, gap.Before, gap.Translation = Stale, before, text
	return gap, true
}

// keyNow returns the key that a text of an older release has now, or "" if its element, category or
// other owner was removed.
func keyNow(past history.History, t write.LocalizedText) string {
	of := history.ID{Kind: taxonomy.IDKind(t.Kind), ID: t.ID}
	if t.Kind != "" {
		if t.ID, _ = past.CurrentID(of); t.ID == "" {
			return ""
		}
		of.In, of.OfElement = t.ID, t.Kind == source.KindElement
	}
	for i := 1; i < len(t.Path); i++ {
		switch t.Path[i-1].Key {
		case "variables":
			of.Kind = codes.IDVariable
		case "options":
			of.Kind, of.Variable = codes.IDOption, of.ID
		case "values":
			of.Kind = codes.IDContextValue
		default:
			continue
		}
		of.ID = t.Path[i].ID
		if of.ID, _ = past.CurrentID(of); of.ID == "" {
			return ""
		}
		t.Path[i].ID = of.ID
	}
	return t.Key()
}

// Before returns what the originals of stale translations into a language were, by key.
func (r *Report) Before(locale string) map[string]string {
	stale := make(map[string]string)
	for i := range r.Gaps {
		if g := &r.Gaps[i]; g.State == Stale && strings.EqualFold(g.Locale, locale) {
			stale[g.key] = g.Before
		}
	}
	return stale
}

// Select returns the report on one locale only, ignoring case, or false if the release
// does not have it.
func (r *Report) Select(locale string) (*Report, bool) {
	only := *r
	only.Locales = slices.DeleteFunc(slices.Clone(r.Locales), func(p Progress) bool { return !strings.EqualFold(p.Locale, locale) })
	only.Gaps = slices.DeleteFunc(slices.Clone(r.Gaps), func(g Gap) bool { return !strings.EqualFold(g.Locale, locale) })
	return &only, len(only.Locales) > 0
}
