package icons

import "slices"

// parsePath reads path data and writes it in canonical form: implicit lines after a move
// are named, repeated commands are not, and numbers are as short as possible. Relative
// commands stay relative.
func parsePath(s string) (string, bool) {
	out := joiner{packed: true}
	var last byte
	ok := readPath(s, func(command byte, args []float64) {
		if command != last || command|0x20 == 'm' || command|0x20 == 'z' {
			out.mark(string(command))
		}
		last = command
		out.numbers(args...)
	})
	return out.String(), ok
}

// readPath reads path data, passes on its segments, each with its command, and reports
// whether the data is valid. The arguments are valid until segment returns.
func readPath(s string, segment func(command byte, args []float64)) bool {
	p := &scanner{s: s}
	var args [7]float64
	first := true
	for p.space(); !p.done(); p.space() {
		command := p.peek()
		n, known := pathArgs[command|0x20]
		if !known || first && command|0x20 != 'm' {
			return false
		}
		first = false
		p.i++
		if n == 0 {
			segment(command, nil)
		} else if !readSegments(p, command, args[:n], segment) {
			return false
		}
	}
	return true
}

// pathArgs is how many numbers each command takes.
var pathArgs = map[byte]int{'m': 2, 'l': 2, 't': 2, 'h': 1, 'v': 1, 'q': 4, 's': 4, 'c': 6, 'a': 7, 'z': 0}

// readSegments reads the segments of one command, which may have several: l1 1 2 2. It
// uses args for the numbers of a segment.
func readSegments(p *scanner, command byte, args []float64, segment func(command byte, args []float64)) bool {
	p.space()
	for more := true; more; {
		for i := range args {
			if i > 0 {
				p.comma()
			}
			read := p.number
			if command|0x20 == 'a' && (i == 3 || i == 4) {
				read = p.flag
			}
			var ok bool
			if args[i], ok = read(); !ok {
				return false
			}
		}
		segment(command, args)
		switch command { // further pairs after a move are lines
		case 'M':
			command = 'L'
		case 'm':
			command = 'l'
		}
		comma := p.comma()
		if more = p.atNumber(); comma && !more {
			return false
		}
	}
	return true
}

// parsePoints reads the points of a polyline or polygon.
func parsePoints(s string) (string, bool) {
	p := &scanner{s: s}
	list, ok := p.numbers()
	var out joiner
	out.numbers(list...)
	return out.String(), ok && len(list)%2 == 0
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
