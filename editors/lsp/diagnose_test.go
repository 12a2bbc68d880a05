package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/editors/lsp"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// valid is a document without findings.
const valid = `{
  "id": "x",
  "title": [{"locale": "en", "value": "Air on the market square"}],
  "schema_version": "sensor@2026-11-15-stable",
  "created_at": "2026-06-20T12:00:00Z",
  "elements": [
    {"element_id": "purpose.environment"},
    {"element_id": "device.station", "context_type_id": "always_on"},
    {
      "element_id": "data.surroundings",
      "context_type_id": "does_not_identify_people",
      "variables": [{"id": "measured", "value": ["air_quality", "weather"]}]
    },
    {
      "element_id": "responsible.in_charge",
      "variables": [
        {"id": "organisation", "value": [{"locale": "en", "value": "Town of Lindenau"}]},
        {"id": "contact", "value": [{"locale": "en", "value": "environment@lindenau.example"}]}
      ]
    }
  ]
}
`

// edited returns valid with a text replaced.
func edited(t testing.TB, old, with string) string {
	t.Helper()
	require.Contains(t, valid, old)
	return strings.Replace(valid, old, with, 1)
}

func TestDiagnostics(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), nil)
	e.open(chain, valid)
	assert.Empty(t, e.diagnostics(chain, 1))

	e.change(chain, 2, edited(t, "purpose.environment", "purpose.enviroment"))
	found := e.diagnostics(chain, 2)
	require.Len(t, found, 1)
	d := found[0]
	assert.Equal(t, "INSTANCE_ELEMENT_UNKNOWN", d.Code)
	assert.Equal(t, "datachain", d.Source)
	assert.Equal(t, 1, d.Severity)
	assert.Equal(t, "https://github.com/datachain-go/datachain/blob/main/docs/codes.md#INSTANCE_ELEMENT_UNKNOWN", d.CodeDescription.HRef)
	assert.Equal(t, span{position{6, 19}, position{6, 39}}, d.Range)
	assert.Equal(t, "elements[0].element_id", d.Data.Path)
	assert.Equal(t, d.Data.Message+"\nHint: "+d.Data.FixHint, d.Message)
	assert.Contains(t, d.Data.FixHint, "purpose.environment")

	// A warning of strict mode.
	e.change(chain, 3, edited(t, `"created_at"`, `"creator": 1, "created_at"`))
	found = e.diagnostics(chain, 3)
	require.Len(t, found, 1)
	assert.Equal(t, "unknown_field", found[0].Code)
	assert.Equal(t, 2, found[0].Severity)
	assert.Equal(t, []int{1}, found[0].Tags)

	// Text that is not JSON.
	e.change(chain, 4, valid[:len(valid)-3])
	found = e.diagnostics(chain, 4)
	require.Len(t, found, 1)
	assert.Equal(t, "bad_request", found[0].Code)
	assert.NotEqual(t, found[0].Range.Start, found[0].Range.End, "something can be underlined")

	// JSON with a number that does not survive.
	e.change(chain, 5, edited(t, `"created_at"`, `"$schema": 1e21, "created_at"`))
	found = e.diagnostics(chain, 5)
	require.NotEmpty(t, found)
	assert.Equal(t, "bad_request", found[0].Code)
	assert.Contains(t, found[0].Message, "The document has a number that does not survive: the number 1e21 is beyond")

	// Closing a document removes what was shown.
	e.notify("textDocument/didClose", object{"textDocument": object{"uri": chain}})
	e.await("no diagnostics", func() bool {
		last := e.published[chain][len(e.published[chain])-1]
		return last.Version == nil && len(last.Diagnostics) == 0
	})
}

// TestRelated shows the other one of two that are the same.
// TestPushed shows that clients that could ask for diagnostics are sent them, and not told to ask.
func TestPushed(t *testing.T) {
	e := connect(t, lsp.New(opened(samples(t)), nil))
	asks := object{"textDocument": object{"diagnostic": object{}}, "workspace": object{"diagnostics": object{"refreshSupport": true}}}
	assert.NotContains(t, string(e.initialize(object{"capabilities": asks})), "diagnosticProvider")
	e.open(chain, "{")
	assert.NotEmpty(t, e.diagnostics(chain, 1))
}

