package main

import (
	"errors"
	"time"

	"github.com/datachain-go/datachain/search"
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

// measureLoad measures loading a serialised index.
func (res *result) measureLoad(c *corpus) error {
	x, ok := res.engines[0].index.(ourIndex)
	if !ok {
		return errors.New("the first engine is not ours; put it first in engines")
	}
	data, err := x.index.AppendBinary(nil)
	if err != nil {
		return err
	}
	res.stored = len(data)
	for i := range 5 {
		begun := time.Now()
		if _, err := search.Load(c.release, data); err != nil {
			return err
		}
		if d := time.Since(begun); i == 0 || d < res.load {
			res.load = d
		}
	}
	return nil
}
