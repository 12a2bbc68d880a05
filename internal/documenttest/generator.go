// Package documenttest makes documents at random, for tests: valid ones of a release, and changed ones.
package documenttest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"unicode/utf16"

	"github.com/datachain-go/datachain/taxonomy"
)

// Generator makes valid documents of a release, with everything that a document can have.
type Generator struct {
	*rand.Rand
	Release *taxonomy.Release
}

// New returns a generator, which makes the same documents for the same seed.
func New(seed uint64, r *taxonomy.Release) Generator {
	return Generator{rand.New(rand.NewPCG(seed, 7)), r}
}

// Chance reports true in so many of 100 cases.
func (g Generator) Chance(percent int) bool { return g.IntN(100) < percent }

// Document returns a valid document.
func (g Generator) Document() map[string]any {
	var elements []any
	for _, c := range g.Release.Categories() {
		elements = append(elements, g.category(c)...)
	}
	if len(elements) == 0 {
		elements = g.category(g.Release.Categories()[g.IntN(len(g.Release.Categories()))])
	}
	g.Shuffle(len(elements), func(i, j int) { elements[i], elements[j] = elements[j], elements[i] })
	d := map[string]any{
		"id": "generated", "schema_version": g.Release.Version().String(), "created_at": "2026-06-01T10:00Z", "elements": elements,
	}
	g.maybe(d, "title", g.text)
	g.maybe(d, "description", g.text)
	g.maybe(d, "x_note \u00e9\U0001F600", func() any { return map[string]any{"b": 1.5, "a": []any{nil, true, "\u2028\n\""}} })
	g.maybe(d, "sources", func() any { return []any{map[string]any{"type": "map", "title": "Sheet 12"}} })
	g.subchains(d, elements)
	g.name(elements)
	g.maybe(d, "authoring_provenance", func() any { return g.provenance(elements) })
	return d
}

func (g Generator) maybe(d map[string]any, key string, value func() any) {
	if g.Chance(40) {
		d[key] = value()
	}
}

// category returns placements of a category, as many as it allows.
func (g Generator) category(c *taxonomy.Category) []any {
	minimum, maximum := c.Cardinality.Min, c.Cardinality.Max
	if c.Required {
		minimum = max(minimum, 1)
	}
	if maximum == 0 {
		maximum = minimum + 3
	}
	var placements []any
	times := map[string]int{}
	all := g.Release.ElementsOf(c.ID)
	for n := minimum + g.IntN(maximum-minimum+1); len(placements) < n; {
		e := all[g.IntN(len(all))]
		if times[e.ID]++; e.MaxPlacements == 0 || times[e.ID] <= e.MaxPlacements {
			placements = append(placements, g.placement(c, e))
		} else if times[e.ID] > 100 {
			break
		}
	}
	return placements
}

func (g Generator) placement(c *taxonomy.Category, e *taxonomy.Element) map[string]any {
	p := map[string]any{"element_id": e.ID}
	if values := c.Context.Values; len(values) > 0 && (c.Context.Required || g.Chance(70)) {
		p["context_type_id"] = values[g.IntN(len(values))].ID
	}
	variables := []any{}
	for i := range e.Variables {
		if v := &e.Variables[i]; v.Required || g.Chance(40) {
			variables = append(variables, map[string]any{"id": v.ID, "value": g.value(v, e.ID)})
		}
	}
	if len(variables) > 0 || g.Chance(20) {
		p["variables"] = variables
	}
	g.maybe(p, "label", func() any { return "A label" })
	g.maybe(p, "priority", func() any { return g.IntN(10) })
	g.maybe(p, "x_extra", func() any { return []any{1, "two"} })
	return p
}

