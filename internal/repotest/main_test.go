package repotest_test

import (
	"fmt"
	"os"
	"testing"
)

// TestMain enters the root of the repository, so that tests name files as its pages do.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	m.Run()
}
