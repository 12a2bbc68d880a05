package registers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/registers"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
)

// TestCheck reports what of a directory can be published, and where others are wrong.
func TestCheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "docs"), os.DirFS("../../../examples/register")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "docs", "broken.json"), []byte("{\n  \"id\": }"), 0o600))
	store, err := published.Store()
	require.NoError(t, err)
	origin, err := register.OpenDirectory(filepath.Join(dir, "docs"), nil)
	require.NoError(t, err)
	reg, err := register.New(stores.NewSet(store).Service, []register.Origin{origin}, &register.Options{Refresh: -1})
	require.NoError(t, err)
	defer func() { require.NoError(t, reg.Close()) }()
	r := registers.Check("docs", reg.State(), time.Now())
	require.False(t, r.OK)
	require.Len(t, r.Documents, 5)
	require.Equal(t, "5 documents can be published, 1 can't. 1 product is not published.", r.CheckSummary())
	require.Len(t, r.Table(), 7)
	require.Equal(t, []string{"SLUG", "EDITION", "STATUS", "TITLE"}, r.Table()[0])
	for _, d := range r.Documents {
		require.Empty(t, d.State+d.Result)
		require.Contains(t, append(register.Statuses(), ""), d.Status)
	}
	found := r.Findings(dir)
	last := found.Files[len(found.Files)-1]
	require.Equal(t, "docs/broken.json", last.Name)
	require.Equal(t, 2, last.Findings[0].Span.Start.Line)
	require.NotEmpty(t, last.Text)
}

// TestSummaries leave out what there is none of.
func TestSummaries(t *testing.T) {
	t.Parallel()
	refused := []registers.Refused{{File: "a.json"}, {File: "register.yaml"}}
	rows := []registers.Row{{Slug: "a", Result: "new"}, {Slug: "b", Result: "unchanged"}}
	for _, tt := range []struct {
		report         registers.Report
		check, publish string
	}{
		{registers.Report{}, "There are no documents.", "Nothing was published."},
		{registers.Report{Refused: refused}, "1 document can't be published.", "1 document refused, and nothing was published."},
		{registers.Report{Documents: rows}, "2 documents can be published.", "2 documents published, 1 new."},
		{registers.Report{Documents: rows, Refused: refused}, "2 documents can be published, 1 can't.", "2 documents published, 1 new, 1 refused."},
	} {
		require.Equal(t, tt.check, tt.report.CheckSummary())
		require.Equal(t, tt.publish, tt.report.PublishSummary())
	}
}

// TestPublished says what was done with each document, and which are only in the store.
func TestPublished(t *testing.T) {
	t.Parallel()
	result := &publishing.Report{Sequence: 7, Publications: []publishing.Publication{{Slug: "a", New: true, Op: "publish"}, {Slug: "b", Op: "publish"}, {Slug: "c"}}}
	for i := range 25 {
		result.Elsewhere = append(result.Elsewhere, fmt.Sprintf("old-%d", i))
	}
	r := registers.Published("docs", "dist", result, new(register.State))
	require.True(t, r.OK)
	require.Equal(t, []string{"new", "changed", "unchanged"}, []string{r.Documents[0].Result, r.Documents[1].Result, r.Documents[2].Result})
	require.Equal(t, []string{"SLUG", "EDITION", "RESULT", "TITLE"}, r.Table()[0])
	require.Regexp(t, "^Published, but not in the directory: old-0, .*old-19 and 5 more. Withdraw those", r.ElsewhereText())
	r.Refused = []registers.Refused{{File: "x.json"}}
	require.Contains(t, r.ElsewhereText(), "Correct the refused files first")
}
