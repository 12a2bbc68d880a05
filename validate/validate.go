package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Options tune a run. The zero value and nil are the defaults.
type Options struct {
	// Strict adds warnings for what is tolerated, such as unknown fields.
	Strict bool
	// MustPin makes it an error, not a warning, that a document pins another
	// version than the one it is judged by. Resolving wants that: the bundle
	// would contradict its pin.
	MustPin bool
	// Rules are run after those of the suite, on a document of good shape.
	Rules []*Rule
	// Interrupt is asked now and then whether to go on; its error ends the
	// run. It is how a caller sets a limit of time.
	Interrupt func() error
}

// Result is what a run has found.
type Result struct {
	// Issues are in the order of the rules, then of the document. Each is an
	// error or a warning.
	Issues issue.Issues
}

// OK reports whether the document is valid: there may be warnings.
func (r *Result) OK() bool { return !r.Issues.HasErrors() }

// Errors returns the issues that make the document invalid.
func (r *Result) Errors() issue.Issues { return r.with(issue.SeverityError) }

// Warnings returns the other issues.
func (r *Result) Warnings() issue.Issues { return r.with(issue.SeverityWarning) }

func (r *Result) with(s issue.Severity) issue.Issues {
	found := issue.Issues{}
	for _, i := range r.Issues {
		if i.Severity == s {
			found = append(found, i)
		}
	}
	return found
}

// Instance judges a thin document against a release, in two steps. Where its
// shape is wrong, the result has all that is wrong with the shape, each a
// [taxonomy.CodeParseError], and no rule has run: a field of the wrong kind hides
// what the rules would find, be it elsewhere in the document. Else the result has
// all that the rules find. The error is that of [Options.Interrupt], or says that
// we could not check.
func Instance(release *taxonomy.Release, doc *document.Document, o *Options) (*Result, error) {
	p := newPass(doc, o)
	p.Version, p.Schema = release.Version(), release
	if s := instanceShape(); !s.fits(doc.Root()) {
		result, err := p.misshapen(s)
		p.namePin(result)
		return result, err
	}
	instance, err := taxonomy.DecodeInstance(doc)
	if err != nil {
		return nil, fmt.Errorf("validate: a document of good shape can't be read: %w", err)
	}
	p.Instance = instance
	return p.judge(InstanceRules())
}

// Resolved judges a resolved document by its own snapshot and suggested
// elements, in two steps as [Instance] does. Live is the release that it pins,
// with which the snapshot is compared, or nil where that is not published any
// more.
func Resolved(live *taxonomy.Release, doc *document.Document, o *Options) (*Result, error) {
	p := newPass(doc, o)
	p.Live = live
	if s := resolvedShape(); !s.fits(doc.Root()) {
		return p.misshapen(s)
	}
	resolved, err := taxonomy.DecodeResolved(doc)
	if err != nil {
		return nil, fmt.Errorf("validate: a document of good shape can't be read: %w", err)
	}
	p.Resolved, p.Instance = resolved, &resolved.Instance
	p.Version, _ = taxonomy.ParseVersion(resolved.SchemaVersion)
	p.Schema = newPool(resolved)
	return p.judge(ResolvedRules())
}

// InstanceShape judges the shape of a thin document alone. It is for callers who
// do not have the release that the document pins, if it pins one at all.
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

// namePin names the version that a document is judged by where it should pin one
// and does not: an example would be taken for a version that there is.
func (p *Pass) namePin(r *Result) {
	if r == nil {
		return
	}
	at := issue.Root.Key("schema_version")
	for i := range r.Issues {
		finding := &r.Issues[i]
		if !finding.Path.Equal(at) || !strings.Contains(finding.FixHint, "such as") {
			continue
		}
		version := p.Version.String()
		finding.FixHint, finding.Fix = "write "+version, &issue.Fix{Path: at, Value: quote(version)}
		pinned, given := p.Document.Root().Get("schema_version")
		if !given {
			finding.FixHint = `add "schema_version": "` + version + `"`
			continue
		}
		if ref, err := taxonomy.ParseRef(pinned.Text()); err == nil && ref.Type() != p.Version.Type() {
			finding.FixHint, finding.Fix = fmt.Sprintf("write %s, or ask for %s instead", version, prose.Clip(ref.String())), nil
		}
	}
}

// judge runs the suite and what the options add to it.
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
