package view

import (
	"cmp"
	"html/template"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// flow is a subchain instance: a sequence of stages.
type flow struct {
	ID     int
	Name   template.HTML
	Stages []*stage
	// From are the heads that are not elements: other flows, or unknown references.
	From []ref
}

// stage is the elements of one category, side by side.
type stage struct {
	Name  template.HTML
	Steps []step
}

// step is an element in a flow.
type step struct {
	card *card
	flow int
}

// ref is a reference to a flow.
type ref struct {
	Name template.HTML
	Flow int // the id of the flow, or 0 if it is not shown
	name text
}

// subchain is a subchain of the datachain type.
type subchain struct {
	name text
	// order sorts the categories of the subchain before others: it is negative.
	order map[string]int
}

// readFlows makes a flow of each subchain instance with elements, in their order.
func (pg *page) readFlows() {
	instances := make([]*taxonomy.SubchainInstance, len(pg.doc.SubchainInstances))
	for i := range instances {
		instances[i] = &pg.doc.SubchainInstances[i]
	}
	slices.SortStableFunc(instances, func(a, b *taxonomy.SubchainInstance) int { return cmp.Compare(orZero(a.Order), orZero(b.Order)) })
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
			if id := c.placed.SubchainInstanceID; id != "" {
				members[id] = append(members[id], c)
			}
		}
	}
	subchains := pg.subchains()
	names := make(map[string]ref)
	for i, in := range instances {
		name := ref{name: plain(in.SubchainID)}
		if s, ok := subchains[in.SubchainID]; ok {
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
		f.arrange(f.heads(in, byRef, names), members[in.ID], subchains[in.SubchainID].order)
		if len(f.Stages) > 0 {
			pg.Flows = append(pg.Flows, f)
		}
	}
}

// subchains returns the subchains of the datachain type by id.
func (pg *page) subchains() map[string]subchain {
	list := pg.doc.SchemaSnapshot.DatachainType.Subchains
	subchains := make(map[string]subchain, len(list))
	for i := range list {
		s := &list[i]
		order := make(map[string]int, len(s.Categories))
		for k, id := range s.Categories {
			order[id] = k - len(s.Categories)
		}
		subchains[s.ID] = subchain{pg.name(s.Name, s.ID), order}
	}
	return subchains
}

// heads returns the elements that a flow starts from, each once, and adds other references
// to From.
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

// arrange makes the stages: the heads, then the categories of the subchain in its order,
// then the rest.
func (f *flow) arrange(heads, members []*card, order map[string]int) {
	if len(heads) > 0 {
		start := &stage{Name: heads[0].section.name.html()}
		for _, c := range heads {
			if c.section != heads[0].section {
				start.Name = ""
			}
			start.Steps = append(start.Steps, step{c, f.ID})
		}
		f.Stages = append(f.Stages, start)
	}
	isHead := make(map[*card]bool, len(heads))
	for _, c := range heads {
		isHead[c] = true
	}
	rest := slices.DeleteFunc(slices.Clone(members), func(c *card) bool { return isHead[c] })
	slices.SortStableFunc(rest, func(a, b *card) int {
		return cmp.Compare(order[a.element.CategoryID], order[b.element.CategoryID])
	})
	for i, c := range rest {
		if i == 0 || rest[i-1].section != c.section {
			f.Stages = append(f.Stages, &stage{Name: c.section.name.html()})
		}
		last := f.Stages[len(f.Stages)-1]
		last.Steps = append(last.Steps, step{c, f.ID})
	}
}

// orZero returns a number that a document can omit.
func orZero(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}
