package upgrade_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/validate"
)

// pairs is how many pairs of versions are generated.
const pairs = 150

// TestPairs upgrades generated documents between generated versions: with and without
// the old one, dropping and not, thin and resolved. What holds for all upgrades is
// checked by upgraded; besides, texts are neither invented nor lost.
func TestPairs(t *testing.T) {
	kinds := make(map[upgrade.Kind]int)
	for seed := range uint64(pairs) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 16))}
		before := g.schema()
		from, to := before.release(t), g.change(before, "trail@2026-06-01-stable").release(t)
		text := g.document(from)
		if bundle, err := resolve.Resolve(from, parsed(t, text), nil); err == nil && g.chance(3) {
			text = string(bundle.AppendJSON(nil))
		}
		if g.chance(4) {
			from = nil
		}
		for _, drop := range []bool{false, true} {
			r := upgraded(t, text, from, to, &upgrade.Options{Drop: drop})
			checkTexts(t, text, r, drop)
			for _, e := range r.Report.Entries {
				kinds[e.Kind]++
			}
		}
	}
	for _, k := range upgrade.Kinds() {
		rare := []upgrade.Kind{
			"category_renamed", "category_removed", "schema_link", "shape", "more",
			"suggestion_pending", "suggestion_published", "variable_clash",
			"element_split", "id_reused", // see TestEvolved
		}
		require.True(t, kinds[k.Kind] > 0 || slices.Contains(rare, k.Kind), "nothing generated gives %s", k.Kind)
	}
}

// checkTexts compares the texts that the author of a document wrote. The names of the
// generator are all different.
func checkTexts(t *testing.T, text string, r *upgrade.Result, drop bool) {
	t.Helper()
	before, after := texts(parsed(t, text).Root()), texts(r.Document.Root())
	for _, s := range after {
		require.Contains(t, before, s, "invented")
	}
	for _, s := range before {
		if !slices.Contains(after, s) {
			require.True(t, drop, "lost: %s", s)
			require.True(t, slices.ContainsFunc(r.Report.Entries, func(e upgrade.ReportEntry) bool { return e.Path == nil && strings.Contains(e.Message, s) }), "lost unannounced: %s", s)
		}
	}
	if !drop {
		old, _ := parsed(t, text).Root().Get("elements")
		now, _ := r.Document.Root().Get("elements")
		require.Equal(t, old.Len(), now.Len())
	}
}

// texts returns the strings of the author, which have a space, unlike ids.
func texts(v document.Value) []string {
	var list []string
	if v.Key() == "schema_snapshot" {
		return nil
	}
	if s := v.Text(); strings.Contains(s, " ") {
		list = append(list, s)
	}
	for item := range v.All() {
		list = append(list, texts(item)...)
	}
	return list
}

// TestNothingToDo upgrades documents to a version with the same content: their pin
// changes, and nothing else.
func TestNothingToDo(t *testing.T) {
	checked := 0
	for seed := range uint64(120) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 17))}
		s := g.schema()
		from := s.release(t)
		s.Version = "trail@2026-06-01-stable"
		to := s.release(t)
		text := g.document(from)
		doc := parsed(t, text)
		result, err := validate.Instance(from, doc, nil)
		require.NoError(t, err)
		if !result.OK() {
			continue
		}
		checked++
		if g.chance(2) {
			bundle, err := resolve.Resolve(from, doc, nil)
			require.NoError(t, err)
			text = string(bundle.AppendJSON(nil))
		}
		for _, old := range []*taxonomy.Release{from, nil} {
			r := upgraded(t, text, old, to, nil)
			require.Equal(t, strings.Replace(text, "trail@2026-01-01-stable", "trail@2026-06-01-stable", 1), string(r.Document.Text()))
			require.True(t, r.OK())
			require.Equal(t, 1, r.Report.Counts.Done)
		}
	}
	require.Greater(t, checked, 40)
}
