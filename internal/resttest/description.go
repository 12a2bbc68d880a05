// Package resttest provides a client for tests of HTTP handlers that describe themselves with OpenAPI:
// it compares every exchange with the description.
package resttest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// Description is a description of an API, ready to check exchanges. It has what tests
// use of OpenAPI; tools/openapi checks that the whole is valid.
type Description struct {
	OpenAPI    string
	Servers    []struct{ URL string }
	Paths      map[string]*pathItem
	Components components

	routes  []route
	checked sync.Map // values of headers that were checked, by schema and value
}

type components struct {
	Parameters map[string]*parameter
	Headers    map[string]*field
	Responses  map[string]*response
	Schemas    map[string]*schema
}

// pathItem is what one path does.
type pathItem struct {
	Parameters []*parameter
	Get, Post  *operation
}

type operation struct {
	Parameters  []*parameter
	RequestBody *struct {
		Required bool
		Content  content
	}
	Responses map[string]*response
}

type parameter struct {
	Ref      string `json:"$ref"`
	Name, In string
	field
	Example any
}

// field is a header, or what a parameter has in common with it.
type field struct {
	Ref      string `json:"$ref"`
	Required bool
	Schema   *schema
}

type response struct {
	Ref     string `json:"$ref"`
	Headers map[string]*field
	Content content
}

// content is what a body may be, by media type.
type content map[string]*struct {
	Schema   *schema
	Examples map[string]struct{ Value any }
}

// schema is a JSON Schema, which is compiled when it is used first.
type schema struct {
	Fields  map[string]any
	compile func() (*jsonschema.Schema, error)
}

func (s *schema) UnmarshalJSON(text []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	s.Fields, _ = value.(map[string]any)
	return err
}

// route is a path whose parts in braces match any segment, or part of one.
type route struct {
	pattern *regexp.Regexp
	names   []string
	*pathItem
}

// Parse reads a description.
func Parse(text []byte) (*Description, error) {
	d := new(Description)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, err
	}
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	shared := whole.(map[string]any)["components"]
	prepare := func(s *schema) {
		s.compile = sync.OnceValues(func() (*jsonschema.Schema, error) {
			const address = "https://example.org/schema.json"
			compiler := jsonschema.NewCompiler()
			compiler.AssertFormat()
			fields := maps.Clone(s.Fields)
			fields["components"] = shared
			if err := compiler.AddResource(address, fields); err != nil {
				return nil, err
			}
			return compiler.Compile(address)
		})
	}
	for _, s := range d.Components.Schemas {
		prepare(s)
	}
	settleField := func(f *field) {
		if name, ok := strings.CutPrefix(f.Ref, "#/components/headers/"); ok {
			*f = *d.Components.Headers[name]
		}
		if f.Schema.compile == nil {
			prepare(f.Schema)
		}
	}
	settleParameters := func(list []*parameter) {
		for _, p := range list {
			if name, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
				*p = *d.Components.Parameters[name]
			}
			settleField(&p.field)
		}
	}
	settleContent := func(c content) {
		for _, media := range c {
			if media.Schema != nil && media.Schema.compile == nil {
				prepare(media.Schema)
			}
		}
	}
	for path, item := range d.Paths {
		settleParameters(item.Parameters)
		for _, o := range item.Operations() {
			settleParameters(o.Parameters)
			if o.RequestBody != nil {
				settleContent(o.RequestBody.Content)
			}
			for _, r := range o.Responses {
				if name, ok := strings.CutPrefix(r.Ref, "#/components/responses/"); ok {
					*r = *d.Components.Responses[name]
				}
				settleContent(r.Content)
				for _, f := range r.Headers {
					settleField(f)
				}
			}
		}
		r := route{pathItem: item}
		pattern := braces.ReplaceAllStringFunc(regexp.QuoteMeta(path), func(name string) string {
			r.names = append(r.names, strings.Trim(name, `\{}`))
			if name == `\{tile\}` {
				return "(.+)" // it has several segments
			}
			return "([^/]+)"
		})
		r.pattern = regexp.MustCompile("^" + pattern + "$")
		d.routes = append(d.routes, r)
	}
	slices.SortFunc(d.routes, func(a, b route) int { return len(a.names) - len(b.names) })
	return d, nil
}

