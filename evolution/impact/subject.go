package impact

import (
	"slices"

	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// subject is a document that is judged.
type subject struct {
	*Judge
	instance   *taxonomy.Instance
	placements []placement
	// How often each element is placed, and each category of the new release.
	elements, categories map[string]int
}

// placement is a placement of an element that the old version has.
type placement struct {
	*taxonomy.Placement
	at            issue.Path
	before, after *taxonomy.Element // after is nil if the element was removed
}

func (j *Judge) newSubject(instance *taxonomy.Instance) *subject {
	d := &subject{Judge: j, instance: instance, elements: make(map[string]int), categories: make(map[string]int)}
	for i := range instance.Elements {
		p := placement{Placement: &instance.Elements[i], at: issue.Root.Key("elements").Index(i)}
		before, known := j.before.Element(p.ElementID)
		if !known {
			continue // a suggested element
		}
		p.before = before
		d.elements[p.ElementID]++
		if after, ok := j.after.Element(p.ElementID); ok {
			p.after = after
			d.categories[after.CategoryID]++
		}
		d.placements = append(d.placements, p)
	}
	return d
}

// hits returns the changes that concern the document, of those that count.
func (d *subject) hits(counts func(*diff.Change) bool) []Hit {
	places := make(map[int][]issue.Path)
	for _, i := range d.whole {
		c := &d.report.Changes[i]
		if !counts(c) {
			continue
		}
		if at := documentRules[c.Rule](d, c); len(at) > 0 {
			places[i] = at
		}
	}
	for k := range d.placements {
		p := &d.placements[k]
		concerned := d.byElement[p.ElementID]
		if p.after != nil {
			concerned = slices.Concat(concerned, d.byCategory[p.after.CategoryID])
		}
		for _, i := range concerned {
			c := &d.report.Changes[i]
			if !counts(c) {
				continue
			}
			if at, hit := placementRules[c.Rule](d, c, p); hit {
				places[i] = append(places[i], at)
			}
		}
	}
	hits := make([]Hit, 0, len(places))
	for i, at := range places {
		hits = append(hits, Hit{i, at})
	}
	slices.SortFunc(hits, func(a, b Hit) int { return a.Change - b.Change })
	return hits
}

// value returns the value that a placement gives a variable, and its place.
func (p *placement) value(variable string) (*taxonomy.VariableValue, issue.Path) {
	for i := range p.Variables {
		if p.Variables[i].ID == variable {
			return &p.Variables[i], p.at.Key("variables").Index(i)
		}
	}
	return nil, nil
}

// option returns the place where a placement chooses an option, or nil.
func (p *placement) option(variable, id string) issue.Path {
	v, at := p.value(variable)
	if v == nil {
		return nil
	}
	i := slices.Index(v.Options, id)
	if i < 0 {
		return nil
	}
	return at.Key("value").Index(i)
}

// variables returns a variable of the placed element as it was and as it is, given its
// new id; nil if there is none.
func (p *placement) variables(id string) (before, after *taxonomy.Variable) {
	if p.after == nil {
		return nil, nil
	}
	after, _ = p.after.Variable(id)
	before, _ = p.before.Variable(id)
	if before == nil && after != nil {
		for _, old := range after.RenamedFrom {
			if before, _ = p.before.Variable(old); before != nil {
				break
			}
		}
	}
	return before, after
}

func option(v *taxonomy.Variable, id string) *taxonomy.Option {
	if v == nil {
		return nil
	}
	i := slices.IndexFunc(v.Options, func(o taxonomy.Option) bool { return o.ID == id })
	if i < 0 {
		return nil
	}
	return &v.Options[i]
}
