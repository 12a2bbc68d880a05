package mcp

import (
	"context"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// capabilities say that nothing that the server lists ever changes, and that it
// sends no logs.
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
	s.modernHead = append([]byte(`{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":`), s.identity...)
	s.lists = map[string][]byte{
		"tools/list":               appendJSON([]byte(`"tools":`), toolDefinitions()),
		"prompts/list":             appendJSON([]byte(`"prompts":`), promptDefinitions()),
		"resources/list":           []byte(`"resources":` + viewList),
		"resources/templates/list": []byte(`"resourceTemplates":[]`),
	}
}

// begin begins a result, up to its first member.
func (s *Server) begin(b []byte, r *request) []byte {
	if !r.modern() {
		return append(b, '{')
	}
	return append(append(b, s.modernHead...), `},`...)
}

// contents appends a result that carries texts of others: members appends its members,
// at least one, as JSON with markup escaped.
func (s *Server) contents(b []byte, r *request, meta map[string]any, members func([]byte) []byte) []byte {
	all := make(map[string]any)
	maps.Copy(all, meta)
	if r.modern() {
		all["io.modelcontextprotocol/serverInfo"] = jsontext.Value(s.identity)
	}
	b = append(b, '{')
	if len(all) > 0 {
		b = append(appendSafe(append(b, `"_meta":`...), appendJSON(nil, all)), ',')
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
	return append(append(append(b, `,"serverInfo":`...), s.identity...), '}'), nil
}

// discover says at any time what initialize says once.
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
	b = append(s.begin(b, r), listAge+s.cacheScope()+`,`...)
	return append(append(b, s.lists[r.method]...), '}'), nil
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
	subscription := append([]byte(`"io.modelcontextprotocol/subscriptionId":`), r.id...)
	r.ahead = append(r.ahead, slices.Concat([]byte(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{`), subscription, []byte(`},"notifications":{}}}`)))
	if r.modern() {
		b = append(append(b, s.modernHead...), ',')
	} else {
		b = append(b, `{"_meta":{`...)
	}
	return append(append(b, subscription...), `}}`...), nil
}

// badTypes is the problem with a param whose members have the wrong types.
func badTypes(r *request, param string) *problem {
	return badParams(issue.CodeInvalidArguments, "see the specification of the protocol for "+r.method, "The param %s of %s does not have the types that the protocol requires.", param, r.method)
}
