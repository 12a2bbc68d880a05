// Package skos writes a release as SKOS, in Turtle and JSON-LD.
//
// # Experimental
//
// This package may change in a minor version.
package skos

import (
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/jcs"
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

// walker visits the nodes of a release.
type walker struct {
	release *taxonomy.Release
	root    string // the IRI of the version, below which all others are
	visit   func(*node)
}

// walk visits the nodes of a release in a fixed order. IRIs are the addresses of pages below
// a base URL; without one they are URNs.
func walk(r *taxonomy.Release, base string, visit func(*node)) {
	root := "urn:datachain:"
	if base != "" {
		root = strings.TrimSuffix(base, "/") + "/t/"
	}
	w := &walker{r, root + r.Version().String(), visit}
	w.scheme()
	for _, c := range r.Categories() {
		w.category(c)
		for _, e := range r.ElementsOf(c.ID) {
			w.element(c, e)
		}
	}
	for i := range r.Manifest().Removed {
		w.removed(&r.Manifest().Removed[i])
	}
	w.otherSchemes()
}

func (w *walker) iri(parts ...string) string {
	var b strings.Builder
	b.WriteString(w.root)
	for _, part := range parts {
		b.WriteString("/" + url.PathEscape(part))
	}
	return b.String()
}

func (w *walker) link(parts ...string) term { return term{iri: w.iri(parts...)} }

// entry returns the IRI of an entry of another scheme.
func (w *walker) entry(m *taxonomy.Mapping) string {
	return w.iri("s", m.Scheme) + "#" + url.PathEscape(m.ID)
}

func (w *walker) scheme() {
	m, t := w.release.Manifest(), w.release.Type()
	n := newNode(w.root, "skos:ConceptScheme")
	n.texts("dcterms:title", m.Title)
	n.texts("dcterms:description", m.Description)
	n.texts("dcterms:alternative", t.Name)
	n.texts("skos:changeNote", m.Notes)
	n.add("dcterms:identifier", term{text: m.ContentHash.String()})
	n.add("owl:versionInfo", term{text: w.release.Version().String()})
	for _, locale := range m.Locales {
		n.text("dcterms:language", languageTag(locale))
	}
	n.licence(m.Licence, m.Attribution)
	for _, c := range w.release.Categories() {
		n.add("skos:hasTopConcept", w.link("c", c.ID))
	}
	w.visit(n)
	for _, s := range t.Subchains {
		part := newNode(w.iri("part", s.ID), "skos:Collection")
		part.label(s.ID, s.Name, nil)
		part.add("skos:inScheme", term{iri: w.root})
		for _, id := range s.Categories {
			part.add("skos:member", w.link("c", id))
		}
		w.visit(part)
	}
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

func (w *walker) concept(iri, id string, label, definition taxonomy.Localized) *node {
	n := newNode(iri, "skos:Concept")
	n.label(id, label, definition)
	n.add("skos:inScheme", term{iri: w.root})
	return n
}

func (w *walker) category(c *taxonomy.Category) {
	n := w.concept(w.iri("c", c.ID), c.ID, c.Name, c.Description)
	n.add("skos:topConceptOf", term{iri: w.root})
	n.texts("skos:note", c.Prompt)
	n.texts("skos:scopeNote", c.AuthoringGuidance)
	for _, e := range w.release.ElementsOf(c.ID) {
		n.add("skos:narrower", w.link("e", e.ID))
	}
	n.sources(c.Sources)
	w.mappings(n, c.Mappings)
	w.visit(n)
	if len(c.Context.Values) > 0 {
		w.context(c)
	}
	for i := range c.Variables {
		w.variable(&c.Variables[i], "c", c.ID)
	}
}

// context visits the values of a context, and the collection of them, which is ordered if
// the values are.
func (w *walker) context(c *taxonomy.Category) {
	in := []string{"c", c.ID, "context"}
	kind := "skos:Collection"
	if c.Context.Order != "" {
		kind = "skos:OrderedCollection"
	}
	n := newNode(w.iri(in...), kind)
	n.texts("skos:prefLabel", c.Context.Name)
	n.texts("skos:definition", c.Context.Description)
	n.text("skos:notation", c.Context.ID)
	n.add("dcterms:isPartOf", w.link("c", c.ID))
	var members []term
	for _, v := range c.Context.Values {
		members = append(members, w.link(append(in[:3:3], v.ID)...))
	}
	n.add("skos:member", members...)
	if c.Context.Order != "" {
		n.add("skos:memberList", term{list: members})
	}
	w.visit(n)
	for i, v := range c.Context.Values {
		w.visit(w.concept(members[i].iri, v.ID, v.Label, v.Description))
	}
}

// variable visits a variable of a category or an element. It is a property, and the
// collection of its options, if it has some.
func (w *walker) variable(v *taxonomy.Variable, owner ...string) {
	in := slices.Concat(owner, []string{"v", v.ID})
	n := newNode(w.iri(in...), "rdf:Property")
	if len(v.Options) > 0 {
		n.add("a", term{iri: "skos:Collection"})
	}
	n.texts("rdfs:label", v.Label)
	n.add("skos:notation", term{text: v.ID})
	n.add("dcterms:isPartOf", w.link(owner...))
	n.sources(v.Sources)
	for _, o := range v.Options {
		n.add("skos:member", w.link(append(in[:4:4], o.ID)...))
	}
	w.visit(n)
	for _, o := range v.Options {
		option := w.concept(w.iri(append(in[:4:4], o.ID)...), o.ID, o.Label, o.Description)
		option.sources(o.Sources)
		w.visit(option)
	}
}

func (w *walker) element(c *taxonomy.Category, e *taxonomy.Element) {
	n := w.concept(w.iri("e", e.ID), e.ID, e.Title, e.Description)
	n.add("skos:broader", w.link("c", c.ID))
	for _, t := range e.Keywords {
		if title, _ := e.Title.Get(t.Locale); title != t.Value { // a label is either preferred or hidden
			n.texts("skos:hiddenLabel", taxonomy.Localized{t})
		}
	}
	n.texts("skos:scopeNote", e.AuthoringGuidance)
	for _, example := range e.Examples {
		n.texts("skos:example", example)
	}
	if e.Deprecated() {
		n.deprecated()
	}
	w.replaced(n, e.ReplacedBy)
	n.sources(e.Sources)
	w.mappings(n, e.Mappings)
	w.visit(n)
	for i := range e.Variables {
		if v := &e.Variables[i]; !inherited(c, v) {
			w.variable(v, "e", e.ID)
		}
	}
}

// inherited reports whether a variable of an element is that of its category.
func inherited(c *taxonomy.Category, v *taxonomy.Variable) bool {
	return slices.ContainsFunc(c.Variables, func(of taxonomy.Variable) bool { return reflect.DeepEqual(of, *v) })
}

func (n *node) deprecated() {
	n.add("owl:deprecated", term{text: "true", datatype: "xsd:boolean"})
}

func (w *walker) replaced(n *node, by []taxonomy.Successor) {
	for _, s := range by {
		n.add("dcterms:isReplacedBy", w.link("e", s.ID))
		n.texts("skos:changeNote", s.Note)
	}
}

// removed visits an element of earlier versions. It is not in the scheme.
func (w *walker) removed(r *taxonomy.Removal) {
	n := newNode(w.iri("e", r.ID), "skos:Concept")
	n.add("skos:notation", term{text: r.ID})
	n.deprecated()
	n.texts("skos:changeNote", r.Note)
	w.replaced(n, r.ReplacedBy)
	w.visit(n)
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

// relations are the properties of SKOS for mappings. The entry of the scheme is the value,
// so a broad entry is the broader of the two.
var relations = map[taxonomy.Relation]string{
	codes.RelationExact: "skos:exactMatch", codes.RelationClose: "skos:closeMatch",
	codes.RelationBroad: "skos:broadMatch", codes.RelationNarrow: "skos:narrowMatch",
	codes.RelationRelated: "skos:relatedMatch",
}

func (w *walker) mappings(n *node, mappings []taxonomy.Mapping) {
	for i := range mappings {
		m := &mappings[i]
		if name := relations[m.Relation]; name != "" {
			n.add(name, term{iri: w.entry(m)})
			n.texts("skos:note", m.Note)
		}
	}
}

// otherSchemes visits the schemes that mappings refer to, and their entries.
func (w *walker) otherSchemes() {
	entries := make(map[string][]*taxonomy.Mapping) // by scheme
	seen := make(map[string]bool)
	collect := func(mappings []taxonomy.Mapping) {
		for i := range mappings {
			if iri := w.entry(&mappings[i]); !seen[iri] {
				seen[iri] = true
				entries[mappings[i].Scheme] = append(entries[mappings[i].Scheme], &mappings[i])
			}
		}
	}
	for _, c := range w.release.Categories() {
		collect(c.Mappings)
		for _, e := range w.release.ElementsOf(c.ID) {
			collect(e.Mappings)
		}
	}
	for _, s := range w.release.Manifest().Schemes {
		n := newNode(w.iri("s", s.ID), "skos:ConceptScheme")
		n.texts("dcterms:title", s.Title)
		n.add("dcterms:identifier", term{text: s.ID})
		n.text("owl:versionInfo", s.Version)
		if iri, ok := webIRI(s.URL); ok {
			n.add("dcterms:source", term{iri: iri})
		}
		w.visit(n)
		for _, m := range entries[s.ID] {
			entry := newNode(w.entry(m), "skos:Concept")
			entry.add("skos:notation", term{text: m.ID})
			entry.add("skos:inScheme", w.link("s", s.ID))
			w.visit(entry)
		}
	}
}

// Syntax is a syntax of RDF.
type Syntax string

// The formats.
const (
	Turtle Syntax = "turtle"
	JSONLD Syntax = "json-ld"
)

// ContentType returns the media type of a format.
func (f Syntax) ContentType() string {
	if f == JSONLD {
		return "application/ld+json; charset=utf-8"
	}
	return "text/turtle; charset=utf-8"
}

// Encode returns a release in a format. IRIs are the addresses of its pages below a base
// URL; without one they are URNs. The same release gives the same bytes.
//
// In SKOS, the vocabulary of the W3C for taxonomies, a version is a concept scheme. Its
// categories are the top concepts and its elements the narrower concepts; values of contexts
// and options of variables are concepts, too, in the collections that contexts and variables
// are. Subchains are collections of categories. Entries of other schemes are concepts of a
// concept scheme of their own, which mappings refer to.
func Encode(r *taxonomy.Release, f Syntax, base string) ([]byte, error) {
	switch f {
	case Turtle:
		return turtle(r, base), nil
	case JSONLD:
		return jsonLD(r, base), nil
	}
	return nil, fmt.Errorf("skos: the syntax %q is not known; use %s or %s", f, Turtle, JSONLD)
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
