package httpapi_test

import (
	"bytes"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/internal/resttest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

func TestDescriptionIsServed(t *testing.T) {
	want, err := os.ReadFile(descriptionFile)
	require.NoError(t, err)
	a := open(t, samples(t), nil).get("/openapi.json")
	require.Equal(t, string(want), a.text)
	require.Equal(t, "public, max-age=3600", a.Header.Get("Cache-Control"))
}

// TestDescriptionHasEveryRoute, and no other. Wildcards of the server are whole
// segments; the description is more specific.
func TestDescriptionHasEveryRoute(t *testing.T) {
	paths := readDescription(t).Paths
	got := map[string]bool{}
	for path, item := range paths {
		if dir, file, _ := cutLast(path); strings.Contains(file, "{") && strings.Contains(file, ".") || strings.HasPrefix(file, "icon.") {
			path = dir + "/{file}"
		}
		methods := slices.Collect(maps.Keys(item.Operations()))
		require.Len(t, methods, 1, path)
		got[path] = methods[0] == http.MethodPost
	}
	require.Equal(t, httpapi.Patterns(), got)
}

func cutLast(path string) (dir, file string, found bool) {
	i := strings.LastIndexByte(path, '/')
	return path[:i], path[i+1:], i >= 0
}

// TestDescriptionExamples requests every path with the examples of its parameters:
// with all of them, and with the required ones.
func TestDescriptionExamples(t *testing.T) {
	w := open(t, samples(t), nil)
	for path, item := range readDescription(t).Paths {
		if item.Get == nil {
			continue
		}
		t.Run(path, func(t *testing.T) {
			w := w.in(t)
			address, query := strings.TrimPrefix(path, api), url.Values{}
			for _, p := range slices.Concat(item.Parameters, item.Get.Parameters) {
				switch value := p.Example.(type) {
				case string:
					address = strings.ReplaceAll(address, "{"+p.Name+"}", value)
					if p.In == "query" {
						query.Set(p.Name, value)
					}
				case []any:
					var items []string
					for _, item := range value {
						items = append(items, item.(string))
					}
					query.Set(p.Name, strings.Join(items, ","))
				}
			}
			w.get(address)
			if len(query) > 0 {
				w.get(address + "?" + strings.ReplaceAll(query.Encode(), "%2C", ","))
			}
		})
	}
}

// TestDescriptionOfDocuments sends the documents of the description.
func TestDescriptionOfDocuments(t *testing.T) {
	w := open(t, samples(t), nil)
	for path, item := range readDescription(t).Paths {
		if item.Post == nil {
			continue
		}
		for name, example := range item.Post.RequestBody.Content["application/json"].Examples {
			text, err := document.MarshalCanonical(example.Value)
			require.NoError(t, err)
			a := w.post(strings.Replace(strings.TrimPrefix(path, api), "{version}", "sensor@latest", 1), string(text))
			require.Equal(t, 200, a.StatusCode)
			require.Empty(t, a.codes(), "%s %s", path, name)
		}
	}
}

func TestDescriptionNamesTheSchemas(t *testing.T) {
	w := open(t, samples(t), nil)
	listed := readDescription(t).Components.Parameters["SchemaName"].Schema.Fields["enum"]
	var names []any
	for _, name := range validate.JSONSchemaNames() {
		names = append(names, name)
		want, _ := validate.JSONSchema(name)
		a := w.get("/json-schemas/" + name + ".json")
		require.Equal(t, string(want), a.text)
		require.Equal(t, "application/schema+json; charset=utf-8", a.Header.Get("Content-Type"))
	}
	require.Equal(t, names, listed)
	issue := w.do(request{path: "/json-schemas/nothing.json", wrong: true}).issue(t, 404, "not_found")
	require.Contains(t, issue["fix_hint"], "instance")
}

func TestDescriptionNamesTheShapes(t *testing.T) {
	var shapes []any
	for _, s := range taxonomy.Shapes() {
		shapes = append(shapes, string(s))
	}
	require.ElementsMatch(t, shapes, readDescription(t).Components.Parameters["Shape"].Schema.Fields["enum"])
}

// TestDescriptionOfAnotherPlace shows that the description and the hints are right
// for a service that is not at the root of its host.
func TestDescriptionOfAnotherPlace(t *testing.T) {
	const base = "https://example.org/datachain/"
	handler, err := httpapi.New(must(datachain.New(samples(t), nil)), &httpapi.Options{BaseURL: base})
	require.NoError(t, err)
	get := func(path string) string {
		res := httptest.NewRecorder()
		handler.ServeHTTP(res, httptest.NewRequest(http.MethodGet, path, nil))
		return res.Body.String()
	}
	text, err := httpapi.OpenAPI(base)
	require.NoError(t, err)
	require.Equal(t, string(text), get(api+"/openapi.json"))
	doc, err := resttest.Parse(text)
	require.NoError(t, err)
	require.Len(t, doc.Servers, 1)
	require.Equal(t, "https://example.org/datachain", doc.Servers[0].URL)
	require.Len(t, doc.Paths, len(readDescription(t).Paths))
	require.Contains(t, get("/nothing"), "see /datachain/api/v2/schemas for the schema versions, or /datachain/api/v2/openapi.json")
}

const descriptionFile = "openapi.json"

// TestDescriptionIsWhatTheSourcesGive checks the generated parts of the
// description: the model, from the JSON Schemas of package validate, the codes, and
// the images. With UPDATE=1 it writes them and formats the whole.
func TestDescriptionIsWhatTheSourcesGive(t *testing.T) {
	text, err := os.ReadFile(descriptionFile)
	require.NoError(t, err)
	doc := parseJSON(t, text)
	schemas := doc.at("components").at("schemas")
	for _, m := range *model(t) {
		schemas.set(m.key, m.value)
	}
	schemas.at("Code").set("examples", knownCodes())
	showPictures(t, doc.at("paths"))
	var b bytes.Buffer
	printJSON(&b, doc, 0)
	b.WriteByte('\n')
	goldentest.File(t, descriptionFile, b.String())
}

// component names the component of a JSON Schema, or of a definition in one:
// datachain_type is DatachainType.
func component(name string) string {
	switch name {
	case "instance":
		return "DatachainInstance"
	case "resolved":
		return "ResolvedDatachainInstance"
	}
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// model returns the JSON Schemas of documents and releases as components.
func model(t *testing.T) *object {
	t.Helper()
	components := &object{}
	for _, name := range []string{"localized", "version", "successor", "manifest", "index", "category", "element", "variable", "source", "mapping", "datachain_type", "release", "instance", "resolved"} {
		text, err := os.ReadFile("../../validate/schemas/" + name + ".schema.json")
		require.NoError(t, err)
		schema := parseJSON(t, text)
		definitions := schema.at("$defs")
		for _, key := range []string{"$schema", "$id", "$defs"} {
			schema.remove(key)
		}
		if name == "index" { // how a release is stored is not sent
			schema.at("properties").at("versions").at("items").at("properties").remove("pack")
		}
		components.set(component(name), inComponents(schema))
		if name == "element" {
			view := parseJSON(t, text)
			view.remove("$schema")
			view.remove("$id")
			view.set("description", jsontext.Value(`"An element with the requested fields."`))
			view.set("required", []any{jsontext.Value(`"id"`)})
			components.set("ElementView", inComponents(view))
		}
		if definitions != nil {
			for _, d := range *definitions {
				components.set(component(d.key), inComponents(d.value))
			}
		}
	}
	return components
}

// inComponents makes references lead to components. What is beside a reference
// moves to an allOf, since not every tool supports it there.
func inComponents(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = inComponents(v[i])
		}
	case *object:
		for i := range *v {
			m := &(*v)[i]
			if m.key == "$ref" {
				m.value = inComponent(m.value.(jsontext.Value))
			} else {
				m.value = inComponents(m.value)
			}
		}
		// Client generators treat a property with a default as required. All
		// defaults here are empty lists.
		if said, ok := v.get("description").(jsontext.Value); ok && v.get("default") != nil {
			v.set("description", append(said[:len(said)-1:len(said)-1], ` Empty by default."`...))
			v.remove("default")
		}
		if v.at("properties") != nil && v.get("$ref") != nil {
			ref := &object{{"$ref", v.get("$ref")}}
			v.remove("$ref")
			return &object{{"allOf", []any{ref, v}}}
		}
	}
	return value
}

