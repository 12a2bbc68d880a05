package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/lsp"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/release/publish"
)

// pulling are the capabilities of a client that asks for diagnostics.
var pulling = object{
	"textDocument": object{"diagnostic": object{"dynamicRegistration": false}},
	"workspace":    object{"diagnostics": object{"refreshSupport": true}},
}

type pulled struct {
	Kind     string       `json:"kind"`
	ResultID string       `json:"resultId"`
	Items    []diagnostic `json:"items"`
	URI      string       `json:"uri"`
	Version  *int         `json:"version"`
}

func (e *editor) pull(uri, previous string) pulled {
	e.t.Helper()
	var r pulled
	e.into(&r, "textDocument/diagnostic", object{"textDocument": object{"uri": uri}, "previousResultId": previous})
	return r
}

// pullAll asks for the diagnostics of the workspace, and returns them by URI.
func (e *editor) pullAll(previous map[string]pulled) map[string]pulled {
	e.t.Helper()
	ids := []object{}
	for uri, r := range previous {
		ids = append(ids, object{"uri": uri, "value": r.ResultID})
	}
	var r struct{ Items []pulled }
	e.into(&r, "workspace/diagnostic", object{"previousResultIds": ids})
	all := make(map[string]pulled)
	for _, item := range r.Items {
		all[item.URI] = item
	}
	require.Len(e.t, all, len(r.Items), "one report for each file")
	return all
}

// TestPull asks for the diagnostics of an open document: none are published.
func TestPull(t *testing.T) {
	service := samples(t)
	e := start(t, lsp.New(opened(service), nil), pulling)
	e.open(chain, wrong)
	first := e.pull(chain, "")
	assert.Equal(t, "full", first.Kind)
	same(t, wanted(t, service, []byte(wrong), strict), first.Items)
	again := e.pull(chain, first.ResultID)
	assert.Equal(t, pulled{Kind: "unchanged", ResultID: first.ResultID}, again)
	for round := range 100 {
		for i := range 10 {
			text := strings.Replace(wrong, "unheard", fmt.Sprintf("unheard_%d", round*10+i), 1)
			e.change(chain, round*10+i+2, text)
		}
		r := e.pull(chain, first.ResultID)
		require.Equal(t, "full", r.Kind)
		require.Contains(t, r.Items[0].Message, fmt.Sprintf("unheard_%d", round*10+9))
	}
	e.change(chain, 5000, valid)
	clean := e.pull(chain, first.ResultID)
	assert.Equal(t, "full", clean.Kind)
	assert.NotNil(t, clean.Items, "an empty list, not null")
	assert.Empty(t, clean.Items)
	assert.Equal(t, "unchanged", e.pull(chain, clean.ResultID).Kind)
	assert.Empty(t, e.pull("file:///never-opened.json", "").Items)
	e.mu.Lock()
	defer e.mu.Unlock()
	assert.Empty(t, e.published)
}

// TestPullWorkspace asks for the diagnostics of all documents.
func TestPullWorkspace(t *testing.T) {
	files := &gate{files: fstest.MapFS{}}
	for i := range 250 {
		files.write(fmt.Sprintf("%03d.datachain.json", i), wrong)
	}
	files.write("good.datachain.json", valid)
	e := inWorkspace(t, files, lsp.Options{}, pulling)
	uri := func(name string) string { return workspace + "/" + name + ".datachain.json" }
	first := e.pullAll(nil)
	require.Len(t, first, 251)
	assert.Len(t, first[uri("000")].Items, len(wanted(t, samples(t), []byte(wrong), strict)))
	assert.Equal(t, "full", first[uri("good")].Kind)
	assert.Empty(t, first[uri("good")].Items)
	for _, r := range e.pullAll(first) {
		require.Equal(t, "unchanged", r.Kind)
	}
	assert.Equal(t, "unchanged", e.pull(uri("000"), first[uri("000")].ResultID).Kind, "a document that is not open")

	// One changes, one vanishes, one is open.
	files.write("000.datachain.json", valid)
	files.remove("001.datachain.json")
	e.watched(2, "000.datachain.json")
	e.watched(3, "001.datachain.json")
	e.open(uri("good"), wrong)
	second := e.pullAll(first)
	for name, want := range map[string]int{"000": 0, "001": 0, "good": 2} {
		assert.Equal(t, "full", second[uri(name)].Kind, name)
		assert.GreaterOrEqual(t, len(second[uri(name)].Items), want, name)
	}
	assert.Empty(t, second[uri("001")].Items)
	assert.Equal(t, 1, *second[uri("good")].Version)
	assert.Equal(t, "unchanged", second[uri("002")].Kind)
}

