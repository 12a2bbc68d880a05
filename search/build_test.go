package search_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBuildOnAnyMachine checks that an index does not depend on the number of CPUs.
func TestBuildOnAnyMachine(t *testing.T) {
	words := []string{"camera", "sensor", "data", "who", "decides", "street", "air", "noise", "light", "water"}
	var docs []doc
	for i := range 5000 {
		docs = append(docs, doc{
			title:       words[i%7] + " " + words[i%10],
			description: words[i%3] + " " + words[i%9] + " only" + string(rune('a'+i%26)) + string(rune('a'+i/26%26)),
		})
	}
	r := release(t, "en", docs...)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	alone, err := build(t, r).AppendBinary(nil)
	require.NoError(t, err)
	for _, processors := range []int{2, 3, 8} {
		runtime.GOMAXPROCS(processors)
		together, err := build(t, r).AppendBinary(nil)
		require.NoError(t, err)
		require.Equal(t, alone, together, "%d processors", processors)
	}
}
