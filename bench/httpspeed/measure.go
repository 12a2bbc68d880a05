package main

import (
	"context"
	"fmt"
	"log"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/bench/page"
)

// result holds the measurements of one case by candidate.
type result struct {
	*testCase
	of []measured
}

// measured holds the CPU time of a request by round.
type measured []time.Duration

// best returns the lowest time of all rounds: other load on the machine only makes a
// server slower.
func (m measured) best() time.Duration { return slices.Min(m) }

// beside returns the median of the ratios to another candidate in each round: within
// a round, the load of the machine is about the same.
func (m measured) beside(base measured) float64 {
	var ratios []float64
	for i, d := range m {
		ratios = append(ratios, float64(d)/float64(max(1, base[i])))
	}
	slices.Sort(ratios)
	return (ratios[len(ratios)/2] + ratios[(len(ratios)-1)/2]) / 2
}

// measure measures all candidates in turn, in rounds, so that a machine that is busy
// for a while slows down all of them.
func measure(ctx context.Context, candidates []*candidate, list []*testCase, rounds int, l *load) ([]*result, error) {
	log.Printf("%d rounds of %d requests to %d servers, %s each", rounds, len(list), len(candidates), l.each)
	var results []*result
	for i, c := range list {
		for _, to := range candidates {
			if err := to.check(ctx, c, i); err != nil {
				return nil, err
			}
		}
		r := &result{c, make([]measured, len(candidates))}
		results = append(results, r)
		sent := make([]int, len(candidates))
		for round := range rounds {
			for k := range candidates {
				k = (k + round) % len(candidates)
				n, d, err := candidates[k].measure(ctx, c, i, sent[k], l)
				if err != nil {
					return nil, err
				}
				sent[k] += n + l.connections // some were not answered in time
				r.of[k] = append(r.of[k], d)
			}
		}
		line := []string{"  " + c.Name}
		for k, to := range candidates {
			line = append(line, fmt.Sprintf("%s %s (%.2f)", to.name, page.Time(r.of[k].best()), r.of[k].beside(r.of[yardstick(candidates)])))
		}
		log.Print(strings.Join(line, "; "))
	}
	return results, nil
}

// yardstick returns the index of the candidate that all others are compared with.
func yardstick(candidates []*candidate) int {
	return slices.IndexFunc(candidates, func(c *candidate) bool { return c.name == roleBare })
}

// measure returns how many requests were answered, and the CPU time of each.
func (c *candidate) measure(ctx context.Context, of *testCase, i, first int, l *load) (int, time.Duration, error) {
	before, err := c.CPU()
	if err != nil {
		return 0, 0, err
	}
	n, err := l.run(ctx, newTraffic(c.request(of, i)), first)
	if err != nil {
		return 0, 0, fmt.Errorf("%s of %s: %w", of.Name, c.name, err)
	}
	after, err := c.CPU()
	if err == nil && n == 0 {
		err = fmt.Errorf("%s of %s: no response in %s", of.Name, c.name, l.each)
	}
	return n, (after - before) / time.Duration(max(1, n)), err
}
