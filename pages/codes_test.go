package pages_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/codes/remedy"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// TestCodes shows that every code of the registry has a page, which the list links to.
func TestCodes(t *testing.T) {
	s := open(t, nil, nil)
	links := map[string]bool{}
	for _, a := range s.page("/codes").all("a.code") {
		links[a.attr("href")] = true
	}
	require.Len(t, links, len(issue.Codes()))
	for _, info := range issue.Codes() {
		path := "/codes/" + string(info.Code)
		assert.True(t, links[path], path)
		page := s.page(path)
		remedy, _ := remedy.Lookup(string(info.Code))
		text := page.text()
		for _, want := range []string{string(info.Code), info.Meaning, remedy.Advice, remedy.Bad, remedy.Good} {
			assert.Contains(t, text, strings.Join(strings.Fields(want), " "), path)
		}
	}
}

func TestCodesAreFiltered(t *testing.T) {
	s := open(t, nil, nil)
	page := s.page("/codes?q=Symbol_viewbox")
	require.Len(t, page.all("a.code"), 1)
	assert.Equal(t, "/codes/symbol_viewbox", page.all("a.code")[0].attr("href"))
	part := s.do(http.MethodGet, "/codes?q=viewbox&part=results")
	assert.Contains(t, part.body, "symbol_viewbox")
	assert.NotContains(t, part.body, "<html")
	assert.Contains(t, s.page("/codes?q=zzz").text(), "No code matches.")
	hostile := s.page("/codes?q=%3Cscript%3Etrap()%3C/script%3E%22")
	assert.Equal(t, `<script>trap()</script>"`, hostile.all("#q")[0].attr("value"))
}

func TestUnknownCode(t *testing.T) {
	s := open(t, nil, nil)
	res := s.do(http.MethodGet, "/codes/symbol_viewbx")
	assert.Equal(t, http.StatusNotFound, res.StatusCode)
	assert.Contains(t, res.body, `href="/codes/symbol_viewbox"`)
}

// TestCodeInOtherLanguages shows that the words of a page are translated, and that texts in
// English are marked.
func TestCodeInOtherLanguages(t *testing.T) {
	s := open(t, nil, nil)
	page := s.page("/codes/parse_error?lang=fr")
	assert.Contains(t, page.text(), "Comment corriger")
	lead := page.all("p.lead")[0]
	assert.Equal(t, "en", lead.attr("lang"))
	for _, a := range page.all("a") {
		if strings.HasPrefix(a.attr("href"), "/codes/") && a.attr("hreflang") == "" {
			assert.Contains(t, a.attr("href"), "lang=fr")
		}
	}
}

// TestCodeSample shows that a code links to a document with it, if there is one whose version
// is published.
func TestCodeSample(t *testing.T) {
	e, ok := documents.Invalid(codes.ContextTypeUnknown)
	require.True(t, ok)
	lost := pages.Sample{Name: "lost", Code: codes.ParseError, Text: []byte(`{"schema_version": "ai@2020-01-01-stable"}`)}
	s := open(t, nil, &pages.Options{Samples: []pages.Sample{lost, {Name: e.Name, Text: e.Text, Code: codes.ContextTypeUnknown}}})
	button := s.page("/codes/CONTEXT_TYPE_UNKNOWN").all("a.button")
	require.Len(t, button, 1)
	assert.Equal(t, string(e.Text), s.page(button[0].attr("href")).all("#document")[0].raw())
	assert.Empty(t, s.page("/codes/parse_error").all("a.button"))
	assert.Empty(t, s.page("/play").all("#samples"), "documents with findings are not offered to start from")
}

// TestCodeExamples checks that what is right in the examples of codes is so in a version of
// the samples: in the one that an example names, or in the latest of one type.
func TestCodeExamples(t *testing.T) {
	samples, err := published.Store()
	require.NoError(t, err)
	service := must(datachain.New(samples, nil))
	ids, named := regexp.MustCompile(`"element_id": "([\w.]+)"`), regexp.MustCompile(`(?:ai|sensor)@[\w-]+`)
	options := regexp.MustCompile(`"id": "(\w+)", "value": \["(\w+)"\]`)
	for _, info := range issue.Codes() {
		remedy, _ := remedy.Lookup(string(info.Code))
		versions := named.FindAllString(remedy.Good, -1)
		if len(versions) == 0 {
			versions = []string{"ai@latest", "sensor@latest"}
		}
		var unknown []string
		assert.True(t, slices.ContainsFunc(versions, func(version string) bool {
			schema, err := service.Open(t.Context(), version)
			require.NoError(t, err, info.Code)
			unknown = nil
			for _, id := range ids.FindAllStringSubmatch(remedy.Good, -1) {
				if _, err := schema.Element(id[1]); err != nil {
					unknown = append(unknown, version+" has no "+id[1])
				}
			}
			for _, value := range options.FindAllStringSubmatch(remedy.Good, -1) {
				if !slices.ContainsFunc(schema.Release().Elements(), func(e *taxonomy.Element) bool {
					v, _ := e.Variable(value[1])
					return v != nil && slices.ContainsFunc(v.Options, func(o taxonomy.Option) bool { return o.ID == value[2] })
				}) {
					unknown = append(unknown, version+" has no "+value[0])
				}
			}
			return unknown == nil
		}), "%s: %s", info.Code, unknown)
	}
}
