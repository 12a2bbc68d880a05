package lsp

import (
	"context"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/jsonedit"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// place is what the value at a path means.
type place int

const (
	otherPlace place = iota
	versionPlace
	elementPlace          // the element_id of a placement
	contextPlace          // its context_type_id
	variablePlace         // the id of a variable value
	optionPlace           // an option id in the value of a select variable
	localePlace           // the locale of a text
	subchainPlace         // the subchain_id of a subchain instance
	subchainInstancePlace // the subchain_instance_id of a placement
	headPlace             // an entry of head_refs
	provenancePlace       // a key of element_provenance, as a path
	rationalePlace        // a key of variable_rationale, as a path
	categoryPlace         // the category_id of an element in the document
	actionTypePlace
	confidencePlace
	provenanceKindPlace
)

// placeOf returns what the value at a path means.
func placeOf(path issue.Path) place {
	switch form := formOf(path); form {
	case "schema_version":
		return versionPlace
	case "elements[].element_id":
		return elementPlace
	case "elements[].context_type_id":
		return contextPlace
	case "elements[].variables[].id":
		return variablePlace
	case "elements[].variables[].value[]":
		return optionPlace
	case "elements[].subchain_instance_id":
		return subchainInstancePlace
	case "elements[].actions[].type":
		return actionTypePlace
	case "subchain_instances[].subchain_id":
		return subchainPlace
	case "subchain_instances[].head_refs[]":
		return headPlace
	case "authoring_provenance.kind":
		return provenanceKindPlace
	case "authoring_provenance.element_provenance.*":
		return provenancePlace
	case "authoring_provenance.element_provenance.*.confidence":
		return confidencePlace
	case "authoring_provenance.element_provenance.*.variable_rationale.*":
		return rationalePlace
	case "schema_snapshot.elements[].category_id", "suggested_elements[].category_id", "schema_snapshot.datachain_type.categories[]":
		return categoryPlace
	default:
		if strings.HasSuffix(form, "[].locale") {
			return localePlace
		}
		return otherPlace
	}
}

// formOf returns a path without its indexes and without the keys of maps:
// elements[].variables[].id.
func formOf(path issue.Path) string {
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
	return b.String()
}

// query is a request about a document, with its text as it was when the request
// arrived.
type query struct {
	session *session
	root    *root
	text    *text
	// schema is the version that the document pins, or nil if that is not
	// published.
	schema *datachain.Schema
	// files is the source, or nil.
	files *files
}

// newQuery opens the version that a document pins. That it is not published is not an
// error: what does not need it still works.
func newQuery(ctx context.Context, s *session, doc snapshot) (*query, error) {
	q := &query{session: s, root: doc.root, text: doc.text, files: doc.files}
	pin, _ := q.text.tree().Root().Get("schema_version")
	if _, err := taxonomy.ParseVersion(pin.Text()); err != nil {
		return q, nil //nolint:nilerr // a finding says so
	}
	schema, err := q.root.releases.Service.Open(ctx, pin.Text())
	if err == nil {
		q.schema = schema
	}
	return q, ctx.Err()
}

func (q *query) document() jsonedit.Node { return q.text.tree().Root() }

// pick returns a text in the language of the user.
func (q *query) pick(l taxonomy.Localized) string { return l.Pick(q.session.client.locales...) }

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

// option returns the option of a variable with an id, or nil.
func option(v *taxonomy.Variable, id string) *taxonomy.Option {
	for i := range v.Options {
		if v.Options[i].ID == id {
			return &v.Options[i]
		}
	}
	return nil
}
