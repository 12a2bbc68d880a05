package goldentest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	goldentest.Equal(&f, page+"old\n"+page, page+"old\n"+page)
	assert.Empty(t, f.text)
	goldentest.Equal(&f, page+"old\n"+page, page+"new\n"+page)
	assert.Contains(t, f.text, "UPDATE=1")
	assert.Contains(t, f.text, `"old"`)
	assert.Contains(t, f.text, `"new"`)
	assert.Less(t, strings.Count(f.text, "a line"), 20)
}

// TestFile requires that a golden file is only written with UPDATE=1.
func TestFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "page.golden")
	file := func(text string) string {
		var f failing
		goldentest.File(&f, name, text)
		return f.text
	}
	t.Setenv("UPDATE", "1")
	require.Empty(t, file("old\n"))
	t.Setenv("UPDATE", "")
	assert.Empty(t, file("old\n"))
	assert.Contains(t, file("new\n"), "-want +got")
	kept, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "old\n", string(kept))
	require.NoError(t, os.Remove(name))
	assert.Contains(t, file("new\n"), "UPDATE=1")
}
