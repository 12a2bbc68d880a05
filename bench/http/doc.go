// Command http measures how the REST server holds up: the latency of reads with
// and without all the validating and resolving that it takes, its memory over a
// long run of everything at once, and what thousands of idle connections cost.
//
// It builds the server from this tree, starts it on the loopback interface in a
// process of its own, and fails where memory, goroutines or files grow, or where
// an answer is one that nobody should get. Run it with "make soak" in the root:
//
//	make soak SOAK=1m
package main
