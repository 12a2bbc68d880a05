// Command bench puts the server under load and prints tables for docs/internals/measurements.md:
// the latency of reads with and without as much validating and resolving as the server accepts,
// its memory over a long run of all kinds of requests, the cost of thousands of idle connections,
// and the CPU time of requests.
//
// The server is the datachain command of this tree with a store in a directory, in a
// separate process. The run fails if memory, goroutines or open files grow, or if a
// response is wrong. Run it with "make soak" in the root:
//
//	make soak SOAK="-time 1m"
package main
