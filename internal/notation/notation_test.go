package notation_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/datachain-go/datachain/internal/notation"
	"github.com/stretchr/testify/require"
)

func TestCompareNotations(t *testing.T) {
	want := []string{
		"Recital 9", "Recital 27",
		"4.2", "4.10", "10", "A-5", "A-12",
		"Art. 5", "Article 5(1)(c)", "Art. 5(2)", "Art 13", "Art. 13a", "artikel 26", "MAP 1.1",
		"Annex I", "Annex III", "Annexe III(4)", "ANNEX IV", "Annex IX", "Annex X", "Annex 11", "Annex XIV",
	}
	r := rand.New(rand.NewPCG(1, 6))
	for range 50 {
		got := slices.Clone(want)
		r.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		slices.SortFunc(got, notation.Compare)
		require.Equal(t, want, got)
	}
	for _, same := range [][2]string{{"Art. 26", "Article 26"}, {"art 26(2)", "Artikel 26 (2)"}, {"§ 26", "Art. 26"}, {"Annex III", "annexe 3"}, {"Art. 013", "ART. 13"}} {
		require.True(t, notation.Same(same[0], same[1]), "%v", same)
	}
	for _, other := range [][2]string{{"Art. 26", "Art. 2(6)"}, {"5.1", "51"}, {"Art. 5", "Annex 5"}, {"Art. 5", "5"}, {"", "a"}} {
		require.False(t, notation.Same(other[0], other[1]), "%v", other)
	}
}