var braces = regexp.MustCompile(`\\\{\w+\\\}`)

// Operations returns what the path does, by method.
func (i *pathItem) Operations() map[string]*operation {
	all := map[string]*operation{http.MethodGet: i.Get, http.MethodPost: i.Post}
	maps.DeleteFunc(all, func(_ string, o *operation) bool { return o == nil })
	return all
}

// find returns the operation of a request and the parameters of its path.
func (d *Description) find(r *http.Request) (*operation, []*parameter, map[string]string) {
	for _, route := range d.routes {
		match := route.pattern.FindStringSubmatch(r.URL.EscapedPath())
		o := route.Operations()[r.Method]
		if match == nil || o == nil {
			continue
		}
		values := map[string]string{}
		for i, name := range route.names {
			values[name], _ = url.PathUnescape(match[i+1])
		}
		return o, slices.Concat(route.Parameters, o.Parameters), values
	}
	return nil, nil, nil
}

// check fails if a value does not conform to the schema.
func (s *schema) check(t *testing.T, value any, about string) {
	t.Helper()
	compiled, err := s.compile()
	require.NoError(t, err, about)
	require.NoError(t, compiled.Validate(value), about)
}

// decode returns the value of a parameter or header as the schema has it. A value that is of
// another type stays a text, which the schema refuses.
func (d *Description) decode(s *schema, text string) any {
	fields := s.Fields
	if ref, ok := fields["$ref"].(string); ok {
		fields = d.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")].Fields
	}
	switch fields["type"] {
	case "integer", "number":
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			return json.Number(text)
		}
	case "boolean":
		if b, err := strconv.ParseBool(text); err == nil {
			return b
		}
	case "array":
		list := []any{}
		for item := range strings.SplitSeq(text, ",") {
			list = append(list, item)
		}
		return list
	}
	return text
}

// check fails if a body has an unknown type or does not conform to its schema.
func (c content) check(t *testing.T, contentType, body, about string) {
	t.Helper()
	kind, _, _ := strings.Cut(contentType, ";")
	media := c[contentType]
	if media == nil {
		media = c[kind]
	}
	require.NotNil(t, media, "%s: the type %q is not described", about, contentType)
	if media.Schema == nil {
		return
	}
	var value any = body
	if strings.HasSuffix(kind, "json") {
		var err error
		value, err = jsonschema.UnmarshalJSON(strings.NewReader(body))
		require.NoError(t, err, about)
	}
	media.Schema.check(t, value, about)
}

var requestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// anyResponse are the headers that HTTP itself adds.
var anyResponse = []string{"Date", "Content-Type", "Content-Length", "Content-Encoding", "Connection"}

// Exchange is a request with its response.
type Exchange struct {
	Request *http.Request
	Sent    []byte // its body
	*http.Response
	Raw  []byte // the body of the response
	Text string // the same without Content-Encoding
	// Wrong means that the request does not fit the description, on purpose.
	Wrong bool
}

