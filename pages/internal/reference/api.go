package reference

import (
	"bytes"
	"encoding/json"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/adapters/manual"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// docsView is the data of the page.
type docsView struct {
	Intro   []template.HTML
	Groups  []*routeGroup
	Headers []routeParam
	OpenAPI string
	MCP     string // the address of the MCP server, or ""
	Clients []mcpClient
	Tools   []manual.Operation
	Prompts []manual.Operation
}

// routeGroup is the operations of the API with a tag.
type routeGroup struct {
	ID, Name string
	About    template.HTML
	Routes   []*route
}

// route is an operation of the API.
type route struct {
	ID, Method, Path string
	Summary          string
	About            template.HTML
	Params           []routeParam // in the path and the query
	Body             string       // an example, if it takes a document
	Answers          []routeAnswer
	Example          string // of the answer
	Curl             string
}

// routeParam is a parameter of an operation.
type routeParam struct {
	Name, In string
	Required bool
	About    template.HTML
	Example  string
	Choices  []string
}

// routeAnswer is a response of an operation.
type routeAnswer struct {
	Status string
	About  template.HTML
}

// buildDocs describes the API and how to connect assistants.
func buildDocs(q *request) (*core.Content, error) {
	d := &docsView{OpenAPI: q.API("/openapi.json"), Prompts: q.options.Prompts}
	for _, o := range q.options.Tools {
		if o.Listed == nil || o.Listed() {
			d.Tools = append(d.Tools, o)
		}
	}
	if len(q.options.OpenAPI) > 0 {
		doc, err := document.Parse(q.options.OpenAPI)
		if err != nil {
			return nil, err
		}
		s := &specification{root: doc.Root(), base: q.absolute("")}
		s.read(d)
	}
	if q.Site.MCP != "" {
		d.MCP = q.absolute(q.Site.MCP)
		d.Clients = mcpClients(d.MCP, q.absolute(""))
	}
	return &core.Content{
		Title: q.Word("docs.title"), Description: q.Word("docs.lead"), Path: core.DocsPath, Section: core.DocsPath, Template: docsTemplate, Data: d,
		Scripts: []string{"docs.js"},
	}, nil
}

// standIn is the address that examples have if that of the server is not configured. The
// script replaces it by the one that the page has.
const standIn = "http://localhost:8080"

// absolute returns an address below that of the server.
func (q *request) absolute(path string) string {
	if u, err := url.Parse(q.Site.BaseURL); err == nil && u.Host != "" {
		return q.Site.BaseURL + path
	}
	return standIn + q.Site.Base + path
}

// specification reads the OpenAPI description.
type specification struct {
	root document.Value
	base string
}

// read adds the operations, by tag and in the order of the description.
func (s *specification) read(d *docsView) {
	d.Intro = paragraphs(core.TextAt(s.root, "info", "description"))
	groups := make(map[string]*routeGroup)
	for tag := range core.Child(s.root, "tags").All() {
		g := &routeGroup{ID: strings.ToLower(core.TextAt(tag, "name")), Name: core.TextAt(tag, "name"), About: inline(core.TextAt(tag, "description"))}
		groups[g.Name], d.Groups = g, append(d.Groups, g)
	}
	for path := range core.Child(s.root, "paths").All() {
		for _, method := range []string{"get", "post"} {
			op, ok := path.Get(method)
			if !ok {
				continue
			}
			tag, _ := core.Child(op, "tags").At(0)
			if g := groups[tag.Text()]; g != nil {
				r, headers := s.route(path, method, op)
				g.Routes = append(g.Routes, r)
				for _, h := range headers {
					if !slices.ContainsFunc(d.Headers, func(p routeParam) bool { return p.Name == h.Name }) {
						d.Headers = append(d.Headers, h)
					}
				}
			}
		}
	}
}

func (s *specification) route(path document.Value, method string, op document.Value) (r *route, headers []routeParam) {
	r = &route{
		ID: core.TextAt(op, "operationId"), Method: strings.ToUpper(method), Path: path.Key(),
		Summary: core.TextAt(op, "summary"), About: inline(core.TextAt(op, "description")),
	}
	for _, list := range []document.Value{core.Child(path, "parameters"), core.Child(op, "parameters")} {
		for p := range list.All() {
			param := s.param(s.follow(p))
			if param.In == "header" {
				headers = append(headers, param)
			} else {
				r.Params = append(r.Params, param)
			}
		}
	}
	for answer := range core.Child(op, "responses").All() {
		of := s.follow(answer)
		r.Answers = append(r.Answers, routeAnswer{answer.Key(), inline(core.TextAt(of, "description"))})
		if answer.Key() == "200" {
			r.Example = firstExample(core.Child(of, "content", "application/json"))
		}
	}
	r.Body = firstExample(core.Child(op, "requestBody", "content", "application/json"))
	r.Curl = s.curl(r)
	return r, headers
}

func (s *specification) param(p document.Value) routeParam {
	param := routeParam{Name: core.TextAt(p, "name"), In: core.TextAt(p, "in"), Required: core.Child(p, "required").Kind() == 't', About: inline(core.TextAt(p, "description"))}
	for _, at := range []document.Value{core.Child(p, "example"), core.Child(p, "schema", "example"), firstValue(core.Child(p, "examples"))} {
		if param.Example == "" {
			param.Example = plainValue(at)
		}
	}
	for c := range core.Child(p, "schema", "enum").All() {
		param.Choices = append(param.Choices, c.Text())
	}
	if param.Example == "" && len(param.Choices) > 0 {
		param.Example = param.Choices[0]
	}
	return param
}

// curl returns a command that makes the request of an operation.
func (s *specification) curl(r *route) string {
	path := r.Path
	for _, p := range r.Params {
		if p.In == "path" && p.Example != "" {
			path = strings.Replace(path, "{"+p.Name+"}", p.Example, 1)
		}
	}
	if r.Method == http.MethodPost {
		return "curl -s '" + s.base + path + "' --data @chain.json"
	}
	return "curl -s '" + s.base + path + "'"
}

// follow returns what a value refers to, if it is a reference.
func (s *specification) follow(v document.Value) document.Value {
	ref, ok := strings.CutPrefix(core.TextAt(v, "$ref"), "#/")
	if !ok {
		return v
	}
	return core.Child(s.root, strings.Split(ref, "/")...)
}

// firstValue returns the value of the first of several examples.
func firstValue(examples document.Value) document.Value {
	for e := range examples.All() {
		return core.Child(e, "value")
	}
	return document.Value{}
}

// plainValue returns a value as it is written in an address.
func plainValue(v document.Value) string {
	switch v.Kind() {
	case '"':
		return v.Text()
	case '0', 't', 'f':
		return string(v.Raw())
	}
	return ""
}

// maxExample limits how much of an example is shown.
const maxExample = 3000

// firstExample returns the first example of a content as indented JSON.
func firstExample(media document.Value) string {
	example := core.Child(media, "example")
	if example.Kind() == 0 {
		example = firstValue(core.Child(media, "examples"))
	}
	if example.Kind() == 0 {
		return ""
	}
	var b bytes.Buffer
	if json.Indent(&b, example.Raw(), "", "  ") != nil || b.Len() > maxExample {
		return ""
	}
	return b.String()
}

// paragraphs returns the paragraphs and the items of lists of a text in Markdown.
func paragraphs(s string) []template.HTML {
	var list []template.HTML
	for p := range strings.SplitSeq(s, "\n") {
		if p = strings.TrimSpace(strings.TrimPrefix(p, "- ")); p != "" {
			list = append(list, inline(p))
		}
	}
	return list
}

// inline returns a text with its `code` marked.
func inline(s string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(s, "`") {
		if i%2 == 1 {
			b.WriteString("<code>" + template.HTMLEscapeString(part) + "</code>")
		} else {
			b.WriteString(template.HTMLEscapeString(part))
		}
	}
	return template.HTML(b.String()) //nolint:gosec // escaped above
}

// copyable is a text with a button that copies it.
type copyable struct{ ID, Name, Text string }

// Copy returns the command of an operation.
func (r *route) Copy() copyable { return copyable{r.ID + "-curl", "curl", r.Curl} }

// Copy returns the configuration of a client.
func (m mcpClient) Copy() copyable { return copyable{m.ID + "-config", m.Name, m.Config} }

// mcpClient is how to connect a client of MCP.
type mcpClient struct {
	ID, Name string
	// Where is the file or the place that the configuration belongs in.
	Where, Config string
}

// mcpClients returns the set-up of common clients, for the server at an address. Clients
// that only start programs run the command, which follows the server.
func mcpClients(address, base string) []mcpClient {
	return []mcpClient{
		{"claude-code", "Claude Code", "", "claude mcp add --transport http datachain " + address},
		{"claude-desktop", "Claude Desktop", "claude_desktop_config.json", `{
  "mcpServers": {
    "datachain": {"command": "datachain", "args": ["mcp", "--store", "` + base + `"]}
  }
}`},
		{"vs-code", "VS Code", ".vscode/mcp.json", `{
  "servers": {
    "datachain": {"type": "http", "url": "` + address + `"}
  }
}`},
		{"cursor", "Cursor", ".cursor/mcp.json", `{
  "mcpServers": {
    "datachain": {"url": "` + address + `"}
  }
}`},
		{"zed", "Zed", "settings.json", `{
  "context_servers": {
    "datachain": {"command": "datachain", "args": ["mcp", "--store", "` + base + `"]}
  }
}`},
		{"stdio", "stdio", "", "datachain mcp --store " + base},
		{"http", "HTTP", "", "curl -s " + address + ` --data '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'`},
	}
}
