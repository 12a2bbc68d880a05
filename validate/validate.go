// Package validate reports every problem in a datachain, with its code, its path and a
// hint.
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
// to those of this package, which [Rules] lists. Package validatetest tests rules.
//
// # Shape
//
// The shape of a document, its fields and their types, is defined by JSON Schemas
// (2020-12), which [JSONSchema] returns for editors and other programs. They are compiled
// to a checker that needs a hundredth of the time of a general implementation. Only if a
// document does not fit, package jsonschema explains why. A fuzz test compares the two.
package validate

import (
	"context"
	"errors"
	"fmt"

	"github.com/datachain-go/datachain/internal/errname"
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
	// Partial also validates a document with syntax errors, which [document.Options.Recover]
	// gives, and also runs the rules if the shape is wrong, on the parts whose shape is
	// valid, so that an editor keeps its findings while something is being typed. It
	// reports the syntax errors first, and only findings that hold whatever the right
	// value of the wrong part is, except for counts in messages. See [Rule.DespiteShape].
	Partial bool
	// Rules run if the shape is valid, after those of this package that judge the
	// document by its schema, and before those that compare a snapshot or are strict.
	// With Partial, those with [Rule.DespiteShape] also run if it is not. See [Options.Check].
	Rules []*Rule
	// Disable are codes of rules that are not reported: neither as warnings nor, without
	// MustPin, as errors, since what is resolved must be valid for others, too. A rule
	// without another code does not run. A wrong shape is always reported.
	Disable []issue.Code
	// Version is the version that hints tell the document to pin. [Instance] uses that of
	// its release instead. If it is zero, hints have an example.
	Version taxonomy.Version
	// Context is passed to the rules. The run ends with its error once it has ended; nil
	// means that it never does.
	Context context.Context
	// Interrupt is called regularly. If it returns an error, the run ends with
	// that error.
	Interrupt func() error
}

// Result is the result of a run.
type Result struct {
	// Issues are in the order of the rules, then of the document. They are not nil
	// if a document was validated.
	Issues issue.Issues
}

// OK reports whether the document is valid. It may have warnings. The zero Result is not
// OK.
func (r *Result) OK() bool { return r.Issues != nil && !r.Issues.HasErrors() }

// Instance validates a thin document against a release. If the shape of the document
// is wrong, the result has all problems of the shape, each a
// parse_error, and no rule has run, since a field of the wrong type can
// hide other problems anywhere in the document; [Options.Partial] changes that.
// Otherwise it has the issues of the rules. The error is that of [Options.Context] or
// [Options.Interrupt], that of a [Rule] that failed, or a failure of this package.
func Instance(release *taxonomy.Release, doc *document.Document, o *Options) (*Result, error) {
	if release == nil {
		return nil, errors.New("validate: the release is nil")
	}
	p, err := newPass(doc, o)
	if err != nil {
		return nil, err
	}
	p.Version, p.Schema = release.Version(), release
	return p.validate(instanceShape(), instanceRules(p.opts))
}

// Resolved validates a resolved document by its snapshot and suggested elements, in
// two steps as [Instance] does. Live is the release that the document pins, or nil if that is not published. The snapshot is compared with it, it has the
// categories of suggested elements that the snapshot lacks, and it says which categories are
// required and how often each can be placed: a snapshot from which a required category was
// removed can't say so.
func Resolved(live *taxonomy.Release, doc *document.Document, o *Options) (*Result, error) {
	p, err := newPass(doc, o)
	if err != nil {
		return nil, err
	}
	p.Live = live
	return p.validate(resolvedShape(), resolvedRules(p.opts))
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
	if s := instanceShape(); !doc.Strict() || !s.fits(doc.Root()) {
		return p.explainShape(s, nil)
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
	if !doc.Strict() && !o.Partial {
		return nil, fmt.Errorf("validate: the document is not strict JSON: %w", doc.SyntaxErrors()[0])
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	return &Pass{Document: doc, Version: o.Version, Original: doc, opts: o, locator: locator{doc: doc}, hints: hints{budget: hintBudget}}, nil
}

// validate checks the shape of the document and, if that is valid, runs a suite.
func (p *Pass) validate(s *shape, suite []*Rule) (*Result, error) {
	if !p.Document.Strict() || !s.fits(p.Document.Root()) {
		return p.explainShape(s, suite)
	}
	if err := p.decode(s); err != nil {
		return nil, err
	}
	p.runRules(suite)
	return p.result()
}

// decode sets the Go values of a document of valid shape, and finds the elements that it
// places.
func (p *Pass) decode(s *shape) (err error) {
	if s != resolvedShape() {
		p.Instance, err = taxonomy.DecodeInstance(p.Document)
	} else if p.Resolved, err = p.Live.DecodeResolved(p.Document); err == nil {
		p.Instance = &p.Resolved.Instance
		p.Version, _ = taxonomy.ParseVersion(p.Instance.SchemaVersion)
		live := p.Live
		if p.Broken(pinPath) {
			live = nil // another version may be meant
		}
		p.snapshot = newSnapshotSchema(p.Resolved, live)
		p.Schema = p.snapshot
	}
	if err != nil {
		return fmt.Errorf("validate: decoding a document of valid shape: %w", errname.Trim(err))
	}
	p.findElements()
	return nil
}

// result returns the issues, or why the run ended early.
func (p *Pass) result() (*Result, error) {
	if p.failure != nil {
		return nil, p.failure
	}
	return &Result{Issues: p.findings.list()}, nil
}
