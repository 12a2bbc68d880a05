package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
	examples "github.com/datachain-go/datachain/examples/documents"
)

// signRegister writes a register with two documents and a retired one.
func signRegister(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, extra := range map[string]string{"crossing-camera.json": "", "library-chat.json": "", "benefits.json": `"register": {"status": "retired"},`} {
		example, ok := examples.Find(name)
		require.True(t, ok)
		text := strings.Replace(string(example.Text), "{", "{"+extra, 1)
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "documents"), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "documents", name), []byte(text), 0o600))
	}
	settings := "url: https://register.example.org\npublisher: {name: {en: City}, logo: logo.svg}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "documents", "register.yaml"), []byte(settings), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "documents", "logo.svg"), []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z" fill="#12ab34"/></svg>`), 0o600))
	return dir
}

// TestSign makes signs as pages and as files.
func TestSign(t *testing.T) {
	t.Parallel()
	dir := signRegister(t)
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(text)
	}
	for name, c := range map[string]struct {
		args string
		code int
		want string // part of the messages
	}{
		"file":        {"documents/library-chat.json --base-url https://example.org -o file.html", 0, "Wrote file.html: sign, A5."},
		"slug":        {"mill-street-crossing --documents documents --size A4 -o slug.html", 0, "Wrote slug.html: sign, A4."},
		"language":    {"mill-street-crossing --documents documents --locale ar -o ar.html", console.ExitFailed, "--locale ar: mill-street-crossing has no texts in it: use en, fr, es, de or nl"},
		"languages":   {"mill-street-crossing --documents documents --size A4 --locale en,fr -o both.html", 0, "Wrote both.html"},
		"one of two":  {"mill-street-crossing --documents documents --locale en,it -o it.html", console.ExitFailed, "--locale it: mill-street-crossing has no texts in it"},
		"all":         {"--all --documents documents -o all.html", 0, "Wrote all.html: 2 signs, A5."},
		"query":       {"--select type=device --documents documents --kind card -o query.html", console.ExitFailed, "no document is selected"},
		"selected":    {"--select q=library --documents documents --kind card -o some.html", 0, "Wrote some.html: card."},
		"directory":   {"--all --documents documents -o signs/", 0, "Wrote signs/: 2 signs, A5."},
		"no register": {"crossing", console.ExitFailed, "--documents, or a store with --store"},
		"unknown":     {"crossing --documents documents", console.ExitFailed, "the register has no such document"},
		"retired":     {"housing-benefit-check --documents documents", console.ExitFailed, "retired"},
		"no address":  {"documents/library-chat.json", console.ExitFailed, "--base-url is required"},
		"nothing":     {"", console.ExitFailed, "missing FILE or SLUG, or --all"},
		"both":        {"--all crossing", console.ExitFailed, "name none"},
		"extension":   {"--all -o signs.gif", console.ExitFailed, "--out must be a file with the extension .html, .svg or .pdf unless --format is given"},
		"bad query":   {"--select sort=x --documents documents", console.ExitFailed, "--select sort=x"},
		"several svg": {"--all --documents documents -o signs.svg", console.ExitFailed, "svg"},
		"svg":         {"city-library-chat --documents documents -o sign.svg", 0, "Wrote sign.svg: sign, A5."},
		"pdf":         {"--all --documents documents -o signs.pdf", 0, "Wrote signs.pdf: 2 signs, A5."},
		"no fonts":    {"--all --documents documents -o fonts.pdf --fonts documents", console.ExitFailed, "--fonts documents: there are not at least one regular and one bold TrueType font"},
	} {
		t.Run(name, func(t *testing.T) {
			sys := testSystem(dir)
			code, _, stderr := execute(t.Context(), sys, append([]string{"sign"}, strings.Fields(c.args)...)...)
			assert.Equal(t, c.code, code, stderr)
			assert.Contains(t, stderr, c.want)
		})
	}
	assert.Contains(t, read("file.html"), "example.org/</span><wbr><span>d/</span><wbr><span>city-library-chat")
	assert.Contains(t, read("slug.html"), "register.example.org/</span><wbr><span>d/</span><wbr><span>mill-street-crossing")
	assert.NoFileExists(t, filepath.Join(dir, "it.html"))
	assert.Contains(t, read("both.html"), "État au")
	assert.Contains(t, read("both.html"), "As of")
	assert.Contains(t, read("slug.html"), "data:image/svg+xml;base64,")
	assert.Equal(t, 2, strings.Count(read("all.html"), "<article"))
	assert.Contains(t, read("signs/mill-street-crossing.html"), "d/</span><wbr><span>mill-street-crossing")
	assert.Contains(t, read("signs/city-library-chat.html"), "d/</span><wbr><span>city-library-chat")
	assert.Contains(t, read("sign.svg"), `viewBox="0 0 148 210"`)
	assert.Contains(t, read("sign.svg"), `fill="#12AB34"`, "the logo is vectors")
	assert.NotContains(t, read("sign.svg"), "<image")
	pdf := read("signs.pdf")
	assert.Equal(t, 2, strings.Count(pdf, "/Type/Page/"))
	assert.NotContains(t, pdf, "/Image")
}

// TestSignLogo: a logo that can't be drawn is refused when the register is read.
func TestSignLogo(t *testing.T) {
	t.Parallel()
	dir := signRegister(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "documents", "logo.svg"), []byte("<svg xmlns=\"http://www.w3.org/2000/svg\">\n<text>City</text></svg>"), 0o600))
	code, stdout, stderr := execute(t.Context(), testSystem(dir), "documents", "check", "documents")
	assert.NotZero(t, code)
	assert.Contains(t, stdout+stderr, "publisher.logo: logo.svg, line 2: it must not use <text> in <svg>; convert the text to paths")
}

// nameOrganisation writes the good document with the name of who answers, and returns its file.
func nameOrganisation(t *testing.T, sys system) string {
	t.Helper()
	text, err := os.ReadFile(sys.Path("documents/good.json"))
	require.NoError(t, err)
	named := strings.Replace(string(text), "{", `{"register": {"organisation": {"name": "Harbour Office"}},`, 1)
	require.NoError(t, os.WriteFile(sys.Path("named.json"), []byte(named), 0o600))
	return "named.json"
}

// TestSignUnnamed makes no sign that names nobody, and says where to write the name.
func TestSignUnnamed(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	for _, format := range []string{"html", "svg", "pdf"} {
		for _, kind := range []string{"sign", "notice", "label", "card"} {
			flags := []string{"--schemas", "schemas", "--base-url", "https://example.org", "--format", format, "--kind", kind}
			code, stdout, stderr := execute(t.Context(), p.sys, append(flags, "sign", "documents/good.json")...)
			require.NotZero(t, code)
			assert.Empty(t, stdout)
			assert.Contains(t, strings.Join(strings.Fields(stderr), " "), "write it as register.organisation.name in the document, add roles for bikes@2026-09-01-beta to register.yaml")
			code, stdout, stderr = execute(t.Context(), p.sys, append(flags, "sign", nameOrganisation(t, p.sys))...)
			require.Zero(t, code, stderr)
			assert.NotEmpty(t, stdout)
		}
	}
	// Roles in register.yaml name it, too.
	dir := p.sys.Path("named")
	require.NoError(t, os.MkdirAll(dir, 0o777))
	text, err := os.ReadFile(p.sys.Path("documents/good.json"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "good.json"), text, 0o600))
	for settings, named := range map[string]bool{
		"{categories: {contact: accountable}}":                             false,
		"{categories: {contact: accountable}, variables: {address: name}}": true,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "register.yaml"), []byte("url: https://example.org\nroles: {bikes: "+settings+"}\n"), 0o600))
		code, stdout, stderr := execute(t.Context(), p.sys, "sign", "--all", "--documents", "named", "--schemas", "schemas")
		assert.Equal(t, named, code == 0, "%s %s", settings, stderr)
		assert.Equal(t, named, strings.Contains(stdout, "Quay 3"))
	}
}

// TestSignSite writes a site with signs as files, beside the pages.
func TestSignSite(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	code, _, stderr := execute(t.Context(), p.sys, "site", nameOrganisation(t, p.sys), "--schemas", "schemas", "--base-url", "https://example.org", "--out", "public")
	require.Zero(t, code, stderr)
	dir := p.sys.Path(filepath.Join("public", "en", "d"))
	page, err := os.ReadFile(filepath.Join(dir, "harbour-bikes.html"))
	require.NoError(t, err)
	for name, want := range map[string]string{"sign.html": "<!doctype html>", "sign.svg": "<?xml", "sign.pdf": "%PDF-1.7"} {
		file, err := os.ReadFile(filepath.Join(dir, "harbour-bikes", name))
		require.NoError(t, err)
		assert.Equal(t, want, string(file[:len(want)]))
		assert.Contains(t, string(page), "harbour-bikes/"+name+`"`)
	}
}

// TestSignTooLong reports every text that does not fit, and writes nothing.
func TestSignTooLong(t *testing.T) {
	t.Parallel()
	dir := signRegister(t)
	file := filepath.Join(dir, "documents", "crossing-camera.json")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	long := strings.ReplaceAll(string(text), "Two cameras count", strings.Repeat("Two cameras count ", 20))
	require.NotEqual(t, string(text), long)
	require.NoError(t, os.WriteFile(file, []byte(long), 0o600))
	code, _, stderr := execute(t.Context(), testSystem(dir), "sign", "--all", "--documents", "documents", "-o", "signs/")
	assert.Equal(t, console.ExitFailed, code)
	assert.Contains(t, stderr, "mill-street-crossing: the sign does not fit on A5: purpose (en)")
	assert.NoDirExists(t, filepath.Join(dir, "signs"))
}
