package product_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/documenttest"
	"github.com/datachain-go/datachain/internal/growthtest"
	"github.com/datachain-go/datachain/register/product"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// triples is how many products and documents are generated.
const triples = 250

// TestRandom merges generated documents, each of which was edited at random by the supplier and by a
// body. Nothing of ours is lost unless it is listed, what both left alone keeps its bytes, keys keep
// their order, and a second merge changes nothing.
func TestRandom(t *testing.T) {
	schema, err := service(t).Open(t.Context(), "ai@2026-11-15-stable")
	require.NoError(t, err)
	classes := make(map[upgrade.Class]int)
	for seed := range uint64(triples) {
		g := &editing{Generator: documenttest.New(seed, schema.Release())}
		tree := g.Document()
		tree["register"] = map[string]any{"product": map[string]any{"supplier": map[string]any{"name": "Makers"}}}
		elements, _ := tree["elements"].([]any)
		for i, p := range elements {
			p.(map[string]any)["element_instance_id"] = fmt.Sprintf("p-%d", i)
		}
		base := parsed(t, g.render(tree))
		text, err := product.Start(base, &product.StartOptions{ID: "ours", Now: time.Unix(1e9, 0).UTC()})
		require.NoError(t, err)
		own := copied(t, string(text))
		g.edit(own, "ours")
		named := g.Chance(70)
		if elements, _ := own["elements"].([]any); !named {
			for range 3 {
				delete(elements[g.IntN(len(elements))].(map[string]any), "element_instance_id")
			}
		}
		next := copied(t, string(base.Text()))
		g.edit(next, "theirs")
		ours, theirs := parsed(t, g.render(own)), parsed(t, g.render(next))
		before := string(ours.Text())

		r, err := product.Merge(base, theirs, ours, schema.Release(), nil)
		require.NoError(t, err, "seed %d", seed)
		require.Zero(t, r.Report.Counts.Cannot, "seed %d: %v", seed, r.Report.Entries)
		require.Equal(t, before, string(ours.Text()), "seed %d", seed)
		for _, e := range r.Report.Entries {
			classes[e.Class]++
		}
		g.check(t, fmt.Sprintf("seed %d", seed), named, base, theirs, ours, r)

		if r.Open == 0 {
			base = theirs
		}
		again, err := product.Merge(base, theirs, r.Document, schema.Release(), nil)
		require.NoError(t, err)
		require.False(t, again.Report.Changed, "seed %d", seed)
		require.Equal(t, r.Open, again.Open, "seed %d", seed)
	}
	require.Greater(t, classes[upgrade.Done], triples)
	require.Greater(t, classes[upgrade.NeedsPerson], triples)
}

// editing edits documents at random. Every text that it writes is another one.
type editing struct {
	documenttest.Generator
	texts int
}

func (g *editing) text(by string) string {
	g.texts++
	return fmt.Sprintf("%s %d", by, g.texts)
}

func (g *editing) localized(by string) []any {
	return []any{map[string]any{"locale": []string{"en", "fr", "de"}[g.IntN(3)], "value": g.text(by)}}
}

// edit changes a document in a few places.
func (g *editing) edit(tree map[string]any, by string) {
	for range 1 + g.IntN(6) {
		elements, _ := tree["elements"].([]any)
		at := g.IntN(len(elements))
		p, _ := elements[at].(map[string]any)
		switch g.IntN(8) {
		case 0:
			tree["title"] = g.localized(by)
		case 1:
			p["label"] = g.text(by)
		case 2:
			p["context_type_id"] = g.text(by)
		case 3:
			p["actions"] = []any{map[string]any{"type": "url", "label": "See", "target": "https://" + by + ".example/" + fmt.Sprint(g.IntN(2))}}
		case 4:
			if len(elements) > 1 {
				tree["elements"] = slices.Delete(elements, at, at+1)
			}
		case 5:
			ids := g.Release.ElementIDs()
			tree["elements"] = append(elements, map[string]any{
				"element_id": ids[g.IntN(len(ids))], "label": g.text(by), "element_instance_id": strings.ReplaceAll(g.text(by), " ", "-"),
			})
		case 6:
			variables, _ := p["variables"].([]any)
			p["variables"] = append(variables, map[string]any{"id": "x_" + fmt.Sprint(g.IntN(3)), "value": g.localized(by)})
		default:
			g.editVariable(p, by)
		}
	}
}

