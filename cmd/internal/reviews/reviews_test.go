package reviews_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/reviews"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/review"
)

// reviewed reviews a directory.
func reviewed(t *testing.T, dir, today string, o reviews.Options, accepted []reviews.Accepted) *reviews.Report {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	service, err := datachain.New(store, nil)
	require.NoError(t, err)
	origin, err := register.OpenDirectory(dir, nil)
	require.NoError(t, err)
	r, err := register.New(service, []register.Origin{origin}, &register.Options{Refresh: -1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	day, err := time.Parse(time.DateOnly, today)
	require.NoError(t, err)
	found, err := review.Review(t.Context(), r, &review.Options{Today: day, Only: o.Only})
	require.NoError(t, err)
	o.Dir, o.Accepted = dir, accepted
	return reviews.New(r.State(), found, &o)
}

// write writes a document whose review is due on a day, and which ends on another one.
func write(t *testing.T, dir, due, until string) {
	t.Helper()
	sample, ok := documents.Find("benefits.json")
	require.True(t, ok)
	var doc map[string]any
	require.NoError(t, json.Unmarshal(sample.Text, &doc))
	doc["register"] = map[string]any{"review_by": due, "until": until}
	text, err := json.MarshalIndent(doc, "", "  ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "benefits.json"), text, 0o600))
}

// TestAccepted follows an accepted finding: it is silent until its text changes, or its day passes.
func TestAccepted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "2026-10-31", "2026-11-01")
	const day = "2026-11-15"
	first := reviewed(t, dir, day, reviews.Options{Fail: true}, nil)
	require.Len(t, first.Findings, 2)
	require.False(t, first.OK)
	require.Positive(t, first.Findings[0].Range.Start.Line)

	entries := first.Accept()[:1]
	text, err := json.Marshal(entries)
	require.NoError(t, err)
	_, err = reviews.ParseAccepted(text, day)
	require.ErrorContains(t, err, "entry 1: write a reason")

	entries[0].Reason, entries[0].Until = "The office moves.", "2026-11-20"
	text, err = json.Marshal(entries)
	require.NoError(t, err)
	accepted := func(today string) []reviews.Accepted {
		list, err := reviews.ParseAccepted(text, today)
		require.NoError(t, err)
		return list
	}
	for today, want := range map[string]int{day: 1, "2026-11-20": 1, "2026-11-21": 2} {
		r := reviewed(t, dir, today, reviews.Options{}, accepted(today))
		require.Len(t, r.Findings, want, today)
		require.Equal(t, 2-want, r.Accepted)
		require.Empty(t, r.Unused)
	}

	write(t, dir, "2026-11-02", "2026-11-01")
	r := reviewed(t, dir, day, reviews.Options{}, accepted(day))
	require.Len(t, r.Findings, 2, "the finding says something else")
	require.Len(t, r.Unused, 1)
	require.Contains(t, r.UnusedText(), `1 finding of "benefits.json"`)
	r = reviewed(t, dir, day, reviews.Options{Only: []review.Kind{review.UntilPassed}}, accepted(day))
	require.Empty(t, r.Unused, "the review did not look for it")
}

// TestAcceptedMoved: the position of an item in a list may change.
func TestAcceptedMoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sample, ok := documents.Find("library-chat.json")
	require.True(t, ok)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "chat.json"), sample.Text, 0o600))
	o := reviews.Options{Only: []review.Kind{review.ContactNoAddress}}
	first := reviewed(t, dir, "2026-11-15", o, nil)
	require.Equal(t, "elements[1].variables[1].value", first.Accept()[0].Path)

	for path, want := range map[string]int{
		"elements[1].variables[1].value": 0, "elements[12].variables[0].value": 0,
		"elements[1].variables[1]": 1, "elements.variables.value": 0, "title": 1,
	} {
		entry := first.Accept()[0]
		entry.Path = path
		require.Len(t, reviewed(t, dir, "2026-11-15", o, []reviews.Accepted{entry}).Findings, want, path)
	}
}

func TestParseAccepted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                    "must be a list",
		`{}`:                  "must be a list",
		`[] []`:               "nothing after it",
		`[{"reasons": "x"}]`:  "reasons",
		`[{"kind": "other"}]`: `entry 1: the kind "other" is not known`,
		`[{"kind": "link_dead", "file": "a.json", "reason": "r"}]`:                                     "the file and the text",
		`[{"kind": "link_dead", "file": "a.json", "text": "t", "reason": " "}]`:                        "write a reason",
		`[{"kind": "link_dead", "file": "a.json", "text": "t", "reason": "r", "path": "a["}]`:          "the path",
		`[{"kind": "link_dead", "file": "a.json", "text": "t", "reason": "r", "until": "soon"}]`:       "until must be a date",
		`[{"kind": "link_dead", "file": "a.json", "text": "t", "reason": "r", "until": "2026-11-31"}]`: "until must be a date",
	} {
		_, err := reviews.ParseAccepted([]byte(text), "2026-11-15")
		require.ErrorContains(t, err, want, text)
	}
	list, err := reviews.ParseAccepted([]byte("[]\n"), "2026-11-15")
	require.NoError(t, err)
	require.Empty(t, list)
}

// TestInvalid: documents with errors are named, and not reviewed.
func TestInvalid(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "2026-10-31", "2026-11-01")
	for _, name := range []string{"a.json", "b.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o600))
	}
	r := reviewed(t, dir, "2026-11-15", reviews.Options{}, nil)
	require.Equal(t, 1, r.Documents)
	require.Equal(t, "Not reviewed, since they are invalid: a.json and b.json. 'datachain documents check' says why.", r.InvalidText())
	require.Equal(t, "1 document reviewed, 2 findings: 1 review_overdue, 1 until_passed.", r.Summary())
	require.True(t, r.OK)
}
