package fsstore_test

import (
	"flag"
	"os"
	"testing"

	"github.com/datachain-go/datachain/internal/temptest"
)

func TestMain(m *testing.M) {
	temptest.TempInMemory()
	_ = flag.Set("test.parallel", "16") // many wait until files are old enough; the command line overrides it
	os.Exit(m.Run())
}