func TestRelated(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), full)
	e.open(chain, "")
	version := 1
	for _, c := range []struct{ name, old, with, first, code string }{
		{"element_instance_id", `{"element_id": "purpose.environment"},`, `{"element_id": "purpose.environment", "element_instance_id": "a"}, {"element_id": "purpose.safety", "element_instance_id": "a"},`, `"a"`, "INSTANCE_ELEMENT_INSTANCE_ID_DUPLICATE"},
		{"element_instance_id and element_id", `{"element_id": "device.station"`, `{"element_id": "device.station", "element_instance_id": "purpose.environment"`, `"purpose.environment"`, "INSTANCE_ELEMENT_INSTANCE_ID_COLLIDES_WITH_ELEMENT_ID"},
		{"variable", `{"id": "measured",`, `{"id": "measured", "value": ["water"]}, {"id": "measured",`, `"measured"`, "INSTANCE_VARIABLE_DUPLICATE"},
		{"option", `"weather"]`, `"weather", "air_quality"]`, `"air_quality"`, "INSTANCE_VARIABLE_VALUE_DUPLICATE"},
		{"locale", `"value": "Air on the market square"}`, `"value": "Air on the market square"}, {"locale": "en", "value": "Air"}`, `"en"`, "INSTANCE_LOCALE_DUPLICATE"},
		{"subchain instance", `"created_at"`, `"subchain_instances": [{"id": "s", "subchain_id": "collect"}, {"id": "s", "subchain_id": "use"}], "created_at"`, `"s"`, "INSTANCE_SUBCHAIN_INSTANCE_ID_DUPLICATE"},
		{"key", `"created_at"`, `"id": "y", "created_at"`, `"id"`, "bad_request"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := edited(t, c.old, c.with)
			version++
			e.change(chain, version, text)
			found := e.diagnostics(chain, version)
			i := slices.IndexFunc(found, func(d diagnostic) bool { return d.Code == c.code })
			require.GreaterOrEqual(t, i, 0, found)
			require.Len(t, found[i].Related, 1)
			at := found[i].Related[0].Location
			assert.Equal(t, chain, at.URI)
			assert.Equal(t, c.first, text[offsetOf(text, at.Range.Start):offsetOf(text, at.Range.End)])
			assert.Less(t, offsetOf(text, at.Range.Start), offsetOf(text, found[i].Range.Start))
		})
	}
}

func TestBaseURL(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), &lsp.Options{BaseURL: "https://example.org/t/"}), nil)
	e.open(chain, "{}")
	assert.Equal(t, "https://example.org/t/codes/parse_error", e.diagnostics(chain, 1)[0].CodeDescription.HRef)
}

func TestRecognition(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), nil)
	for _, c := range []struct {
		name, uri, text string
		judged          bool
	}{
		{"by name", "file:///a/b.datachain.json", "[]", true},
		{"by name, with a query", "vscode-remote://host/b.datachain.json?x", "[]", true},
		{"by content", "untitled:Untitled-1", `{"schema_version": 1, "elements": []}`, true},
		{"not by half of it", "file:///a/schema.json", `{"schema_version": 1}`, false},
		{"another file", "file:///a/package.json", `{"name": "x"}`, false},
		{"an array", "file:///a/list.json", `["schema_version", "elements"]`, false},
		{"not JSON at all", "file:///a/x.yaml", "a: b", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e.open(c.uri, c.text)
			assert.Equal(t, c.judged, len(e.diagnostics(c.uri, 1)) > 0)
		})
	}
	t.Run("while a key is typed", func(t *testing.T) {
		e.change("untitled:Untitled-1", 2, `{"schema_version": 1, "element": []}`)
		assert.NotEmpty(t, e.diagnostics("untitled:Untitled-1", 2))
		e.change("untitled:Untitled-1", 3, `{"name": 1}`)
		assert.Empty(t, e.diagnostics("untitled:Untitled-1", 3))
	})
}

// TestNeverStale types quickly: the last diagnostics must be those of the last text,
// and versions must never go back.
func TestNeverStale(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), nil)
	e.open(chain, valid)
	version := 1
	for round := range 100 {
		for range 10 {
			version++
			text := valid
			if version%10 != round%10 { // the last one of a round is right or wrong in turn
				text = strings.ReplaceAll(valid, "purpose.environment", fmt.Sprintf("purpose.unheard_%d", version))
			}
			e.change(chain, version, text)
		}
		found := e.diagnostics(chain, version)
		if version%10 == round%10 {
			require.Empty(t, found)
			continue
		}
		require.NotEmpty(t, found)
		require.Contains(t, found[0].Message, fmt.Sprintf("purpose.unheard_%d", version))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	last := 0
	for _, p := range e.published[chain] {
		require.Greater(t, *p.Version, last)
		last = *p.Version
	}
}

