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
How it was measured:

- The caches have the configurations in [deploy](../../deploy/README.md). The server is `+"`datachain serve --store DIR`"+` with the sample taxonomies and a register of %s documents, without rate limits. Everything runs on one machine, and CPU times per request count all requests that clients send.
- %d clients send %d requests per second for %s. Before that, they do so for as long while the cache fills, which is not counted.
- Addresses of a kind are not equally popular: the second is half as likely as the first, and so on (Zipf, exponent 1.1). Of the searches in taxonomies, 30 %% have two words, and 10 %% a word that is never searched for again. Clients send one of 12 values of `+"`Accept-Language`"+` and 4 of `+"`Accept-Encoding`"+`, and keep nothing themselves.
- The CPU time of each kind is measured without a cache, with one request after the other for 5 seconds.
- A page of a document expires after a minute. The next client gets it once more, and the server is asked in the background whether it has changed.
- The program also checks what the configurations promise, with both caches: an expired page is sent at once, and confirmed by the server with 304; 50 requests at the same time for a new page become one; a client that has a page gets 304; clients get their language; a page that is removed is fetched again; and pages and JSON that are in the cache are available while the server is down.
`, page.Count(o.documents), clients, o.rate, o.long)
}

func percent(part, of int) string { return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(of)) }