func (g *editing) editVariable(p map[string]any, by string) {
	variables, _ := p["variables"].([]any)
	if len(variables) == 0 {
		return
	}
	at := g.IntN(len(variables))
	v, _ := variables[at].(map[string]any)
	switch g.IntN(4) {
	case 0:
		p["variables"] = slices.Delete(variables, at, at+1)
	case 1:
		v["value"] = []any{}
	case 2:
		value, _ := v["value"].([]any)
		if _, options := slices.Concat(value, []any{nil})[0].(string); !options {
			v["value"] = append(value, g.localized(by)...)
		}
	default:
		v["value"] = g.localized(by)
	}
}

// check checks what holds for every merge.
func (g *editing) check(t *testing.T, about string, named bool, base, theirs, ours *document.Document, r *product.Result) {
	t.Helper()
	has := make(map[string]bool)
	for _, s := range leaves(r.Document.Root()) {
		has[s] = true
	}
	listed := make(map[string]bool)
	for _, e := range r.Report.Entries {
		if e.Class == upgrade.Done {
			before, _, _ := strings.Cut(e.Message, " → ")
			listed[before] = true
		}
	}
	register, _ := ours.Root().Get("register")
	inRegister := leaves(register)
	for _, s := range leaves(ours.Root()) {
		if !has[s] && !slices.Contains(inRegister, s) {
			require.True(t, listed[s], "%s: %q is lost, but not listed", about, s)
			require.False(t, strings.HasPrefix(s, "ours "), "%s: %q was written by the body", about, s)
		}
	}
	// What is the same in all three documents keeps its bytes.
	same := make(map[string]int)
	for _, doc := range []*document.Document{base, theirs} {
		elements, _ := doc.Root().Get("elements")
		seen := make(map[string]bool)
		for v := range elements.All() {
			if text := string(v.AppendCanonical(nil)); !seen[text] {
				seen[text] = true
				same[text]++
			}
		}
	}
	elements, _ := ours.Root().Get("elements")
	now, _ := r.Document.Root().Get("elements")
	i := 0
	for v := range elements.All() {
		after, ok := now.At(i)
		require.True(t, ok, "%s: a placement of ours was removed", about)
		if named && same[string(v.AppendCanonical(nil))] == 2 {
			require.Equal(t, string(v.Raw()), string(after.Raw()), about)
		}
		i++
	}
	requireOrder(t, about, ours.Root(), r.Document.Root())
}

// requireOrder requires that an object still has its keys in their order.
func requireOrder(t *testing.T, about string, before, after document.Value) {
	t.Helper()
	var keys []string
	for m := range after.All() {
		keys = append(keys, m.Key())
	}
	at := 0
	for m := range before.All() {
		k := slices.Index(keys[at:], m.Key())
		require.GreaterOrEqual(t, k, 0, "%s: the key %s is lost or at another place", about, m.Key())
		at += k + 1
	}
}

// leaves returns all strings in a value.
func leaves(v document.Value) (list []string) {
	if v.Kind() == '"' {
		return []string{v.Text()}
	}
	for m := range v.All() {
		list = append(list, leaves(m)...)
	}
	return list
}

func copied(t *testing.T, text string) (tree map[string]any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &tree))
	return tree
}

