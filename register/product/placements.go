package product

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// placement is a placement of one of the documents.
type placement struct {
	at                document.Value
	index             int // in its list
	element, instance string
	*object
	parts map[string]int // what it says, to find the most similar one
}

// placementsOf returns the placements of a document.
func placementsOf(elements document.Value) (list []*placement) {
	if elements.Kind() != '[' {
		return nil
	}
	i := -1
	for v := range elements.All() {
		i++
		if v.Kind() != '{' {
			continue
		}
		p := &placement{at: v, index: i, object: members(v)}
		p.element, p.instance = p.get("element_id").Text(), p.get("element_instance_id").Text()
		list = append(list, p)
	}
	return list
}

// names returns what the placements are called in units: the element, with the instance id or, if
// several of an element have none, a number.
func names(list []*placement) map[*placement]string {
	unnamed := make(map[string]int)
	for _, p := range list {
		if p.instance == "" {
			unnamed[p.element]++
		}
	}
	name, number := make(map[*placement]string, len(list)), make(map[string]int)
	for _, p := range list {
		name[p] = p.element
		switch {
		case p.instance != "":
			name[p] += "#" + p.instance
		case unnamed[p.element] > 1:
			if number[p.element]++; number[p.element] > 1 {
				name[p] += "#" + strconv.Itoa(number[p.element])
			}
		}
	}
	return name
}

// placements merges the placements.
func (m *merger) placements(base, theirs, ours document.Value) {
	b, t, o := placementsOf(base), placementsOf(theirs), placementsOf(ours)
	toOurs, guessed := match(b, o)
	toTheirs, _ := match(b, t)
	fromTheirs := make(map[*placement]*placement, len(t))
	free, added := remaining(o, toOurs), remaining(t, toTheirs)
	for before, now := range toTheirs {
		fromTheirs[now] = before
	}
	alsoOurs, more := match(added, free)
	ourNames, theirNames := names(o), names(t)
	for _, p := range append(guessed, more...) {
		n := &note{at: p.at}
		n.Kind, n.Class, n.Unit = kindMatched, upgrade.Review, unitName(ourNames[p])
		n.Message = fmt.Sprintf("The placement of %s has no element_instance_id, and is taken for the most similar one of the product.", ident.Name(p.element))
		n.FixHint = "add the element_instance_id that the product has, if it is the right one"
		m.notes = append(m.notes, n)
	}
	subchains := make(map[string]bool)
	if list, _ := m.doc.Root().Get("subchain_instances"); list.Kind() == '[' {
		for v := range list.All() {
			id, _ := v.Get("id")
			subchains[id.Text()] = true
		}
	}
	seen := make(map[*placement]bool, len(o))
	for _, now := range t {
		before := fromTheirs[now]
		own := alsoOurs[now]
		if before != nil {
			own = toOurs[before]
		}
		switch {
		case !m.proceed():
			return
		case own != nil:
			seen[own] = true
			m.placement(ourNames[own], before, now, own)
		case before == nil:
			m.newPlacement(theirNames[now], now, ours, subchains)
		case canonical(before.at) != canonical(now.at):
			m.decide(unit{
				path: theirNames[now], class: upgrade.NeedsPerson, kind: kindBothChanged, at: ours,
				change: "both changed: you removed it, and the product changed it",
				apply:  m.addition(now, ours, subchains),
			})
		}
	}
	gone := func(own *placement, name string) {
		m.decide(unit{
			path: name, class: upgrade.NeedsPerson, kind: kindRemoved, at: own.at, change: "the product does not have it", removes: true,
			apply: func(*note) { m.edit.Remove(ours, own.index) },
		})
	}
	for _, before := range b {
		own := toOurs[before]
		if toTheirs[before] == nil && own != nil && m.proceed() {
			gone(own, ourNames[own])
		}
	}
	for _, own := range o {
		if m.baseLost && !seen[own] && m.proceed() {
			gone(own, ourNames[own])
		}
	}
}

