package main

import (
	"time"
)

// measureModes measures the modes that only our index has, with queries of two
// words.
func (res *result) measureModes(c *corpus, each time.Duration) error {
	plain := c.queries(2)
	for _, m := range []struct {
		name    string
		queries []query
	}{
		{"all features", typed(plain)},
		{"the last word cut to 3 letters", unfinished(plain)},
		{"a typo in the longest word", misspelt(plain)},
		{"in one of 8 categories", within(plain, c.release.Categories()[3].ID)},
	} {
		r := newRunner(res.engines[0].index, m.queries, engines[0].rounds)
		if err := interleave([]*runner{r}, each/2); err != nil {
			return err
		}
		res.modes = append(res.modes, modeResult{m.name, r.best})
	}
	return nil
}
