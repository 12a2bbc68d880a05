package validate

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// hintBudget is how many names a run compares to find what was meant.
const hintBudget = 400_000

// hints guesses what was meant. A guess compares all known names, so the number of
// comparisons is limited for the whole run.
type hints struct {
	budget int
	// elements has the guesses for element ids: a schema can have many elements, and
	// the same typo is often repeated.
	elements map[typo]guess
}

// typo is an unknown element id in a document that was written for a schema.
type typo struct {
	schema  Definitions
	written string
}

// guess is the one name that was probably meant or, if that is "", some names.
type guess struct {
	one  string
	some []string
}

// nearest returns the known name that is nearest to what was written, or "" if none is near
// or the budget is used up.
func (h *hints) nearest(written string, known iter.Seq[string]) string {
	near := similar.Nearest(written, h.within(known))
	if h.budget < 0 { // a name that was not compared could be nearer
		return ""
	}
	return near
}

// within yields names until the budget is used up.
func (h *hints) within(known iter.Seq[string]) iter.Seq[string] {
	return func(yield func(string) bool) {
		if h.budget < 0 {
			return
		}
		for name := range known {
			if h.budget--; h.budget < 0 || !yield(name) {
				return
			}
		}
	}
}

// element guesses which element of a schema was meant.
func (h *hints) element(written string, schema Definitions) guess {
	g, ok := h.elements[typo{schema, written}]
	if ok {
		return g
	}
	if r, ok := schema.(*taxonomy.Release); ok {
		if f, known := r.Fate(written); known {
			return guess{one: f.Replacement}
		}
	}
	ids := slices.Values(schema.ElementIDs())
	near := similar.Related(written, h.within(ids), 3)
	if h.budget < 0 {
		return guess{}
	}
	if h.elements == nil {
		h.elements = make(map[typo]guess)
	}
	g = guess{one: similar.Nearest(written, slices.Values(near)), some: near}
	if !sameWord(written, g.one) {
		g.one = ""
	}
	h.elements[typo{schema, written}] = g
	return g
}

// sameWord reports whether the part of an element id after the category is near to that of
// another. Elements of a category often have the longer part in common, which makes
// surface.sand look like a typo of surface.rock.
func sameWord(written, id string) bool {
	category, word, ok := strings.Cut(written, ".")
	ofCategory, ofWord, dotted := strings.Cut(id, ".")
	if !ok || !dotted || !strings.EqualFold(category, ofCategory) {
		return true
	}
	return similar.Nearest(word, slices.Values([]string{ofWord})) != ""
}

// reportMisspelled reports an unknown value. The fix is the nearest known one, if there is one.
func (p *Pass) reportMisspelled(i issue.Issue, written string, known iter.Seq[string]) {
	p.reportMeant(i, p.hints.nearest(written, known))
}

// reportMeant reports an unknown value. The fix is the value that was meant, unless that is
// "".
func (p *Pass) reportMeant(i issue.Issue, near string) {
	if near != "" {
		i.FixHint, i.Fix = "write "+ident.Name(near), &issue.Fix{Path: i.Path, Value: quote(near)}
	}
	p.Report(i)
}

// reportUnknownElement reports an unknown element id, which can be that of a category: a
// document to fill in has those in place of elements.
func (p *Pass) reportUnknownElement(i issue.Issue, written string) {
	if p.reportRemoved(i, written) {
		return
	}
	if elements := p.Schema.ElementsOf(written); len(elements) > 0 {
		i.FixHint = "this is a category; " + oneOf(elementIDs(elements), i.FixHint)
		p.Report(i)
		return
	}
	g := p.hints.element(written, p.Schema)
	if n := len(g.some); n > 0 {
		names := make([]string, n)
		for k, id := range g.some {
			names[k] = ident.Name(id)
		}
		i.FixHint = "write " + strings.Join(names, " or ") + " if that is meant; otherwise " + i.FixHint
	}
	p.reportMeant(i, g.one)
}

// reportMeantKey is reportMeant for a key of an object.
func (p *Pass) reportMeantKey(i issue.Issue, near string) {
	switch {
	case near == "":
	case p.taken(i.Path, near):
		i.FixHint = "remove it; there is already " + ident.Name(near)
	default:
		i.FixHint, i.Fix = "write "+ident.Name(near), &issue.Fix{Path: i.Path, Key: near}
	}
	p.Report(i)
}

