package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/adapters/report"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// The kinds of document.
const (
	kindThin     = "thin"
	kindResolved = "resolved"
)

// judge judges documents.
type judge struct {
	store taxonomy.Store
	index *taxonomy.Index
	// release is what documents are judged by, or nil for what they pin.
	release *taxonomy.Release
	strict  bool
	// thin takes every document for a thin one, as resolving does.
	thin bool
	// fix asks for the fixed text, too; write makes that the one to report on.
	fix, write bool
}

// newJudge returns a judge that knows the versions of a store; version is the
// one to judge by, or "".
func newJudge(ctx context.Context, s taxonomy.Store, version string) (*judge, error) {
	index, err := s.Index(ctx)
	if err != nil {
		return nil, err
	}
	j := &judge{store: s, index: index}
	if version == "" {
		return j, nil
	}
	j.release, err = openTyped(ctx, s, version)
	return j, err
}

// all judges documents side by side and returns them in order.
func (j *judge) all(ctx context.Context, docs []input, read func(input) ([]byte, error), bar *progress) ([]report.File, error) {
	files := make([]report.File, len(docs))
	next := make(chan int)
	var workers sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(runtime.GOMAXPROCS(0), len(docs)) {
		workers.Go(func() {
			for i := range next {
				text, err := read(docs[i])
				if err != nil {
					files[i] = report.File{Name: docs[i].name, Path: docs[i].path, Err: err}
				} else {
					files[i] = j.one(ctx, docs[i], text)
				}
				mu.Lock()
				done++
				bar.update(done, len(docs))
				mu.Unlock()
			}
		})
	}
	for i := range docs {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	return files, ctx.Err()
}

// one judges the text of a document.
func (j *judge) one(ctx context.Context, d input, text []byte) report.File {
	f := report.File{Name: d.name, Path: d.path, Text: text}
	doc, err := document.Parse(text)
	if err != nil {
		f.Findings = []report.Finding{notJSON(err)}
		return f
	}
	f.Kind = kindThin
	if j.isResolved(doc) {
		f.Kind = kindResolved
	}
	result, err := j.result(ctx, doc)
	if err == nil && j.fix {
		var fixed *validate.Fixed
		fixed, err = validate.FixAll(doc, result, func(doc *document.Document) (*validate.Result, error) { return j.result(ctx, doc) })
		if err == nil && len(fixed.Resolved) > 0 {
			f.Fix = &report.Fix{Resolved: fixed.Resolved, Before: text, After: fixed.Document.Text()}
			if j.write {
				doc, result, f.Text = fixed.Document, fixed.Result, f.Fix.After
			}
		}
	}
	if err != nil {
		return report.File{Name: d.name, Path: d.path, Err: err}
	}
	f.Version = pin(doc)
	if j.release != nil {
		f.Version = j.release.Version().String()
	}
	for _, i := range result.Issues {
		f.Findings = append(f.Findings, report.Finding{Issue: i, Span: validate.Mark(doc, i)})
	}
	if len(f.Findings) == 0 {
		f.Text = nil
	}
	return f
}

// notJSON is the finding for a text that is no strict JSON.
func notJSON(err error) report.Finding {
	i := issue.Issue{Code: issue.CodeBadRequest, Severity: issue.SeverityError, FixHint: "correct this first: nothing else was checked"}
	syntax, ok := errors.AsType[*document.SyntaxError](err)
	if !ok || syntax.Point.Line == 0 { // no place to point at, but the start
		syntax = &document.SyntaxError{Reason: err.Error(), Point: document.Point{Line: 1, Column: 1, UTF8: 1, UTF16: 1}}
	}
	i.Path, i.Message = syntax.Path, "The text is no strict JSON: "+syntax.Reason+"."
	return report.Finding{Issue: i, Span: document.Span{Start: syntax.Point, End: syntax.Point}}
}

// isResolved reports whether a document is to be judged by its own slice of a
// schema.
func (j *judge) isResolved(doc *document.Document) bool {
	_, ok := doc.Root().Get("schema_snapshot")
	return ok && !j.thin
}

// pinPath is where a document says which version it is written for.
var pinPath = issue.Root.Key("schema_version")

// pin returns the version that a document pins, well-formed or not.
func pin(doc *document.Document) string {
	v, ok := doc.Find(pinPath)
	if !ok {
		return ""
	}
	return v.Text()
}

// result judges a document by the version that it pins, or by the one that was
// asked for.
func (j *judge) result(ctx context.Context, doc *document.Document) (*validate.Result, error) {
	o := &validate.Options{Strict: j.strict, Interrupt: ctx.Err}
	release := j.release
	if release == nil {
		pinned, err := j.pinned(ctx, doc)
		if err != nil {
			return nil, err
		}
		release = pinned
	}
	if j.isResolved(doc) {
		return validate.Resolved(release, doc, o)
	}
	if release != nil {
		return validate.Instance(release, doc, o)
	}
	return j.unknownVersion(doc, o)
}

// pinned returns the release that a document pins, or that an alias in its place
// stands for, or nil where there is none.
func (j *judge) pinned(ctx context.Context, doc *document.Document) (*taxonomy.Release, error) {
	ref, err := taxonomy.ParseRef(pin(doc))
	if err != nil {
		return nil, nil //nolint:nilerr // the shape is wrong, and will be said to be
	}
	entry, known := j.index.Lookup(ref)
	if !known {
		return nil, nil
	}
	return j.store.Release(ctx, entry.ID)
}

// unknownVersion says what is wrong with a thin document that pins no version
// which is known: it may be misshapen besides.
func (j *judge) unknownVersion(doc *document.Document, o *validate.Options) (*validate.Result, error) {
	result, err := validate.InstanceShape(doc, o)
	if err != nil {
		return nil, err
	}
	if version, err := taxonomy.ParseVersion(pin(doc)); err == nil { // else the shape says it
		result.Issues = append(result.Issues, j.notFound(version.Ref()))
	}
	return result, nil
}

func (j *judge) notFound(ref taxonomy.Ref) issue.Issue {
	hint := "name the taxonomies that have it with --schemas or --store"
	// A document pins a version by its id, never by an alias.
	near := slices.DeleteFunc(j.index.Nearest(ref, 6), func(name string) bool {
		_, err := taxonomy.ParseVersion(name)
		return err != nil
	})
	if len(near) > 0 {
		hint = "write " + strings.Join(near, " or ") + ", or " + hint
	}
	return issue.Issue{
		Code: issue.CodeNotFound, Severity: issue.SeverityError, Path: pinPath,
		Message: fmt.Sprintf("There is no schema version %s.", ref), FixHint: hint,
	}
}
