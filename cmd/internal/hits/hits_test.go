package hits

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
)

func TestSnippet(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string // places are in brackets
		want       string
	}{
		{"short", "A [camera] here", "A *camera* here"},
		{"all of it", "[camera]", "*camera*"},
		{"nothing", "", ""},
		{"no place", "The sky is blue, and the grass is green.", "The sky is blue, and…"},
		{"at the start", "[The] sky is blue, and the grass is green.", "*The* sky is blue, and…"},
		{"in the middle", "The sky is blue, and the [grass] is green, as it was.", "…the *grass* is green, as…"},
		{"at the end", "The sky is blue, and the grass is [green]", "…and the grass is *green*"},
		{"several", "The sky is [blue], [and] the grass [is] green.", "…is *blue*, *and* the grass…"},
		{"lines", "One\n\n\tline [of]\r\ntwo", "One   line *of*  two"},
		{"a long word", "An [incomprehensibilitiesness] indeed", "An *incomprehensibilities*…"},
		{"no spaces", "個人情報を守るために必要な[措置]を講じ、その状況を公表する", "…を守るために必要な*措置*を講じ、その状況を公表する"},
		{"what steers a terminal", "A \x1b[31mred\x1b[0m [\u202ecamera]", "A \ufffd31mred\ufffd0m *\ufffdcamera*"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, places := bracketed(strings.ReplaceAll(c.text, "\x1b[", "\x1b"))
			got := strings.NewReplacer("\x1b[1m", "*", "\x1b[0m", "*").Replace(snippet(true, text, places, 24))
			require.Equal(t, c.want, got)
		})
	}
}

// bracketed takes the places out of a text.
func bracketed(text string) (string, []search.Place) {
	var b strings.Builder
	var places []search.Place
	for i, part := range strings.FieldsFunc(" "+text+" ", func(r rune) bool { return r == '[' || r == ']' }) {
		if i%2 == 1 {
			places = append(places, search.Place{Start: b.Len() - 1, End: b.Len() - 1 + len(part)})
		}
		b.WriteString(part)
	}
	return b.String()[1 : b.Len()-1], places
}

// TestSnippetAlways holds for any text: at most so many characters, no letter cut
// in two, and the first place is seen.
func TestSnippetAlways(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	letters := []rune("ab é日  \n")
	for range 5000 {
		runes := make([]rune, 1+rng.IntN(60))
		for i := range runes {
			runes[i] = letters[rng.IntN(len(letters))]
		}
		a := rng.IntN(len(runes))
		b := a + 1 + rng.IntN(len(runes)-a)
		text, place := string(runes), search.Place{Start: len(string(runes[:a])), End: len(string(runes[:b]))}
		most := 1 + rng.IntN(30)
		got := snippet(true, text, []search.Place{place}, most)
		require.True(t, utf8.ValidString(got))
		shown, ok := strings.CutPrefix(got[max(0, strings.Index(got, "\x1b")):], "\x1b[1m")
		require.True(t, ok, "%q of %q", got, text)
		shown, _, _ = strings.Cut(shown, "\x1b")
		require.True(t, strings.HasPrefix(flat(text[place.Start:]), shown), "%q of %q", got, text)
		bare := strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "").Replace(got)
		require.LessOrEqual(t, utf8.RuneCountInString(strings.Trim(bare, "…")), most, "%q of %q", got, text)
	}
}

// TestBestHits shows where the list of hits ends.
func TestBestHits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		scores []float64
		want   int
	}{
		{"none", nil, 0},
		{"few", []float64{9, 1, 0.1}, 3},
		{"a cliff", []float64{4.7, 4.6, 4.4, 2.5, 2.4}, 3},
		{"a cliff later", []float64{4, 3.9, 3.8, 3.7, 2}, 4},
		{"a slope", []float64{4, 3, 2.2, 1.6, 1.2, 1, 0.9}, 5},
		{"no fall", []float64{4, 4, 4, 4, 4}, 5},
	} {
		hits := make([]Hit, len(c.scores))
		for i, s := range c.scores {
			hits[i].Score = s
		}
		require.Len(t, best(hits), c.want, c.name)
	}
}
