package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// target is what ours is to reach of the bare handler.
const target = 0.9

// page writes the results as Markdown.
func page(ctx context.Context, candidates []*candidate, results []*result, rounds int, l *load) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Speed over HTTP\n\n"+
		"Written by `make bench-http` on a machine with %d cores (%s), %s for %s/%s%s. Do not edit.\n\n"+
		"The REST server beside a bare `net/http` handler and beside nginx, which send the same bytes with the same fields, in one run over loopback. "+
		"The aim is %.1f of the bare handler for a manifest, a page of elements, an element and an icon.\n",
		runtime.NumCPU(), cpuName(), runtime.Version(), runtime.GOOS, runtime.GOARCH, versions(ctx, candidates, l), target)
	ratios(&b, candidates, results)
	rates(&b, candidates, results)
	costs(&b, candidates, results)
	setup(&b, rounds, l)
	return b.String()
}

// baseline is the candidate that all are held against.
func baseline(candidates []*candidate) int {
	return slices.IndexFunc(candidates, func(c *candidate) bool { return c.name == "bare" })
}

// ratios compares with the bare handler.
func ratios(b *strings.Builder, candidates []*candidate, results []*result) {
	b.WriteString("\n## Beside the bare handler\n\nThroughput as a part of that of the bare handler, and in parentheses processor time as a multiple of its: the median of all rounds.\n\n")
	table(b, "bytes", candidates, results, func(r *result) string { return fmt.Sprint(len(r.Body)) }, func(r *result, k int) string {
		base := r.of[baseline(candidates)]
		rate, cpu := r.of[k].beside(base)
		if base[0].cpu == 0 {
			return fmt.Sprintf("%.2f", rate)
		}
		return fmt.Sprintf("%.2f (%.2f)", rate, cpu)
	})
}

// rates has the requests in a second.
func rates(b *strings.Builder, candidates []*candidate, results []*result) {
	b.WriteString("\n## Requests a second\n\n")
	table(b, "status", candidates, results, func(r *result) string { return fmt.Sprint(r.Status) }, func(r *result, k int) string {
		return fmt.Sprintf("%.0f", r.of[k].best().rate)
	})
}

// costs has the processor time of a request.
func costs(b *strings.Builder, candidates []*candidate, results []*result) {
	if results[0].of[0][0].cpu == 0 {
		return
	}
	b.WriteString("\n## Processor time of a request\n\nOf the server alone, the system's part included.\n\n")
	table(b, "encoding", candidates, results, func(r *result) string { return r.Header.Get("Content-Encoding") }, func(r *result, k int) string {
		return fmt.Sprintf("%.1f µs", float64(r.of[k].best().cpu)/float64(time.Microsecond))
	})
}

// table has a row for each case, and a column for each candidate.
func table(b *strings.Builder, second string, candidates []*candidate, results []*result, note func(*result) string, cell func(r *result, k int) string) {
	fmt.Fprintf(b, "| | %s |", second)
	for _, c := range candidates {
		fmt.Fprintf(b, " %s |", c.name)
	}
	b.WriteString("\n|---|---:|" + strings.Repeat("---:|", len(candidates)) + "\n")
	for _, r := range results {
		fmt.Fprintf(b, "| %s | %s |", r.Name, note(r))
		for k := range candidates {
			fmt.Fprintf(b, " %s |", cell(r, k))
		}
		b.WriteByte('\n')
	}
}

// setup says how it was measured.
func setup(b *strings.Builder, rounds int, l *load) {
	fmt.Fprintf(b, `
## How it is measured

- Load comes from %s on the same machine: %d connections that are kept open, each of which asks again as soon as it has its answer. So the load takes its part of the processors, the same for all, and processor time tells servers apart better than throughput does.
- %d rounds of %s for each answer and server, the servers taking turns. Servers are compared within a round, as what else a machine does slows down all alike, and the median of the rounds counts. Of rates and times the best round counts, as nothing else can make a server faster.
- **ours** is the handler with what `+"`datachain serve`"+` has around it: metrics of requests and of the store, the limiter with its fields (as for 256 clients that stay within their limits), request ids, timeouts, and memory set aside so that the garbage collector runs less often. The sample taxonomies are in memory, and each answer was asked for before.
- **ours, logging** writes a line for each request, gathered in 64 KiB, to nowhere.
- **bare** looks up the answer by its address, copies the header fields of our first answer, and writes the bytes, in a server with the same settings, and with the garbage collector as Go has it.
- **bare, ballast** is the same with the memory set aside that ours has: what is left is what our handler does.
- **nginx** sends files with `+"`sendfile`"+` and a cache of open files, a worker for each core, no log; the fields are added by its configuration, its ETag and Last-Modified are its own. Compressed answers are files, too.
- That all send the same status, bytes and fields is checked before each measurement.
`, l.name(), l.connections, rounds, l.each)
}

// versions names the versions of the programs beside Go.
func versions(ctx context.Context, candidates []*candidate, l *load) string {
	text := ""
	if k := slices.IndexFunc(candidates, func(c *candidate) bool { return c.name == "nginx" }); k >= 0 {
		out, _ := exec.CommandContext(ctx, candidates[k].process.Path, "-v").CombinedOutput() // nginx version: nginx/1.22.1
		if _, version, ok := strings.Cut(strings.TrimSpace(string(out)), "nginx/"); ok {
			text += ", nginx " + version
		}
	}
	if l.wrk != "" {
		out, _ := exec.CommandContext(ctx, l.wrk, "-v").CombinedOutput() // fails, and tells all the same
		if fields := strings.Fields(string(out)); len(fields) > 1 {
			text += ", wrk " + strings.TrimPrefix(fields[1], "debian/")
		}
	}
	return text
}

// cpuName names the processor where the system tells.
func cpuName() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(text)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
