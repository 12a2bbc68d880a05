package main

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"github.com/datachain-go/datachain/bench/page"
)

// page writes the results as Markdown.
func (b *bench) page(ctx context.Context) string {
	var text strings.Builder
	text.WriteString(page.Begin("Speed over HTTP", "make bench-http", versions(ctx, &b.load)...))
	text.WriteString("CPU time of the server per request, and in parentheses its ratio to that of a bare handler, which reads the same body and sends the same bytes.\n\n")
	headings := []string{"", "request", "response"}
	for _, c := range b.candidates {
		headings = append(headings, c.name)
	}
	table := page.NewTable(headings...)
	for _, r := range b.results {
		cells := []string{r.Name, size(r.Body), size(r.Answer)}
		for k := range b.candidates {
			cell := page.Time(r.of[k].best())
			if base := yardstick(b.candidates); k != base {
				cell += fmt.Sprintf(" (%.2f)", r.of[k].beside(r.of[base]))
			}
			cells = append(cells, cell)
		}
		table.Row(cells...)
	}
	text.WriteString(table.String() + "\nMemory of the server with a store: " + page.Bytes(b.memory.started) + " after it started, " + page.Bytes(b.memory.loaded) + " after the load")
	if b.memory.idle > 0 {
		fmt.Fprintf(&text, ", %s after %s without requests", page.Bytes(b.memory.idle), b.idle)
	}
	text.WriteString(".\n" + composition)
	b.method(&text)
	return text.String()
}

// composition says what the time of documents consists of, by CPU profiles of a server
// under the load of this benchmark. Take new ones when the code has changed much.
const composition = `
What the time consists of, by CPU profiles of the server:

- **validate**: half is net/http, the network and the limits around it, as for any other request. The document takes the other half: parsing 16 %, its shape 9 %, decoding 10 %, the rules 13 %. Garbage collection is 3 %.
- **resolve**: validating takes 39 %, canonical JSON 14 %, joining it with the texts of the release 6 %, sending the response 16 %.
- **render**: validating and looking up what is shown takes 23 %, writing the page 45 %, sending it 11 %.
`

func size(body []byte) string {
	if len(body) == 0 {
		return ""
	}
	return page.Bytes(int64(len(body)))
}

// method describes how it was measured.
func (b *bench) method(text *strings.Builder) {
	what := "the sample taxonomies"
	if b.store != "" {
		what = "a store"
	}
	fmt.Fprintf(text, `
How it was measured:

- **store** is `+"`datachain serve --store DIR`"+` with %s, **memory** is `+"`datachain serve --samples`"+`, both with rate limits and metrics, without a request log.
- **bare** is a `+"`net/http`"+` server with the same settings; for mcp rows it is an empty tool of the MCP SDK for Go. **bare, paced** collects garbage as rarely as ours.
- Each server is a process on the same machine. %s sends requests of %d clients on %d connections; its CPU time is not counted.
- %d rounds of %s, with the servers taking turns. Times are those of the best round, ratios the median of those within each round.
- The document has %d placements. Responses to reads are cached, except those of “search new”: no two of its searches are the same.
`, what, b.load.name(), clients, b.load.connections, b.rounds, b.load.each, b.placements)
}

// versions returns the versions of other programs.
func versions(ctx context.Context, l *load) []string {
	if l.wrk == "" {
		return nil
	}
	out, _ := exec.CommandContext(ctx, l.wrk, "-v").CombinedOutput() // it fails, but prints the version
	fields := strings.Fields(string(out))
	if len(fields) < 2 {
		return nil
	}
	return []string{"wrk " + strings.TrimPrefix(fields[1], "debian/")}
}
