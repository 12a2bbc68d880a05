package validate_test

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/validate"
)

// peers are the exported schemas, compiled by jsonschema, with formats that use the
// standard library and package taxonomy. The tests compare this package with them.
var peers = sync.OnceValue(func() map[string]*jsonschema.Schema {
	compiled := make(map[string]*jsonschema.Schema)
	for _, name := range validate.JSONSchemaNames() {
		compiled[name] = compilePeer(name)
	}
	return compiled
})

func compilePeer(name string) *jsonschema.Schema {
	text, _ := validate.JSONSchema(name)
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // loads nothing
	c.AssertFormat()
	c.RegisterFormat(&jsonschema.Format{Name: "datachain-version", Validate: onStrings(func(s string) error {
		_, err := taxonomy.ParseVersion(s)
		return err
	})})
	c.RegisterFormat(&jsonschema.Format{Name: "datachain-timestamp", Validate: onStrings(checkTimestamp)})
	if err := c.AddResource("bundle.json", schema); err != nil {
		panic(err)
	}
	return c.MustCompile("bundle.json")
}

func onStrings(check func(string) error) func(any) error {
	return func(v any) error {
		if s, ok := v.(string); ok {
			return check(s)
		}
		return nil
	}
}

// zone is stricter than time.Parse, which accepts an offset of 24 hours.
var zone = regexp.MustCompile(`(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`)

func checkTimestamp(s string) error {
	_, err := time.Parse("2006-01-02T15:04Z07:00", s)
	if err != nil {
		_, err = time.Parse("2006-01-02T15:04:05Z07:00", s)
	}
	if err == nil && (!zone.MatchString(s) || bytes.ContainsRune([]byte(s), ',')) {
		return errors.New("not a time zone of ISO 8601")
	}
	return err
}

// peerFits is the verdict of jsonschema with its own decoder.
func peerFits(t testing.TB, name string, text []byte) bool {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	return peers()[name].Validate(value) == nil
}

// mutator changes JSON values into nearly valid ones.
type mutator struct{ *rand.Rand }

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

// mutate returns a value with one change somewhere in it.
func (m mutator) mutate(v any) any {
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
			v[i] = m.mutate(v[i])
			return v
		}
	}
	return scraps[m.IntN(len(scraps))]
}

func (m mutator) mutateObject(v map[string]any) any {
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
		v[key] = m.mutate(v[key])
	}
	return v
}
