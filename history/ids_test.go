package history_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func en(text string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: text}} }

// author writes versions of a taxonomy, and may record what became of ids.
type author struct {
	*rand.Rand
	next int
	// free are ids that were given up, by their prefixes.
	free map[string][]string
	e    history.Evolution
	// explained is set if everything is recorded.
	explained bool

	categories, elements []thing
}

// thing is something with an id.
type thing struct {
	id, title, about string
	*group           // of a category, or that of an element
}

// group is what a category has: context values, variables with a text, and one with options.
type group struct {
	number                             int
	values, variables, choice, options []thing
}

func (a *author) chance(n int) bool { return a.IntN(n) == 0 }

// id returns a new id or, sometimes, one that was given up, also in upper case.
func (a *author) id(prefix string) string {
	if free := a.free[prefix]; len(free) > 0 && a.chance(3) {
		id := free[a.IntN(len(free))]
		if a.chance(8) {
			id = strings.ToUpper(id)
		}
		return id
	}
	a.next++
	return fmt.Sprintf("%s%d", prefix, a.next)
}

// change edits a list of things of a kind: some are renamed, reworded or removed, but not the
// first one, and one is added. Ids stay distinct.
func (a *author) change(k taxonomy.IDKind, in, prefix string, list []thing, since taxonomy.Version) []thing {
	var next []thing
	used := make(map[string]bool)
	for _, t := range list {
		used[strings.ToLower(t.id)] = true
	}
	fresh := func() string {
		for {
			if id := a.id(prefix); !used[strings.ToLower(id)] {
				used[strings.ToLower(id)] = true
				return id
			}
		}
	}
	// What is in a category or belongs to a variable can be followed only if these can.
	record := func() bool { return a.explained || k == codes.IDCategory || prefix[0] == 's' || a.chance(2) }
	for _, t := range list {
		switch a.IntN(6) {
		case 0: // renamed
			old := t.id
			t.id = fresh()
			if record() {
				a.e.Renamed = append(a.e.Renamed, history.Rename{Kind: k, From: old, To: t.id, In: in, Since: since})
			}
			a.free[prefix] = append(a.free[prefix], old)
		case 1: // removed
			if len(next) > 0 {
				if record() {
					gone := history.RemovedID{In: in, Removal: taxonomy.Removal{ID: t.id, Since: since}}
					if k != codes.IDElement {
						gone.Kind = k
					}
					a.e.Removed = append(a.e.Removed, gone)
				}
				a.free[prefix] = append(a.free[prefix], t.id)
				continue
			}
		case 2:
			t.title += " again"
		}
		next = append(next, t)
	}
	if len(next) > 0 && prefix[0] == 's' {
		return next
	}
	return append(next, thing{id: fresh(), title: fmt.Sprintf("Title %d", a.IntN(1000))})
}

// revise writes the next version.
func (a *author) revise(since taxonomy.Version) {
	a.categories = a.change(codes.IDCategory, "", "c", a.categories, since)
	for i := range a.categories {
		c := &a.categories[i]
		if c.group == nil {
			a.next++
			c.group = &group{number: a.next}
		}
		g, prefix := c.group, func(letter string) string { return fmt.Sprintf("%s%d_", letter, c.number) }
		g.values = a.change(codes.IDContextValue, c.id, prefix("x"), g.values, since)
		g.variables = a.change(codes.IDVariable, c.id, prefix("v"), g.variables, since)
		g.choice = a.change(codes.IDVariable, c.id, prefix("s"), g.choice, since)
		g.options = a.change(codes.IDOption, c.id, prefix("o"), g.options, since)
	}
	a.elements = a.change(codes.IDElement, "", "e", a.elements, since)
	for i := range a.elements {
		e := &a.elements[i]
		there := func(c thing) bool { return c.group == e.group }
		if a.chance(8) || !slices.ContainsFunc(a.categories, there) { // moved, new, or its category is gone
			e.group = a.categories[a.IntN(len(a.categories))].group
		}
	}
}

