// Command http puts the server under load and writes its section of
// docs/internals/measurements.md: the latency of reads with and without as much validating and resolving as it accepts, its
// memory over a long run of all kinds of requests, and the cost of thousands of idle
// connections.
//
// The server is the datachain command of this tree with a store in a directory, in a
// separate process. The run fails if memory, goroutines or open files grow, or if a
// response is wrong. Run it with "make soak" in the root:
//
//	make soak SOAK=1m
package main
