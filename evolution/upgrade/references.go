package upgrade

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/evolution/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// head is an entry of head_refs.
type head struct {
	list  document.Value
	index int
}

func (h head) value() document.Value {
	v, _ := h.list.At(h.index)
	return v
}

// follower moves what refers to placements: the keys of element_provenance, and head_refs.
type follower struct {
	*upgrader
	provenance document.Value
	keys       map[string]document.Value
	indexes    map[string]int // of the keys
	heads      map[string][]head
	after      map[string]int // how often the new document places an element
	instances  map[string]int // the first placement of an element_instance_id
}

// references lets references follow the placements that they refer to: by
// element_instance_id, or by an element_id that is placed once.
func (m *upgrader) references() {
	f := follower{
		upgrader: m, keys: make(map[string]document.Value), indexes: make(map[string]int), heads: make(map[string][]head),
		after: m.placements(), instances: make(map[string]int),
	}
	provenance, _ := m.doc.Root().Get("authoring_provenance")
	f.provenance, _ = provenance.Get("element_provenance")
	for entry := range f.provenance.All() {
		f.indexes[entry.Key()] = len(f.keys)
		f.keys[entry.Key()] = entry
	}
	chains, _ := m.doc.Root().Get("subchain_instances")
	own := make(map[string]bool) // a subchain can start from another one
	for i := range m.instance.SubchainInstances {
		own[m.instance.SubchainInstances[i].ID] = true
	}
	for chain := range chains.All() {
		list, _ := chain.Get("head_refs")
		for i := range list.Len() {
			h := head{list, i}
			if id := h.value().Text(); !own[id] {
				f.heads[id] = append(f.heads[id], h)
			}
		}
	}
	before := make(map[string]int)
	for i := range m.placed {
		p := &m.placed[i]
		before[p.given.ElementID]++
		if id := p.given.ElementInstanceID; id != "" {
			if _, taken := f.instances[id]; !taken {
				f.instances[id] = i
			}
		}
	}
	for i := 0; i < len(m.placed) && m.goOn(i); i++ {
		p := &m.placed[i]
		if id := p.given.ElementInstanceID; id != "" && f.instances[id] == i {
			f.follow(p, id, id)
		}
		id := p.given.ElementID
		if _, isInstance := f.instances[id]; before[id] == 1 && !isInstance {
			f.follow(p, id, f.newName(p))
		}
	}
}

// newName returns what a placement is referred to by in the new document, if it was
// referred to by its element_id.
func (f *follower) newName(p *placed) string {
	old := p.given.ElementID
	if p.dropped || !f.used(old) {
		return old
	}
	_, isInstance := f.instances[p.target]
	if f.after[p.target] == 1 && !isInstance && (!p.moved() || !f.used(p.target)) {
		return p.target
	}
	if id := p.given.ElementInstanceID; id != "" && !f.used(id) {
		return id
	}
	if p.given.ElementInstanceID != "" {
		return old // both names are taken; validating the new document tells
	}
	taken := func(id string) bool {
		_, taken := f.instances[id]
		return taken || f.after[id] > 0 || id != old && f.used(id)
	}
	id := old
	for n := 1; taken(id); n++ {
		id = p.target + "-" + strconv.Itoa(n)
	}
	f.instances[id] = p.index
	f.edit.Add(p.at, "element_instance_id", quote(id))
	f.done(kindInstanceIDAdded, p.at, "Added the element_instance_id %s, because %s does not identify the placement any more.", ident.Name(id), ident.Name(p.target))
	return id
}

// used reports whether anything refers to a name.
func (f *follower) used(id string) bool {
	_, key := f.keys[id]
	return key || len(f.heads[id]) > 0
}

// follow moves what refers to a placement from one name to another.
func (f *follower) follow(p *placed, before, now string) {
	entry, keyed := f.keys[before]
	heads := f.heads[before]
	if p.dropped {
		if keyed {
			f.edit.Remove(f.provenance, f.indexes[before])
			f.noteRemoved(kindReferenceDropped, entry, "Dropped the provenance of %s with its placement: %s", ident.Name(before), excerpt(entry))
		}
		for _, h := range heads {
			f.edit.Remove(h.list, h.index)
			f.noteRemoved(kindReferenceDropped, h.value(), "Dropped %s from head_refs with its placement.", ident.Name(before))
		}
		return
	}
	if keyed {
		f.rationale(p, entry)
	}
	if before == now {
		return
	}
	if keyed {
		f.edit.RenameKey(entry, now)
		f.done(kindReferenceFollowed, entry, "Renamed the key %s of element_provenance to %s.", ident.Name(before), ident.Name(now))
	}
	for _, h := range heads {
		f.edit.Replace(h.value(), quote(now))
		f.done(kindReferenceFollowed, h.value(), "Changed %s in head_refs to %s.", ident.Name(before), ident.Name(now))
	}
}