// renamed reports whether it is recorded that an id became another one.
func (a *author) renamed(from, to string) bool {
	ends := make(map[string]bool) // what the id may be by now: it may have come back
	for _, r := range a.e.Renamed {
		if r.From == from || ends[r.From] {
			delete(ends, r.From)
			ends[r.To] = true
		}
	}
	return ends[to]
}

// titles returns the titles of what has an id.
func (a *author) titles() map[string]string {
	now := make(map[string]string)
	lists := [][]thing{a.categories, a.elements}
	for _, c := range a.categories {
		lists = append(lists, c.values, c.variables, c.choice, c.options)
	}
	for _, t := range slices.Concat(lists...) {
		now[t.id] = t.title
	}
	return now
}

// releaseOf makes a version.
func (a *author) release(t *testing.T, v taxonomy.Version) *taxonomy.Release {
	t.Helper()
	c := content(v)
	for _, x := range a.categories {
		category := taxonomy.Category{ID: x.id, Name: en(x.title), Description: en("D"), Shape: taxonomy.Circle, Context: taxonomy.Context{Values: contextValues(x.values)}}
		for _, v := range x.variables {
			category.Variables = append(category.Variables, taxonomy.Variable{ID: v.id, Label: en(v.title), Type: taxonomy.TextVariable})
		}
		category.Variables = append(category.Variables, selectVariable(x.choice[0], x.options))
		c.Type.Categories = append(c.Type.Categories, x.id)
		c.Categories = append(c.Categories, category)
	}
	for at, x := range a.categories {
		for i, e := range a.elements {
			if e.group == x.group {
				c.Elements = append(c.Elements, elementOf(&c.Categories[at], e, i+1))
			}
		}
	}
	r, err := taxonomy.NewRelease(v, c)
	require.NoError(t, err)
	return r
}

func content(v taxonomy.Version) taxonomy.Content {
	return taxonomy.Content{
		Title: en("T"), Description: en("D"), Locales: []string{"en"}, Symbols: map[string]string{"dot": "<svg/>"},
		Type: taxonomy.Type{ID: v.Type(), Name: en("T"), Subchains: []taxonomy.Subchain{}},
	}
}

func contextValues(list []thing) []taxonomy.ContextValue {
	all := []taxonomy.ContextValue{}
	for _, x := range list {
		all = append(all, taxonomy.ContextValue{ID: x.id, Label: en(x.title)})
	}
	return all
}

func selectVariable(v thing, options []thing) taxonomy.Variable {
	variable := taxonomy.Variable{ID: v.id, Label: en(v.title), Type: taxonomy.SelectVariable}
	for _, o := range options {
		variable.Options = append(variable.Options, taxonomy.Option{ID: o.id, Label: en(o.title)})
	}
	return variable
}

func elementOf(c *taxonomy.Category, e thing, order int) taxonomy.Element {
	return taxonomy.Element{
		ID: e.id, Title: en(e.title), Description: en(cmp.Or(e.about, "About "+e.title)), CategoryID: c.ID, SymbolID: "dot", Order: order,
		IconVariants: c.IconVariants(), Variables: c.Variables,
	}
}

// releaseOf makes a version of one category with context values, whose elements have a
// variable with options.
func releaseOf(t *testing.T, v taxonomy.Version, elements, options, values []thing) *taxonomy.Release {
	t.Helper()
	c := content(v)
	c.Type.Categories = []string{"c"}
	c.Categories = []taxonomy.Category{{
		ID: "c", Name: en("C"), Description: en("C"), Shape: taxonomy.Circle, Context: taxonomy.Context{Values: contextValues(values)},
		Variables: []taxonomy.Variable{selectVariable(thing{id: "v", title: "V"}, options)},
	}}
	for i, e := range elements {
		c.Elements = append(c.Elements, elementOf(&c.Categories[0], e, i+1))
	}
	r, err := taxonomy.NewRelease(v, c)
	require.NoError(t, err)
	return r
}

