package lsp

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/outline"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// completion offers what can be typed at a position of the source. Where that is, the
// text decides; ids come from the last texts that could be parsed.
func (q *sourceQuery) completion(ctx context.Context, p *positionParams) (any, error) {
	root := q.shape()
	if root == nil {
		return nil, nil
	}
	if slices.ContainsFunc(q.outline.Unread, func(file string) bool { return q.files.open[file] != nil }) {
		q.files = q.files.readable(q.outline.Unread)
		outline, err := q.releases.outlines.get(q.files, q.outline.Version)
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
		return newCompletionList(q.variables(at), typed, func(c proposal, rank int) completionItem {
			item := q.session.item(typed, c, rank)
			item.TextEdit = textEdit{q.text.lines().span(from, to), text(c.id)}
			return item
		}), ctx.Err()
	}
	list := root.at(at.path)
	var proposals []proposal
	if at.key {
		proposals = q.keys(at, list)
	}
	if at.value && len(proposals) == 0 {
		at.key = false
		proposals = q.values(at.path, list)
	}
	return newCompletionList(proposals, at.typed, func(c proposal, rank int) completionItem {
		return q.item(at, c, rank)
	}), ctx.Err()
}

// shape returns the shape of the file, or nil if it is not a YAML or JSON file.
func (q *sourceQuery) shape() *shape {
	if ext := path.Ext(q.file); ext != ".yaml" && ext != ".yml" && ext != ".json" {
		return nil
	}
	parts := strings.Split(q.file, "/")
	switch {
	case len(parts) == 2:
		return evolutionShape()
	case len(parts) == 3:
		return schemaShape()
	case parts[2] == "categories":
		return categoryShape()
	case parts[2] == "elements":
		return elementsShape()
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
func (q *sourceQuery) variables(at *sourceCursor) []proposal {
	if at.owner == nil {
		return nil
	}
	id, category := at.owner("id"), at.owner("category_id")
	return q.definitions(source.KindVariable, func(d *outline.Definition) bool {
		return d.In != nil && (d.In.ID == id || d.In.Kind == source.KindCategory && d.In.ID == category)
	})
}

// definitions offers ids that are defined.
func (q *sourceQuery) definitions(kind source.Kind, wanted func(*outline.Definition) bool) []proposal {
	var proposals []proposal
	seen := make(map[string]bool)
	for _, d := range q.outline.Definitions {
		if d.Kind == kind && !seen[d.ID] && (wanted == nil || wanted(d)) {
			seen[d.ID] = true
			proposals = append(proposals, proposal{
				id: d.ID, title: q.fillIn(d, d.Title), group: string(kind), description: q.fillIn(d, d.Description), kind: itemValue,
			})
		}
	}
	return proposals
}

func (q *sourceQuery) locales() []proposal {
	var proposals []proposal
	for _, locale := range q.outline.Locales {
		proposals = append(proposals, proposal{id: locale, group: "locale", kind: itemConstant})
	}
	return proposals
}

// keys offers the keys that an object still lacks: fields, or the locales of a text.
func (q *sourceQuery) keys(at *sourceCursor, shapes []*shape) []proposal {
	proposals := fieldsOf(shapes)
	if slices.ContainsFunc(shapes, func(s *shape) bool { return s.Additional != nil && s.Additional.Ref != "" }) {
		proposals = q.locales()
	}
	return slices.DeleteFunc(proposals, func(c proposal) bool { return at.usedKeys[c.id] || c.id == "$schema" })
}

// values offers the values of a field, or the items of a list.
func (q *sourceQuery) values(at issue.Path, shapes []*shape) []proposal {
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
	case evolutionType(q.file) != "":
		return q.evolved(field, shapes)
	}
	return words(shapes...)
}

// evolved offers the values of a field of evolution.yaml: ids of the newest version, and
// versions.
func (q *sourceQuery) evolved(field string, shapes []*shape) []proposal {
	var proposals []proposal
	switch field {
	case "to":
		for _, k := range []source.Kind{source.KindElement, source.KindCategory, source.KindVariable, source.KindOption, source.KindContextValue} {
			proposals = append(proposals, q.definitions(k, nil)...)
		}
	case "in":
		proposals = append(q.definitions(source.KindElement, nil), q.definitions(source.KindCategory, nil)...)
	case "since":
		versions, _, _ := source.Versions(q.files) // as far as they can be read
		for _, v := range versions {
			if v.Type() == evolutionType(q.file) {
				proposals = append(proposals, proposal{id: v.String(), group: "version", kind: itemValue})
			}
		}
	}
	return append(proposals, words(shapes...)...)
}

// item returns a proposal with what it inserts.
func (q *sourceQuery) item(at *sourceCursor, c proposal, rank int) completionItem {
	if at.json != nil {
		c.text = q.snippet().quoted(c.id)
		if at.key && at.json.Missing.ColonAfter {
			c.text.raw(": ").stop()
		}
		return q.query.item(*at.json, c, rank)
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

// plainYAML returns an id as YAML reads it as a string.
func plainYAML(id string) string {
	switch strings.ToLower(id) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null", "":
		return quote(id)
	}
	if first := id[0] | 0x20; first < 'a' || first > 'z' {
		return quote(id)
	}
	return id
}
