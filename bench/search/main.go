package main

import (
	"flag"
	"fmt"
	"log"
	"strconv"
	"strings"
	"time"

	"github.com/datachain-go/datachain/bench/page"
)

func main() {
	log.SetFlags(0)
	out := flag.String("out", "", "file to write (default standard output)")
	sizes := flag.String("sizes", "10000,100000", "numbers of elements, separated by commas")
	each := flag.Duration("each", time.Second, "how long each engine runs the queries of each length, for a few rounds at least")
	flag.Parse()
	if err := run(*out, *sizes, *each); err != nil {
		log.Fatal(err)
	}
}

func run(out, sizes string, each time.Duration) error {
	var results []*result
	for s := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 20 {
			return fmt.Errorf("-sizes: %q must be a number of elements, 20 or more", s)
		}
		log.Printf("%d elements", n)
		r, err := measure(n, each)
		if err != nil {
			return err
		}
		results = append(results, r)
	}
	return page.Write(out, pageOf(results))
}

// result holds the measurements of one corpus.
type result struct {
	elements, words int
	engines         []engineResult // in the order of engines
	modes           []modeResult
}

type engineResult struct {
	built
	terms [maxTerms]times // queries of 1, 2, … words
}

// modeResult holds the measurements of a search mode that only ours has.
type modeResult struct {
	name string
	times
}

// maxTerms is the maximum number of words in a query.
const maxTerms = 3

// measure measures all engines with a corpus of n elements.
func measure(n int, each time.Duration) (*result, error) {
	c, err := newCorpus(n)
	if err != nil {
		return nil, err
	}
	res := &result{elements: n, words: len(c.words), engines: make([]engineResult, len(engines))}
	defer res.close()
	if err := res.build(c); err != nil {
		return nil, err
	}
	for terms := 1; terms <= maxTerms; terms++ {
		if err := res.search(c, terms, each); err != nil {
			return nil, err
		}
	}
	if err := res.measureModes(c, each); err != nil {
		return nil, err
	}
	return res, nil
}

func (res *result) close() {
	for i := range res.engines {
		if x := res.engines[i].index; x != nil {
			x.close() //nolint:errcheck // it lived in memory
			res.engines[i].index = nil
		}
	}
}

// maxBuildRounds is the number of builds of an index that takes a few milliseconds.
// The best of fewer builds depends too much on the machine.
const maxBuildRounds = 20

// buildRounds is the number of builds: fewer if a build takes long.
func buildRounds(e engine, elements int) int {
	switch {
	case elements <= 1_000:
		return maxBuildRounds
	case elements <= 10_000 || e.name == ours:
		return 3
	case e.name == reference:
		return 2
	}
	return 1
}

func (res *result) build(c *corpus) error {
	for round := range maxBuildRounds {
		for i, e := range engines {
			if round >= buildRounds(e, res.elements) {
				continue
			}
			if err := res.engines[i].build(e, c.release); err != nil {
				return err
			}
		}
	}
	for i, e := range engines {
		log.Printf("  built %s: %s, %s", e.name, page.Time(res.engines[i].time), page.Bytes(res.engines[i].memory))
	}
	return nil
}

// search measures the queries of one length.
func (res *result) search(c *corpus, terms int, each time.Duration) error {
	queries := c.queries(terms)
	runners := make([]*runner, len(engines))
	for i := range engines {
		runners[i] = newRunner(res.engines[i].index, queries, engines[i].rounds)
	}
	if err := interleave(runners, each); err != nil {
		return err
	}
	for i, r := range runners {
		res.engines[i].terms[terms-1] = r.best
		log.Printf("  %d terms, %s: %s", terms, engines[i].name, page.Time(r.best.mean()))
	}
	return nil
}
