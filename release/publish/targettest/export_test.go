package targettest

import (
	"context"
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
