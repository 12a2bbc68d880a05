package signs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/signs"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/pages/sign"
	"github.com/datachain-go/datachain/register"
)

// sample opens the register of the examples.
func sample(t *testing.T) (*stores.Set, *register.Register) {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	set := stores.NewSet(store)
	origin, err := register.OpenDirectory("../../../examples/register", nil)
	require.NoError(t, err)
	reg, err := register.New(set.Service, []register.Origin{origin}, &register.Options{Refresh: -1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, reg.Close()) })
	return set, reg
}

// TestSelected finds the documents of a register that get signs, all of them or one.
func TestSelected(t *testing.T) {
	t.Parallel()
	set, reg := sample(t)
	all, err := signs.Selected(t.Context(), reg, "")
	require.NoError(t, err)
	require.Len(t, all, 5)
	_, err = signs.Selected(t.Context(), reg, "status=lost")
	require.ErrorContains(t, err, "--select status=lost: ")
	_, err = signs.Selected(t.Context(), reg, "q=xyzzy")
	require.EqualError(t, err, "no document is selected")

	slug := all[0].Slug
	named, err := signs.Named(t.Context(), reg, slug)
	require.NoError(t, err)
	_, err = signs.Named(t.Context(), reg, "other")
	require.ErrorContains(t, err, "the register has no such document")

	d, _ := reg.State().Document(slug)
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "examples", "register", d.File()))
	require.NoError(t, err)
	_, shown, err := set.Present(t.Context(), text)
	require.NoError(t, err)
	own, err := signs.Of(text, shown, nil)
	require.NoError(t, err)
	require.Equal(t, named.Slug, own.Slug, "a file has the sign of the document that it is in a register")
	require.Equal(t, named.Edition, own.Edition)
}

// TestPages draws signs on pages of their own or in one file, and says which do not fit.
func TestPages(t *testing.T) {
	t.Parallel()
	_, reg := sample(t)
	list, err := signs.Selected(t.Context(), reg, "")
	require.NoError(t, err)
	for i := range list {
		list[i].Address = "https://register.example/d/" + list[i].Slug + "/"
	}
	drawer, err := sign.New(nil)
	require.NoError(t, err)
	o := &sheet.Options{Kind: sheet.Card, Size: sheet.A5}
	for format, begin := range map[string]string{"html": "<!DOCTYPE html>", "pdf": "%PDF-"} {
		pages, err := signs.Pages(t.Context(), drawer, format, o, list, false)
		require.NoError(t, err)
		require.Len(t, pages, 1)
		require.True(t, strings.HasPrefix(strings.ToLower(string(pages[0])), strings.ToLower(begin)), format)
	}
	_, err = signs.Pages(t.Context(), drawer, "svg", o, list, false)
	require.ErrorContains(t, err, "a file .svg has one sign")
	pages, err := signs.Pages(t.Context(), drawer, "svg", o, list, true)
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "signs")
	require.NoError(t, signs.Write(dir, "svg", list, pages))
	written, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	require.NoError(t, err)
	require.Len(t, written, 5)
	require.Error(t, signs.Write(dir, "svg", list, pages), "the directory is not empty")

	list[0].Address = "https://register.example/" + strings.Repeat("x", 3000)
	_, err = signs.Pages(t.Context(), drawer, "svg", o, list, true)
	require.ErrorContains(t, err, list[0].Slug+": ")
}