// TestPullPartly asks for the diagnostics of all documents while they are validated: a client
// that offers a token gets parts before the last one is validated, and every client can
// cancel the request.
func TestPullPartly(t *testing.T) {
	files := &gate{files: fstest.MapFS{}}
	for i := range 250 {
		files.write(fmt.Sprintf("%03d.datachain.json", i), wrong)
	}
	e := inWorkspace(t, files, lsp.Options{}, pulling)
	e.pullAll(nil)
	files.hold("249.datachain.json")
	e.notify("workspace/didChangeWatchedFiles", object{"changes": []object{}})
	<-files.reached
	id := e.request("workspace/diagnostic", object{"previousResultIds": []object{}, "partialResultToken": "t"})
	e.await("a part", func() bool {
		for _, m := range e.asked {
			if m.Method == "$/progress" {
				return true
			}
		}
		return false
	})
	close(files.open)
	e.answer(id)
	seen := map[string]bool{}
	e.mu.Lock()
	for _, m := range e.asked {
		var p struct {
			Token string
			Value struct{ Items []pulled }
		}
		if m.Method == "$/progress" {
			require.NoError(t, json.Unmarshal(m.Params, &p))
			require.Equal(t, "t", p.Token)
			for _, item := range p.Value.Items {
				seen[item.URI] = true
			}
		}
	}
	assert.Greater(t, len(seen), 200)
	assert.Empty(t, e.published)
	e.mu.Unlock()

	files.hold("249.datachain.json")
	e.notify("workspace/didChangeWatchedFiles", object{"changes": []object{}})
	<-files.reached
	id = e.request("workspace/diagnostic", object{"previousResultIds": []object{}})
	e.handled()
	e.notify("$/cancelRequest", object{"id": json.RawMessage(id)})
	assert.Equal(t, -32800, e.answer(id).Error.Code)
	close(files.open)
}

// TestPullSource asks for the diagnostics of a source, and is told when to ask again.
func TestPullSource(t *testing.T) {
	files := bikes(t)
	tree, err := source.CompileAll(files, nil)
	require.NoError(t, err)
	store, err := memstore.New(tree.Publications()...)
	require.NoError(t, err)
	open := func(context.Context, []string) (*lsp.Releases, error) {
		return &lsp.Releases{Service: must(datachain.New(store, nil)), Origin: "a source", Changes: store.Changes, Source: &lsp.Source{Root: schemas, Files: files}}, nil
	}
	e := start(t, lsp.New(open, nil), pulling)
	text := string(files["bikes/2026-09-01-beta/elements/all.yaml"].Data)
	e.open(elements, strings.Replace(text, "category_id: contact", "category_id: contcat", 1))
	found := e.pull(elements, "")
	require.NotEmpty(t, found.Items)
	assert.Equal(t, "category_unknown", found.Items[0].Code)
	refreshes := func() int {
		n := 0
		for _, m := range e.asked {
			if m.Method == "workspace/diagnostic/refresh" {
				n++
			}
		}
		return n
	}
	e.await("a refresh after a change of findings", func() bool { return refreshes() > 0 })
	assert.NotEmpty(t, e.pullAll(nil)[elements].Items)
	e.change(elements, 2, text)
	for _, d := range e.pull(elements, found.ResultID).Items {
		assert.NotEqual(t, "category_unknown", d.Code)
	}
	e.mu.Lock()
	before := refreshes()
	e.mu.Unlock()
	for _, r := range trail(t) {
		require.NoError(t, store.Put(publish.Publication{Release: r}))
	}
	e.await("a refresh after a change of the releases", func() bool { return refreshes() > before })
}

// TestPublishToAll publishes diagnostics to a client that says that it asks for them.
func TestPublishToAll(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), &lsp.Options{Publish: true}), pulling)
	e.open(chain, `{"schema_version": "ai@2026-11-15-stable", "elements": []}`)
	require.NotEmpty(t, e.diagnostics(chain, 1))
}
