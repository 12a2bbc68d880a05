package taxonomy_test

import (
	stdjson "encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/fields"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// DecodeRelease has its own decoder of elements, which must give the same result as
// UnmarshalJSON.
func TestDecodeElementLikeUnmarshal(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	accepted := 0
	for i := range 500 {
		text := randomElement(random)
		var want taxonomy.Element
		canonical, wantErr := document.Canonical([]byte(text))
		if wantErr == nil {
			wantErr = stdjson.Unmarshal(canonical, &want)
		}
		release, err := signed([]byte(oneElement(text)), map[string]string{"s": ""})
		if wantErr != nil {
			require.Error(t, err, text)
			continue
		}
		require.NoError(t, err, text)
		r, err := taxonomy.DecodeRelease(release, map[string]string{"s": ""})
		require.NoError(t, err, text)
		require.Equal(t, string(canonical), r.ElementJSON("e"))
		if diff := cmp.Diff(want, *r.Elements()[0]); diff != "" {
			t.Fatalf("case %d: %s\n%s", i, text, diff)
		}
		accepted++
	}
	require.Greater(t, accepted, 150)
}

// oneElement is a release.json with one element.
func oneElement(text string) string {
	return `{"manifest":{"id":"ai@2026-09-01-beta","status":"beta","content_hash":"","locales":["en"]},
		"datachain_type":{"id":"ai","categories":["c"]},
		"categories":[{"id":"c","shape":"circle"}],"elements":[` + text + `]}`
}

// randomElement returns an element with the id "e" and random fields, most of them
// valid.
func randomElement(random *rand.Rand) string {
	pick := func(options ...string) string { return options[random.IntN(len(options))] }
	text := func() string {
		return pick(`""`, `"a"`, `"é 😀"`, `"\"q\" \\ \n"`, `"\u0001"`, `"\u0041"`, `"{{x}}"`)
	}
	localized := func() string {
		switch random.IntN(30) {
		case 0:
			return pick(`null`, `[]`, `[null]`, `[{}]`, `[{"locale":"en"}]`, `[{"locale":null,"value":null}]`)
		case 1:
			return pick(`[{"value":"v","locale":"en"}]`, `[{"locale":"en","value":"v","zz":[1]}]`, `[{"a":1,"locale":"en","value":"v"}]`)
		case 2:
			return pick(`{}`, `"x"`, `[1]`, `[["en","v"]]`, `[{"locale":1}]`, `[{"value":{}}]`, `true`)
		}
		var b strings.Builder
		n := random.IntN(20)
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"locale":"l%d","value":%s}`, i, text())
		}
		return "[" + b.String() + "]"
	}
	integer := func() string {
		return pick(`1`, `0`, `-3`, `999999999999999`, `9007199254740991`, `1e2`, `1.0`, `-0`, `null`, `1.5`, `"1"`, `9007199254740992`, `1e300`)
	}
	must := []string{`"id":"e"`, `"category_id":"c"`, `"symbol_id":"s"`, `"icon_variants":["default","dark"]`}
	optional := map[string]func() string{
		"title": localized, "description": localized, "keywords": localized, "authoring_guidance": localized,
		"max_placements": func() string { return pick(`2`, `3`, integer()) },
		"order":          func() string { return pick(`4`, `5`, integer()) },
		"variables": func() string {
			return pick(`[]`, `null`, `[{"id":"v","label":`+localized()+`,"required":true,"type":"text"}]`,
				`[{"id":"v","options":[{"id":"o","applies_to":["e"],"x":1}]}]`, `{}`, `[1]`)
		},
		"mappings": func() string {
			return pick(`[]`, `null`, `[{"scheme":"s","id":`+text()+`,"relation":"close"}]`, `[{}]`, `""`)
		},
		"sources":     func() string { return pick(`[]`, `null`, `[{"type":"law","title":`+text()+`}]`, `[{}]`, `""`) },
		"status":      func() string { return pick(`"deprecated"`, `"active"`, `""`, `"\u0064eprecated"`, `null`, `1`) },
		"replaced_by": func() string { return pick(`[]`, `null`, `[{"id":"f","note":`+localized()+`}]`, `[{"x":1}]`, `"f"`) },
		"examples":    func() string { return pick(`[]`, `null`, `[`+localized()+`]`, `[null]`, `{}`) },
		"x_extra":     func() string { return pick(`null`, `{"b":1,"a":2}`, `[1.50]`, text(), `9007199254740992`) },
		"title_":      text,
		"Title":       text,
		"é":           text,
		"a\\u0062c":   text,
	}
	list, _ := fields.Of(reflect.TypeFor[taxonomy.Element]())
	for _, f := range list {
		switch known := optional[f.Name] != nil || strings.Contains(strings.Join(must, ","), `"`+f.Name+`"`); {
		case known:
		case f.Type == reflect.TypeFor[taxonomy.Localized]():
			optional[f.Name] = localized
		case f.Type.Kind() == reflect.Bool:
			optional[f.Name] = func() string { return pick(`true`, `false`, `null`, `1`, `"true"`) }
		case f.Type.Kind() == reflect.Int:
			optional[f.Name] = integer
		case f.Type.Kind() == reflect.String:
			optional[f.Name] = text
		default:
			panic("give " + f.Name + " values in randomElement")
		}
	}
	members := must
	for _, name := range slices.Sorted(maps.Keys(optional)) {
		if random.IntN(2) == 0 {
			members = append(members, `"`+name+`":`+optional[name]())
		}
	}
	if random.IntN(3) > 0 {
		// Most releases are canonical.
		canonical, err := document.Canonical([]byte("{" + strings.Join(members, ",") + "}"))
		if err == nil {
			return string(canonical)
		}
	}
	random.Shuffle(len(members), func(i, k int) { members[i], members[k] = members[k], members[i] })
	return "{" + strings.Join(members, pick(",", " ,\n")) + "}"
}