// Conform fails if an exchange is not as described. A request that is wrong on
// purpose is not checked; its response is.
func (d *Description) Conform(t *testing.T, a *Exchange) {
	t.Helper()
	req, body := a.Request, a.Sent
	require.Equal(t, "*", a.Header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
	require.Regexp(t, requestID, a.Header.Get("X-Request-Id"))
	if req.Method == http.MethodOptions {
		return
	}
	sent := req.Clone(context.WithoutCancel(req.Context()))
	if sent.Method == http.MethodHead {
		require.Empty(t, a.Raw)
		sent.Method = http.MethodGet
	}
	if !a.Wrong && alreadySeen(sent, a) {
		return
	}
	operation, parameters, path := d.find(sent)
	if operation == nil {
		require.Contains(t, []int{400, 404, 405, 429, 503}, a.StatusCode, "%s %s has no description, but an answer: %s", req.Method, req.URL, a.Text)
		d.conformFailure(t, req, a)
		return
	}
	about := req.Method + " " + req.URL.String()
	if !a.Wrong {
		d.conformParameters(t, sent, parameters, path, about)
		switch requestBody := operation.RequestBody; {
		case requestBody == nil:
		case len(body) == 0:
			require.False(t, requestBody.Required, "%s: there is no body", about)
		default:
			requestBody.Content.check(t, sent.Header.Get("Content-Type"), string(body), about)
		}
	}
	response := operation.Responses[strconv.Itoa(a.StatusCode)]
	require.NotNil(t, response, "%s: the status %d is not described: %s", about, a.StatusCode, a.Text)
	d.conformHeader(t, response.Headers, a)
	if req.Method != http.MethodHead && len(response.Content) > 0 {
		response.Content.check(t, a.Header.Get("Content-Type"), a.Text, about)
	}
}

// conformParameters fails if parameters of a request are not as described.
func (d *Description) conformParameters(t *testing.T, r *http.Request, list []*parameter, path map[string]string, about string) {
	t.Helper()
	query := r.URL.Query()
	for _, p := range list {
		var value string
		switch p.In {
		case "path":
			value = path[p.Name]
		case "query":
			value = query.Get(p.Name)
		case "header":
			value = r.Header.Get(p.Name)
		default:
			require.Fail(t, "a parameter in "+p.In, about)
		}
		require.False(t, p.Required && value == "", "%s: %s is missing", about, p.Name)
		if value != "" {
			p.Schema.check(t, d.decode(p.Schema, value), about+": "+p.Name)
		}
	}
}

// seen are the exchanges that are known to conform. In short mode, one exchange of each
// path and status is checked.
var seen sync.Map

func alreadySeen(req *http.Request, a *Exchange) bool {
	if testing.Short() {
		_, known := seen.LoadOrStore(fmt.Sprint(req.Method, req.URL.Path, a.StatusCode), true)
		return known
	}
	header := a.Header.Clone()
	for _, name := range []string{"Date", "X-Request-Id", "Content-Length", "ETag", "Ratelimit"} {
		header.Del(name)
	}
	_, known := seen.LoadOrStore(fmt.Sprint(req.Method, req.URL.RequestURI(), req.ContentLength, a.StatusCode, header, a.Text), true)
	return known
}

// conformHeader fails if a required header is missing, or if a header is unknown or
// has an invalid value. Each value is checked once.
func (d *Description) conformHeader(t *testing.T, fields map[string]*field, a *Exchange) {
	t.Helper()
	for name, values := range a.Header {
		if slices.Contains(anyResponse, name) {
			continue
		}
		require.Len(t, values, 1, name)
		known := slices.ContainsFunc(slices.Collect(maps.Keys(fields)), func(n string) bool { return strings.EqualFold(n, name) })
		require.True(t, known, "%s is not described for %d", name, a.StatusCode)
	}
	for name, f := range fields {
		value := a.Header.Get(name)
		require.False(t, f.Required && value == "", "%s is always there", name)
		if _, known := d.checked.LoadOrStore(fmt.Sprintf("%p %s", f.Schema, value), true); !known && value != "" {
			f.Schema.check(t, d.decode(f.Schema, value), name+": "+value)
		}
	}
}

// conformFailure checks a failure of a path without a description.
func (d *Description) conformFailure(t *testing.T, req *http.Request, a *Exchange) {
	t.Helper()
	require.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
	if req.Method == http.MethodHead {
		return
	}
	var failure map[string]any
	require.NoError(t, json.Unmarshal([]byte(a.Text), &failure))
	require.Equal(t, false, failure["ok"], a.Text)
	d.Components.Schemas["Invalid"].check(t, any(failure), a.Text)
}