// remaining returns the placements that are not among those that were matched.
func remaining(list []*placement, matched map[*placement]*placement) (rest []*placement) {
	used := make(map[*placement]bool, len(matched))
	for _, p := range matched {
		used[p] = true
	}
	for _, p := range list {
		if !used[p] {
			rest = append(rest, p)
		}
	}
	return rest
}

// newPlacement decides about a placement that the supplier added.
func (m *merger) newPlacement(name string, now *placement, elements document.Value, subchains map[string]bool) {
	u := unit{path: name, class: upgrade.Done, kind: kindAdded, at: elements, change: "added", apply: m.addition(now, elements, subchains)}
	r, gaps := m.rolesOf(now.element), []string{}
	for v := range now.get("variables").All() {
		id, _ := v.Get("id")
		value, _ := v.Get("value")
		switch {
		case isGap(value):
			gaps = append(gaps, ident.Name(id.Text()))
		case r.guarded[id.Text()]:
			u.class, u.kind = upgrade.NeedsPerson, kindContactChanged
		}
	}
	if len(gaps) > 0 {
		u.change += ", to be filled in: " + strings.Join(gaps[:min(len(gaps), 20)], ", ")
	}
	switch {
	case now.get("actions").Len() > 0:
		u.class, u.kind = upgrade.NeedsPerson, kindActionsChanged
	case r.accountable:
		u.class, u.kind = upgrade.NeedsPerson, kindAccountable
	}
	if m.baseLost {
		u.class = upgrade.NeedsPerson
	}
	m.decide(u)
}

// addition returns a function that adds a placement of the product to ours, without a link to a subchain that ours
// does not have.
func (m *merger) addition(now *placement, elements document.Value, subchains map[string]bool) func(*note) {
	return func(n *note) {
		text := []byte{'{'}
		for _, key := range now.keys {
			v := now.get(key)
			if key == "subchain_instance_id" && !subchains[v.Text()] {
				continue
			}
			if len(text) > 1 {
				text = append(text, ',')
			}
			text = append(append(jcs.AppendQuote(text, key), ':'), compact(v)...)
		}
		n.below = n.below.Index(m.edit.Add(elements, "", append(text, '}')))
	}
}

// placement merges a placement that both have. Before is nil if the base did not have it.
func (m *merger) placement(name string, before, now, own *placement) {
	b := &object{}
	if before != nil {
		b = before.object
	}
	for _, key := range unionKeys(now.object, b) {
		s := sides{b.get(key), now.get(key), own.get(key), own.at}
		switch key {
		case "element_id", "element_instance_id", "variables":
		case "context_type_id":
			m.value(name+"/context", key, s, asking)
		case "label":
			m.value(name+"/label", key, s, rewording)
		case "sources":
			m.value(name+"/sources", key, s, extending)
		default:
			m.value(name+"/"+key, key, s, asking)
		}
	}
	m.variables(name, own, b.get("variables"), now.get("variables"), own.get("variables"))
}

// variables merges the variables of a placement.
func (m *merger) variables(name string, own *placement, base, theirs, ours document.Value) {
	b, t, o := byID(base), byID(theirs), byID(ours)
	lists := []*object{t, b}
	if m.baseLost {
		lists = append(lists, o)
	}
	guarded := m.rolesOf(own.element).guarded
	for _, id := range unionKeys(lists...) {
		if !m.proceed() {
			return
		}
		path := name + "/" + id
		switch id {
		case "context", "label", "sources", "actions":
			path = name + "/variables/" + id // which are other parts of the placement
		}
		before, now, mine := b.get(id), t.get(id), o.get(id)
		switch {
		case mine.Exists() && now.Exists():
			m.variable(path, sides{before, now, mine, own.at}, guarded[id])
		case mine.Exists():
			m.decide(unit{
				path: path, class: upgrade.NeedsPerson, kind: kindRemoved, at: mine, change: "the product does not have it", removes: true,
				apply: func(*note) { m.edit.Remove(ours, indexOf(ours, mine)) },
			})
		case now.Exists():
			m.newVariable(path, sides{before, now, ours, own.at}, guarded[id])
		}
	}
}

