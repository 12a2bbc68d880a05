package main

import (
	"fmt"

	"github.com/datachain-go/datachain/bench/page"
)

// page returns the results as Markdown.
func (b *bench) page() string {
	return page.Begin("Under load", "make soak") +
		"Latency of reads and memory of the server, phase after phase of one run.\n\n" +
		b.table.String() + fmt.Sprintf(`
The server is `+"`datachain serve --store DIR`"+` with the sample taxonomies, without rate limits and request log, on the machine of the clients. Reads of all kinds are sent %d times per second for %s, and timed from when they were due. Documents are validated, resolved and rendered as fast as they are answered. In the end %d clients send everything, also invalid and too large requests, for %s: %s requests. Memory is resident; the live heap is what a garbage collection leaves. The program fails if goroutines or open files grow.
`, b.rate, b.phase, b.workers, b.soak, page.Count(int(b.asked.Load())))
}
