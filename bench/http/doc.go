// Command http measures the REST server under load: the latency of reads with and
// without as much validating and resolving as it accepts, its memory over a long
// run of all kinds of requests, and the cost of thousands of idle connections.
//
// It builds the server from this tree, starts it in a separate process on the
// loopback interface, and fails if memory, goroutines or open files grow, or if a
// response is wrong. Run it with "make soak" in the root:
//
//	make soak SOAK=1m
package main
