package httpapi

import (
	"bytes"
	_ "embed" // openapi.json
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
)

//go:embed openapi.json
var openAPI []byte

// thisServer is the server in openapi.json.
const thisServer = `"servers": [{"url": "/", "description": "This server."}]`

// OpenAPI returns the OpenAPI 3.1 description of the API as JSON, for a service at
// baseURL and with the routes of a program, as in [Options]. It must not be modified. It fails if
// the parts of routes are malformed, or describe one thing in two ways.
func OpenAPI(baseURL string, routes ...Route) ([]byte, error) {
	text, err := describe(openAPI, routes)
	if err != nil {
		return nil, fmt.Errorf("httpapi: the description of the routes: %w", err)
	}
	if baseURL == "" {
		return text, nil
	}
	url, err := json.Marshal(strings.TrimSuffix(baseURL, "/"))
	if err != nil {
		return nil, fmt.Errorf("httpapi: the base URL: %w", err)
	}
	return bytes.Replace(text, []byte(thisServer), append(append([]byte(`"servers": [{"url": `), url...), `}]`...), 1), nil
}

// merger adds parts to a description.
type merger struct {
	sections map[string]*section // by path
	edits    []document.Edit
}

// section is a list or an object of the description.
type section struct {
	items map[string]document.Value // by name
	end   int                       // where more are added
}

// describe adds the parts of routes to a description.
func describe(text []byte, routes []Route) ([]byte, error) {
	m := merger{sections: make(map[string]*section)}
	var base *document.Document
	for _, rt := range routes {
		if len(rt.OpenAPI) == 0 {
			continue
		}
		var err error
		if base == nil {
			if base, err = document.Parse(text); err != nil {
				return nil, err
			}
		}
		part, err := document.Parse(rt.OpenAPI)
		if err != nil {
			return nil, err
		}
		if part.Root().Kind() != '{' {
			return nil, errors.New("a part must be an object")
		}
		if err := m.merge(base.Root(), part.Root()); err != nil {
			return nil, err
		}
	}
	return document.ApplyEdits(text, m.edits)
}

func (m *merger) merge(base, part document.Value) error {
	for from := range part.All() {
		into, _ := base.Get(from.Key())
		switch from.Key() {
		case "paths", "tags":
			if err := m.add(into, from, "\n    "); err != nil {
				return err
			}
		case "components":
			for kind := range from.All() {
				all, ok := into.Get(kind.Key())
				if !ok {
					return fmt.Errorf("there are no components that are %s", wording.Clip(kind.Key()))
				}
				if err := m.add(all, kind, "\n      "); err != nil {
					return err
				}
			}
		default:
			return fmt.Errorf("a part has paths, components and tags, not %s", wording.Clip(from.Key()))
		}
	}
	return nil
}

// add adds what a section lacks, after its last item.
func (m *merger) add(into, from document.Value, indent string) error {
	at := into.Path().String()
	all := m.sections[at]
	if all == nil {
		all = &section{items: make(map[string]document.Value)}
		for v := range into.All() {
			all.items[nameOf(v)] = v
			all.end = v.Range().End
		}
		m.sections[at] = all
	}
	for v := range from.All() {
		name := nameOf(v)
		if known, ok := all.items[name]; ok {
			if !bytes.Equal(known.AppendCanonical(nil), v.AppendCanonical(nil)) {
				return fmt.Errorf("%s has %s in two ways", at, wording.Clip(name))
			}
			continue
		}
		all.items[name] = v
		text := []byte("," + indent)
		if key := v.RawKey(); len(key) > 0 {
			text = append(append(text, key...), ": "...)
		}
		m.edits = append(m.edits, document.Edit{Range: document.Range{Start: all.end, End: all.end}, Text: append(text, v.Raw()...)})
	}
	return nil
}

// nameOf returns the key of a member, or the name of a tag.
func nameOf(v document.Value) string {
	if name, ok := v.Get("name"); ok && v.Key() == "" {
		return name.Text()
	}
	return v.Key()
}
