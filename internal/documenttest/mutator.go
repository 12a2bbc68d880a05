package documenttest

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// Mutator changes JSON values into nearly valid ones.
type Mutator struct{ *rand.Rand }

// scraps are values that replace others.
var scraps = []any{
	nil, true, false, 0, 1, -1, 1.5, 1e15, "", " ", "x", "high", "text", "url", "beta", "circle", "#1F6FEB", "#1F6FE",
	"2026-06-01T10:00Z", "2026-06-01", "2026-02-29T10:00Z", "2024-02-29T23:59:59.5-11:30", "2026-06-01t10:00z", "2026-06-01T24:00Z",
	"2026-06-01T10:00:60Z", "2026-06-01T10:00+24:00", "2026-06-01T10:00:00.Z",
	"ai@2026-09-01-stable", "ai@2026-09-31-stable", "ai@latest", "@2026-09-01-beta", "ai@2026-09-01-stable\n",
	[]any{},
	[]any{nil},
	[]any{"x"},
	[]any{"x", 1},
	map[string]any{},
	map[string]any{"en": "x"},
	map[string]any{"locale": "en", "value": "x"},
	[]any{map[string]any{"locale": "en", "value": "x"}},
	[]any{map[string]any{"locale": "en", "value": "x"}, "x"},
	[]any{map[string]any{"locale": "en"}},
}

// Mutate returns a value with one change somewhere in it.
func (m Mutator) Mutate(v any) any {
	if m.IntN(4) == 0 {
		return scraps[m.IntN(len(scraps))]
	}
	switch v := v.(type) {
	case map[string]any:
		return m.mutateObject(maps.Clone(v))
	case []any:
		v = slices.Clone(v)
		switch i := m.IntN(len(v) + 1); {
		case i == len(v) && m.IntN(2) == 0:
			return append(v, scraps[m.IntN(len(scraps))])
		case i == len(v):
			return v[:m.IntN(len(v)+1)]
		default:
			v[i] = m.Mutate(v[i])
			return v
		}
	}
	return scraps[m.IntN(len(scraps))]
}

func (m Mutator) mutateObject(v map[string]any) any {
	keys := slices.Sorted(maps.Keys(v))
	if len(keys) == 0 {
		return map[string]any{"id": scraps[m.IntN(len(scraps))]}
	}
	key := keys[m.IntN(len(keys))]
	switch m.IntN(6) {
	case 0:
		delete(v, key)
	case 1:
		v[key+"_"] = v[key]
		delete(v, key)
	case 2:
		v["added"] = scraps[m.IntN(len(scraps))]
	default:
		v[key] = m.Mutate(v[key])
	}
	return v
}

// Spoil changes ids, so that a document of valid shape breaks rules.
func Spoil(r *rand.Rand, v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			Spoil(r, item)
		}
	case map[string]any:
		for _, key := range []string{"element_id", "context_type_id", "id", "subchain_id", "subchain_instance_id", "locale", "element_instance_id"} {
			if s, ok := v[key].(string); ok && r.IntN(4) == 0 {
				v[key] = []string{s + "x", "same", "nothing like it"}[r.IntN(3)]
			}
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key == "variables" && r.IntN(4) == 0 {
				delete(v, key)
			} else {
				Spoil(r, v[key])
			}
		}
		if entries, ok := v["element_provenance"].(map[string]any); ok {
			entries["nobody"], entries["same"] = map[string]any{}, map[string]any{"variable_rationale": map[string]any{"nothing": 1}}
		}
	}
}
