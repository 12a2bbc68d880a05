package editorschema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	peer "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/release/editorschema"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

func sample(t testing.TB, version string) *taxonomy.Release {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	ref, err := taxonomy.ParseRef(version)
	require.NoError(t, err)
	r, err := taxonomy.Open(t.Context(), store, ref)
	require.NoError(t, err)
	return r
}

// content has everything that a release can say about documents.
func content() taxonomy.Content {
	text := func(en, fr string) taxonomy.Localized {
		return taxonomy.Localized{{Locale: "en", Value: en}, {Locale: "fr", Value: fr}}
	}
	variables := []taxonomy.Variable{
		{ID: "name", Label: text("Name", "Nom"), Required: true, Type: taxonomy.TextVariable},
		{ID: "days", Label: text("Days", "Jours"), Type: taxonomy.SelectVariable, Options: []taxonomy.Option{
			{ID: "monday", Label: text("Monday", "Lundi"), Description: text("The *first* day", "Le *premier* jour")},
			{ID: "sunday", Label: text("Sunday", "Dimanche"), AppliesTo: []string{"stand.fruit"}},
		}},
	}
	variants := []string{"default", "dark", "indoors"}
	return taxonomy.Content{
		Title: text("Market", "Marché"), Description: text("What is sold", "Ce qui se vend"), Locales: []string{"en", "fr"},
		Type: taxonomy.Type{
			ID: "market", Name: text("Market", "Marché"), Categories: []string{"stand", "rule"},
			Subchains: []taxonomy.Subchain{{ID: "week", Name: text("Week", "Semaine"), Categories: []string{"stand"}}},
		},
		Categories: []taxonomy.Category{
			{
				ID: "stand", Name: text("Stand", "Étal"), Description: text("A stand", "Un étal"), Shape: taxonomy.Circle,
				Required: true, Cardinality: taxonomy.Cardinality{Max: 3}, Variables: variables,
				Context: taxonomy.Context{Required: true, Values: []taxonomy.ContextValue{{ID: "indoors", Label: text("Indoors", "À l’intérieur")}}},
			},
			{ID: "rule", Name: text("Rule", "Règle"), Description: text("A rule", "Une règle"), Shape: taxonomy.Hexagon},
		},
		Elements: []taxonomy.Element{
			{ID: "stand.fish", Title: text("Fish", "Poisson"), Description: text("Fish by {{name}}", "Poisson de {{name}}"), CategoryID: "stand", SymbolID: "dot", IconVariants: variants, Variables: variables},
			{ID: "stand.fruit", Title: text("Fruit", "Fruits"), Description: text("Fruit", "Fruits"), CategoryID: "stand", SymbolID: "dot", IconVariants: variants, Variables: variables, MaxPlacements: 2},
			{ID: "rule.dogs", Title: text("No dogs", "Pas de chiens"), Description: text("No [dogs]", "Pas de [chiens]"), CategoryID: "rule", SymbolID: "dot", IconVariants: variants[:2]},
		},
		Symbols: map[string]string{"dot": "<svg/>"},
	}
}

func market(t testing.TB, change func(*taxonomy.Content)) *taxonomy.Release {
	t.Helper()
	c := content()
	if change != nil {
		change(&c)
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("market@2026-09-01-stable"), c)
	require.NoError(t, err)
	return r
}

func TestSchemaGolden(t *testing.T) {
	for file, locale := range map[string]string{"market.json": "", "market.fr.json": "fr"} {
		t.Run(file, func(t *testing.T) {
			got := editorschema.New(market(t, nil), locale)
			goldentest.File(t, filepath.Join("testdata", file), string(got))
		})
	}
}

// compile compiles a schema as others would, without a loader: it is self-contained.
func compile(t testing.TB, text []byte) *peer.Schema {
	t.Helper()
	schema, err := peer.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	c := peer.NewCompiler()
	c.UseLoader(peer.SchemeURLLoader{})
	require.NoError(t, c.AddResource("version.json", schema))
	compiled, err := c.Compile("version.json")
	require.NoError(t, err)
	return compiled
}

