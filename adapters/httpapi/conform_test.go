package httpapi_test

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

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// description is the description of the API, ready to check exchanges.
type description struct {
	doc    *openapi3.T
	router routers.Router
	// headers of responses, taken out of the document: checking them here, each
	// value once, is many times faster.
	fields map[*openapi3.Response]openapi3.Headers
	judged sync.Map
	// components are what schemas refer to, and schemas the compiled ones, by
	// [openapi3.Schema]. The library would compile one for each exchange, which takes
	// longer than all of the rest.
	components any
	schemas    sync.Map
}

var loadDescription = sync.OnceValues(func() (*description, error) {
	doc, err := openapi3.NewLoader().LoadFromFile(descriptionFile)
	if err != nil {
		return nil, err
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		return nil, err
	}
	d := &description{doc: doc, router: router, fields: map[*openapi3.Response]openapi3.Headers{}}
	if d.components, err = asJSON(doc.Components); err != nil {
		return nil, err
	}
	for _, item := range doc.Paths.Map() {
		for _, operation := range item.Operations() {
			for _, r := range operation.Responses.Map() {
				if len(r.Value.Headers) > 0 {
					d.fields[r.Value], r.Value.Headers = r.Value.Headers, nil
				}
			}
		}
	}
	return d, nil
})

// asJSON returns a value as the decoder of [jsonschema] would.
func asJSON(v any) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(text))
}

// check fails if a value does not conform to a schema.
func (d *description) check(t *testing.T, ref *openapi3.SchemaRef, value any, about string) {
	t.Helper()
	compile, _ := d.schemas.LoadOrStore(ref.Value, sync.OnceValues(func() (*jsonschema.Schema, error) {
		schema, err := asJSON(ref.Value)
		if err != nil {
			return nil, err
		}
		const address = "https://example.org/schema.json"
		compiler := jsonschema.NewCompiler()
		compiler.AssertFormat()
		if fields, ok := schema.(map[string]any); ok {
			fields["components"] = d.components
		}
		if err := compiler.AddResource(address, schema); err != nil {
			return nil, err
		}
		return compiler.Compile(address)
	}))
	schema, err := compile.(func() (*jsonschema.Schema, error))()
	require.NoError(t, err, about)
	require.NoError(t, schema.Validate(value), about)
}

// checkBody fails if a body has an unknown type or does not conform to its schema.
func (d *description) checkBody(t *testing.T, content openapi3.Content, contentType, body, about string) {
	t.Helper()
	media := content.Get(contentType)
	require.NotNil(t, media, "%s: the type %q is not described", about, contentType)
	if media.Schema == nil {
		return
	}
	var value any = body
	if kind, _, _ := strings.Cut(contentType, ";"); strings.HasSuffix(kind, "json") {
		var err error
		value, err = jsonschema.UnmarshalJSON(strings.NewReader(body))
		require.NoError(t, err, about)
	}
	d.check(t, media.Schema, value, about)
}

func described(t *testing.T) *description {
	t.Helper()
	d, err := loadDescription()
	require.NoError(t, err)
	return d
}

var requestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// anyResponse are the headers that HTTP itself adds.
var anyResponse = []string{"Date", "Content-Type", "Content-Length", "Content-Encoding", "Connection"}