// newVariable decides about a variable that ours does not have.
func (m *merger) newVariable(path string, s sides, guarded bool) {
	c := m.compare(canonical(s.base), canonical(s.theirs), "")
	if c == unchanged {
		return // ours removed it
	}
	value, _ := s.theirs.Get("value")
	u := unit{path: path, class: upgrade.Done, kind: kindAdded, at: s.parent, change: "added: " + shown(value)}
	switch {
	case c == bothChanged && !m.baseLost:
		u.kind, u.change = kindBothChanged, "both changed: you removed it, and the product changed it"
	case isGap(value):
		u.change = "added, to be filled in"
	case guarded:
		u.class, u.kind = upgrade.NeedsPerson, kindContactChanged
	}
	u.class = m.class(c, u.class)
	u.apply = func(n *note) {
		if s.ours.Exists() {
			n.at, n.below = s.ours, n.below.Index(m.edit.Add(s.ours, "", compact(s.theirs)))
			return
		}
		n.below = n.below.Key("variables").Index(m.edit.AddTo(s.parent, "variables", compact(s.theirs)))
	}
	m.decide(u)
}

// variable merges the value of a variable that both have: a text language by language, and options
// as a whole.
func (m *merger) variable(path string, s sides, guarded bool) {
	v := sides{parent: s.ours}
	v.base, _ = s.base.Get("value")
	v.theirs, _ = s.theirs.Get("value")
	v.ours, _ = s.ours.Get("value")
	if isOptions(v.base) || isOptions(v.theirs) || isOptions(v.ours) {
		if empty := !v.base.Exists() || isGap(v.base); empty && isGap(v.theirs) {
			return // a gap, filled in or not
		}
		if m.baseLost && isGap(v.theirs) {
			return
		}
		m.value(path, "value", v, func(base, theirs document.Value) upgrade.Class {
			if guarded {
				return upgrade.NeedsPerson
			}
			return extending(base, theirs)
		})
	} else {
		m.localized(path, "value", v, guarded)
	}
	b, t := members(s.base), members(s.theirs)
	for _, key := range unionKeys(t, b) {
		if key != "id" && key != "value" {
			own, _ := s.ours.Get(key)
			m.value(path+"/"+key, key, sides{b.get(key), t.get(key), own, s.ours}, asking)
		}
	}
}

// byID returns the variables of a placement by their ids, the first of two with the same.
func byID(list document.Value) *object {
	o := &object{values: make(map[string]document.Value)}
	if list.Kind() != '[' {
		return o
	}
	for v := range list.All() {
		id, _ := v.Get("id")
		if _, again := o.values[id.Text()]; !again && v.Kind() == '{' {
			o.keys, o.values[id.Text()] = append(o.keys, id.Text()), v
		}
	}
	return o
}

// indexOf returns the index of an item of a list.
func indexOf(list, item document.Value) int {
	i := 0
	for v := range list.All() {
		if v == item {
			break
		}
		i++
	}
	return i
}

// isOptions reports whether a value is that of a select variable.
func isOptions(value document.Value) bool {
	first, ok := document.Value{}, false
	if value.Kind() == '[' {
		first, ok = value.At(0)
	}
	return ok && first.Kind() == '"'
}

// isGap reports whether a value is to be filled in: there is nothing in it, or only blank texts.
func isGap(value document.Value) bool {
	if value.Kind() != '[' {
		return !value.Exists()
	}
	for t := range value.All() {
		if t.Kind() != '{' || textOf(t) != "" {
			return false
		}
	}
	return true
}
