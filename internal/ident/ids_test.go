package ident_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/stretchr/testify/require"
)

func TestIDs(t *testing.T) {
	for _, c := range []struct {
		id           string
		any, element bool
	}{
		{"a", true, true},
		{"A-z_09", true, true},
		{"-", true, true},
		{strings.Repeat("i", 128), true, true},
		{"purpose.safety", false, true},
		{strings.Repeat("i", 64) + "." + strings.Repeat("i", 63), false, true},
		{strings.Repeat("i", 64) + "." + strings.Repeat("i", 64), false, false},
		{strings.Repeat("i", 129), false, false},
		{"", false, false},
		{".", false, false},
		{".a", false, false},
		{"a.", false, false},
		{"a..b", false, false},
		{"a.b.c", false, false},
		{"a b", false, false},
		{"a/b", false, false},
		{"é", false, false},
		{"a\x00", false, false},
	} {
		require.Equal(t, c.any, ident.IsID(c.id), "%q", c.id)
		require.Equal(t, c.element, ident.IsElementID(c.id), "%q", c.id)
	}
}

func TestIsSlug(t *testing.T) {
	for _, slug := range []string{"a", "0", "mill-street", "a_b", "console", "com10", "change", strings.Repeat("a", 64)} {
		require.True(t, ident.IsSlug(slug), slug)
	}
	for _, text := range []string{"", "A", "-a", "_a", "a.b", "a b", "é", "a\n", "con", "nul", "aux", "prn", "com1", "lpt9", "changes", strings.Repeat("a", 65)} {
		require.False(t, ident.IsSlug(text), text)
	}
}

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
		got := ident.Interpolate(text, func(id string) (string, bool) {
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
		keep := ident.Interpolate(text, func(string) (string, bool) { return "", false })
		require.Equal(t, text, keep)
		end := 0
		for p := range ident.Pieces(text) {
			require.Equal(t, end, p.At)
			require.NotEmpty(t, p.Text)
			require.True(t, !p.Placeholder || !strings.ContainsAny(p.Name(), "{}"), "%q", p.Text)
			end += len(p.Text)
		}
		count := 0
		rest := ident.Interpolate(text, func(id string) (string, bool) {
			require.True(t, ident.IsID(id), "%q", id)
			count++
			return "\x00", true
		})
		require.Equal(t, strings.Count(text, "\x00")+count, strings.Count(rest, "\x00"))
	})
}

// Texts of a schema version have variables that a document fills in.
func ExampleInterpolate() {
	description := "The {{role}} of {{place}} can see it."
	filled := map[string]string{"role": "caretaker"}
	fmt.Println(ident.Interpolate(description, func(id string) (string, bool) {
		value, ok := filled[id]
		return value, ok
	}))
	// A form can show the label of a variable that is not filled in yet.
	fmt.Println(ident.Interpolate(description, func(id string) (string, bool) { return "[" + id + "]", true }))
	// Output:
	// The caretaker of {{place}} can see it.
	// The [role] of [place] can see it.
}

func ExamplePieces() {
	for p := range ident.Pieces("Kept for {{ time }}, then deleted.") {
		id, _ := p.Variable()
		fmt.Printf("%d %q %q\n", p.At, p.Text, id)
	}
	// Output:
	// 0 "Kept for " ""
	// 9 "{{ time }}" "time"
	// 19 ", then deleted." ""
}

func TestName(t *testing.T) {
	for id, want := range map[string]string{"purpose": "purpose", "purpose.safety": "purpose.safety", "a b": `"a b"`, "": `""`, "\u202e": `"\u202e"`} {
		require.Equal(t, want, ident.Name(id), id)
	}
}
