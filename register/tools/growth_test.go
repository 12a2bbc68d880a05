//go:build !race

// The race detector changes how long work takes, and what it allocates.

package tools_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/adapters/memstore"
	historytools "github.com/datachain-go/datachain/history/tools"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/growthtest"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/tools"
	releasetools "github.com/datachain-go/datachain/release/tools"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// swollen returns a function that makes a server of a taxonomy and of documents with n of everything,
// and the text of one of them.
func swollen(t *testing.T, n int) (open func(timeout time.Duration) http.Handler, document string) {
	t.Helper()
	en := func(format string, args ...any) taxonomy.Localized {
		return taxonomy.Localized{{Locale: "en", Value: fmt.Sprintf(format, args...)}}
	}
	content := taxonomy.Content{
		Title: en("Big"), Description: en("Large"), Locales: []string{"en"}, Type: taxonomy.Type{ID: "big", Name: en("Big"), Categories: []string{"c"}},
		Categories: []taxonomy.Category{{ID: "c", Name: en("C"), Description: en("C"), Shape: taxonomy.Circle, Role: codes.RolePurpose}},
		Symbols:    map[string]string{"dot": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="6"/></svg>`},
	}
	var placements []any
	for i := range n {
		id := fmt.Sprintf("e%05d", i)
		content.Elements = append(content.Elements, taxonomy.Element{ID: id, Title: en("Statement %d", i), Description: en("Number %d.", i), CategoryID: "c", SymbolID: "dot", IconVariants: []string{"default", "dark"}})
		placements = append(placements, map[string]any{"element_id": id, "label": fmt.Sprint("number ", i)})
	}
	older := content
	older.Elements = content.Elements[:n/2]
	store := must(memstore.New(listing.Publication{Release: must(taxonomy.NewRelease(taxonomy.MustVersion("big@2026-10-01-stable"), content))},
		listing.Publication{Release: must(taxonomy.NewRelease(taxonomy.MustVersion("big@2026-09-01-stable"), older))}))
	dir := t.TempDir()
	for i, slug := range []string{"many", "many", "more"} {
		var places []any
		for k := range n {
			places = append(places, map[string]any{"name": fmt.Sprint("Street ", k)})
		}
		text, err := json.Marshal(map[string]any{
			"id": slug, "title": []any{map[string]any{"locale": "en", "value": fmt.Sprint("Title ", i)}}, "schema_version": "big@2026-10-01-stable",
			"created_at": "2026-06-01T10:00:00Z", "updated_at": fmt.Sprintf("2026-06-0%dT10:00:00Z", i+1), "elements": placements[i:], "register": map[string]any{"slug": slug, "places": places},
		})
		require.NoError(t, err)
		document = string(text)
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprint(slug, i, ".json")), text, 0o600))
	}
	service := must(datachain.New(store, nil))
	reg := must(register.New(service, []register.Origin{must(register.OpenDirectory(dir, nil))}, &register.Options{Refresh: -1}))
	t.Cleanup(func() { assert.NoError(t, reg.Close()) })
	require.Empty(t, reg.State().Refused())
	return func(timeout time.Duration) http.Handler {
		return must(mcp.New(service, &mcp.Options{
			Tools: slices.Concat(releasetools.New(), historytools.New(), tools.New(reg, "")), Resources: tools.Resources(reg), BaseURL: "https://dc.example", Timeout: timeout, Logger: slog.New(slog.DiscardHandler),
		})).Handler()
	}, document
}

// answer returns the answer to a message.
func answer(handler http.Handler, body string) string {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body)))
	return w.Body.String()
}

// swollenCalls returns calls of every tool and prompt with the arguments that they require, with each
// other one, and with all of them, and the other methods that read what is published.
func swollenCalls(document string) map[string]string {
	values := map[string]any{
		"version": "big@latest", "to": "big@latest", "from": "big@2026-09-01-stable", "element_id": "e00001", "element_ids": []string{"e00001", "e00002"}, "datachain": json.RawMessage(document),
		"slug": "many", "slugs": []string{"many", "more"}, "query": "number", "type": "big", "description": "number", "language": "en", "limit": 200, "include": "full", "locales": []string{"en"},
	}
	all := map[string]string{}
	for _, argument := range []string{"type", "version", "language"} {
		all["completion "+argument] = `{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"describe_system"},"argument":{"name":"` + argument + `","value":""}}}`
	}
	for _, uri := range []string{"datachain://documents/many", "ui://service/datachain/view.html"} {
		all["resource "+uri] = `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"` + uri + `"}}`
	}
	toolList, promptList := mcp.Operations(slices.Concat(releasetools.New(), historytools.New(), tools.New(nil, ""))...)
	for i, o := range append(toolList, promptList...) {
		required := map[string]any{}
		method := "tools/call"
		if i >= len(toolList) {
			method = "prompts/get"
		}
		add := func(name string, arguments map[string]any) {
			if datachain, ok := arguments["datachain"]; ok && method == "prompts/get" {
				arguments["datachain"] = string(datachain.(json.RawMessage))
			}
			params, err := json.Marshal(map[string]any{"name": o.Name, "arguments": arguments})
			if err != nil {
				panic(err)
			}
			all[name] = `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":` + string(params) + `}`
		}
		together := map[string]any{}
		for _, a := range o.Arguments {
			if a.Required {
				required[a.Name] = values[a.Name]
			}
			if values[a.Name] != nil {
				together[a.Name] = values[a.Name]
			}
		}
		add(o.Name, required)
		add(o.Name+" with all", together)
		for _, a := range o.Arguments {
			if one := maps.Clone(required); !a.Required && values[a.Name] != nil {
				one[a.Name] = values[a.Name]
				add(o.Name+" with "+a.Name, one)
			}
		}
	}
	return all
}

// TestToolsAreLinear shows that every tool and prompt takes no more time than the taxonomy and the
// documents have parts.
func TestToolsAreLinear(t *testing.T) {
	const n = 150
	open, document := swollen(t, n)
	openLarge, documentLarge := swollen(t, 4*n)
	small, large, largeCalls := open(time.Minute), openLarge(time.Minute), swollenCalls(documentLarge)
	for name, body := range swollenCalls(document) {
		t.Run(name, func(t *testing.T) {
			growthtest.Linear(t, n, func(size int) func() {
				h, body := small, body
				if size > n {
					h, body = large, largeCalls[name]
				}
				return func() { assert.NotContains(t, answer(h, body), "internal_error") }
			})
		})
	}
}

// TestToolsStop shows that whatever takes long stops within its time limit: with a quarter of the time
// that it needs, it fails in less than three quarters of that.
func TestToolsStop(t *testing.T) {
	const long, attempts = 60 * time.Millisecond, 10
	open, document := swollen(t, 6000)
	for name, body := range swollenCalls(document) {
		patient, needed := open(time.Minute), time.Hour
		for range 2 {
			if needed = min(needed, growthtest.CPU(func() { answer(patient, body) })); needed < long {
				break
			}
		}
		if needed < long {
			continue
		}
		t.Run(name, func(t *testing.T) {
			hurried := open(needed / 4)
			for attempt := range attempts {
				got := ""
				used := growthtest.CPU(func() { got = answer(hurried, body) })
				if used < needed*3/4 && strings.Contains(got, `"timeout"`) {
					return
				}
				t.Logf("attempt %d: %.200s after %v of %v", attempt, got, used, needed)
			}
			t.Error("it does not stop")
		})
	}
}
