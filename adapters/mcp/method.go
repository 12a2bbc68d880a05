package mcp

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// method is what a client can ask for.
type method struct {
	// run appends the result as JSON. A method without it is not offered.
	run    func(*Server, context.Context, *request, []byte) ([]byte, *problem)
	params []param
	// needsParams refuses a message without params, even if all are optional.
	needsParams  bool
	notification bool // gets no answer
	// named is the param that modern clients repeat in the header Mcp-Name.
	named string
	// legacy methods are removed in the modern revision, modern ones new in it.
	legacy, modern bool
}

// param is a value that a method takes.
type param struct {
	name     string
	kind     jsontext.Kind // '"' or '{'
	required bool
	example  string
}

const methodInitialize = "initialize"

var (
	paramMeta = param{"_meta", '{', false, `"_meta": {}`}
	cursor    = []param{{"cursor", '"', false, `"cursor": the nextCursor of the page before`}}
	methods   = map[string]*method{
		methodInitialize: {run: (*Server).initialize, legacy: true, needsParams: true, params: []param{
			{"protocolVersion", '"', false, `"protocolVersion": "2025-11-25"`},
			{"capabilities", '{', false, `"capabilities": {}`},
			{"clientInfo", '{', false, `"clientInfo": {"name": "my-client", "version": "1"}`},
		}},
		"ping":             {run: (*Server).empty, legacy: true},
		"logging/setLevel": {run: (*Server).empty, legacy: true, params: []param{{"level", '"', true, `"level": "info"`}}},
		"server/discover":  {run: (*Server).discover, modern: true},

		"tools/list":               {run: (*Server).list, params: cursor},
		"prompts/list":             {run: (*Server).list, params: cursor},
		"resources/list":           {run: (*Server).list, params: cursor},
		"resources/templates/list": {run: (*Server).list, params: cursor},

		methodCallTool:   {run: (*Server).callTool, named: "name", params: []param{{"name", '"', true, `"name": "list_elements"`}}},
		"resources/read": {run: (*Server).readResource, named: "uri", params: []param{{"uri", '"', true, `"uri": "` + viewURI + `"`}}},
		"prompts/get": {run: (*Server).getPrompt, named: "name", params: []param{
			{"name", '"', true, `"name": "describe_system"`},
			{"arguments", '{', false, `"arguments": {"type": "…", "description": "…"}`},
		}},
		"completion/complete": {run: (*Server).complete, params: []param{
			{"ref", '{', true, `"ref": {"type": "ref/prompt", "name": "describe_system"}`},
			{"argument", '{', true, `"argument": {"name": "type", "value": ""}`},
			{"context", '{', false, `"context": {"arguments": {}}`},
		}},

		"subscriptions/listen":  {run: (*Server).listen, needsParams: true},
		"resources/subscribe":   {legacy: true, needsParams: true},
		"resources/unsubscribe": {legacy: true, needsParams: true},

		"notifications/initialized":        {notification: true},
		"notifications/cancelled":          {notification: true},
		"notifications/roots/list_changed": {notification: true},
		"notifications/progress":           {notification: true, needsParams: true},
	}
)

// check refuses a message whose param is missing, or of another kind.
func (p param) check(m *message) *problem {
	switch v := m.params[p.name]; {
	case !m.params.has(p.name):
		if p.required {
			return badParams(issue.CodeInvalidArguments, "add "+p.example, "The param %s of %s is missing.", p.name, m.method)
		}
	case v.Kind() != p.kind:
		return badParams(issue.CodeInvalidArguments, "use "+p.example, "The param %s of %s must be %s, but is %s.", p.name, m.method, kindName(p.kind), kindName(v.Kind()))
	}
	return nil
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "a boolean"
}
