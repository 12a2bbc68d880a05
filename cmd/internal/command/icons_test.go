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

// TestIconsShowBytes: what is shown is what a server sends, to the byte, but for
// the line break that a terminal needs.
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
	for terminal, end := range map[bool]string{false: "", true: "\n"} {
		var out, complaints bytes.Buffer
		sys := testSystem(t.TempDir())
		sys.Stdout, sys.Stderr, sys.StdoutTerminal = &out, &complaints, terminal
		code := run(context.Background(), []string{"icons", "show", e.ID, "ai@latest", "--variant", "dark"}, sys)
		require.Zero(t, code, complaints.String())
		require.Equal(t, string(want)+end, out.String())
	}
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
