package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/datachain-go/datachain/examples/documents"
)

const api = "/api/v2"

// sample is a request and the only right response to it.
type sample struct {
	method, path string
	body         []byte
	limited      bool // counts for the only rate limit that is on

	status int
	etag   string
	want   []byte
}

// request builds the request for a server.
func (s *sample) request(ctx context.Context, url string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, s.method, url+s.path, bytes.NewReader(s.body))
	if err != nil {
		return nil, err
	}
	if s.method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
	}
	return req, nil
}

// learn asks the reference server for the right response.
func (s *sample) learn(ctx context.Context, client *http.Client, url string) error {
	req, err := s.request(ctx, url)
	if err != nil {
		return err
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	s.want, err = io.ReadAll(res.Body)
	s.status, s.etag = res.StatusCode, res.Header.Get("ETag")
	if err == nil && s.status >= http.StatusInternalServerError {
		err = fmt.Errorf("%s %s: %s", s.method, s.path, res.Status)
	}
	return err
}

// samples returns the mixed load: reads, searches, icons, documents and MCP calls of
// stable versions, which never change.
func samples(ctx context.Context, url string) ([]*sample, error) {
	var all []*sample
	for _, version := range []string{"ai@2026-11-15-stable", "sensor@2026-11-15-stable"} {
		some, err := reads(ctx, url, version)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	for _, e := range documents.Valid() {
		var doc struct {
			SchemaVersion string `json:"schema_version"`
		}
		if err := json.Unmarshal(e.Text, &doc); err != nil {
			return nil, err
		}
		path := api + "/schemas/" + doc.SchemaVersion
		if !e.Resolved() {
			all = append(all, post(path+"/validate", e.Text, false), post(path+"/resolve", e.Text, true))
		}
	}
	all = append(all,
		call("get_element", map[string]any{"version": "ai@2026-11-15-stable", "element_id": "nothing.here"}),
		call("list_elements", map[string]any{"version": "sensor@2026-11-15-stable", "limit": 5}),
		call("list_elements", map[string]any{"version": "ai@2026-11-15-stable", "query": "person"}))
	client := newClient("127.0.0.1") // as those of the load: the ETag depends on the encoding
	defer client.CloseIdleConnections()
	for _, s := range all {
		if err := s.learn(ctx, client, url); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// reads returns reads of a version.
func reads(ctx context.Context, url, version string) ([]*sample, error) {
	base := api + "/schemas/" + version
	page, err := fetch(ctx, url+base+"/elements?fields=icon_variants&limit=200")
	if err != nil {
		return nil, err
	}
	var list struct {
		Elements []struct {
			ID           string   `json:"id"`
			IconVariants []string `json:"icon_variants"`
		} `json:"elements"`
	}
	if err := json.Unmarshal([]byte(page), &list); err != nil {
		return nil, err
	}
	var all []*sample
	for _, path := range []string{"/manifest", "/categories", "/elements", "/elements?fields=all&limit=200", "/release", "/elements/no.such.element"} {
		all = append(all, get(base+path))
	}
	for _, e := range list.Elements {
		all = append(all, get(base+"/elements/"+e.ID), get(base+"/elements?limit=10&locale=fr&query="+strings.ReplaceAll(e.ID, ".", "+")))
		for _, variant := range e.IconVariants {
			all = append(all, get(base+"/elements/"+e.ID+"/icon."+variant+".svg"))
		}
	}
	return all, nil
}

func get(path string) *sample { return &sample{method: http.MethodGet, path: path} }

func post(path string, body []byte, limited bool) *sample {
	return &sample{method: http.MethodPost, path: path, body: body, limited: limited}
}

// call returns a call of an MCP tool.
func call(tool string, arguments map[string]any) *sample {
	return post("/mcp", message("tools/call", map[string]any{"name": tool, "arguments": arguments}), false)
}

// message returns a JSON-RPC request.
func message(method string, params map[string]any) []byte {
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		panic(err) // maps of strings and documents can be encoded
	}
	return text
}
