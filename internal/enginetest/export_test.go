package enginetest

import (
	"context"
	"testing"
)

// TargetClauses returns the names of the clauses of a target.
func TargetClauses() (names []string) {
	for _, c := range targetClauses() {
		names = append(names, c.name)
	}
	return names
}

// CheckTarget runs one clause.
func CheckTarget(ctx context.Context, name string, open OpenTarget) error {
	for _, c := range targetClauses() {
		if c.name == name {
			return c.run(ctx, open)
		}
	}
	panic("no clause " + name)
}

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
