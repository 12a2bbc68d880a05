package main

import (
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/datachain-go/datachain/bench/page"
)

// page returns the results as Markdown.
func (o options) page(results []*result) string {
	var versions []string
	headings := []string{"answered by the cache", "of all requests"}
	for _, c := range caches()[1:] {
		out, _ := exec.Command(c.name, c.version).CombinedOutput() // it has run before
		line, _, _ := strings.Cut(string(out), "\n")
		line, _, _ = strings.Cut(line, " revision ")
		versions = append(versions, strings.NewReplacer("nginx version: ", "", "varnishd (", "").Replace(line))
		headings = append(headings, c.name)
	}
	rates := page.NewTable(append(headings, "CPU time without a cache, each")...)
	row := func(name string, of func(*result) count) {
		cells := []string{name, percent(of(results[0]).requests, results[0].total().requests)}
		for _, r := range results[1:] {
			cells = append(cells, percent(of(r).hits, of(r).requests))
		}
		each := ""
		if d := results[0].each[name]; d > 0 {
			each = page.Time(d)
		}
		rates.Row(append(cells, each)...)
	}
	for _, name := range results[0].order {
		row(name, func(r *result) count { return r.kinds[name] })
	}
	row("**all**", (*result).total)

	costs := page.NewTable("cache", "requests", "at the server", "of these 304", "CPU time of the server, per request", "of the cache, per request")
	for _, r := range results {
		n := r.total().requests
		costs.Row(r.name, page.Count(n), page.Count(r.origin), page.Count(r.same), page.Time(r.server/time.Duration(n)), page.Time(r.cache/time.Duration(n)))
	}
	return page.Begin("A cache in front", "make bench-cache", versions...) +
		"What a cache answers, and what is left for the server.\n\n" + rates.String() + "\n" + costs.String() + fmt.Sprintf(`
The caches have the configurations in [deploy](../../deploy/README.md). The server has the sample taxonomies and a register of %s documents, no rate limits, and runs on the same machine. After as long a time to fill the cache, %d clients send %d requests per second for %s, with popularities by Zipf (exponent 1.1), 12 values of `+"`Accept-Language`"+` and 4 of `+"`Accept-Encoding`"+`; 10 %% of the searches in taxonomies have a word that is never searched for again. The program also checks what the configurations promise, such as serving expired pages while they are confirmed, and everything cached while the server is down.
`, page.Count(o.documents), clients, o.rate, o.long)
}

func percent(part, of int) string { return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(of)) }
