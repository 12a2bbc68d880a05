package search

import "math"

// The constants of the formula in the package documentation.
const (
	k1         = 1.2
	b          = 0.75
	titleBoost = 3

	// unit is the score 1.0. Scores are multiples of 1/unit, so that sums and
	// rankings are the same on every machine.
	unit = 1 << 16
)

// The explicit conversions of products prevent Go from fusing x*y + z into an instruction
// that rounds once, which not every machine has.

// idf returns the inverse document frequency of a term that n of total elements have.
func idf(total, n int) float64 {
	return ln(1 + (float64(total)-float64(n)+0.5)/(float64(n)+0.5))
}

// lengthNorm returns the weight of a field's length relative to the average.
func lengthNorm(length int, average float64) float64 {
	return 1 - b + float64(b*(float64(length)/average))
}

// saturated returns the part of the score that depends on the occurrences of a term in a
// field, counted in halves.
func saturated(halves int, norm float64) float64 {
	if halves == 0 {
		return 0
	}
	tf := float64(halves) / whole
	return float64(tf*(k1+1)) / (tf + float64(k1*norm))
}

// impact returns the contribution of a term to the score of an element, in units, rounded
// and at least 1, and the rest for weighted.
func impact(title, description float64) (rounded uint32, rest byte) {
	exact := float64((float64(titleBoost*title) + description) * unit)
	rounded = max(1, uint32(math.Round(exact)))
	quarters := int(float64(exact * 4)) // rounded down
	return rounded, byte(max(0, quarters-4*int(rounded)+2))
}

// weighted returns an impact times a weight, rounded and at least 1. It uses the exact
// impact, because rounding twice would change scores. For the weights 2/3, 0.5, 0.4 and
// 0.2 the boundaries of rounding are at multiples of a quarter, so quarters suffice.
func weighted(rounded uint32, rest byte, weight uint32) uint32 {
	quarters := 4*rounded + uint32(rest) - 2
	return max(1, (quarters*weight+2*exactWeight)/(4*exactWeight))
}

// rests has the difference between the exact and the rounded impact of each posting, in
// quarters of a unit, rounded down, plus two. Each takes two bits.
type rests []byte

func (r *rests) add(i int, rest byte) {
	if i%4 == 0 {
		*r = append(*r, 0)
	}
	(*r)[i/4] |= rest << (i % 4 * 2)
}

func (r rests) at(i int) byte { return r[i/4] >> (i % 4 * 2) & 3 }

// ln returns the natural logarithm, computed from operations that IEEE 754 defines to the
// last bit. Package math uses assembly on some machines, which may differ in the last bit.
func ln(x float64) float64 {
	frac, exp := math.Frexp(x) // x = frac * 2^exp, frac in [0.5, 1)
	if frac < math.Sqrt2/2 {
		frac *= 2
		exp--
	}
	// ln(frac) = 2 artanh((frac-1)/(frac+1)), whose series converges fast: the
	// argument is below 0.172, its square below 0.03.
	z := (frac - 1) / (frac + 1)
	square := float64(z * z)
	sum, power := 0.0, z
	for k := 1.0; k < 24; k += 2 {
		sum += float64(power / k)
		power = float64(power * square)
	}
	return float64(2*sum) + float64(float64(exp)*math.Ln2)
}
