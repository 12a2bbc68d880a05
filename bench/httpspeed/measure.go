package main

import (
	"context"
	"fmt"
	"log"
	"time"
)

// result is what was measured of one case, by candidate.
type result struct {
	*testCase
	of []measured
}

// measured is what was measured of one candidate: the best of some rounds. What
// else a machine does makes a server slower, and never faster.
type measured struct {
	rate float64       // answers a second
	cpu  time.Duration // of an answer; 0 where the system does not tell
}

// measure asks all candidates in turn, round after round, so that a machine that
// is busy for a while slows down all alike.
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
			log.Printf("  %s, %s: %.0f a second, %s", c.Name, from.name, r.of[k].rate, r.of[k].cpu)
		}
	}
	return results, nil
}

// add measures once more.
func (m *measured) add(ctx context.Context, from *candidate, c *testCase, i int, tag string, l *load) error {
	before := from.cpu()
	n, took, err := l.run(ctx, c, from.address(i), tag)
	if err != nil {
		return err
	}
	m.keep(n, took, from.cpu()-before)
	return nil
}

// keep keeps what is better than before.
func (m *measured) keep(answers int, took, cpu time.Duration) {
	if answers == 0 {
		return
	}
	m.rate = max(m.rate, float64(answers)/took.Seconds())
	if each := cpu / time.Duration(answers); m.cpu == 0 || each < m.cpu {
		m.cpu = each
	}
}

// check holds that a candidate sends what ours did, and returns the tag to ask
// with.
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
