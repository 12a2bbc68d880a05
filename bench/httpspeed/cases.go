package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// release is the embedded sample that is requested.
const release = "/api/v2/schemas/ai@2026-09-01-stable"

// testCase is a request and our first response, which the other servers send too.
type testCase struct {
	Name   string
	Path   string
	Gzip   bool // the client takes it
	Had    bool // the client has the answer already: a 304
	Status int
	Header http.Header
	Body   []byte
}

// cases are requests of all frequently used routes.
func cases() []*testCase {
	const element = release + "/elements/decision.automated"
	return []*testCase{
		{Name: "manifest", Path: release + "/manifest"},
		{Name: "page of elements", Path: release + "/elements"},
		{Name: "element", Path: element},
		{Name: "icon", Path: element + "/icon.svg"},
		{Name: "search", Path: release + "/elements?query=personal+data"},
		{Name: "page of elements, gzip", Path: release + "/elements", Gzip: true},
		{Name: "manifest, 304", Path: release + "/manifest", Had: true},
	}
}

// record requests the response of each case whose name contains part.
func record(ctx context.Context, url, part string) ([]*testCase, error) {
	list := slices.DeleteFunc(cases(), func(c *testCase) bool { return !strings.Contains(c.Name, part) })
	if len(list) == 0 {
		return nil, fmt.Errorf("no answer has %q in its name: see cases.go for what there is", part)
	}
	for _, c := range list {
		res, err := c.ask(ctx, url, "")
		if err == nil && c.Had {
			res, err = c.ask(ctx, url, res.Header.Get("ETag"))
		}
		if err != nil {
			return nil, err
		}
		c.Status, c.Header, c.Body = res.StatusCode, res.Header, res.body
		if c.Had != (c.Status == http.StatusNotModified) || c.Gzip != (c.Header.Get("Content-Encoding") == "gzip") || c.Status >= http.StatusBadRequest {
			return nil, fmt.Errorf("%s: ours answers with status %d, fields %v", c.Name, c.Status, c.Header)
		}
	}
	return list, nil
}

type answer struct {
	*http.Response
	body []byte
}

// ask sends the request once. The tag is sent as If-None-Match.
func (c *testCase) ask(ctx context.Context, url, tag string) (*answer, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url+c.Path, http.NoBody)
	if err != nil {
		return nil, err
	}
	for _, field := range c.fields(tag) {
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
func (c *testCase) fields(tag string) []string {
	fields := []string{"Accept-Encoding: identity"}
	if c.Gzip {
		fields[0] = "Accept-Encoding: gzip"
	}
	if tag != "" {
		fields = append(fields, "If-None-Match: "+tag)
	}
	return fields
}

// prefix distinguishes the cases for servers that look only at the URL.
func prefix(i int) string { return fmt.Sprintf("/case%d", i) }
