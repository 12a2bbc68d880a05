package server_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs many tests at once: most of their time they wait.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "16") // the command line, which is read next, overrides it
	os.Exit(m.Run())
}