// reportSimilarID is reportMisspelled for an id that the author of the document has chosen.
// Such ids often differ in one digit, so there is a hint, but no fix.
func (p *Pass) reportSimilarID(i issue.Issue, written string, known iter.Seq[string]) {
	near := p.hints.nearest(written, known)
	switch {
	case near == "":
	case p.taken(i.Path, near):
		i.FixHint = "remove it; there is already " + ident.Name(near)
	default:
		i.FixHint = "write " + ident.Name(near) + " if that is meant"
	}
	p.Report(i)
}

// taken reports whether the object that contains a path has a key.
func (p *Pass) taken(path issue.Path, key string) bool {
	_, taken := p.locator.find(path[:len(path)-1].Key(key))
	return taken
}

// listing joins names with commas, and counts them. Of more than 20 it lists the first ones.
func listing(names iter.Seq[string]) (list string, n int) {
	var b strings.Builder
	for id := range names {
		if n++; n > 1 {
			b.WriteString(", ")
		}
		if n > 20 {
			b.WriteString("…")
			break
		}
		b.WriteString(ident.Name(id))
	}
	return b.String(), n
}

func some(names iter.Seq[string]) string {
	list, _ := listing(names)
	return list
}

// oneOf returns the hint to write one of some names, or another hint if there are none.
func oneOf(names iter.Seq[string], otherwise string) string {
	switch list, n := listing(names); n {
	case 0:
		return otherwise
	case 1:
		return "write " + list
	default:
		return "write one of " + list
	}
}

// quote returns a string as JSON.
func quote(s string) []byte { return jcs.AppendQuote(nil, s) }

// release returns the release that says what became of an element: the schema or, for a
// resolved document, the version that it pins. It is nil if that is not published.
func (p *Pass) release() *taxonomy.Release {
	if r, ok := p.Schema.(*taxonomy.Release); ok {
		return r
	}
	return p.Live
}

// reportRemoved reports an unknown element that was removed, and returns false if nothing is
// known of that. A single successor is the fix, as in an upgrade.
func (p *Pass) reportRemoved(i issue.Issue, written string) bool {
	r := p.release()
	if r == nil || r.HasElement(written) {
		return false
	}
	f, ok := r.Fate(written)
	if !ok {
		return false
	}
	i.Message = fmt.Sprintf("There is no element %q in %s: it was removed in %s.", wording.Clip(written), r.Version(), f.Removal.Since)
	switch {
	case len(f.Successors) == 0:
		i.FixHint = "remove the placement, or place another element"
	case p.Resolved == nil:
		i.FixHint = "write " + p.alternatives(f.Successors)
	default: // the snapshot lacks elements that are not placed
		i.FixHint = "write " + p.alternatives(f.Successors) + ", and resolve the document again"
	}
	if _, known := p.Schema.Element(f.Replacement); known {
		i.Fix = &issue.Fix{Path: i.Path, Value: quote(f.Replacement)}
	}
	if note := p.note(f.Removal.Note); note != "" {
		i.FixHint += "; note: " + note
	}
	p.Report(i)
	return true
}

// alternatives lists successors with their notes. Of many it lists the first ones.
func (p *Pass) alternatives(successors []taxonomy.Successor) string {
	const most = 5
	names := make([]string, min(len(successors), most))
	for i := range names {
		names[i] = ident.Name(successors[i].ID)
		if note := p.note(successors[i].Note); note != "" {
			names[i] += " (" + note + ")"
		}
	}
	if len(successors) > most {
		return strings.Join(names, ", ") + ", …"
	}
	return wording.Or(names)
}

// note returns a note of the taxonomy as part of a hint, without a period at its end.
func (p *Pass) note(l taxonomy.Localized) string {
	var locales []string
	if r := p.release(); r != nil {
		locales = r.Locales()
	}
	return strings.TrimRight(wording.Clip(l.Pick(locales...)), " .")
}

// reportRenamed reports an id that was renamed. The fix is the new one.
func (p *Pass) reportRenamed(i issue.Issue, id string) {
	i.FixHint, i.Fix = "write "+ident.Name(id)+", its new id", &issue.Fix{Path: i.Path, Value: quote(id)}
	p.Report(i)
}
