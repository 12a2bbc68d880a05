// Package skos writes a release as SKOS, in Turtle and JSON-LD.
//
// # Experimental
//
// This package may change in a minor version.
package skos

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// Syntax is a syntax of RDF.
type Syntax string

// The syntaxes.
const (
	Turtle Syntax = "turtle"
	JSONLD Syntax = "json-ld"
)

// ContentType returns the media type of a syntax.
func (s Syntax) ContentType() string {
	if s == JSONLD {
		return "application/ld+json; charset=utf-8"
	}
	return "text/turtle; charset=utf-8"
}

// Encode returns a release in a syntax. IRIs are the addresses of its pages below a base
// URL; without one they are URNs. The same release gives the same bytes.
//
// In SKOS, the vocabulary of the W3C for taxonomies, a version is a concept scheme. Its
// categories are the top concepts and its elements the narrower concepts; values of contexts
// and options of variables are concepts, too, in the collections that contexts and variables
// are. Subchains are collections of categories. Entries of other schemes are concepts of a
// concept scheme of their own, which mappings refer to.
func Encode(r *taxonomy.Release, s Syntax, base string) ([]byte, error) {
	switch s {
	case Turtle:
		return turtle(r, base), nil
	case JSONLD:
		return jsonLD(r, base), nil
	}
	return nil, fmt.Errorf("skos: the syntax %q is not known; use %s or %s", s, Turtle, JSONLD)
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

// cleanText replaces what is not a character of XML with U+FFFD.
func cleanText(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0xFFFE || r == 0xFFFF {
			return '\uFFFD'
		}
		return r
	}, s)
}