func (g Generator) value(v *taxonomy.Variable, elementID string) any {
	if v.Type != taxonomy.SelectVariable {
		return g.text()
	}
	var ids []any
	for _, o := range v.Options {
		applies := len(o.AppliesTo) == 0
		for _, id := range o.AppliesTo {
			applies = applies || id == elementID
		}
		if applies && (len(ids) == 0 || g.Chance(30)) {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

func (g Generator) text() any {
	words := []string{"open", "caf\u00e9", "\U0001F600", "a \"quoted\" word", "tab\there", "\\", "</script>", "a\u2028b"}
	var texts []any
	for _, locale := range g.Release.Locales() {
		if len(texts) == 0 || g.Chance(50) {
			texts = append(texts, map[string]any{"locale": locale, "value": words[g.IntN(len(words))]})
		}
	}
	return texts
}

// subchains adds subchain instances and assigns placements to them.
func (g Generator) subchains(d map[string]any, elements []any) {
	known := g.Release.Type().Subchains
	if len(known) == 0 || g.Chance(50) {
		return
	}
	var instances []any
	for i := range 1 + g.IntN(3) {
		id := "run-" + strconv.Itoa(i)
		instances = append(instances, map[string]any{"id": id, "subchain_id": known[g.IntN(len(known))].ID, "order": i})
		elements[g.IntN(len(elements))].(map[string]any)["subchain_instance_id"] = id
	}
	d["subchain_instances"] = instances
}

// name gives some placements an element_instance_id.
func (g Generator) name(elements []any) {
	for i, p := range elements {
		if g.Chance(30) {
			p.(map[string]any)["element_instance_id"] = fmt.Sprintf("placement-%d", i)
		}
	}
}

// provenance adds provenance for placements that a key can name.
func (g Generator) provenance(elements []any) any {
	times := map[any]int{}
	for _, p := range elements {
		times[p.(map[string]any)["element_id"]]++
	}
	entries := map[string]any{}
	for _, p := range elements {
		placement := p.(map[string]any)
		key, named := placement["element_instance_id"].(string)
		if !named && times[placement["element_id"]] == 1 {
			key, named = placement["element_id"].(string), true
		}
		if !named || g.Chance(50) {
			continue
		}
		rationale := map[string]any{}
		if e, _ := g.Release.Element(placement["element_id"].(string)); len(e.Variables) > 0 {
			rationale[e.Variables[g.IntN(len(e.Variables))].ID] = "because"
		}
		entries[key] = map[string]any{"rationale": "why not", "confidence": "low", "variable_rationale": rationale}
	}
	return map[string]any{"kind": "ai_generated", "element_provenance": entries}
}

// Scramble writes a value as JSON with a random order of keys, and random white space,
// escapes and notation of numbers.
func (g Generator) Scramble(b []byte, v any) []byte {
	b = g.space(b)
	switch v := v.(type) {
	case nil:
		b = append(b, "null"...)
	case bool:
		b = strconv.AppendBool(b, v)
	case int:
		b = append(b, fmt.Sprintf([]string{"%d", "%d.0", "%d.00e0", "%de+0"}[g.IntN(4)], v)...)
	case float64:
		b = strconv.AppendFloat(b, v, []byte("gefGE")[g.IntN(5)], -1, 64)
	case string:
		b = g.quote(b, v)
	case []any:
		b = append(b, '[')
		for i, item := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = g.Scramble(b, item)
		}
		b = append(g.space(b), ']')
	case map[string]any:
		b = append(b, '{')
		first := true
		for _, key := range g.keys(v) {
			if !first {
				b = append(b, ',')
			}
			first = false
			b = append(g.space(g.quote(g.space(b), key)), ':')
			b = g.Scramble(b, v[key])
		}
		b = append(g.space(b), '}')
	default:
		panic(fmt.Sprintf("no JSON: %T", v))
	}
	return g.space(b)
}

func (g Generator) keys(v map[string]any) []string {
	keys := slices.Sorted(maps.Keys(v))
	g.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return keys
}

func (g Generator) space(b []byte) []byte {
	return append(b, []string{"", "", "", " ", "\n", "\t", "\r\n  "}[g.IntN(7)]...)
}

func (g Generator) quote(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch escape := g.Chance(10); {
		case r == '/' && escape:
			b = append(b, `\/`...)
		case r == '"' || r == '\\' || r < ' ' || escape:
			for _, unit := range utf16.Encode([]rune{r}) {
				b = append(b, fmt.Sprintf([]string{`\u%04x`, `\u%04X`}[g.IntN(2)], unit)...)
			}
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}