// rationale lets the keys of variable_rationale follow the variables.
func (f *follower) rationale(p *placed, entry document.Value) {
	rationale, _ := entry.Get("variable_rationale")
	if rationale.Kind() != '{' {
		return
	}
	given := make(map[string]bool)
	for reason := range rationale.All() {
		given[reason.Key()] = true
	}
	i := -1
	for reason := range rationale.All() {
		i++
		id := reason.Key()
		now, changed := p.renamed[id]
		if !changed && p.element != nil { // it need not have a value
			switch outcome := f.past.Variable(history.ElementOwner(p.element), id); {
			case len(outcome.Renamed) == 1:
				now = outcome.Renamed[0].ID
			case outcome.Same == nil && len(outcome.Renamed) == 0:
				changed = f.opts.Drop && hadVariable(p, id)
			}
		}
		switch {
		case changed && now == "":
			f.edit.Remove(rationale, i)
			f.noteRemoved(kindReferenceDropped, reason, "Dropped the rationale of the variable %s with it: %s", ident.Name(id), excerpt(reason))
		case now == "" || given[now]: // validating the new document tells
		default:
			given[now] = true
			f.edit.RenameKey(reason, now)
			f.done(kindReferenceFollowed, reason, "Renamed the key %s of variable_rationale to %s.", ident.Name(id), ident.Name(now))
		}
	}
}

// hadVariable reports whether a placement could have a variable before: whether the old
// element had it, or is not known.
func hadVariable(p *placed, id string) bool {
	if p.old == nil {
		return true
	}
	_, had := p.old.Variable(id)
	return had
}

// reworded is a text that says something else in the new version.
type reworded struct {
	what        string
	locale      string
	before, now string
}

// compare returns a text that differs in a language that both versions have, the first
// in the order of the new version. A translation that was added or removed does not
// change what a document says.
func (m *upgrader) compare(what string, before, now taxonomy.Localized) []reworded {
	return m.compareBy(wording.SameWords, what, before, now)
}

// compareBy compares texts of which some that differ say the same.
func (m *upgrader) compareBy(same func(before, now string) bool, what string, before, now taxonomy.Localized) []reworded {
	for _, t := range now {
		if old, ok := before.Get(t.Locale); ok && !same(old, t.Value) {
			return []reworded{{what, t.Locale, old, t.Value}}
		}
	}
	return nil
}

// reword notes that something that a document uses was reworded, once for each thing.
func (m *upgrader) reword(kind Kind, at document.Value, thing string, texts ...[]reworded) {
	var parts []string
	for _, list := range texts {
		for _, t := range list {
			now, before := differing(t.now, t.before)
			parts = append(parts, fmt.Sprintf("the %s is now %q (%s, before: %q)", t.what, now, t.locale, before))
		}
	}
	if key := string(kind) + " " + thing; len(parts) > 0 && !m.noted[key] {
		m.noted[key] = true
		m.review(kind, at, "check that it still says what is meant", "%s was reworded: %s.", wording.Sentence(thing), wording.And(parts))
	}
}

// differing returns what a message repeats of two texts: their beginning, or if that is
// the same for long, the part from a few words before the difference.
func differing(a, b string) (string, string) {
	const most, before = 80, 20
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	start := strings.LastIndexByte(a[:max(same-before, 0)], ' ') + 1
	if start == 0 || max(utf8.RuneCountInString(a), utf8.RuneCountInString(b)) <= most {
		return wording.Clip(a), wording.Clip(b)
	}
	return "…" + wording.Clip(a[start:]), "…" + wording.Clip(b[start:])
}

func (m *upgrader) rewordedElement(p *placed) {
	if p.old == nil {
		m.appeared(p.member("element_id"), "the element "+ident.Name(p.target), codes.IDElement, p.target, p.element.Title,
			func(r *taxonomy.Release) bool { return r.HasElement(p.target) })
		return
	}
	if p.old == p.element {
		return
	}
	if m.isReused(codes.IDElement, p.target, false, p.old.Title, p.element.Title, func() bool { return m.newTitles()[m.text(p.old.Title)] },
		func(r *taxonomy.Release) bool { return !r.HasElement(p.target) }, "") {
		m.reuse(p.member("element_id"), "the element "+ident.Name(p.target), p.old.Title, p.element.Title)
		return
	}
	// A text that names a variable by its new id says the same, and one with another full
	// stop at its end.
	same := func(before, now string) bool {
		keep := func(id string) string { return id }
		return wording.SameWords(ident.RenameVariables(now, keep), ident.RenameVariables(before, func(id string) string {
			if v := m.variableOf(p.element, id); v != nil {
				return v.ID
			}
			return id
		}))
	}
	m.reword(kindElementReworded, p.member("element_id"), "the element "+ident.Name(p.target),
		m.compareBy(same, "title", p.old.Title, p.element.Title),
		m.compareBy(same, "description", p.old.Description, p.element.Description))
}

