package validate

import (
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// misshapen explains why a document does not fit its shape. It walks down to the
// values that do not fit, in the order of the document, and asks jsonschema about each
// value on the way. So one mistake in a large document costs little, and the walk
// ends as soon as there are too many. The rules are those that need no valid shape; the
// suite is the others of the document, for [Options.Partial].
func (p *Pass) misshapen(s *shape, rules, suite []*Rule) (*Result, error) {
	e := explainer{p: p}
	root := place{Value: p.Document.Root(), shape: s}
	e.explain(root)
	if len(p.findings.issues) == 0 && p.interrupt == nil {
		// The shape and jsonschema disagree. The tests know of no such
		// document, but it would not be valid.
		e.report(root, e.misfit(root))
	}
	p.runEach(rules)
	if err := p.partial(s, suite); err != nil {
		return nil, err
	}
	return p.result()
}

// explainer reports what does not fit.
type explainer struct {
	p        *Pass
	seen     int       // values looked at
	exampler *exampler // made when needed
}

// place is a value and the shape that it should have.
type place struct {
	document.Value
	shape *shape
	// declared is set for a field that the schema names, and optional if it is
	// not required.
	declared, optional bool
}

// explain reports what is wrong with a value and its contents.
func (e *explainer) explain(at place) {
	e.seen++
	if !e.p.goOnAt(e.seen) || at.shape.fits(at.Value) {
		return
	}
	at.shape = at.shape.alternative(at.Value)
	e.explainSelf(at)
	for child := range at.All() {
		if e.p.findings.full() || e.p.interrupt != nil {
			return
		}
		if inside, ok := at.inside(child); ok {
			e.explain(inside)
		}
	}
}

// explainSelf reports missing fields, and the first of other problems of the value
// itself.
func (e *explainer) explainSelf(at place) {
	said := false
	for _, k := range theLibrary().complaints(at.shape, at.Value) {
		if required, ok := k.(*kind.Required); ok {
			for _, name := range required.Missing {
				e.explainMissing(at, name)
			}
		} else if !said {
			said = true
			e.report(at, e.say(at, k))
		}
	}
}

// explainMissing reports a missing field, which may be misspelled.
func (e *explainer) explainMissing(at place, name string) {
	unknown := func(yield func(string) bool) {
		for m := range at.All() {
			if at.shape.find(m, 0) < 0 && !yield(m.Key()) {
				return
			}
		}
	}
	i := e.sayMissing(at, name)
	i.Path = at.Path().Key(name)
	if written := e.p.hints.nearest(name, unknown); written != "" {
		i.FixHint = "rename " + tail(issue.Root.Key(written)) + " to " + name
		i.Fix = &issue.Fix{Path: at.Path().Key(written), Key: name}
	} else if e.isPin(i.Path) {
		version := e.p.Version.String()
		i.FixHint = `add "schema_version": "` + version + `"`
		i.Fix = &issue.Fix{Path: i.Path, Value: quote(version)}
	}
	e.fail(i)
}

// isPin reports whether a path is that of the pin in a document that is validated
// against a version. A hint names that version instead of an example.
func (e *explainer) isPin(path issue.Path) bool {
	return !e.p.Version.IsZero() && path.Equal(pinPath)
}

// inside returns the place of a member or an item; ok is false if it can be anything.
func (at place) inside(child document.Value) (inside place, ok bool) {
	inside = place{Value: child, shape: at.shape.items}
	if at.Kind() == '{' {
		inside.shape = at.shape.others
		if i := at.shape.find(child, 0); i >= 0 {
			inside.shape, inside.declared, inside.optional = at.shape.fields[i].shape, true, !at.shape.requires(i)
		}
	}
	return inside, inside.shape != nil
}

// report reports an issue at a place.
func (e *explainer) report(at place, i issue.Issue) {
	i.Path = at.Path()
	if i.Fix != nil {
		i.Fix.Path = i.Path
	}
	e.fail(i)
}

func (e *explainer) fail(i issue.Issue) {
	i.Code = issue.CodeParseError
	e.p.Report(i)
}
