// Command datachain validates and resolves datachains, and lints, builds,
// compares, publishes and serves the taxonomies that they use.
//
// It exits with 0 where all is good, with 1 where it found something (an invalid
// document, lint errors, breaking changes) and with 2 where it could not run. The
// answer is on standard output, as text or, with --format json, as one JSON
// object; progress and what went wrong are on standard error.
//
// Each subcommand is a file, and a thin use of the packages of this module:
// nothing here that a Go program could not do through them.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], thisSystem()))
}
