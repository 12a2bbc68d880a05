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
	text.WriteString("CPU time of the server per request, and in parentheses its ratio to that of a bare handler, which reads the same body and sends the same bytes, or for MCP calls an empty tool of the MCP SDK for Go.\n\n")
	headings := []string{"", "response"}
	for _, c := range b.candidates {
		headings = append(headings, c.name)
	}
	table := page.NewTable(headings...)
	for _, r := range b.results {
		cells := []string{r.Name, size(r.Answer)}
		for k := range b.candidates {
			cell := page.Time(r.of[k].best())
			if base := yardstick(b.candidates); k != base {
				cell += fmt.Sprintf(" (%.2f)", r.of[k].beside(r.of[base]))
			}
			cells = append(cells, cell)
		}
		table.Row(cells...)
	}
	text.WriteString(table.String() + "\nMemory: " + page.Bytes(b.memory.started) + " after the start, " + page.Bytes(b.memory.loaded) + " after the load")
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
By CPU profiles, half of **validate** is the document (parsing 16 %, shape 9 %, decoding 10 %, rules 13 %), and the rest what any request takes. **resolve** spends 39 % on validating, 20 % on writing JSON; **render** 23 % on what is shown, 45 % on writing the page.
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
The server is `+"`datachain serve --store DIR`"+` with %s, rate limits and metrics, without a request log. %s sends requests of %d clients on %d connections, in %d rounds of %s with the servers taking turns: the best time, and the median of the ratios within rounds. The document has %d placements. Reads are cached, except those of “search new”, which all differ.
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
