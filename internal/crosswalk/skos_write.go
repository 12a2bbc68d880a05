package crosswalk

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy"
)

// Format is a syntax of RDF.
type Format string

// The formats.
const (
	Turtle Format = "turtle"
	JSONLD Format = "json-ld"
)

// ContentType returns the media type of a format.
func (f Format) ContentType() string {
	if f == JSONLD {
		return "application/ld+json; charset=utf-8"
	}
	return "text/turtle; charset=utf-8"
}

// EncodeSKOS returns a release in a format. IRIs are the addresses of its pages below a base
// URL; without one they are URNs. The same release gives the same bytes.
func EncodeSKOS(r *taxonomy.Release, f Format, base string) []byte {
	if f == JSONLD {
		return jsonLD(r, base)
	}
	return turtle(r, base)
}

// prefixes are those of the names that this package uses.
var prefixes = [][2]string{
	{"dcterms", "http://purl.org/dc/terms/"},
	{"owl", "http://www.w3.org/2002/07/owl#"},
	{"rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"},
	{"rdfs", "http://www.w3.org/2000/01/rdf-schema#"},
	{"skos", "http://www.w3.org/2004/02/skos/core#"},
	{"xsd", "http://www.w3.org/2001/XMLSchema#"},
}

// prefixed reports whether an IRI is one of the names of this package, which are constants:
// IRIs of a release have the scheme urn, http or https.
func prefixed(iri string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(iri, p[0]+":") {
			return true
		}
	}
	return false
}

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

// cleanText replaces what is not a character of XML with U+FFFD.
func cleanText(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0xFFFE || r == 0xFFFF {
			return '\uFFFD'
		}
		return r
	}, s)
}

func jsonLD(r *taxonomy.Release, base string) []byte {
	b := []byte(`{"@context":{`)
	for i, p := range prefixes {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jcs.AppendQuote(b, p[0]), ':')
		b = jcs.AppendQuote(b, p[1])
	}
	b = append(b, `},"@graph":[`...)
	first := true
	walk(r, base, func(n *node) {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, "\n{\"@id\":"...)
		b = jcs.AppendQuote(b, n.iri)
		for _, p := range n.properties {
			name, of := p.name, appendValue
			if name == "a" {
				name, of = "@type", func(b []byte, t term) []byte { return jcs.AppendQuote(b, t.iri) }
			}
			b = append(jcs.AppendQuote(append(b, ','), name), ':')
			b = appendArray(b, p.values, of)
		}
		b = append(b, '}')
	})
	return append(b, "\n]}\n"...)
}

func appendArray(b []byte, values []term, of func([]byte, term) []byte) []byte {
	b = append(b, '[')
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = of(b, v)
	}
	return append(b, ']')
}

func appendValue(b []byte, t term) []byte {
	switch {
	case t.list != nil:
		return append(appendArray(append(b, `{"@list":`...), t.list, appendValue), '}')
	case t.iri != "":
		return append(jcs.AppendQuote(append(b, `{"@id":`...), t.iri), '}')
	}
	b = jcs.AppendQuote(append(b, `{"@value":`...), cleanText(t.text))
	switch {
	case t.lang != "":
		b = jcs.AppendQuote(append(b, `,"@language":`...), t.lang)
	case t.datatype != "":
		b = jcs.AppendQuote(append(b, `,"@type":`...), t.datatype)
	}
	return append(b, '}')
}