func (m *upgrader) rewordedVariable(v *value, next *taxonomy.Variable) {
	thing := fmt.Sprintf("the variable %s of %s", ident.Name(next.ID), ident.Name(v.target))
	if v.old == nil && v.placed.old != nil && !v.moved() && v.given.ID == next.ID {
		m.appeared(v.member("id"), thing, codes.IDVariable, next.ID, next.Label,
			func(r *taxonomy.Release) bool { return v.has(r, next.ID, "") }, v.owners()...)
	}
	if v.old == nil || v.old == next {
		return
	}
	left := func() bool {
		return leftTo(m, v.old.Label, v.placed.old.Variables, v.element.Variables, ofVariable)
	}
	if v.old.ID == next.ID && m.isReused(codes.IDVariable, next.ID, v.removed, v.old.Label, next.Label, left, func(r *taxonomy.Release) bool { return v.lacks(r, next.ID, "") }, v.owners()...) {
		m.reuse(v.member("id"), thing, v.old.Label, next.Label)
		return
	}
	m.reword(kindVariableReworded, v.member("id"), thing,
		m.compare("label", v.old.Label, next.Label))
}

// owners returns what can have the variable of a value: its element and the category of it.
func (v *value) owners() []string { return []string{v.target, v.element.CategoryID} }

// lacks reports whether a version has the element of a value or, if not that, its category,
// but not the variable, or not the option of it.
func (v *value) lacks(r *taxonomy.Release, variable, option string) bool {
	_, ok := v.ownerIn(r)
	return ok && !v.has(r, variable, option)
}

// has reports whether a version has the variable of a value, or the option of it.
func (v *value) has(r *taxonomy.Release, variable, option string) bool {
	owner, _ := v.ownerIn(r)
	ever := history.Of(taxonomy.Version{}, r)
	in := ever.Variable(owner, variable)
	if in.Current() == nil || option == "" {
		return in.Current() != nil || len(in.Renamed) > 0
	}
	o := ever.Option(owner, in.Current(), option)
	return o.Same != nil || len(o.Renamed) > 0
}

// ownerIn returns what has the variables of a value in a version.
func (v *value) ownerIn(r *taxonomy.Release) (o history.Owner, ok bool) {
	for _, id := range []string{v.target, v.placed.given.ElementID} {
		if e, ok := r.Element(id); ok {
			return history.ElementOwner(e), true
		}
	}
	if c, ok := r.Category(v.element.CategoryID); ok {
		return history.CategoryOwner(c), true
	}
	return o, false
}

func (m *upgrader) rewordedOption(v *value, next *taxonomy.Variable, at document.Value, before, now *taxonomy.Option, removed bool) {
	thing := fmt.Sprintf("the option %s of the variable %s of %s", ident.Name(now.ID), ident.Name(cmp.Or(v.renamed[v.given.ID], v.given.ID)), ident.Name(v.target))
	if before == nil && v.old != nil && at.Text() == now.ID {
		m.appeared(at, thing, codes.IDOption, now.ID, now.Label,
			func(r *taxonomy.Release) bool { return v.has(r, v.given.ID, now.ID) }, v.owners()...)
	}
	if before == nil || before == now {
		return
	}
	left := func() bool { return leftTo(m, before.Label, v.old.Options, next.Options, ofOption) }
	if before.ID == now.ID && m.isReused(codes.IDOption, now.ID, removed, before.Label, now.Label, left, func(r *taxonomy.Release) bool { return v.lacks(r, v.given.ID, now.ID) }, v.owners()...) {
		m.reuse(at, thing, before.Label, now.Label)
		return
	}
	m.reword(kindOptionReworded, at, thing,
		m.compare("label", before.Label, now.Label),
		m.compare("description", before.Description, now.Description))
}

func (m *upgrader) rewordedContext(p *placed, before, now *taxonomy.ContextValue, removed bool) {
	has := func(r *taxonomy.Release) bool {
		c, ok := r.Category(p.category.ID)
		if ok {
			_, ok = c.Context.Value(now.ID)
		}
		return ok
	}
	if before == nil && p.old != nil && !p.moved() && p.given.ContextTypeID == now.ID {
		m.appeared(p.member("context_type_id"), fmt.Sprintf("the context value %s of the category %s", ident.Name(now.ID), ident.Name(p.category.ID)),
			codes.IDContextValue, now.ID, now.Label, has, p.category.ID)
	}
	if before == nil || before == now {
		return
	}
	was, _ := m.oldCategory(p.old.CategoryID)
	left := func() bool {
		return leftTo(m, before.Label, was.Context.Values, p.category.Context.Values, ofContext)
	}
	if before.ID == now.ID && m.isReused(codes.IDContextValue, now.ID, removed, before.Label, now.Label, left, func(r *taxonomy.Release) bool {
		_, ok := r.Category(p.category.ID)
		return ok && !has(r)
	}, p.category.ID) {
		m.reuse(p.member("context_type_id"), fmt.Sprintf("the context value %s of the category %s", ident.Name(now.ID), ident.Name(p.category.ID)), before.Label, now.Label)
		return
	}
	m.reword(kindContextReworded, p.member("context_type_id"), "the context of the category "+ident.Name(p.category.ID),
		m.compare("name", was.Context.Name, p.category.Context.Name),
		m.compare("description", was.Context.Description, p.category.Context.Description))
	m.reword(kindContextReworded, p.member("context_type_id"), fmt.Sprintf("the context value %s of the category %s", ident.Name(now.ID), ident.Name(p.category.ID)),
		m.compare("label", before.Label, now.Label),
		m.compare("description", before.Description, now.Description))
}
