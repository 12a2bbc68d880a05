package mcp

import (
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/datachain-go/datachain/internal/prose"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/datachain-go/datachain/internal/nearest"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// param is what a method takes. The SDK would say in the words of Go that it is
// missing, or of another kind.
type param struct {
	name     string
	kind     jsontext.Kind // '"' or '{'
	required bool
	example  string
}

var (
	paramName   = param{"name", '"', true, `"name": "list_elements"`}
	paramURI    = param{"uri", '"', true, `"uri": "` + viewURI + `"`}
	paramCursor = param{"cursor", '"', false, `"cursor": the nextCursor of the page before`}
	paramMeta   = param{"_meta", '{', false, `"_meta": {}`}

	// params are those of each method that has some, besides _meta.
	params = map[string][]param{
		methodInitialize: {
			{"protocolVersion", '"', false, `"protocolVersion": "2025-11-25"`},
			{"capabilities", '{', false, `"capabilities": {}`},
			{"clientInfo", '{', false, `"clientInfo": {"name": "my-client", "version": "1"}`},
		},
		"tools/call":     {paramName},
		"resources/read": {paramURI},
		"prompts/get":    {{"name", '"', true, `"name": "describe_system"`}, {"arguments", '{', false, `"arguments": {"type": "…", "description": "…"}`}},
		"completion/complete": {
			{"ref", '{', true, `"ref": {"type": "ref/prompt", "name": "describe_system"}`},
			{"argument", '{', true, `"argument": {"name": "type", "value": ""}`},
			{"context", '{', false, `"context": {"arguments": {}}`},
		},
		"logging/setLevel":         {{"level", '"', true, `"level": "info"`}},
		"tools/list":               {paramCursor},
		"prompts/list":             {paramCursor},
		"resources/list":           {paramCursor},
		"resources/templates/list": {paramCursor},
	}
)

// removed are methods that the SDK knows and new revisions do not.
func removed(method string) bool { return method == methodInitialize || method == "logging/setLevel" }

// checkParams refuses a call whose params the SDK can't read, or which asks for
// what there is not.
func checkParams(m *message) *problem {
	for _, p := range slices.Concat(params[m.method], []param{paramMeta}) {
		v := m.params[p.name]
		switch {
		case v == nil || v.Kind() == 'n':
			if p.required {
				return badParams(issue.CodeInvalidArguments, "add "+p.example, "The params of "+m.method+" lack "+p.name+".")
			}
		case v.Kind() != p.kind:
			return badParams(issue.CodeInvalidArguments, "write "+p.example, "The param "+p.name+" of "+m.method+" must be "+kindName(p.kind)+", but is "+kindName(v.Kind())+".")
		}
	}
	switch m.method {
	case "tools/call":
		return known("tool", m.text("name"), toolNames())
	case "prompts/get":
		if p := known("prompt", m.text("name"), promptNames()); p != nil {
			return p
		}
		return checkTexts(m.params["arguments"])
	}
	return nil
}

// checkTexts refuses arguments of a prompt that are not all strings.
func checkTexts(arguments jsontext.Value) *problem {
	if arguments == nil || arguments.Kind() == 'n' {
		return nil
	}
	var given map[string]jsontext.Value
	if err := jsonv2.Unmarshal(arguments, &given, lenient); err != nil {
		return malformed(reason(arguments, err))
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if kind := given[name].Kind(); kind != '"' {
			hint := "write it as a string"
			if kind == '{' || kind == '[' {
				hint = "write it as a string that holds the JSON"
			}
			return badParams(issue.CodeInvalidArguments, hint, "The argument "+quote(name)+" of a prompt must be a string, but is "+kindName(kind)+".")
		}
	}
	return nil
}

// known refuses a name that there is not, and says which there are.
func known(what, name string, names []string) *problem {
	if slices.Contains(names, name) {
		return nil
	}
	hint := "the " + what + "s are " + enumerate(names)
	if len(names) == 1 {
		hint = "use " + names[0] + ", the only one"
	} else if near := nearest.One(name, slices.Values(names)); near != "" {
		hint = "use " + near + "; " + hint
	}
	return badParams(issue.CodeNotFound, hint, "There is no "+what+" "+quote(name)+".")
}

const commonMethods = "use tools/list, tools/call, prompts/list, prompts/get, resources/list or resources/read"

func noMethod(name string) *problem {
	hint := commonMethods
	if near := nearest.One(name, maps.Keys(methods)); near != "" {
		hint = "use " + near
	}
	return &problem{http.StatusOK, jsonrpc.CodeMethodNotFound, issue.Issue{Code: issue.CodeNotFound, Message: "There is no method " + quote(name) + ".", FixHint: hint}}
}

func badParams(code issue.Code, hint, message string) *problem {
	return &problem{http.StatusOK, jsonrpc.CodeInvalidParams, issue.Issue{Code: code, Message: message, FixHint: hint}}
}

// quote writes a name that a client sent.
func quote(name string) string { return strconv.QuoteToASCII(prose.Cut(name, 80)) }

func kindName(kind jsontext.Kind) string {
	switch kind {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "true or false"
}

func toolNames() []string {
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].name
	}
	return names
}

func promptNames() []string {
	names := make([]string, len(prompts))
	for i := range prompts {
		names[i] = prompts[i].name
	}
	return names
}
