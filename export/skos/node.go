package skos

import (
	"regexp"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
)

// term is a value: an IRI, a literal with a language or a datatype or none, or a list.
type term struct {
	iri                  string
	text, lang, datatype string
	list                 []term
}

// property is a predicate, as a prefixed name, and its values.
type property struct {
	name   string
	values []term
}

// node is a subject with its properties. The first one is its types.
type node struct {
	iri        string
	properties []property
}

func newNode(iri string, types ...string) *node {
	n := &node{iri: iri}
	for _, t := range types {
		n.add("a", term{iri: t})
	}
	return n
}

// add adds values to the property with the name.
func (n *node) add(name string, values ...term) {
	if len(values) == 0 {
		return
	}
	for i := range n.properties {
		if n.properties[i].name == name {
			n.properties[i].values = append(n.properties[i].values, values...)
			return
		}
	}
	n.properties = append(n.properties, property{name, values})
}

// texts adds a text in all its languages.
func (n *node) texts(name string, l taxonomy.Localized) {
	for _, t := range l {
		if strings.TrimSpace(t.Value) != "" {
			n.add(name, term{text: t.Value, lang: languageTag(t.Locale)})
		}
	}
}

// text adds a text without a language, unless it is empty.
func (n *node) text(name, text string) {
	if text != "" {
		n.add(name, term{text: text})
	}
}

var wellFormedTag = regexp.MustCompile(`^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$`)

// languageTag returns a locale as a language tag, or "" if it can't be one.
func languageTag(locale string) string {
	tag := strings.ReplaceAll(locale, "_", "-")
	if !wellFormedTag.MatchString(tag) {
		return ""
	}
	return tag
}

// webIRI returns the address of a web page as an IRI. What an IRI must not contain is
// percent-encoded.
func webIRI(address string) (string, bool) {
	if !ident.IsURL(address) {
		return "", false
	}
	var b strings.Builder
	for i := range len(address) {
		if c := address[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("<>\"{}|^`\\", c) >= 0 {
			b.WriteString("%" + string("0123456789ABCDEF"[c>>4]) + string("0123456789ABCDEF"[c&15]))
		} else {
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

var spdxID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.+-]*$`)

// licence adds a licence, which is a URL or an SPDX expression, and whom to credit.
func (n *node) licence(licence, attribution string) {
	if iri, ok := webIRI(licence); ok {
		n.add("dcterms:license", term{iri: iri})
	} else if spdxID.MatchString(licence) {
		n.add("dcterms:license", term{iri: "https://spdx.org/licenses/" + licence})
	} else {
		n.text("dcterms:rights", licence)
	}
	n.text("dcterms:rightsHolder", attribution)
}

// label adds what concepts and collections have in common.
func (n *node) label(id string, label, definition taxonomy.Localized) {
	n.texts("skos:prefLabel", label)
	n.texts("skos:definition", definition)
	n.add("skos:notation", term{text: id})
}

func (n *node) deprecated() {
	n.add("owl:deprecated", term{text: "true", datatype: "xsd:boolean"})
}

// sources adds where statements come from: an address if there is one, else a citation.
func (n *node) sources(sources []taxonomy.Source) {
	for _, s := range sources {
		if iri, ok := webIRI(s.URL); ok {
			n.add("dcterms:source", term{iri: iri})
		} else if s.Citation != "" {
			n.text("dcterms:bibliographicCitation", s.Citation)
		} else {
			n.text("dcterms:bibliographicCitation", s.Title)
		}
	}
}