// onlyIDs writes the ids of a release as they are kept, and reads them.
func onlyIDs(t *testing.T, r *taxonomy.Release) *taxonomy.Release {
	t.Helper()
	only, err := history.OnlyIDs(r)
	require.NoError(t, err)
	var text, whole bytes.Buffer
	_, err = only.WriteTo(&text)
	require.NoError(t, err)
	_, err = r.WriteTo(&whole)
	require.NoError(t, err)
	require.Less(t, text.Len(), whole.Len())
	again, err := history.ReadOnlyIDs(text.Bytes())
	require.NoError(t, err)
	return again
}

// TestHistories writes histories of versions. Every id of every kind that was ever
// published is in the next version with the same title, or the change is reported, or it is
// explained; and if an id comes back, that is found, unless it is revived.
func TestHistories(t *testing.T) {
	back, cases, proposed := 0, 0, 0
	seeds := uint64(150)
	if os.Getenv("ALL") != "" {
		seeds = 5000
	}
	for seed := range seeds {
		a := &author{Rand: rand.New(rand.NewPCG(seed, 15)), free: make(map[string][]string), explained: seed%3 == 0}
		var versions, kept []*taxonomy.Release // whole, and only their ids
		titles := make(map[string]string)      // of what was published under an id, at last
		lost := make(map[string]bool)          // ids that a version lacks after another had them
		// What versions of one status try out, those of the other need not have, if the title stays.
		mixed, tried := seed%2 == 0, make(map[string]bool)
		for n := range 5 {
			status := "beta"
			if mixed && a.chance(2) {
				status = "stable"
			}
			v := taxonomy.MustVersion(fmt.Sprintf("t@2026-0%d-01-%s", n+1, status))
			a.revise(v)
			plain := a.release(t, v)
			r := history.With(plain, &a.e)
			now := a.titles()
			reused := make(map[string]bool)
			all := history.ReusedIDs(r, versions)
			require.Equal(t, all, history.ReusedIDs(r, kept), "seed %d: the ids of retired versions are enough", seed)
			kept = append(kept, onlyIDs(t, plain))
			for _, u := range all {
				reused[u.ID] = true
				require.True(t, lost[u.ID] || u.Now != "" || u.As != "", "seed %d: %s was never given up", seed, u.ID)
			}
			for id, title := range now {
				_, known := titles[id]
				_, folded := titles[strings.ToLower(id)]
				switch {
				case mixed && lost[id] && title == titles[id]:
					tried[id] = true
				case lost[id] && !tried[id]:
					back++
					require.True(t, reused[id], "seed %d: %s is back in %s", seed, id, v)
				case !known && folded && !a.renamed(strings.ToLower(id), id):
					cases++
					require.True(t, reused[id], "seed %d: %s differs in letter case in %s", seed, id, v)
				}
			}
			if n > 0 {
				before := history.With(versions[n-1], &a.e)
				gone := history.Unexplained(before, r)
				if a.explained {
					require.Empty(t, gone, "seed %d", seed)
				}
				proposals, confirmed := history.Propose(before, r), a.e
				proposed += len(proposals)
				for _, p := range proposals {
					if p.Renamed != nil {
						confirmed.Renamed = append(slices.Clip(confirmed.Renamed), *p.Renamed)
					} else {
						confirmed.Removed = append(slices.Clip(confirmed.Removed), *p.Removed)
					}
				}
				require.Empty(t, history.Unexplained(before, history.With(plain, &confirmed)), "seed %d: proposals explain everything", seed)
				reported := make(map[string]bool)
				for _, c := range diff.Releases(before, r).Changes {
					reported[c.ID] = true
					for _, s := range c.Path {
						reported[s.Name()] = true
					}
					reported[string(c.Old)] = true
				}
				for i := range history.Items(before) {
					title, there := now[i.ID]
					_, owner := now[i.In] // what belongs to something that is gone is gone with it
					same := there && title == titles[i.ID] || i.In != "" && !owner && reported[i.In]
					require.True(t, same || reported[i.ID] || reported[`"`+i.ID+`"`], "seed %d: what became of %s of %s in %s is not reported", seed, i.ID, i.In, v)
				}
			}
			for id := range titles {
				if _, there := now[id]; !there {
					lost[id] = true
				}
			}
			maps.Copy(titles, now)
			versions = append(versions, plain)
		}
	}
	require.Greater(t, back, 50)
	require.Greater(t, cases, 10)
	require.Greater(t, proposed, 100)
}

