package validate

import "github.com/datachain-go/datachain/taxonomy/issue"

// breaks is a tree of the values that do not have their shape. A nil tree has none.
type breaks struct {
	self   bool // the value itself, and with it all inside
	inside map[issue.Step]*breaks
}

// add adds the value at a path.
func (b *breaks) add(path issue.Path) {
	for _, step := range path {
		next := b.inside[step]
		if next == nil {
			next = new(breaks)
			if b.inside == nil {
				b.inside = make(map[issue.Step]*breaks)
			}
			b.inside[step] = next
		}
		b = next
	}
	b.self = true
}

// at goes down a path. It returns nil if nothing there is broken, and whether a value
// on the way is.
func (b *breaks) at(path issue.Path) (found *breaks, broken bool) {
	for _, step := range path {
		if b == nil || b.self {
			break
		}
		b = b.inside[step]
	}
	return b, b != nil && b.self
}

// Broken reports, in a run with [Options.Partial], whether the value at a path does
// not have its shape, is inside such a value, or is missing although the shape
// requires it. In other runs nothing is broken.
func (p *Pass) Broken(path issue.Path) bool {
	_, broken := p.breaks.at(path)
	return broken
}

// touched reports whether a value is broken, or anything inside it.
func (p *Pass) touched(path issue.Path) bool {
	found, _ := p.breaks.at(path)
	return found != nil
}

// unread says which ids of a document are not all known, because some are broken. A
// finding that something is missing could be about one of them.
type unread struct {
	elements  bool // element_id
	instances bool // element_instance_id
	subchains bool // the ids of subchain_instances
	schema    bool // the schema in a resolved document
	pin       bool // schema_version
	live      bool // the version that a resolved document pins
}

// counts reports whether placements can't be counted: one could be of any category,
// or the schema that says what counts is not known.
func (u *unread) counts() bool { return u.elements || u.limits() }

// limits reports whether it is not known how often things can be placed. The pin is
// broken in a resolved document only if the published version is not known either.
func (u *unread) limits() bool { return u.schema || u.live }

// findUnread computes what is unread.
func (p *Pass) findUnread() {
	if p.breaks == nil {
		return
	}
	u := &p.unread
	u.pin = p.Broken(pinPath)
	u.live = u.pin && p.Resolved != nil
	u.schema = p.touched(snapshotPath) || p.touched(suggestedPath)
	if p.Broken(elementsPath) {
		u.elements, u.instances = true, true
	}
	for i := range p.placed {
		placed := &p.placed[i]
		placed.unread = p.Broken(placed.Path().Key("element_id"))
		u.elements = u.elements || placed.unread
		u.instances = u.instances || p.Broken(placed.Path().Key("element_instance_id"))
	}
	u.subchains = p.Broken(subchainsPath)
	for i := range p.Instance.SubchainInstances {
		u.subchains = u.subchains || p.Broken(subchainPath(i).Key("id"))
	}
}
