package outline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/internal/sourcetest"
	"github.com/datachain-go/datachain/authoring/outline"
)

// BenchmarkOutline reads the outline of 2,000 elements, as an editor does for a rename.
func BenchmarkOutline(b *testing.B) {
	tree := sourcetest.Big(2_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := outline.New(tree, version); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOutlineUpdate updates the outline of 10,000 elements after a change of a
// category, as an editor does with every key that is pressed.
func BenchmarkOutlineUpdate(b *testing.B) {
	tree := sourcetest.Big(10_000)
	o, err := outline.New(tree, version)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		if o, err = o.Update(tree, dir+"categories/cat1.yaml"); err != nil {
			b.Fatal(err)
		}
	}
}
