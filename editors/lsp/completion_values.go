package lsp

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// values offers what a value can be. It reports whether there is more than it
// returns.
func (q *query) values(ctx context.Context, at document.Cursor) (proposals []proposal, more bool, err error) {
	switch placeOf(at.Path) {
	case elementPlace:
		return q.elements(ctx, at, false)
	case versionPlace:
		proposals, err = q.versions(ctx)
		return proposals, false, err
	case contextPlace:
		return q.contexts(at.Path), false, nil
	case variablePlace:
		for _, v := range q.unfilledVariables(at) {
			proposals = append(proposals, q.variableProposal(v))
		}
		return proposals, false, nil
	case localePlace:
		text, _ := q.text.tree().Find(at.Path[:len(at.Path)-2])
		for _, locale := range q.missingLocales(text.All(), at.Container) {
			proposals = append(proposals, proposal{id: locale, kind: itemConstant})
		}
		return proposals, false, nil
	case subchainPlace:
		if q.schema != nil {
			for _, s := range q.schema.Release().Type().Subchains {
				proposals = append(proposals, proposal{id: s.ID, title: q.pick(s.Name), kind: itemEnum})
			}
		}
		return proposals, false, nil
	case subchainInstancePlace:
		return q.subchainInstances(), false, nil
	case headPlace:
		return withoutSiblings(append(q.placementIDs(true), q.subchainInstances()...), at), false, nil
	case "elements[]":
		return q.elements(ctx, at, true)
	case "elements[].variables[]":
		for _, v := range q.unfilledVariables(at) {
			c := q.variableProposal(v)
			c.kind, c.text = itemSnippet, q.variableText(q.snippet(), v)
			proposals = append(proposals, c)
		}
		return proposals, false, nil
	case optionPlace:
		if v := q.variable(at.Path); v != nil && v.Type == taxonomy.SelectVariable {
			return withoutSiblings(q.options(at.Path, v), at), false, nil
		}
	}
	if slices.ContainsFunc(documentShape().at(at.Path), func(s *shape) bool { return s.Items != nil }) {
		return q.lists(ctx, at)
	}
	return q.byShape(at), false, nil
}

// lists offers lists with one item, for each item that such a list can have, or an empty
// one.
func (q *query) lists(ctx context.Context, at document.Cursor) (proposals []proposal, more bool, err error) {
	first := at
	first.Path, first.Container, first.Value = at.Path.Index(0), document.Value{}, document.Value{}
	proposals, more, err = q.values(ctx, first)
	for i := range proposals {
		c := &proposals[i]
		item := c.text
		if item == nil {
			item = q.snippet().quoted(c.id)
		}
		c.kind, c.text = itemSnippet, q.snippet().raw("[").add(item).raw("]")
	}
	if len(proposals) == 0 {
		proposals = []proposal{{id: "[ ]", kind: itemSnippet, text: q.snippet().value('[')}}
	}
	return proposals, more, err
}

// withoutSiblings removes the proposals that the array has already.
func withoutSiblings(proposals []proposal, at document.Cursor) []proposal {
	taken := make(map[string]bool)
	for n := range at.Siblings() {
		taken[n.Text()] = true
	}
	return slices.DeleteFunc(proposals, func(c proposal) bool { return taken[c.id] })
}

// versions offers the published versions, the newest of each type first, and stable ones
// before betas.
func (q *query) versions(ctx context.Context) ([]proposal, error) {
	index, err := q.releases.Service.Versions(ctx)
	if err != nil {
		return nil, err
	}
	var proposals []proposal
	for _, e := range index.Entries() {
		proposals = append(proposals, proposal{id: e.ID.String(), kind: itemConstant, group: strings.Join(e.Aliases, ", ")})
	}
	slices.SortStableFunc(proposals, func(a, b proposal) int {
		return cmp.Compare(strings.Count(a.id, "-beta"), strings.Count(b.id, "-beta"))
	})
	return proposals, nil
}

