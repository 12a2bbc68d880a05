// Package nearest finds the known name that somebody probably meant.
package nearest

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// One returns the known name nearest to what was written, or "" where none is
// near, or where two are equally near and so neither is a good guess.
func One(written string, known iter.Seq[string]) string {
	best := ranked(written, known)
	switch {
	case len(best) == 0:
		return ""
	case len(best) > 1 && best[0].distance == best[1].distance:
		return ""
	}
	return best[0].name
}

// All returns the near names, the nearest first, at most max of them.
func All(written string, known iter.Seq[string], max int) []string {
	var names []string
	for _, c := range ranked(written, known) {
		if len(names) == max {
			break
		}
		names = append(names, c.name)
	}
	return names
}

type candidate struct {
	name     string
	distance int
}

func ranked(written string, known iter.Seq[string]) []candidate {
	limit := reach(written)
	folded := []rune(strings.ToLower(written))
	var found []candidate
	for name := range known {
		if d := distance(folded, []rune(strings.ToLower(name)), limit); d <= limit {
			found = append(found, candidate{name, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		return strings.Compare(a.name, b.name)
	})
	return slices.Compact(found)
}

// maxName keeps a hostile name from costing much: nobody means a longer one.
const maxName = 256

// reach is how many edits still look like a slip: a third of the length.
func reach(s string) int {
	n := utf8.RuneCountInString(s)
	if n > maxName {
		return -1
	}
	return min(max(n/3, 1), 4)
}

// distance is the number of insertions, deletions, substitutions and swaps of
// neighbours that turn a into b, or limit+1 where there are more than limit.
func distance(a, b []rune, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before := make([]int, len(b)+1)
	last := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := row[0]
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit+1)
}
