package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// tool is an operation of the service, as a model sees it.
type tool struct {
	name, title string
	// description is for a model that has never heard of datachains.
	description string
	arguments   []argument
	// data says what the data of an answer holds.
	data string
	// work means that it judges a document, and waits for its turn.
	work bool
	// meta is JSON for hosts.
	meta jsontext.Value
	run  func(*Server, context.Context, *given) (*envelope, error)
}

// toolDefinitions describe the tools to clients, sorted by name.
func toolDefinitions() any {
	type definition struct {
		Meta         jsontext.Value `json:"_meta,omitzero"`
		Annotations  jsontext.Value `json:"annotations"`
		Description  string         `json:"description"`
		InputSchema  jsontext.Value `json:"inputSchema"`
		Name         string         `json:"name"`
		OutputSchema jsontext.Value `json:"outputSchema"`
		Title        string         `json:"title"`
	}
	var all []definition
	for _, t := range tools {
		hints := appendJSON([]byte(`{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true,"title":`), t.title)
		all = append(all, definition{t.meta, append(hints, '}'), t.description, inputSchema(t.arguments), t.name, outputSchema(t.data), t.title})
	}
	slices.SortFunc(all, func(a, b definition) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// callTool answers with the envelope of a tool, as text and as JSON.
func (s *Server) callTool(ctx context.Context, r *request) ([]byte, *problem) {
	var names []string
	for _, t := range tools {
		names = append(names, t.name)
	}
	at := slices.Index(names, r.params.text("name"))
	if at < 0 {
		return nil, unknown("tool", r.params.text("name"), names).withStatus(http.StatusOK)
	}
	e := s.call(ctx, &tools[at], r)
	text := e.text()
	if len(text) > s.options.MaxAnswer {
		e = failed(tooLarge("ask for less: fewer fields, one of locales, or a smaller limit",
			"The answer has %d bytes, and at most %d are allowed.", len(text), s.options.MaxAnswer), e.meta)
		text = e.text()
	}
	b := append(make([]byte, 0, 3*len(text)), `"content":[{"type":"text","text":`...)
	b = append(appendJSON(b, string(text)), `}],"structuredContent":`...)
	if b = append(b, text...); e.failed {
		b = append(b, `,"isError":true`...)
	}
	return s.contents(r, e.extra, b), nil
}

// call runs a tool.
func (s *Server) call(ctx context.Context, t *tool, r *request) *envelope {
	g, issues := t.readArguments(r.caller, r.params["arguments"])
	if len(issues) > 0 {
		return &envelope{errors: issues, failed: true}
	}
	if t.work {
		leave, err := s.enter(ctx)
		if err != nil {
			return failed(err, meta{})
		}
		defer leave()
	}
	e, err := t.run(s, ctx, g)
	if err != nil {
		s.report(ctx, t.name, err)
		if e == nil {
			e = new(envelope)
		}
		return failed(err, e.meta)
	}
	if e.meta.Warnings == nil && len(g.warnings) > 0 {
		e.meta.Warnings = wireIssues(g.warnings)
	}
	return e
}

// enter waits for a place to work.
func (s *Server) enter(ctx context.Context) (leave func(), err error) {
	select {
	case s.work <- struct{}{}:
		return func() { <-s.work }, nil
	case <-ctx.Done():
		return nil, &datachain.Error{Issue: issue.Issue{Code: issue.CodeOverloaded, Message: "There is too much to do at once.", FixHint: "try again in a second"}, Err: ctx.Err()}
	}
}

// open opens the version that a call is about, and begins its answer.
func (s *Server) open(ctx context.Context, g *given) (*datachain.Schema, *envelope, error) {
	schema, err := s.service.Open(ctx, g.text("version"))
	if err != nil {
		return nil, nil, recode(err, "version")
	}
	return schema, &envelope{meta: metaOf(schema.Release())}, nil
}

// recode gives an error of the service the code that tools have for it, and hints
// that name tools.
func recode(err error, argument string) error {
	known, ok := errors.AsType[*datachain.Error](err)
	if !ok {
		return err
	}
	again := *known
	switch again.Kind {
	case datachain.KindFailure:
		return err
	case datachain.KindTooMany:
		again.Issue.Code = issue.CodeElementIDsTooMany
	case datachain.KindUnknown:
		again.Issue.Code = unknownCodes[known.Param]
	default:
		again.Issue.Code = issue.CodeInvalidArguments
	}
	again.Issue.Message = prose.Cut(again.Issue.Message, 300)
	again.Issue.FixHint = toolHint(known)
	again.Issue.Path = issue.Root.Key(argument)
	return &again
}

// unknownCodes are the codes for parameters that name nothing.
var unknownCodes = map[string]issue.Code{
	"version": issue.CodeUnknownVersion, "element_id": issue.CodeElementNotFound, "variant": issue.CodeUnknownVariant,
}

// toolHint is the hint of an error in terms of tools.
func toolHint(e *datachain.Error) string {
	const find = "find it with list_elements"
	switch {
	case e.Param == "element_id" && e.Kind == datachain.KindUnknown && len(e.Known) > 0:
		return "use " + strings.Join(e.Known, " or ") + ", or " + find
	case e.Param == "element_id" && e.Kind == datachain.KindUnknown:
		return find
	case e.Param == "version" && len(e.Known) > 0 && e.Kind == datachain.KindMalformed:
		return "use a version from list_schema_versions, such as " + e.Known[0]
	case e.Param == "version" && len(e.Known) == 0:
		return "use a version from list_schema_versions"
	}
	return e.Issue.FixHint
}

func tooLarge(hint, format string, args ...any) error {
	return &datachain.Error{Issue: issue.Issue{Code: issue.CodePayloadTooLarge, Message: fmt.Sprintf(format, args...), FixHint: hint}}
}

// enumerate lists names in a sentence.
func enumerate(names []string) string { return join(names, " and ") }

// alternatives lists names of which one is to be chosen.
func alternatives(names []string) string { return join(names, " or ") }

func join(names []string, last string) string {
	n := len(names) - 1
	if n < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n], ", ") + last + names[n]
}
