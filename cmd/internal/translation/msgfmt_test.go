//go:build formats

package translation_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/translation"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestGettext reads the files with GNU gettext, which make formats installs and which must not warn, and updates one from a
// template, which must change nothing.
func TestGettext(t *testing.T) {
	a := sample(t)
	a.Elements[0].Title = taxonomy.Localized{{Locale: "en", Value: "\nA \"quote\", \\ a\ttab\r, \a\x01 and\nlines\n"}, {Locale: "fr", Value: "Un\r\x7f\"\\n"}}
	dir := t.TempDir()
	write := func(name, locale string) string {
		f := translation.NewCatalog(a, locale, nil)
		f.Version, f.Date = version.String(), version.Date()
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, f.Text(), 0o600))
		return file
	}
	run := func(name string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "LANGUAGE=en")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
		return string(out)
	}
	template := write("sensor.pot", "")
	run("msgfmt", "--check", "--output-file=/dev/null", template) // which warns of what translators fill in
	for _, locale := range []string{"fr", "es", "pt-BR", "ar", "ru", "ja", "sl", "tlh"} {
		file := write(locale+".po", locale)
		require.Empty(t, run("msgfmt", "--check", "--output-file=/dev/null", file), locale)
		merged := filepath.Join(dir, "merged.po")
		run("msgmerge", "--quiet", "--no-wrap", "--output-file="+merged, file, template)
		require.Empty(t, run("msgfmt", "--check", "--output-file=/dev/null", merged), locale)
		text, err := os.ReadFile(merged)
		require.NoError(t, err)
		again, err := translation.ParseCatalog(text)
		require.NoError(t, err)
		want := translation.NewCatalog(a, locale, nil).Entries
		for i := range again.Entries {
			again.Entries[i].Line = 0
		}
		require.Equal(t, want, again.Entries, locale)
	}
	begun := filepath.Join(dir, "de.po")
	run("msginit", "--no-translator", "--locale=de", "--input="+template, "--output-file="+begun)
	require.Empty(t, run("msgfmt", "--check", "--output-file=/dev/null", begun))
}
