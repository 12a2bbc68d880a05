package jcs_test

import (
	"slices"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/jcs"
)

// TestCompare holds the order against UTF-16 itself.
func TestCompare(t *testing.T) {
	keys := []string{"", "a", "aa", "b", "é", "\u20ac", "\ud7ff", "\ue000", "\ufb33", "\uffff", "\U00010000", "\U0001f600", "\U0010ffff", "a\U0001f600", "a\ufb33"}
	units := func(s string) []uint16 { return utf16.Encode([]rune(s)) }
	for _, a := range keys {
		for _, b := range keys {
			got := jcs.Compare([]byte(a), []byte(b))
			switch want := slices.Compare(units(a), units(b)); {
			case want < 0:
				require.Negative(t, got, "%q %q", a, b)
			case want > 0:
				require.Positive(t, got, "%q %q", a, b)
			default:
				require.Zero(t, got, "%q %q", a, b)
			}
		}
	}
}
