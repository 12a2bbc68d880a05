package search

import "math"

// The constants of the score. See the package documentation for the formula.
const (
	k1         = 1.2
	b          = 0.75
	titleBoost = 3

	// unit is the score 1.0. Scores are whole numbers of 1/unit, so that
	// sums, and with them rankings, are the same on every machine.
	unit = 1 << 16
)

// Go may fuse x*y + z into one instruction with one rounding, on machines that
// have one, unless the product is converted explicitly. So it is here.

// idf weighs a term that n of total elements have: the rarer, the more.
func idf(total, n int) float64 {
	return ln(1 + (float64(total)-float64(n)+0.5)/(float64(n)+0.5))
}

// lengthNorm is how much the length of a field, compared to the average, counts.
func lengthNorm(length int, average float64) float64 {
	return 1 - b + float64(b*(float64(length)/average))
}

// saturated is the part of the score that depends on how often a term occurs in
// a field, counted in halves.
func saturated(halves int, norm float64) float64 {
	if halves == 0 {
		return 0
	}
	tf := float64(halves) / whole
	return float64(tf*(k1+1)) / (tf + float64(k1*norm))
}

// impact is what a term adds to the score of an element, in units, rounded and
// never nothing, and the rest that weighed needs.
func impact(title, description float64) (rounded uint32, rest byte) {
	exact := float64((float64(titleBoost*title) + description) * unit)
	rounded = max(1, uint32(math.Round(exact)))
	quarters := int(float64(exact * 4)) // rounded down
	return rounded, byte(max(0, quarters-4*int(rounded)+2))
}

// weighed is an impact by a weight, rounded and never nothing. It is the exact
// impact that is weighed: rounding twice would give other scores. Where a score of
// 2/3, 0.5, 0.4 or 0.2 times the impact is rounded up is at a whole number of
// quarters, so that these suffice.
func weighed(rounded uint32, rest byte, weight uint32) uint32 {
	quarters := 4*rounded + uint32(rest) - 2
	return max(1, (quarters*weight+2*exactWeight)/(4*exactWeight))
}

// rests has, for each posting, how much less or more than its impact the exact
// one is: in quarters of a unit, rounded down, and two more so that it is not
// negative. Each takes two bits.
type rests []byte

func (r *rests) add(i int, rest byte) {
	if i%4 == 0 {
		*r = append(*r, 0)
	}
	(*r)[i/4] |= rest << (i % 4 * 2)
}

func (r rests) at(i int) byte { return r[i/4] >> (i % 4 * 2) & 3 }

// ln is the natural logarithm from additions, multiplications and divisions
// alone, which IEEE 754 defines to the last bit; that of package math is written
// in assembly on some machines, and may differ in the last bit.
func ln(x float64) float64 {
	frac, exp := math.Frexp(x) // x = frac * 2^exp, frac in [0.5, 1)
	if frac < math.Sqrt2/2 {
		frac *= 2
		exp--
	}
	// ln(frac) = 2 artanh((frac-1)/(frac+1)), a series that converges fast:
	// the argument is below 0.172, its square below 0.03.
	z := (frac - 1) / (frac + 1)
	square := float64(z * z)
	sum, power := 0.0, z
	for k := 1.0; k < 24; k += 2 {
		sum += float64(power / k)
		power = float64(power * square)
	}
	return float64(2*sum) + float64(float64(exp)*math.Ln2)
}