// TestRenamedAgain compares versions after an id of something that was renamed came to mean
// something else: the newest rename counts.
func TestRenamedAgain(t *testing.T) {
	v := func(n int) taxonomy.Version { return taxonomy.MustVersion(fmt.Sprintf("t@2026-0%d-01-beta", n)) }
	made := func(n int, options ...thing) *taxonomy.Release {
		return releaseOf(t, v(n), []thing{{id: "e", title: "E"}}, options, []thing{{id: "x", title: "X"}})
	}
	e := &history.Evolution{
		Renamed: []history.Rename{
			{Kind: codes.IDOption, From: "o1", To: "o2", In: "c", Since: v(2)}, {Kind: codes.IDOption, From: "o2", To: "o3", In: "c", Since: v(4)},
		},
		Removed: []history.RemovedID{{Kind: codes.IDOption, In: "c", Removal: taxonomy.Removal{ID: "o1", Since: v(4)}}},
	}
	before := history.With(made(3, thing{id: "o2", title: "Calm"}, thing{id: "o1", title: "Loud"}), e)
	after := history.With(made(4, thing{id: "o3", title: "Calm"}), e)
	var got []string
	for _, c := range diff.Releases(before, after).Changes {
		if c.ID == "c" {
			got = append(got, fmt.Sprintf("%s %s", c.Kind, c.Path))
		}
	}
	require.Contains(t, got, "renamed variables.v.options.o3")
	require.Contains(t, got, "removed variables.v.options.o1")
	require.Empty(t, history.Unexplained(before, after))
}

// TestDroppedAgain drops ids that came back after they were given up: what became of them
// before does not explain that.
func TestDroppedAgain(t *testing.T) {
	v := func(n int) taxonomy.Version { return taxonomy.MustVersion(fmt.Sprintf("t@2026-0%d-01-beta", n)) }
	both := func(prefix string) []thing {
		return []thing{{id: prefix + "1", title: "New"}, {id: prefix + "2", title: "Old"}}
	}
	last := func(prefix string) []thing { return both(prefix)[1:] }
	e := &history.Evolution{
		Renamed: []history.Rename{
			{Kind: codes.IDElement, From: "e1", To: "e2", Since: v(2)},
			{Kind: codes.IDOption, From: "o1", To: "o2", In: "c", Since: v(2)},
			{Kind: codes.IDContextValue, From: "x1", To: "x2", Since: v(2)},
		},
	}
	before, after := releaseOf(t, v(3), both("e"), both("o"), both("x")), releaseOf(t, v(4), last("e"), last("o"), last("x"))
	var gone []string
	for _, i := range history.Unexplained(history.With(before, e), history.With(after, e)) {
		gone = append(gone, i.ID)
	}
	require.ElementsMatch(t, []string{"e1", "o1", "x1"}, gone)
}

// TestRenamedInOneVariable renames an option in one of two variables that have it. An entry
// does not say which, so the version does.
func TestRenamedInOneVariable(t *testing.T) {
	v := func(n int) taxonomy.Version { return taxonomy.MustVersion(fmt.Sprintf("t@2026-0%d-01-beta", n)) }
	made := func(n int, first, second thing) *taxonomy.Release {
		c := content(v(n))
		c.Type.Categories = []string{"c"}
		c.Categories = []taxonomy.Category{{
			ID: "c", Name: en("C"), Description: en("C"), Shape: taxonomy.Circle, Context: taxonomy.Context{Values: []taxonomy.ContextValue{}},
			Variables: []taxonomy.Variable{selectVariable(thing{id: "v", title: "V"}, []thing{first}), selectVariable(thing{id: "w", title: "W"}, []thing{second})},
		}}
		c.Elements = []taxonomy.Element{elementOf(&c.Categories[0], thing{id: "e", title: "E"}, 1)}
		r, err := taxonomy.NewRelease(v(n), c)
		require.NoError(t, err)
		return r
	}
	e := &history.Evolution{Renamed: []history.Rename{{Kind: codes.IDOption, From: "x", To: "y", In: "c", Since: v(2)}}}
	abroad := thing{id: "x", title: "Abroad"}
	before, after := made(1, thing{id: "x", title: "Year"}, abroad), history.With(made(2, thing{id: "y", title: "Year"}, abroad), e)
	require.Empty(t, history.Unexplained(before, after))
	require.Empty(t, history.ReusedIDs(after, []*taxonomy.Release{before}))
}