// TestEncodings puts wide characters before a finding.
func TestEncodings(t *testing.T) {
	for _, before := range []string{"plain", "é", "e\u0301", "漢字", "😀", "👩‍👩‍👧", "\u2028", `\ud83d\ude00`} {
		line := `{"id": "` + before + `", "element_id": "nope"}`
		text := "{\r\n\"elements\": [\r" + line + "\n]}"
		at := strings.Index(line, `"nope"`)
		for encoding, want := range map[string]int{"utf-8": at, "utf-16": len(utf16.Encode([]rune(line[:at])))} {
			t.Run(before+" in "+encoding, func(t *testing.T) {
				e := start(t, lsp.New(opened(samples(t)), nil), object{"general": object{"positionEncodings": []string{"utf-32", encoding, "utf-16"}}})
				doc := strings.Replace(text, "{\r\n", `{`+"\r\n"+`"id":"x","created_at":"2026-06-20T12:00:00Z","schema_version":"sensor@2026-11-15-stable",`, 1)
				e.open(chain, doc)
				for _, d := range e.diagnostics(chain, 1) {
					if d.Data.Path == "elements[0].element_id" {
						assert.Equal(t, span{position{2, want}, position{2, want + 6}}, d.Range)
						return
					}
				}
				t.Error("no finding")
			})
		}
	}
}

// TestReleasesChange shows that documents are validated again when a taxonomy changes.
func TestReleasesChange(t *testing.T) {
	releases := trail(t)
	store, err := memstore.New()
	require.NoError(t, err)
	open := func(context.Context, []string) (*lsp.Releases, error) {
		return &lsp.Releases{Service: must(datachain.New(store, nil)), Origin: "memory", Changes: store.Changes}, nil
	}
	e := start(t, lsp.New(open, nil), nil)
	c := caseOf(t, "unknown_field", func(c conformanceCase) bool { return len(c.Wanted) > 0 })
	e.open(chain, string(c.Document))
	require.Equal(t, "not_found", e.diagnostics(chain, 1)[0].Code)
	require.NoError(t, store.Put(listing.Publication{Release: releases[c.Version]}))
	e.await("a second verdict", func() bool {
		last := e.published[chain][len(e.published[chain])-1]
		return len(last.Diagnostics) > 0 && last.Diagnostics[0].Code == "unknown_field"
	})
}

// conformanceCase is a file of validate/testdata/cases.
type conformanceCase struct {
	Operation string          `json:"operation"`
	Version   string          `json:"version"`
	Strict    bool            `json:"strict"`
	Document  json.RawMessage `json:"document"`
	Wanted    []struct {
		Code     issue.Code     `json:"code"`
		Path     string         `json:"path"`
		Severity issue.Severity `json:"severity"`
		Message  string         `json:"message"`
		FixHint  string         `json:"fix_hint"`
	} `json:"wanted"`
	file string
}

func conformanceCases(t testing.TB) []conformanceCase {
	t.Helper()
	files, err := filepath.Glob("../../validate/testdata/cases/*/*.json")
	require.NoError(t, err)
	require.Greater(t, len(files), 100)
	cases := make([]conformanceCase, len(files))
	for i, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &cases[i]), file)
		cases[i].file = filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file)
	}
	return cases
}

// caseOf returns a case of a code.
func caseOf(t testing.TB, code string, accept func(conformanceCase) bool) conformanceCase {
	t.Helper()
	for _, c := range conformanceCases(t) {
		if strings.HasPrefix(c.file, code+"/") && accept(c) {
			return c
		}
	}
	t.Fatalf("no case of %s", code)
	return conformanceCase{}
}

// trail compiles the taxonomy of the cases.
func trail(t testing.TB) map[string]*taxonomy.Release {
	t.Helper()
	tree, err := source.CompileAll(os.DirFS("../../validate/testdata/taxonomy"), nil)
	require.NoError(t, err)
	releases := make(map[string]*taxonomy.Release)
	for _, v := range tree.Versions {
		releases[v.Version.String()] = v.Release
	}
	require.NotEmpty(t, releases)
	return releases
}

// wanted returns the findings of the library.
func wanted(t testing.TB, service *datachain.Service, text []byte, o datachain.ValidateOptions) []datachain.Finding {
	t.Helper()
	v, err := service.Validate(t.Context(), text, &o)
	require.NoError(t, err)
	return v.Findings()
}

// strict are the options of the server.
var strict = datachain.ValidateOptions{Strict: true, Partial: true}

// sameOrder requires that an editor shows all findings of the command, in their order;
// it may show more.
func sameOrder(t testing.TB, want []datachain.Finding, got []diagnostic) {
	t.Helper()
	i := 0
	for _, g := range got {
		if i < len(want) && string(want[i].Code) == g.Code && want[i].Path.String() == g.Data.Path && want[i].Message == g.Data.Message {
			i++
		}
	}
	require.Len(t, want, i)
}

