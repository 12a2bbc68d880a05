package upgrade_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestEvolved upgrades generated documents over generated chains of three versions, which
// say nothing about their past: an evolution does, once for all. The result is the same as
// with versions that repeat everything, and directly the same as by the second version. If
// ids come back, no placement becomes what they mean now.
func TestEvolved(t *testing.T) {
	kinds := make(map[upgrade.Kind]int)
	for seed := range uint64(chains) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 27))}
		first := g.schema()
		second := g.change(first, "trail@2026-03-01-stable")
		third := g.change(second, "trail@2026-06-01-stable")
		text := g.document(first.release(t))
		a, repeating := first.release(t), third.release(t)
		removed := second.Removed
		e := recorded(first, second, third)
		b, c := history.With(second.release(t), e), history.With(third.release(t), e)
		require.Empty(t, third.release(t).Manifest().Removed)

		want, got := upgraded(t, text, a, repeating, nil), upgraded(t, text, a, c, nil)
		require.Equal(t, string(want.Document.Text()), string(got.Document.Text()), "seed %d:\n%s\n%s", seed, lines(&want.Report), lines(&got.Report))
		half := upgraded(t, text, a, b, nil)
		whole := upgraded(t, string(half.Document.Text()), b, c, nil)
		left, right := placements(t, got), placements(t, whole)
		for i := range left {
			if fmt.Sprint(left[i]) != fmt.Sprint(right[i]) {
				require.True(t, asks(&got.Report, i), "seed %d: placement %d differs:\n%s\n%s", seed, i, lines(&got.Report), lines(&whole.Report))
			}
		}

		second.Removed = removed
		g.reuse(second, third)
		for i := range e.Removed { // some are split instead
			if r := &e.Removed[i]; len(r.ReplacedBy) == 2 && r.ReplacedBy[0].ID != r.ReplacedBy[1].ID && g.chance(2) {
				e.Split = append(e.Split, history.Split{From: r.ID, To: []string{r.ReplacedBy[0].ID, r.ReplacedBy[1].ID}, Since: r.Since})
				r.ID += "-other"
			}
		}
		reused := history.With(third.release(t), e)
		r := upgraded(t, text, a, reused, &upgrade.Options{Between: func() []*taxonomy.Release { return []*taxonomy.Release{b} }})
		for _, entry := range r.Report.Entries {
			kinds[entry.Kind]++
		}
		for i, p := range placements(t, r) {
			id, _ := p["element_id"].(string)
			now, ok := reused.Element(id)
			if ok && r.Report.Changed && strings.HasPrefix(now.Title.Pick("en"), "Another ") {
				require.True(t, asks(&r.Report, i), "seed %d: placement %d became another element:\n%s", seed, i, lines(&r.Report))
			}
		}
	}
	require.Positive(t, kinds["id_reused"])
	require.Positive(t, kinds["element_split"])
}

// recorded moves what versions say about their past into an evolution.
func recorded(versions ...*schemaSpec) *history.Evolution {
	e := new(history.Evolution)
	known := make(map[string]bool)
	for n, s := range versions {
		since := taxonomy.MustVersion(s.Version)
		for _, r := range s.Removed {
			if !known[r.ID] {
				known[r.ID] = true
				e.Removed = append(e.Removed, history.RemovedID{Removal: taxonomy.Removal{ID: r.ID, ReplacedBy: successors(r.ReplacedBy), Note: taxonomy.Localized(r.Note), Since: since}})
			}
		}
		s.Removed = nil
		rename := func(k taxonomy.IDKind, in, id string, from *[]string, before func(string) bool) {
			for _, old := range *from {
				if before(old) {
					e.Renamed = append(e.Renamed, history.Rename{Kind: k, From: old, To: id, In: in, Since: since})
				}
			}
			*from = nil
		}
		had := func(in string) func(string) bool {
			return func(id string) bool { return n > 0 && slices.Contains(ids(versions[n-1])[in], id) }
		}
		for i := range s.Categories {
			c := &s.Categories[i]
			rename(codes.IDCategory, "", c.ID, &c.RenamedFrom, had("categories"))
			c.Context.Values = slices.Clone(c.Context.Values)
			for j := range c.Context.Values {
				v := &c.Context.Values[j]
				rename(codes.IDContextValue, c.ID, v.ID, &v.RenamedFrom, had("values"))
			}
			c.Elements = slices.Clone(c.Elements)
			for j := range c.Elements {
				el := &c.Elements[j]
				el.Variables = slices.Clone(el.Variables)
				for k := range el.Variables {
					v := &el.Variables[k]
					rename(codes.IDVariable, el.ID, v.ID, &v.RenamedFrom, had("variables"))
					v.Options = slices.Clone(v.Options)
					for l := range v.Options {
						rename(codes.IDOption, el.ID, v.Options[l].ID, &v.Options[l].RenamedFrom, had("options"))
					}
				}
			}
		}
	}
	return e
}

// ids returns the ids of a version by what they are. The generator gives each id once.
func ids(s *schemaSpec) map[string][]string {
	all := make(map[string][]string)
	add := func(what, id string) { all[what] = append(all[what], id) }
	for _, c := range s.Categories {
		add("categories", c.ID)
		for _, v := range c.Context.Values {
			add("values", v.ID)
		}
		for _, e := range c.Elements {
			for _, v := range e.Variables {
				add("variables", v.ID)
				for _, o := range v.Options {
					add("options", o.ID)
				}
			}
		}
	}
	return all
}
