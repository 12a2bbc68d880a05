package upgrade_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// archive has the files of a txtar archive by name.
type archive struct {
	comment string
	names   []string
	files   map[string]string
}

func readArchive(t testing.TB, name string) *archive {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	a := &archive{files: make(map[string]string)}
	for line := range strings.Lines(string(text)) {
		if title, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok && strings.HasSuffix(title, " --") {
			a.set(strings.TrimSuffix(title, " --"), "")
		} else if n := len(a.names); n > 0 {
			a.files[a.names[n-1]] += line
		} else {
			a.comment += line
		}
	}
	return a
}

func (a *archive) set(name, data string) {
	if _, known := a.files[name]; !known {
		a.names = append(a.names, name)
	}
	a.files[name] = data
}

// evolved returns a version that knows the evolution of its type, if there is one.
func (a *archive) evolved(t testing.TB, name string) *taxonomy.Release {
	t.Helper()
	e := new(history.Evolution)
	if text := a.files["evolution.json"]; text != "" {
		require.NoError(t, json.Unmarshal([]byte(text), e))
	}
	return history.With(readSchema(t, a.files[name]), e)
}

func (a *archive) write(t testing.TB, name string) {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(a.comment)
	for _, f := range a.names {
		fmt.Fprintf(&b, "-- %s --\n%s", f, a.files[f])
	}
	require.NoError(t, os.WriteFile(name, b.Bytes(), 0o666))
}

// maxEntries is how many entries a report lists.
const maxEntries = 1000

// TestCases upgrades the documents of testdata. An archive has the two schemas (the old
// one can be missing), a document, and the wanted document and report, with those of
// dropping if that makes a difference. It may also have the evolution of the type and a
// version between.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a := readArchive(t, file)
			from, to := readSchema(t, a.files["old.yaml"]), a.evolved(t, "new.yaml")
			between := func() []*taxonomy.Release {
				if r := readSchema(t, a.files["between.yaml"]); r != nil {
					return []*taxonomy.Release{r}
				}
				return nil
			}
			var older func() []*taxonomy.Release
			if r := readSchema(t, a.files["older.yaml"]); r != nil {
				older = func() []*taxonomy.Release { return []*taxonomy.Release{r} }
			}
			for _, drop := range []bool{false, true} {
				suffix := ""
				if drop {
					suffix = " with drop"
					if _, ok := a.files["want"+suffix]; !ok {
						continue
					}
				}
				r := upgraded(t, a.files["document.json"], from, to, &upgrade.Options{Drop: drop, Between: between, Older: older})
				if goldentest.Updating() {
					a.set("want"+suffix, string(r.Document.Text()))
					a.set("report"+suffix, lines(&r.Report))
					continue
				}
				assert.Equal(t, a.files["want"+suffix], string(r.Document.Text()))
				assert.Equal(t, a.files["report"+suffix], lines(&r.Report))
			}
			if goldentest.Updating() {
				a.write(t, file)
			}
		})
	}
}

// lines prints a report.
func lines(r *upgrade.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s to %s, %s: %d done, %d review, %d needs_person, %d cannot\n", r.From, r.To, r.Form, r.Counts.Done, r.Counts.Review, r.Counts.NeedsPerson, r.Counts.Cannot)
	for _, e := range r.Entries {
		fmt.Fprintf(&b, "%s %s", e.Class, e.Kind)
		if e.Path != nil {
			fmt.Fprintf(&b, " at %s (%s)", e.Path, e.Position)
		}
		if e.OldPath != nil {
			fmt.Fprintf(&b, " was %s", e.OldPath)
		}
		fmt.Fprintf(&b, "\n    %s\n", e.Message)
		if e.FixHint != "" {
			fmt.Fprintf(&b, "    -> %s\n", e.FixHint)
		}
		if e.Code != "" {
			fmt.Fprintf(&b, "    %s\n", e.Code)
		}
	}
	return b.String()
}

func parsed(t testing.TB, text string) *document.Document {
	t.Helper()
	doc, err := document.Parse([]byte(text))
	require.NoError(t, err)
	return doc
}

// upgraded upgrades a document and checks what holds for every upgrade.
func upgraded(t testing.TB, text string, from, to *taxonomy.Release, o *upgrade.Options) *upgrade.Result {
	t.Helper()
	r, err := upgrade.Document(parsed(t, text), from, to, o)
	require.NoError(t, err)
	checkEdits(t, text, r)
	checkAnnounced(t, to, r)
	checkCounts(t, r)

	again, err := upgrade.Document(r.Document, to, to, o)
	require.NoError(t, err)
	require.Equal(t, string(r.Document.Text()), string(again.Document.Text()), "not idempotent")
	require.False(t, again.Report.Changed)
	require.Empty(t, again.Edits)
	return r
}

// checkEdits checks that the edits turn the old text into the new one.
func checkEdits(t testing.TB, text string, r *upgrade.Result) {
	t.Helper()
	edited, err := document.ApplyEdits([]byte(text), r.Edits)
	require.NoError(t, err)
	require.Equal(t, string(edited), string(r.Document.Text()))
	require.Equal(t, len(r.Edits) > 0, r.Report.Changed)
	require.Equal(t, text != string(r.Document.Text()), r.Report.Changed)
}

// checkAnnounced validates the new document: every finding is in the report, at its
// place.
func checkAnnounced(t testing.TB, to *taxonomy.Release, r *upgrade.Result) {
	t.Helper()
	var result *validate.Result
	var err error
	if _, resolved := r.Document.Root().Get("schema_snapshot"); resolved {
		result, err = validate.Resolved(to, r.Document, nil)
	} else {
		result, err = validate.Instance(to, r.Document, nil)
	}
	require.NoError(t, err)
	require.True(t, result.OK() || !r.OK(), "%v\n%s", result.Issues, lines(&r.Report))
	if r.Report.Counts.Done+r.Report.Counts.Review+r.Report.Counts.NeedsPerson+r.Report.Counts.Cannot > maxEntries {
		return
	}
	for _, i := range result.Issues {
		require.True(t, announces(r.Report.Entries, i), "not announced: %v\n%s\n%s", i, lines(&r.Report), r.Document.Text())
	}
}

func announces(entries []upgrade.ReportEntry, i issue.Issue) bool {
	for _, e := range entries {
		if e.Code == i.Code && e.Path.Equal(i.Path) && (e.Class == upgrade.NeedsPerson || e.Class == upgrade.Cannot) == (i.Severity == issue.SeverityError) {
			return true
		}
	}
	return false
}

// checkCounts compares the counts with the entries.
func checkCounts(t testing.TB, r *upgrade.Result) {
	t.Helper()
	counts := make(map[upgrade.Class]int)
	for _, e := range r.Report.Entries {
		counts[e.Class]++
		require.NotEmpty(t, e.Message)
		require.True(t, strings.HasSuffix(e.Message, ".") || strings.HasSuffix(e.Message, "}") || strings.HasSuffix(e.Message, "]") || strings.HasSuffix(e.Message, `"`), e.Message)
		if e.Path != nil {
			require.NotZero(t, e.Position.Line)
		} else {
			require.NotNil(t, e.OldPath)
		}
	}
	if len(r.Report.Entries) <= maxEntries {
		require.Equal(t, upgrade.Counts{
			Done: counts[upgrade.Done], Review: counts[upgrade.Review],
			NeedsPerson: counts[upgrade.NeedsPerson], Cannot: counts[upgrade.Cannot],
		}, r.Report.Counts)
	}
}
