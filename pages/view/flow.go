package view

import (
	"cmp"
	"html/template"
	"slices"
	"strconv"

	"github.com/datachain-go/datachain/pages/phrases"
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
	Name    template.HTML
	Follows bool // another stage
	Steps   []stepView
}

// stepView is an element in a flow, which leads to its article.
type stepView struct {
	ID          int
	Icon, Title func(*markup)
	Label       template.HTML
}

// step returns a placement as a step of a flow. The ids of icons are unique to the flow.
func (f *flow) step(p *placement) stepView {
	prefix := "f" + strconv.Itoa(f.ID) + "-" + strconv.Itoa(p.id)
	return stepView{ID: p.id, Icon: func(m *markup) { p.draw(m, prefix) }, Title: p.writeTitle, Label: p.name()}
}

// ref is a reference to a flow.
type ref struct {
	Name template.HTML
	Flow int // the id of the flow, or 0 if it is not shown
	name phrases.Text
}

// subchain is a subchain of the datachain type.
type subchain struct {
	name phrases.Text
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
	members := make(map[string][]*placement)
	byRef := make(map[string]*placement)
	for _, s := range pg.Sections {
		for _, p := range s.Placements {
			if p.element.placed == 1 {
				byRef[p.ElementID] = p
			}
			if p.ElementInstanceID != "" {
				byRef[p.ElementInstanceID] = p
			}
			if id := p.SubchainInstanceID; id != "" {
				members[id] = append(members[id], p)
			}
		}
	}
	subchains := pg.subchains()
	names := make(map[string]ref)
	for i, in := range instances {
		name := ref{name: phrases.Raw(in.SubchainID)}
		if s, ok := subchains[in.SubchainID]; ok {
			name.name = s.name
		}
		name.Name = name.name.HTML()
		if len(members[in.ID]) > 0 {
			name.Flow = i + 1
		}
		names[in.ID] = name
	}
	for i, in := range instances {
		f := &flow{ID: i + 1, Name: pg.mark(names[in.ID].name, "").Block()}
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
		subchains[s.ID] = subchain{pg.locales.Name(s.Name, s.ID), order}
	}
	return subchains
}

// heads returns the elements that a flow starts from, each once, and adds other references
// to From.
func (f *flow) heads(in *taxonomy.SubchainInstance, byRef map[string]*placement, names map[string]ref) []*placement {
	var heads []*placement
	seen := make(map[string]bool)
	for _, id := range in.HeadRefs {
		if seen[id] {
			continue
		}
		seen[id] = true
		if p := byRef[id]; p != nil {
			heads = append(heads, p)
		} else if other, ok := names[id]; ok {
			f.From = append(f.From, other)
		} else {
			f.From = append(f.From, ref{Name: phrases.Raw(id).HTML()})
		}
	}
	return heads
}

// arrange makes the stages: the heads, then the categories of the subchain in its order,
// then the rest.
func (f *flow) arrange(heads, members []*placement, order map[string]int) {
	if len(heads) > 0 {
		start := &stage{Name: heads[0].section.name.HTML()}
		for _, p := range heads {
			if p.section != heads[0].section {
				start.Name = ""
			}
			start.Steps = append(start.Steps, f.step(p))
		}
		f.Stages = append(f.Stages, start)
	}
	isHead := make(map[*placement]bool, len(heads))
	for _, p := range heads {
		isHead[p] = true
	}
	rest := slices.DeleteFunc(slices.Clone(members), func(p *placement) bool { return isHead[p] })
	slices.SortStableFunc(rest, func(a, b *placement) int {
		return cmp.Compare(order[a.element.CategoryID], order[b.element.CategoryID])
	})
	for i, p := range rest {
		if i == 0 || rest[i-1].section != p.section {
			f.Stages = append(f.Stages, &stage{Name: p.section.name.HTML(), Follows: len(f.Stages) > 0})
		}
		last := f.Stages[len(f.Stages)-1]
		last.Steps = append(last.Steps, f.step(p))
	}
}

var flowsPart = part[flowsView]("flows")

type flowsView struct{ Flows []*flow }

// writeFlows writes the flows, if there are any.
func (pg *page) writeFlows(m *markup) {
	if len(pg.Flows) > 0 {
		flowsPart(m, &flowsView{pg.Flows})
	}
}
