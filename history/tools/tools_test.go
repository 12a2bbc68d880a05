package tools_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/history/tools"
	"github.com/datachain-go/datachain/internal/goldentest"
)

// kiosk is a small taxonomy that is not one of the samples.
var kiosk = fstest.MapFS{
	"kiosk/2026-02-03-stable/schema.yaml": {Data: []byte(`
title: {en: Kiosks, fr: Bornes}
description: {en: What a kiosk does., fr: Ce que fait une borne.}
locales: [en, fr]
datachain_type: {id: kiosk, name: {en: Kiosk, fr: Borne}, categories: [use, data]}
`)},
	"kiosk/2026-02-03-stable/categories/all.yaml": {Data: []byte(`
id: use
name: {en: Use, fr: Usage}
description: {en: What it is for., fr: À quoi elle sert.}
shape: circle
required: true
`)},
	"kiosk/2026-02-03-stable/categories/data.yaml": {Data: []byte(`
id: data
name: {en: Data, fr: Données}
description: {en: What it collects., fr: Ce qu’elle collecte.}
shape: hexagon
context: {values: [{id: personal, label: {en: About you, fr: Sur vous}, color: "#AA2211"}, {id: none, label: {en: About nobody, fr: Sur personne}}]}
`)},
	"kiosk/2026-02-03-stable/elements/all.yaml": {Data: []byte(`
- id: use.tickets
  title: {en: Sells tickets, fr: Vend des billets}
  description: {en: "It sells tickets of {{company}}.", fr: "Elle vend des billets de {{company}}."}
  category_id: use
  symbol_id: dot
  variables: [{id: company, label: {en: Company, fr: Société}, required: true}]
- id: use.maps
  title: {en: Shows maps, fr: Montre des plans}
  description: {en: It shows maps., fr: Elle montre des plans.}
  category_id: use
  symbol_id: dot
- id: data.card
  title: {en: Card number, fr: Numéro de carte}
  description: {en: The number of your card., fr: Le numéro de votre carte.}
  category_id: data
  symbol_id: dot
`)},
	"kiosk/2026-02-03-stable/symbols/dot.svg": {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="4" fill="currentColor"/></svg>`)},
}

// goodKiosk is a valid datachain of that taxonomy.
const goodKiosk = `{"id":"k1","title":[{"locale":"en","value":"Station kiosk"}],"schema_version":"kiosk@2026-02-03-stable","created_at":"2026-02-04T10:00:00Z",` +
	`"elements":[{"element_id":"use.tickets","variables":[{"id":"company","value":[{"locale":"en","value":"Railways"}]}]},{"element_id":"data.card","context_type_id":"personal"}]}`

// serve returns a function that calls a method, and returns the answer.
func serve(t *testing.T) func(method, params string) string {
	t.Helper()
	tree, err := source.CompileAll(kiosk, nil)
	require.NoError(t, err)
	store, err := memstore.New(tree.Publications()...)
	require.NoError(t, err)
	service, err := datachain.New(store, nil)
	require.NoError(t, err)
	server, err := mcp.New(service, &mcp.Options{BaseURL: "https://example.org/dc/", Timeout: 10 * time.Minute, Tools: tools.New()})
	require.NoError(t, err)
	return func(method, params string) string {
		w := httptest.NewRecorder()
		body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
		server.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body)))
		return w.Body.String()
	}
}

// TestTools compares envelopes with the golden file: success, findings and failure.
func TestTools(t *testing.T) {
	send := serve(t)
	slip := strings.Replace(goodKiosk, "use.tickets", "use.tikets", 1)
	var b strings.Builder
	for _, arguments := range []string{
		moved("kiosk@latest", strings.Replace(goodKiosk, "kiosk@2026-02-03-stable", "kiosk@2025-01-01-stable", 1)),
		versioned("kiosk@latest", strings.Replace(goodKiosk, "kiosk@2026-02-03-stable", "kiosk@2025-01-01-stable", 1)),
		strings.Replace(moved("kiosk@latest", goodKiosk), "{", `{"version":"kiosk@2020-01-01-stable",`, 1),
		moved("kiosk@latest", strings.Replace(goodKiosk, "kiosk@2026-02-03-stable", "kiosk@2027-01-01-beta", 1)),
		moved("kiosk@next", goodKiosk),
		`{}`,
		moved("kiosk@latest", slip),
		moved("kiosk@latest", strings.Replace(goodKiosk, "kiosk@", "ticket@", 1)),
		strings.Replace(moved("kiosk@latest", goodKiosk), "{", `{"from":"kiosk@2020-01-01-stable","drop":true,`, 1),
		strings.Replace(moved("kiosk@latest", goodKiosk), "{", `{"drop":"yes",`, 1),
		moved("kiosk@latest", `{"id":7}`),
	} {
		var got struct {
			Result struct {
				Content []struct{ Text string }
				IsError bool
			}
		}
		body := send("tools/call", `{"name":"upgrade_datachain","arguments":`+arguments+`}`)
		require.NoError(t, json.Unmarshal([]byte(body), &got), body)
		fmt.Fprintf(&b, "$ upgrade_datachain %s\n%s\n", arguments, got.Result.Content[0].Text)
		if got.Result.IsError {
			b.WriteString("isError\n")
		}
		b.WriteByte('\n')
	}
	goldentest.File(t, "testdata/tools.txt", b.String())
	for _, tool := range tools.New() {
		assert.Greater(t, len(tool.Description), 100, "describe %s for a model that does not know datachains", tool.Name)
		for _, a := range tool.Takes {
			assert.NotEmpty(t, a.Description, a.Name)
			assert.True(t, a.Example != "" || a.Find != "", a.Name)
		}
	}
}

// moved are the arguments of upgrade_datachain.
func moved(to, datachain string) string {
	return fmt.Sprintf(`{"to":%q,"datachain":%s}`, to, datachain)
}

// versioned are the same under the name that the target had.
func versioned(version, datachain string) string {
	return fmt.Sprintf(`{"version":%q,"datachain":%s}`, version, datachain)
}
