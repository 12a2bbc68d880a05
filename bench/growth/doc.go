// Command growth measures how the time and memory of the datachain command grow with a
// taxonomy and with a document, and writes its section of docs/internals/measurements.md.
// Run it with "make bench-growth" in the root, or here for small sizes:
//
//	go run ./growth -elements 100,1000 -placements 10,100
//
// It works as a user does: it writes a schema source, publishes it with the command,
// starts a server with the store, and sends requests.
package main
