package lsp

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/tolerant"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// keys offers the keys that an object still lacks, the required ones first.
func (q *query) keys(at tolerant.Cursor) []choice {
	taken := make(map[string]bool)
	for n := range at.Siblings() {
		taken[n.Key()] = true
	}
	var choices []choice
	switch placeOf(at.Path.Key("*")) {
	case provenancePlace:
		choices = q.placementIDs(false)
	case rationalePlace:
		if e := q.provenanceOf(at.Path[len(at.Path)-2].Name()); e != nil {
			for i := range e.Variables {
				choices = append(choices, q.variableChoice(&e.Variables[i]))
			}
		}
	default:
		choices = q.fields(at.Path)
	}
	choices = slices.DeleteFunc(choices, func(c choice) bool { return taken[c.id] })
	for i := range choices {
		choices[i].text = q.keyText(at, choices[i].id)
	}
	return choices
}

// fields returns the fields of an object by its shape. Those that only resolved
// documents have are offered in these alone: a person does not write them.
func (q *query) fields(path issue.Path) []choice {
	_, resolved := q.document().Get("schema_snapshot")
	return slices.DeleteFunc(fieldsOf(q.session.server.shapes().at(path)), func(c choice) bool {
		return len(path) == 0 && !resolved && (c.id == "schema_snapshot" || c.id == "suggested_elements")
	})
}

// fieldsOf returns the fields of an object that has one of the shapes, the required
// ones first.
func fieldsOf(shapes []*shape) []choice {
	var required, others []choice
	seen := make(map[string]bool)
	for _, s := range shapes {
		for _, p := range s.Properties {
			if seen[p.name] {
				continue
			}
			seen[p.name] = true
			c := choice{id: p.name, kind: itemProperty, description: p.shape.Description}
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
func (q *query) keyText(at tolerant.Cursor, key string) *snippet {
	s := q.snippet().quoted(key)
	if !at.Missing.ColonAfter {
		return s
	}
	s.raw(": ")
	root := q.session.server.shapes()
	path := at.Path.Key(key)
	if key == "created_at" || key == "updated_at" {
		return s.quoted(now())
	}
	if v := q.variable(path); v != nil && formOf(path) == "elements[].variables[].value" {
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

// skeletons offers whole documents, one for each type: they pin its latest version.
func (q *query) skeletons(ctx context.Context) ([]choice, error) {
	index, err := q.root.releases.Service.Versions(ctx)
	if err != nil {
		return nil, err
	}
	var choices []choice
	for _, e := range index.Entries() {
		if !slices.Contains(e.Aliases, e.ID.Type()+"@"+taxonomy.AliasLatest) {
			continue
		}
		s := q.snippet().raw("{\n  ").key("id").value('"').raw(",\n  ").key("schema_version").quoted(e.ID.String())
		s.raw(",\n  ").key("created_at").quoted(now()).raw(",\n  ").key("elements").raw("[\n    ").stop().raw("\n  ]\n}\n")
		choices = append(choices, choice{
			id: e.ID.String(), title: "Datachain", kind: itemSnippet, text: s,
			description: "A new document that pins " + e.ID.String() + ".",
		})
	}
	return choices, nil
}

// placementIDs returns the ids by which other parts of a document refer to
// placements: the element_instance_id or, if the element is placed once, its
// element_id.
func (q *query) placementIDs(asValues bool) []choice {
	list, _ := q.document().Get("elements")
	count := make(map[string]int)
	for p := range list.All() {
		id, _ := p.Get("element_id")
		count[id.Text()]++
	}
	var choices []choice
	for p := range list.All() {
		element, _ := p.Get("element_id")
		instance, _ := p.Get("element_instance_id")
		id := instance.Text()
		if id == "" && count[element.Text()] == 1 {
			id = element.Text()
		}
		if id == "" {
			continue
		}
		c := choice{id: id, kind: itemProperty, group: "placement"}
		if asValues {
			c.kind = itemValue
		}
		if e := q.element(element.Text()); e != nil {
			c.title = q.title(e)
		}
		choices = append(choices, c)
	}
	return choices
}

func (q *query) variableChoice(v *taxonomy.Variable) choice {
	c := choice{id: v.ID, title: q.pick(v.Label), kind: itemValue}
	if v.Required {
		c.group = "required"
	}
	var options []string
	for _, o := range v.Options {
		options = append(options, q.pick(o.Label))
	}
	c.description = strings.Join(options, ", ")
	return c
}
