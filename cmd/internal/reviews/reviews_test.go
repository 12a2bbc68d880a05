package reviews_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/review"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/reviews"
	"github.com/datachain-go/datachain/taxonomy"
)

func sample(t *testing.T) *review.Report {
	t.Helper()
	v, err := taxonomy.ParseVersion("bikes@2026-09-01-beta")
	require.NoError(t, err)
	long := review.Finding{Sign: "title-length", Locale: "en", Text: "a1", Message: strings.Repeat("word ", 30) + "end"}
	return &review.Report{
		Version: v, Locales: []string{"en", "fr"}, Elements: 9, Categories: 4,
		Subjects: []review.Subject{
			{Kind: review.KindElement, ID: "data.faces", Title: "Faces", Findings: []review.Finding{long}},
			{Kind: review.KindVersion, ID: "bikes@2026-09-01-beta", Findings: []review.Finding{{Sign: "abbreviation", Text: "b2", Message: "AI is never spelled out."}}},
		},
	}
}

// TestText says what to look at, in lines that fit.
func TestText(t *testing.T) {
	t.Parallel()
	text := reviews.Text([]*review.Report{sample(t)}, []review.Sign{*review.Lookup("title-length")}, report.Style(false), 60)
	first, _, _ := strings.Cut(text, "\n")
	require.True(t, strings.HasPrefix(first, "bikes@2026-09-01-beta, en, fr: 1 of 9 elements and "), first)
	require.Contains(t, text, "\nelement data.faces  Faces\n  title-length, en  word ")
	require.Contains(t, text, "\nWhat to do\n  title-length: ")
	for line := range strings.Lines(strings.TrimPrefix(text, first)) {
		require.LessOrEqual(t, report.Width(strings.TrimSuffix(line, "\n")), 60, line)
	}
	none := &review.Report{Version: sample(t).Version, Locales: []string{"en"}}
	require.Equal(t, "bikes@2026-09-01-beta, en: nothing needs attention\n", reviews.Text([]*review.Report{none}, nil, report.Style(false), 80))
}

// TestAcceptances has an entry for each finding, whose reason is left to fill in.
func TestAcceptances(t *testing.T) {
	t.Parallel()
	text := reviews.Acceptances([]*review.Report{sample(t)})
	require.Contains(t, text, `- {sign: title-length, subject: "element/data.faces", text: "a1", reason: ""}`)
	require.Contains(t, text, `- {sign: abbreviation, subject: "version", text: "b2", reason: ""}`)
}

// TestLimits lists every sign.
func TestLimits(t *testing.T) {
	t.Parallel()
	require.Equal(t, len(review.Signs()), strings.Count(reviews.Limits(), "\n"))
}
