package validate

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// release returns the release that says what became of an element: the schema or, for a
// resolved document, the version that it pins. It is nil if that is not published.
func (p *Pass) release() *taxonomy.Release {
	if r, ok := p.Schema.(*taxonomy.Release); ok {
		return r
	}
	return p.Live
}

// removed reports an unknown element that was removed, and returns false if there is
// nothing to say about it. A single successor is the fix, as it is for an upgrade.
func (p *Pass) removed(i issue.Issue, written string) bool {
	r := p.release()
	if r == nil || r.HasElement(written) {
		return false
	}
	gone, ok := r.Removed(written)
	if !ok {
		return false
	}
	i.Message = fmt.Sprintf("There is no element %q in %s: it was removed in %s.", prose.Clip(written), r.Version(), gone.Since)
	succession := r.Succession(written)
	successors := succession.Elements
	switch {
	case len(successors) == 0:
		i.FixHint = "remove the placement, or place another element"
	case p.Resolved == nil:
		i.FixHint = "write " + p.alternatives(successors)
	default: // the snapshot hardly has an element that nothing places
		i.FixHint = "write " + p.alternatives(successors) + ", and resolve the document again"
	}
	if next, ok := succession.Single(); ok {
		if _, known := p.Schema.Element(next.ID); known {
			i.Fix = &issue.Fix{Path: i.Path, Value: quote(next.ID)}
		}
	}
	if note := p.note(gone.Note); note != "" {
		i.FixHint += "; note: " + note
	}
	p.Report(i)
	return true
}

// alternatives lists successors with their notes, the first of them if there are many.
func (p *Pass) alternatives(successors []taxonomy.Successor) string {
	const most = 5
	names := make([]string, min(len(successors), most))
	for i := range names {
		names[i] = name(successors[i].ID)
		if note := p.note(successors[i].Note); note != "" {
			names[i] += " (" + note + ")"
		}
	}
	if len(successors) > most {
		return strings.Join(names, ", ") + ", …"
	}
	return prose.Or(names)
}

// note returns a note of the taxonomy as part of a hint, which has no period at its end.
func (p *Pass) note(l taxonomy.Localized) string {
	var locales []string
	if r := p.release(); r != nil {
		locales = r.Locales()
	}
	return strings.TrimRight(prose.Clip(l.Pick(locales...)), " .")
}

// former returns the position of the only item of a list that earlier versions call
// want, or -1. The owner is a pointer that identifies the list.
func former[T any](x *index, owner any, list []T, from func(*T) []string, want string) int {
	places, known := (*x)[formerOf{owner}]
	if !known {
		for i := range list {
			for _, id := range from(&list[i]) {
				if places == nil {
					places = make(map[string]int)
				}
				if at, taken := places[id]; taken && at != i {
					places[id] = -1 // one of several, which a person chooses
				} else {
					places[id] = i
				}
			}
		}
		if *x == nil {
			*x = make(index)
		}
		(*x)[formerOf{owner}] = places // nil if nothing was renamed
	}
	if i, ok := places[want]; ok {
		return i
	}
	return -1
}

// formerOf is the key of an index of former ids.
type formerOf struct{ owner any }

// follow reports a value that has another id today.
func (p *Pass) follow(i issue.Issue, id string) {
	i.FixHint, i.Fix = "write "+name(id)+", its new id", &issue.Fix{Path: i.Path, Value: quote(id)}
	p.Report(i)
}
