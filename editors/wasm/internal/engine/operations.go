package engine

import (
	"bytes"
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/lists"
)

// Options are the options of all operations. Each reads those that it documents in the
// types of the npm package.
type Options struct {
	Version    string   `json:"version"`
	Strict     bool     `json:"strict"`
	Locale     string   `json:"locale"`
	Query      string   `json:"query"`
	CategoryID string   `json:"category_id"`
	Fields     []string `json:"fields"`
	Locales    []string `json:"locales"`
	Limit      int      `json:"limit"`
	Cursor     string   `json:"cursor"`
	ElementID  string   `json:"element_id"`
	Variant    string   `json:"variant"`
	To         string   `json:"to"`
	From       string   `json:"from"`
	Drop       bool     `json:"drop"`
	Older      bool     `json:"older"`
}

type operation func(e *Engine, ctx context.Context, o *Options, doc []byte) (any, error)

// operations are the operations by name.
var operations = map[string]operation{
	"open":     (*Engine).open,
	"validate": (*Engine).validate,
	"fix":      (*Engine).fix,
	"resolve":  (*Engine).resolve,
	"upgrade":  (*Engine).upgrade,
	"search":   (*Engine).search,
	"icon":     (*Engine).icon,
	"render":   (*Engine).render,
}

// open makes sure that a version is loaded, and returns its manifest.
func (e *Engine) open(ctx context.Context, o *Options, _ []byte) (any, error) {
	schema, err := e.service.Open(ctx, o.Version)
	if err != nil {
		return nil, err
	}
	return jsontext.Value(schema.Release().ManifestJSON()), nil
}

// Verdict is the result of validating a document, as `datachain validate --format json`
// has it for a file.
type Verdict struct {
	OK      bool      `json:"ok"`
	Kind    string    `json:"kind,omitzero"`
	Version string    `json:"version,omitzero"`
	Issues  []Finding `json:"issues"`
}

// Finding is an issue with its range in the text.
type Finding struct {
	issue.Issue
	Range struct {
		Start Point `json:"start"`
		End   Point `json:"end"`
	} `json:"range"`
}

// Point is a place in a text. Lines and columns count from 1, columns in characters and
// in UTF-16 code units; the offset counts bytes from 0.
type Point struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	UTF16  int `json:"utf16"`
	Offset int `json:"offset"`
}

func newPoint(p document.Point) Point { return Point{p.Line, p.Column, p.UTF16, p.Offset} }

func newFinding(f datachain.Finding) Finding {
	found := Finding{Issue: f.Issue}
	found.Range.Start, found.Range.End = newPoint(f.Span.Start), newPoint(f.Span.End)
	return found
}

func newVerdict(v *datachain.Verdict) Verdict {
	if v.Document() == nil {
		return Verdict{Issues: []Finding{newFinding(v.Findings()[0])}}
	}
	out := Verdict{OK: v.OK(), Kind: "thin", Issues: []Finding{}}
	if v.Resolved {
		out.Kind = "resolved"
	}
	if v.Release != nil {
		out.Version = v.Release.Version().String()
	} else if pin, ok := v.Document().Root().Get("schema_version"); ok {
		out.Version = pin.Text()
	}
	for _, f := range v.Findings() {
		out.Issues = append(out.Issues, newFinding(f))
	}
	return out
}

// check validates a document by the version of the options, or the one that it pins.
func (e *Engine) check(ctx context.Context, o *Options, doc []byte, fix bool) (*datachain.Verdict, *Verdict, error) {
	options := &datachain.ValidateOptions{Strict: o.Strict, Partial: true, Fix: fix}
	v, err := e.checkBy(ctx, o.Version, doc, options)
	if err != nil {
		return nil, nil, err
	}
	out := newVerdict(v)
	return v, &out, nil
}

// syntaxVerdict returns a verdict if an error is that a document is not JSON, else nil.
func syntaxVerdict(err error) *Verdict {
	failed, ok := errors.AsType[*datachain.Error](err)
	if !ok {
		return nil
	}
	finding, ok := failed.Finding()
	if !ok {
		return nil
	}
	return &Verdict{Issues: []Finding{newFinding(finding)}}
}

// checkBy is like --schema-version of `datachain validate`.
func (e *Engine) checkBy(ctx context.Context, version string, doc []byte, o *datachain.ValidateOptions) (*datachain.Verdict, error) {
	if version == "" {
		return e.service.Validate(ctx, doc, o)
	}
	schema, err := e.service.Open(ctx, version)
	if err != nil {
		return nil, err
	}
	return schema.Validate(ctx, doc, o)
}

func (e *Engine) validate(ctx context.Context, o *Options, doc []byte) (any, error) {
	_, verdict, err := e.check(ctx, o, doc, false)
	return verdict, err
}

// Fixed is the result of fix: the new text with the verdict on it, and the findings
// that no longer apply.
type Fixed struct {
	Verdict
	Text  string       `json:"text"`
	Fixed issue.Issues `json:"fixed"`
}

func (e *Engine) fix(ctx context.Context, o *Options, doc []byte) (any, error) {
	v, verdict, err := e.check(ctx, o, doc, true)
	if err != nil {
		return nil, err
	}
	out := Fixed{Verdict: *verdict, Text: string(doc), Fixed: issue.Issues{}}
	if v != nil && v.Fixed != nil && len(v.Fixed.Resolved) > 0 {
		out.Verdict, out.Fixed = newVerdict(v.AfterFix()), v.Fixed.Resolved
		out.Text = string(v.Fixed.Document.Text())
	}
	return out, nil
}

