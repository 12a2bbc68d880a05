package upgrade_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/resolve"
)

// TestChainCases upgrades the documents of testdata/chains over three versions: directly
// from the first to the last, and by the one between. An archive has the versions, a
// document, and the results and reports of both ways.
func TestChainCases(t *testing.T) {
	files, err := filepath.Glob("testdata/chains/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a := readArchive(t, file)
			first, second, third := a.evolved(t, "first.yaml"), a.evolved(t, "second.yaml"), a.evolved(t, "third.yaml")
			text := a.files["document.json"]
			half := upgraded(t, text, first, second, nil)
			got := map[string]*upgrade.Result{
				"directly":              upgraded(t, text, first, third, nil),
				"by the second version": upgraded(t, string(half.Document.Text()), second, third, nil),
			}
			for way, r := range got {
				if goldentest.Updating() {
					a.set("want "+way, string(r.Document.Text()))
					a.set("report "+way, lines(&r.Report))
					continue
				}
				assert.Equal(t, a.files["want "+way], string(r.Document.Text()))
				assert.Equal(t, a.files["report "+way], lines(&r.Report))
			}
			if goldentest.Updating() {
				a.write(t, file)
			}
		})
	}
}

// chains is how many chains of three versions are generated.
const chains = 80

// TestChains upgrades generated documents over generated chains of three versions. Both
// ways come to the same placements, or the report of the direct one has an entry for each
// that differs, which asks a person to look.
func TestChains(t *testing.T) {
	same := 0
	for seed := range uint64(chains) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 18))}
		first := g.schema()
		second := g.change(first, "trail@2026-03-01-stable")
		third := g.change(second, "trail@2026-06-01-stable")
		if g.chance(2) {
			g.reuse(second, third)
		}
		a, b, c := first.release(t), second.release(t), third.release(t)
		text := g.document(a)
		if bundle, err := resolve.Resolve(a, parsed(t, text), nil); err == nil && g.chance(3) {
			text = string(bundle.AppendJSON(nil))
		}
		direct, half := upgraded(t, text, a, c, nil), upgraded(t, text, a, b, nil)
		whole := upgraded(t, string(half.Document.Text()), b, c, nil)
		left, right := placements(t, direct), placements(t, whole)
		require.Len(t, right, len(left))
		for i := range left {
			if reflect.DeepEqual(left[i], right[i]) {
				same++
				continue
			}
			require.True(t, asks(&direct.Report, i), "seed %d: placement %d differs, and nothing says so:\n%s\ndirectly: %s\n%s\nby the second version: %s\n%s\n%s",
				seed, i, text, left[i], lines(&direct.Report), right[i], lines(&half.Report), lines(&whole.Report))
		}
	}
	require.Greater(t, same, 2*chains)
}

// placements returns the placements of a result. The order of variables does not count.
func placements(t *testing.T, r *upgrade.Result) []map[string]any {
	t.Helper()
	var doc struct{ Elements []map[string]any }
	require.NoError(t, json.Unmarshal(r.Document.Text(), &doc))
	for _, p := range doc.Elements {
		variables, _ := p["variables"].([]any)
		slices.SortFunc(variables, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		if len(variables) == 0 {
			delete(p, "variables")
		}
	}
	return doc.Elements
}

// asks reports whether a report asks a person to look at a placement.
func asks(r *upgrade.Report, i int) bool {
	at := fmt.Sprintf("elements[%d]", i)
	return slices.ContainsFunc(r.Entries, func(e upgrade.ReportEntry) bool {
		return e.Class != upgrade.Done && strings.HasPrefix(e.Path.String(), at)
	})
}

// reuse gives ids that were given up a new meaning: those of renamed variables, and those
// of removed elements. Some variables swap their ids. As lint demands, ids that are in use
// are not listed as former ones.
func (g *generator) reuse(second, third *schemaSpec) {
	for i := range third.Categories {
		for k := range third.Categories[i].Elements {
			e := &third.Categories[i].Elements[k]
			e.Variables = slices.Clone(e.Variables)
			g.reuseVariable(e)
			if n := len(e.Variables); n > 1 && g.chance(3) {
				a, b := &e.Variables[0], &e.Variables[n-1]
				a.ID, b.ID, a.Label, b.Label = b.ID, a.ID, en(g.name("Swapped ")), en(g.name("Swapped "))
			}
		}
	}
	for _, r := range second.Removed {
		if g.chance(2) {
			third.Removed = slices.DeleteFunc(third.Removed, func(other removalSpec) bool { return other.ID == r.ID })
			c := &third.Categories[0]
			c.Elements = append(c.Elements, elementSpec{ID: r.ID, Title: en(g.name("Another "))})
		}
	}
}

// reuseVariable adds a variable to an element with an id that another one had.
func (g *generator) reuseVariable(e *elementSpec) {
	for i := range e.Variables {
		v := &e.Variables[i]
		if len(v.RenamedFrom) == 0 || slices.ContainsFunc(e.Variables, func(w variableSpec) bool { return w.ID == v.RenamedFrom[0] }) {
			continue
		}
		again := variableSpec{ID: v.RenamedFrom[0], Label: en(g.name("Another "))}
		v.RenamedFrom = v.RenamedFrom[1:]
		e.Variables = append(e.Variables, again)
		return
	}
}
