package httpapi_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/validate"
)

func TestDescriptionIsValid(t *testing.T) {
	doc := described(t).doc
	require.Equal(t, "3.1.0", doc.OpenAPI)
	require.NoError(t, doc.Validate(t.Context(), openapi3.EnableExamplesValidation()))
}

func TestDescriptionIsServed(t *testing.T) {
	want, err := os.ReadFile(descriptionFile)
	require.NoError(t, err)
	a := open(t, samples(t), nil).get("/openapi.json")
	require.Equal(t, string(want), a.text)
	require.Equal(t, "public, max-age=3600", a.Header.Get("Cache-Control"))
}

// TestDescriptionHasEveryRoute, and no other. Wildcards of the server are whole
// segments; the description is more specific.
func TestDescriptionHasEveryRoute(t *testing.T) {
	paths := described(t).doc.Paths.Map()
	got := map[string]bool{}
	for path, item := range paths {
		if dir, file, _ := cutLast(path); strings.Contains(file, "{") && strings.Contains(file, ".") || strings.HasPrefix(file, "icon.") {
			path = dir + "/{file}"
		}
		methods := slices.Collect(maps.Keys(item.Operations()))
		require.Len(t, methods, 1, path)
		got[path] = methods[0] == http.MethodPost
	}
	require.Equal(t, httpapi.Patterns(), got)
}

func cutLast(path string) (dir, file string, found bool) {
	i := strings.LastIndexByte(path, '/')
	return path[:i], path[i+1:], i >= 0
}

// TestDescriptionExamples requests every path with the examples of its parameters:
// with all of them, and with the required ones.
func TestDescriptionExamples(t *testing.T) {
	w := open(t, samples(t), nil)
	for path, item := range described(t).doc.Paths.Map() {
		if item.Get == nil {
			continue
		}
		t.Run(path, func(t *testing.T) {
			w := w.in(t)
			address, query := strings.TrimPrefix(path, api), url.Values{}
			for _, p := range slices.Concat(item.Parameters, item.Get.Parameters) {
				switch value := p.Value.Example.(type) {
				case string:
					address = strings.ReplaceAll(address, "{"+p.Value.Name+"}", value)
					if p.Value.In == openapi3.ParameterInQuery {
						query.Set(p.Value.Name, value)
					}
				case []any:
					var items []string
					for _, item := range value {
						items = append(items, item.(string))
					}
					query.Set(p.Value.Name, strings.Join(items, ","))
				}
			}
			w.get(address)
			if len(query) > 0 {
				w.get(address + "?" + strings.ReplaceAll(query.Encode(), "%2C", ","))
			}
		})
	}
}

// TestDescriptionOfDocuments sends the documents of the description.
func TestDescriptionOfDocuments(t *testing.T) {
	w := open(t, samples(t), nil)
	for path, item := range described(t).doc.Paths.Map() {
		if item.Post == nil {
			continue
		}
		for name, example := range item.Post.RequestBody.Value.Content["application/json"].Examples {
			text, err := document.MarshalCanonical(example.Value.Value)
			require.NoError(t, err)
			a := w.post(strings.Replace(strings.TrimPrefix(path, api), "{version}", "sensor@latest", 1), string(text))
			require.Equal(t, 200, a.StatusCode)
			require.Empty(t, a.codes(), "%s %s", path, name)
		}
	}
}

func TestDescriptionNamesTheSchemas(t *testing.T) {
	w := open(t, samples(t), nil)
	listed := described(t).doc.Components.Parameters["SchemaName"].Value.Schema.Value.Enum
	var names []any
	for _, name := range validate.JSONSchemaNames() {
		names = append(names, name)
		want, _ := validate.JSONSchema(name)
		a := w.get("/json-schemas/" + name + ".json")
		require.Equal(t, string(want), a.text)
		require.Equal(t, "application/schema+json; charset=utf-8", a.Header.Get("Content-Type"))
	}
	require.Equal(t, names, listed)
	issue := w.do(request{path: "/json-schemas/nothing.json", wrong: true}).issue(t, 404, "not_found")
	require.Contains(t, issue["fix_hint"], "instance")
}

func TestDescriptionNamesTheShapes(t *testing.T) {
	var shapes []any
	for _, s := range taxonomy.Shapes() {
		shapes = append(shapes, string(s))
	}
	require.ElementsMatch(t, shapes, described(t).doc.Components.Parameters["Shape"].Value.Schema.Value.Enum)
}

// TestDescriptionOfAnotherPlace shows that the description and the hints are right
// for a service that is not at the root of its host.
func TestDescriptionOfAnotherPlace(t *testing.T) {
	const base = "https://example.org/datachain/"
	handler, err := httpapi.New(must(datachain.New(samples(t), nil)), &httpapi.Options{BaseURL: base})
	require.NoError(t, err)
	get := func(path string) string {
		res := httptest.NewRecorder()
		handler.ServeHTTP(res, httptest.NewRequest(http.MethodGet, path, nil))
		return res.Body.String()
	}
	require.Equal(t, string(httpapi.OpenAPI(base)), get(api+"/openapi.json"))
	doc, err := openapi3.NewLoader().LoadFromData(httpapi.OpenAPI(base))
	require.NoError(t, err)
	require.Len(t, doc.Servers, 1)
	require.Equal(t, "https://example.org/datachain", doc.Servers[0].URL)
	require.Len(t, doc.Paths.Map(), described(t).doc.Paths.Len())
	require.Contains(t, get("/nothing"), "see /datachain/api/v2/schemas for the schema versions, or /datachain/api/v2/openapi.json")
}

// TestLocales shows that all parameters accept the same locales, and that the
// description accepts them, too.
func TestLocales(t *testing.T) {
	w := open(t, samples(t), nil)
	document, ok := documents.Find("benefits.json")
	require.True(t, ok)
	patterns := described(t).doc.Components.Parameters
	for locale, good := range map[string]bool{
		"": true, "fr": true, "fr-CA": true, "fr_CA": true, "de-1996": true, "en-x-private": true, "x-private": true, "zh-cmn-Hans-CN": true, "xx-YY": true,
		"x": false, "abcd": false, "en--us": false, "en-": false, "en us": false, "*": false, "en-a": false, `">`: false,
	} {
		t.Run(locale, func(t *testing.T) {
			w, query := w.in(t), "?locale="+url.QueryEscape(locale)
			if !good {
				list := w.do(request{path: "/schemas/ai@latest/elements" + query, wrong: true})
				page := w.postWrong("/schemas/ai@latest/render"+query, string(document.Text))
				require.Equal(t, list.issue(t, 400, "bad_request"), page.issue(t, 400, "bad_request"))
				return
			}
			list := w.get("/schemas/ai@latest/elements" + query)
			page := w.post("/schemas/ai@latest/render"+query, string(document.Text))
			require.Equal(t, 200, list.StatusCode, list.text)
			require.Equal(t, 200, page.StatusCode, page.text)
			if locale == "fr_CA" {
				require.Contains(t, page.text, `<html lang="fr" dir="ltr" `)
			}
			for _, name := range []string{"Locale", "PageLocale"} {
				require.True(t, locale == "" || regexp.MustCompile(patterns[name].Value.Schema.Value.Pattern).MatchString(locale), name)
			}
		})
	}
}