// schemaFor opens the version of the options, or the one that a document pins.
func (e *Engine) schemaFor(ctx context.Context, o *Options, doc []byte) (*datachain.Schema, error) {
	if o.Version != "" {
		return e.service.Open(ctx, o.Version)
	}
	return e.service.OpenFor(ctx, doc)
}

// Resolved is the result of resolve; Document is empty if there are errors.
type Resolved struct {
	Verdict
	Document string `json:"document,omitzero"`
}

func (e *Engine) resolve(ctx context.Context, o *Options, doc []byte) (any, error) {
	schema, err := e.schemaFor(ctx, o, doc)
	if err != nil {
		return nil, err
	}
	v, bundle, err := schema.Resolve(ctx, doc, nil)
	if err != nil {
		return nil, err
	}
	if syntax := v.SyntaxError(); syntax != nil {
		return nil, syntax
	}
	out := Resolved{Verdict: newVerdict(v)}
	if bundle != nil {
		out.Document = string(bundle.AppendJSON(nil))
	}
	return out, nil
}

// search answers as GET …/elements does, without ok.
func (e *Engine) search(ctx context.Context, o *Options, _ []byte) (any, error) {
	schema, err := e.service.Open(ctx, o.Version)
	if err != nil {
		return nil, err
	}
	page, err := schema.Elements(ctx, datachain.ElementQuery{
		Lenient: true, CategoryID: o.CategoryID, Text: o.Query, Locale: o.Locale, Limit: o.Limit, Cursor: o.Cursor,
	})
	if err != nil {
		return nil, err
	}
	fields := o.Fields
	if fields == nil {
		fields = lists.ListFields()
	}
	b := append([]byte(`{"version":"`), schema.Release().Version().String()...)
	b = lists.AppendElements(append(b, `","elements":`...), schema.Release(), page.Elements, lists.Projection{Fields: fields, Locales: o.Locales})
	return jsontext.Value(append(lists.AppendMeta(append(b, `,"meta":`...), page.Total, len(page.Elements), page.NextCursor, page.DidYouMean), '}')), nil
}

func (e *Engine) icon(ctx context.Context, o *Options, _ []byte) (any, error) {
	schema, err := e.service.Open(ctx, o.Version)
	if err != nil {
		return nil, err
	}
	icon, err := schema.Icon(ctx, o.ElementID, o.Variant)
	if err != nil {
		return nil, err
	}
	return string(icon.SVG), nil
}

// Rendered is the result of render; HTML is empty if there are errors.
type Rendered struct {
	Verdict
	HTML         string `json:"html,omitzero"`
	Locale       string `json:"locale,omitzero"`
	SectionCount int    `json:"section_count,omitzero"`
	ElementCount int    `json:"element_count,omitzero"`
}

func (e *Engine) render(ctx context.Context, o *Options, doc []byte) (any, error) {
	if err := datachain.Check("locale", o.Locale); err != nil {
		return nil, err
	}
	present := e.service.Present
	if o.Version != "" {
		schema, err := e.service.Open(ctx, o.Version)
		if err != nil {
			return nil, err
		}
		present = schema.Present
	}
	v, shown, err := present(ctx, doc)
	if err != nil {
		return nil, err
	}
	out := Rendered{Verdict: newVerdict(v)}
	if shown == nil {
		return out, nil
	}
	var page bytes.Buffer
	summary, err := view.Write(&page, shown, &view.Options{Locale: o.Locale, Languages: true})
	if errors.Is(err, view.ErrTooLarge) {
		return nil, fail(issue.CodePayloadTooLarge, "place fewer elements, or shorten their texts", "The page would be larger than %d bytes.", view.DefaultMaxBytes)
	}
	if err != nil {
		return nil, err
	}
	out.HTML, out.Locale = page.String(), summary.Locale
	out.SectionCount, out.ElementCount = summary.Sections, summary.Elements
	return out, nil
}

// Upgraded is the result of upgrade: the new text with the verdict on it, and what was
// done and is left to do. It is ok if nothing is left.
type Upgraded struct {
	Verdict
	Text   string          `json:"text"`
	Report *upgrade.Report `json:"report,omitzero"`
}

// upgrade moves a document to another version. JSON that can't be read is a finding.
func (e *Engine) upgrade(ctx context.Context, o *Options, doc []byte) (any, error) {
	if o.To == "" {
		return nil, fail(issue.CodeBadRequest, "name a version or an alias, such as ai@latest", "The option to is missing.")
	}
	schema, err := e.service.Open(ctx, o.To)
	if err != nil {
		return nil, err
	}
	r, err := upgrade.Run(ctx, schema, doc, &upgrade.RunOptions{From: o.From, Drop: o.Drop, Older: o.Older})
	if syntax := syntaxVerdict(err); syntax != nil {
		return Upgraded{Verdict: *syntax, Text: string(doc)}, nil
	}
	if err != nil {
		return nil, err
	}
	out := Upgraded{
		Verdict: Verdict{OK: r.OK(), Kind: r.Report.Form, Version: r.Report.To.String(), Issues: []Finding{}},
		Text:    string(r.Document.Text()), Report: &r.Report,
	}
	for _, i := range r.Issues {
		out.Issues = append(out.Issues, newFinding(datachain.Finding{Issue: i, Span: r.Document.Locate(i.Path).Value}))
	}
	return out, nil
}
