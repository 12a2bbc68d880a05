package view

import (
	"cmp"
	"html/template"
	"slices"
	"strconv"

	"github.com/datachain-go/datachain/taxonomy"
)

// flow is a subchain instance: stages that lead from one to the next.
type flow struct {
	ID     int
	Name   template.HTML
	Stages []*stage
	// From are what it starts from besides elements: other flows, or what the
	// document does not have.
	From []ref
}

// stage is what stands side by side in a flow: elements of one category.
type stage struct {
	Name  template.HTML
	Steps []step
}

// step is an element in a flow.
type step struct {
	card *card
	flow int
}

// shownStep is what the template shows of a step.
type shownStep struct {
	ID                int
	Icon, Title, Name template.HTML
}

// Shown reads the step. The icon has ids of its own.
func (s step) Shown() shownStep {
	c := s.card
	icon := c.draw("f" + strconv.Itoa(s.flow) + "-" + strconv.Itoa(c.id))
	return shownStep{c.id, icon, c.element.load().title.html(), c.name()}
}

// ref is a reference to a flow, or to nothing that is there.
type ref struct {
	Name template.HTML
	// Flow is the id of the flow, 0 for none.
	Flow int
	name text
}

// subchain is one of the datachain type.
type subchain struct {
	name text
	// place sorts its categories before those that it does not have.
	place map[string]int
}

func (pg *page) newSubchain(s *taxonomy.Subchain) *subchain {
	n := &subchain{pg.name(s.Name, s.ID), make(map[string]int, len(s.Categories))}
	for i, id := range s.Categories {
		n.place[id] = i - len(s.Categories)
	}
	return n
}

// readFlows makes a flow of each subchain instance that has something in it, in
// their order.
func (pg *page) readFlows() {
	instances := make([]*taxonomy.SubchainInstance, len(pg.doc.SubchainInstances))
	for i := range instances {
		instances[i] = &pg.doc.SubchainInstances[i]
	}
	slices.SortStableFunc(instances, func(a, b *taxonomy.SubchainInstance) int { return cmp.Compare(a.Order, b.Order) })
	members := make(map[string][]*card)
	byRef := make(map[string]*card)
	for _, s := range pg.Sections {
		for _, c := range s.Cards {
			if c.element.placed == 1 {
				byRef[c.placed.ElementID] = c
			}
			if c.placed.ElementInstanceID != "" {
				byRef[c.placed.ElementInstanceID] = c
			}
			if c.placed.SubchainInstanceID != "" {
				members[c.placed.SubchainInstanceID] = append(members[c.placed.SubchainInstanceID], c)
			}
		}
	}
	subchains := make(map[string]*subchain)
	for i := range pg.doc.SchemaSnapshot.DatachainType.Subchains {
		s := &pg.doc.SchemaSnapshot.DatachainType.Subchains[i]
		subchains[s.ID] = pg.newSubchain(s)
	}
	names := make(map[string]ref)
	for i, in := range instances {
		name := ref{name: plain(in.SubchainID)}
		if s := subchains[in.SubchainID]; s != nil {
			name.name = s.name
		}
		name.Name = name.name.html()
		if len(members[in.ID]) > 0 {
			name.Flow = i + 1
		}
		names[in.ID] = name
	}
	for i, in := range instances {
		f := &flow{ID: i + 1, Name: pg.mark(names[in.ID].name, "").block()}
		heads := f.heads(in, byRef, names)
		f.arrange(heads, members[in.ID], subchains[in.SubchainID])
		if len(f.Stages) > 0 {
			pg.Flows = append(pg.Flows, f)
		}
	}
}

// heads returns the elements that a flow starts from, each once, and notes what
// else it starts from.
func (f *flow) heads(in *taxonomy.SubchainInstance, byRef map[string]*card, names map[string]ref) []*card {
	var heads []*card
	seen := make(map[string]bool)
	for _, id := range in.HeadRefs {
		if seen[id] {
			continue
		}
		seen[id] = true
		if c := byRef[id]; c != nil {
			heads = append(heads, c)
		} else if other, ok := names[id]; ok {
			f.From = append(f.From, other)
		} else {
			f.From = append(f.From, ref{Name: plain(id).html()})
		}
	}
	return heads
}

// arrange makes the stages: what the flow starts from, then the categories of the
// subchain in their order, then the rest.
func (f *flow) arrange(heads, members []*card, s *subchain) {
	first := make(map[*card]bool, len(heads))
	start := new(stage)
	for i, c := range heads {
		first[c] = true
		if i == 0 {
			start.Name = c.section.name.html()
		} else if c.section != heads[0].section {
			start.Name = ""
		}
		start.Steps = append(start.Steps, step{c, f.ID})
	}
	if len(heads) > 0 {
		f.Stages = append(f.Stages, start)
	}
	var place map[string]int
	if s != nil {
		place = s.place
	}
	rest := slices.DeleteFunc(slices.Clone(members), func(c *card) bool { return first[c] })
	slices.SortStableFunc(rest, func(a, b *card) int {
		return cmp.Compare(place[a.element.CategoryID], place[b.element.CategoryID])
	})
	for i, c := range rest {
		if i == 0 || rest[i-1].section != c.section {
			f.Stages = append(f.Stages, &stage{Name: c.section.name.html()})
		}
		last := f.Stages[len(f.Stages)-1]
		last.Steps = append(last.Steps, step{c, f.ID})
	}
}
