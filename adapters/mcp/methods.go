package mcp

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/codes"
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
	// nameParam is the param that modern clients repeat in the header Mcp-Name.
	nameParam string
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

// check refuses a message whose param is missing, or of another kind.
func (p param) check(m *message) *problem {
	switch v := m.params[p.name]; {
	case !m.params.has(p.name):
		if p.required {
			return badParams(codes.InvalidArguments, "add "+p.example, "The param %s of %s is missing.", p.name, m.method)
		}
	case v.Kind() != p.kind:
		return badParams(codes.InvalidArguments, "use "+p.example, "The param %s of %s must be %s, but is %s.", p.name, m.method, kindName(p.kind), kindName(v.Kind()))
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

const (
	methodInitialize    = "initialize"
	methodListTools     = "tools/list"
	methodListTemplates = "resources/templates/list"
)

var (
	paramMeta = param{"_meta", '{', false, `"_meta": {}`}
	cursor    = []param{{"cursor", '"', false, `"cursor": the nextCursor of the page before`}}
	methods   = map[string]*method{
		methodInitialize: {run: (*Server).initialize, legacy: true, needsParams: true, params: []param{
			{"protocolVersion", '"', false, `"protocolVersion": "2025-11-25"`},
			{"capabilities", '{', false, `"capabilities": {}`},
			{"clientInfo", '{', false, `"clientInfo": {"name": "my-client", "version": "1"}`},
		}},
		"ping":            {run: (*Server).empty, legacy: true},
		"server/discover": {run: (*Server).discover, modern: true},

		methodListTools:     {run: (*Server).list, params: cursor},
		"prompts/list":      {run: (*Server).list, params: cursor},
		"resources/list":    {run: (*Server).listResources, params: cursor},
		methodListTemplates: {run: (*Server).list, params: cursor},

		methodCallTool:   {run: (*Server).callTool, nameParam: "name", params: []param{{"name", '"', true, `"name": "list_elements"`}}},
		"resources/read": {run: (*Server).readResource, nameParam: "uri", params: []param{{"uri", '"', true, `"uri": "` + viewURI + `"`}}},
		"prompts/get": {run: (*Server).getPrompt, nameParam: "name", params: []param{
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

// capabilities declare no notifications about changes of lists, and no logs.
const capabilities = `"capabilities":{"completions":{},"prompts":{},"resources":{},"tools":{}}`

// listAge is how long clients may keep lists, which are part of this program:
// five minutes.
const listAge = `"ttlMs":300000,"cacheScope":`

// cacheScope says which caches may keep lists.
func (s *Server) cacheScope() string {
	if s.options.Private {
		return `"private"`
	}
	return `"public"`
}

// prepare writes the results that never change.
func (s *Server) prepare() {
	s.identity = appendJSON(nil, implementation{"datachain", "Datachain taxonomies", s.options.Version})
	s.modernHead = fmt.Appendf(nil, `{"resultType":"complete","_meta":{%q:%s`, metaServer, s.identity)
	s.lists = map[string][]byte{
		"prompts/list":   appendJSON([]byte(`"prompts":`), promptDefinitions()),
		"resources/list": []byte(`"resources":` + viewList),
	}
}

// begin begins a result, up to its first member.
func (s *Server) begin(b []byte, r *request) []byte {
	if !r.modern() {
		return append(b, '{')
	}
	b = append(b, s.modernHead...)
	return append(b, `},`...)
}

// contents appends a result that carries texts of others, such as the envelope of a tool, which
// can be nil: members appends its members, at least one, as JSON with markup escaped.
func (s *Server) contents(b []byte, r *request, e *envelope, members func([]byte) []byte) []byte {
	b = append(b, '{')
	next := `"_meta":{`
	inMeta := func(key string) {
		b = fmt.Appendf(b, "%s%q:", next, key)
		next = ","
	}
	if e != nil && e.page != nil {
		for _, key := range slices.Sorted(maps.Keys(e.page.Meta)) {
			inMeta(key)
			b = appendJSON(b, e.page.Meta[key], escapeMarkup)
		}
	}
	if r.modern() {
		inMeta(metaServer)
		b = appendSafe(b, s.identity)
	}
	if e != nil && e.page != nil {
		inMeta("ui")
		b = append(b, `{"resourceUri":"`+viewURI+`"}`...)
	}
	if next == "," {
		b = append(b, `},`...)
	}
	if b = members(b); r.modern() {
		b = append(b, `,"resultType":"complete"`...)
	}
	return append(b, '}')
}

// initialize begins the handshake of the revisions that have one.
func (s *Server) initialize(_ context.Context, r *request, b []byte) ([]byte, *problem) {
	if !decode(r.params["capabilities"], new(clientCapabilities)) {
		return nil, badTypes(r, "capabilities")
	}
	if !decode(r.params["clientInfo"], new(implementation)) {
		return nil, badTypes(r, "clientInfo")
	}
	revision := r.params.text("protocolVersion")
	if legacy := s.revisions[slices.IndexFunc(s.revisions, func(v string) bool { return v < modern }):]; !slices.Contains(legacy, revision) {
		revision = legacy[0]
	}
	b = appendJSON(append(b, `{`+capabilities+`,"instructions":`...), instructions)
	b = appendJSON(append(b, `,"protocolVersion":`...), revision)
	return fmt.Appendf(b, `,"serverInfo":%s}`, s.identity), nil
}

// discover answers what initialize does, at any time.
func (s *Server) discover(_ context.Context, r *request, b []byte) ([]byte, *problem) {
	b = appendJSON(append(s.begin(b, r), listAge+s.cacheScope()+`,"supportedVersions":`...), s.revisions)
	return append(appendJSON(append(b, `,`+capabilities+`,"instructions":`...), instructions), '}'), nil
}

// empty answers methods that have nothing to say.
func (s *Server) empty(_ context.Context, _ *request, b []byte) ([]byte, *problem) {
	return append(b, "{}"...), nil
}

// list answers with a list, which has one page.
func (s *Server) list(_ context.Context, r *request, b []byte) ([]byte, *problem) {
	if r.params.text("cursor") != "" {
		return nil, badParams(issue.CodeBadRequest, "omit the cursor: the list has one page", "The cursor of %s is not one that the server returned.", r.method)
	}
	var list []byte
	switch r.method {
	case methodListTools:
		list = s.tools().list
	case methodListTemplates:
		list = s.resourceTemplates()
	default:
		list = s.lists[r.method]
	}
	return fmt.Appendf(s.begin(b, r), "%s%s,%s}", listAge, s.cacheScope(), list), nil
}

// listen acknowledges a subscription to nothing, since nothing changes, and ends it.
func (s *Server) listen(_ context.Context, r *request, b []byte) ([]byte, *problem) {
	var wanted *struct {
		Tools     bool     `json:"toolsListChanged"`
		Prompts   bool     `json:"promptsListChanged"`
		Resources bool     `json:"resourcesListChanged"`
		URIs      []string `json:"resourceSubscriptions"`
	}
	switch {
	case !r.params.has("notifications"):
		return nil, badParams(issue.CodeBadRequest, `add "notifications": {}`, "The param notifications of %s is missing.", r.method)
	case !decode(r.params["notifications"], &wanted):
		return nil, badTypes(r, "notifications")
	}
	subscription := fmt.Sprintf(`"io.modelcontextprotocol/subscriptionId":%s`, r.id)
	r.notifications = append(r.notifications, fmt.Appendf(nil,
		`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{%s},"notifications":{}}}`, subscription))
	if r.modern() {
		return fmt.Appendf(b, "%s,%s}}", s.modernHead, subscription), nil
	}
	return fmt.Appendf(b, `{"_meta":{%s}}`, subscription), nil
}
