package product_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/register/product"
	"github.com/datachain-go/datachain/register/rule"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// service is one with the sample taxonomies.
func service(t testing.TB) *datachain.Service {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	s, err := datachain.New(store, &datachain.Options{Rules: rule.All()})
	require.NoError(t, err)
	return s
}

func parsed(t testing.TB, text string) *document.Document {
	t.Helper()
	doc, err := document.Parse([]byte(text))
	require.NoError(t, err)
	return doc
}

// read returns a file of the test data, "" if there is none.
func read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
	}
	return string(text)
}

// TestCases merges the documents in testdata/cases, each the product as it was (base.json), as it is
// (theirs.json) and the document of a body (ours.json). The report and the change are in wanted.txt.
// Merging once more changes nothing, unless there are decisions to make, and then these are the same.
func TestCases(t *testing.T) {
	s := service(t)
	dirs, err := filepath.Glob("testdata/cases/*")
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var options struct {
				Take, Keep []string
				NoBase     bool `json:"no_base"`
			}
			if text := read(t, filepath.Join(dir, "options.json")); text != "" {
				require.NoError(t, json.Unmarshal([]byte(text), &options))
			}
			base := parsed(t, read(t, filepath.Join(dir, "base.json")))
			theirs := parsed(t, read(t, filepath.Join(dir, "theirs.json")))
			text := read(t, filepath.Join(dir, "ours.json"))
			_, found, err := product.Read(t.Context(), s, base.Text())
			require.NoError(t, err)
			require.Empty(t, found, "the base is a product")
			if options.NoBase {
				base = nil
			}
			o := &product.Options{Take: options.Take, Keep: options.Keep}
			r, err := product.Run(t.Context(), s, base, theirs, []byte(text), o)
			if err != nil {
				goldentest.File(t, filepath.Join(dir, "wanted.txt"), "error: "+err.Error()+"\n")
				return
			}
			goldentest.File(t, filepath.Join(dir, "wanted.txt"), described(text, r))

			applied, err := document.ApplyEdits([]byte(text), r.Edits)
			require.NoError(t, err)
			require.Equal(t, string(r.Document.Text()), string(applied))
			moved, _ := product.Base(r.Document)
			require.Equal(t, r.Open == 0, moved.Edition == product.Edition(theirs), "the edition moves once nothing is open")
			if r.Open == 0 {
				base = theirs
			}
			again, err := product.Run(t.Context(), s, base, theirs, r.Document.Text(), nil)
			require.NoError(t, err)
			require.False(t, again.Report.Changed)
			require.Equal(t, r.Open, again.Open)
			require.Equal(t, string(r.Document.Text()), string(again.Document.Text()))
		})
	}
}

// described returns the entries of a report, and the lines that changed.
func described(before string, r *product.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "open: %d, finished: %t\n", r.Open, !r.Issues.HasErrors())
	for _, e := range r.Report.Entries {
		fmt.Fprintf(&b, "%s %s [%s] %s: %s\n", e.Class, e.Unit, e.Kind, e.Path, e.Message)
	}
	was, now := strings.Split(before, "\n"), strings.Split(string(r.Document.Text()), "\n")
	for _, line := range was {
		if !slices.Contains(now, line) {
			fmt.Fprintf(&b, "- %s\n", strings.TrimSpace(line))
		}
	}
	for _, line := range now {
		if !slices.Contains(was, line) {
			fmt.Fprintf(&b, "+ %s\n", strings.TrimSpace(line))
		}
	}
	return b.String()
}

// TestRefused refuses what can't be merged, and says why.
func TestRefused(t *testing.T) {
	s := service(t)
	dir := "testdata/cases/text_reworded/"
	base, theirs, ours := parsed(t, read(t, dir+"base.json")), parsed(t, read(t, dir+"theirs.json")), read(t, dir+"ours.json")
	_, err := product.Run(t.Context(), s, base, theirs, base.Text(), nil)
	require.ErrorIs(t, err, product.ErrNotBased)
	_, err = product.Run(t.Context(), s, base, parsed(t, ours), []byte(ours), nil)
	require.ErrorIs(t, err, product.ErrNoProduct)
	_, err = product.Run(t.Context(), s, theirs, theirs, []byte(ours), nil)
	require.ErrorIs(t, err, product.ErrBase)
	other := strings.Replace(string(theirs.Text()), "ai@2026-11-15-stable", "sensor@2026-11-15-stable", 1)
	_, err = product.Run(t.Context(), s, base, parsed(t, other), []byte(ours), nil)
	require.ErrorIs(t, err, upgrade.ErrAnotherType)

	_, _, err = product.Read(t.Context(), s, []byte(ours))
	require.ErrorIs(t, err, product.ErrNoProduct)
	_, _, err = product.Read(t.Context(), s, []byte("<html>"))
	require.ErrorContains(t, err, "JSON")

	shapeless := strings.Replace(ours, `"elements": [`, `"elements": {}, "others": [`, 1)
	r, err := product.Run(t.Context(), s, base, theirs, []byte(shapeless), nil)
	require.NoError(t, err)
	require.False(t, r.Report.Changed)
	require.NotZero(t, r.Report.Counts.Cannot)
}

// TestInterrupt ends a merge with the error of Interrupt.
func TestInterrupt(t *testing.T) {
	s := service(t)
	dir := "testdata/cases/text_reworded/"
	base, theirs, ours := parsed(t, read(t, dir+"base.json")), parsed(t, read(t, dir+"theirs.json")), parsed(t, read(t, dir+"ours.json"))
	schema, err := s.Open(t.Context(), "ai@2026-11-15-stable")
	require.NoError(t, err)
	stop := errors.New("stop")
	_, err = product.Merge(base, theirs, ours, schema.Release(), &product.Options{Interrupt: func() error { return stop }})
	require.ErrorIs(t, err, stop)
}

// TestKept counts what a document still says of its product, and neither gaps nor what it adds.
func TestKept(t *testing.T) {
	const text = `{"elements": [
		{"element_id": "a", "context_type_id": "x", "variables": [{"id": "v", "value": [{"locale": "en", "value": "one"}, {"locale": "fr", "value": "un"}]}, {"id": "gap", "value": []}]},
		{"element_id": "b", "variables": [{"id": "o", "value": ["p", "q"]}]}
	]}`
	for name, c := range map[string]struct {
		change []string
		kept   int
	}{
		"the same":             {nil, 7},
		"a gap filled in":      {[]string{`"gap", "value": []`, `"gap", "value": [{"locale": "en", "value": "own"}]`}, 7},
		"something added":      {[]string{`"elements": [`, `"elements": [{"element_id": "c"}, {"element_id": "a"},`}, 7},
		"a text of a language": {[]string{`"un"`, `"deux"`}, 6},
		"a context":            {[]string{`"x"`, `"y"`}, 6},
		"an option":            {[]string{`"q"`, `"r"`}, 6},
		"a placement":          {[]string{`"element_id": "a"`, `"element_id": "c"`}, 3},
	} {
		kept, all := product.CountKept(parsed(t, text), parsed(t, strings.NewReplacer(c.change...).Replace(text)))
		require.Equal(t, 7, all, name)
		require.Equal(t, c.kept, kept, name)
	}
	kept, all := product.CountKept(parsed(t, `{"elements": 1}`), parsed(t, text))
	require.Zero(t, kept+all)
}
