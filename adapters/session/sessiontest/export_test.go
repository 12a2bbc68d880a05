package sessiontest

import (
	"context"

	"github.com/datachain-go/datachain/adapters/session"
)

// Check runs every clause and returns the errors of those that fail, by name. The
// clauses that pass have a nil error.
func Check(ctx context.Context, open func(Bounds) session.Slots, o *Options) map[string]error {
	errs := make(map[string]error)
	for _, c := range clauses() {
		errs[c.name] = c.prove(ctx, open, o)
	}
	return errs
}
