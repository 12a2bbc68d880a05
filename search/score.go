package search

import "math"

// The constants of the formula in the package documentation.
const (
	k1         = 1.2
	b          = 0.75
	exactBoost = 3   // of titles, for the same word
	otherBoost = 1.5 // and for other matches

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
func lengthNorm(length uint32, average float64) float64 {
	return 1 - b + float64(b*(float64(length)/average))
}

// saturated returns the part of the score that depends on the occurrences of a term in a
// field.
func saturated(count uint32, norm float64) float64 {
	if count == 0 {
		return 0
	}
	tf := float64(count) / wordCount
	return float64(tf*(k1+1)) / (tf + float64(k1*norm))
}

// quarters returns what the fields of an element score for a term, in quarters of a unit.
func quarters(boost float64, s [2]float64) uint32 {
	score := float64((float64(boost*s[inTitle]) + s[inDescription]) * unit)
	return uint32(float64(score * 4))
}

// contribution returns what a posting contributes to the score at a weight, in units, rounded
// and at least 1. For the weights 1, 2/3, 0.5, 0.4, 1/3 and 0.2 the boundaries of rounding
// are at multiples of a quarter, so the quarters of a posting suffice to round once.
func (p posting) contribution(weight uint32) uint32 {
	quarters := p.other
	if weight == exactWeight {
		quarters = p.exact
	}
	return max(1, (quarters*weight+2*exactWeight)/(4*exactWeight))
}

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
