package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// callTool answers with the envelope of a tool, as text and as JSON.
func (s *Server) callTool(ctx context.Context, r *request, b []byte) ([]byte, *problem) {
	t, p := find("tool", s.tools().tools, func(t *Tool) string { return t.Name }, r.params.text("name"))
	if p != nil {
		return nil, p
	}
	c := &call{caller: r.caller, tool: t, values: make(map[string]value)}
	if c.errors = c.readArguments(r.message); c.errors != nil {
		c.failed = true
	} else if err := s.run(ctx, c); err != nil {
		s.report(ctx, c.tool.Name, err)
		c.fail(c.finding(err))
	}
	text := c.answer()
	if len(text) > s.options.MaxAnswer {
		c.fail(tooLarge("ask for less: fewer fields, one of locales, or a smaller limit",
			"The answer has %d bytes, more than the limit of %d.", len(text), s.options.MaxAnswer).Issue)
		text = c.answer()
	}
	b = slices.Grow(b, 2*len(text)+len(text)/4+1<<10)
	return s.contents(b, r, &c.envelope, func(b []byte) []byte {
		b = appendText(append(b, `"content":[{"type":"text","text":`...), text)
		b = appendSafe(append(b, `}],"structuredContent":`...), text)
		if c.failed {
			b = append(b, `,"isError":true`...)
		}
		return b
	}), nil
}

// call is a call of a tool: its arguments, and the answer that the tool writes.
type call struct {
	*caller
	tool   *Tool
	values map[string]value
	// datachain is the document as it was sent, byte for byte.
	datachain []byte
	// warnings are about arguments that are accepted all the same.
	warnings        issue.Issues
	schema          *datachain.Schema // nil if the tool takes no version
	versionArgument string            // the argument that names it
	envelope
}

func (c *call) release() *taxonomy.Release { return c.schema.Release() }

// run runs the tool.
func (s *Server) run(ctx context.Context, c *call) (err error) {
	if version := c.version(); version != "" {
		if c.schema, err = s.service.Open(ctx, version); err != nil {
			return err
		}
		c.meta = meta{Version: c.release().Version().String(), ContentHash: c.release().ContentHash().String()}
	}
	if c.tool.Work { // after opening, so that a slow store takes no place of a document
		leave, err := s.enter(ctx)
		if err != nil {
			return err
		}
		defer leave()
	}
	return c.tool.run(s, ctx, c)
}

// version returns what the argument for a version names, or "".
func (c *call) version() string {
	for i := range c.tool.Takes {
		if a := &c.tool.Takes[i]; a.Kind.isVersion {
			c.versionArgument = a.Name
			return c.text(a.Name)
		}
	}
	return ""
}

// enter waits for a place for work, and returns how to leave it.
func (s *Server) enter(ctx context.Context) (leave func(), err error) {
	select {
	case s.work <- struct{}{}:
		return func() { <-s.work }, nil
	case <-ctx.Done():
		return nil, &datachain.Error{Issue: issue.Issue{Code: codes.Overloaded, Message: "The server is overloaded.", FixHint: "try again in a second"}, Err: ctx.Err()}
	}
}

// answer returns the envelope as it is sent. Warnings about arguments are in every
// answer, since they may explain a failure.
func (c *call) answer() []byte {
	if c.meta.Warnings == nil && len(c.warnings) > 0 {
		c.meta.Warnings = wireIssues(c.warnings)
	}
	return c.json()
}

// finding returns the issue for an error of the service, with the codes and arguments of
// tools, and hints that name tools.
func (c *call) finding(err error) issue.Issue {
	known, ok := errors.AsType[*datachain.Error](err)
	switch {
	case ok:
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return issue.Issue{Code: issue.CodeTimeout, Message: "The call took too long.", FixHint: "try again, or ask for less"}
	default:
		return internalIssue
	}
	i := known.Issue
	if known.Kind == datachain.KindFailure {
		return i
	}
	const versions, find = "use a version from list_schema_versions", "find it with list_elements"
	missing := known.Kind == datachain.KindUnknown
	i.Code, i.Message, i.Path = codes.InvalidArguments, wording.Cut(i.Message, 300), issue.Root.Key(known.Param)
	switch known.Param {
	case "version", "from":
		if known.Param == "version" && c.versionArgument != "" {
			i.Path = issue.Root.Key(c.versionArgument)
		}
		if missing {
			i.Code = codes.UnknownVersion
		}
		if len(known.Known) == 0 {
			i.FixHint = versions
		} else if !missing {
			i.FixHint = versions + ", such as " + known.Known[0]
		}
	case "element_id":
		if ids := c.list(argElementIDs.Name); ids != nil {
			i.Path = issue.Root.Key(argElementIDs.Name).Index(slices.IndexFunc(ids, func(id string) bool { return !ident.IsElementID(id) }))
		}
		if missing {
			i.Code, i.FixHint = codes.ElementNotFound, find
		}
		if len(known.Known) > 0 {
			i.FixHint = "use " + wording.Or(known.Known) + ", or " + find
		}
	case "ids":
		i.Code, i.Path = codes.ElementIDsTooMany, issue.Root.Key(argElementIDs.Name)
	case "variant":
		i.Code = codes.UnknownVariant
	case "document":
		i.Path = issue.Root.Key(argDatachain.Name)
		if syntaxErr, ok := errors.AsType[*document.SyntaxError](err); ok {
			i.Path, i.Message = slices.Concat(i.Path, syntaxErr.Path), wording.Cut("The datachain "+syntaxErr.Problem()+": "+syntaxErr.Reason, 300)+"."
		}
	}
	return i
}

func tooLarge(hint, format string, args ...any) *datachain.Error {
	return &datachain.Error{Issue: issue.Issue{Code: issue.CodePayloadTooLarge, Message: fmt.Sprintf(format, args...), FixHint: hint}}
}

// report logs a failure that the client did not cause, by its arguments or by
// disconnecting.
func (s *Server) report(ctx context.Context, what string, err error) {
	if errors.Is(ctx.Err(), context.Canceled) {
		return
	}
	if known, ok := errors.AsType[*datachain.Error](err); ok {
		switch known.Issue.Code {
		case issue.CodeTimeout, issue.CodeUpstreamError, issue.CodeInternalError:
		default:
			return
		}
	}
	s.options.Logger.ErrorContext(ctx, "tool failed", "tool", what, "error", err)
}