// TestRevived settles that an id is back.
func TestRevived(t *testing.T) {
	x := func(title string) []thing { return []thing{{id: "x1", title: title}} }
	o, e := []thing{{id: "o1", title: "O"}}, []thing{{id: "e1", title: "E"}}
	v := func(n int) taxonomy.Version { return taxonomy.MustVersion(fmt.Sprintf("t@2026-0%d-01-beta", n)) }
	older := []*taxonomy.Release{releaseOf(t, v(1), e, o, x("Calm")), releaseOf(t, v(2), e, o, []thing{{id: "x2", title: "Loud"}})}
	r := releaseOf(t, v(3), e, o, x("Windless"))
	reused := history.ReusedIDs(r, older)
	require.Len(t, reused, 1)
	require.True(t, reused[0].Changed())
	require.Equal(t, "The context value x1 of c", reused[0].String())
	require.Equal(t, v(1), reused[0].Last)
	revived := func(since taxonomy.Version) *taxonomy.Release {
		return history.With(r, &history.Evolution{Revived: []history.Revival{{Kind: codes.IDContextValue, ID: "x1", In: "c", Since: since, Reason: "The same"}}})
	}
	require.Empty(t, history.ReusedIDs(revived(v(3)), older))
	require.Len(t, history.ReusedIDs(revived(v(4)), older), 1, "a later version revives it")
	require.Len(t, history.ReusedIDs(revived(v(1)), older), 1, "it was revived before it was given up")
}

// TestPropose shows what speaks for proposals.
func TestPropose(t *testing.T) {
	v := func(n int) taxonomy.Version { return taxonomy.MustVersion(fmt.Sprintf("t@2026-0%d-01-beta", n)) }
	before := releaseOf(t, v(1),
		[]thing{{id: "cam", title: "Camera"}, {id: "gone", title: "Gone"}, {id: "twin", title: "Twin"}},
		[]thing{{id: "year", title: "One year"}, {id: "day", title: "One day"}}, []thing{{id: "calm", title: "Calm"}})
	after := releaseOf(t, v(2),
		[]thing{{id: "camera", title: "Camera", about: "It sees."}, {id: "both", title: "Twin"}},
		[]thing{{id: "months_12", title: "One year"}}, []thing{{id: "quiet", title: "Silent"}})
	var got []string
	for _, p := range history.Propose(before, after) {
		if r := p.Renamed; r != nil {
			got = append(got, fmt.Sprintf("%s %s -> %s: %s", r.Kind, r.From, r.To, p.Because))
		} else {
			got = append(got, fmt.Sprintf("removed %s: %s", p.Removed.ID, p.Because))
		}
	}
	require.Equal(t, []string{
		`context_value calm -> quiet: the only one that was removed and the only one that is new; the title was "Calm" and is "Silent"`,
		`option year -> months_12: same title, "One year"`,
		`removed day: no new id is similar; the title was "One day": add a note`,
		`element cam -> camera: same title, "Camera"`,
		`removed gone: no element of t@2026-02-01-beta is similar: add replaced_by or a note`,
		`element twin -> both: same title and description`,
	}, got)
}

