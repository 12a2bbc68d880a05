package validate

import (
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// partial runs the rules on the parts of a document that have their shape, after
// misshapen has reported those that do not. It runs none if the parts that do not are
// the whole document, or too many to report.
func (p *Pass) partial(s *shape, suite []*Rule) error {
	if !p.opts.Partial || p.findings.more || !p.goOn() {
		return nil
	}
	r := repairer{breaks: new(breaks)}
	r.repair(place{Value: p.Document.Root(), shape: s})
	if r.breaks.self {
		return nil
	}
	doc, err := document.Parse(r.text)
	if err != nil {
		return fmt.Errorf("validate: repairing a document: %w", err)
	}
	p.renamed = renames(p.findings.issues)
	p.original, p.breaks, p.Document, p.locator = p.Document, r.breaks, doc, locator{doc: doc}
	if err := p.decode(s); err != nil {
		return err
	}
	p.run(slices.DeleteFunc(p.suite(suite), func(r *Rule) bool { return r.Needs == "" }))
	return nil
}

// renames returns the keys that fixes of the shape rename. They are not also reported
// as unknown.
func renames(issues issue.Issues) map[string]bool {
	renamed := make(map[string]bool)
	for _, i := range issues {
		if i.Fix != nil && i.Fix.Key != "" {
			renamed[i.Fix.Path.String()] = true
		}
	}
	return renamed
}

// repairer copies a document without the values that do not fit: an optional field is
// left out, any other value is replaced by an empty one of the right kind. So all
// other values keep their paths.
type repairer struct {
	text   []byte
	breaks *breaks
}

// repair copies a value.
func (r *repairer) repair(at place) {
	if at.shape.fits(at.Value) {
		r.text = append(r.text, at.Raw()...)
		return
	}
	at.shape = at.shape.alternative(at.Value)
	switch kind := kindOf(at.Value); {
	case at.shape.kinds&kind == 0 || kind != anObject && kind != anArray:
		r.breaks.add(at.Path())
		r.text = append(r.text, at.shape.empty()...)
	case kind == anObject:
		r.object(at)
	default:
		if at.Len() < at.shape.minItems {
			r.breaks.add(at.Path())
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
func (r *repairer) object(at place) {
	there := uint64(0)
	r.text = append(r.text, '{')
	for m := range at.All() {
		if i := at.shape.find(m, 0); i >= 0 {
			there |= 1 << i
		}
		if inside, known := at.inside(m); known && inside.optional && inside.hopeless() {
			r.breaks.add(m.Path())
			continue
		}
		r.comma('{')
		r.text = append(append(r.text, m.RawKey()...), ':')
		r.child(at, m)
	}
	r.text = append(r.text, '}')
	for i, f := range at.shape.fields {
		if at.shape.requires(i) && there&(1<<i) == 0 {
			r.breaks.add(at.Path().Key(f.name))
		}
	}
}

// child copies a member's value or an item.
func (r *repairer) child(at place, child document.Value) {
	if inside, known := at.inside(child); known {
		r.repair(inside)
	} else {
		r.text = append(r.text, child.Raw()...)
	}
}

// comma separates a child from the one before it.
func (r *repairer) comma(opening byte) {
	if r.text[len(r.text)-1] != opening {
		r.text = append(r.text, ',')
	}
}

// hopeless reports whether nothing of a value can be kept.
func (at place) hopeless() bool {
	if at.shape.fits(at.Value) {
		return false
	}
	kind := kindOf(at.Value)
	return at.shape.alternative(at.Value).kinds&kind == 0 || kind != anObject && kind != anArray
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
