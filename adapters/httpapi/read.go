package httpapi

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/taxonomy"
)

// member is a key and its value in an answer, in the order of the contract.
type member struct {
	key   string
	value any
}

// envelope is the body of a success: ok, then the members.
func envelope(members ...member) ([]byte, error) {
	var b bytes.Buffer
	enc := jsontext.NewEncoder(&b)
	err := enc.WriteToken(jsontext.BeginObject)
	for _, m := range append([]member{{"ok", true}}, members...) {
		if err == nil {
			err = enc.WriteToken(jsontext.String(m.key))
		}
		if err == nil {
			err = json.MarshalEncode(enc, m.value, json.Deterministic(true))
		}
	}
	if err == nil {
		err = enc.WriteToken(jsontext.EndObject)
	}
	return b.Bytes(), err
}

func (a *api) schemas(w http.ResponseWriter, r *http.Request) error {
	versions, err := a.service.Versions(r.Context())
	if err != nil {
		return err
	}
	body, err := envelope(member{"versions", versions})
	if err != nil {
		return err
	}
	return answer(w, r, typeJSON, "no-cache", body)
}

func (a *api) manifest(w http.ResponseWriter, r *http.Request) error {
	release, err := a.service.Release(r.Context(), r.PathValue("version"))
	if err != nil {
		return err
	}
	return a.part(w, r, release, "/manifest", "manifest", jsontext.Value(release.ManifestJSON()))
}

func (a *api) categories(w http.ResponseWriter, r *http.Request) error {
	release, err := a.service.Release(r.Context(), r.PathValue("version"))
	if err != nil {
		return err
	}
	locales := list(r, "locales")
	all := make([]any, 0, len(release.Categories()))
	for _, c := range release.Categories() {
		all = append(all, project(release.CategoryJSON(c.ID), nil, locales))
	}
	return a.part(w, r, release, "/categories", "categories", all)
}

func (a *api) element(w http.ResponseWriter, r *http.Request) error {
	release, e, err := a.service.Element(r.Context(), r.PathValue("version"), r.PathValue("element"))
	if err != nil {
		return err
	}
	fields := list(r, "fields")
	if slices.Contains(fields, "all") {
		fields = nil
	}
	return a.part(w, r, release, "/elements/"+e.ID, "element", project(release.ElementJSON(e.ID), fields, list(r, "locales")))
}

func (a *api) symbol(w http.ResponseWriter, r *http.Request) error {
	id, ok := strings.CutSuffix(r.PathValue("symbol_svg"), ".svg")
	if !ok {
		return notFound("There is nothing at "+r.URL.Path+".", "the address of a symbol ends in .svg")
	}
	release, svg, err := a.service.Symbol(r.Context(), r.PathValue("version"), id)
	if err != nil {
		return err
	}
	versioned(w, release, "/symbols/"+id+".svg")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	return answer(w, r, typeSVG, cachedSVG(release), []byte(svg))
}

// release writes what a client needs to verify the content hash by itself.
func (a *api) release(w http.ResponseWriter, r *http.Request) error {
	release, err := a.service.Release(r.Context(), r.PathValue("version"))
	if err != nil {
		return err
	}
	symbols := make(map[string]string)
	for _, id := range release.SymbolIDs() {
		symbols[id], _ = release.Symbol(id)
	}
	text, err := taxonomy.MarshalCanonical(symbols)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if _, err := release.WriteTo(&b); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the closing brace: symbols sorts last
	b.WriteString(`,"symbols":`)
	b.Write(append(text, '}'))
	versioned(w, release, "/release")
	return answer(w, r, typeJSON, cached(release), b.Bytes())
}

// part writes one part of a release in the envelope.
func (a *api) part(w http.ResponseWriter, r *http.Request, release *taxonomy.Release, resource, key string, value any) error {
	body, err := envelope(member{"version", release.Version()}, member{key, value})
	if err != nil {
		return err
	}
	versioned(w, release, resource)
	return answer(w, r, typeJSON, cached(release), body)
}

// list reads a comma-separated parameter; nil where it is not given.
func list(r *http.Request, name string) []string {
	var items []string
	for _, value := range r.URL.Query()[name] {
		for item := range strings.SplitSeq(value, ",") {
			if item = strings.TrimSpace(item); item != "" {
				items = append(items, item)
			}
		}
	}
	return items
}

// project keeps of a part the given fields, the id always, and of its texts
// the given locales; nil keeps all.
func project(text string, fields, locales []string) any {
	if fields == nil && locales == nil {
		return jsontext.Value(text)
	}
	var part map[string]any
	if err := json.Unmarshal([]byte(text), &part); err != nil {
		return jsontext.Value(text) // can't be: a release holds good JSON
	}
	for key := range part {
		if fields != nil && key != "id" && !slices.Contains(fields, key) {
			delete(part, key)
		}
	}
	return retain(part, locales)
}

// retain keeps the given locales in every localized string below v.
func retain(v any, locales []string) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = retain(value, locales)
		}
	case []any:
		return slices.DeleteFunc(v, func(item any) bool {
			text, ok := item.(map[string]any)
			locale, isText := text["locale"].(string)
			if !ok || !isText {
				retain(item, locales)
				return false
			}
			return locales != nil && !slices.ContainsFunc(locales, func(l string) bool { return strings.EqualFold(l, locale) })
		})
	}
	return v
}
