package lsp

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// completion offers what can be typed at a position of the source. Where that is, the
// text decides; ids come from the last texts that could be parsed.
func (q *sourceQuery) completion(ctx context.Context, p *positionParams) (any, error) {
	shapes := q.shapes()
	if shapes == nil {
		return nil, nil
	}
	if slices.ContainsFunc(q.outline.Unread, func(file string) bool { return q.files.open[file] != nil }) {
		q.files = q.files.readable(q.outline.Unread)
		outline, err := q.root.outlines.get(q.files, q.outline.Version)
		if err != nil {
			return nil, err
		}
		q.outline = outline
	}
	offset := q.text.lines().offset(p.Position)
	at := q.text.cursor(offset, path.Ext(q.file) == ".json")
	if from, to, closed, ok := q.text.placeholder(offset); ok && hasPlaceholders(at.path) {
		text := func(id string) string {
			if closed {
				return id
			}
			return id + "}}"
		}
		typed := string(q.text.content[from:offset])
		return newCompletionList(q.variables(at), typed, func(c choice, rank int) completionItem {
			item := q.session.item(typed, c, rank)
			item.TextEdit = textEdit{q.text.lines().span(from, to), text(c.id)}
			return item
		}), ctx.Err()
	}
	list := shapes.at(at.path)
	var choices []choice
	if at.key {
		choices = q.keys(at, list)
	}
	if at.value && len(choices) == 0 {
		at.key = false
		choices = q.values(at.path, list)
	}
	return newCompletionList(choices, at.typed, func(c choice, rank int) completionItem { return q.item(at, c, rank) }), ctx.Err()
}

// shapes returns the shape of the file, or nil if it is no YAML or JSON file.
func (q *sourceQuery) shapes() *shape {
	server := q.session.server
	if ext := path.Ext(q.file); ext != ".yaml" && ext != ".yml" && ext != ".json" {
		return nil
	}
	parts := strings.Split(q.file, "/")
	switch {
	case len(parts) == 3:
		return server.schemaShapes()
	case parts[2] == "categories":
		return server.categoryShapes()
	case parts[2] == "elements":
		return server.elementShapes()
	}
	return nil
}

// hasPlaceholders reports whether a text at a path can have variables.
func hasPlaceholders(at issue.Path) bool {
	for _, step := range at {
		if _, isIndex := step.IsIndex(); !isIndex {
			return step.Name() == "title" || step.Name() == "description"
		}
	}
	return false
}

// variables offers the variables of the element or category around.
func (q *sourceQuery) variables(at *sourceCursor) []choice {
	if at.owner == nil {
		return nil
	}
	id, category := at.owner("id"), at.owner("category_id")
	return q.definitions(source.KindVariable, func(d *source.Definition) bool {
		return d.In != nil && (d.In.ID == id || d.In.Kind == source.KindCategory && d.In.ID == category)
	})
}

// definitions offers ids that are defined.
func (q *sourceQuery) definitions(kind source.Kind, wanted func(*source.Definition) bool) []choice {
	var choices []choice
	seen := make(map[string]bool)
	for _, d := range q.outline.Definitions {
		if d.Kind == kind && !seen[d.ID] && (wanted == nil || wanted(d)) {
			seen[d.ID] = true
			choices = append(choices, choice{id: d.ID, title: q.filled(d, d.Title), group: string(kind), description: q.filled(d, d.Description), kind: itemValue})
		}
	}
	return choices
}

func (q *sourceQuery) locales() []choice {
	var choices []choice
	for _, locale := range q.outline.Locales {
		choices = append(choices, choice{id: locale, group: "locale", kind: itemConstant})
	}
	return choices
}

// keys offers the keys that an object still lacks: fields, or the locales of a text.
func (q *sourceQuery) keys(at *sourceCursor, shapes []*shape) []choice {
	choices := fieldsOf(shapes)
	if slices.ContainsFunc(shapes, func(s *shape) bool { return s.Additional != nil && s.Additional.Ref != "" }) {
		choices = q.locales()
	}
	return slices.DeleteFunc(choices, func(c choice) bool { return at.taken[c.id] || c.id == "$schema" })
}

// values offers the values of a field, or the items of a list.
func (q *sourceQuery) values(at issue.Path, shapes []*shape) []choice {
	field, owner, item := "", "", false
	for _, step := range at {
		if _, item = step.IsIndex(); !item {
			owner, field = field, step.Name()
		}
	}
	switch {
	case field == "category_id" && !item, field == "categories" && item:
		return q.definitions(source.KindCategory, nil)
	case field == "symbol_id" && !item:
		return q.definitions(source.KindSymbol, nil)
	case field == "applies_to" && item, field == "replaced_by", owner == "replaced_by" && field == "id":
		return q.definitions(source.KindElement, nil)
	case field == "locale" && !item:
		return q.locales()
	}
	var choices []choice
	for _, s := range shapes {
		for _, value := range s.Enum {
			var word string
			if err := json.Unmarshal(value, &word); err == nil {
				choices = append(choices, choice{id: word, kind: itemEnum})
			}
		}
	}
	return choices
}

// item returns a choice with what it inserts.
func (q *sourceQuery) item(at *sourceCursor, c choice, rank int) completionItem {
	if at.json != nil {
		document := &query{session: q.session, text: q.text}
		c.text = document.snippet().quoted(c.id)
		if at.key && at.json.Missing.ColonAfter {
			c.text.raw(": ").stop()
		}
		return document.item(*at.json, c, rank)
	}
	item := q.session.item(at.typed, c, rank)
	text := c.id
	if !at.quoted {
		text = at.before + plainYAML(c.id)
		if at.key && at.colon {
			text += ": "
		}
	}
	item.TextEdit = textEdit{q.text.lines().span(at.from, at.to), text}
	return item
}
