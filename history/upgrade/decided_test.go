package upgrade_test

import (
	"encoding/json"
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
	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/validate"
)

// TestDecided moves valid documents of a sample over five versions. Their steward renames,
// merges, splits and moves what the taxonomy has, and records every decision. What was valid is
// valid in the last version, with nothing left to do, directly and step by step alike.
func TestDecided(t *testing.T) {
	compiled, err := source.CompileAll(os.DirFS("../../examples/taxonomies"), nil)
	require.NoError(t, err)
	done := make(map[upgrade.Kind]int)
	for seed := range uint64(18) {
		first := compiled.Versions[int(seed)%len(compiled.Versions)].Release
		s := &steward{generator: &generator{Rand: rand.New(rand.NewPCG(seed, 30))}, content: contentOf(first)}
		versions := []*taxonomy.Release{first}
		for month := 1; month <= 4; month++ {
			s.version = taxonomy.MustVersion(fmt.Sprintf("%s@2027-%02d-01-stable", first.Version().Type(), month))
			s.decide()
			versions = append(versions, s.release(t))
		}
		for i := range versions {
			versions[i] = history.With(versions[i], &s.e)
		}
		for range 3 {
			text := s.document(first)
			result, err := validate.Instance(first, parsed(t, text), nil)
			require.NoError(t, err)
			require.True(t, result.OK(), "seed %d: %v\n%s", seed, result.Issues, text)
			steps := text
			for i := range versions[1:] {
				step := upgraded(t, steps, versions[i], versions[i+1], nil)
				require.True(t, step.OK(), "seed %d: to %s:\n%s\n%s", seed, versions[i+1].Version(), lines(&step.Report), steps)
				steps = string(step.Document.Text())
			}
			direct := upgraded(t, text, first, versions[4], &upgrade.Options{Between: func() []*taxonomy.Release { return versions[1:4] }})
			require.True(t, direct.OK(), "seed %d:\n%s", seed, lines(&direct.Report))
			require.Equal(t, set(t, steps), set(t, string(direct.Document.Text())), "seed %d:\n%s", seed, lines(&direct.Report))
			for _, e := range direct.Report.Entries {
				done[e.Kind]++
			}
		}
	}
	for _, kind := range []upgrade.Kind{"element_replaced", "element_split", "variable_renamed", "option_renamed", "context_renamed"} {
		require.Greater(t, done[kind], 20, kind)
	}
}

