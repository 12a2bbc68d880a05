package diff_test

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy"
)

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"/>`

func text(en, fr string) taxonomy.Localized {
	return taxonomy.Localized{{Locale: "en", Value: en}, {Locale: "fr", Value: fr}}
}

// content is a schema with everything that the rules need: the categories purpose
// (with a shared variable), data (with a context) and empty (without elements),
// and the elements purpose.safety, purpose.research and data.video.
func content() taxonomy.Content {
	contact := taxonomy.Variable{ID: "contact", Label: text("Contact", "Contact"), Type: taxonomy.TextVariable}
	basis := taxonomy.Variable{
		ID: "basis", Label: text("Basis", "Base"), Type: taxonomy.SelectVariable,
		Options: []taxonomy.Option{
			{ID: "law", Label: text("Law", "Loi")},
			{ID: "consent", Label: text("Consent", "Accord"), AppliesTo: []string{"purpose.safety", "purpose.research"}},
		},
	}
	plain := []string{taxonomy.VariantDefault, taxonomy.VariantDark}
	return taxonomy.Content{
		Title: text("AI", "IA"), Description: text("About AI", "Sur l’IA"), Locales: []string{"en", "fr"},
		Type: taxonomy.Type{
			ID: "ai", Name: text("AI", "IA"), Categories: []string{"purpose", "data", "empty"},
			Subchains: []taxonomy.Subchain{{ID: "flow", Name: text("Flow", "Flux"), Categories: []string{"purpose", "data"}}},
		},
		Categories: []taxonomy.Category{
			{
				ID: "purpose", Name: text("Purpose", "But"), Description: text("Why", "Pourquoi"), Shape: taxonomy.Hexagon,
				Cardinality: taxonomy.Cardinality{Min: 1, Max: 4},
				Variables:   []taxonomy.Variable{contact, basis},
				Context:     taxonomy.Context{Values: []taxonomy.ContextValue{}},
			},
			{
				ID: "data", Name: text("Data", "Données"), Description: text("What", "Quoi"), Shape: taxonomy.Circle,
				Context: taxonomy.Context{Values: []taxonomy.ContextValue{
					{ID: "identified", Label: text("Identified", "Identifié"), Color: "#AA0000"},
					{ID: "anonymous", Label: text("Anonymous", "Anonyme")},
				}},
			},
			{
				ID: "empty", Name: text("Empty", "Vide"), Description: text("None", "Rien"), Shape: taxonomy.Octagon,
				Context: taxonomy.Context{Values: []taxonomy.ContextValue{{ID: "some", Label: text("Some", "Un")}}},
			},
		},
		Elements: []taxonomy.Element{
			{
				ID: "purpose.research", Title: text("Research", "Recherche"), Description: text("To learn", "Pour savoir"),
				CategoryID: "purpose", SymbolID: "star", IconVariants: plain, Variables: []taxonomy.Variable{contact, basis},
			},
			{
				ID: "purpose.safety", Title: text("Safety", "Sécurité"), Description: text("To protect", "Pour protéger"),
				CategoryID: "purpose", SymbolID: "star", IconVariants: plain, Variables: []taxonomy.Variable{contact, basis},
				MaxPlacements: 3, Keywords: text("guard", "garde"),
				Sources: []taxonomy.Source{{Type: "law", Title: "Act"}},
			},
			{
				ID: "data.video", Title: text("Video", "Vidéo"), Description: text("Pictures", "Images"),
				CategoryID: "data", SymbolID: "eye", IconVariants: append(plain[:2:2], "identified", "anonymous"),
				Variables: []taxonomy.Variable{{ID: "days", Label: text("Days", "Jours"), Required: true, Type: taxonomy.TextVariable}},
			},
		},
		Symbols: map[string]string{"star": svg, "eye": svg, "spare": svg},
	}
}

// edited returns a release of the content after an edit. The content is copied
// through JSON, so that edits share nothing.
func edited(t testing.TB, version string, edit func(*taxonomy.Content)) *taxonomy.Release {
	t.Helper()
	c := content()
	c.Symbols = maps.Clone(c.Symbols)
	raw, err := json.Marshal(c)
	require.NoError(t, err)
	c = taxonomy.Content{}
	require.NoError(t, json.Unmarshal(raw, &c))
	if edit != nil {
		edit(&c)
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion(version), c)
	require.NoError(t, err)
	return r
}

// compare diffs two edits of the content.
func compare(t *testing.T, before, after func(*taxonomy.Content)) *diff.Report {
	t.Helper()
	return diff.Releases(edited(t, "ai@2026-01-01-stable", before), edited(t, "ai@2026-02-01-beta", after))
}

