package validate

import (
	"fmt"
	"slices"

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
	// Rules run after those of the suite, if the shape is valid.
	Rules []*Rule
	// Interrupt is called from time to time. If it returns an error, the run
	// ends with that error.
	Interrupt func() error
}

// Result is the result of a run.
type Result struct {
	// Issues are in the order of the rules, then of the document.
	Issues issue.Issues
}

// OK reports whether the document is valid. It may have warnings.
func (r *Result) OK() bool { return !r.Issues.HasErrors() }

// Errors returns the issues that make the document invalid.
func (r *Result) Errors() issue.Issues { return r.Issues.With(issue.SeverityError) }

// Warnings returns the other issues.
func (r *Result) Warnings() issue.Issues { return r.Issues.With(issue.SeverityWarning) }

// Instance validates a thin document against a release. If the shape of the document
// is wrong, the result has all problems of the shape, each an
// [issue.CodeParseError], and no rule has run, since a field of the wrong type can
// hide other problems anywhere in the document. Otherwise it has the issues of the
// rules. The error is that of [Options.Interrupt], or a failure of this package.
func Instance(release *taxonomy.Release, doc *document.Document, o *Options) (*Result, error) {
	p := newPass(doc, o)
	p.Version, p.Schema = release.Version(), release
	if s := instanceShape(); !s.fits(doc.Root()) {
		return p.misshapen(s)
	}
	instance, err := taxonomy.DecodeInstance(doc)
	if err != nil {
		return nil, fmt.Errorf("validate: decoding a document of valid shape: %w", err)
	}
	p.Instance = instance
	return p.judge(InstanceRules())
}

// Resolved validates a resolved document by its snapshot and suggested elements, in
// two steps as [Instance] does; but that suggested elements need provenance and ids of
// their own is reported even if the shape is wrong. Live is the release that the document pins, or nil if
// that is not published. The snapshot is compared with it, and it says which
// categories are required and how often each can be placed: a snapshot from which a
// required category was removed can't say so.
func Resolved(live *taxonomy.Release, doc *document.Document, o *Options) (*Result, error) {
	p := newPass(doc, o)
	p.Live = live
	if s := resolvedShape(); !s.fits(doc.Root()) {
		return p.misshapen(s, suggestionRules()...)
	}
	resolved, err := live.DecodeResolved(doc)
	if err != nil {
		return nil, fmt.Errorf("validate: decoding a document of valid shape: %w", err)
	}
	p.Resolved, p.Instance = resolved, &resolved.Instance
	p.Version, _ = taxonomy.ParseVersion(resolved.SchemaVersion)
	p.pool = newPool(resolved)
	p.Schema = p.pool
	return p.judge(ResolvedRules())
}

// InstanceShape validates only the shape of a thin document. Use it if the release
// that the document pins is not available.
func InstanceShape(doc *document.Document, o *Options) (*Result, error) {
	p := newPass(doc, o)
	if s := instanceShape(); !s.fits(doc.Root()) {
		return p.misshapen(s)
	}
	return p.result()
}

func newPass(doc *document.Document, o *Options) *Pass {
	if o == nil {
		o = new(Options)
	}
	return &Pass{Document: doc, opts: o, locator: locator{doc: doc}, hints: hints{budget: hintBudget}}
}

// judge runs a suite and the rules of the options.
func (p *Pass) judge(suite []*Rule) (*Result, error) {
	if p.opts.Strict {
		suite = append(suite, StrictRules()...)
	}
	p.run(slices.Concat(suite, p.opts.Rules))
	return p.result()
}

func (p *Pass) result() (*Result, error) {
	if p.interrupt != nil {
		return nil, p.interrupt
	}
	return &Result{Issues: p.findings.list()}, nil
}
