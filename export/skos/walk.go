package skos

import (
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
)

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