// lines prints the changes, with the values if they are short.
func lines(changes []diff.Change) []string {
	printed := []string{}
	for _, c := range changes {
		line := c.String()
		if len(c.Old)+len(c.New) < 60 {
			line += " " + strings.TrimSpace(string(c.Old)+" -> "+string(c.New))
		}
		printed = append(printed, line)
	}
	return printed
}

func TestReleasesListsChanges(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(*taxonomy.Content)
		want []string
	}{
		{"nothing", nil, []string{}},
		{
			"manifest: a text and a locale",
			func(c *taxonomy.Content) { c.Title[1].Value = "I.A."; c.Locales = append(c.Locales, "es") },
			[]string{`added manifest: locales.es -> "es"`, `changed manifest: title.fr "IA" -> "I.A."`},
		},
		{
			"datachain type: a new field, and categories in another order",
			func(c *taxonomy.Content) {
				c.Type.Description = text("New", "Neuf")
				c.Type.Categories[1], c.Type.Categories[2] = c.Type.Categories[2], c.Type.Categories[1]
				c.Categories[1], c.Categories[2] = c.Categories[2], c.Categories[1]
			},
			[]string{
				`reordered datachain_type: categories ["purpose","data","empty"] -> ["purpose","empty","data"]`,
				`added datachain_type: description.en -> "New"`,
				`added datachain_type: description.fr -> "Neuf"`,
			},
		},
		{
			"a translation is added and one is removed",
			func(c *taxonomy.Content) {
				c.Elements[1].Title = c.Elements[1].Title[:1]
				c.Elements[1].Keywords = append(c.Elements[1].Keywords, taxonomy.Text{Locale: "es", Value: "guardia"})
			},
			[]string{`added element purpose.safety: keywords.es -> "guardia"`, `removed element purpose.safety: title.fr "Sécurité" ->`},
		},
		{
			"an optional list is removed",
			func(c *taxonomy.Content) { c.Elements[1].Keywords = nil },
			[]string{`removed element purpose.safety: keywords.en "guard" ->`, `removed element purpose.safety: keywords.fr "garde" ->`},
		},
		{
			"a list without ids is one value",
			func(c *taxonomy.Content) { c.Elements[1].Sources[0].Title = "Bill" },
			[]string{`changed element purpose.safety: sources`},
		},
		{
			"the order of localized texts is a change too",
			func(c *taxonomy.Content) {
				c.Elements[2].Title[0], c.Elements[2].Title[1] = c.Elements[2].Title[1], c.Elements[2].Title[0]
			},
			[]string{`reordered element data.video: title ["en","fr"] -> ["fr","en"]`},
		},
		{
			"unknown fields count, empty ones too",
			func(c *taxonomy.Content) {
				c.Elements[2].Extra = taxonomy.Extra{"x.y": json.RawMessage(`{"a":[1,{}],"b":{}}`)}
			},
			[]string{`added element data.video: ["x.y"].a -> [1,{}]`, `added element data.video: ["x.y"].b -> {}`},
		},
		{
			"whole parts, in the old order, then the new ones",
			func(c *taxonomy.Content) {
				c.Type.Categories[2], c.Categories[2].ID = "final", "final"
				c.Elements = c.Elements[:2]
				c.Elements = append(c.Elements, taxonomy.Element{
					ID: "data.sound", Title: text("Sound", "Son"), CategoryID: "data", SymbolID: "eye",
					IconVariants: []string{"default", "dark", "identified", "anonymous"}, Variables: []taxonomy.Variable{},
				})
				delete(c.Symbols, "spare")
				c.Symbols["star"] = "<svg/>"
				c.Symbols["ear"] = svg
			},
			[]string{
				`removed category empty`,
				`added category final`,
				`removed element data.video (breaking: documents that place the element become invalid)`,
				`added element data.sound`,
				`removed symbol spare`,
				`changed symbol star`,
				`added symbol ear`,
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := compare(t, nil, c.edit)
			require.Equal(t, c.want, shorten(lines(report.Changes)))
			require.Equal(t, len(c.want) == 0, report.Empty())
		})
	}
}

// shorten removes the values of symbols.
func shorten(lines []string) []string {
	for i, line := range lines {
		if strings.Contains(line, " symbol ") {
			lines[i] = strings.Join(strings.Fields(line)[:3], " ")
		}
	}
	return lines
}

