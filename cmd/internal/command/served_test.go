package command

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	examples "github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// The served product is put together from packages that do not know each other: routes, tools and
// rules that are not handed in are absent without an error. The tests in this file compare what a
// client can use with recorded lists and answers. UPDATE=1 writes them; read the diff.

// complete is a server that has everything: a signed store with two versions, an evolution,
// mappings and documents.
type complete struct {
	*running
	sys   system
	store []string // the flags that name the store
	good  string   // a document
}

func serveComplete(t *testing.T) complete {
	t.Helper()
	p := newPlayer(t)
	const beta = "schemas/bikes/2026-09-01-beta/"
	for name, text := range map[string]string{
		beta + "schema.yaml":             "schemes: [{id: law, title: {en: Data law, fr: Loi}}]\n",
		beta + "categories/contact.yaml": "mappings: [{scheme: law, id: Art. 13, relation: broad, note: {en: In part., fr: En partie.}}]\n",
		beta + "elements/all.yaml":       "  mappings: [{scheme: law, id: Art. 5, relation: close}]\n",
		"schemas/bikes/evolution.yaml":   "removed:\n- {id: data.speed, since: 2026-09-01-beta, replaced_by: [{id: data.battery}]}\n",
	} {
		f, err := os.OpenFile(filepath.Join(p.sys.Dir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		require.NoError(t, err)
		_, err = f.WriteString(text)
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	text, err := os.ReadFile(filepath.Join(p.sys.Dir, "documents", "good.json"))
	require.NoError(t, err)
	good := string(text)
	named := func(id, register string) string {
		return strings.Replace(good, `"id": "harbour-bikes",`, `"id": "`+id+`", "title": [{"locale": "en", "value": "Bikes of `+id+`"}], "register": `+register+`,`, 1)
	}
	p.write("register/harbour.json", good)
	p.write("register/park.json", named("park", `{"slug": "park-bikes", "status": "trial", "organisation": {"name": "City"}, "places": [{"name": "Park", "geometry": {"type": "Point", "coordinates": [4.9, 52.4]}}]}`))
	p.write("register/old.json", named("old", `{"status": "retired"}`))
	private, public, err := note.GenerateKey(bytes.NewReader(make([]byte, 64)), "example.org/log")
	require.NoError(t, err)
	p.write("signing.key", private)
	require.NoError(t, os.Chmod(filepath.Join(p.sys.Dir, "signing.key"), 0o600))
	p.write("trust.json", fmt.Sprintf(`{"origin": "example.org/log", "keys": [{"key": %q}]}`, public))
	for _, args := range [][]string{
		{"schema", "publish", "schemas"},
		{"documents", "publish", "register"},
		{"documents", "withdraw", "old", "--reason", "Sold"},
	} {
		code, _, stderr := execute(t.Context(), p.sys, append(args, "--store", "dist", "--key", "signing.key")...)
		require.Zero(t, code, stderr)
	}
	store := []string{"--store", "dist", "--trust", "trust.json"}
	args := append([]string{"--addr", anyPort, admission, fastDrain, "--base-url", "https://dc.example"}, store...)
	for _, limit := range []string{"read", "icons", "validate", "resolve", "pages", "forms"} {
		args = append(args, "--limit-"+limit, "9999")
	}
	return complete{startServer(t, p.sys, args...), p.sys, store, good}
}

// ask sends a request and returns the status, the headers and the body of the response.
func (s *running) ask(method, path, body string) (*http.Response, string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, strings.TrimSuffix(s.api, "/api/v2")+path, strings.NewReader(body))
	require.NoError(s.t, err)
	client := &http.Client{
		Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(req)
	require.NoError(s.t, err)
	defer func() { require.NoError(s.t, res.Body.Close()) }()
	text, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)
	return res, string(text)
}

// varying matches what differs between runs: times of publication, the hash and signature of a
// checkpoint, and the words that enclose a document in a prompt.
var varying = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|(?m)^[\w+/]{43}=$|(— example\.org/log ).*|((?:BEGIN|END) )[A-Z2-7]{12}`)

// record writes a request and its answer. Of a long answer, it writes the beginning and a hash.
func (s *running) record(b *strings.Builder, method, path, body string) {
	s.t.Helper()
	res, exact := s.ask(method, path, body)
	text := varying.ReplaceAllString(exact, "$1$2…")
	if res.Header.Get("Content-Type") == "application/octet-stream" {
		text = fmt.Sprintf("%d bytes", len(exact))
	}
	if text != exact || method == http.MethodHead {
		res.Header.Del("ETag")
	}
	fmt.Fprintf(b, "> %s %s\n", method, path)
	if body != "" {
		fmt.Fprintf(b, "> %s\n", strings.Join(strings.Fields(body), " "))
	}
	fmt.Fprintf(b, "< %d\n", res.StatusCode)
	for _, name := range slices.Sorted(maps.Keys(res.Header)) {
		switch name {
		case "Date", "X-Request-Id", "Ratelimit", "Content-Length", "Access-Control-Expose-Headers", "Retry-After":
		default:
			fmt.Fprintf(b, "< %s: %s\n", name, strings.Join(res.Header[name], ", "))
		}
	}
	if len(text) > 4000 {
		text = fmt.Sprintf("%s…\n%d bytes, sha256 %x", strings.ToValidUTF8(text[:200], ""), len(text), sha256.Sum256([]byte(text)))
	}
	for line := range strings.Lines(text) {
		fmt.Fprintf(b, "  %s\n", strings.TrimRight(line, "\n"))
	}
	b.WriteByte('\n')
}

// TestServedAnswers compares an answer of each route and each tool.
func TestServedAnswers(t *testing.T) {
	t.Parallel()
	s := serveComplete(t)
	older := strings.NewReplacer("bikes@2026-09-01-beta", "bikes@2026-03-01-stable", "data.trips", "data.speed").Replace(s.good)
	_, resolved := s.ask(http.MethodPost, "/api/v2/schemas/bikes@latest-beta/resolve", s.good)
	slip := strings.Replace(s.good, "data.trips", "data.trip", 1)
	withRegister := strings.Replace(s.good, `"elements"`, `"register": {"status": "lost"}, "elements"`, 1)

	var b strings.Builder
	for _, path := range []string{
		"/schemas", "/schemas/bikes@latest/manifest", "/schemas/bikes@latest-beta/categories", "/schemas/bikes@latest-beta/elements?locales=en&limit=1",
		"/schemas/bikes@latest-beta/elements/data.trips", "/schemas/bikes@latest-beta/elements/data.speed", "/schemas/bikes@latest-beta/elements/data.trips/icon.svg",
		"/schemas/bikes@latest-beta/elements/data.trips/icon.dark.svg", "/schemas/bikes@latest-beta/symbols/dot.svg",
		"/schemas/bikes@latest-beta/mappings", "/schemas/bikes@latest-beta/mappings?scheme=law&locales=fr", "/schemas/bikes@latest-beta/mappings?scheme=lex", "/schemas/bikes@latest/mappings?id=Art.%205",
		"/schemas/bikes@latest-beta/release", "/schemas/bikes@latest-beta/instance.schema.json?locale=fr",
		"/documents", "/documents?query=park&facets=true&locale=fr", "/documents?status=nothing", "/documents?limit=1", "/documents/changes", "/documents/changes?since=1", "/documents/changes?since=x",
		"/documents/park-bikes", "/documents/park-bikes?form=resolved", "/documents/park-bikes?form=nothing", "/documents/park-bikes/history", "/documents/old", "/documents/nothing",
		"/types/bikes/evolution", "/types/nothing/evolution", "/log/checkpoint", "/log/tile/0/000.p/8", "/log/tile/entries/000.p/8", "/log/tile/9/000", "/shapes/circle.svg", "/json-schemas/instance.json", "/openapi.json", "/nothing",
	} {
		s.record(&b, http.MethodGet, "/api/v2"+path, "")
	}
	for _, c := range []struct{ path, body string }{
		{"bikes@latest-beta/validate", s.good},
		{"bikes@latest-beta/validate", slip},
		{"bikes@latest-beta/validate", older},
		{"bikes@latest-beta/validate", withRegister},
		{"bikes@latest-beta/validate?include=resolved", s.good},
		{"bikes@latest-beta/resolve", s.good},
		{"bikes@latest-beta/validate_resolved", resolved},
		{"bikes@latest-beta/validate_resolved", strings.Replace(resolved, "where it was left", "where it is", 1)},
		{"bikes@latest-beta/render?locale=fr", s.good},
		{"bikes@latest-beta/render", resolved},
		{"bikes@latest-beta/render?locale=!", s.good},
		{"bikes@latest-beta/upgrade", older},
		{"bikes@latest/upgrade", s.good},
		{"bikes@latest/upgrade?older=true&drop=true", s.good},
		{"bikes@latest-beta/upgrade?drop=perhaps", older},
		{"bikes@latest-beta/upgrade", slip},
	} {
		s.record(&b, http.MethodPost, "/api/v2/schemas/"+c.path, c.body)
	}
	for _, path := range []string{"/schemas", "/schemas/bikes@latest/validate", "/schemas/bikes@latest/upgrade", "/schemas/bikes@latest/mappings", "/documents", "/log/checkpoint"} {
		s.record(&b, http.MethodDelete, "/api/v2"+path, "")
		s.record(&b, http.MethodHead, "/api/v2"+path, "")
	}
	goldentest.File(t, "testdata/served/answers.txt", b.String())

	routes := map[string]bool{}
	_, metrics := getURL(t, s.admin+"/metrics")
	for _, m := range regexp.MustCompile(`(?m)^datachain_http_requests_total\{code="(\d+)",method="(\w+)",route="([^"]+)"\}`).FindAllStringSubmatch(metrics, -1) {
		routes[m[3]+" "+m[2]+" "+m[1]] = true
	}
	goldentest.File(t, "testdata/served/routes.txt", strings.Join(slices.Sorted(maps.Keys(routes)), "\n")+"\n")

	b.Reset()
	version := func(document string) string { return `{"version":"bikes@latest-beta","datachain":` + document + `}` }
	called := map[any]bool{}
	for _, c := range []struct{ tool, arguments string }{
		{"list_schema_versions", `{}`},
		{"get_schema", `{"version":"bikes@latest-beta","locales":["en"]}`},
		{"list_mappings", `{"version":"bikes@latest-beta","scheme":"law"}`},
		{"list_categories", `{"version":"bikes@latest-beta","locales":["fr"]}`},
		{"list_elements", `{"version":"bikes@latest-beta","query":"bike","fields":["title"]}`},
		{"get_element", `{"version":"bikes@latest-beta","element_id":"data.trips"}`},
		{"get_element", `{"version":"bikes@latest-beta","element_id":"data.speed"}`},
		{"get_elements", `{"version":"bikes@latest-beta","element_ids":["data.trips"],"locales":["en"]}`},
		{"get_icon_url", `{"version":"bikes@latest-beta","element_id":"data.trips","variant":"dark"}`},
		{"validate_datachain", version(s.good)},
		{"validate_datachain", version(older)},
		{"validate_datachain", version(withRegister)},
		{"resolve_datachain", version(s.good)},
		{"validate_resolved", version(resolved)},
		{"render_datachain", version(s.good)},
		{"upgrade_datachain", `{"to":"bikes@latest-beta","datachain":` + older + `}`},
		{"upgrade_datachain", `{"to":"bikes@latest","datachain":` + s.good + `}`},
		{"list_documents", `{}`},
		{"list_documents", `{"query":"park","limit":1}`},
		{"list_documents", `{"status":"nothing"}`},
		{"get_document", `{"slug":"park-bikes"}`},
		{"get_document", `{"slug":"old"}`},
		{"get_document", `{"slug":"nothing"}`},
		{"compare_documents", `{"slugs":["park-bikes","harbour-bikes"]}`},
		{"compare_documents", `{"slugs":["park-bikes"]}`},
		{"no_tool", `{}`},
	} {
		called[c.tool] = true
		s.call(&b, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, c.tool, c.arguments))
	}
	for _, tool := range objects(t, s.result("tools/list", `{}`)["tools"]) {
		require.True(t, called[tool["name"]], "add a call of the tool %v to the list in cmd/internal/command/served_test.go", tool["name"])
	}
	s.call(&b, "resources/list", `{}`)
	for _, uri := range []string{"ui://service/datachain/view.html", "datachain://documents/park-bikes", "datachain://documents/old", "datachain://documents/nothing", "nothing://"} {
		s.call(&b, "resources/read", fmt.Sprintf(`{"uri":%q}`, uri))
	}
	for _, c := range []struct{ prompt, arguments string }{
		{"describe_system", `{"type":"bikes","description":"Bikes at the harbour."}`},
		{"review_datachain", fmt.Sprintf(`{"version":"bikes@latest-beta","datachain":%s}`, quoted(t, []byte(older)))},
		{"explain_datachain", fmt.Sprintf(`{"language":"fr","datachain":%s}`, quoted(t, []byte(s.good)))},
		{"no_prompt", `{}`},
	} {
		s.call(&b, "prompts/get", fmt.Sprintf(`{"name":%q,"arguments":%s}`, c.prompt, c.arguments))
	}
	s.call(&b, "completion/complete", `{"ref":{"type":"ref/resource","uri":"datachain://documents/{slug}"},"argument":{"name":"slug","value":"p"}}`)
	s.call(&b, "completion/complete", `{"ref":{"type":"ref/prompt","name":"describe_system"},"argument":{"name":"type","value":""}}`)
	goldentest.File(t, "testdata/served/mcp-answers.txt", b.String())
}

