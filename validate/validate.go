// Package validate reports every problem in a datachain, with its code, its place
// and a hint.
//
// # Validating
//
// [Instance] validates a thin document against a release, [Resolved] a document with
// its own part of the schema. Both check the shape of the document first and, if that
// is valid, run a suite of rules. They do no I/O and keep no state, so an editor can
// call them at every keystroke. [Options.Partial] keeps the findings of an editor while
// one field is being typed. [Mark] returns what to underline for an issue.
//
// # Fixing
//
// Many issues have an [issue.Fix]. [Edits] returns those of some issues as small edits
// of the text, which [document.ApplyEdits] makes, and [FixAll] makes edits until none is
// left.
//
// # Rules
//
// A [Rule] is a value, which reads a [Pass] and reports issues. [Options.Rules] adds rules
// to those of this package.
//
// # Shape
//
// The shape of documents is defined by JSON Schemas (2020-12), which [JSONSchema]
// returns for editors and other programs. They are compiled for a fast verdict: a
// document that fits takes a hundredth of the time of a general implementation. If it
// does not fit, package jsonschema finds out why. A fuzz test compares the two.
package validate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Options configure a run. The zero value and nil are the defaults.
type Options struct {
	// Strict adds warnings for what is tolerated, such as unknown fields.
	Strict bool
	// MustPin makes it an error, not a warning, that a document pins another
	// version. Set it before resolving: the bundle would contradict its pin.
	MustPin bool
	// Partial also runs the rules if the shape is wrong, on the parts whose shape
	// is valid, so that an editor keeps its findings while one field is being
	// typed. What could be a mere consequence of the wrong part is not reported:
	// a finding stands whatever the right value is, but for numbers that its
	// message counts. See [Rule.Needs].
	Partial bool
	// Rules run after those of the suite, if the shape is valid. With Partial,
	// those that say what they need run in any case. See [CheckRules].
	Rules []*Rule
	// Version is the version that hints name if the document must pin another one. The zero
	// value is that of the release of [Instance], else an example.
	Version taxonomy.Version
	// Interrupt is called from time to time. If it returns an error, the run
	// ends with that error.
	Interrupt func() error
}

// Result is the result of a run.
type Result struct {
	// Issues are in the order of the rules, then of the document. They are not nil
	// if a document was validated.
	Issues issue.Issues
}

// OK reports whether the document is valid. It may have warnings. A zero Result is not
// that of a document.
func (r *Result) OK() bool { return r.Issues != nil && !r.Issues.HasErrors() }

// Instance validates a thin document against a release. If the shape of the document
// is wrong, the result has all problems of the shape, each a
// parse_error, and no rule has run, since a field of the wrong type can
// hide other problems anywhere in the document; [Options.Partial] changes that.
// Otherwise it has the issues of the rules. The error is that of [Options.Interrupt], that
// of a [Rule] that failed, or a failure of this package.
func Instance(release *taxonomy.Release, doc *document.Document, o *Options) (*Result, error) {
	if release == nil {
		return nil, errors.New("validate: the release is nil")
	}
	p, err := newPass(doc, o)
	if err != nil {
		return nil, err
	}
	p.Version, p.Schema = release.Version(), release
	if s := instanceShape(); !s.fits(doc.Root()) {
		return p.misshapen(s, nil, instanceRules())
	}
	if err := p.decode(instanceShape()); err != nil {
		return nil, err
	}
	return p.runSuite(instanceRules())
}

// Resolved validates a resolved document by its snapshot and suggested elements, in
// two steps as [Instance] does; but that suggested elements need provenance and ids of
// their own is reported even if the shape is wrong. Live is the release that the document pins, or nil if
// that is not published. The snapshot is compared with it, and it says which
// categories are required and how often each can be placed: a snapshot from which a
// required category was removed can't say so.
func Resolved(live *taxonomy.Release, doc *document.Document, o *Options) (*Result, error) {
	p, err := newPass(doc, o)
	if err != nil {
		return nil, err
	}
	p.Live = live
	if s := resolvedShape(); !s.fits(doc.Root()) {
		return p.misshapen(s, suggestionRules(), snapshotRules())
	}
	if err := p.decode(resolvedShape()); err != nil {
		return nil, err
	}
	return p.runSuite(resolvedRules())
}

// InstanceShape validates only the shape of a thin document. Use it if the release
// that the document pins is not available. No rule runs, not even with
// [Options.Partial], since rules need a release.
func InstanceShape(doc *document.Document, o *Options) (*Result, error) {
	p, err := newPass(doc, o)
	if err != nil {
		return nil, err
	}
	only := *p.opts
	only.Partial = false
	p.opts = &only
	if s := instanceShape(); !s.fits(doc.Root()) {
		return p.misshapen(s, nil, nil)
	}
	return p.result()
}

func newPass(doc *document.Document, o *Options) (*Pass, error) {
	if o == nil {
		o = new(Options)
	}
	if doc == nil {
		return nil, errors.New("validate: the document is nil")
	}
	if err := CheckRules(o.Rules); err != nil {
		return nil, err
	}
	return &Pass{Document: doc, Version: o.Version, original: doc, opts: o, locator: locator{doc: doc}, hints: hints{budget: hintBudget}}, nil
}