func TestReleasesReportsInheritedChangesOnce(t *testing.T) {
	report := compare(t, nil, func(c *taxonomy.Content) {
		// A variable of the category, which both elements inherit, and one of
		// an element.
		extra := taxonomy.Variable{ID: "extra", Label: text("Extra", "Autre"), Type: taxonomy.TextVariable}
		own := taxonomy.Variable{ID: "own", Label: text("Own", "Propre"), Type: taxonomy.TextVariable}
		c.Categories[0].Variables = append(c.Categories[0].Variables, extra)
		c.Elements[0].Variables = append(c.Elements[0].Variables, extra)
		c.Elements[1].Variables = append(c.Elements[1].Variables, extra, own)
		// A context value, which is an icon variant of the elements.
		c.Categories[1].Context.Values = c.Categories[1].Context.Values[:1]
		c.Elements[2].IconVariants = c.Elements[2].IconVariants[:3]
	})
	require.Equal(t, []string{
		`added category purpose: variables.extra`,
		`removed category data: context.values.anonymous (breaking: placements with the context value become invalid)`,
		`added element purpose.safety: variables.own`,
	}, lines(report.Changes))
	require.Equal(t, 2, report.Changes[0].Inherited)
	require.Equal(t, 1, report.Changes[1].Inherited)
}

func TestReleasesKeepsApartWhatOnlyLooksInherited(t *testing.T) {
	report := compare(t, nil, func(c *taxonomy.Content) {
		// The category and one element change the label in the same way, the
		// other element in another.
		c.Categories[0].Variables[0].Label[0].Value = "Person"
		c.Elements[0].Variables[0].Label[0].Value = "Person"
		c.Elements[1].Variables[0].Label[0].Value = "Desk"
	})
	require.Equal(t, []string{
		`changed category purpose: variables.contact.label.en (notable: values of the variable now say something else) "Contact" -> "Person"`,
		`changed element purpose.safety: variables.contact.label.en (notable: values of the variable now say something else) "Contact" -> "Desk"`,
	}, lines(report.Changes))
	require.Equal(t, 1, report.Changes[0].Inherited)
}

func TestReleasesKeepsApartWhatBecameTheSame(t *testing.T) {
	// The element had its own label, and now has that of the category.
	report := compare(t, func(c *taxonomy.Content) {
		c.Elements[1].Variables[0].Label[0].Value = "Desk"
	}, func(c *taxonomy.Content) {
		c.Categories[0].Variables[0].Label[0].Value = "Person"
		c.Elements[0].Variables[0].Label[0].Value = "Person"
		c.Elements[1].Variables[0].Label[0].Value = "Person"
	})
	require.Equal(t, []string{
		`changed category purpose: variables.contact.label.en (notable: values of the variable now say something else) "Contact" -> "Person"`,
		`changed element purpose.safety: variables.contact.label.en (notable: values of the variable now say something else) "Desk" -> "Person"`,
	}, lines(report.Changes))
	require.Equal(t, 1, report.Changes[0].Inherited)
}

func TestReleasesInheritsNothingInAMove(t *testing.T) {
	// The new category of the element loses the value that the old one has.
	report := compare(t, func(c *taxonomy.Content) {
		c.Categories[2].Context.Values = append(c.Categories[2].Context.Values, c.Categories[1].Context.Values[1])
		c.Elements[2].IconVariants = []string{"default", "dark", "identified", "anonymous"}
	}, func(c *taxonomy.Content) {
		c.Elements[2].CategoryID, c.Elements[2].IconVariants = "empty", []string{"default", "dark", "some"}
	})
	require.Contains(t, lines(report.Changes), `removed element data.video: icon_variants.anonymous "anonymous" ->`)
	require.Zero(t, report.Changes[0].Inherited)
}

func TestReleasesComparesUnknownLists(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		want                []string
	}{
		{"more than a text in a locale", `[{"locale":"en","value":"a","note":1}]`, `[{"locale":"en","value":"a","note":2}]`, []string{"changed element data.video: x.en.note 1 -> 2"}},
		{"ids that become strings", `[{"id":"a"}]`, `["a"]`, []string{`changed element data.video: x [{"id":"a"}] -> ["a"]`}},
		{"duplicate strings", `["a","a"]`, `["a"]`, []string{`changed element data.video: x ["a","a"] -> ["a"]`}},
		{"the first item", `[]`, `[{"id":"a"}]`, []string{`added element data.video: x.a -> {"id":"a"}`}},
		{"ids that are not strings", `[{"id":1}]`, `[{"id":2}]`, []string{`changed element data.video: x [{"id":1}] -> [{"id":2}]`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			with := func(raw string) edit {
				return func(c *taxonomy.Content) { c.Elements[2].Extra = taxonomy.Extra{"x": json.RawMessage(raw)} }
			}
			require.Equal(t, c.want, lines(compare(t, with(c.before), with(c.after)).Changes))
		})
	}
}

