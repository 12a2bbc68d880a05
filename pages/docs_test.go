package pages_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/manual"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/register"
)

// TestDocs shows that every operation of the API is described, with a command that works.
func TestDocs(t *testing.T) {
	shelf := &shelf{t, t.TempDir()}
	shelf.put("camera.json", "crossing-camera.json", nil)
	description := must(httpapi.OpenAPI("", routes(new(register.Register))...))
	s := shelf.serve(&pages.Options{OpenAPI: description})
	var spec struct {
		Paths map[string]map[string]json.RawMessage
	}
	require.NoError(t, json.Unmarshal(description, &spec))
	want := 0
	for _, operations := range spec.Paths {
		delete(operations, "parameters")
		want += len(operations)
	}
	routes := s.page("/docs").all("details.route")
	require.Len(t, routes, want)
	for _, r := range routes {
		command := r.first(t, "div.sample").first(t, "code").text()
		assert.NotContains(t, command, "{", "every parameter of the path has an example")
		if strings.Contains(command, "--data") {
			assert.NotEmpty(t, r.all("textarea"), command)
			continue
		}
		path := strings.TrimSuffix(strings.TrimPrefix(command, "curl -s 'http://localhost:8080"), "'")
		status := http.StatusOK
		if strings.HasPrefix(path, "/api/v2/types/") || strings.HasPrefix(path, "/api/v2/log/") {
			status = http.StatusNotFound // the samples have neither an evolution nor a log
		}
		assert.Equal(t, status, s.do(http.MethodGet, path).StatusCode, command)
	}
}

func TestDocsMCP(t *testing.T) {
	o := &pages.Options{
		BaseURL: "https://example.org/dc", MCP: "/mcp",
		Tools: []manual.Operation{{Name: "list_<things>", Title: "List", Description: "Lists.", Arguments: []manual.Argument{{Name: "version", Required: true}}}},
	}
	page := open(t, nil, o).page("/docs")
	for _, id := range []string{"claude-code", "claude-desktop", "vs-code", "cursor", "zed", "stdio", "http"} {
		config := page.first(t, "#"+id+"-config").raw()
		assert.Contains(t, config, "https://example.org/dc", id)
		if strings.HasPrefix(config, "{") {
			assert.True(t, json.Valid([]byte(config)), config)
		}
	}
	assert.Contains(t, page.first(t, "#mcp").text(), "list_<things>")
	without := open(t, nil, nil).page("/docs")
	assert.Contains(t, without.text(), "This server does not offer MCP.")
}
