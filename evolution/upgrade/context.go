package upgrade

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// context moves the context value of a placement.
func (m *move) context(p *placed) {
	id := p.given.ContextTypeID
	if id == "" || p.category == nil {
		return // a missing one is found when the new document is validated
	}
	before := m.oldContext(p, id)
	same, renamed := named(p.category.Context.Values, id, ofContext)
	at := p.member("context_type_id")
	switch {
	case same != nil:
		m.rewordedContext(p, before, same)
	case len(renamed) == 1:
		m.edit.Replace(at, quote(renamed[0].ID))
		m.note(note{at: at, Entry: Entry{
			Kind: KindContextRenamed, Class: Done,
			Message: fmt.Sprintf("Changed the context value %s of %s to %s.", name(id), name(p.target), name(renamed[0].ID)),
		}})
		m.rewordedContext(p, before, renamed[0])
	case before == nil && p.old != nil:
		// It was not a context value before. This is found later, too.
	case m.opts.Drop && len(renamed) == 0:
		m.edit.RemoveMember(p.at, "context_type_id")
		m.note(note{at: at, gone: true, Entry: Entry{
			Kind: KindContextDropped, Class: Done,
			Message: fmt.Sprintf("Dropped the context value %s%s of %s, which no longer exists.", name(id), m.contextLabel(before), name(p.target)),
		}})
	default:
		n := note{at: at, codes: []issue.Code{issue.CodeContextTypeUnknown}, Entry: Entry{
			Kind: KindContextRemoved, Class: NeedsPerson,
			Message: fmt.Sprintf("The category %s has no context value %s%s.", name(p.category.ID), name(id), m.contextLabel(before)),
			FixHint: "remove context_type_id",
		}}
		if ids := contextIDs(p.category.Context.Values, renamed); len(ids) > 0 {
			n.FixHint = "write " + prose.Or(some(ids))
		}
		m.note(n)
	}
}

// oldContext returns a context value of the old category of a placement, or nil.
func (m *move) oldContext(p *placed, id string) *taxonomy.ContextValue {
	if p.old == nil {
		return nil
	}
	c, ok := m.old.Category(p.old.CategoryID)
	if !ok {
		return nil
	}
	v, _ := c.Context.Value(id)
	return v
}

// contextIDs returns the ids to choose from: those of the values that were renamed from
// the old one, or else all.
func contextIDs(all []taxonomy.ContextValue, renamed []*taxonomy.ContextValue) []string {
	var ids []string
	for _, v := range renamed {
		ids = append(ids, name(v.ID))
	}
	if ids != nil {
		return ids
	}
	for i := range all {
		ids = append(ids, name(all[i].ID))
	}
	return ids
}

func (m *move) contextLabel(v *taxonomy.ContextValue) string {
	if v == nil {
		return ""
	}
	return m.parens(v.Label)
}
