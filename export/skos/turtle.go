package skos

import (
	"fmt"

	"github.com/datachain-go/datachain/taxonomy"
)

func turtle(r *taxonomy.Release, base string) []byte {
	var b []byte
	for _, p := range prefixes {
		b = fmt.Appendf(b, "@prefix %s: <%s> .\n", p[0], p[1])
	}
	walk(r, base, func(n *node) {
		b = append(append(append(b, "\n<"...), n.iri...), '>')
		for i, p := range n.properties {
			if i > 0 {
				b = append(b, " ;\n   "...)
			}
			b = append(append(b, ' '), p.name...)
			for k, v := range p.values {
				if k > 0 {
					b = append(b, " ,"...)
				}
				b = appendTurtle(append(b, ' '), v)
			}
		}
		b = append(b, " .\n"...)
	})
	return b
}

func appendTurtle(b []byte, t term) []byte {
	switch {
	case t.list != nil:
		b = append(b, '(')
		for _, item := range t.list {
			b = appendTurtle(append(b, ' '), item)
		}
		return append(b, " )"...)
	case prefixed(t.iri):
		return append(b, t.iri...)
	case t.iri != "":
		return append(append(append(b, '<'), t.iri...), '>')
	}
	b = appendLiteral(b, t.text)
	switch {
	case t.lang != "":
		b = append(append(b, '@'), t.lang...)
	case t.datatype != "":
		b = append(append(b, "^^"...), t.datatype...)
	}
	return b
}

// appendLiteral appends a string in quotes. Characters that XML can't have either are
// replaced: many tools refuse them, however they are written.
func appendLiteral(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range cleanText(s) {
		switch r {
		case '"', '\\':
			b = append(b, '\\', byte(r))
		case '\n':
			b = append(b, `\n`...)
		case '\r':
			b = append(b, `\r`...)
		case '\t':
			b = append(b, `\t`...)
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}
