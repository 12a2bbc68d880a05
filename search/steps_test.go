package search

// Steps are the steps of a search beyond exact matches.
type Steps struct{ Prefixes, Typos, Forms, Numbers, Damp, Function, Synonyms bool }

// With returns the same index with only these steps, to measure the gain of each.
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
	if !s.Numbers {
		y.standard.number = 0
	}
	y.standard.damp, y.standard.function, y.standard.synonyms = s.Damp, s.Function, s.Synonyms
	return &y
}
