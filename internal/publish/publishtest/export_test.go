package publishtest

import (
	"context"
	"time"

	"github.com/datachain-go/datachain/internal/publish"
)

// Clauses returns the names of the clauses that apply to a target.
func Clauses(t publish.Target) (names []string) {
	for _, c := range clauses() {
		if c.kind.of(t) {
			names = append(names, c.name)
		}
	}
	return names
}

// Check runs one clause with little patience.
func Check(ctx context.Context, name string, open OpenFunc) error {
	for _, c := range clauses() {
		if c.name == name {
			return c.run(ctx, open, 100*time.Millisecond)
		}
	}
	panic("no clause " + name)
}
