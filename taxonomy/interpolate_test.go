package taxonomy_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

func TestInterpolate(t *testing.T) {
	values := map[string]string{"who": "Ada", "when": "at noon", "nothing": "", "loop": "{{who}}"}
	for text, want := range map[string]string{
		"":                         "",
		"no variable":              "no variable",
		"{{who}}":                  "Ada",
		"Ask {{who}} {{when}}.":    "Ask Ada at noon.",
		"{{who}}{{who}}":           "AdaAda",
		"Ask {{ who }}.":           "Ask Ada.",
		"Ask{{nothing}}.":          "Ask.",
		"{{loop}}":                 "{{who}}",
		"Ask {{ unknown }}, {{x}}": "Ask {{ unknown }}, {{x}}",
		"{{{who}}}":                "{Ada}",
		"{{a{{who}}":               "{{aAda",
		"}}{{who}}":                "}}Ada",
		"{{not an id}} {{who}}":    "{{not an id}} Ada",
		"{{}} {{ }} {{who}}":       "{{}} {{ }} Ada",
		"{{who}":                   "{{who}",
		"{who}}":                   "{who}}",
		"{{who":                    "{{who",
		"{{a}b}} {{who}}":          "{{a}b}} Ada",
		"größer {{who}} é":         "größer Ada é",
	} {
		got := taxonomy.Interpolate(text, func(id string) (string, bool) {
			value, ok := values[id]
			return value, ok
		})
		require.Equal(t, want, got, "%q", text)
	}
}

// FuzzInterpolate checks that text outside variables stays the same, and that each
// variable has an id and is replaced once.
func FuzzInterpolate(f *testing.F) {
	f.Add("Ask {{who}} {{ when }}.")
	f.Add("{{{a}}}{{}}{{b")
	f.Fuzz(func(t *testing.T, text string) {
		keep := taxonomy.Interpolate(text, func(string) (string, bool) { return "", false })
		require.Equal(t, text, keep)
		count := 0
		rest := taxonomy.Interpolate(text, func(id string) (string, bool) {
			require.True(t, taxonomy.ValidID(id), "%q", id)
			count++
			return "\x00", true
		})
		require.Equal(t, strings.Count(text, "\x00")+count, strings.Count(rest, "\x00"))
	})
}
