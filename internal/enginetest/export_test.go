package enginetest

import (
	"context"
	"testing"
	"time"

	"github.com/datachain-go/datachain/internal/publish"
)

// TargetClauses returns the names of the clauses that apply to a target.
func TargetClauses(t publish.Target) (names []string) {
	for _, c := range clauses() {
		if c.kind.of(t) {
			names = append(names, c.name)
		}
	}
	return names
}

// CheckTarget runs one clause with little patience.
func CheckTarget(ctx context.Context, name string, open OpenTarget) error {
	for _, c := range clauses() {
		if c.name == name {
			return c.run(ctx, open, 100*time.Millisecond)
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
