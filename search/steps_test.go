package search

// Steps are what a search does beyond looking for the words themselves.
type Steps struct{ Prefixes, Typos, Forms, Hush, Function bool }

// With returns the same index, searched with these steps alone, to measure what
// each is worth.
func (x *Index) With(s Steps) *Index {
	y := *x
	if !s.Prefixes {
		y.standard.prefix = 0
	}
	if !s.Typos {
		y.standard.typo, y.standard.typos = 0, 0
	}
	if !s.Forms {
		y.standard.form = 0
	}
	y.standard.hush, y.standard.function = s.Hush, s.Function
	return &y
}
