package similar_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/datachain-go/datachain/internal/similar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOne(t *testing.T) {
	known := []string{"purpose.safety", "purpose.comfort", "data.image", "Données", "a", "same-1", "same-2", strings.Repeat("long-", 20) + "name"}
	for _, c := range []struct{ written, want string }{
		{"purpose.safety", "purpose.safety"},
		{"purpose.saftey", "purpose.safety"}, // two swapped
		{"PURPOSE.SAFETY", "purpose.safety"},
		{"purpose_safety", "purpose.safety"},
		{"urpose.safety", "purpose.safety"},
		{"purpose.safetyy", "purpose.safety"},
		{"données", "Données"},
		{"donnees", "Données"},
		{"b", "a"}, // one edit of one letter
		{"same-3", ""},
		{"nothing like it", ""},
		{"", ""},
		{strings.Repeat("x", 257), ""},
		{strings.Repeat("long-", 20) + "naem", strings.Repeat("long-", 20) + "name"},
		{"l0ng-" + strings.Repeat("long-", 19) + "naem", strings.Repeat("long-", 20) + "name"},
	} {
		t.Run(c.written, func(t *testing.T) {
			assert.Equal(t, c.want, similar.Nearest(c.written, slices.Values(known)))
		})
	}
	assert.Equal(t, "same", similar.Nearest("sane", slices.Values([]string{"same", "same"})), "the same name twice is not a tie")
}

func TestAll(t *testing.T) {
	known := slices.Values([]string{"kitten", "mitten", "sitting", "kitten", "dog"})
	assert.Equal(t, []string{"kitten", "mitten"}, similar.AllNearest("kittem", known, 5))
	assert.Equal(t, []string{"kitten"}, similar.AllNearest("kittem", known, 1))
	assert.Empty(t, similar.AllNearest("elephant", known, 5))
}

func TestRelated(t *testing.T) {
	known := []string{
		"purpose.safety", "purpose.comfort", "purpose.ai", "purpose.benefits", "data.image", "data.sound",
		"rights.explanation", "rights.challenge", "role.data-keeper", "role.Night_watch", "role.soundproof",
	}
	for _, c := range []struct {
		written string
		want    []string
	}{
		{"purpose.saftey", []string{"purpose.safety"}},                                 // a typo
		{"ai_purpose", []string{"purpose.ai"}},                                         // the words in another order
		{"AI-PURPOSE", []string{"purpose.ai"}},                                         // whatever their case
		{"safety", []string{"purpose.safety"}},                                         // the end of it
		{"goal.public_safety", []string{"purpose.safety"}},                             // with unknown words
		{"rights", []string{"rights.explanation", "rights.challenge"}},                 // the beginning
		{"purpose", []string{"purpose.safety", "purpose.comfort", "purpose.ai"}},       // the first of many
		{"images_and_sounds", []string{"data.image", "data.sound"}},                    // with endings
		{"watch.night.keeper", []string{"role.Night_watch"}},                           // only those with the most words
		{"sound", []string{"data.sound"}},                                              // an ending is short
		{"rights.something_else", nil},                                                 // all it shares is the group
		{"purpose.something_else", nil},                                                // all it shares is what many have
		{"ri", nil}, {"da-ta", nil}, {"nothing like it", nil}, {"", nil}, {"._-", nil}, // nothing
		{strings.Repeat("safety.", 40), nil},
	} {
		t.Run(c.written, func(t *testing.T) {
			assert.Equal(t, c.want, similar.Related(c.written, slices.Values(known), 3))
		})
	}
	assert.Equal(t, []string{"data.image"}, similar.Related("image", slices.Values([]string{"data.image", "data.image"}), 3), "each once")
	assert.Empty(t, similar.Related("image", slices.Values(known), 0))
	for name, want := range map[string]bool{
		strings.Repeat("a-", 15) + "image":                true,
		strings.Repeat("a-", 16) + "image":                false, // beyond the words that count
		"image." + strings.Repeat("a", 256-len("image.")): true,
		"image." + strings.Repeat("a", 257-len("image.")): false, // longer than a name can be
	} {
		assert.Equal(t, want, len(similar.Related("image", slices.Values([]string{name}), 3)) > 0, name)
	}
}

// TestDistance compares with the definition of the distance: a recursion over all
// edits.
func TestDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	letter := func() rune { return []rune("abcé")[rng.IntN(4)] }
	near := 0
	for range 5_000 {
		written := make([]rune, 1+rng.IntN(8))
		for i := range written {
			written[i] = letter()
		}
		name := slices.Clone(written)
		for range 1 + rng.IntN(4) {
			switch i := rng.IntN(len(name) + 1); {
			case i == len(name) || rng.IntN(4) == 0:
				name = slices.Insert(name, i, letter())
			case i > 0 && rng.IntN(2) == 0:
				name[i-1], name[i] = name[i], name[i-1]
			case rng.IntN(2) == 0:
				name = slices.Delete(name, i, i+1)
			default:
				name[i] = letter()
			}
		}
		reach := min(max(len(written)/3, 1), 4)
		want := edits(written, name) <= reach
		got := similar.AllNearest(string(written), slices.Values([]string{string(name)}), 1) != nil
		require.Equal(t, want, got, "%q and %q", string(written), string(name))
		if want {
			near++
		}
	}
	require.Greater(t, near, 500)
	require.Less(t, near, 4_500)
}

func edits(a, b []rune) int {
	switch {
	case len(a) == 0 || len(b) == 0:
		return len(a) + len(b)
	case a[0] == b[0]:
		return edits(a[1:], b[1:])
	}
	d := 1 + min(edits(a[1:], b), edits(a, b[1:]), edits(a[1:], b[1:]))
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		d = min(d, 1+edits(a[2:], b[2:]))
	}
	return d
}

func BenchmarkOne(b *testing.B) {
	names := make([]string, 100_000)
	for i := range names {
		names[i] = fmt.Sprintf("category-%02d.element-%06d", i%20, i)
	}
	b.ReportAllocs()
	for b.Loop() {
		similar.Nearest("category-05.elemnt-031415", slices.Values(names))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(names)), "ns/name")
}

func BenchmarkRelated(b *testing.B) {
	known := make([]string, 10_000)
	for i := range known {
		known[i] = fmt.Sprintf("category-%02d.element-%06d", i%20, i)
	}
	for b.Loop() {
		similar.Related("something.quite.different", slices.Values(known), 3)
	}
}
