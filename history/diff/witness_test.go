package diff_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/validate"
)

// search looks for a document that a new release breaks.
type search struct {
	t             *testing.T
	before, after *taxonomy.Release
}

type doc struct {
	SchemaVersion     string           `json:"schema_version"`
	ID                string           `json:"id"`
	CreatedAt         string           `json:"created_at"`
	Elements          []map[string]any `json:"elements"`
	SubchainInstances []map[string]any `json:"subchain_instances,omitempty"`
	Provenance        map[string]any   `json:"authoring_provenance,omitempty"`
}

// most is how often an element is placed: more than any limit in these schemas.
const most = 4

// witness returns a document that is valid before and invalid after, or nil.
//
// Whether a document is valid depends on each placement alone, and on the number of
// placements of each element. So it is enough to try all numbers with one form of
// each placement, and all forms of each placement in one document.
func (s *search) witness() *doc {
	placed := map[string]bool{}
	var found *doc
	s.numbers(s.before.Elements(), nil, func(elements []map[string]any) bool {
		d := &doc{Elements: elements}
		if len(elements) == 0 || !s.valid(s.before, d) {
			return true
		}
		if s.breaks(d) {
			found = d
			return false
		}
		for _, p := range elements {
			id := p["element_id"].(string)
			if placed[id] {
				continue
			}
			placed[id] = true
			if found = s.varied(elements, id); found != nil {
				return false
			}
		}
		return true
	})
	return found
}

// numbers yields lists with any number of placements of each element.
func (s *search) numbers(rest []*taxonomy.Element, list []map[string]any, yield func([]map[string]any) bool) bool {
	if len(rest) == 0 {
		return yield(list)
	}
	plain := s.forms(rest[0])
	for n := range most + 1 {
		if n > 0 && len(plain) == 0 {
			break
		}
		more := slices.Clone(list)
		for range n {
			more = append(more, plain[0])
		}
		if !s.numbers(rest[1:], more, yield) {
			return false
		}
	}
	return true
}

// varied tries all forms of the placements of an element in a valid document, and
// whatever else a document can refer to.
func (s *search) varied(elements []map[string]any, id string) *doc {
	e, _ := s.before.Element(id)
	at := slices.IndexFunc(elements, func(p map[string]any) bool { return p["element_id"] == id })
	for _, form := range s.forms(e) {
		changed := slices.Clone(elements)
		changed[at] = form
		if d := (&doc{Elements: changed}); s.breaks(d) {
			return d
		}
	}
	for _, v := range e.Variables {
		if d := withRationale(elements, at, v.ID); s.breaks(d) {
			return d
		}
	}
	for _, sub := range s.before.Type().Subchains {
		d := &doc{Elements: elements, SubchainInstances: []map[string]any{{"id": "s", "subchain_id": sub.ID, "head_refs": []string{}, "order": 1}}}
		if s.breaks(d) {
			return d
		}
	}
	return nil
}

// withRationale returns a document that says why a variable of a placement has its
// value.
func withRationale(elements []map[string]any, at int, variable string) *doc {
	changed := slices.Clone(elements)
	changed[at] = maps.Clone(changed[at])
	changed[at]["element_instance_id"] = "i"
	return &doc{Elements: changed, Provenance: map[string]any{
		"kind":               "human",
		"element_provenance": map[string]any{"i": map[string]any{"variable_rationale": map[string]any{variable: "So it is."}}},
	}}
}

// forms returns the placements of an element that could be valid.
func (s *search) forms(e *taxonomy.Element) []map[string]any {
	c, _ := s.before.Category(e.CategoryID)
	contexts := []string{""}
	for _, v := range c.Context.Values {
		contexts = append(contexts, v.ID)
	}
	if c.Context.Required && len(contexts) > 1 {
		contexts = contexts[1:]
	}
	values := [][]map[string]any{{}}
	for _, v := range e.Variables {
		var more [][]map[string]any
		for _, given := range values {
			if !v.Required {
				more = append(more, given)
			}
			for _, value := range fillings(e.ID, v) {
				more = append(more, append(slices.Clone(given), map[string]any{"id": v.ID, "value": value}))
			}
		}
		values = more
	}
	var forms []map[string]any
	for _, context := range contexts {
		for _, given := range values {
			p := map[string]any{"element_id": e.ID, "variables": given}
			if context != "" {
				p["context_type_id"] = context
			}
			forms = append(forms, p)
		}
	}
	return forms
}

func fillings(elementID string, v taxonomy.Variable) (values []any) {
	if v.Type == taxonomy.TextVariable {
		return []any{text("a", "b")}
	}
	for _, o := range v.Options {
		if len(o.AppliesTo) == 0 || slices.Contains(o.AppliesTo, elementID) {
			values = append(values, []string{o.ID})
		}
	}
	return values
}

// breaks reports whether a document is valid before and invalid after.
func (s *search) breaks(d *doc) bool { return s.valid(s.before, d) && !s.valid(s.after, d) }

func (s *search) valid(r *taxonomy.Release, d *doc) bool {
	d.SchemaVersion, d.ID, d.CreatedAt = r.Version().String(), "d", "2026-01-01T10:00Z"
	text, err := json.Marshal(d)
	require.NoError(s.t, err)
	parsed, err := document.Parse(text)
	require.NoError(s.t, err)
	result, err := validate.Instance(r, parsed, nil)
	require.NoError(s.t, err)
	return result.OK()
}
