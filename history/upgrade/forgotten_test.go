package upgrade_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history/diff"
)

// TestForgotten generates chains of three versions, of which the last forgets some of what
// became of ids. If documents of the first version then no longer follow, package diff has
// reported that for the last one, and it reports nothing about an author who is careful.
func TestForgotten(t *testing.T) {
	lost := 0
	for seed := range uint64(chains) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 19))}
		first := g.schema()
		second := g.change(first, "trail@2026-03-01-stable")
		third := g.change(second, "trail@2026-06-01-stable")
		careless, ids := g.forget(t, second, third)
		a, b, careful, forgetful := first.release(t), second.release(t), third.release(t), careless.release(t)
		require.Empty(t, forgotten(diff.Releases(b, careful)), "seed %d", seed)
		report := diff.Releases(b, forgetful)
		for _, id := range ids {
			require.True(t, reported(report, id), "seed %d: %s was forgotten: %v", seed, id, report.Changes)
		}
		text := g.document(a)
		left, right := placements(t, upgraded(t, text, a, careful, nil)), placements(t, upgraded(t, text, a, forgetful, nil))
		if !reflect.DeepEqual(left, right) {
			lost++
			require.NotEmpty(t, ids, "seed %d", seed)
		}
	}
	require.Greater(t, lost, chains/20)
}

// forgotten returns the changes by which a version says less about the past.
func forgotten(r *diff.Report) []diff.Change {
	return slices.DeleteFunc(r.With(diff.Notable), func(c diff.Change) bool { return !strings.HasSuffix(string(c.Rule), "-forgotten") })
}

// reported reports whether a report says that an id was forgotten, or that what had this id
// before was removed.
func reported(r *diff.Report, id string) bool {
	return slices.ContainsFunc(forgotten(r), func(c diff.Change) bool { return slices.Contains(strings.Fields(c.Consequence), id) }) ||
		slices.ContainsFunc(r.Changes, func(c diff.Change) bool {
			return c.Kind == diff.Removed && c.Rule != "successor-changed" && c.Rule != "rename-recorded" && bytes.Contains(c.Old, []byte(strconv.Quote(id)))
		})
}

// forget returns the third version without some of what the second one records, and the
// ids that it no longer records.
func (g *generator) forget(t *testing.T, second, third *schemaSpec) (careless *schemaSpec, ids []string) {
	t.Helper()
	recorded := make(map[string]bool)
	for _, r := range second.Removed {
		recorded[r.ID] = true
	}
	second.records(func(from *[]string) {
		for _, id := range *from {
			recorded[id] = true
		}
	})
	forgets := func(id string) bool {
		if !recorded[id] || !g.chance(2) {
			return false
		}
		ids = append(ids, id)
		return true
	}
	text, err := json.Marshal(third)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &careless))
	careless.Removed = slices.DeleteFunc(careless.Removed, func(r removalSpec) bool { return forgets(r.ID) })
	careless.records(func(from *[]string) { *from = slices.DeleteFunc(*from, forgets) })
	return careless, ids
}

// records calls a function for every renamed_from.
func (s *schemaSpec) records(yield func(from *[]string)) {
	for i := range s.Categories {
		c := &s.Categories[i]
		yield(&c.RenamedFrom)
		for k := range c.Context.Values {
			yield(&c.Context.Values[k].RenamedFrom)
		}
		for k := range c.Elements {
			for n := range c.Elements[k].Variables {
				v := &c.Elements[k].Variables[n]
				yield(&v.RenamedFrom)
				for m := range v.Options {
					yield(&v.Options[m].RenamedFrom)
				}
			}
		}
	}
}