func fits(t testing.TB, schema *peer.Schema, placements ...string) error {
	t.Helper()
	text := fmt.Sprintf(`{"id":"x","schema_version":"market@2026-09-01-stable","created_at":"2026-06-01T10:00Z","elements":[%s]}`, strings.Join(placements, ","))
	value, err := peer.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err, text)
	return schema.Validate(value)
}

const (
	fish = `{"element_id":"stand.fish","context_type_id":"indoors","variables":[{"id":"name","value":[{"locale":"de","value":"Anna"}]}]}`
	dogs = `{"element_id":"rule.dogs"}`
)

// TestSchemaVerdicts checks each constraint of the schema by itself.
func TestSchemaVerdicts(t *testing.T) {
	schema := compile(t, editorschema.New(market(t, nil), ""))
	fruit := func(variables string) string {
		return `{"element_id":"stand.fruit","context_type_id":"indoors","variables":[{"id":"name","value":[{"locale":"en","value":"Bo"}]}` + variables + `]}`
	}
	for name, placements := range map[string][]string{
		"valid":               {fish, dogs},
		"unknown fields":      {fish, `{"element_id":"rule.dogs","x":1,"variables":[]}`},
		"option":              {fruit(`,{"id":"days","value":["sunday","monday"]}`)},
		"as often as allowed": {fish, fruit(""), fruit("")},
	} {
		require.NoError(t, fits(t, schema, placements...), name)
	}
	for name, placements := range map[string][]string{
		"unknown element":        {fish, `{"element_id":"rule.cats"}`},
		"required category":      {dogs},
		"category too often":     {fish, fish, fish, fish},
		"element too often":      {fruit(""), fruit(""), fruit("")},
		"missing context":        {`{"element_id":"stand.fish","variables":[{"id":"name","value":[{"locale":"en","value":"Anna"}]}]}`},
		"unknown context":        {strings.Replace(fish, "indoors", "outdoors", 1)},
		"context without values": {fish, `{"element_id":"rule.dogs","context_type_id":"indoors"}`},
		"missing variables":      {`{"element_id":"stand.fish","context_type_id":"indoors"}`},
		"missing variable":       {`{"element_id":"stand.fish","context_type_id":"indoors","variables":[]}`},
		"unknown variable":       {fruit(`,{"id":"nights","value":["monday"]}`)},
		"variable of none":       {fish, `{"element_id":"rule.dogs","variables":[{"id":"name","value":[{"locale":"en","value":"Bo"}]}]}`},
		"text is a choice":       {strings.Replace(fish, `[{"locale":"de","value":"Anna"}]`, `["Anna"]`, 1)},
		"text is blank":          {strings.Replace(fish, "Anna", `\u00a0`, 1)},
		"no text":                {strings.Replace(fish, `{"locale":"de","value":"Anna"}`, "", 1)},
		"unknown option":         {fruit(`,{"id":"days","value":["tuesday"]}`)},
		"option twice":           {fruit(`,{"id":"days","value":["sunday","sunday"]}`)},
		"no option":              {fruit(`,{"id":"days","value":[]}`)},
		"option of another":      {strings.Replace(fish, `}]}]}`, `}]},{"id":"days","value":["sunday"]}]}`, 1)},
	} {
		require.Error(t, fits(t, schema, placements...), name)
	}
}

