package validate

import (
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// misshapen says what is wrong with a document that does not fit its shape. It
// walks down to what does not fit, in the order of the document, and asks
// jsonschema about each value on the way. So it costs little where a large
// document has one mistake, and ends as soon as there are too many.
func (p *Pass) misshapen(s *shape) (*Result, error) {
	e := explainer{p: p}
	root := place{Value: p.Document.Root(), shape: s}
	e.explain(root)
	if len(p.findings.issues) == 0 && p.interrupt == nil {
		// The two readings of the schema disagree. The tests know of no such
		// document; should there be one, it is not let through.
		e.report(root, misfit(root))
	}
	return p.result()
}

// explainer reports what does not fit.
type explainer struct {
	p    *Pass
	seen int // how many values were looked at
}

// place is a value and the shape that it should have.
type place struct {
	document.Value
	shape *shape
	// optional is set where the value is a field that could be left out.
	optional bool
}

// explain reports what is wrong with a value and all in it.
func (e *explainer) explain(at place) {
	e.seen++
	if !e.p.goOnAt(e.seen) || at.shape.fits(at.Value) {
		return
	}
	at.shape = at.shape.alternative(at.Value)
	e.explainSelf(at)
	e.explainInside(at)
}

// explainSelf reports what is wrong with the value itself. Of several things
// that are wrong with one field the first is said.
func (e *explainer) explainSelf(at place) {
	said := false
	for _, k := range theLibrary().complaints(at.shape, at.Value) {
		if required, ok := k.(*kind.Required); ok {
			e.explainMissing(at, required.Missing)
		} else if !said {
			said = true
			e.report(at, e.say(at, k))
		}
	}
}

// explainMissing reports fields that are not there. A field that nobody knows
// may be what was meant.
func (e *explainer) explainMissing(at place, missing []string) {
	unknown := func(yield func(string) bool) {
		for m := range at.All() {
			if at.shape.find(m, 0) < 0 && !yield(m.Key()) {
				return
			}
		}
	}
	for _, name := range missing {
		i := sayMissing(at, name)
		i.Path = at.Path().Key(name)
		if written := e.p.hints.nearest(name, unknown); written != "" {
			i.FixHint = "rename " + tail(issue.Root.Key(written)) + " to " + name
			i.Fix = &issue.Fix{Path: at.Path().Key(written), Key: name}
		}
		e.fail(i)
	}
}

// explainInside reports what is wrong with the members or items of a value.
func (e *explainer) explainInside(at place) {
	for child := range at.All() {
		if e.p.full() || e.p.interrupt != nil {
			return
		}
		if inside, ok := at.inside(child); ok {
			e.explain(inside)
		}
	}
}

// inside returns the place of a member or an item; ok is false where it may be
// anything.
func (at place) inside(child document.Value) (inside place, ok bool) {
	inside = place{Value: child, shape: at.shape.items}
	if at.Kind() == '{' {
		inside.shape = at.shape.others
		if i := at.shape.find(child, 0); i >= 0 {
			inside.shape, inside.optional = at.shape.fields[i].shape, !at.shape.requires(i)
		}
	}
	return inside, inside.shape != nil
}

// report reports what is wrong at a place.
func (e *explainer) report(at place, i issue.Issue) {
	i.Path = at.Path()
	if i.Fix != nil {
		i.Fix.Path = i.Path
	}
	e.fail(i)
}

func (e *explainer) fail(i issue.Issue) {
	i.Code, i.Severity = issue.CodeParseError, issue.SeverityError
	e.p.Report(i)
}
