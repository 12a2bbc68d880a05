package translation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/translation"
	"github.com/datachain-go/datachain/taxonomy"
)

func text(en, fr string) taxonomy.Localized {
	l := taxonomy.Localized{}
	for _, t := range []taxonomy.Text{{Locale: "en", Value: en}, {Locale: "fr", Value: fr}} {
		if t.Value != "" {
			l = append(l, t)
		}
	}
	return l
}

func release(t testing.TB, version string, edit func(*taxonomy.Content)) *taxonomy.Release {
	t.Helper()
	contact := func() []taxonomy.Variable {
		return []taxonomy.Variable{{
			ID: "contact", Label: text("Contact", "Contact"), Type: taxonomy.SelectVariable,
			Options: []taxonomy.Option{{ID: "desk", Label: text("Desk", "Bureau"), Description: text("At a desk", "Au bureau")}},
		}}
	}
	c := taxonomy.Content{
		Title: text("AI", "IA"), Description: text("About AI", "Sur l’IA"), Locales: []string{"en", "fr"},
		Type: taxonomy.Type{ID: "ai", Name: text("AI", "IA"), Categories: []string{"aim"}, Subchains: []taxonomy.Subchain{{ID: "flow", Name: text("Flow", "Flux"), Categories: []string{}}}},
		Categories: []taxonomy.Category{{
			ID: "aim", Name: text("Aim", "But"), Description: text("Why", "Pourquoi"), Shape: taxonomy.Circle, Variables: contact(),
			Prompt:  text("Why is it used?", ""),
			Context: taxonomy.Context{Name: text("Kind", "Sorte"), Values: []taxonomy.ContextValue{{ID: "big", Label: text("Big", "Grand")}}},
		}},
		Elements: []taxonomy.Element{{
			ID: "aim.safety", CategoryID: "aim", SymbolID: "dot", Title: text("Safety", "Sécurité"), Description: text("Keeps safe", "Protège"),
			Variables: contact(), IconVariants: []string{"default", "dark", "big"}, Examples: []taxonomy.Localized{text("A lock", "Un verrou")},
		}},
		Symbols: map[string]string{"dot": "<svg/>"},
	}
	if edit != nil {
		edit(&c)
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion(version), c)
	require.NoError(t, err)
	return r
}

func gaps(r *translation.Report) (list []string) {
	for _, g := range r.Gaps {
		list = append(list, fmt.Sprintf("%s %s %s/%s", g.State, g.Subject, g.ID, g.Path))
	}
	return list
}

