package view_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestGolden compares pages, without the head, which is always the same.
func TestGolden(t *testing.T) {
	service := samples(t)
	for _, c := range []struct{ document, locale string }{
		{"benefits.json", "fr"},
		{"crossing-camera.json", "en"},
		{"air-station-suggestion.resolved.json", "en"},
	} {
		name := strings.TrimSuffix(c.document, ".json") + "." + c.locale + ".html"
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			summary, err := view.Fragment(&got, present(t, service, sample(t, c.document)), &view.Options{Locale: c.locale})
			require.NoError(t, err)
			assert.Equal(t, c.locale, summary.Locale)
			goldentest.File(t, filepath.Join("testdata", name), got.String())
		})
	}
}

// TestSamples checks that a page has all texts of its document, and that thin and resolved
// documents give the same page.
func TestSamples(t *testing.T) {
	service := samples(t)
	for _, e := range documents.Valid() {
		locales := []string{"en"}
		if !e.Resolved() {
			locales = []string{"fr", "es"}
		}
		for _, locale := range locales {
			t.Run(e.Name+" in "+locale, func(t *testing.T) {
				p := present(t, service, e.Text)
				var b bytes.Buffer
				summary, err := view.Write(&b, p, &view.Options{Locale: locale})
				require.NoError(t, err)
				page := b.String()
				harmless(t, page)
				assert.Equal(t, view.Summary{Locale: locale, Sections: len(p.Datachain.SchemaSnapshot.Categories), Elements: len(p.Datachain.Elements)}, summary)
				says(t, p, page, locale)
				if thin, ok := documents.Find(strings.Replace(e.Name, ".resolved", "", 1)); ok {
					assert.Equal(t, render(t, present(t, service, thin.Text), &view.Options{Locale: locale}), page)
				}
			})
		}
	}
}

// says checks that a page has the texts of a datachain.
func says(t *testing.T, p *datachain.Presentation, page, locale string) {
	t.Helper()
	shown := content(parsed(t, page))
	has := func(l taxonomy.Localized) {
		if want := l.Pick(locale, "en"); !strings.Contains(want, "{{") {
			assert.Contains(t, shown, strings.Join(strings.Fields(want), " "))
		}
	}
	has(p.Datachain.Title)
	has(p.Datachain.Description)
	has(p.Datachain.SchemaSnapshot.DatachainType.Name)
	for _, c := range p.Datachain.SchemaSnapshot.Categories {
		has(c.Name)
		assert.NotContains(t, shown, c.Prompt.Pick(locale, "en"), "the prompt is for authors")
	}
	for _, e := range append(p.Datachain.SchemaSnapshot.Elements, p.Datachain.SuggestedElements...) {
		has(e.Title)
		has(e.Description)
	}
	for _, placed := range p.Datachain.Elements {
		for _, v := range placed.Variables {
			has(v.Text)
		}
		for _, a := range placed.Actions {
			assert.Contains(t, shown, a.Label.Plain)
		}
		if placed.Label != nil {
			assert.Contains(t, shown, placed.Label.Plain)
		}
	}
}

// TestPolicy checks that the policy allows only the style sheet and the script of the page.
func TestPolicy(t *testing.T) {
	page := parsed(t, render(t, present(t, samples(t), sample(t, "benefits.json")), nil))
	for directive, name := range map[string]string{"script-src": "script", "style-src": "style"} {
		found := all(page, tag(name))
		require.Len(t, found, 1)
		sum := sha256.Sum256([]byte(found[0].FirstChild.Data))
		want := directive + " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "';"
		assert.Contains(t, view.ContentSecurityPolicy(), want)
		meta := all(page, func(n *html.Node) bool { return attribute(n, "http-equiv") == "Content-Security-Policy" })
		require.Len(t, meta, 1)
		assert.Contains(t, attribute(meta[0], "content"), want)
		assert.True(t, strings.HasPrefix(view.ContentSecurityPolicy(), attribute(meta[0], "content")))
	}
	for _, directive := range []string{"default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "sandbox allow-scripts"} {
		assert.Contains(t, view.ContentSecurityPolicy(), directive)
	}
	assert.NotContains(t, view.ContentSecurityPolicy(), "unsafe")
}

func TestPlaceholder(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, view.Placeholder(&b))
	page := parsed(t, b.String())
	harmless(t, b.String())
	assert.Equal(t, "datachain (awaiting tool call)", content(all(page, tag("title"))[0]))
	script := content(all(page, tag("script"))[0])
	assert.Contains(t, script, `"`+view.FragmentKey+`"`)
}