// TestSchemaOddReleases makes schemas of releases that no lint would pass.
func TestSchemaOddReleases(t *testing.T) {
	for name, change := range map[string]func(*taxonomy.Content){
		"no elements": func(c *taxonomy.Content) { c.Elements = nil },
		"ids that occur twice": func(c *taxonomy.Content) {
			v := c.Elements[0].Variables
			v[1].Options = append(v[1].Options, v[1].Options...)
			c.Elements[0].Variables = slices.Concat(v, v)
			c.Type.Subchains = append(c.Type.Subchains, c.Type.Subchains...)
		},
		"ids with anything in them": func(c *taxonomy.Content) {
			v := c.Elements[0].Variables
			v[0].ID, v[1].ID, v[1].Options[0].ID = "^$1/~\"}", "", "a|b,c"
			c.Locales[0] = "x\"$1"
		},
		"no texts":   func(c *taxonomy.Content) { c.Elements[0].Title, c.Title, c.Categories[0].Name = nil, nil, nil },
		"no options": func(c *taxonomy.Content) { c.Elements[0].Variables[1].Options = nil },
	} {
		t.Run(name, func(t *testing.T) {
			text := editorschema.New(market(t, change), "")
			_, err := document.Parse(text)
			require.NoError(t, err, "strict JSON")
			compile(t, text)
		})
	}
}

// TestSchemaFirstOptionCounts has an option twice, as the rules do: the first one says which
// elements can use it.
func TestSchemaFirstOptionCounts(t *testing.T) {
	r := market(t, func(c *taxonomy.Content) {
		days := &c.Elements[0].Variables[1]
		days.Options = append(days.Options, taxonomy.Option{ID: "sunday", Label: days.Label})
	})
	schema := compile(t, editorschema.New(r, ""))
	on := func(day string) string {
		return strings.Replace(fish, `}]}]}`, `}]},{"id":"days","value":["`+day+`"]}]}`, 1)
	}
	require.NoError(t, fits(t, schema, on("monday")))
	require.Error(t, fits(t, schema, on("sunday")))
}

func TestSchemaLocale(t *testing.T) {
	r := sample(t, "ai@latest")
	inFrench := editorschema.New(r, "fr")
	require.Contains(t, string(inFrench), "Tri médical")
	require.NotContains(t, string(inFrench), "Medical triage")
	require.Contains(t, string(inFrench), `/ai@2026-11-15-stable/instance.schema.json?locale=fr"`)
	fallback := editorschema.New(r, "")
	require.Equal(t, fallback, editorschema.New(r, "en"))
	require.Contains(t, string(fallback), "Medical triage")
	require.Contains(t, string(fallback), `/ai@2026-11-15-stable/instance.schema.json"`)
}

// large is a market with n elements. With its own variables, each element needs its
// own condition, which is the worst case.
func large(t testing.TB, n int, own bool) *taxonomy.Release {
	return market(t, func(c *taxonomy.Content) {
		stand := c.Elements[0]
		stand.Description = taxonomy.Localized{{Locale: "en", Value: strings.Repeat("Fish by {{name}}, caught in the morning. ", 10)}}
		c.Elements = make([]taxonomy.Element, n)
		for i := range c.Elements {
			e := stand
			e.ID = fmt.Sprintf("stand.fish-%06d", i)
			e.Title = taxonomy.Localized{{Locale: "en", Value: fmt.Sprintf("Fish number %d", i)}}
			if own {
				e.Variables = append(e.Variables[:2:2], taxonomy.Variable{ID: fmt.Sprintf("v%d", i), Label: e.Title, Type: taxonomy.TextVariable})
			}
			c.Elements[i] = e
		}
	})
}

// TestSchemaSize bounds the schema of a large release, which an editor reads as a whole.
func TestSchemaSize(t *testing.T) {
	text := editorschema.New(large(t, 10_000, true), "")
	t.Logf("10,000 elements: %d bytes", len(text))
	require.Less(t, len(text), 5<<20)
	require.True(t, json.Valid(text))
}

func BenchmarkJSONSchema(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		r := large(b, n, false)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.SetBytes(int64(len(editorschema.New(r, ""))))
			}
		})
	}
}

// An editor that is given the schema suggests elements by id and title.
func ExampleNew() {
	version := taxonomy.MustVersion("market@2026-09-01-stable")
	release, err := taxonomy.NewRelease(version, content())
	if err != nil {
		fmt.Println(err)
		return
	}
	schema := editorschema.New(release, "fr")
	fmt.Println(bytes.Contains(schema, []byte(`"enumDetails": ["Poisson", "Fruits", "Pas de chiens"]`)))
	// Output: true
}
