package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/authoring/outline"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// What the value at a path means, by [placeOf].
const (
	versionPlace          = "schema_version"
	elementPlace          = "elements[].element_id"
	contextPlace          = "elements[].context_type_id"
	variablePlace         = "elements[].variables[].id"
	optionPlace           = "elements[].variables[].value[]" // of a select variable
	subchainInstancePlace = "elements[].subchain_instance_id"
	subchainPlace         = "subchain_instances[].subchain_id"
	headPlace             = "subchain_instances[].head_refs[]"
	provenanceKindPlace   = "authoring_provenance.kind"
	provenancePlace       = "authoring_provenance.element_provenance.*"                      // a key, as a path
	rationalePlace        = "authoring_provenance.element_provenance.*.variable_rationale.*" // likewise
	localePlace           = "[].locale"                                                      // of any text
	categoryPlace         = "schema_snapshot.elements[].category_id"                         // or another one in the document
)

// placeOf returns a path without its indexes and without the keys of maps:
// elements[].variables[].id. Places that mean the same are one.
func placeOf(path issue.Path) string {
	var b strings.Builder
	for i, step := range path {
		if _, isIndex := step.IsIndex(); isIndex {
			b.WriteString("[]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		if i > 0 && (path[i-1].Name() == "element_provenance" || path[i-1].Name() == "variable_rationale") {
			b.WriteByte('*')
		} else {
			b.WriteString(step.Name())
		}
	}
	switch place := b.String(); {
	case strings.HasSuffix(place, localePlace):
		return localePlace
	case place == "suggested_elements[].category_id", place == "schema_snapshot.datachain_type.categories[]":
		return categoryPlace
	default:
		return place
	}
}

// query is a request about a document, with its text as it was when the request
// arrived.
type query struct {
	session  *session
	releases *openReleases
	text     *text
	// schema is the version that the document pins, or nil if that is not
	// published.
	schema *datachain.Schema
	// files is the source, or nil.
	files   *files
	locales []string // of the user, the preferred one first
}

// newQuery opens the version that a document pins. That it is not published is not an
// error: what does not need it still works.
func newQuery(ctx context.Context, s *session, doc snapshot) (*query, error) {
	q := &query{session: s, releases: doc.releases, text: doc.text, files: doc.files, locales: s.localesOf(doc.text.at)}
	if _, err := taxonomy.ParseVersion(q.pin()); err != nil {
		return q, nil //nolint:nilerr // a finding says so
	}
	schema, err := q.releases.Service.Open(ctx, q.pin())
	if err == nil {
		q.schema = schema
	}
	return q, ctx.Err()
}

func (q *query) document() document.Value { return q.text.tree().Root() }

// pin returns the schema_version of the document, or "".
func (q *query) pin() string {
	n, _ := q.document().Get("schema_version")
	return n.Text()
}

// pick returns a text in the language of the user.
func (q *query) pick(l taxonomy.Localized) string { return l.Pick(q.locales...) }

// element returns an element of the version that the document pins, or nil.
func (q *query) element(id string) *taxonomy.Element {
	if q.schema == nil {
		return nil
	}
	e, _ := q.schema.Release().Element(id)
	return e
}

// category returns a category of the version that the document pins, or nil.
func (q *query) category(id string) *taxonomy.Category {
	if q.schema == nil {
		return nil
	}
	c, _ := q.schema.Release().Category(id)
	return c
}

// placed returns the element that is placed at or around a path, or nil.
func (q *query) placed(path issue.Path) *taxonomy.Element {
	if len(path) < 2 || path[0].Name() != "elements" {
		return nil
	}
	n, _ := q.text.tree().Find(path[:2].Key("element_id"))
	return q.element(n.Text())
}

// variable returns the variable whose value is at or around a path, or nil.
func (q *query) variable(path issue.Path) *taxonomy.Variable {
	e := q.placed(path)
	if e == nil || len(path) < 4 {
		return nil
	}
	n, _ := q.text.tree().Find(path[:4].Key("id"))
	v, _ := e.Variable(n.Text())
	return v
}

// provenanceOf returns the element that a key of element_provenance names: an
// element_instance_id or an element_id.
func (q *query) provenanceOf(key string) *taxonomy.Element {
	list, _ := q.document().Get("elements")
	for p := range list.All() {
		if id, _ := p.Get("element_instance_id"); id.Text() == key && key != "" {
			placed, _ := p.Get("element_id")
			return q.element(placed.Text())
		}
	}
	return q.element(key)
}

// option returns the option with an id of the variable whose value is at a path, or nil.
func (q *query) option(path issue.Path, id string) *taxonomy.Option {
	if v := q.variable(path); v != nil {
		for i := range v.Options {
			if v.Options[i].ID == id {
				return &v.Options[i]
			}
		}
	}
	return nil
}

// context returns the context of the element that is placed at or around a path, or nil.
func (q *query) context(path issue.Path) *taxonomy.Context {
	if e := q.placed(path); e != nil {
		if c := q.category(e.CategoryID); c != nil {
			return &c.Context
		}
	}
	return nil
}

// atCursor returns the id at a cursor: a key or a value.
func atCursor(at document.Cursor) string {
	if at.Role == document.RoleKey {
		return at.Value.Key()
	}
	return at.Value.Text()
}

// outline returns the outline of the version that the document pins, or nil if it is not in
// the source.
func (q *query) outline() *outline.Outline {
	if q.files == nil || q.schema == nil {
		return nil
	}
	outline, _ := q.releases.outlines.get(q.files, q.schema.Release().Version()) // nil with an error
	return outline
}

// sourceQuery is a request about a file of the source.
type sourceQuery struct {
	*query  // without a version that is pinned
	file    string
	outline *outline.Outline
}

// newSourceQuery reads the outline of the version that a file belongs to.
func (s *session) newSourceQuery(doc snapshot) (*sourceQuery, error) {
	q := &sourceQuery{file: doc.file.path, outline: new(outline.Outline), query: &query{
		session: s, releases: doc.releases, text: doc.text, files: doc.files, locales: s.localesOf(doc.text.at),
	}}
	v := doc.file.version
	if v.IsZero() { // of an evolution.yaml: the newest version has the ids that entries lead to
		versions, _, err := source.Versions(doc.files)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(versions, func(of taxonomy.Version) bool { return of.Type() == evolutionType(doc.file.path) })
		if i < 0 {
			return q, nil
		}
		v = versions[i]
	}
	var err error
	q.outline, err = doc.releases.outlines.get(doc.files, v)
	return q, err
}

// target returns what is defined or meant at a position, or nil.
func (q *sourceQuery) target(p position) *outline.Definition {
	d, ref := q.outline.At(q.file, q.text.lines().offset(p))
	if ref != nil {
		return ref.Definition
	}
	return d
}

// walk calls visit for a node and all below it, in the order of the text, until visit
// returns false.
func (q *query) walk(ctx context.Context, n document.Value, visit func(document.Value) bool) bool {
	if ctx.Err() != nil || !visit(n) {
		return false
	}
	for child := range n.All() {
		if !q.walk(ctx, child, visit) {
			return false
		}
	}
	return true
}