// TestFragment checks that a fragment is the main element of the page.
func TestFragment(t *testing.T) {
	p := present(t, samples(t), sample(t, "benefits.json"))
	var b bytes.Buffer
	summary, err := view.Fragment(&b, p, nil)
	require.NoError(t, err)
	assert.Equal(t, view.Summary{Locale: "en", Sections: 10, Elements: 13}, summary)
	assert.Contains(t, render(t, p, nil), b.String())
	assert.True(t, strings.HasPrefix(b.String(), "<main "))
	assert.True(t, strings.HasSuffix(b.String(), "</main>"))
}

// TestBound checks that a small document cannot make a huge page.
func TestBound(t *testing.T) {
	p := present(t, samples(t), sample(t, "benefits.resolved.json"))
	large := *p.Datachain
	long := taxonomy.Localized{{Locale: "en", Value: strings.Repeat("{{service}} ", 20_000)}}
	value := taxonomy.Localized{{Locale: "en", Value: strings.Repeat("long ", 50_000)}}
	e := large.SchemaSnapshot.Elements[0]
	e.Description = long
	large.SchemaSnapshot.Elements = []taxonomy.Element{e}
	large.Elements = nil
	for range 5000 {
		large.Elements = append(large.Elements, taxonomy.Placement{ElementID: e.ID, Variables: []taxonomy.VariableValue{{ID: "service", Text: value}}})
	}
	refused := func(p *datachain.Presentation, o *view.Options) {
		t.Helper()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var b bytes.Buffer
		_, err := view.Write(&b, p, o)
		require.ErrorIs(t, err, view.ErrTooLarge)
		assert.Zero(t, b.Len())
		runtime.ReadMemStats(&after)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(512<<20), "it stops before it has built the whole page")
	}
	refused(&datachain.Presentation{Datachain: &large}, nil)
	refused(p, &view.Options{MaxBytes: 20_000})
	_, err := view.Write(io.Discard, p, &view.Options{MaxBytes: -1})
	require.NoError(t, err, "a negative number means no limit")

	many := small()
	many.SchemaSnapshot.Elements[0].Variables[1].Options[0].Label = value
	many.Elements = []taxonomy.Placement{{ElementID: "data.trips", Variables: []taxonomy.VariableValue{{ID: "where", Options: slices.Repeat([]string{"here"}, 20_000)}}}}
	refused(&datachain.Presentation{Datachain: many}, nil)
}

// TestAppend appends the page that Write writes, and nothing if that is too large.
func TestAppend(t *testing.T) {
	p := present(t, samples(t), sample(t, "benefits.json"))
	want := render(t, p, &view.Options{Locale: "fr"})
	const before = "before"
	for _, dst := range [][]byte{[]byte(before), append(make([]byte, 0, 1<<20), before...)} {
		for _, limit := range []int{0, -1, len(want)} {
			page, summary, err := view.Append(dst, p, &view.Options{Locale: "fr", MaxBytes: limit})
			require.NoError(t, err)
			assert.Equal(t, before+want, string(page))
			assert.Equal(t, "fr", summary.Locale)
		}
		page, _, err := view.Append(dst, p, &view.Options{Locale: "fr", MaxBytes: len(want) - 1})
		require.ErrorIs(t, err, view.ErrTooLarge)
		assert.Equal(t, before, string(page))
	}
	page, _, err := view.Append(nil, nil, nil)
	require.ErrorIs(t, err, view.ErrNothing)
	assert.Nil(t, page)
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteFails(t *testing.T) {
	p := present(t, samples(t), sample(t, "benefits.json"))
	_, err := view.Write(brokenWriter{}, p, nil)
	require.ErrorIs(t, err, errBroken)
	require.ErrorIs(t, view.Placeholder(brokenWriter{}), errBroken)
}

func TestNothing(t *testing.T) {
	var b bytes.Buffer
	_, err := view.Write(&b, nil, nil)
	require.ErrorIs(t, err, view.ErrNothing)
	_, err = view.Write(&b, &datachain.Presentation{}, nil)
	require.ErrorIs(t, err, view.ErrNothing)
	assert.Empty(t, b.String())
}

// TestSite checks that a site can add its own HTML to a document, each at its place.
func TestSite(t *testing.T) {
	p := present(t, samples(t), sample(t, "crossing-camera.json"))
	site := &view.Site{Above: `<p id="above">`, Facts: `<div id="facts">`, History: `<a id="history">`, Links: `<li id="links">`, Technical: `<p id="technical">`}
	var page bytes.Buffer
	_, err := view.Fragment(&page, p, &view.Options{Site: site})
	require.NoError(t, err)
	at := 0
	for _, part := range []string{"<main", string(site.Above), "<h1", "<aside", string(site.Facts), string(site.History), string(site.Links), "</aside>", "<article", string(site.Technical), "</main>"} {
		next := strings.Index(page.String()[at:], part)
		require.GreaterOrEqual(t, next, 0, part)
		at += next
	}
}
