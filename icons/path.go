package icons

// parsePath reads path data and writes it canonically: implicit lines after a
// move are named, repeated commands are not, numbers are as short as they get.
// Relative commands stay relative.
func parsePath(s string) (string, bool) {
	w := pathWriter{out: joiner{packed: true}}
	ok := readPath(s, w.segment)
	return w.out.b.String(), ok
}

// readPath reads path data and hands over its segments, each with its command.
// It reports whether all of it could be read.
func readPath(s string, segment func(command byte, args []float64)) bool {
	p := &scanner{s: s}
	first := true
	for p.space(); !p.done(); p.space() {
		command := p.peek()
		if _, known := pathArgs(command); !known || first && command|0x20 != 'm' {
			return false
		}
		first = false
		p.i++
		if !readSegments(p, command, segment) {
			return false
		}
	}
	return true
}

// pathArgs returns how many numbers a command of path data takes.
func pathArgs(command byte) (int, bool) {
	switch command | 0x20 {
	case 'm', 'l', 't':
		return 2, true
	case 'h', 'v':
		return 1, true
	case 'q', 's':
		return 4, true
	case 'c':
		return 6, true
	case 'a':
		return 7, true
	case 'z':
		return 0, true
	}
	return 0, false
}

// readSegments reads the segments of one command, of which there may be many:
// l1 1 2 2.
func readSegments(p *scanner, command byte, segment func(command byte, args []float64)) bool {
	n, _ := pathArgs(command)
	if n == 0 {
		segment(command, nil)
		return true
	}
	p.space()
	for more := true; more; {
		args, ok := pathSegment(p, command, n)
		if !ok {
			return false
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

// pathSegment reads the n numbers of one segment.
func pathSegment(p *scanner, command byte, n int) ([]float64, bool) {
	args := make([]float64, n)
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
			return nil, false
		}
	}
	return args, true
}

// pathWriter writes the segments of path data.
type pathWriter struct {
	out  joiner
	last byte // the command of the segment before, or 0
}

func (w *pathWriter) segment(command byte, args []float64) {
	if command != w.last || command|0x20 == 'm' || command|0x20 == 'z' {
		w.out.mark(string(command))
	}
	w.last = command
	for _, v := range args {
		w.out.number(v)
	}
}

// parsePoints reads the points of a polyline or polygon.
func parsePoints(s string) (string, bool) {
	p := &scanner{s: s}
	list, ok := p.numbers()
	if !ok || len(list)%2 != 0 {
		return "", false
	}
	var out joiner
	for _, v := range list {
		out.number(v)
	}
	return out.b.String(), true
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
		args, ok := transformArgs(p)
		if !ok || !transformTakes(name, len(args)) {
			return "", false
		}
		if out.b.Len() > 0 {
			out.mark(" ")
		}
		out.mark(name + "(")
		for _, v := range args {
			out.number(v)
		}
		out.mark(")")
		if p.comma() && p.done() {
			return "", false
		}
	}
	return out.b.String(), true
}

// transformArgs reads up to six numbers and the parenthesis after them.
func transformArgs(p *scanner) ([]float64, bool) {
	var args []float64
	p.space()
	for len(args) < 6 {
		v, ok := p.number()
		if !ok {
			return nil, false
		}
		args = append(args, v)
		comma := p.comma()
		if p.accept(')') {
			return args, !comma
		}
	}
	return nil, false
}

// transformTakes reports whether a transformation takes n numbers.
func transformTakes(name string, n int) bool {
	switch name {
	case "matrix":
		return n == 6
	case "translate", "scale":
		return n == 1 || n == 2
	case "rotate":
		return n == 1 || n == 3
	case "skewX", "skewY":
		return n == 1
	}
	return false
}
