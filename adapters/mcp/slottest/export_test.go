package slottest

import (
	"testing"
)

// Check runs every clause and returns the errors of those that fail, by name. The
// clauses that pass have a nil error.
func Check(t *testing.T, open func(*testing.T, Bounds) Slots, o *Options) map[string]error {
	t.Helper()
	errs := make(map[string]error)
	for _, c := range clauses() {
		errs[c.name] = c.prove(t, open, o)
	}
	return errs
}