// decode decodes the document by its shape.
func (p *Pass) decode(s *shape) (err error) {
	if s != resolvedShape() {
		p.Instance, err = taxonomy.DecodeInstance(p.Document)
	} else if p.Resolved, err = p.Live.DecodeResolved(p.Document); err == nil {
		p.Instance = &p.Resolved.Instance
		p.Version, _ = taxonomy.ParseVersion(p.Instance.SchemaVersion)
		p.pool = newPool(p.Resolved)
		p.Schema = p.pool
	}
	if err != nil {
		return fmt.Errorf("validate: decoding a document of valid shape: %w", err)
	}
	return nil
}

// runSuite runs a suite and the rules of the options.
func (p *Pass) runSuite(suite []*Rule) (*Result, error) {
	p.run(p.suite(suite))
	return p.result()
}

// suite adds the rules of the options to a suite.
func (p *Pass) suite(suite []*Rule) []*Rule {
	if p.opts.Strict {
		suite = append(suite, strictRules()...)
	}
	return slices.Concat(suite, p.opts.Rules)
}

func (p *Pass) result() (*Result, error) {
	if p.interrupt != nil {
		return nil, p.interrupt
	}
	return &Result{Issues: p.findings.list()}, nil
}

// maxFindings is how many findings a result lists. If there are more, a last one
// says so.
const maxFindings = 1000

// maxFindingBytes limits the texts of all findings together, since a hostile
// document can have long keys, and each is in every path through it.
const maxFindingBytes = 1 << 20

// findings collects issues. Warnings never hide the verdict: if the list is full,
// the first error replaces the last warning.
type findings struct {
	issues issue.Issues
	size   int  // of the texts
	failed bool // there was an error
	more   bool // there were more than fit
}

func (f *findings) add(i issue.Issue) {
	failed := i.Severity == issue.SeverityError
	if len(f.issues) < maxFindings && f.size < maxFindingBytes {
		f.size += sizeOf(&i)
		f.issues = append(f.issues, i)
	} else {
		f.more = true
		if failed && !f.failed {
			f.issues[len(f.issues)-1] = i
		}
	}
	f.failed = f.failed || failed
}

// sizeOf returns the approximate size of the texts of an issue.
func sizeOf(i *issue.Issue) int {
	n := len(i.Message) + len(i.FixHint)
	for _, step := range i.Path {
		n += len(step.Name()) + 1
	}
	return n
}

// full reports whether further findings would change neither list nor verdict.
func (f *findings) full() bool { return f.more && f.failed }

func (f *findings) list() issue.Issues {
	if f.issues == nil {
		return issue.Issues{}
	}
	if !f.more {
		return f.issues
	}
	last := issue.Issue{
		Code: codes.TooManyFindings, Severity: issue.SeverityWarning, Path: issue.Root,
		Message: fmt.Sprintf("There are more findings than the %d listed.", len(f.issues)),
		FixHint: "fix these first, then validate again",
	}
	if f.failed {
		last.Severity = issue.SeverityError
	}
	return append(f.issues, last)
}

// locator finds values by path. It indexes large objects, so that many lookups stay
// fast.
type locator struct {
	doc     *document.Document
	members map[document.Value]map[string]document.Value
}

// sort sorts issues by their place in the document. A missing value counts as the
// start of its parent.
func (l *locator) sort(issues issue.Issues) {
	if len(issues) < 2 {
		return
	}
	type located struct {
		issue.Issue
		offset int
	}
	list := make([]located, len(issues))
	for i := range issues {
		at, _ := l.find(issues[i].Path)
		list[i] = located{issues[i], at.Range().Start}
	}
	slices.SortStableFunc(list, func(a, b located) int { return cmp.Compare(a.offset, b.offset) })
	for i := range list {
		issues[i] = list[i].Issue
	}
}

// find returns the value at a path, or the nearest value that contains it.
func (l *locator) find(path issue.Path) (at document.Value, exact bool) {
	at = l.doc.Root()
	for _, step := range path {
		next, ok := l.step(at, step)
		if !ok {
			return at, false
		}
		at = next
	}
	return at, true
}

func (l *locator) step(at document.Value, step issue.Step) (document.Value, bool) {
	if i, ok := step.IsIndex(); ok {
		return at.At(i)
	}
	if at.Kind() != '{' || at.Len() <= maxScanned {
		return at.Get(step.Name())
	}
	members := l.members[at]
	if members == nil {
		members = make(map[string]document.Value, at.Len())
		for m := range at.All() {
			members[m.Key()] = m
		}
		if l.members == nil {
			l.members = make(map[document.Value]map[string]document.Value)
		}
		l.members[at] = members
	}
	next, ok := members[step.Name()]
	return next, ok
}

// keyCodes are about the key of a value, not about the value.
var keyCodes = []issue.Code{
	codes.UnknownField, codes.ElementProvenanceUnknownElement,
	codes.ElementProvenanceAmbiguous, codes.VariableRationaleUnknownVariable,
}

// Mark returns the part of a document that an editor underlines for an issue. This
// is the value at its path, or the key if the issue is about the key or the value is
// an object or array, which can have many lines. If there is no key, it is the
// opening bracket. If the document has no such value, such as a missing field, it is
// marked at the object that should have it.
func Mark(doc *document.Document, i issue.Issue) document.Span {
	at := doc.Locate(i.Path)
	long := true
	if at.Exact {
		kind := doc.Text()[at.Value.Start.Offset]
		long = kind == '{' || kind == '['
	}
	switch keyed := at.Key != (document.Span{}); {
	case keyed && (long || slices.Contains(keyCodes, i.Code)):
		return at.Key
	case long:
		return document.Span{Start: at.Value.Start, End: doc.Point(at.Value.Start.Offset + 1)}
	}
	return at.Value
}
