package targettest

import (
	"context"
)

// Clauses returns the names of the clauses of a target.
func Clauses() (names []string) {
	for _, c := range clauses() {
		names = append(names, c.name)
	}
	return names
}

// Check runs one clause.
func Check(ctx context.Context, name string, open Opener) error {
	for _, c := range clauses() {
		if c.name == name {
			return c.run(ctx, open)
		}
	}
	panic("no clause " + name)
}
