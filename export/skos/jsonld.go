package skos

import (
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy"
)

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
