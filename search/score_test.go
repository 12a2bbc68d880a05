package search_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
)

// TestLnBits detects a machine or a compiler that computes differently.
func TestLnBits(t *testing.T) {
	for x, want := range map[float64]string{
		1:          "0000000000000000",
		1.0000001:  "3e7ad7f2847b6491",
		1.5:        "3fd9f323ecbf984c",
		2:          "3fe62e42fefa39ef",
		math.E:     "3ff0000000000000",
		10:         "40026bb1bbb55515",
		1025.0 / 3: "401755d90012dbfe",
		100_000:    "4027069e2aa2aa5b",
		1_398_102:  "402c4d1edf426f08",
	} {
		require.Equal(t, want, fmt.Sprintf("%016x", math.Float64bits(search.Ln(x))), "ln(%v)", x)
	}
}

// TestLn compares with the logarithm of the standard library from 1 on, the range that
// scores use.
func TestLn(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		x := math.Exp(rng.Float64() * 16)
		want := math.Log(x)
		require.LessOrEqual(t, math.Abs(search.Ln(x)-want), 4*(math.Nextafter(want, math.Inf(1))-want), "ln(%v)", x)
	}
}