// call records an MCP request.
func (s *running) call(b *strings.Builder, method, params string) {
	s.t.Helper()
	s.record(b, http.MethodPost, "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params))
}

// result returns the result of an MCP request.
func (s *running) result(method, params string) map[string]any {
	s.t.Helper()
	_, text := s.ask(http.MethodPost, "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params))
	var answer struct {
		Result map[string]any `json:"result"`
	}
	require.NoError(s.t, json.Unmarshal([]byte(text), &answer), text)
	return answer.Result
}

// TestServedAPI compares the operations that the server describes.
func TestServedAPI(t *testing.T) {
	t.Parallel()
	s := serveComplete(t)
	_, text := s.ask(http.MethodGet, "/api/v2/openapi.json", "")
	var doc struct {
		Tags       []struct{ Name string }
		Paths      map[string]map[string]json.RawMessage
		Components map[string]map[string]json.RawMessage
	}
	require.NoError(t, json.Unmarshal([]byte(text), &doc))
	type parameter struct {
		Ref      string `json:"$ref"`
		Name, In string
		Required bool
		Schema   map[string]any
	}
	parameters := func(b *strings.Builder, list []parameter) {
		for _, p := range list {
			if name := strings.TrimPrefix(p.Ref, "#/components/parameters/"); p.Ref != "" {
				require.NoError(t, json.Unmarshal(doc.Components["parameters"][name], &p), p.Ref)
			}
			required := ""
			if p.Required {
				required = " required"
			}
			fmt.Fprintf(b, "  %s %s%s %s\n", p.In, p.Name, required, typeOf(p.Schema))
		}
	}
	var b strings.Builder
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		var shared []parameter
		if list, ok := doc.Paths[path]["parameters"]; ok {
			require.NoError(t, json.Unmarshal(list, &shared))
		}
		for _, method := range slices.Sorted(maps.Keys(doc.Paths[path])) {
			if method == "parameters" {
				continue
			}
			var o struct {
				OperationID string `json:"operationId"`
				Tags        []string
				Parameters  []parameter
				RequestBody struct {
					Content map[string]json.RawMessage
				}
				Responses map[string]struct {
					Ref     string `json:"$ref"`
					Headers map[string]json.RawMessage
					Content map[string]struct{ Schema map[string]any }
				}
			}
			require.NoError(t, json.Unmarshal(doc.Paths[path][method], &o))
			fmt.Fprintf(&b, "%s %s %s (%s)\n", strings.ToUpper(method), path, o.OperationID, strings.Join(o.Tags, ", "))
			parameters(&b, shared)
			parameters(&b, o.Parameters)
			for _, kind := range slices.Sorted(maps.Keys(o.RequestBody.Content)) {
				fmt.Fprintf(&b, "  body %s\n", kind)
			}
			for _, code := range slices.Sorted(maps.Keys(o.Responses)) {
				r := o.Responses[code]
				fmt.Fprintf(&b, "  %s %s", code, strings.TrimPrefix(r.Ref, "#/components/responses/"))
				for _, kind := range slices.Sorted(maps.Keys(r.Content)) {
					fmt.Fprintf(&b, " %s %s", kind, typeOf(r.Content[kind].Schema))
				}
				for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
					fmt.Fprintf(&b, " %s", name)
				}
				b.WriteByte('\n')
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(doc.Components)) {
		fmt.Fprintf(&b, "%s: %s\n", kind, strings.Join(slices.Sorted(maps.Keys(doc.Components[kind])), " "))
	}
	fmt.Fprintf(&b, "tags: %v\n", doc.Tags)
	goldentest.File(t, "testdata/served/api.txt", b.String())
}

// typeOf describes a JSON Schema in a few words.
func typeOf(schema map[string]any) string {
	if ref, ok := schema["$ref"].(string); ok {
		return strings.TrimPrefix(ref, "#/components/schemas/")
	}
	kind := fmt.Sprint(cmp.Or[any](schema["type"], "any"))
	if items, ok := schema["items"].(map[string]any); ok {
		kind += " of " + typeOf(items)
	}
	for _, word := range []string{"enum", "pattern", "format", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "default"} {
		if value, ok := schema[word]; ok {
			text, _ := json.Marshal(value)
			kind += " " + word + " " + string(text)
		}
	}
	return kind
}

// TestServedMCP compares tools, prompts and resources, of HTTP and of standard input.
func TestServedMCP(t *testing.T) {
	t.Parallel()
	s := serveComplete(t)
	var b strings.Builder
	for _, tool := range objects(t, s.result("tools/list", `{}`)["tools"]) {
		whole, err := json.Marshal(tool)
		require.NoError(t, err)
		fmt.Fprintf(&b, "tool %v %v, sha256 %x\n", tool["name"], tool["annotations"], sha256.Sum256(whole))
		input, _ := tool["inputSchema"].(map[string]any)
		properties, _ := input["properties"].(map[string]any)
		required := fmt.Sprint(input["required"])
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			schema, _ := properties[name].(map[string]any)
			must := ""
			if slices.Contains(strings.Fields(strings.Trim(required, "[]")), name) {
				must = " required"
			}
			fmt.Fprintf(&b, "  %s%s %s\n", name, must, typeOf(schema))
		}
		output, _ := tool["outputSchema"].(map[string]any)
		properties, _ = output["properties"].(map[string]any)
		fmt.Fprintf(&b, "  returns %s\n", strings.Join(slices.Sorted(maps.Keys(properties)), " "))
	}
	for _, prompt := range objects(t, s.result("prompts/list", `{}`)["prompts"]) {
		fmt.Fprintf(&b, "prompt %v\n", prompt["name"])
		for _, a := range objects(t, prompt["arguments"]) {
			fmt.Fprintf(&b, "  %v required %v\n", a["name"], a["required"])
		}
	}
	for _, r := range objects(t, s.result("resources/list", `{}`)["resources"]) {
		fmt.Fprintf(&b, "resource %v %v %v\n", r["uri"], r["name"], r["mimeType"])
	}
	for _, r := range objects(t, s.result("resources/templates/list", `{}`)["resourceTemplates"]) {
		fmt.Fprintf(&b, "template %v %v %v\n", r["uriTemplate"], r["name"], r["mimeType"])
	}
	hello := s.result("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	text, err := json.MarshalIndent(hello, "", "  ")
	require.NoError(t, err)
	fmt.Fprintf(&b, "initialize %s\n", text)
	goldentest.File(t, "testdata/served/mcp.txt", b.String())

	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
	var out, log lockedBuffer
	s.sys.Stdin, s.sys.Stdout, s.sys.Stderr = strings.NewReader(list+"\n"), &out, &log
	require.Zero(t, run(t.Context(), append([]string{"mcp"}, s.store...), s.sys), log.String())
	_, want := s.ask(http.MethodPost, "/mcp", list)
	require.Equal(t, want, strings.TrimSpace(out.String()), "standard input has the same tools")
}

func objects(t *testing.T, list any) []map[string]any {
	t.Helper()
	items, ok := list.([]any)
	require.True(t, ok || list == nil, "%v", list)
	out := make([]map[string]any, len(items))
	for i := range items {
		out[i], _ = items[i].(map[string]any)
	}
	return out
}

// link is an address in a page, and assetHash the hash in that of an asset.
var (
	link      = regexp.MustCompile(`(?:href|src|action)="(/[^"#?]*)`)
	assetHash = regexp.MustCompile(`(/assets/\w+\.)[0-9a-f]{12}`)
)

// TestServedPages follows the links of the pages and compares the addresses.
func TestServedPages(t *testing.T) {
	t.Parallel()
	s := serveComplete(t)
	found := map[string]string{}
	todo := []string{
		"/", "/robots.txt", "/sitemap.xml", "/compare.json", "/compare.md", "/d/old", "/d/park-bikes/card", "/d/park-bikes/qr.svg",
		"/d/park-bikes/sign.html", "/d/park-bikes/sign.svg", "/d/park-bikes/sign.pdf",
	}
	for len(todo) > 0 {
		path := todo[0]
		todo = todo[1:]
		if _, ok := found[path]; ok || strings.HasPrefix(path, "/api/") {
			continue
		}
		res, text := s.ask(http.MethodGet, path, "")
		found[path] = fmt.Sprintf("%d %s", res.StatusCode, res.Header.Get("Content-Type"))
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			todo = append(todo, m[1])
		}
	}
	var b strings.Builder
	for _, path := range slices.Sorted(maps.Keys(found)) {
		fmt.Fprintf(&b, "%s %s\n", found[path], assetHash.ReplaceAllString(path, "$1…"))
	}
	goldentest.File(t, "testdata/served/pages.txt", b.String())
}

// TestServedRules compares what each way to validate says about the example of each code.
func TestServedRules(t *testing.T) {
	t.Parallel()
	s := startServer(t, testSystem(t.TempDir()), "--addr", anyPort, fastDrain, "--rate-limit", "off")
	editor := startEditing(t, t.TempDir(), "--samples")
	editor.initialize(t.TempDir())
	var b strings.Builder
	for _, info := range issue.Codes() {
		fmt.Fprintf(&b, "%s (%s)\n", info.Code, info.RaisedBy)
		e, ok := examples.Invalid(info.Code)
		if !ok {
			continue
		}
		var parts struct {
			SchemaVersion string          `json:"schema_version"`
			Snapshot      json.RawMessage `json:"schema_snapshot"`
		}
		_ = json.Unmarshal(e.Text, &parts) // it can be invalid on purpose
		version := cmp.Or(e.Version, parts.SchemaVersion, "ai@latest")
		route, tool := "validate", "validate_datachain"
		if parts.Snapshot != nil {
			route, tool = "validate_resolved", "validate_resolved"
		}
		_, text := s.ask(http.MethodPost, "/api/v2/schemas/"+version+"/"+route+"?strict=true", string(e.Text))
		fmt.Fprintf(&b, "  http: %s\n", codesIn(text))
		if json.Valid(e.Text) {
			structured, err := json.Marshal(s.result("tools/call", fmt.Sprintf(`{"name":%q,"arguments":{"version":%q,"datachain":%s}}`, tool, version, e.Text))["structuredContent"])
			require.NoError(t, err)
			fmt.Fprintf(&b, "  mcp: %s\n", codesIn(string(structured)))
		}
		p := newPlayer(t)
		p.write("document.json", string(e.Text))
		args := []string{"validate", "document.json", "--samples", "--strict", "--format", "json"}
		if e.Version != "" {
			args = append(args, "--"+versionFlagName, e.Version)
		}
		_, stdout, stderr := execute(t.Context(), p.sys, args...)
		require.Empty(t, stderr)
		fmt.Fprintf(&b, "  command: %s\n", codesIn(stdout))
		fmt.Fprintf(&b, "  editor: %s\n", codesIn(editor.diagnostics(string(info.Code)+".datachain.json", string(e.Text))))
	}
	goldentest.File(t, "testdata/served/rules.txt", b.String())
}

// diagnostics opens a document and returns the message with its findings.
func (e *editing) diagnostics(name, text string) (message string) {
	e.t.Helper()
	e.open("/"+name, text)
	require.Eventually(e.t, func() bool {
		for message = range strings.SplitSeq(e.out.String(), "Content-Length: ") {
			if strings.Contains(message, `"method":"textDocument/publishDiagnostics"`) && strings.Contains(message, name) {
				return true
			}
		}
		return false
	}, 30*time.Second, 5*time.Millisecond, "no findings of %s: %s", name, e.log)
	return message
}

var codeField = regexp.MustCompile(`"code": ?"([^"]+)"`)

// codesIn returns the codes in an answer, each once, in their order.
func codesIn(text string) string {
	var list []string
	for _, m := range codeField.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(list, m[1]) {
			list = append(list, m[1])
		}
	}
	return strings.Join(list, " ")
}
