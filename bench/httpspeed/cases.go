package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// testCase is a request and the response of our server, which the bare handler sends
// too.
type testCase struct {
	Name   string
	Method string
	Path   string // with %s where the words of a new search go
	Body   []byte
	Fields []string // of the request, besides those that all have
	Status int
	Header http.Header
	Answer []byte

	// mcp marks calls of tools, which are compared with an empty tool.
	mcp bool
	// cached requests a 304 for the response that the client has already.
	cached bool
	// words make searches that were not sent before.
	words []string
}

// subject is what the requests are about.
type subject struct {
	version  string
	element  string
	document []byte // a valid datachain
	resolved []byte
	// placements is the number of them in the document.
	placements int
	words      []string
}

// newSubject reads a document and the version that it pins from a server.
func newSubject(ctx context.Context, url string, document []byte) (*subject, error) {
	var pinned struct {
		Version  string `json:"schema_version"`
		Elements []struct {
			ID string `json:"element_id"`
		}
	}
	if err := json.Unmarshal(document, &pinned); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	if len(pinned.Elements) == 0 {
		return nil, errors.New("the document places no elements")
	}
	s := &subject{version: pinned.Version, element: pinned.Elements[0].ID, document: document, placements: len(pinned.Elements)}
	resolve := &testCase{Name: "resolve", Method: http.MethodPost, Path: s.path("/resolve"), Body: document}
	list := &testCase{Name: "elements", Method: http.MethodGet, Path: s.path("/elements?limit=200&fields=title,description&locales=en")}
	for _, c := range []*testCase{resolve, list} {
		if err := c.record(ctx, url); err != nil {
			return nil, err
		}
	}
	s.resolved = resolve.Answer
	s.words = wordsOf(list.Answer)
	return s, nil
}

func (s *subject) path(of string) string { return "/api/v2/schemas/" + s.version + of }

// wordsOf returns the different longer words of a page of elements.
func wordsOf(list []byte) []string {
	words := strings.FieldsFunc(strings.ToLower(string(list)), func(r rune) bool { return r < 'a' || r > 'z' })
	words = slices.DeleteFunc(words, func(w string) bool { return len(w) < 4 })
	slices.Sort(words)
	return slices.Compact(words)
}

// cases are requests of all frequently used routes and tools, and of lists of documents if
// there is a register.
func (s *subject) cases(register bool) []*testCase {
	get := func(name, of string) *testCase {
		return &testCase{Name: name, Method: http.MethodGet, Path: s.path(of)}
	}
	post := func(name string, body []byte) *testCase {
		return &testCase{Name: name, Method: http.MethodPost, Path: s.path("/" + name), Body: body}
	}
	call := func(tool, arguments string) *testCase {
		return &testCase{Name: "mcp " + tool, Method: http.MethodPost, Path: mcpPath, Body: callOf(tool, arguments), Fields: mcpFields, mcp: true}
	}
	manifest304 := get("manifest 304", "/manifest")
	manifest304.cached = true
	gzip := get("page gzip", "/elements")
	gzip.Fields = []string{"Accept-Encoding: gzip"}
	pageOf := func(name, path string) *testCase {
		return &testCase{Name: name, Method: http.MethodGet, Path: path, Fields: []string{"Accept-Encoding: gzip", "Accept-Language: fr-CA,fr;q=0.8,en;q=0.5"}}
	}
	novel := get("search new", "/elements?query=%s")
	novel.words = s.words
	version := fmt.Sprintf(`{"version":%q`, s.version)
	list := []*testCase{
		get("manifest", "/manifest"),
		manifest304,
		get("page", "/elements"),
		gzip,
		get("element", "/elements/"+s.element),
		get("icon", "/elements/"+s.element+"/icon.svg"),
		get("search", "/elements?query="+s.words[0]+"+"+s.words[len(s.words)/2]),
		novel,
		pageOf("explorer start gzip", "/"),
		pageOf("explorer catalog gzip", "/t/"+s.version),
		pageOf("explorer element gzip", "/t/"+s.version+"/e/"+s.element),
		post("validate", s.document),
		post("resolve", s.document),
		post("validate_resolved", s.resolved),
		post("render", s.document),
		call("list_elements", version+`,"limit":50}`),
		call("get_element", version+fmt.Sprintf(`,"element_id":%q}`, s.element)),
		call("validate_datachain", version+`,"datachain":`+string(s.document)+`}`),
	}
	if register {
		list = append(list, pageOf("register list gzip", "/d?status=in_use"), pageOf("register search gzip", "/d?q="+s.words[0]+"+"+s.words[len(s.words)/2]))
	}
	return list
}

// chosen returns the cases that a list of names, separated by commas, contains: by
// their names or by the first words of them, such as mcp. An empty list means all.
func chosen(list []*testCase, only string) ([]*testCase, error) {
	if only == "" {
		return list, nil
	}
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = c.Name
	}
	wanted := make(map[string]bool)
	for name := range strings.SplitSeq(only, ",") {
		known := false
		for _, c := range list {
			if c.Name == name || strings.HasPrefix(c.Name, name+" ") {
				wanted[c.Name], known = true, true
			}
		}
		if !known {
			return nil, fmt.Errorf("-only: there is no request %q; use some of %s", name, strings.Join(names, ", "))
		}
	}
	return slices.DeleteFunc(list, func(c *testCase) bool { return !wanted[c.Name] }), nil
}

// record keeps the response of a server.
func (c *testCase) record(ctx context.Context, url string) error {
	res, err := c.ask(ctx, url)
	if err == nil && c.cached {
		c.Fields = []string{"If-None-Match: " + res.Header.Get("ETag")}
		res, err = c.ask(ctx, url)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	c.Status, c.Header, c.Answer = res.StatusCode, res.Header, res.body
	if c.Status >= http.StatusBadRequest || c.cached != (c.Status == http.StatusNotModified) || bytes.Contains(c.Answer, []byte(`"ok":false`)) {
		return fmt.Errorf("%s: the server answers with status %d: %s", c.Name, c.Status, c.Answer)
	}
	return nil
}

type answer struct {
	*http.Response
	body []byte
}

// ask sends the request once.
func (c *testCase) ask(ctx context.Context, url string) (*answer, error) {
	path := c.Path
	if c.words != nil {
		path = fmt.Sprintf(path, strings.Join(c.words[:2], "+"))
	}
	r, err := http.NewRequestWithContext(ctx, c.Method, url+path, bytes.NewReader(c.Body))
	if err != nil {
		return nil, err
	}
	for _, field := range c.fields() {
		name, value, _ := strings.Cut(field, ": ")
		r.Header.Set(name, value)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true}}
	res, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }() // all was read
	body, err := io.ReadAll(res.Body)
	return &answer{res, body}, err
}

// fields are the header fields of the request.
func (c *testCase) fields() []string {
	fields := []string{"Accept-Encoding: identity"}
	if c.Method == http.MethodPost {
		fields = append(fields, "Content-Type: application/json")
	}
	return append(fields, c.Fields...)
}