// conform fails if an exchange is not as described. A request that is wrong on
// purpose is not checked; its response is.
func conform(t *testing.T, req *http.Request, body []byte, a *answer, wrong bool) {
	t.Helper()
	require.Equal(t, "*", a.Header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
	require.Regexp(t, requestID, a.Header.Get("X-Request-Id"))
	if req.Method == http.MethodOptions {
		return
	}
	asked := req.Clone(context.WithoutCancel(req.Context()))
	if asked.Method == http.MethodHead {
		require.Empty(t, a.raw)
		asked.Method = http.MethodGet
	}
	if !wrong && alreadySeen(asked, a) {
		return
	}
	d := described(t)
	route, params, err := d.router.FindRoute(asked)
	if err != nil {
		require.Contains(t, []int{400, 404, 405, 429, 503}, a.StatusCode, "%s %s has no description, but an answer: %s", req.Method, req.URL, a.text)
		conformFailure(t, req, a)
		return
	}
	for name, value := range params {
		params[name], err = url.PathUnescape(value)
		require.NoError(t, err)
	}
	about := req.Method + " " + req.URL.String()
	if !wrong {
		d.conformRequest(t, &openapi3filter.RequestValidationInput{Request: asked, PathParams: params, Route: route}, string(body), about)
	}
	described := route.Operation.Responses.Status(a.StatusCode)
	require.NotNil(t, described, "%s: the status %d is not described: %s", about, a.StatusCode, a.text)
	d.conformHeader(t, described.Value, a)
	if req.Method != http.MethodHead && len(described.Value.Content) > 0 {
		d.checkBody(t, described.Value.Content, a.Header.Get("Content-Type"), a.text, about)
	}
}

// conformRequest fails if a request is not as described.
func (d *description) conformRequest(t *testing.T, input *openapi3filter.RequestValidationInput, body, about string) {
	t.Helper()
	input.Options = &openapi3filter.Options{SkipSettingDefaults: true, ExcludeRequestBody: true}
	require.NoError(t, openapi3filter.ValidateRequest(t.Context(), input), about)
	described := input.Route.Operation.RequestBody
	switch {
	case described == nil:
	case body == "":
		require.False(t, described.Value.Required, "%s: there is no body", about)
	default:
		d.checkBody(t, described.Value.Content, input.Request.Header.Get("Content-Type"), body, about)
	}
}

// seen are the exchanges that are known to conform. In short mode, one exchange of each
// path and status is checked.
var seen sync.Map

func alreadySeen(req *http.Request, a *answer) bool {
	if testing.Short() {
		_, known := seen.LoadOrStore(fmt.Sprint(req.Method, req.URL.Path, a.StatusCode), true)
		return known
	}
	header := a.Header.Clone()
	for _, name := range []string{"Date", "X-Request-Id", "Content-Length", "ETag", "Ratelimit"} {
		header.Del(name)
	}
	_, known := seen.LoadOrStore(fmt.Sprint(req.Method, req.URL.RequestURI(), req.ContentLength, a.StatusCode, header, a.text), true)
	return known
}

// conformHeader fails if a required header is missing, or if a header is unknown or
// has an invalid value.
func (d *description) conformHeader(t *testing.T, r *openapi3.Response, a *answer) {
	t.Helper()
	fields := d.fields[r]
	for name, field := range fields {
		if field.Value.Required {
			require.NotEmpty(t, a.Header.Get(name), "%s is always there", name)
		}
	}
	for name, values := range a.Header {
		if slices.Contains(anyResponse, name) {
			continue
		}
		require.Len(t, values, 1, name)
		known := slices.ContainsFunc(slices.Collect(maps.Keys(fields)), func(n string) bool { return strings.EqualFold(n, name) })
		require.True(t, known, "%s is not described for %d", name, a.StatusCode)
	}
	for name, field := range fields {
		value := a.Header.Get(name)
		schema := field.Value.Schema.Value
		key := fmt.Sprintf("%p %s", schema, value)
		if _, known := d.judged.LoadOrStore(key, true); known || value == "" {
			continue
		}
		var decoded any = value
		if schema.Type.Is("integer") {
			n, err := strconv.Atoi(value)
			require.NoError(t, err)
			decoded = float64(n)
		}
		require.NoError(t, schema.VisitJSON(decoded, openapi3.EnableJSONSchema2020()), "%s: %s", name, value)
	}
}

// conformFailure checks a failure of a path without a description.
func conformFailure(t *testing.T, req *http.Request, a *answer) {
	t.Helper()
	require.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
	if req.Method == http.MethodHead {
		return
	}
	require.Equal(t, false, a.json["ok"], a.text)
	d := described(t)
	d.check(t, d.doc.Components.Schemas["Invalid"], any(a.json), a.text)
}