// render writes a document with its keys in any order, formatted in one of several ways.
func (g *editing) render(tree map[string]any) string {
	order := rand.New(rand.NewPCG(g.Uint64(), 1)) //nolint:gosec // it is repeatable
	spaced := g.Chance(50)
	var write func(v any, indent string) string
	write = func(v any, indent string) string {
		var items []string
		open, shut := "[", "]"
		switch v := v.(type) {
		case map[string]any:
			open, shut = "{", "}"
			keys := slices.Sorted(maps.Keys(v))
			order.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
			for _, k := range keys {
				name, _ := json.Marshal(k)
				items = append(items, string(name)+": "+write(v[k], indent+"  "))
			}
		case []any:
			for _, item := range v {
				items = append(items, write(item, indent+"  "))
			}
		default:
			text, _ := json.Marshal(v)
			return string(text)
		}
		if spaced && len(items) > 1 {
			return open + "\n  " + indent + strings.Join(items, ",\n  "+indent) + "\n" + indent + shut
		}
		return open + strings.Join(items, ", ") + shut
	}
	return write(tree, "") + "\n"
}

// TestHostile merges documents with very many parts: the work grows with their number.
func TestHostile(t *testing.T) {
	schema, err := service(t).Open(t.Context(), "ai@2026-11-15-stable")
	require.NoError(t, err)
	const head = `{"id": "d", "schema_version": "ai@2026-11-15-stable", "created_at": "2026-02-01T10:00Z", "register": {"product": {"supplier": {"name": "Makers"}}}, "elements": [`
	for name, part := range map[string]func(i int, by string) string{
		"placements of one element": func(_ int, by string) string { return `{"element_id": "risk.errors", "label": "` + by + `"}` },
		"equal placements": func(i int, by string) string {
			return strings.Replace(`{"element_id": "risk.errors"}`, "errors", "errors"+by[:min(1-min(i, 1), 1)], 1)
		},
		"placements": func(i int, by string) string { return fmt.Sprintf(`{"element_id": "risk.e%d%s"}`, i, by) },
		"ids": func(i int, by string) string {
			return fmt.Sprintf(`{"element_id": "risk.errors", "element_instance_id": "i%d", "label": %q}`, i, by)
		},
	} {
		t.Run(name, func(t *testing.T) {
			growthtest.Linear(t, 300, func(n int) func() {
				list := func(by string) string {
					parts := make([]string, n)
					for i := range parts {
						parts[i] = part(i, by)
					}
					return strings.Join(parts, ", ")
				}
				return hostile(t, schema.Release(), head+list("a")+"]}", head+list("b")+"]}")
			})
		})
	}
	for name, part := range map[string]func(i int, by string) string{
		"variables": func(i int, by string) string {
			return fmt.Sprintf(`{"id": "v%d", "value": [{"locale": "en", "value": %q}]}`, i, by)
		},
		"new variables": func(i int, by string) string { return fmt.Sprintf(`{"id": "v%d%s", "value": []}`, i, by) },
	} {
		t.Run(name, func(t *testing.T) {
			growthtest.Linear(t, 300, func(n int) func() {
				list := func(by string) string {
					parts := make([]string, n)
					for i := range parts {
						parts[i] = part(i, by)
					}
					return `{"element_id": "risk.errors", "variables": [` + strings.Join(parts, ", ") + "]}"
				}
				return hostile(t, schema.Release(), head+list("a")+"]}", head+list("b")+"]}")
			})
		})
	}
	t.Run("languages", func(t *testing.T) {
		growthtest.Linear(t, 500, func(n int) func() {
			list := func(by string) string {
				parts := make([]string, n)
				for i := range parts {
					parts[i] = fmt.Sprintf(`{"locale": "x%d%s", "value": "t"}`, i, by)
				}
				return `{"element_id": "risk.errors", "variables": [{"id": "safeguard", "value": [` + strings.Join(parts, ", ") + "]}]}"
			}
			return hostile(t, schema.Release(), head+list("a")+"]}", head+list("b")+"]}")
		})
	})
}

// hostile returns the merge of a document with a product, which both have many parts.
func hostile(t *testing.T, r *taxonomy.Release, before, after string) func() {
	t.Helper()
	base, theirs := parsed(t, before), parsed(t, after)
	text, err := product.Start(base, nil)
	require.NoError(t, err)
	ours := parsed(t, string(text))
	return func() {
		result, err := product.Merge(base, theirs, ours, r, nil)
		require.NoError(t, err)
		require.NotEmpty(t, result.Report.Entries)
	}
}