// latestVersions offers the latest version of each type.
func (q *query) latestVersions(ctx context.Context) ([]proposal, error) {
	index, err := q.releases.Service.Versions(ctx)
	if err != nil {
		return nil, err
	}
	var proposals []proposal
	for _, e := range index.Entries() {
		if slices.Contains(e.Aliases, e.ID.Type()+"@"+codes.AliasLatest) {
			proposals = append(proposals, proposal{id: e.ID.String(), kind: itemConstant})
		}
	}
	return proposals, nil
}

// skeletons offers whole documents, one for each type: they pin its latest version.
func (q *query) skeletons(ctx context.Context) ([]proposal, error) {
	proposals, err := q.latestVersions(ctx)
	for i := range proposals {
		c := &proposals[i]
		s := q.snippet().raw("{\n  ").key("id").value('"').raw(",\n  ").key("schema_version").quoted(c.id)
		s.raw(",\n  ").key("created_at").quoted(now()).raw(",\n  ").key("elements").raw("[\n    ").stop().raw("\n  ]\n}\n")
		c.title, c.kind, c.text, c.description = "Datachain", itemSnippet, s, "A new document that pins "+c.id+"."
	}
	return proposals, err
}

// contexts offers the context values of the element that is placed.
func (q *query) contexts(path issue.Path) []proposal {
	c := q.context(path)
	if c == nil {
		return nil
	}
	var proposals []proposal
	for _, v := range c.Values {
		proposals = append(proposals, proposal{
			id: v.ID, title: q.pick(v.Label), group: q.pick(c.Name), description: q.pick(v.Description), kind: itemEnum,
		})
	}
	return proposals
}

// placementIDs returns the ids by which other parts of a document refer to
// placements: the element_instance_id or, if the element is placed once, its
// element_id.
func (q *query) placementIDs(asValues bool) []proposal {
	list, _ := q.document().Get("elements")
	count := make(map[string]int)
	for p := range list.All() {
		id, _ := p.Get("element_id")
		count[id.Text()]++
	}
	var proposals []proposal
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
		c := proposal{id: id, kind: itemProperty, group: "placement"}
		if asValues {
			c.kind = itemValue
		}
		if e := q.element(element.Text()); e != nil {
			c.title = q.title(e)
		}
		proposals = append(proposals, c)
	}
	return proposals
}

// unfilledVariables returns the variables of the placed element that the placement does not fill
// in yet, the required ones first.
func (q *query) unfilledVariables(at document.Cursor) []*taxonomy.Variable {
	e := q.placed(at.Path)
	if e == nil {
		return nil
	}
	self := -1
	if len(at.Path) > 3 {
		self, _ = at.Path[3].IsIndex()
	}
	taken := make(map[string]bool)
	list, _ := q.text.tree().Find(at.Path[:2].Key("variables"))
	index := -1
	for v := range list.All() {
		index++
		if id, ok := v.Get("id"); ok && (index != self || len(at.Path) == 4) {
			taken[id.Text()] = true
		}
	}
	var required, others []*taxonomy.Variable
	for i := range e.Variables {
		switch v := &e.Variables[i]; {
		case taken[v.ID]:
		case v.Required:
			required = append(required, v)
		default:
			others = append(others, v)
		}
	}
	return append(required, others...)
}

