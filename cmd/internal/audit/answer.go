package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/wording"
)

// Answer is what was found in a store, as programs and people read it.
type Answer struct {
	OK       bool      `json:"ok"`
	Versions []Checked `json:"versions"`
	// Problems are those of the store as a whole.
	Problems []string `json:"problems,omitempty"`
	// Accepted is why the index goes back, if that was accepted.
	Accepted string `json:"accepted,omitempty"`
	// Claimed says that the day on which keys were valid was claimed.
	Claimed string `json:"claimed,omitempty"`
	// Documents is how many documents there are, and Editions how many texts of
	// them were verified.
	Documents int `json:"documents,omitzero"`
	Editions  int `json:"editions,omitzero"`
}

// Checked is a version and its problems. Counts are 0 if the release could
// not be loaded.
type Checked struct {
	stores.Row
	Locales int `json:"locales"`
	Icons   int `json:"icons"`
	// BakedIcons is how many of them the store has; the others are drawn on
	// demand.
	BakedIcons int      `json:"baked_icons"`
	Problems   []string `json:"problems"`
}

// NewChecked describes a version that was verified.
func NewChecked(v *Version) Checked {
	c := Checked{
		Row:   stores.Row{ID: v.ID, Status: v.Status, ContentHash: v.ContentHash, Aliases: v.Aliases, Released: v.Released, State: v.State},
		Icons: v.Icons, BakedIcons: v.BakedIcons, Problems: append([]string{}, v.Problems...),
	}
	if v.Release != nil {
		c.Row, c.Locales = stores.NewRow(v.Entry, v.Release), len(v.Release.Locales())
	}
	return c
}

// maxProblems is how many problems of a version are printed for people.
const maxProblems = 20

// Text returns a table of the versions, the problems and a summary.
func (a *Answer) Text(width int) string {
	var problems []string
	for _, problem := range append(slices.Clip(a.Problems), a.Accepted, a.Claimed) {
		if problem != "" {
			problems = append(problems, wording.Line(problem))
		}
	}
	if len(a.Versions) == 0 {
		if len(problems) == 0 {
			problems = []string{"no versions"}
		}
		return report.Wrap(strings.Join(problems, "\n"), width) + "\n"
	}
	rows := [][]string{{"VERSION", "ELEMENTS", "ICONS", "BAKED", "HASH", "RESULT"}}
	bad := 0
	for _, v := range a.Versions {
		result := "ok"
		if len(v.Problems) > 0 {
			result = wording.Count(len(v.Problems), "problem")
			bad++
		}
		rows = append(rows, []string{
			v.ID.String(), fmt.Sprint(v.Elements), fmt.Sprint(v.Icons), fmt.Sprint(v.BakedIcons), report.ShortHash(v.ContentHash), result,
		})
		for _, problem := range v.Problems[:min(len(v.Problems), maxProblems)] {
			problems = append(problems, wording.Line(v.ID.String()+": "+problem))
		}
		if more := len(v.Problems) - maxProblems; more > 0 {
			problems = append(problems, fmt.Sprintf("%s: and %d more", v.ID, more))
		}
	}
	text := strings.Join(append(problems, a.summary(bad)), "\n")
	return report.Table(rows, width) + "\n" + report.Wrap(text, width) + "\n"
}

// summary counts what was verified, and how many versions have problems.
func (a *Answer) summary(bad int) string {
	text := wording.Count(len(a.Versions), "version")
	if a.Documents > 0 {
		text += fmt.Sprintf(", %s, %s", wording.Count(a.Documents, "document"), wording.Count(a.Editions, "edition"))
	}
	switch {
	case bad > 0:
		return text + fmt.Sprintf(", %d with problems", bad)
	case len(a.Problems) > 0:
		return text + " without problems, but the store has some"
	case !a.OK:
		return text + " without problems; others do not compile"
	}
	return text + ", no problems"
}
