package ratelimittest

import (
	"context"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// Check runs every clause and returns the errors of those that fail, by name. The
// clauses that pass have a nil error.
func Check(ctx context.Context, open func(ratelimit.Limits) ratelimit.Limiter, o *Options) map[string]error {
	errs := make(map[string]error)
	for _, c := range clauses(o.LimitsNames) {
		errs[c.name] = c.check(newTester(ctx, open(c.limits), c.limits, o))
	}
	return errs
}