// TestProposeMany renames all of many elements that have the same texts: each becomes another one,
// in order. Comparing every pair of them would take minutes, and gigabytes.
func TestProposeMany(t *testing.T) {
	many := func(version, prefix string) *taxonomy.Release {
		list := make([]thing, 20_000)
		for i := range list {
			list[i] = thing{id: fmt.Sprintf("%s%05d", prefix, i), title: "Camera", about: "It takes pictures."}
		}
		return releaseOf(t, taxonomy.MustVersion(version), list, nil, nil)
	}
	proposals := history.Propose(many("t@2026-01-01-beta", "old"), many("t@2026-02-01-beta", "new"))
	require.Len(t, proposals, 20_000)
	for i, p := range proposals {
		require.NotNil(t, p.Renamed)
		require.Equal(t, fmt.Sprintf("old%05d new%05d", i, i), p.Renamed.From+" "+p.Renamed.To)
		require.Equal(t, "same title and description", p.Because)
	}
}

// TestProposeAll proposes what several versions lack once, since the first of them.
func TestProposeAll(t *testing.T) {
	version := func(id string, elements ...thing) *taxonomy.Release {
		return releaseOf(t, taxonomy.MustVersion(id), elements, []thing{{id: "o", title: "O"}}, []thing{{id: "x", title: "X"}})
	}
	cam, eye := thing{id: "cam", title: "Camera"}, thing{id: "eye", title: "Camera"}
	proposals := history.ProposeAll([]*taxonomy.Release{
		version("t@2026-03-01-stable", eye), version("t@2026-01-01-stable", cam), version("t@2026-02-01-beta", eye),
	})
	require.Len(t, proposals, 1)
	require.Equal(t, &history.Rename{Kind: "element", From: "cam", To: "eye", Since: taxonomy.MustVersion("t@2026-02-01-beta")}, proposals[0].Renamed)
}

// TestProposeMoved proposes renames of ids that are still there, but mean something else,
// and of a category that became part of another one.
func TestProposeMoved(t *testing.T) {
	v := func(n int) taxonomy.Version { return taxonomy.MustVersion(fmt.Sprintf("t@2026-0%d-01-beta", n)) }
	options := []thing{{id: "o", title: "O"}}
	before := releaseOf(t, v(1), []thing{{id: "cam", title: "Camera"}, {id: "mic", title: "Microphone"}, {id: "map", title: "Map"}}, options, []thing{{id: "x", title: "Left"}, {id: "y", title: "Right"}})
	after := releaseOf(t, v(2), []thing{{id: "eye", title: "camera."}, {id: "cam", title: "Microphone"}, {id: "map", title: "Chart"}}, options, []thing{{id: "x", title: "Right"}, {id: "y", title: "Left"}})
	proposals := history.Propose(before, after)
	var got []string
	for _, p := range proposals {
		require.NotNil(t, p.Renamed)
		got = append(got, fmt.Sprintf("%s %s -> %s", p.Renamed.Kind, p.Renamed.From, p.Renamed.To))
	}
	require.Equal(t, []string{"context_value x -> y", "context_value y -> x", "element cam -> eye", "element mic -> cam"}, got)

	// A table that moved only titles did not move the ids.
	titles := func(n int, first, second string) *taxonomy.Release {
		return releaseOf(t, v(n), []thing{{id: "cam", title: first, about: "It takes pictures."}, {id: "mic", title: second, about: "It listens."}}, options, []thing{{id: "x", title: "X"}})
	}
	require.Empty(t, history.Propose(titles(1, "Camera", "Microphone"), titles(2, "Microphone", "Camera")))

	parts := func(n int, categories, owner []string) *taxonomy.Release {
		c := taxonomy.Content{
			Title: en("T"), Description: en("D"), Locales: []string{"en"}, Symbols: map[string]string{"dot": "<svg/>"},
			Type: taxonomy.Type{ID: "t", Name: en("T"), Categories: categories, Subchains: []taxonomy.Subchain{}},
		}
		for _, id := range categories {
			c.Categories = append(c.Categories, taxonomy.Category{ID: id, Name: en(id), Description: en("About " + id), Shape: taxonomy.Circle, Context: taxonomy.Context{Values: []taxonomy.ContextValue{}}})
		}
		for i, id := range owner {
			name := fmt.Sprintf("e%d", i)
			c.Elements = append(c.Elements, taxonomy.Element{ID: name, Title: en(name), Description: en(name), CategoryID: id, SymbolID: "dot", Order: i + 1, IconVariants: c.Categories[0].IconVariants()})
		}
		r, err := taxonomy.NewRelease(v(n), c)
		require.NoError(t, err)
		return r
	}
	proposals = history.Propose(parts(1, []string{"a", "b"}, []string{"a", "a", "b"}), parts(2, []string{"b"}, []string{"b", "b", "b"}))
	require.Len(t, proposals, 1)
	require.Equal(t, history.Rename{Kind: codes.IDCategory, From: "a", To: "b", Since: v(2)}, *proposals[0].Renamed)
	require.Equal(t, "100 % of its elements are there", proposals[0].Because)
}

