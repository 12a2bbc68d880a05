package mcp

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/view"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func (s *Server) validateDatachain(ctx context.Context, g *given) (*envelope, error) {
	return s.judge(ctx, g, func(schema *datachain.Schema) (*datachain.Verdict, []byte, error) {
		v, err := schema.Validate(ctx, g.datachain, nil)
		return v, nil, err
	})
}

func (s *Server) validateResolved(ctx context.Context, g *given) (*envelope, error) {
	return s.judge(ctx, g, func(schema *datachain.Schema) (*datachain.Verdict, []byte, error) {
		v, err := schema.ValidateResolved(ctx, g.datachain, nil)
		return v, nil, err
	})
}

func (s *Server) resolveDatachain(ctx context.Context, g *given) (*envelope, error) {
	return s.judge(ctx, g, func(schema *datachain.Schema) (*datachain.Verdict, []byte, error) {
		v, bundle, err := schema.Resolve(ctx, g.datachain)
		if err != nil || bundle == nil {
			return v, nil, err
		}
		return v, bundle.AppendJSON(make([]byte, 0, bundle.Len())), nil
	})
}

// judge answers with what came of judging a document: data, or what is wrong.
func (s *Server) judge(ctx context.Context, g *given, do func(schema *datachain.Schema) (*datachain.Verdict, []byte, error)) (*envelope, error) {
	schema, e, err := s.open(ctx, g)
	if err != nil {
		return nil, err
	}
	v, data, err := do(schema)
	if err != nil {
		return e, badDocument(err)
	}
	e.errors = v.Errors()
	warnings := wireIssues(slices.Concat(g.warnings, v.Warnings()))
	if len(e.errors) == 0 || e.errors[0].Code != issue.CodeParseError {
		e.meta.Warnings = warnings
	}
	switch {
	case len(e.errors) > 0:
	case data != nil:
		e.data = data
	default:
		e.data = append(appendJSON([]byte(`{"warnings":`), warnings), '}')
	}
	if data != nil || len(e.errors) > 0 || len(warnings) > 0 {
		e.meta.Notice = notice
	}
	return e, nil
}

// badDocument is the failure to read a document at all: the argument is no strict
// JSON.
func badDocument(err error) error {
	wrong, ok := errors.AsType[*document.SyntaxError](err)
	if !ok {
		return err
	}
	path := issue.Root.Key(argDatachain.name)
	for _, step := range wrong.Path {
		if i, ok := step.IsIndex(); ok {
			path = path.Index(i)
		} else {
			path = path.Key(step.Name())
		}
	}
	hint := "send strict JSON"
	if wrong.DuplicateKey {
		hint = "give each key of an object once"
	}
	return &datachain.Error{Issue: badArgument(path, hint, "The datachain is not strict JSON: %s.", wrong.Reason), Err: err}
}

// maxPage is the largest page that is kept, and maxFragment the largest part of
// one that is sent along with a result.
const (
	maxPage     = 4 << 20
	maxFragment = 1 << 20
)

func (s *Server) renderDatachain(ctx context.Context, g *given) (*envelope, error) {
	if err := datachain.CheckLocale(g.text("locale")); err != nil {
		return nil, recode(err, "locale")
	}
	var shown *datachain.Presentation
	e, err := s.judge(ctx, g, func(schema *datachain.Schema) (*datachain.Verdict, []byte, error) {
		v, p, err := schema.Present(ctx, g.datachain)
		shown = p
		return v, nil, err
	})
	if err != nil || shown == nil {
		return e, err
	}
	var page, fragment bytes.Buffer
	summary, err := view.Write(&page, shown, &view.Options{Locale: g.text("locale"), MaxBytes: maxPage})
	if errors.Is(err, view.ErrTooLarge) {
		return e, tooLarge("place fewer elements, or split the datachain into several", "The page has more than %d bytes.", maxPage)
	}
	if err != nil {
		return e, err
	}
	if i, wrong := otherLanguage(g.text("locale"), summary.Locale, shown.Release); wrong {
		e.meta.Warnings = append(e.meta.Warnings, wireIssues(issue.Issues{i})...)
	}
	if err := s.options.Slots.Put(ctx, g.session, page.Bytes()); err != nil {
		return e, &datachain.Error{Issue: issue.Issue{Code: issue.CodeUpstreamError, Message: "The page can't be kept.", FixHint: "try again in a moment"}, Err: err}
	}
	e.extra = map[string]any{"ui": map[string]any{"resourceUri": viewURI}}
	// A host that read the view before the tool ran shows the fragment in it.
	if _, err := view.Fragment(&fragment, shown, &view.Options{Locale: g.text("locale"), MaxBytes: maxFragment}); err == nil {
		e.extra[view.FragmentKey] = fragment.String()
	}
	e.data = appendJSON(nil, struct {
		ResourceURI  string      `json:"resource_uri"`
		SectionCount int         `json:"section_count"`
		ElementCount int         `json:"element_count"`
		Warnings     []wireIssue `json:"warnings"`
	}{viewURI, summary.Sections, summary.Elements, e.meta.Warnings})
	return e, nil
}
