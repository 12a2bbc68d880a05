package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Tool is an operation as a model sees it: one of the server, or of a program in [Options.Tools].
type Tool struct {
	// Name is what clients call: up to 64 letters, digits, underscores, hyphens and periods.
	Name string
	// Title is for people, and Description tells a model that does not know datachains what the
	// tool does and when to call it.
	Title, Description string
	// Takes are the arguments. They are checked before a call, others are ignored with a warning.
	Takes []Argument
	// Returns describes the data of an answer.
	Returns string
	// ReadOnly tells clients that a call changes nothing.
	ReadOnly bool
	// Work means that a call takes CPU time, so that it waits for one of [Options.MaxWork] places.
	Work bool
	// Quotes means that answers repeat texts of documents. They get a notice for the model that
	// these are data, and no instructions.
	Quotes bool
	// Listed reports whether the tool exists now; nil means always. It is asked at each call and
	// for each list, so it must be fast.
	Listed func() bool
	// Call answers a call. The issue of a [*datachain.Error] is the error of the envelope, such as
	// one with the code not_found; other errors are logged, and clients get an internal error. The
	// context ends with the time of the request.
	Call func(ctx context.Context, c *ToolCall) (*Answer, error)

	meta jsontext.Value // for hosts
	// run is what Call is for the tools of the server.
	run func(*Server, context.Context, *call) error
}

// ToolCall is a call of a [Tool]. Its methods return the values of arguments by name, which fit
// their kinds.
type ToolCall struct {
	// Session is the id of the client's session: whatever it sent, or that of all without one.
	Session string
	// BaseURL is where the client finds the REST API and pages, without a slash at its end, or ""
	// if that is not known, as on stdio.
	BaseURL string
	// Schema is the version that [VersionArgument] names; nil if the tool does not take it.
	Schema *datachain.Schema

	call *call
}

// Text returns a string, or "".
func (t *ToolCall) Text(name string) string {
	if v := t.call.values[name]; v.kind == '"' {
		return v.text
	}
	return ""
}

// List returns the strings of a list; nil for another value, or none.
func (t *ToolCall) List(name string) []string { return t.call.list(name) }

// Integer returns a number, or 0.
func (t *ToolCall) Integer(name string) int { return t.call.number(name) }

// Boolean returns a truth value, or false.
func (t *ToolCall) Boolean(name string) bool { return t.call.values[name].kind == 't' }

// JSON returns a value as it was sent, or nil. In objects, no key occurs twice; the datachain of
// [DatachainArgument] was not looked into.
func (t *ToolCall) JSON(name string) json.RawMessage {
	if v := t.call.values[name]; !v.omitted() {
		return json.RawMessage(v.raw)
	}
	return nil
}

// Answer is what a [Tool] answers.
type Answer struct {
	// Data is encoded as the data of the envelope, and must be a JSON object.
	Data any
	// Errors and Warnings are findings on what was asked about, such as a document. With errors, ok
	// is false, although the call was answered. At most 100 of each are listed.
	Errors, Warnings issue.Issues
	// Version is the schema version that the answer is about, if it is not the one that an argument
	// names.
	Version string
	// Paging is set in answers with a page of a list.
	Paging *Paging
}

// Paging describes a page of a list.
type Paging struct {
	Total, Returned int
	// NextCursor leads to the next page; "" means that this is the last.
	NextCursor string
	// DidYouMean is the query with misspelt words replaced, or "".
	DidYouMean string
}

var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