// TestExchanged finds ids that were exchanged without an entry, and one that left its title to
// a new one; an id with a new title of its own was only reworded. The last version of the same
// status counts.
func TestExchanged(t *testing.T) {
	v := taxonomy.MustVersion
	made := func(version string, elements, options []thing) *taxonomy.Release {
		return releaseOf(t, v(version), elements, options, []thing{{id: "x", title: "X"}})
	}
	older := []*taxonomy.Release{
		made("t@2026-01-01-stable", []thing{{id: "cam", title: "Camera"}, {id: "mic", title: "Microphone"}, {id: "map", title: "Map"}, {id: "box", title: "Box"}}, []thing{{id: "y", title: "Yes"}, {id: "n", title: "No"}}),
		made("t@2026-02-01-beta", []thing{{id: "cam", title: "Microphone"}, {id: "mic", title: "Camera."}, {id: "map", title: "Chart"}, {id: "box", title: "Crate"}, {id: "new", title: "box"}}, []thing{{id: "y", title: "No"}, {id: "n", title: "Yes"}}),
	}
	var got []string
	for _, u := range history.ReusedIDs(older[1], older) {
		require.True(t, u.Changed())
		require.Equal(t, older[0].Version(), u.Last)
		got = append(got, fmt.Sprintf("%s was %s, which %s is now", u.ID, u.LastTitle, u.Now))
	}
	require.Equal(t, []string{
		"y was Yes, which n is now", "n was No, which y is now",
		"cam was Camera, which mic is now", "mic was Microphone, which cam is now", "box was Box, which new is now",
	}, got)
	again := made("t@2026-03-01-stable", []thing{{id: "cam", title: "Camera"}, {id: "mic", title: "Microphone"}}, []thing{{id: "y", title: "Yes"}, {id: "n", title: "No"}})
	require.Empty(t, history.ReusedIDs(again, older), "what a beta version tried out")
	settled := history.With(older[1], &history.Evolution{Revived: []history.Revival{{Kind: codes.IDElement, ID: "box", Since: v("t@2026-02-01-beta"), Reason: "Any box"}}})
	require.Len(t, history.ReusedIDs(settled, older), 4)
}

