package icons

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProperties checks the guarantees of Sanitize on random drawings, most of which are
// valid: the fuzzer seldom gets past the first errors.
func TestProperties(t *testing.T) {
	published := 0
	for seed := range uint64(2000) {
		r := newArtist(seed)
		src := []byte(drawing(r.elements("svg", 4)))
		symbol, issues := Sanitize(src)
		require.Equal(t, issues.HasErrors(), symbol == nil)
		requireWellFormed(t, issues)
		if symbol != nil {
			published++
			requireIdempotent(t, src)
			requireClean(t, string(symbol.SVG()))
		}
	}
	require.Greater(t, published, 500, "too few drawings are fine for this to mean much")
}

// artist draws at random.
type artist struct{ *rand.Rand }

func newArtist(seed uint64) *artist { return &artist{rand.New(rand.NewPCG(seed, 36))} }

func (r *artist) one(list []string) string { return list[r.IntN(len(list))] }

// elements draws up to three elements that the parent may contain.
func (r *artist) elements(parent string, depth int) string {
	var fit []string
	for _, name := range elementNames {
		if mayHold(parent, name) {
			fit = append(fit, name)
		}
	}
	if len(fit) == 0 || depth == 0 {
		return ""
	}
	var b strings.Builder
	for range r.IntN(4) {
		name := r.one(fit)
		b.WriteString("<" + name + r.attributes(name) + ">" + r.elements(name, depth-1) + "</" + name + ">")
	}
	return b.String()
}

func (r *artist) attributes(element string) string {
	names := slices.Concat([]string{"id"}, slices.Sorted(maps.Keys(attributes[element])), slices.Sorted(maps.Keys(properties)))
	var b strings.Builder
	used := map[string]bool{}
	for range r.IntN(4) {
		name := r.one(names)
		if used[name] {
			continue
		}
		used[name] = true
		b.WriteString(" " + name + `="` + r.value(name) + `"`)
	}
	return b.String()
}

// value returns a value that is mostly valid.
func (r *artist) value(name string) string {
	numbers := strings.Fields("0 1 -0 2.50 .333333333 1e-9 12px 25% 99.9999% 33.33333333%")
	switch name {
	case "id":
		return r.one(strings.Fields("a b c d e f"))
	case "href":
		return "#" + r.one(strings.Fields("a b c d e f"))
	case "d":
		return r.one([]string{"M0 0h1v1z", "m 1,2 3.50,4 -5-.6.7.8Z", "M1e1 0A1 1 0 01.5.5", "", "M0 0z z m1 1"})
	case "points":
		return r.one([]string{"", "1,2 3,4", "0.5.5 -1-2"})
	case "transform", "gradientTransform":
		return r.one([]string{"", "rotate(1.0,2,3)", "scale(.50)translate(1)", "matrix(1 0 0 1 -1 1e-9)"})
	case "fill", "stroke":
		return r.one([]string{"red", "#abc", "currentColor", "rgb(1%,2%,3%)", "BLACK", "#123456", "var( --icon-fill,white )"})
	case "stop-color":
		return r.one([]string{"red", "#abc", "currentColor", "rgb(1%,2%,3%)", "BLACK", "#123456"})
	case "clip-path", "mask":
		return r.one([]string{"none", "none", "url(#a)", "url('#b')"})
	}
	for _, table := range []map[string]grammar{attributes["mask"], attributes["clipPath"], attributes["linearGradient"]} {
		if strings.HasSuffix(name, "Units") && table[name].parse != nil {
			return r.one([]string{"userSpaceOnUse", "objectBoundingBox"})
		}
	}
	if p := properties[name]; strings.Contains(p.want, " or ") && !strings.Contains(p.want, "number") && name != "stroke-dasharray" {
		return r.one(strings.Split(p.want, " or "))
	}
	switch name {
	case "spreadMethod":
		return "reflect"
	case "paint-order":
		return "stroke fill"
	}
	return r.one(numbers)
}
