package taxonomies_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

// current returns the newest stable version of each type, and the newest beta version of ai.
func current(t *testing.T) []*taxonomy.Release {
	t.Helper()
	seen := map[string]bool{}
	var newest []*taxonomy.Release
	for _, r := range releases(t) { // newest first
		key := r.Version().Type() + string(r.Version().Status())
		if !seen[key] {
			seen[key] = true
			newest = append(newest, r)
		}
	}
	require.Len(t, newest, 3)
	return newest
}

// TestSymbolMeaning checks that a symbol means one thing: in a version it belongs to
// one element, and if both taxonomies have it, it is the same drawing for the same
// idea.
func TestSymbolMeaning(t *testing.T) {
	shared := map[string][]string{"speech_alert": {"rights.challenge", "rights.contest"}}
	drawing, users := map[string]string{}, map[string][]string{}
	for _, r := range current(t) {
		inVersion := map[string]string{}
		for _, e := range r.Elements() {
			assert.Empty(t, inVersion[e.SymbolID], "%s: %s has the symbol %s, too", r.Version(), e.ID, e.SymbolID)
			inVersion[e.SymbolID] = e.ID
			if !slices.Contains(users[e.SymbolID], e.ID) {
				users[e.SymbolID] = append(users[e.SymbolID], e.ID)
			}
			svg, ok := r.Symbol(e.SymbolID)
			require.True(t, ok)
			if known, ok := drawing[e.SymbolID]; ok {
				assert.Equal(t, known, svg, "%s: %s is drawn in two ways", r.Version(), e.SymbolID)
			}
			drawing[e.SymbolID] = svg
		}
	}
	for id, elements := range users {
		if len(elements) > 1 {
			assert.ElementsMatch(t, shared[id], elements, id)
		}
	}
}

// TestOrganisations checks that translations have one word for public bodies and
// companies alike.
func TestOrganisations(t *testing.T) {
	for _, r := range current(t) {
		for _, l := range texts(r) {
			fr, _ := l.Get("fr")
			assert.NotContains(t, strings.ToLower(fr), "organisme", r.Version())
			es, _ := l.Get("es")
			assert.NotContains(t, strings.ToLower(es), "organismo", r.Version())
		}
	}
}

// texts returns what readers and authors see of a release; keywords are found, not
// shown.
func texts(r *taxonomy.Release) []taxonomy.Localized {
	var all []taxonomy.Localized
	variables := func(list []taxonomy.Variable) {
		for _, v := range list {
			all = append(all, v.Label)
			for _, o := range v.Options {
				all = append(all, o.Label, o.Description)
			}
		}
	}
	for _, c := range r.Categories() {
		all = append(all, c.Name, c.Description, c.Prompt, c.AuthoringGuidance, c.Context.Name, c.Context.Description)
		for _, v := range c.Context.Values {
			all = append(all, v.Label, v.Description)
		}
		variables(c.Variables)
	}
	for _, e := range r.Elements() {
		all = append(all, e.Title, e.Description, e.AuthoringGuidance)
		variables(e.Variables)
	}
	return all
}

// TestNuances checks that translations say what the English text says: how full, how
// marked, first.
func TestNuances(t *testing.T) {
	nuances := map[string]map[string]string{
		"device.level":   {"en": "how full", "fr": "à quel point", "es": "en qué medida"},
		"output.score":   {"en": "how marked", "fr": "à quel point", "es": "hasta qué punto"},
		"purpose.triage": {"en": "first", "fr": "en premier", "es": "primero"},
	}
	found := map[string]bool{}
	for _, r := range current(t) {
		for _, e := range r.Elements() {
			for locale, phrase := range nuances[e.ID] {
				found[e.ID] = true
				assert.Contains(t, e.Description.Pick(locale), phrase, "%s %s %s", r.Version(), e.ID, locale)
			}
		}
	}
	assert.Len(t, found, len(nuances))
}
