package icons

import (
	"math"
	"slices"
)

// matrix is a transformation, in the order of the arguments of matrix().
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

func (m matrix) apply(p complex128) complex128 {
	x, y := real(p), imag(p)
	return complex(m[0]*x+m[2]*y+m[4], m[1]*x+m[3]*y+m[5])
}

// then returns the transformation that applies o first, then m.
func (m matrix) then(o matrix) matrix {
	origin := m.apply(complex(o[4], o[5]))
	return matrix{
		m[0]*o[0] + m[2]*o[1], m[1]*o[0] + m[3]*o[1],
		m[0]*o[2] + m[2]*o[3], m[1]*o[2] + m[3]*o[3], real(origin), imag(origin),
	}
}

// in returns the transformation inside of a node, with the place of a <use>.
func (m matrix) in(n *node) matrix {
	m = m.then(parseMatrix(n.get("transform")))
	if n.name == "use" {
		m = m.then(matrix{1, 0, 0, 1, n.number("x"), n.number("y")})
	}
	return m
}

// transformArgs is how many numbers each transformation may take.
var transformArgs = map[string][]int{
	"matrix": {6}, "translate": {1, 2}, "scale": {1, 2}, "rotate": {1, 3}, "skewX": {1}, "skewY": {1},
}

// parseTransform reads a list of transformations.
func parseTransform(s string) (string, bool) {
	var out joiner
	p := &scanner{s: s}
	for p.space(); !p.done(); {
		name := p.word()
		p.space()
		if !p.accept('(') {
			return "", false
		}
		p.space()
		var args []float64
		comma := false
		for !p.accept(')') {
			v, ok := p.number()
			if !ok || len(args) == 6 {
				return "", false
			}
			args = append(args, v)
			comma = p.comma()
		}
		if comma || !slices.Contains(transformArgs[name], len(args)) {
			return "", false
		}
		if out.Len() > 0 {
			out.mark(" ")
		}
		out.mark(name + "(")
		out.numbers(args...)
		out.mark(")")
		if p.comma() && p.done() {
			return "", false
		}
	}
	return out.String(), true
}

// parseMatrix returns the transformation of a valid attribute.
func parseMatrix(text string) matrix {
	all := identity
	p := scanner{s: text}
	for p.space(); !p.done(); p.comma() {
		name := p.word()
		p.accept('(')
		var args []float64
		for !p.accept(')') && !p.done() {
			v, _ := p.number()
			args = append(args, v)
			p.comma()
		}
		all = all.then(transformOf(name, append(args, make([]float64, 6-len(args))...), len(args)))
	}
	return all
}

// transformOf returns one transformation, given its first n arguments and zeros.
func transformOf(name string, v []float64, n int) matrix {
	switch name {
	case "translate":
		return matrix{1, 0, 0, 1, v[0], v[1]}
	case "scale":
		if n == 1 {
			v[1] = v[0]
		}
		return matrix{v[0], 0, 0, v[1], 0, 0}
	case "rotate":
		sin, cos := math.Sincos(v[0] * math.Pi / 180)
		around := matrix{1, 0, 0, 1, v[1], v[2]}
		return around.then(matrix{cos, sin, -sin, cos, 0, 0}).then(matrix{1, 0, 0, 1, -v[1], -v[2]})
	case "skewX":
		return matrix{1, 0, math.Tan(v[0] * math.Pi / 180), 1, 0, 0}
	case "skewY":
		return matrix{1, math.Tan(v[0] * math.Pi / 180), 0, 1, 0, 0}
	}
	return matrix(v[:6])
}