// TestTexts finds every text in a locale that has none.
func TestTexts(t *testing.T) {
	report := translation.Check(release(t, "ai@2026-01-01-stable", func(c *taxonomy.Content) {
		c.Locales = append(c.Locales, "es")
		c.Notes = text("New", "Neuf")
		c.Removed = []taxonomy.Removal{{
			ID: "aim.fun", Note: text("No fun", "Pas drôle"), Since: taxonomy.MustVersion("ai@2026-01-01-stable"),
			ReplacedBy: []taxonomy.Successor{{ID: "aim.safety", Note: text("Safe", "Sûr")}},
		}}
		c.Elements[0].Variables = append(c.Elements[0].Variables, taxonomy.Variable{ID: "own", Label: text("Own", "Propre"), Type: taxonomy.TextVariable})
	}), nil)
	var places []string
	for _, g := range report.Gaps {
		places = append(places, strings.TrimSuffix(fmt.Sprintf("%s %s/%s", g.Subject, g.ID, g.Path), ".es"))
	}
	require.Equal(t, []string{
		"manifest /title", "manifest /description", "manifest /notes",
		"datachain_type /name", "datachain_type /subchains.flow.name",
		`manifest /removed["aim.fun"].replaced_by["aim.safety"].note`, `manifest /removed["aim.fun"].note`,
		"category aim/name", "category aim/description",
		"category aim/variables.contact.label", "category aim/variables.contact.options.desk.label", "category aim/variables.contact.options.desk.description",
		"category aim/context.name", "category aim/context.values.big.label",
		"element aim.safety/title", "element aim.safety/description", "element aim.safety/variables.own.label",
		"element aim.safety/examples[0]",
	}, places)
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after func(*taxonomy.Content)
		want          []string
	}{
		{"nothing", nil, nil, nil},
		{"missing", nil, func(c *taxonomy.Content) { c.Elements[0].Title = text("Safety", "") }, []string{"missing element aim.safety/title.fr"}},
		{"an original is missing", nil, func(c *taxonomy.Content) { c.Elements[0].Title = text("", "Sécurité") }, []string{"missing element aim.safety/title.en"}},
		{"stale", nil, func(c *taxonomy.Content) { c.Elements[0].Title = text("Public safety", "Sécurité") }, []string{"stale element aim.safety/title.fr"}},
		{"translated again", nil, func(c *taxonomy.Content) { c.Elements[0].Title = text("Public safety", "Sécurité publique") }, nil},
		{"only the translation has changed", nil, func(c *taxonomy.Content) { c.Elements[0].Title = text("Safety", "Sûreté") }, nil},
		{"translated for the first time", func(c *taxonomy.Content) { c.Elements[0].Title = text("Safe", "") }, nil, nil},
		{"a new text", func(c *taxonomy.Content) { c.Elements[0].Examples = nil }, nil, nil},
		{"a prompt in one language", nil, func(c *taxonomy.Content) { c.Categories[0].Prompt = text("What for?", "") }, nil},
		{"a prompt in two", func(c *taxonomy.Content) { c.Categories[0].Prompt = text("Why?", "Pourquoi ?") }, func(c *taxonomy.Content) { c.Categories[0].Prompt = text("What for?", "Pourquoi ?") }, []string{"stale category aim/prompt.fr"}},
		{"inherited, once", nil, func(c *taxonomy.Content) {
			c.Categories[0].Variables[0].Label = text("Person", "Contact")
			c.Elements[0].Variables[0].Label = text("Person", "Contact")
		}, []string{"stale category aim/variables.contact.label.fr"}},
		{"renamed", nil, func(c *taxonomy.Content) {
			c.Type.Categories[0], c.Categories[0].ID, c.Elements[0].CategoryID = "goal", "goal", "goal"
			c.Categories[0].RenamedFrom = []string{"aim"}
			for _, v := range []*taxonomy.Variable{&c.Categories[0].Variables[0], &c.Elements[0].Variables[0]} {
				v.ID, v.RenamedFrom = "person", []string{"phone", "contact"}
				v.Options[0].Label = text("Table", "Bureau")
			}
		}, []string{"stale category goal/variables.person.options.desk.label.fr"}},
		{"an element that was replaced", nil, func(c *taxonomy.Content) {
			c.Elements[0].ID, c.Elements[0].Title = "aim.calm", text("Public safety", "Sécurité")
			c.Removed = []taxonomy.Removal{{ID: "aim.safety", ReplacedBy: []taxonomy.Successor{{ID: "aim.calm"}}, Since: taxonomy.MustVersion("ai@2026-02-01-beta")}}
		}, []string{"stale element aim.calm/title.fr"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := translation.Check(release(t, "ai@2026-02-01-beta", c.after), release(t, "ai@2026-01-01-stable", c.before))
			require.Equal(t, c.want, gaps(report))
			require.Len(t, report.Locales, 2)
			for _, p := range report.Locales {
				require.Equal(t, p.Total, p.Current+p.Missing+p.Stale)
			}
		})
	}
}

func TestCheckWithoutOlder(t *testing.T) {
	report := translation.Check(release(t, "ai@2026-02-01-beta", func(c *taxonomy.Content) {
		c.Locales = append(c.Locales, "es")
		c.Elements[0].Title = text("Safety", "")
	}), nil)
	require.Equal(t, taxonomy.Version{}, report.Since)
	require.Equal(t, "en", report.Fallback)
	require.Equal(t, []int{100, 92, 0}, []int{report.Locales[0].Percent, report.Locales[1].Percent, report.Locales[2].Percent})

	only, ok := report.Select("FR")
	require.True(t, ok)
	require.Equal(t, []translation.Progress{{Locale: "fr", Total: 14, Current: 13, Missing: 1, Percent: 92}}, only.Locales)
	require.Equal(t, []string{"missing element aim.safety/title.fr"}, gaps(only))
	_, ok = report.Select("de")
	require.False(t, ok)
}

func ExampleCheck() {
	title := func(version, en, fr string) *taxonomy.Release {
		r, err := taxonomy.NewRelease(taxonomy.MustVersion(version), taxonomy.Content{
			Title: text(en, fr), Description: text("About AI", "Sur l’IA"), Locales: []string{"en", "fr"},
			Type: taxonomy.Type{ID: "ai"},
		})
		if err != nil {
			panic(err)
		}
		return r
	}
	report := translation.Check(title("ai@2026-09-01-beta", "Systems", "IA"), title("ai@2026-03-01-stable", "AI", "IA"))
	for _, p := range report.Locales {
		fmt.Printf("%s %d%%\n", p.Locale, p.Percent)
	}
	for _, g := range report.Gaps {
		fmt.Printf("%s %s: %q was translated as %q, and is now %q\n", g.State, g.Path, g.Before, g.Translation, g.Original)
	}
	// Output:
	// en 100%
	// fr 50%
	// stale title.fr: "AI" was translated as "IA", and is now "Systems"
}
