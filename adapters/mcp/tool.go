package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
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
	meta sdk.Meta
	run  func(*Server, context.Context, *given) (*envelope, error)
}

// addTool offers a tool to clients.
func (s *Server) addTool(t *tool) {
	schema := inputSchema(t.arguments)
	check := newChecker(t.name, t.arguments, schema)
	closed := false
	definition := &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description, Meta: t.meta,
		InputSchema: schema, OutputSchema: outputSchema(t.data),
		Annotations: &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &closed, OpenWorldHint: &closed},
	}
	s.sdk.AddTool(definition, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return s.result(s.call(ctx, t, check, req.Params.Arguments)), nil
	})
}

// call runs a tool.
func (s *Server) call(ctx context.Context, t *tool, c *checker, raw []byte) *envelope {
	g, issues := c.check(raw)
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

// release returns the release that a call is about, and the meta of its answer.
func (s *Server) release(ctx context.Context, g *given) (*taxonomy.Release, *envelope, error) {
	r, err := s.service.Release(ctx, g.text("version"))
	if err != nil {
		return nil, nil, recode(err, issue.CodeUnknownVersion, "version")
	}
	return r, &envelope{meta: metaOf(r)}, nil
}

// recode gives a failure of the service the code that tools have for it: what is
// malformed is a bad argument, and what is missing has a name of its own.
func recode(err error, missing issue.Code, argument string) error {
	known, ok := errors.AsType[*datachain.Error](err)
	if !ok {
		return err
	}
	again := *known
	switch again.Issue.Code {
	case issue.CodeBadRequest:
		again.Issue.Code = issue.CodeInvalidArguments
	case issue.CodeNotFound:
		again.Issue.Code = missing
	default:
		return err
	}
	again.Issue.Message = prose.Cut(again.Issue.Message, 300)
	again.Issue.FixHint = toolHint(again.Issue.FixHint, again.Issue.Code)
	again.Issue.Path = issue.Root.Key(argument)
	return &again
}

// toolHint says in terms of tools what the service says in terms of itself.
func toolHint(hint string, code issue.Code) string {
	const find = "find it with list_elements"
	switch {
	case code != issue.CodeElementNotFound:
		return strings.ReplaceAll(hint, "the list of schemas", "list_schema_versions")
	case strings.HasPrefix(hint, "use "): // the nearest ones
		return hint + ", or " + find
	}
	return find
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
