// Package goldentest compares the results of tests with golden files. With UPDATE=1 in the
// environment the tests write these files instead.
package goldentest

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Updating reports whether tests are to write their golden files, for tests that keep input and
// results in one file. Others call [File].
func Updating() bool { return os.Getenv("UPDATE") == "1" }

// File fails a test if a text is not that of its golden file, or writes the file.
func File(t testing.TB, name, got string) {
	t.Helper()
	if Updating() {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatalf("%v", err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v; run the test with UPDATE=1", err)
	}
	Equal(t, string(want), got)
}

// Equal fails a test if a text is not the wanted one. It prints the lines that differ instead
// of both texts.
func Equal(t testing.TB, want, got string) {
	t.Helper()
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Fatalf("the golden file differs; run the test with UPDATE=1, and read the diff (-want +got):\n%s", diff)
	}
}
