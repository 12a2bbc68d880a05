// Command datachain validates and resolves datachain documents, and lints, builds,
// compares, publishes and serves the taxonomies that they use.
//
// It reads and publishes stores in directories, reads those of other servers, and keeps rate limits
// in memory. Command datachain-cloud has the same commands, and opens buckets and Redis.
//
// It exits with 0 on success, 1 if it found problems (an invalid document, lint
// errors, breaking changes) and 2 if it could not run. Results go to standard
// output, as text or, with --format json, as one JSON object. Progress and errors
// go to standard error.
package main

import (
	"os"

	"github.com/datachain-go/datachain/cmd/internal/command"
)

func main() { os.Exit(command.Main(command.Program{Name: "datachain"})) }