// set returns the placements of a document, in any order. Those that became the same count once:
// directly, an element that was split and merged again is one.
func set(t *testing.T, text string) []string {
	t.Helper()
	var doc struct{ Elements []map[string]any }
	require.NoError(t, json.Unmarshal([]byte(text), &doc))
	var all []string
	for _, p := range doc.Elements {
		if variables, ok := p["variables"].([]any); ok {
			slices.SortFunc(variables, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
			if len(variables) == 0 {
				delete(p, "variables")
			}
		}
		all = append(all, fmt.Sprint(p))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// steward changes a taxonomy and records what became of its ids.
type steward struct {
	*generator
	version taxonomy.Version
	content taxonomy.Content
	e       history.Evolution
}

// contentOf returns a copy of the content of a release.
func contentOf(r *taxonomy.Release) taxonomy.Content {
	c := taxonomy.Content{
		Title: r.Manifest().Title, Description: r.Manifest().Description, Locales: r.Locales(), Synonyms: r.Manifest().Synonyms,
		Schemes: r.Manifest().Schemes, Type: *r.Type(), Symbols: make(map[string]string),
	}
	for _, id := range r.SymbolIDs() {
		c.Symbols[id], _ = r.Symbol(id)
	}
	for _, one := range r.Categories() {
		c.Categories = append(c.Categories, *one)
	}
	for _, e := range r.Elements() {
		one := *e
		one.Status, one.ReplacedBy = "", nil
		c.Elements = append(c.Elements, one)
	}
	return c
}

// release compiles what the steward has written. It shares nothing with later versions.
func (s *steward) release(t *testing.T) *taxonomy.Release {
	t.Helper()
	position := make(map[string]int)
	for i, id := range s.content.Type.Categories {
		position[id] = i
	}
	for i := range s.content.Elements {
		e := &s.content.Elements[i]
		c := &s.content.Categories[position[e.CategoryID]]
		e.Order, e.IconVariants = 0, c.IconVariants()
	}
	slices.SortFunc(s.content.Elements, func(a, b taxonomy.Element) int {
		if a.CategoryID != b.CategoryID {
			return position[a.CategoryID] - position[b.CategoryID]
		}
		return strings.Compare(a.ID, b.ID)
	})
	r, err := taxonomy.NewRelease(s.version, s.content)
	require.NoError(t, err)
	return r
}

func (s *steward) renamed(k taxonomy.IDKind, in, from, to string) {
	s.e.Renamed = append(s.e.Renamed, history.Rename{Kind: k, From: from, To: to, In: in, Since: s.version})
}

// decide makes the next version.
func (s *steward) decide() {
	s.copy()
	given := make(map[string]bool) // of this version
	for i := range s.content.Categories {
		s.changeCategory(&s.content.Categories[i])
	}
	for i := range s.content.Elements {
		s.changeElementParts(&s.content.Elements[i])
	}
	elements := s.content.Elements
	for i := 0; i < len(elements); i++ {
		e := &elements[i]
		switch old := e.ID; {
		case given[old]:
		case s.chance(6):
			e.ID = s.name("e")
			given[e.ID] = true
			s.renamed(codes.IDElement, "", old, e.ID)
			s.applies(old, e.ID)
		case s.chance(12): // becomes two
			e.ID = s.name("e")
			other := *e
			other.ID = s.name("e")
			given[e.ID], given[other.ID] = true, true
			s.e.Split = append(s.e.Split, history.Split{From: old, To: []string{e.ID, other.ID}, Since: s.version})
			s.applies(old, e.ID, other.ID)
			elements = append(elements, other)
		}
	}
	for i := len(elements) - 1; i > 0; i-- { // some take the place of others that have the same
		e, next := &elements[i], &elements[i-1]
		if s.chance(8) && !given[e.ID] && !given[next.ID] && e.CategoryID == next.CategoryID && e.MaxPlacements+next.MaxPlacements == 0 && sameParts(e, next) {
			s.e.Removed = append(s.e.Removed, history.RemovedID{Removal: taxonomy.Removal{ID: e.ID, ReplacedBy: []taxonomy.Successor{{ID: next.ID}}, Since: s.version}})
			s.applies(e.ID, next.ID)
			given[next.ID] = true
			elements = slices.Delete(elements, i, i+1)
		}
	}
	s.content.Elements = elements
}

func sameParts(a, b *taxonomy.Element) bool {
	ids := func(e *taxonomy.Element) string {
		var all []string
		for _, v := range e.Variables {
			all = append(all, fmt.Sprint(v.ID, v.Type, v.Required, len(v.Options)))
			for _, o := range v.Options {
				all = append(all, o.ID, fmt.Sprint(len(o.AppliesTo) > 0))
			}
		}
		return fmt.Sprint(all)
	}
	return ids(a) == ids(b)
}

// copy copies what versions must not share.
func (s *steward) copy() {
	variables := func(list []taxonomy.Variable) []taxonomy.Variable {
		list = slices.Clone(list)
		for i := range list {
			list[i].RenamedFrom = nil
			list[i].Options = slices.Clone(list[i].Options)
			for j := range list[i].Options {
				list[i].Options[j].AppliesTo = slices.Clone(list[i].Options[j].AppliesTo)
				list[i].Options[j].RenamedFrom = nil
			}
		}
		if list == nil {
			return []taxonomy.Variable{}
		}
		return list
	}
	c := &s.content
	c.Categories, c.Elements, c.Type.Categories, c.Type.Subchains = slices.Clone(c.Categories), slices.Clone(c.Elements), slices.Clone(c.Type.Categories), slices.Clone(c.Type.Subchains)
	for i := range c.Type.Subchains {
		c.Type.Subchains[i].Categories = slices.Clone(c.Type.Subchains[i].Categories)
	}
	for i := range c.Categories {
		one := &c.Categories[i]
		one.RenamedFrom, one.Context.Values = nil, slices.Clone(one.Context.Values)
		one.Cardinality.Max = 0 // splits need room
		if one.Context.Values == nil {
			one.Context.Values = []taxonomy.ContextValue{}
		}
		if one.Variables = variables(one.Variables); len(one.Variables) == 0 {
			one.Variables = nil
		}
	}
	for i := range c.Elements {
		c.Elements[i].Variables = variables(c.Elements[i].Variables)
	}
}

// changeCategory renames a category, context values, and variables and options that its elements inherit.
func (s *steward) changeCategory(c *taxonomy.Category) {
	old := c.ID
	if s.chance(4) {
		c.ID = s.name("c")
		s.renamed(codes.IDCategory, "", old, c.ID)
		replace(s.content.Type.Categories, old, c.ID)
		for i := range s.content.Type.Subchains {
			replace(s.content.Type.Subchains[i].Categories, old, c.ID)
		}
	}
	in := pick(s.generator, []string{old, c.ID}) // both are allowed
	for i := range c.Context.Values {
		if v := &c.Context.Values[i]; s.chance(4) {
			id := s.name("x")
			s.renamed(codes.IDContextValue, in, v.ID, id)
			v.ID = id
		}
	}
	variables, options := make(map[string]string), make(map[string]string)
	for _, v := range c.Variables {
		if s.chance(4) {
			variables[v.ID] = s.name("v")
			s.renamed(codes.IDVariable, in, v.ID, variables[v.ID])
		}
		for _, o := range v.Options {
			if s.chance(4) && options[o.ID] == "" {
				options[o.ID] = s.name("o")
				s.renamed(codes.IDOption, in, o.ID, options[o.ID])
			}
		}
	}
	if vs := slices.Sorted(maps.Keys(variables)); len(vs) > 1 && s.chance(2) { // two exchange their ids
		a, b := vs[0], vs[1]
		s.e.Renamed = slices.DeleteFunc(s.e.Renamed, func(r history.Rename) bool {
			return r.Kind == codes.IDVariable && r.Since == s.version && (r.From == a || r.From == b) && r.In == in
		})
		variables[a], variables[b] = b, a
		s.renamed(codes.IDVariable, in, a, b)
		s.renamed(codes.IDVariable, in, b, a)
	}
	inherited := make(map[string]bool)
	for _, v := range c.Variables {
		inherited[v.ID] = true
	}
	rename := func(list []taxonomy.Variable) {
		for i := range list {
			v := &list[i]
			if !inherited[v.ID] {
				continue
			}
			if id := variables[v.ID]; id != "" {
				v.ID = id
			}
			for j := range v.Options {
				if id := options[v.Options[j].ID]; id != "" {
					v.Options[j].ID = id
				}
			}
		}
	}
	rename(c.Variables)
	for i := range s.content.Elements {
		if e := &s.content.Elements[i]; e.CategoryID == old {
			e.CategoryID = c.ID
			rename(e.Variables)
			mention(e, variables)
		}
	}
}

// changeElementParts renames variables and options that only an element has.
func (s *steward) changeElementParts(e *taxonomy.Element) {
	i := slices.IndexFunc(s.content.Categories, func(c taxonomy.Category) bool { return c.ID == e.CategoryID })
	inherited := s.content.Categories[i].Variables
	for i := range e.Variables {
		v := &e.Variables[i]
		if slices.ContainsFunc(inherited, func(w taxonomy.Variable) bool { return w.ID == v.ID }) {
			continue
		}
		for j := range v.Options {
			if o := &v.Options[j]; s.chance(4) && !slices.ContainsFunc(inherited, func(w taxonomy.Variable) bool {
				return slices.ContainsFunc(w.Options, func(other taxonomy.Option) bool { return other.ID == o.ID })
			}) {
				id := s.name("o")
				s.renamed(codes.IDOption, e.ID, o.ID, id)
				o.ID = id
			}
		}
		if s.chance(4) {
			id := s.name("v")
			s.renamed(codes.IDVariable, e.ID, v.ID, id)
			mention(e, map[string]string{v.ID: id})
			v.ID = id
		}
	}
}

// mention renames variables in the texts of an element.
func mention(e *taxonomy.Element, variables map[string]string) {
	var pairs []string
	for old, id := range variables {
		pairs = append(pairs, "{{"+old+"}}", "{{"+id+"}}")
	}
	for _, text := range []*taxonomy.Localized{&e.Title, &e.Description} {
		*text = slices.Clone(*text)
		for i := range *text {
			(*text)[i].Value = strings.NewReplacer(pairs...).Replace((*text)[i].Value)
		}
	}
}

// applies replaces an element in the options that apply to it.
func (s *steward) applies(id string, to ...string) {
	change := func(list []taxonomy.Variable) {
		for i := range list {
			for j := range list[i].Options {
				o := &list[i].Options[j]
				if k := slices.Index(o.AppliesTo, id); k >= 0 {
					o.AppliesTo = slices.Delete(o.AppliesTo, k, k+1)
					for _, next := range to {
						if !slices.Contains(o.AppliesTo, next) {
							o.AppliesTo = append(o.AppliesTo, next)
						}
					}
				}
			}
		}
	}
	for i := range s.content.Categories {
		change(s.content.Categories[i].Variables)
	}
	for i := range s.content.Elements {
		change(s.content.Elements[i].Variables)
	}
}

func replace(list []string, old, id string) {
	if i := slices.Index(list, old); i >= 0 {
		list[i] = id
	}
}

// document makes a valid document: as many placements as categories demand, and some more, with
// all that is required.
func (s *steward) document(r *taxonomy.Release) string {
	var placements []any
	for _, c := range r.Categories() {
		elements := slices.Clone(r.ElementsOf(c.ID))
		if len(elements) == 0 {
			continue
		}
		n := c.Cardinality.Min
		if c.Required {
			n = max(n, 1)
		}
		if n += s.IntN(3); c.Cardinality.Max > 0 {
			n = min(n, c.Cardinality.Max)
		}
		s.Shuffle(len(elements), func(i, j int) { elements[i], elements[j] = elements[j], elements[i] })
		for _, e := range elements[:min(n, len(elements))] {
			placements = append(placements, s.filled(c, e))
		}
	}
	text, err := json.MarshalIndent(map[string]any{
		"id": "d", "schema_version": r.Version().String(), "created_at": "2026-02-01T10:00Z", "elements": placements,
	}, "", "  ")
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (s *steward) filled(c *taxonomy.Category, e *taxonomy.Element) map[string]any {
	p := map[string]any{"element_id": e.ID}
	if len(c.Context.Values) > 0 {
		p["context_type_id"] = pick(s.generator, c.Context.Values).ID
	}
	var variables []any
	for _, v := range e.Variables {
		if !v.Required && s.chance(3) {
			continue
		}
		var value any = []any{map[string]any{"locale": "en", "value": s.name("Text ")}}
		if v.Type == taxonomy.SelectVariable {
			var ids []string
			for _, o := range v.Options {
				if (len(o.AppliesTo) == 0 || slices.Contains(o.AppliesTo, e.ID)) && (len(ids) == 0 || s.chance(2)) {
					ids = append(ids, o.ID)
				}
			}
			if value = ids; ids == nil {
				continue
			}
		}
		variables = append(variables, map[string]any{"id": v.ID, "value": value})
	}
	if variables != nil {
		p["variables"] = variables
	}
	return p
}
