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
	"github.com/datachain-go/datachain/adapters/manual"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Tool is a tool of a program's own: see [Options.Tools].
type Tool struct {
	// Name is what clients call: up to 64 letters, digits, underscores, hyphens and periods.
	Name string
	// Title is for people, and Description tells a model what the tool does and when to call it.
	Title, Description string
	// InputSchema is a JSON Schema of the arguments, an object; nil means that there are none.
	// Clients check it, the server does not.
	InputSchema json.RawMessage
	// ReadOnly tells clients that a call changes nothing.
	ReadOnly bool
	// Work means that a call takes CPU time, so that it waits for one of [Options.MaxWork] places.
	Work bool
	// Call answers a call. What it returns is encoded as the data of the envelope, and must be a
	// JSON object. The issue of a [*datachain.Error] is the error of the envelope, such as one
	// with the code invalid_arguments for arguments that the tool can't use; other errors
	// are logged, and clients get an internal error. The context ends with the time of the request.
	Call func(ctx context.Context, c *ToolCall) (data any, err error)
}

// ToolCall is a call of a [Tool].
type ToolCall struct {
	// Arguments are a JSON object, in which no key occurs twice.
	Arguments json.RawMessage
	// Session is the id of the client's session: whatever it sent, or that of all without one.
	Session string
}

var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

// ownTools checks the tools of a program, and returns them as the server has its own.
func ownTools(list []Tool) ([]tool, error) {
	taken := make(map[string]bool)
	for _, t := range slices.Concat(tools, documentTools) {
		taken[t.name] = true
	}
	own := make([]tool, len(list))
	for i, t := range list {
		schema := jsontext.Value(t.InputSchema)
		if t.InputSchema == nil {
			schema = inputSchema(nil)
		}
		switch {
		case !toolName.MatchString(t.Name):
			return nil, fmt.Errorf("mcp: the tool %q must have a name of up to 64 letters, digits, underscores, hyphens and periods", t.Name)
		case taken[t.Name]:
			return nil, fmt.Errorf("mcp: there is a tool %s already: use another name", t.Name)
		case t.Call == nil:
			return nil, fmt.Errorf("mcp: the tool %s has no Call", t.Name)
		case schema.Kind() != '{' || !schema.IsValid():
			return nil, fmt.Errorf("mcp: the input schema of the tool %s must be a JSON object", t.Name)
		}
		taken[t.Name] = true
		own[i] = tool{
			name: t.Name, title: cmp.Or(t.Title, t.Name), description: t.Description, data: "What the tool returns.",
			work: t.Work, changes: !t.ReadOnly, schema: schema,
			run: func(_ *Server, ctx context.Context, c *call) error { return t.run(ctx, c) },
		}
	}
	return own, nil
}

// operation describes the tool to people. Its arguments are the properties of the schema.
func (t *Tool) operation() manual.Operation {
	o := manual.Operation{Name: t.Name, Title: cmp.Or(t.Title, t.Name), Description: t.Description}
	schema, err := document.Parse(t.InputSchema)
	if err != nil {
		return o
	}
	var required []string
	list, _ := schema.Root().Get("required")
	for name := range list.All() {
		required = append(required, name.Text())
	}
	properties, _ := schema.Root().Get("properties")
	for p := range properties.All() {
		about, _ := p.Get("description")
		o.Arguments = append(o.Arguments, manual.Argument{Name: p.Key(), Description: about.Text(), Required: slices.Contains(required, p.Key())})
	}
	return o
}

// run answers a call of the tool.
func (t *Tool) run(ctx context.Context, c *call) error {
	data, err := t.Call(ctx, &ToolCall{Arguments: json.RawMessage(c.arguments), Session: c.session})
	if ended := ctx.Err(); ended != nil && errors.Is(err, ended) {
		return &datachain.Error{Issue: issue.Issue{Code: issue.CodeTimeout, Message: "The call took too long.", FixHint: "try again"}, Err: err}
	}
	if err != nil {
		return err
	}
	if c.data, err = jsonv2.Marshal(data, wire); err == nil && jsontext.Value(c.data).Kind() != '{' {
		err = fmt.Errorf("mcp: the tool %s returned data that is not a JSON object", t.Name)
	}
	return err
}
