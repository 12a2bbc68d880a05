// Package reviews writes for people what is hard to understand in schema versions.
package reviews

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/authoring/review"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/internal/wording"
)

// Text returns reports for people, and what to do about the signs that were found.
func Text(reports []*review.Report, signs []review.Sign, style report.Style, width int) string {
	var b strings.Builder
	found := make(map[string]bool)
	for i, r := range reports {
		if i > 0 {
			b.WriteByte('\n')
		}
		writeReport(&b, style, width, r)
		for _, s := range r.Subjects {
			for _, f := range s.Findings {
				found[f.Sign] = true
			}
		}
	}
	if len(found) > 0 {
		fmt.Fprintf(&b, "\n%s\n", style.Bold("What to do"))
	}
	for _, s := range signs {
		if found[s.ID] {
			fmt.Fprintf(&b, "%s\n", report.Hang("  "+s.ID+": ", s.Purpose+" "+s.Advice, width))
		}
	}
	return b.String()
}

// writeReport writes the report of one version.
func writeReport(b *strings.Builder, style report.Style, width int, r *review.Report) {
	count := map[review.Kind]int{}
	for _, s := range r.Subjects {
		count[s.Kind]++
	}
	var found []string
	if n := count[review.KindElement]; n > 0 {
		found = append(found, fmt.Sprintf("%d of %s", n, wording.Count(r.Elements, "element")))
	}
	if n := count[review.KindCategory]; n > 0 {
		found = append(found, fmt.Sprintf("%d of %d categories", n, r.Categories))
	}
	if n := count[review.KindSymbol]; n > 0 {
		found = append(found, wording.Count(n, "symbol"))
	}
	if count[review.KindVersion] > 0 {
		found = append(found, "texts of several parts")
	}
	need := "nothing needs attention"
	if len(found) > 0 {
		need = wording.And(found) + " need attention"
	}
	fmt.Fprintf(b, "%s, %s: %s\n", style.Bold(r.Version.String()), strings.Join(r.Locales, ", "), need)
	for _, s := range r.Subjects {
		title := ""
		if s.Title != "" {
			title = "  " + wording.Printable(s.Title)
		}
		fmt.Fprintf(b, "\n%s %s%s\n", s.Kind, style.Bold(s.ID), title)
		for _, f := range s.Findings {
			where := f.Sign
			if f.Locale != "" {
				where += ", " + f.Locale
			}
			label := "  " + where + "  "
			message := strings.TrimPrefix(report.Hang(label, wording.Printable(f.Message), width), label)
			fmt.Fprintf(b, "  %s  %s\n", style.Yellow(where), message)
		}
	}
	if n := len(r.Accepted); n > 0 {
		fmt.Fprintf(b, "\nAccepted in the source: %s.\n", wording.Count(n, "finding"))
	}
	for _, u := range r.Unused {
		text := fmt.Sprintf("%s: nothing is accepted: the text of %s has changed since, or %s is not found any more. Remove the entry, or accept the new text.",
			cmp.Or(u.Position.String(), "review.accept"), wording.Printable(u.Subject), wording.Printable(u.Sign))
		fmt.Fprintf(b, "\n%s\n", report.Wrap(text, width))
	}
}

// Limits lists the signs and their limits for help.
func Limits() string {
	var b strings.Builder
	b.WriteString("The warning signs and their limits:\n")
	for _, s := range review.Signs() {
		bound := "at most"
		if s.AtLeast {
			bound = "at least"
		}
		fmt.Fprintf(&b, "  %-20s %s %g %s\n", s.ID, bound, s.Limit, s.Unit)
	}
	return strings.TrimRight(b.String(), "\n")
}

// Acceptances returns entries for schema.yaml that accept the findings, without their reasons.
func Acceptances(reports []*review.Report) string {
	var b strings.Builder
	for _, r := range reports {
		fmt.Fprintf(&b, "review: # of %s: keep what is as it should be, and fill in the reasons\n  accept:\n", r.Version)
		for _, s := range r.Subjects {
			for _, f := range s.Findings {
				fmt.Fprintf(&b, "    # %s\n", wording.Line(f.Message))
				fmt.Fprintf(&b, "    - {sign: %s, subject: %q, text: %q, reason: \"\"}\n", f.Sign, s.Kind.Of(s.ID), f.Text)
			}
		}
	}
	return b.String()
}