// withTools returns the tools of the server with those of a program, which it checks.
func withTools(added []Tool) ([]Tool, error) {
	seen := make(map[string]bool)
	for _, t := range tools {
		seen[t.Name] = true
	}
	added = slices.Clone(added)
	for i := range added {
		t := &added[i]
		switch {
		case !toolName.MatchString(t.Name):
			return nil, fmt.Errorf("mcp: the tool %q must have a name of up to 64 letters, digits, underscores, hyphens and periods", t.Name)
		case seen[t.Name]:
			return nil, fmt.Errorf("mcp: there is a tool %s already: use another name", t.Name)
		case t.Call == nil:
			return nil, fmt.Errorf("mcp: the tool %s has no Call", t.Name)
		}
		names := make(map[string]bool)
		for _, a := range t.Takes {
			switch {
			case a.Name == "" || names[a.Name]:
				return nil, fmt.Errorf("mcp: the tool %s has two arguments with the name %q, or one without a name", t.Name, a.Name)
			case a.Kind.wrong == nil:
				return nil, fmt.Errorf("mcp: the argument %s of the tool %s has no Kind", a.Name, t.Name)
			case !inputSchema([]Argument{a}).IsValid():
				return nil, fmt.Errorf("mcp: the schema of the argument %s of the tool %s must be JSON", a.Name, t.Name)
			}
			names[a.Name] = true
		}
		seen[t.Name] = true
		t.Title, t.Returns = cmp.Or(t.Title, t.Name), cmp.Or(t.Returns, "What the tool returns.")
		answer := t.Call
		t.run = func(_ *Server, ctx context.Context, c *call) error { return c.ask(ctx, answer) }
	}
	return slices.Concat(tools, added), nil
}

// ask answers a call with a tool of a program.
func (c *call) ask(ctx context.Context, answer func(context.Context, *ToolCall) (*Answer, error)) error {
	a, err := answer(ctx, &ToolCall{Session: c.session, BaseURL: c.base, Schema: c.schema, call: c})
	if ended := ctx.Err(); ended != nil && errors.Is(err, ended) {
		return &datachain.Error{Issue: issue.Issue{Code: issue.CodeTimeout, Message: "The call took too long.", FixHint: "try again"}, Err: err}
	}
	if err != nil {
		return err
	}
	if a == nil {
		return fmt.Errorf("mcp: the tool %s returned no answer", c.tool.Name)
	}
	if text, ok := a.Data.(json.RawMessage); ok { // as it is: texts of documents stay as they were written
		c.data = text
	} else if c.data, err = jsonv2.Marshal(a.Data, wire); err != nil {
		return err
	}
	if data := jsontext.Value(c.data); data.Kind() != '{' || !data.IsValid() {
		return fmt.Errorf("mcp: the tool %s returned data that is not a JSON object", c.tool.Name)
	}
	if c.schema != nil && c.tool.argument(argLocales.Name) != nil {
		c.warnLocales()
	}
	c.errors = firstFindings(a.Errors)
	if a.Warnings != nil || c.datachain != nil {
		c.meta.Warnings = wireIssues(slices.Concat(c.warnings, firstFindings(a.Warnings)))
	}
	c.meta.Version = cmp.Or(a.Version, c.meta.Version)
	if p := a.Paging; p != nil {
		c.paged(p.Total, p.Returned, p.NextCursor, p.DidYouMean)
	}
	if c.tool.Quotes {
		c.meta.Notice = notice
	}
	return nil
}

// argument returns an argument that the tool takes, or nil.
func (t *Tool) argument(name string) *Argument {
	i := slices.IndexFunc(t.Takes, func(a Argument) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return &t.Takes[i]
}

// toolset is the tools that exist at a time.
type toolset struct {
	shown []bool // of all tools
	tools []Tool
	list  []byte // for tools/list
}

func isListed(t *Tool) bool { return t.Listed == nil || t.Listed() }

// tools returns the tools that exist now. The list of them is written again only if it has changed.
func (s *Server) tools() *toolset {
	last := s.toolset.Load()
	if last != nil {
		changed := false
		for i := range s.allTools {
			changed = changed || isListed(&s.allTools[i]) != last.shown[i]
		}
		if !changed {
			return last
		}
	}
	now := &toolset{shown: make([]bool, len(s.allTools))}
	for i := range s.allTools {
		if now.shown[i] = isListed(&s.allTools[i]); now.shown[i] {
			now.tools = append(now.tools, s.allTools[i])
		}
	}
	now.list = appendJSON([]byte(`"tools":`), toolDefinitions(now.tools))
	s.toolset.Store(now)
	return now
}
