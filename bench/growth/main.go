package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/bench/page"
	"github.com/datachain-go/datachain/bench/program"
)

func main() {
	log.SetFlags(0)
	out := flag.String("out", "", "file to write (default standard output)")
	elements := flag.String("elements", "100,1000,10000", "sizes of taxonomies, separated by commas")
	placements := flag.String("placements", "10,100,1000,10000", "sizes of documents, separated by commas")
	rounds := flag.Int("rounds", 21, "number of requests of each kind")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, *elements, *placements, *rounds); err != nil {
		stop()
		log.Fatal(err) //nolint:gocritic // stopped
	}
}

// bench is a run.
type bench struct {
	dir     string
	program *program.Program
	rounds  int

	taxonomies []*taxonomyResult
	documents  []*documentResult
}

func run(ctx context.Context, out, elements, placements string, rounds int) (err error) {
	taxonomies, err := sizes("-elements", elements, usual*4) // half of the categories, and every other element
	if err != nil {
		return err
	}
	documents, err := sizes("-placements", placements, 1)
	if err != nil {
		return err
	}
	if rounds < 1 {
		return errors.New("-rounds must be positive")
	}
	b := &bench{rounds: rounds}
	if b.dir, err = os.MkdirTemp("", "bench-growth-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	if b.program, err = program.Build(ctx, b.dir); err != nil {
		return err
	}
	for _, n := range taxonomies {
		t, err := b.measureTaxonomy(ctx, n)
		if err != nil {
			return err
		}
		b.taxonomies = append(b.taxonomies, t)
	}
	if b.documents, err = b.measureDocuments(ctx, documents); err != nil {
		return err
	}
	return page.Write(out, b.page())
}

// sizes reads numbers, of which there are four columns at most.
func sizes(flag, list string, least int) (all []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < least {
			return nil, fmt.Errorf("%s: %q must be a number, %d or more", flag, text, least)
		}
		all = append(all, n)
	}
	return all, nil
}