// TestReusedCase finds ids of every kind that differ from an older one only in letter case,
// however long ago that was, unless a rename is recorded.
func TestReusedCase(t *testing.T) {
	v := func(n int) taxonomy.Version { return taxonomy.MustVersion(fmt.Sprintf("t@2026-0%d-01-beta", n)) }
	older := []*taxonomy.Release{
		releaseOf(t, v(1), []thing{{id: "cam", title: "Camera"}, {id: "mic", title: "Microphone"}}, []thing{{id: "yes", title: "Yes"}}, []thing{{id: "calm", title: "Calm"}}),
		releaseOf(t, v(2), []thing{{id: "mic", title: "Microphone"}}, []thing{{id: "o", title: "O"}}, []thing{{id: "calm", title: "Calm"}}),
	}
	r := releaseOf(t, v(3), []thing{{id: "Cam", title: "Campus"}, {id: "Mic", title: "Microphone"}}, []thing{{id: "YES", title: "Yes"}}, []thing{{id: "Calm", title: "Calm"}})
	issues := func(e *history.Evolution) (all []string) {
		for _, u := range history.ReusedIDs(history.With(r, e), older) {
			i := source.ReusedIssue(r.Version(), &u, issue.Position{})
			all = append(all, fmt.Sprintf("%s: %s", i.Severity, i.Message))
		}
		return all
	}
	want := []string{
		`warning: The context value Calm of c differs only in letter case from calm, which is "Calm" in t@2026-02-01-beta.`,
		`warning: The option YES of the variable v of c differs only in letter case from yes, which is "Yes" in t@2026-01-01-beta.`,
		`error: The element Cam differs only in letter case from cam, which is "Camera" in t@2026-01-01-beta.`,
		`warning: The element Mic differs only in letter case from mic, which is "Microphone" in t@2026-02-01-beta.`,
	}
	require.Equal(t, want, issues(nil))
	require.Equal(t, want[:3], issues(&history.Evolution{Renamed: []history.Rename{{Kind: codes.IDElement, From: "mic", To: "Mic", Since: v(3)}}}))
	require.Equal(t, want, issues(&history.Evolution{Removed: []history.RemovedID{{Removal: taxonomy.Removal{ID: "cam", Since: v(2)}}}}))
	require.Equal(t, []string{want[0], want[2], want[3]}, issues(&history.Evolution{Renamed: []history.Rename{{Kind: codes.IDOption, From: "yes", To: "YES", In: "c", Since: v(3)}}}))
	require.Equal(t, want[1:], issues(&history.Evolution{Revived: []history.Revival{{Kind: codes.IDContextValue, ID: "Calm", In: "c", Since: v(3), Reason: "The same"}}}))
}

// TestReusedOwners follows variables that elements inherit in one version and have on their
// own in another, and tells a category from an element with the same id.
func TestReusedOwners(t *testing.T) {
	v := func(n int) taxonomy.Version { return taxonomy.MustVersion(fmt.Sprintf("t@2026-0%d-01-beta", n)) }
	type owners struct{ category, element []taxonomy.Variable }
	of := func(n int, id string, o owners) *taxonomy.Release {
		category := taxonomy.Category{ID: id, Name: en("C"), Description: en("C"), Shape: taxonomy.Circle, Context: taxonomy.Context{Values: []taxonomy.ContextValue{}}, Variables: o.category}
		element := "e"
		if id == element {
			element = "f"
		}
		r, err := taxonomy.NewRelease(v(n), taxonomy.Content{
			Title: en("T"), Description: en("D"), Locales: []string{"en"}, Symbols: map[string]string{"dot": "<svg/>"},
			Type:       taxonomy.Type{ID: "t", Name: en("T"), Categories: []string{id}, Subchains: []taxonomy.Subchain{}},
			Categories: []taxonomy.Category{category},
			Elements: []taxonomy.Element{{
				ID: element, Title: en("E"), Description: en("E"), CategoryID: id, SymbolID: "dot", Order: 1,
				IconVariants: category.IconVariants(), Variables: slices.Concat(o.category, o.element),
			}},
		})
		require.NoError(t, err)
		return r
	}
	who := func(label string) []taxonomy.Variable { return []taxonomy.Variable{{ID: "who", Label: en(label)}} }
	for name, test := range map[string]struct {
		first, third owners
		id           string // of the category of the first version
		want         []string
	}{
		"inherited, then own":    {owners{category: who("Who")}, owners{element: who("World")}, "c", []string{"The variable who of e"}},
		"own, then inherited":    {owners{element: who("Who")}, owners{category: who("World")}, "c", []string{"The variable who of e"}},
		"inherited":              {owners{category: who("Who")}, owners{category: who("World")}, "c", []string{"The variable who of c"}},
		"of a category called e": {owners{category: who("Who")}, owners{element: who("World")}, "e", nil},
	} {
		t.Run(name, func(t *testing.T) {
			older := []*taxonomy.Release{of(1, test.id, test.first), of(2, "c", owners{})}
			var got []string
			for _, u := range history.ReusedIDs(of(3, "c", test.third), older) {
				got = append(got, u.String())
			}
			require.Equal(t, test.want, got)
		})
	}
}
