package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkSourceKeystroke measures what a key that a user presses in a source of 600
// elements costs, one in each file: from the change until its findings are published, with
// the hover that editors ask for.
func BenchmarkSourceKeystroke(b *testing.B) {
	dir := b.TempDir()
	write := func(name, text string) {
		name = filepath.Join(dir, "big", "2026-01-01-beta", filepath.FromSlash(name))
		require.NoError(b, os.MkdirAll(filepath.Dir(name), 0o750))
		require.NoError(b, os.WriteFile(name, []byte(text), 0o600))
	}
	write("schema.yaml", "locales: [en, fr]\ntitle: {en: Big, fr: Grand}\ndescription: {en: Big, fr: Grand}\ndatachain_type: {id: big, name: {en: Big, fr: Grand}, categories: [c]}\n")
	write("categories/c.yaml", "id: c\nname: {en: Category, fr: Catégorie}\ndescription: {en: All elements., fr: Tout.}\nshape: circle\nvariables:\n  - {id: place, label: {en: Place, fr: Lieu}}\n")
	element := func(i int) string {
		return fmt.Sprintf("id: c.element_%03d\ncategory_id: c\nsymbol_id: s%02d\ntitle: {en: Element %d, fr: Élément %d}\ndescription: {en: \"What it means, at {{place}}.\", fr: \"Ce que cela veut dire, à {{place}}.\"}\n", i, i%60, i, i)
	}
	for i := range 600 {
		write(fmt.Sprintf("elements/%03d.yaml", i), element(i))
	}
	for i := range 60 {
		write(fmt.Sprintf("symbols/s%02d.svg", i), `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="9"/></svg>`)
	}
	e := author(b, os.DirFS(dir))
	uri := schemas + "/big/2026-01-01-beta/elements/300.yaml"
	text := element(300)
	e.open(uri, text)
	require.Empty(b, e.diagnostics(uri, 1))
	at := object{"textDocument": object{"uri": uri}, "position": place(b, text, "c\n")}
	b.ReportAllocs()
	for version := 2; b.Loop(); version++ {
		e.change(uri, version, text+strings.Repeat("#", version%50)+"\n")
		e.ask("textDocument/hover", at)
		require.Empty(b, e.diagnostics(uri, version))
	}
}
