package httpapi_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
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
	text := func(body io.Reader, _ http.Header, _ *openapi3.SchemaRef, _ openapi3filter.EncodingFn) (any, error) {
		b, err := io.ReadAll(body)
		return string(b), err
	}
	openapi3filter.RegisterBodyDecoder("image/svg+xml", text)
	openapi3filter.RegisterBodyDecoder("text/html", text)
	openapi3filter.RegisterBodyDecoder("application/schema+json", openapi3filter.JSONBodyDecoder)
	d := &description{doc: doc, router: router, fields: map[*openapi3.Response]openapi3.Headers{}}
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

func described(t *testing.T) *description {
	t.Helper()
	d, err := loadDescription()
	require.NoError(t, err)
	return d
}

// anyResponse are the headers that HTTP itself adds.
var anyResponse = []string{"Date", "Content-Type", "Content-Length", "Content-Encoding", "Connection"}

// conform fails if an exchange is not as described. A request that is wrong on
// purpose is not checked; its response is.
func conform(t *testing.T, req *http.Request, body []byte, a *answer, wrong bool) {
	t.Helper()
	require.Equal(t, "*", a.Header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
	require.Regexp(t, `^[A-Za-z0-9._-]{1,128}$`, a.Header.Get("X-Request-Id"))
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
	asked.Body = io.NopCloser(bytes.NewReader(body))
	input := &openapi3filter.RequestValidationInput{Request: asked, PathParams: params, Route: route, Options: &openapi3filter.Options{IncludeResponseStatus: true, SkipSettingDefaults: true}}
	if !wrong {
		require.NoError(t, openapi3filter.ValidateRequest(t.Context(), input), "%s %s", req.Method, req.URL)
	}
	described := route.Operation.Responses.Status(a.StatusCode)
	require.NotNil(t, described, "%s %s: the status %d is not described: %s", req.Method, req.URL, a.StatusCode, a.text)
	d.conformHeader(t, described.Value, a)
	output := &openapi3filter.ResponseValidationInput{RequestValidationInput: input, Status: a.StatusCode, Header: a.Header, Options: &openapi3filter.Options{
		IncludeResponseStatus: true, ExcludeResponseBody: req.Method == http.MethodHead,
	}}
	output.SetBodyBytes([]byte(a.text))
	require.NoError(t, openapi3filter.ValidateResponse(t.Context(), output), "%s %s", req.Method, req.URL)
}

// seen are the exchanges that are known to conform. Checking one takes longer than
// making it, since the schemas are compiled each time. In short mode, one exchange
// of each path and status is checked.
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
	schema := described(t).doc.Components.Schemas["Invalid"].Value
	require.NoError(t, schema.VisitJSON(a.json, openapi3.EnableJSONSchema2020()))
}
