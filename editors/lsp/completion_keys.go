package lsp

import (
	"cmp"
	"slices"
	"time"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// keys offers the keys that an object still lacks, the required ones first.
func (q *query) keys(at document.Cursor) []proposal {
	taken := make(map[string]bool)
	for n := range at.Siblings() {
		taken[n.Key()] = true
	}
	var proposals []proposal
	switch placeOf(at.Path.Key("*")) {
	case provenancePlace:
		proposals = q.placementIDs(false)
	case rationalePlace:
		if e := q.provenanceOf(at.Path[len(at.Path)-2].Name()); e != nil {
			for i := range e.Variables {
				proposals = append(proposals, q.variableProposal(&e.Variables[i]))
			}
		}
	default:
		proposals = q.fields(at.Path)
	}
	proposals = slices.DeleteFunc(proposals, func(c proposal) bool { return taken[c.id] })
	for i := range proposals {
		proposals[i].text = q.keyText(at, proposals[i].id)
	}
	return proposals
}

// fields returns the fields of an object by its shape. Those that only resolved
// documents have are offered in these alone: a person does not write them.
func (q *query) fields(path issue.Path) []proposal {
	_, resolved := q.document().Get("schema_snapshot")
	return slices.DeleteFunc(fieldsOf(documentShape().at(path)), func(c proposal) bool {
		return len(path) == 0 && !resolved && (c.id == "schema_snapshot" || c.id == "suggested_elements")
	})
}

// fieldsOf returns the fields of an object that has one of the shapes, the required
// ones first.
func fieldsOf(shapes []*shape) []proposal {
	var required, others []proposal
	seen := make(map[string]bool)
	for _, s := range shapes {
		for _, p := range s.Properties {
			if seen[p.name] {
				continue
			}
			seen[p.name] = true
			c := proposal{id: p.name, kind: itemProperty, description: p.shape.Description}
			if slices.Contains(s.Required, p.name) {
				c.group = "required"
				required = append(required, c)
			} else {
				others = append(others, c)
			}
		}
	}
	return append(required, others...)
}

// keyText returns a key with an empty value, unless it has one already.
func (q *query) keyText(at document.Cursor, key string) *snippet {
	s := q.snippet().quoted(key)
	if !at.Missing.ColonAfter {
		return s
	}
	return q.emptyValue(s.raw(": "), at.Path.Key(key))
}

// emptyValue adds an empty value of what belongs at a path.
func (q *query) emptyValue(s *snippet, path issue.Path) *snippet {
	root := documentShape()
	if key := path.Field(); key == "created_at" || key == "updated_at" {
		return s.quoted(now())
	}
	if v := q.variable(path); v != nil && placeOf(path) == "elements[].variables[].value" {
		return q.variableValue(s, v)
	}
	shapes := root.at(path)
	if len(shapes) == 0 {
		return s.stop()
	}
	return s.value(cmp.Or(root.kind(shapes[0]), '"')) // the simple form of a label
}

// now returns the current time as documents have it.
func now() string { return time.Now().UTC().Format(time.RFC3339) }