func (q *query) variableProposal(v *taxonomy.Variable) proposal {
	c := proposal{id: v.ID, title: q.pick(v.Label), kind: itemValue}
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

// variableText adds a variable with an empty value.
func (q *query) variableText(s *snippet, v *taxonomy.Variable) *snippet {
	s.raw("{").key("id").quoted(v.ID).raw(", ").key("value")
	return q.variableValue(s, v).raw("}")
}

// variableValue adds an empty value of a variable.
func (q *query) variableValue(s *snippet, v *taxonomy.Variable) *snippet {
	if v.Type == taxonomy.SelectVariable {
		return s.raw(`["`).stop().raw(`"]`)
	}
	return q.localized(s.raw("["), q.locale()).raw("]")
}

// localized adds a text in a language.
func (q *query) localized(s *snippet, locale string) *snippet {
	return s.raw("{").key("locale").quoted(locale).raw(", ").key("value").value('"').raw("}")
}

// locale returns the language that the document is written in: that of its title or,
// if it has none, the first one of the version.
func (q *query) locale() string {
	title, _ := q.document().Get("title")
	for text := range title.All() {
		if locale, ok := text.Get("locale"); ok && locale.Text() != "" {
			return locale.Text()
		}
	}
	if q.schema != nil {
		return q.schema.Release().Locales()[0]
	}
	return "en"
}

// options offers the options of a select variable that apply to the element.
func (q *query) options(path issue.Path, v *taxonomy.Variable) []proposal {
	e := q.placed(path)
	var proposals []proposal
	for i := range v.Options {
		o := &v.Options[i]
		if !o.Applies(e.ID) {
			continue
		}
		proposals = append(proposals, proposal{
			id: o.ID, title: q.pick(o.Label), group: q.pick(v.Label), description: q.pick(o.Description), kind: itemEnum,
		})
	}
	return proposals
}

func (q *query) subchainInstances() []proposal {
	list, _ := q.document().Get("subchain_instances")
	var proposals []proposal
	for n := range list.All() {
		if id, ok := n.Get("id"); ok && id.Text() != "" {
			subchain, _ := n.Get("subchain_id")
			proposals = append(proposals, proposal{id: id.Text(), kind: itemValue, group: subchain.Text()})
		}
	}
	return proposals
}

// byShape offers what the shape alone tells: fixed values, and empty ones.
func (q *query) byShape(at document.Cursor) []proposal {
	root := documentShape()
	if name := at.Path.Field(); name == "created_at" || name == "updated_at" || name == "generated_at" {
		return []proposal{{id: now(), title: "now", kind: itemConstant}}
	}
	if placeOf(at.Path) == provenanceKindPlace {
		return []proposal{{id: codes.KindHuman, kind: itemEnum}, {id: codes.KindAIGenerated, kind: itemEnum}}
	}
	var proposals []proposal
	for _, s := range root.at(at.Path) {
		proposals = append(proposals, words(s)...)
		if s.Properties.get("locale") != nil && s.Properties.get("value") != nil { // a text in one language
			for _, locale := range q.missingLocales(at.Siblings(), document.Value{}) {
				proposals = append(proposals, proposal{id: locale, title: "text", kind: itemSnippet, text: q.localized(q.snippet(), locale)})
			}
			return proposals
		}
		if len(s.Properties) > 0 {
			return append(proposals, q.emptyObject(s))
		}
	}
	return proposals
}

// words offers the fixed strings of shapes.
func words(shapes ...*shape) []proposal {
	var proposals []proposal
	for _, s := range shapes {
		for _, v := range s.Enum {
			if text, err := jsontext.AppendUnquote(nil, v); err == nil && v.Kind() == '"' {
				proposals = append(proposals, proposal{id: string(text), kind: itemEnum})
			}
		}
	}
	return proposals
}

// missingLocales returns the languages that the entries of a text lack, except for the one
// that is being typed.
func (q *query) missingLocales(entries iter.Seq[document.Value], typed document.Value) []string {
	all := []string{q.locale()}
	if q.schema != nil {
		all = q.schema.Release().Locales()
	}
	taken := make(map[string]bool)
	for n := range entries {
		if locale, ok := n.Get("locale"); ok && n != typed {
			taken[locale.Text()] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(l string) bool { return taken[l] })
}

// emptyObject offers an object with its required fields.
func (q *query) emptyObject(s *shape) proposal {
	root := documentShape()
	text := q.snippet().raw("{")
	for i, name := range s.Required {
		if i > 0 {
			text.raw(", ")
		}
		text.key(name).value(root.kind(s.Properties.get(name)))
	}
	if len(s.Required) == 0 {
		text.stop()
	}
	return proposal{id: "{ }", description: s.Description, kind: itemSnippet, text: text.raw("}")}
}
