package mcp

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/adapters/view"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// modern is the first revision of the protocol without sessions and handshake.
const modern = "2026-07-28"

// revisions are those that the server speaks, newest first.
var revisions = []string{modern, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// caller is what a transport knows about the client that sent a message.
type caller struct {
	session string // whose page is shown
	base    string // URL of the REST API, or ""
	// deadline is when everything that the client sent must be answered.
	deadline time.Time
	// headers are nil on stdio: there the message itself says what they say.
	headers *headers
	// buffer is memory for the body of an answer, or nil.
	buffer []byte
}

// request is a message on its way through the server.
type request struct {
	*message
	*caller
	known    *method // nil if there is no such method
	meta     object  // params._meta
	revision string  // of the protocol; "" means any before the modern one
	// notifications are sent before the answer.
	notifications [][]byte
}

func (r *request) modern() bool { return r.revision >= modern }

// answer is what becomes of a message.
type answer struct {
	status        int      // of an HTTP response
	body          []byte   // nil if nothing is sent back
	notifications [][]byte // notifications that precede the body
	// opened is set if a client said hello, and may need a session.
	opened bool
}

// grace is how long after its deadline the result of a call still counts, so that
// a call can report itself that it took too long.
const grace = time.Second

// newCaller returns a caller whose time starts now.
func (s *Server) newCaller(session string) *caller {
	c := &caller{session: session, deadline: time.Now().Add(s.options.Timeout)}
	if !strings.HasPrefix(s.options.BaseURL, "/") { // else the host is that of the request
		c.base = s.options.BaseURL
	}
	return c
}

// answerAll answers a message or the messages of a batch, one after the other.
func (s *Server) answerAll(ctx context.Context, c *caller, messages []*message, batch bool) answer {
	if !batch {
		return s.answer(ctx, c, messages[0], 0)
	}
	all := answer{status: http.StatusAccepted}
	for _, m := range messages {
		a := s.answer(ctx, c, m, len(all.body))
		all.opened = all.opened || a.opened
		all.notifications = append(all.notifications, a.notifications...)
		if a.body != nil {
			all.status, all.body = http.StatusOK, append(append(all.body, ','), a.body...)
		}
	}
	if all.body != nil {
		all.body = append(all.body, ']')
		all.body[0] = '[' // instead of the first comma
	}
	return all
}

// answer answers a message; sent is the size of the answers to the messages before
// it in the same batch. It recovers from panics.
func (s *Server) answer(ctx context.Context, c *caller, m *message, sent int) (a answer) {
	defer func() {
		if v := recover(); v != nil {
			s.logPanic(v, "method", m.method)
			a = answer{status: http.StatusOK, body: internal(0).body(m.id)}
		}
	}()
	r := &request{message: m, caller: c, known: methods[m.method]}
	decode(m.params["_meta"], &r.meta)
	if r.revision = r.meta.text(metaRevision); c.headers != nil {
		r.revision = c.headers.revision
	}
	p := s.check(r, sent)
	if p == nil && m.silent() {
		return answer{status: http.StatusAccepted}
	}
	var body []byte
	if p == nil {
		ctx, cancel := context.WithDeadline(ctx, c.deadline)
		defer cancel()
		body = append(append(append(c.buffer[:0], `{"jsonrpc":"2.0","id":`...), m.id...), `,"result":`...)
		body, p = r.known.run(s, ctx, r, body)
		if time.Now().After(c.deadline.Add(grace)) {
			p = timeout("try again, or ask for less", "The call took too long.")
		}
	}
	if p != nil {
		return answer{status: p.statusOf(r), body: p.body(m.id)}
	}
	return answer{status: http.StatusOK, body: append(body, '}'), notifications: r.notifications, opened: m.method == methodInitialize}
}

// check returns why a message can't be answered, or nil.
func (s *Server) check(r *request, sent int) *problem {
	const fewer = "send fewer calls at a time"
	switch {
	case r.problem != nil:
		return r.problem
	case r.silent() && (r.known == nil || !r.known.notification):
		return nil // ignored
	case r.silent():
	case time.Now().After(r.deadline):
		return timeout(fewer, "The deadline passed before the call started.")
	case sent > 2*s.options.MaxAnswer: // a result holds its answer twice
		message := fmt.Sprintf("The answers to the calls before this one have more than %d bytes.", 2*s.options.MaxAnswer)
		return unavailable(http.StatusOK, issue.Issue{Code: issue.CodePayloadTooLarge, Message: message, FixHint: fewer})
	}
	if p := r.checkMethod(); p != nil {
		return p
	}
	if r.headers != nil {
		if p := r.headers.check(r); p != nil {
			return p
		}
	}
	return s.checkRevision(r)
}

// checkMethod returns why a message does not fit its method, or nil.
func (r *request) checkMethod() *problem {
	switch {
	case r.known == nil:
		return noMethod("There is no method "+quoteASCII(r.method)+".", similar.Nearest(r.method, maps.Keys(methods)))
	case r.id != nil && r.known.notification:
		return invalid("omit id", "The notification %s must not have an id.", r.method)
	case !r.silent() && !(r.modern() && r.known.legacy):
		for _, p := range r.known.params {
			if wrong := p.check(r.message); wrong != nil {
				return wrong.withStatus(http.StatusOK)
			}
		}
		if wrong := paramMeta.check(r.message); wrong != nil {
			return wrong.withStatus(http.StatusOK)
		}
	}
	if r.known.needsParams && r.params == nil {
		return invalid(`add "params": {}`, "The message %s has no params.", r.method)
	}
	return nil
}

// checkRevision returns why a message does not fit the revision of the protocol
// that it follows, or nil.
func (s *Server) checkRevision(r *request) *problem {
	supported := r.revision == "" || slices.Contains(s.revisions, r.revision)
	switch {
	case !supported && !r.modern():
		return s.unsupported(r)
	case r.silent():
		return nil
	case r.modern() && r.meta[metaClient] != nil && !r.meta.fits(metaClient, new(implementation)):
		return badMeta("invalid", metaClient)
	case r.modern() && !r.meta.fits(metaCapabilities, new(clientCapabilities)):
		return badMeta("missing or invalid", metaCapabilities)
	case !supported:
		p := s.unsupported(r)
		p.code = codeUnsupported
		p.extra = appendJSON(append(appendJSON([]byte(`"requested":`), wording.Clip(r.revision)), `,"supported":`...), s.revisions)
		return p
	case r.known.run == nil, r.modern() && r.known.legacy, !r.modern() && r.known.modern:
		return noMethod("The method "+r.method+" is not available, or not in this version of the protocol.", "")
	}
	return nil
}

func (s *Server) unsupported(r *request) *problem {
	return invalid("use "+wording.Or(s.revisions), "The protocol version %s is not supported.", quoteASCII(r.revision))
}

func timeout(hint, message string) *problem {
	return unavailable(http.StatusGatewayTimeout, issue.Issue{Code: issue.CodeTimeout, Message: message, FixHint: hint})
}

// tooLong is the problem with a text that is larger than allowed.
func (s *Server) tooLong(what string) *problem {
	p := invalid("send a smaller datachain, or fewer calls at a time", "The %s has more than %d bytes.", what, s.options.MaxBody)
	p.status, p.issue.Code = http.StatusRequestEntityTooLarge, issue.CodePayloadTooLarge
	return p
}

func noMethod(message, near string) *problem {
	hint := "use tools/list, tools/call, prompts/list, prompts/get, resources/list or resources/read"
	if near != "" {
		hint = "use " + near
	}
	return &problem{code: codeMethodNotFound, issue: issue.Issue{Code: issue.CodeNotFound, Message: message, FixHint: hint}}
}

// badMeta is the problem with what modern clients must send with each call.
func badMeta(what, key string) *problem {
	return badParams(issue.CodeBadRequest, "set params._meta as the specification of the protocol shows", "The field %s of _meta is %s.", key, what)
}

// statusOf is the status of the HTTP response. In the modern revision it follows
// the error code.
func (p *problem) statusOf(r *request) int {
	switch {
	case p.status != 0:
		return p.status
	case r.modern() && p.code == codeMethodNotFound:
		return http.StatusNotFound
	case r.modern() && p.code == codeInvalidParams:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// What modern clients send in the _meta of each call.
const (
	metaRevision     = "io.modelcontextprotocol/protocolVersion"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// What clients say about themselves. The server uses nothing of it, but refuses
// what has the wrong types.
type (
	implementation struct {
		Name    string `json:"name"`
		Title   string `json:"title"`
		Version string `json:"version"`
	}
	clientCapabilities struct {
		Experimental object `json:"experimental"`
		Extensions   object `json:"extensions"`
		Roots        object `json:"roots"`
		Sampling     object `json:"sampling"`
		Elicitation  object `json:"elicitation"`
	}
)

// logPanic logs a panic with its stack.
func (s *Server) logPanic(value any, at ...any) {
	s.options.Logger.Error("panic", append(at, "value", value, "stack", string(debug.Stack()))...)
}

// quoteASCII quotes a name that a client sent, in ASCII.
func quoteASCII(name string) string { return strconv.QuoteToASCII(wording.Cut(name, 80)) }

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
		"resources/list":           {run: (*Server).listResources, params: cursor},
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
		"tools/list":               appendJSON([]byte(`"tools":`), toolDefinitions(s.callable)),
		"prompts/list":             appendJSON([]byte(`"prompts":`), promptDefinitions()),
		"resources/list":           []byte(`"resources":` + viewList),
		"resources/templates/list": []byte(`"resourceTemplates":[]`),
	}
	// With documents.
	s.documentLists = map[string][]byte{
		"tools/list": appendJSON([]byte(`"tools":`), toolDefinitions(s.documentCallable)),
		"resources/templates/list": []byte(`"resourceTemplates":[{"description":"A published document, as its author wrote it.","mimeType":"` + typeJSON +
			`","name":"document","title":"Document","uriTemplate":"` + documentURI + `{slug}"}]`),
	}
}

// begin begins a result, up to its first member.
func (s *Server) begin(b []byte, r *request) []byte {
	if !r.modern() {
		return append(b, '{')
	}
	return append(append(b, s.modernHead...), `},`...)
}

// contents appends a result that carries texts of others, such as the envelope of a tool, which
// can be nil: members appends its members, at least one, as JSON with markup escaped.
func (s *Server) contents(b []byte, r *request, e *envelope, members func([]byte) []byte) []byte {
	b = append(b, '{')
	next := `"_meta":{`
	if e != nil && e.fragment != nil {
		b = appendText(append(append(b, next...), `"`+view.FragmentKey+`":`...), e.fragment)
		next = ","
	}
	if r.modern() {
		b = appendSafe(append(append(b, next...), `"io.modelcontextprotocol/serverInfo":`...), s.identity)
		next = ","
	}
	if e != nil && e.rendered {
		b = append(append(b, next...), `"ui":{"resourceUri":"`+viewURI+`"}`...)
		next = ","
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
	list := s.lists[r.method]
	if more := s.documentLists[r.method]; more != nil && s.state() != nil {
		list = more
	}
	return append(append(b, list...), '}'), nil
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
	r.notifications = append(r.notifications, slices.Concat([]byte(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{`), subscription, []byte(`},"notifications":{}}}`)))
	if r.modern() {
		b = append(append(b, s.modernHead...), ',')
	} else {
		b = append(b, `{"_meta":{`...)
	}
	return append(append(b, subscription...), `}}`...), nil
}

// badTypes is the problem with a param whose members have the wrong types.
func badTypes(r *request, param string) *problem {
	return badParams(codes.InvalidArguments, "see the specification of the protocol for "+r.method, "The param %s of %s does not have the types that the protocol requires.", param, r.method)
}
