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
How it was measured:

- The server is `+"`datachain serve --store DIR`"+` with the sample taxonomies, without rate limits and request log, on the same machine as the clients. Other load on the machine makes latencies longer.
- Reads are lists, searches, elements, symbols and icons in every encoding, %d per second for %s. Each is timed from when it was due, so that pauses count.
- Documents are validated, resolved and rendered for clients that send the next one when they have the response to the last. The server processes one per CPU but one, so that reads need not queue with them.
- Everything at once: %d clients for %s send reads, new searches that fill the cache, documents, invalid and too large requests, and disconnect in the middle of a body; %s requests in all.
- Memory is resident, before garbage is collected; the live heap is what a collection leaves, with requests in progress.
`, b.rate, b.phase, b.workers, b.soak, page.Count(int(b.asked.Load())))
}
