package translation

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/cmd/internal/changes"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Locate sets the places of gaps in a source.
func (r *Report) Locate(find func(diff.Subject, string, issue.Path) issue.Position) {
	for i := range r.Gaps {
		g := &r.Gaps[i]
		g.Position = find(g.Subject, g.ID, g.Path)
	}
}

// place names the text for people.
func (g *Gap) place() string {
	return (&diff.Change{Subject: g.Subject, ID: g.ID, Path: g.Path}).Place()
}

// StaleIssues returns the stale translations as findings.
func (r *Report) StaleIssues() (issues issue.Issues) {
	for i := range r.Gaps {
		g := &r.Gaps[i]
		if g.State != Stale {
			continue
		}
		issues = append(issues, issue.Issue{
			Code: codes.TranslationStale, Severity: issue.SeverityWarning, Path: g.Path, Groups: []string{g.Locale}, Position: g.Position,
			Message: fmt.Sprintf("%s is older than the text in %s, which has changed since %s.", wording.Sentence(g.place()), i18n.English(r.Fallback), r.Since),
			FixHint: "translate the new text: " + wording.Quote(g.Original),
		})
	}
	return issues
}

// Text returns what is left to translate, then the progress.
func (r *Report) Text(style report.Style, width int) string {
	var b strings.Builder
	b.WriteString(style.Bold(r.Version.String()))
	if !r.Since.IsZero() {
		fmt.Fprintf(&b, ", compared with %s", r.Since)
	}
	b.WriteString("\n")
	last := ""
	for i := range r.Gaps {
		g := &r.Gaps[i]
		if heading := g.Locale + ", " + string(g.State); heading != last {
			last = heading
			fmt.Fprintf(&b, "\n%s\n", style.Yellow(heading))
		}
		b.WriteString(g.text())
	}
	rows := [][]string{{"LOCALE", "TEXTS", "CURRENT", "MISSING", "STALE", "PROGRESS"}}
	for _, l := range r.Locales {
		rows = append(rows, []string{
			l.Locale, fmt.Sprint(l.Total), fmt.Sprint(l.Current), fmt.Sprint(l.Missing), fmt.Sprint(l.Stale), fmt.Sprintf("%d%%", l.Percent),
		})
	}
	return b.String() + "\n" + report.Table(rows, width)
}

// text returns a text to translate with its place and, if it is stale, what it was.
func (g *Gap) text() string {
	const longest = 200
	text := "  " + wording.Line(g.place()) + "\n"
	if g.Position != (issue.Position{}) {
		text = fmt.Sprintf("  %s: %s\n", g.Position, wording.Line(g.place()))
	}
	if g.State == Missing {
		return text + "      " + wording.Line(wording.Cut(g.Original, longest)) + "\n"
	}
	return text + fmt.Sprintf("      %s\n      %s\n", changes.Words(diff.Words(g.Before, g.Original), false), changes.Line(wording.Cut(g.Translation, longest)))
}