func inComponent(ref jsontext.Value) jsontext.Value {
	name := strings.Trim(string(ref), `"`)
	file, definition, ok := strings.Cut(name, "#/$defs/")
	if !ok {
		definition = strings.TrimSuffix(file, ".schema.json")
	}
	return jsontext.Value(`"#/components/schemas/` + component(definition) + `"`)
}

// showPictures sets the examples of images to what is served.
func showPictures(t *testing.T, paths *object) {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	w := open(t, store, nil)
	fill := strings.NewReplacer(
		"{version}", "ai@latest", "{element_id}", "purpose.triage", "{variant}", "dark", "{symbol_id}", "medical_cross", "{shape}", "hexagon")
	shown := 0
	for _, p := range *paths {
		if !strings.HasSuffix(p.key, ".svg") {
			continue
		}
		shown++
		content := p.value.(*object).at("get").at("responses").at("200").at("content").at("image/svg+xml")
		picture, err := json.Marshal(w.get(fill.Replace(strings.TrimPrefix(p.key, api))).text)
		require.NoError(t, err)
		content.at("examples").at("picture").set("value", jsontext.Value(picture))
	}
	require.Equal(t, 4, shown)
}

// knownCodes are the codes that responses can have.
func knownCodes() []any {
	var codes []any
	for _, info := range issue.Codes() {
		if strings.Contains(info.RaisedBy, "validate") && !strings.Contains(info.RaisedBy, "strict") || info.RaisedBy == "service" {
			codes = append(codes, jsontext.Value(`"`+info.Code+`"`))
		}
	}
	return codes
}