// same requires that an editor shows exactly the findings of the library, in their
// order and at their places.
func same(t testing.TB, want []datachain.Finding, got []diagnostic) {
	t.Helper()
	require.Len(t, got, len(want))
	for i, w := range want {
		g := got[i]
		severity := 1
		if w.Severity == issue.SeverityWarning {
			severity = 2
		}
		require.Equal(t, []any{string(w.Code), severity, w.Path.String(), w.Message, w.FixHint},
			[]any{g.Code, g.Severity, g.Data.Path, g.Data.Message, g.Data.FixHint})
		require.Equal(t, position{w.Span.Start.Line - 1, w.Span.Start.UTF16 - 1}, g.Range.Start, w)
		if w.Span.Start != w.Span.End {
			require.Equal(t, position{w.Span.End.Line - 1, w.Span.End.UTF16 - 1}, g.Range.End, w)
		}
	}
}

// TestConformance runs every case of the validator through the language server.
func TestConformance(t *testing.T) {
	var list []*taxonomy.Release
	for _, r := range trail(t) {
		list = append(list, r)
	}
	store, err := memstore.New()
	require.NoError(t, err)
	for _, r := range list {
		require.NoError(t, store.Put(listing.Publication{Release: r}))
	}
	service := must(datachain.New(store, nil))
	e := start(t, lsp.New(opened(service), nil), nil)
	for i, c := range conformanceCases(t) {
		t.Run(c.file, func(t *testing.T) {
			uri := fmt.Sprintf("file:///cases/%d.datachain.json", i)
			e.open(uri, string(c.Document))
			got := e.diagnostics(uri, 1)
			same(t, wanted(t, service, c.Document, strict), got)
			sameOrder(t, wanted(t, service, c.Document, datachain.ValidateOptions{}), got)
			var pin struct {
				Version string `json:"schema_version"`
			}
			_ = json.Unmarshal(c.Document, &pin) // not every case has one
			if c.Operation == "resolve" || !c.Strict || pin.Version != c.Version {
				return
			}
			require.Len(t, got, len(c.Wanted))
			for k, w := range c.Wanted {
				assert.Equal(t, []any{string(w.Code), w.Path, w.Message, w.FixHint}, []any{got[k].Code, got[k].Data.Path, got[k].Data.Message, got[k].Data.FixHint})
			}
		})
	}
}

// TestSamples compares the findings in the sample documents.
func TestSamples(t *testing.T) {
	service := samples(t)
	e := start(t, lsp.New(opened(service), nil), nil)
	var files []string
	for _, pattern := range []string{"../../examples/documents/*.json", "../../examples/documents/_invalid/*.json"} {
		more, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, more)
		files = append(files, more...)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			uri := "file:///" + filepath.Base(file) + ".datachain.json"
			e.open(uri, string(text))
			same(t, wanted(t, service, text, strict), e.diagnostics(uri, 1))
			sameOrder(t, wanted(t, service, text, datachain.ValidateOptions{}), e.diagnostics(uri, 1))
		})
	}
}

// TestManyFindings bounds what is sent after each change. Errors are shown before
// warnings, and the last finding says how many are left out.
func TestManyFindings(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), full)
	e.open(chain, "{}")
	for i, c := range []struct {
		unknown, placed int // warnings and errors
		shown           int
		last            string
	}{
		{198, 2, 200, ""},
		{199, 2, 201, "There is 1 more finding."},
		{500, 2, 201, "There are 302 more findings."},
		{500, 300, 201, "There are 600 more findings."},
		{0, 2000, 201, "There are at least 800 more findings."},
	} {
		var fields, placements strings.Builder
		for i := range c.unknown {
			fmt.Fprintf(&fields, `"unknown%d":0,`, i)
		}
		for i := range c.placed {
			fmt.Fprintf(&placements, `{"element_id":"nowhere.x%d"},`, i)
		}
		text := strings.Replace(valid, `"elements": [`, fields.String()+`"elements": [`+placements.String(), 1)
		e.change(chain, i+2, text)
		found := e.diagnostics(chain, i+2)
		require.Len(t, found, c.shown)
		errors := 0
		for _, d := range found {
			if d.Severity == 1 && d.Code != "too_many_findings" {
				errors++
			}
		}
		assert.Equal(t, min(c.placed, 200), errors)
		last := found[len(found)-1]
		if c.last == "" {
			assert.NotEqual(t, "too_many_findings", last.Code)
			continue
		}
		assert.Equal(t, "too_many_findings", last.Code)
		assert.Contains(t, last.Message, c.last)
		assert.Equal(t, span{End: position{0, 1}}, last.Range)
	}
}
