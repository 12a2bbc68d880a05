package main

import (
	"context"
	"fmt"
	"log"
	"slices"
	"time"
)

// result holds the measurements of one case by candidate.
type result struct {
	*testCase
	of []measured
}

// measured holds the measurements of one candidate by round.
type measured []round

type round struct {
	rate float64       // answers a second
	cpu  time.Duration // of an answer; 0 where the system does not tell
}

// best returns the highest rate and the lowest CPU time of all rounds: other load on
// the machine only makes a server slower.
func (m measured) best() round {
	best := m[0]
	for _, r := range m[1:] {
		best = round{max(best.rate, r.rate), min(best.cpu, r.cpu)}
	}
	return best
}

// beside returns the median of the ratios to another candidate in each round: within
// a round, the load of the machine is about the same.
func (m measured) beside(base measured) (rate, cpu float64) {
	var rates, cpus []float64
	for i, r := range m {
		rates = append(rates, r.rate/base[i].rate)
		cpus = append(cpus, float64(r.cpu)/float64(max(1, base[i].cpu)))
	}
	return median(rates), median(cpus)
}

func median(list []float64) float64 {
	slices.Sort(list)
	return (list[len(list)/2] + list[(len(list)-1)/2]) / 2
}

// measure measures all candidates in turn, in rounds, so that a machine that is busy
// for a while slows down all of them.
func measure(ctx context.Context, candidates []*candidate, list []*testCase, rounds int, l *load) ([]*result, error) {
	log.Printf("%d rounds of %d answers from %d servers, %s each", rounds, len(list), len(candidates), l.each)
	var results []*result
	for i, c := range list {
		r := &result{c, make([]measured, len(candidates))}
		results = append(results, r)
		tags := make([]string, len(candidates))
		for k, from := range candidates {
			tag, err := check(ctx, c, from.address(i))
			if err != nil {
				return nil, fmt.Errorf("%s of %s: %w", c.Name, from.name, err)
			}
			tags[k] = tag
		}
		for round := range rounds {
			for k := range candidates {
				k = (k + round) % len(candidates)
				if err := r.of[k].add(ctx, candidates[k], c, i, tags[k], l); err != nil {
					return nil, err
				}
			}
		}
		for k, from := range candidates {
			best := r.of[k].best()
			log.Printf("  %s, %s: %.0f a second, %s", c.Name, from.name, best.rate, best.cpu)
		}
	}
	return results, nil
}

// add adds a measurement.
func (m *measured) add(ctx context.Context, from *candidate, c *testCase, i int, tag string, l *load) error {
	before := from.cpu()
	n, took, err := l.run(ctx, c, from.address(i), tag)
	if err != nil {
		return err
	}
	if n == 0 {
		return fmt.Errorf("%s of %s: no answer in %s", c.Name, from.name, took)
	}
	*m = append(*m, round{float64(n) / took.Seconds(), (from.cpu() - before) / time.Duration(n)})
	return nil
}

// check fails if a candidate's response differs from ours. It returns the ETag.
func check(ctx context.Context, c *testCase, url string) (string, error) {
	tag := ""
	res, err := c.ask(ctx, url, "")
	if err == nil && c.Had {
		tag = res.Header.Get("ETag")
		res, err = c.ask(ctx, url, tag)
	}
	if err != nil {
		return "", err
	}
	if res.StatusCode != c.Status || string(res.body) != string(c.Body) || res.Header.Get("Content-Type") != c.Header.Get("Content-Type") {
		return "", fmt.Errorf("it answers with status %d, %d bytes, and ours with %d, %d bytes", res.StatusCode, len(res.body), c.Status, len(c.Body))
	}
	for name := range c.Header {
		if res.Header.Get(name) == "" {
			return "", fmt.Errorf("it has no field %s", name)
		}
	}
	return tag, nil
}
