package slottest

import (
	"testing"
)

// CheckSlots runs every clause and returns the errors of those that fail, by name. The
// clauses that pass have a nil error.
func CheckSlots(t *testing.T, open func(*testing.T, SlotsBounds) Slots, o *SlotsOptions) map[string]error {
	t.Helper()
	errs := make(map[string]error)
	for _, c := range slotsClauses() {
		errs[c.name] = c.prove(t, open, o)
	}
	return errs
}