// object is a JSON object that keeps the order of its members. Other values are
// []any, or a scalar as its text.
type object []member

type member struct {
	key   string
	value any
}

func (o *object) get(key string) any {
	for _, m := range *o {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// at returns a member that is an object, or nil.
func (o *object) at(key string) *object {
	inner, _ := o.get(key).(*object)
	return inner
}

func (o *object) set(key string, value any) {
	for i := range *o {
		if (*o)[i].key == key {
			(*o)[i].value = value
			return
		}
	}
	*o = append(*o, member{key, value})
}

func (o *object) remove(key string) {
	for i, m := range *o {
		if m.key == key {
			*o = append((*o)[:i], (*o)[i+1:]...)
			return
		}
	}
}

func parseJSON(t *testing.T, text []byte) *object {
	t.Helper()
	d := jsontext.NewDecoder(bytes.NewReader(text))
	var parse func() any
	parse = func() any {
		switch d.PeekKind() {
		case '{':
			o := &object{}
			_, err := d.ReadToken()
			require.NoError(t, err)
			for d.PeekKind() != '}' {
				key, err := d.ReadToken()
				require.NoError(t, err)
				name := key.String()
				*o = append(*o, member{name, parse()})
			}
			_, err = d.ReadToken()
			require.NoError(t, err)
			return o
		case '[':
			list := []any{}
			_, err := d.ReadToken()
			require.NoError(t, err)
			for d.PeekKind() != ']' {
				list = append(list, parse())
			}
			_, err = d.ReadToken()
			require.NoError(t, err)
			return list
		default:
			v, err := d.ReadValue()
			require.NoError(t, err)
			return v.Clone()
		}
	}
	return parse().(*object)
}

// printJSON writes a value on one line if it fits, else one item per line.
func printJSON(b *bytes.Buffer, value any, depth int) {
	const wide = 120
	var line bytes.Buffer
	printInline(&line, value)
	o, isObject := value.(*object)
	list, isList := value.([]any)
	column := b.Len() - bytes.LastIndexByte(b.Bytes(), '\n')
	if !isObject && !isList || column+utf8.RuneCount(line.Bytes()) <= wide {
		b.Write(line.Bytes())
		return
	}
	indent := "\n" + strings.Repeat("  ", depth)
	if isObject {
		for i, m := range *o {
			b.WriteString([]string{"{", ","}[min(i, 1)] + indent + "  ")
			printKey(b, m.key)
			printJSON(b, m.value, depth+1)
		}
		b.WriteString(indent + "}")
		return
	}
	for i, item := range list {
		b.WriteString([]string{"[", ","}[min(i, 1)] + indent + "  ")
		printJSON(b, item, depth+1)
	}
	b.WriteString(indent + "]")
}

func printKey(b *bytes.Buffer, key string) {
	quoted, _ := jsontext.AppendQuote(nil, key)
	b.Write(append(quoted, ": "...))
}

func printInline(b *bytes.Buffer, value any) {
	switch v := value.(type) {
	case *object:
		b.WriteByte('{')
		for i, m := range *v {
			if i > 0 {
				b.WriteString(", ")
			}
			printKey(b, m.key)
			printInline(b, m.value)
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			printInline(b, item)
		}
		b.WriteByte(']')
	case jsontext.Value:
		b.Write(v)
	}
}