func TestReleasesIgnoresTheVersion(t *testing.T) {
	beta := edited(t, "ai@2026-01-01-beta", nil)
	stable, err := beta.WithVersion(taxonomy.MustVersion("ai@2026-02-01-stable"))
	require.NoError(t, err)
	report := diff.Releases(beta, stable)
	require.True(t, report.Empty())
	require.Equal(t, beta.Version(), report.Old)
	require.Equal(t, stable.Version(), report.New)
}

// TestReleasesTakesOddParts has what a release can contain although no schema
// should: fields of the maximum depth, and a duplicate variable.
func TestReleasesTakesOddParts(t *testing.T) {
	odd := func(bottom string) func(*taxonomy.Content) {
		return func(c *taxonomy.Content) {
			nested := strings.Repeat("[", jcs.MaxDepth-1) + bottom + strings.Repeat("]", jcs.MaxDepth-1)
			c.Elements[2].Extra = taxonomy.Extra{"deep": json.RawMessage(nested)}
			c.Elements[0].Variables = append(c.Elements[0].Variables, c.Elements[0].Variables[0])
		}
	}
	report := compare(t, odd("1"), odd("2"))
	require.Len(t, report.Changes, 1)
	require.Equal(t, "changed element data.video: deep", report.Changes[0].String())

	report = compare(t, nil, odd("1"))
	require.Contains(t, lines(report.Changes), "changed element purpose.research: variables")
}

func TestReportMarshals(t *testing.T) {
	report := compare(t, nil, func(c *taxonomy.Content) {
		c.Title[1].Value = "I.A."
		c.Elements[1].MaxPlacements = 2
		c.Locales = c.Locales[:1]
	})
	got, err := json.Marshal(report)
	require.NoError(t, err)
	require.JSONEq(t, `{
		"old": "ai@2026-01-01-stable", "new": "ai@2026-02-01-beta",
		"changes": [
			{"rule": "locale-removed", "severity": "compatible", "warns": true, "kind": "removed", "subject": "manifest", "path": "locales.fr", "old": "fr",
			 "consequence": "texts in this locale get a warning, because the schema no longer lists it"},
			{"rule": "version-reworded", "severity": "compatible", "kind": "changed", "subject": "manifest", "path": "title.fr", "old": "IA", "new": "I.A.",
			 "consequence": "documents stay valid; pages show the new text"},
			{"rule": "element-maximum-lowered", "severity": "breaking", "kind": "changed", "subject": "element", "id": "purpose.safety",
			 "path": "max_placements", "old": 3, "new": 2, "consequence": "the maximum number of its placements is now 2 (before: 3)"}
		]}`, string(got))
	var again diff.Report
	require.NoError(t, json.Unmarshal(got, &again))
	require.Equal(t, *report, again)
	require.Len(t, report.With(diff.Breaking), 1)
	require.Len(t, report.With(diff.Compatible), 2)
	require.Len(t, report.Warnings(), 1)

	got, err = json.Marshal(compare(t, nil, nil))
	require.NoError(t, err)
	require.JSONEq(t, `{"old": "ai@2026-01-01-stable", "new": "ai@2026-02-01-beta", "changes": []}`, string(got))
}

// TestInterrupt shows that a comparison ends when its caller no longer waits.
func TestInterrupt(t *testing.T) {
	before, after := edited(t, "ai@2026-01-01-beta", nil), edited(t, "ai@2026-02-01-beta", func(c *taxonomy.Content) {
		c.Title[0].Value, c.Categories[0].Name[0].Value, c.Elements[2].Title[0].Value = "Robots", "Aim", "Film"
	})
	calls := 0
	report, err := diff.Compare(before, after, &diff.Options{Interrupt: func() error { calls++; return nil }})
	require.NoError(t, err)
	require.Equal(t, diff.Releases(before, after), report)
	stop := errors.New("stop")
	for n := range calls {
		left := n
		report, err = diff.Compare(before, after, &diff.Options{Interrupt: func() error {
			if left--; left < 0 {
				return stop
			}
			return nil
		}})
		require.ErrorIs(t, err, stop, "after %d calls", n)
		require.Nil(t, report)
	}
}
