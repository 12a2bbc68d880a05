package validate

import (
	"iter"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/nearest"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// hints guesses what somebody meant. Guessing costs a look at every known
// name, so there is a budget for it.
type hints struct {
	budget int
	// elements are guesses of element ids: there may be many to choose from,
	// and a slip is often made more than once.
	elements map[string]guess
}

// guess is what somebody probably meant: one name or, where that is "", one of
// some.
type guess struct {
	one  string
	some []string
}

const hintBudget = 400_000

// nearest returns the known name that is nearest to what was written, or "".
func (h *hints) nearest(written string, known iter.Seq[string]) string {
	if h.budget < 0 {
		return ""
	}
	near := nearest.One(written, h.within(known))
	if h.budget < 0 { // a name that was not looked at could be nearer
		return ""
	}
	return near
}

// within yields names as long as the budget lasts.
func (h *hints) within(known iter.Seq[string]) iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range known {
			if h.budget--; h.budget < 0 || !yield(name) {
				return
			}
		}
	}
}

// element guesses which element of the schema was meant.
func (h *hints) element(written string, known iter.Seq[string]) guess {
	g, ok := h.elements[written]
	if !ok && h.budget >= 0 {
		near := nearest.Related(written, h.within(known), 3)
		if h.budget >= 0 { // else one that was not looked at could be nearer
			g = guess{one: nearest.One(written, slices.Values(near)), some: near}
		}
		if h.elements == nil {
			h.elements = make(map[string]guess)
		}
		h.elements[written] = g
	}
	return g
}

// misspelt reports a value that is none of those known. Where one of them is
// near, the hint and the fix are to write that.
func (p *Pass) misspelt(i issue.Issue, written string, known iter.Seq[string]) {
	p.meant(i, p.hints.nearest(written, known))
}

// meant reports a value that stands for another, or for "" where nobody knows.
func (p *Pass) meant(i issue.Issue, near string) {
	if near != "" {
		i.FixHint, i.Fix = "write "+name(near), &issue.Fix{Path: i.Path, Value: quote(near)}
	}
	p.Report(i)
}

// noElement reports an id that is none of the schema's elements.
func (p *Pass) noElement(i issue.Issue, written string) {
	g := p.hints.element(written, p.elementIDs)
	if n := len(g.some); n > 0 {
		names := make([]string, n)
		for k, id := range g.some {
			names[k] = name(id)
		}
		i.FixHint = "write " + strings.Join(names, " or ") + " if that is meant; else " + i.FixHint
	}
	p.meant(i, g.one)
}

// misspeltKey is misspelt for a key of an object.
func (p *Pass) misspeltKey(i issue.Issue, written string, known iter.Seq[string]) {
	if near := p.hints.nearest(written, known); near != "" {
		i.FixHint, i.Fix = "write "+name(near), &issue.Fix{Path: i.Path, Key: near}
		if p.taken(i.Path, near) {
			i.FixHint, i.Fix = "remove it; "+name(near)+" is there already", nil
		}
	}
	p.Report(i)
}

// alike is misspelt for an id that the author of the document has chosen. Such
// ids often differ in a digit and yet mean different things, so a near one is
// worth a hint, but no fix.
func (p *Pass) alike(i issue.Issue, written string, known iter.Seq[string]) {
	if near := p.hints.nearest(written, known); near != "" {
		i.FixHint = "write " + name(near) + " if that is meant"
		if p.taken(i.Path, near) {
			i.FixHint = "remove it; " + name(near) + " is there already"
		}
	}
	p.Report(i)
}

// taken reports whether the object that holds a value has another of that key.
func (p *Pass) taken(path issue.Path, key string) bool {
	_, taken := p.locator.find(path[:len(path)-1].Key(key))
	return taken
}

// some lists names, the first of them where they are many.
func some(names iter.Seq[string]) string {
	const most = 20
	var b strings.Builder
	n := 0
	for id := range names {
		if n++; n > most {
			b.WriteString(", …")
			break
		}
		if n > 1 {
			b.WriteString(", ")
		}
		b.WriteString(name(id))
	}
	return b.String()
}

// oneOf is the hint to write one of some names, or the other hint where there
// are none.
func oneOf(names iter.Seq[string], otherwise string) string {
	list := some(names)
	switch {
	case list == "":
		return otherwise
	case !strings.Contains(list, ", "):
		return "write " + list
	}
	return "write one of " + list
}

// name prints an id of the schema. Those of a release are plain words, but a
// resolved document brings a schema of its own, which may say anything.
func name(id string) string {
	if taxonomy.ValidElementID(id) {
		return id
	}
	return prose.Quote(id)
}
