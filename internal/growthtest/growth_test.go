package growthtest_test

import (
	"strings"
	"testing"

	"github.com/datachain-go/datachain/internal/growthtest"
	"github.com/stretchr/testify/assert"
)

// recorder is a test that fails without failing the one around it.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }

func TestLinear(t *testing.T) {
	for name, c := range map[string]struct {
		search func(text string) int // of all that is before each letter
		failed bool
	}{
		"linear":    {func(text string) int { return strings.Count(text, "b") }, false},
		"quadratic": {countBefore, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := &recorder{TB: t}
			growthtest.Linear(r, 500, func(n int) func() {
				text := strings.Repeat("a", n)
				return func() { assert.Zero(t, c.search(text)) }
			})
			assert.Equal(t, c.failed, r.failed)
		})
	}
}

// countBefore counts letters before every letter.
func countBefore(text string) (found int) {
	for i := range text {
		for j := range text[:i] {
			if text[j] == 'b' {
				found++
			}
		}
	}
	return found
}
