package validate

import (
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// runPartial runs rules on the parts of a document whose shape is valid, after explainShape
// has reported the others. It runs none if the whole document is broken, or if there were too
// many findings to report.
func (p *Pass) runPartial(s *shape, suite []*Rule) error {
	if !p.opts.Partial || p.findings.truncated || !p.goOn() {
		return nil
	}
	r := repairer{broken: new(brokenValues)}
	r.repair(shapedValue{Value: p.Document.Root(), shape: s})
	if r.broken.self {
		return nil
	}
	doc, err := document.Parse(r.text)
	if err != nil {
		return fmt.Errorf("validate: repairing a document: %w", err)
	}
	p.renamed = renames(p.findings.issues)
	p.broken, p.Document, p.locator = r.broken, doc, locator{doc: doc}
	if err := p.decode(s); err != nil {
		return err
	}
	p.runRules(slices.DeleteFunc(suite, func(r *Rule) bool { return !r.DespiteShape }))
	return nil
}

// renames returns the paths of the keys that fixes of the shape rename, so that they are
// not also reported as unknown.
func renames(issues issue.Issues) map[string]bool {
	renamed := make(map[string]bool)
	for _, i := range issues {
		if i.Fix != nil && i.Fix.Key != "" {
			renamed[i.Fix.Path.String()] = true
		}
	}
	return renamed
}

// repairer copies a document without the values that do not fit. It omits optional fields,
// and writes an empty value of the right kind in place of others, so that all values keep
// their paths.
type repairer struct {
	text   []byte
	broken *brokenValues
}

// repair copies a value, as far as it fits.
func (r *repairer) repair(at shapedValue) {
	if at.fits() {
		r.text = append(r.text, at.Raw()...)
		return
	}
	unread := at.unread()
	at.shape = at.shape.alternative(at.Value)
	switch kind := kindOf(at.Value); {
	case unread, !at.shape.keeps(kind):
		r.broken.add(at.Path())
		r.text = append(r.text, at.shape.empty()...)
	case kind == anObject:
		r.object(at)
	default:
		if at.Len() < at.shape.minItems {
			r.broken.add(at.Path())
		} else if at.incomplete() {
			r.broken.find(at.Path()).open = true
		}
		r.text = append(r.text, '[')
		for item := range at.All() {
			r.comma('[')
			r.child(at, item)
		}
		r.text = append(r.text, ']')
	}
}

// object copies an object and notes the required fields that are missing.
func (r *repairer) object(at shapedValue) {
	there := uint64(0)
	var keys map[string]bool // that were read
	if at.incomplete() {
		r.broken.find(at.Path()).open = true
		keys = make(map[string]bool)
	}
	r.text = append(r.text, '{')
	for m := range at.All() {
		if keys != nil {
			if key := m.Key(); keys[key] || m.BrokenKey() && at.shape.find(m, 0) < 0 {
				continue
			}
			keys[m.Key()] = true
		}
		if i := at.shape.find(m, 0); i >= 0 {
			there |= 1 << i
		}
		if inside, known := at.inside(m); known && inside.optional && inside.unusable() {
			r.broken.add(m.Path())
			continue
		}
		if _, known := at.inside(m); !known && !m.Sound() {
			continue // no rule reads it
		}
		r.comma('{')
		r.text = append(append(r.text, quote(m.Key())...), ':')
		r.child(at, m)
	}
	r.text = append(r.text, '}')
	for i, f := range at.shape.fields {
		if at.shape.requires(i) && there&(1<<i) == 0 {
			r.broken.add(at.Path().Key(f.name))
		}
	}
}

// child copies a member's value or an item.
func (r *repairer) child(at shapedValue, child document.Value) {
	if inside, known := at.inside(child); known {
		r.repair(inside)
	} else if child.Sound() {
		r.text = append(r.text, child.Raw()...)
	} else {
		r.text = append(r.text, "null"...)
	}
}

// comma separates a child from the one before it.
func (r *repairer) comma(opening byte) {
	if r.text[len(r.text)-1] != opening {
		r.text = append(r.text, ',')
	}
}

// unusable reports whether a value does not fit, and no part of it can be kept.
func (at shapedValue) unusable() bool {
	return !at.fits() && (at.unread() || !at.shape.alternative(at.Value).keeps(kindOf(at.Value)))
}

// keeps reports whether parts of a value of a kind can be kept if it does not fit: the kind
// is right, and has parts.
func (s *shape) keeps(kind kinds) bool {
	return s.kinds&kind != 0 && (kind == anObject || kind == anArray)
}

// empty returns an empty value of the kind of the shape.
func (s *shape) empty() string {
	switch {
	case s.kinds&aString != 0:
		return `""`
	case s.kinds&anArray != 0:
		return "[]"
	case s.kinds&anObject != 0:
		return "{}"
	case s.kinds&anInteger != 0:
		return "0"
	case s.kinds&aBoolean != 0:
		return "false"
	}
	return "null"
}

// brokenValues is the tree of the values that do not fit their shape, or can't be read. A nil tree
// has none.
type brokenValues struct {
	self   bool // the value itself is broken, and with it everything inside
	open   bool // the object or array may have more than was read
	inside map[issue.Step]*brokenValues
}

// add adds the value at a path.
func (b *brokenValues) add(path issue.Path) { b.find(path).self = true }

// find returns the subtree at a path, which it adds if there is none.
func (b *brokenValues) find(path issue.Path) *brokenValues {
	for _, step := range path {
		next := b.inside[step]
		if next == nil {
			next = new(brokenValues)
			if b.inside == nil {
				b.inside = make(map[issue.Step]*brokenValues)
			}
			b.inside[step] = next
		}
		b = next
	}
	return b
}

// at returns the subtree at a path, or nil if nothing there is broken, and whether the value
// there, or one that contains it, is broken.
func (b *brokenValues) at(path issue.Path) (found *brokenValues, broken bool) {
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
	p.mustBeMade()
	_, broken := p.broken.at(path)
	return broken
}

// Open reports, in a run with [Options.Partial], whether the value at a path may be or have what
// was not read: it is broken, there is a syntax error directly in it, or it is not there and may be
// missing for that reason. That something is missing from it means nothing. In other runs nothing
// is open.
func (p *Pass) Open(path issue.Path) bool {
	p.mustBeMade()
	b, v := p.broken, p.Document.Root()
	for _, step := range path {
		if b == nil || b.self {
			break
		}
		next, there := p.locator.step(v, step)
		if inside := b.inside[step]; there || inside != nil {
			b, v = inside, next
			continue
		}
		return b.open
	}
	return b != nil && (b.self || b.open)
}

// brokenInside reports whether a value is broken, or anything inside it.
func (p *Pass) brokenInside(path issue.Path) bool {
	found, _ := p.broken.at(path)
	return found != nil
}

// findUnknown sets the facts that are not known, because some values are broken.
func (p *Pass) findUnknown() {
	if p.broken == nil {
		return
	}
	set := func(f Facts, unknown bool) {
		if unknown {
			p.unknown |= f
		}
	}
	pin := p.Broken(pinPath)
	schema := p.brokenInside(snapshotPath) || p.brokenInside(suggestedPath) || p.Resolved != nil && p.Open(suggestedPath)
	set(Pin, pin)
	set(WholeSchema, schema)
	set(Limits, schema || pin && p.Resolved != nil)
	set(AllElements|AllInstances, p.Open(elementsPath))
	for i := range p.placed {
		placed := &p.placed[i]
		placed.brokenID = p.Broken(placed.Path().Key("element_id"))
		set(AllElements, placed.brokenID)
		set(AllInstances, p.Open(placed.Path().Key("element_instance_id")))
	}
	set(AllSubchains, p.Open(subchainsPath))
	for i := range p.Instance.SubchainInstances {
		set(AllSubchains, p.Broken(subchainPath(i).Key("id")))
	}
}
