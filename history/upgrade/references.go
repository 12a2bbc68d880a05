package upgrade

import (
	"strconv"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/ident"
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
func (u *upgrader) references() {
	f := follower{
		upgrader: u, keys: make(map[string]document.Value), indexes: make(map[string]int), heads: make(map[string][]head),
		after: u.countPlacements(), instances: make(map[string]int),
	}
	provenance, _ := u.doc.Root().Get("authoring_provenance")
	f.provenance, _ = provenance.Get("element_provenance")
	for entry := range f.provenance.All() {
		f.indexes[entry.Key()] = len(f.keys)
		f.keys[entry.Key()] = entry
	}
	chains, _ := u.doc.Root().Get("subchain_instances")
	own := make(map[string]bool) // a subchain can start from another one
	for i := range u.instance.SubchainInstances {
		own[u.instance.SubchainInstances[i].ID] = true
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
	for i := range u.placements {
		p := &u.placements[i]
		before[p.given.ElementID]++
		if id := p.given.ElementInstanceID; id != "" {
			if _, taken := f.instances[id]; !taken {
				f.instances[id] = i
			}
		}
	}
	for i := 0; i < len(u.placements) && u.proceed(i); i++ {
		p := &u.placements[i]
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
func (f *follower) newName(p *placement) string {
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
func (f *follower) follow(p *placement, before, now string) {
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
func (f *follower) rationale(p *placement, entry document.Value) {
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
			switch outcome := f.history.Variable(history.ElementOwner(p.element), id); {
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
func hadVariable(p *placement, id string) bool {
	if p.old == nil {
		return true
	}
	_, had := p.old.Variable(id)
	return had
}
