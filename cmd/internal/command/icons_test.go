package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestIconsShowBytes: what is written is what a server sends, to the byte.
func TestIconsShowBytes(t *testing.T) {
	t.Parallel()
	store, err := published.Store()
	require.NoError(t, err)
	ref, err := taxonomy.ParseRef("ai@latest")
	require.NoError(t, err)
	r, err := taxonomy.Open(t.Context(), store, ref)
	require.NoError(t, err)
	e := r.Elements()[0]
	want, err := must(icons.NewSet(r, nil)).Icon(e.ID, taxonomy.VariantDark)
	require.NoError(t, err)
	code, stdout, stderr := execute(t.Context(), testSystem(t.TempDir()), "icons", "show", e.ID, "ai@latest", "--variant", "dark")
	require.Zero(t, code, stderr)
	require.Equal(t, string(want), stdout)
}

// TestIconsSheetLocale: a sheet is in the language that suits best.
func TestIconsSheetLocale(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for typed, want := range map[string]string{"en": "en", "FR": "fr", "fr-CA": "fr"} {
		var out, complaints bytes.Buffer
		sys := testSystem(dir)
		sys.Stdout, sys.Stderr = &out, &complaints
		code := run(context.Background(), []string{"icons", "sheet", "ai@latest", "--locale", typed, "-o", "sheet.html"}, sys)
		require.Zero(t, code, complaints.String())
		page, err := os.ReadFile(filepath.Join(dir, "sheet.html"))
		require.NoError(t, err)
		require.Contains(t, string(page), `<html lang="`+want+`" dir="ltr">`)
	}
}
