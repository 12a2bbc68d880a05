// Package goldentest compares what a test made with its golden file.
package goldentest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Equal fails a test if a text is not the wanted one. It prints the lines that differ instead
// of both texts, and the advice: how to update the golden file.
func Equal(t testing.TB, want, got, advice string) {
	t.Helper()
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Fatalf("the golden file differs; %s (-want +got):\n%s", advice, diff)
	}
}
