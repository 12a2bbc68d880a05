package skos_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/evolution/history"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/export/skos"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/taxonomy"
)

const (
	skosNS = "http://www.w3.org/2004/02/skos/core#"
	rdfNS  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
)

var update = flag.Bool("update", false, "write the golden files")

func samples(t *testing.T) []*taxonomy.Release {
	t.Helper()
	store, err := taxonomies.Store()
	require.NoError(t, err)
	x, err := store.Index(t.Context())
	require.NoError(t, err)
	var all []*taxonomy.Release
	for _, e := range x.Entries() {
		r, err := store.Release(t.Context(), e.ID)
		require.NoError(t, err)
		all = append(all, r)
	}
	return all
}

// hostile is a text that would end a string, an IRI or a comment if it were not escaped.
const hostile = "\"\"\" \\\" \\u0041 > . <x> @en ^^xsd:int #\r\n\t\u2028\u202e\x00\x01\x7f 'é' 😀 {{name}} ]]> */"

func both(s string) taxonomy.Localized {
	return taxonomy.Localized{{Locale: "en", Value: s}, {Locale: "pt-BR", Value: s + "."}}
}

// small has every field that is written, with hostile texts.
func small(t *testing.T) *taxonomy.Release {
	t.Helper()
	source := []taxonomy.Source{
		{Type: "law", Title: "A <law>", URL: "https://example.org/a b?x=<\"{}|\\^`>#é"},
		{Type: "book", Title: hostile},
		{Type: "link", Title: "No page", URL: "javascript:alert(1)", Citation: "p. 3"},
	}
	options := []taxonomy.Option{{ID: "yes", Label: both("Yes"), Description: both(hostile), Sources: source}, {ID: "no", Label: both("No")}}
	inherited := taxonomy.Variable{ID: "area", Label: both(hostile), Type: taxonomy.SelectVariable, Options: options}
	own := taxonomy.Variable{ID: "name", Label: both("Name"), Type: taxonomy.TextVariable, Sources: source}
	value := func(id string) taxonomy.ContextValue {
		return taxonomy.ContextValue{ID: id, Label: both(id), Description: both(hostile)}
	}
	mapping := func(relation taxonomy.Relation) taxonomy.Mapping {
		return taxonomy.Mapping{Scheme: "act", ID: "Art. 13(3) <\"\\> é/" + string(relation), Relation: relation, Note: both(hostile)}
	}
	element := func(id string) taxonomy.Element {
		return taxonomy.Element{
			ID: id, Title: both("Title of " + id), Description: both(hostile), CategoryID: "data", SymbolID: "dot",
			IconVariants: []string{"default", "dark", "low", "high"}, Variables: []taxonomy.Variable{inherited},
		}
	}
	old, plain := element("old"), element("data.new")
	old.Status, old.ReplacedBy = codes.StatusDeprecated, []taxonomy.Successor{{ID: "data.new", Note: both("Because.")}}
	plain.Keywords = taxonomy.Localized{{Locale: "en", Value: "Title of data.new"}, {Locale: "pt-BR", Value: hostile}}
	plain.Examples, plain.AuthoringGuidance, plain.Sources = []taxonomy.Localized{both("One"), both(hostile)}, both(hostile), source
	plain.Variables = append(plain.Variables, own)
	for _, relation := range []taxonomy.Relation{codes.RelationExact, codes.RelationClose, codes.RelationBroad, codes.RelationNarrow, codes.RelationRelated} {
		plain.Mappings = append(plain.Mappings, mapping(relation))
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("test@2026-01-02-beta"), taxonomy.Content{
		Title: both(hostile), Description: both("All fields."), Locales: []string{"en", "pt-BR"}, Notes: both(hostile),
		Licence: "CC-BY-4.0", Attribution: hostile,
		Removed: []taxonomy.Removal{{ID: "gone", Since: taxonomy.MustVersion("test@2026-01-01-beta"), Note: both(hostile), ReplacedBy: []taxonomy.Successor{{ID: "data.new"}}}},
		Schemes: []taxonomy.Scheme{{ID: "act", Title: both(hostile), URL: "https://example.org/act", Version: "2"}},
		Type: taxonomy.Type{
			ID: "test", Name: both("Test"), Categories: []string{"data"},
			Subchains: []taxonomy.Subchain{{ID: "first", Name: both("First"), Categories: []string{"data"}}},
		},
		Categories: []taxonomy.Category{{
			ID: "data", Name: both("Data"), Description: both(hostile), Shape: taxonomy.Circle, Prompt: both("Which?"), AuthoringGuidance: both(hostile),
			Variables: []taxonomy.Variable{inherited}, Sources: source, Mappings: []taxonomy.Mapping{mapping(codes.RelationBroad)},
			Context: taxonomy.Context{ID: "level", Name: both("Level"), Order: codes.Rising, Values: []taxonomy.ContextValue{value("low"), value("high")}},
		}},
		Elements: []taxonomy.Element{plain, old},
		Symbols:  map[string]string{"dot": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="9"/></svg>`},
	})
	require.NoError(t, err)
	return r
}

// TestFormats compares a version with every field with what is written of it.
func TestFormats(t *testing.T) {
	t.Parallel()
	r := small(t)
	for file, got := range map[string][]byte{
		"small.ttl":    encode(t, r, skos.Turtle, "https://example.org/x/"),
		"small.jsonld": encode(t, r, skos.JSONLD, "https://example.org/x/"),
	} {
		file = filepath.Join("testdata", file)
		if *update {
			require.NoError(t, os.WriteFile(file, got, 0o600))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		goldentest.Equal(t, string(want), string(got), "run the test with -update, and read the diff")
		require.Equal(t, got, encode(t, r, map[string]skos.Syntax{".ttl": skos.Turtle, ".jsonld": skos.JSONLD}[filepath.Ext(file)], "https://example.org/x"))
	}
}

// TestIDs finds every id of the samples again, with all labels in all languages.
func TestIDs(t *testing.T) {
	t.Parallel()
	for _, r := range append(samples(t), small(t)) {
		checkIDs(t, r, readJSONLD(t, encode(t, r, skos.JSONLD, "")), "urn:datachain:")
	}
}

// checkIDs compares the ids and labels of a release with those of triples.
func checkIDs(t *testing.T, r *taxonomy.Release, triples []string, root string) {
	t.Helper()
	root += r.Version().String()
	has := func(subject, predicate, object string) {
		t.Helper()
		triple := "<" + subject + "> <" + predicate + "> " + object
		_, found := slices.BinarySearch(triples, triple)
		require.True(t, found, triple)
	}
	count := 0
	for item := range history.Items(r) {
		subject := root
		owner := "/c/"
		if r.HasElement(item.In) {
			owner = "/e/"
		}
		switch item.Kind {
		case codes.IDCategory:
			subject += "/c/" + item.ID
		case codes.IDElement:
			subject += "/e/" + item.ID
		case codes.IDContextValue:
			subject += owner + item.In + "/context/" + item.ID
		case codes.IDVariable:
			subject += owner + item.In + "/v/" + item.ID
		case codes.IDOption:
			subject += owner + item.In + "/v/" + item.Variable + "/" + item.ID
		}
		has(subject, skosNS+"notation", strconv.Quote(item.ID))
		count++
	}
	for _, e := range r.Elements() {
		for _, text := range e.Title {
			has(root+"/e/"+e.ID, skosNS+"prefLabel", literal(text.Value)+"@"+text.Locale)
		}
		for _, text := range e.Description {
			has(root+"/e/"+e.ID, skosNS+"definition", literal(text.Value)+"@"+text.Locale)
		}
		has(root+"/e/"+e.ID, skosNS+"broader", "<"+root+"/c/"+e.CategoryID+">")
		has(root+"/c/"+e.CategoryID, skosNS+"narrower", "<"+root+"/e/"+e.ID+">")
		for _, s := range e.ReplacedBy {
			has(root+"/e/"+e.ID, "http://purl.org/dc/terms/isReplacedBy", "<"+root+"/e/"+s.ID+">")
		}
		require.Equal(t, len(e.Mappings), strings.Count(strings.Join(triples, "\n"), "<"+root+"/e/"+e.ID+"> <"+skosNS+"exactMatch>")+
			matches(triples, root+"/e/"+e.ID, "close", "broad", "narrow", "related"))
	}
	require.Greater(t, count, len(r.Elements())+len(r.Categories()))
}

func matches(triples []string, subject string, relations ...string) int {
	n := 0
	for _, triple := range triples {
		for _, relation := range relations {
			if strings.HasPrefix(triple, "<"+subject+"> <"+skosNS+relation+"Match>") {
				n++
			}
		}
	}
	return n
}

// literal returns a text as the readers do. Characters that are not written are replaced.
func literal(s string) string {
	return strconv.Quote(strings.NewReplacer("\x00", "\ufffd", "\x01", "\ufffd").Replace(s))
}

// readJSONLD returns the triples of JSON-LD, sorted. It knows only the forms that the
// package writes, and fails for others.
func readJSONLD(t *testing.T, text []byte) []string {
	t.Helper()
	var file struct {
		Context map[string]string            `json:"@context"`
		Graph   []map[string]json.RawMessage `json:"@graph"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&file))
	expand := func(name string) string {
		prefix, local, _ := strings.Cut(name, ":")
		if ns := file.Context[prefix]; ns != "" {
			return ns + local
		}
		return name
	}
	type value struct {
		ID       string  `json:"@id"`
		Value    *string `json:"@value"`
		Language string  `json:"@language"`
		Type     string  `json:"@type"`
		List     []value `json:"@list"`
	}
	var object func(v value) string
	object = func(v value) string {
		switch {
		case v.List != nil:
			var items []string
			for _, item := range v.List {
				items = append(items, object(item))
			}
			return "(" + strings.Join(items, " ") + ")"
		case v.ID != "":
			return "<" + expand(v.ID) + ">"
		case v.Language != "":
			return strconv.Quote(*v.Value) + "@" + v.Language
		case v.Type != "":
			return strconv.Quote(*v.Value) + "^^<" + expand(v.Type) + ">"
		}
		return strconv.Quote(*v.Value)
	}
	var triples []string
	for _, n := range file.Graph {
		var subject string
		require.NoError(t, json.Unmarshal(n["@id"], &subject))
		for name, raw := range n {
			switch name {
			case "@id":
			case "@type":
				var types []string
				require.NoError(t, json.Unmarshal(raw, &types))
				for _, typ := range types {
					triples = append(triples, fmt.Sprintf("<%s> <%stype> <%s>", subject, rdfNS, expand(typ)))
				}
			default:
				var values []value
				require.NoError(t, json.Unmarshal(raw, &values))
				for _, v := range values {
					triples = append(triples, fmt.Sprintf("<%s> <%s> %s", subject, expand(name), object(v)))
				}
			}
		}
	}
	slices.Sort(triples)
	return slices.Compact(triples)
}

func encode(t *testing.T, r *taxonomy.Release, f skos.Syntax, base string) []byte {
	t.Helper()
	text, err := skos.Encode(r, f, base)
	require.NoError(t, err)
	return text
}

func TestUnknownSyntax(t *testing.T) {
	_, err := skos.Encode(nil, "xml", "")
	require.ErrorContains(t, err, `the syntax "xml" is not known; use turtle or json-ld`)
}
