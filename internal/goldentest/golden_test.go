package goldentest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/datachain-go/datachain/internal/goldentest"
)

// failing records the failure of a test.
type failing struct {
	testing.TB
	text string
}

func (f *failing) Helper() {}

func (f *failing) Fatalf(format string, args ...any) { f.text = fmt.Sprintf(format, args...) }

// TestEqual requires that a difference in a long page is printed alone.
func TestEqual(t *testing.T) {
	page := strings.Repeat("a line\n", 1000)
	var f failing
	goldentest.Equal(&f, page+"old\n"+page, page+"old\n"+page, "run it with -update")
	assert.Empty(t, f.text)
	goldentest.Equal(&f, page+"old\n"+page, page+"new\n"+page, "run it with -update")
	assert.Contains(t, f.text, "run it with -update")
	assert.Contains(t, f.text, `"old"`)
	assert.Contains(t, f.text, `"new"`)
	assert.Less(t, strings.Count(f.text, "a line"), 20)
}
