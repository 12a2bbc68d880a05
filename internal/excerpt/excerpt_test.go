package excerpt_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/excerpt"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "abc…"},
		{"äöü", 3, "äöü"},
		{"äöüß", 3, "äöü…"},
		{"🚲🚲", 1, "🚲…"},
		{"a", 0, "…"},
		{"\xff\xfe\xff", 2, "\xff\xfe…"},
	} {
		require.Equal(t, c.want, excerpt.Of(c.text, c.most), "%q", c.text)
	}
}

func ExampleOf() {
	fmt.Println(excerpt.Of("Überwachung", 4))
	// Output: Über…
}
