// Package editorschema writes the JSON Schema of a version, with which editors complete and check
// documents.
//
// # Experimental
//
// This package may change in a minor version.
package editorschema

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/validate"
)

// Bounds that keep the schema of a large release usable: editors read all of it.
const (
	// maxTexts is how many bytes the descriptions of elements have together. Each
	// is cut to its share.
	maxTexts = 1 << 20
	// maxDescription is the share if there is room for more.
	maxDescription = 600
	// fewElements is up to how many elements a release gets a snippet and a limit
	// of placements for each of them.
	fewElements = 500
	// maxConditions is for how many different lists of variables there are
	// conditions: an editor checks all of them for each placement.
	maxConditions = 1000
)

// base is the start of the $id, which is that of the schemas of package validate.
const base = "https://github.com/datachain-go/datachain/schemas/"

// New returns a JSON Schema (2020-12) of the documents of a release, for editors in
// which nothing is installed. It is self-contained, and the same bytes for the same release
// and locale.
//
// It is the schema of the shape of documents, [validate.JSONSchema] with the name instance,
// and in addition has what the release says: the ids of elements with their titles and
// descriptions in one language, the contexts, variables and options of each, and how often
// categories are placed. Texts that the release does not have in the locale, and all if it is
// empty, are in the first locale of the release. The schema uses the annotations of
// vscode-json-languageservice (enumDetails, markdownEnumDescriptions, defaultSnippets,
// errorMessage), which other readers ignore.
//
// A document that [validate.Instance] accepts fits the schema. The reverse does not hold:
// JSON Schema can't express every rule, so only package validate has the verdict.
//
// It does not restrict schema_version, since a document that pins another version gets
// a warning only, nor what a resolved document places, which its snapshot defines.
func New(r *taxonomy.Release, locale string) []byte {
	b := &builder{release: r, locales: r.Locales(), few: len(r.Elements()) <= fewElements, named: make(map[string]string)}
	if locale != "" {
		b.locales = append([]string{locale}, b.locales...)
	}
	b.share = maxDescription
	if n := len(r.Elements()); n > 0 {
		b.share = min(b.share, maxTexts/n)
	}
	root := general()
	adapt(root)
	b.defs = root.at("$defs")
	b.describe(root)
	b.simplify(root)
	root.with("if", obj("$comment", "The snapshot of a resolved document says what it can place.").with("required", list{"schema_snapshot"}))
	root.with("else", obj("properties", obj("elements", b.placements()).with("subchain_instances", b.subchains())))
	root.remove("$defs")
	root.with("$defs", b.defs) // last, since it is long
	return append(appendLines(nil, root, ""), '\n')
}

// general returns the schema of the documents of all versions, which is embedded.
func general() *object {
	text, _ := validate.JSONSchema("instance")
	doc, err := document.Parse(text)
	if err != nil {
		panic(err)
	}
	root, ok := tree(doc.Root()).(*object)
	if !ok {
		panic("editorschema: the schema of instances is not an object")
	}
	return root
}

// builder makes the schema of one release.
type builder struct {
	release *taxonomy.Release
	locales []string // the wanted one first
	share   int      // the bytes of a description
	few     bool     // see fewElements
	defs    *object
	named   map[string]string // the names of definitions by their content
}

// describe gives the root the name of the version.
func (b *builder) describe(root *object) {
	r := b.release
	id := base + r.Version().String() + "/instance.schema.json"
	if b.locales[0] != r.Locales()[0] {
		id += "?locale=" + url.QueryEscape(b.locales[0])
	}
	root.with("$id", id)
	root.with("title", b.text(r.Manifest().Title)+" ("+r.Version().String()+")")
	root.with("description", b.text(r.Manifest().Description))
}

// simplify replaces what the schema of all versions can only describe in general. What
// depends on the element is suggested once that is known.
func (b *builder) simplify(root *object) {
	version := root.at("$defs", "version")
	pin := root.at("properties", "schema_version")
	pin.remove("allOf")
	version.remove("title")
	version.remove("description")
	*pin = append(*pin, *version...)
	pin.with("default", b.release.Version().String())
	b.defs.remove("version")

	for _, key := range []string{"title", "description"} { // [] suggests nothing
		root.at("properties", key).remove("default")
	}
	placement := b.defs.at("placement", "properties")
	placement.at("variables").remove("default")
	for _, key := range []string{"element_id", "context_type_id", "variables"} {
		placement.at(key).with("doNotSuggest", true)
	}
	for _, key := range []string{"id", "value"} {
		b.defs.at("variable_value", "properties", key).with("doNotSuggest", true)
	}
	b.defs.at("subchain_instance", "properties", "subchain_id").with("doNotSuggest", true)

	localized := b.defs.at("localized")
	localized.at("items", "properties", "locale").with("examples", texts(b.release.Locales()))
	localized.withSome("defaultSnippets", b.textSnippets())
	b.defs.at("timestamp").with("examples", list{"2026-06-01T10:00Z"})
}

// adapt prepares the schema of all versions for editors. It removes examples, which are
// about no version: editors suggest them as values. A description beside a reference
// moves the reference into allOf, since vscode-json-languageservice would replace it by
// that of the definition.
func adapt(value any) {
	switch v := value.(type) {
	case *object:
		v.remove("examples")
		for i := range *v {
			m := &(*v)[i]
			adapt(m.value)
			if m.key == "$ref" && v.has("description") {
				*m = member{"allOf", list{obj("$ref", m.value)}}
			}
		}
	case list:
		for _, item := range v {
			adapt(item)
		}
	}
}

// subchains is the schema of subchain_instances.
func (b *builder) subchains() *object {
	var c choices
	for _, s := range b.release.Type().Subchains {
		c.add(s.ID, b.text(s.Name), b.text(s.Name))
	}
	if len(c.ids) == 0 {
		return obj("maxItems", 0)
	}
	return obj("items", obj("properties", obj("subchain_id", c.schema("The subchain of the datachain type."))))
}

// Snippets are in the syntax of TextMate: $1 is where the cursor stops first, and
// ${1|a,b|} lets the author choose. Only ids without special characters are in them.

// stop counts the places where the cursor stops.
type stop int

// blank is a place to write.
func (s *stop) blank() string {
	*s++
	return "$" + strconv.Itoa(int(*s))
}

// choice is a place to choose one of some ids, or false if an id has special
// characters.
func (s *stop) choice(ids []string) (string, bool) {
	for _, id := range ids {
		if !ident.IsID(id) {
			return "", false
		}
	}
	*s++
	return "${" + strconv.Itoa(int(*s)) + "|" + strings.Join(ids, ",") + "|}", len(ids) > 0
}

// writing returns the languages to write in, that of the schema first.
func (b *builder) writing() []string {
	var locales []string
	for _, locale := range b.release.Locales() {
		switch {
		case !ident.IsID(locale):
		case locale == b.locales[0]:
			locales = slices.Insert(locales, 0, locale)
		default:
			locales = append(locales, locale)
		}
	}
	return locales
}

// textSnippets are localized texts: in one language, and in all.
func (b *builder) textSnippets() list {
	all, at := list{}, new(stop)
	snippets := list{}
	for _, locale := range b.writing() {
		all = append(all, obj("locale", locale).with("value", at.blank()))
		snippets = append(snippets, obj("label", "text in "+locale).with("body", list{obj("locale", locale).with("value", "$1")}))
	}
	if len(all) > 1 {
		snippets = append(snippets, obj("label", "text in all languages").with("body", all))
	}
	return snippets
}

// placementSnippets are whole placements by the title of their element.
func (b *builder) placementSnippets() list {
	snippets := list{}
	for _, e := range b.release.Elements() {
		if body, ok := b.placementSnippet(e); ok {
			category, _ := b.release.Category(e.CategoryID)
			snippets = append(snippets, obj("label", e.FillIn(e.Title, nil, b.locales...)).
				with("description", b.text(category.Name)+" · "+e.ID).with("body", body))
		}
	}
	return snippets
}

// placementSnippet is a placement with a context and the required variables.
func (b *builder) placementSnippet(e *taxonomy.Element) (*object, bool) {
	at := new(stop)
	body := obj("element_id", e.ID)
	category, _ := b.release.Category(e.CategoryID)
	if values := category.Context.Values; len(values) > 0 {
		ids := make([]string, len(values))
		for i := range values {
			ids[i] = values[i].ID
		}
		choice, ok := at.choice(ids)
		if !ok {
			return nil, false
		}
		body.with("context_type_id", choice)
	}
	variables, seen := list{}, make(map[string]bool)
	for i := range e.Variables {
		v := &e.Variables[i]
		if !v.Required || seen[v.ID] {
			continue
		}
		seen[v.ID] = true
		variable, ok := b.variableSnippet(e, v, at)
		if !ok {
			return nil, false
		}
		variables = append(variables, variable)
	}
	if len(variables) > 0 {
		body.with("variables", variables)
	}
	return body, true
}

// variableSnippet is a variable with a place for its value.
func (b *builder) variableSnippet(e *taxonomy.Element, v *taxonomy.Variable, at *stop) (*object, bool) {
	locales := b.writing()
	if !ident.IsID(v.ID) || len(locales) == 0 {
		return nil, false
	}
	body := obj("id", v.ID)
	if v.Type != taxonomy.SelectVariable {
		return body.with("value", list{obj("locale", locales[0]).with("value", at.blank())}), true
	}
	usable := options(e, v)
	ids := make([]string, len(usable))
	for i, o := range usable {
		ids[i] = o.ID
	}
	choice, ok := at.choice(ids)
	return body.with("value", list{choice}), ok
}

// placements is the schema of elements: what can be placed, and how often.
func (b *builder) placements() *object {
	var c choices
	conditions := list{}
	for _, category := range b.release.Categories() {
		elements := b.release.ElementsOf(category.ID)
		if len(elements) == 0 {
			continue
		}
		for _, e := range elements {
			title := e.FillIn(e.Title, nil, b.locales...)
			c.add(e.ID, title, b.described(title, b.noted(e, category), e.FillIn(e.Description, nil, b.locales...)))
		}
		conditions = append(conditions, obj("if", hasID("element_id", b.elementsOf(category))).with("then", b.context(category)))
	}
	placement := obj("properties", obj("element_id", c.schema("The id of the element."))).
		withSome("allOf", append(conditions, b.variables()...))
	if b.few {
		placement.withSome("defaultSnippets", b.placementSnippets())
	}
	return obj("items", placement).withSome("allOf", b.counts())
}

// elementsOf is the schema of the ids of the elements of a category.
func (b *builder) elementsOf(c *taxonomy.Category) *object {
	elements := b.release.ElementsOf(c.ID)
	ids := make([]string, len(elements))
	for i, e := range elements {
		ids[i] = e.ID
	}
	return b.define("elements", obj("$comment", "The elements of the category "+c.ID+".").with("enum", texts(ids)))
}

// context is the schema of a placement of a category that has contexts, or none.
func (b *builder) context(c *taxonomy.Category) *object {
	if len(c.Context.Values) == 0 {
		return obj("properties", obj("context_type_id", false))
	}
	var values choices
	for _, v := range c.Context.Values {
		label := b.text(v.Label)
		values.add(v.ID, label, b.described(label, "", b.text(v.Description)))
	}
	what := b.text(c.Context.Name)
	if what == "" {
		what = "A context value of the category."
	}
	schema := obj("properties", obj("context_type_id", values.schema(what)))
	if c.Context.Required {
		schema.with("required", list{"context_type_id"})
	}
	return schema
}

// counts are the schemas that say how often categories and elements are placed.
func (b *builder) counts() list {
	all := list{}
	for _, c := range b.release.Categories() {
		least, most := c.Cardinality.Min, c.Cardinality.Max
		if c.Required {
			least = max(least, 1)
		}
		// A category without elements can't be placed, whatever it requires.
		if len(b.release.ElementsOf(c.ID)) == 0 || least == 0 && most == 0 {
			continue
		}
		count := obj("contains", hasID("element_id", b.elementsOf(c))).with("minContains", least)
		if most > 0 {
			count.with("maxContains", most)
		}
		all = append(all, count.with("errorMessage", fmt.Sprintf("The category %s (%s) %s.", c.ID, b.text(c.Name), allowed(least, most))))
	}
	if b.few {
		all = append(all, b.limits()...)
	}
	return all
}

// allowed says how many placements there can be; 0 means no limit.
func allowed(least, most int) string {
	switch {
	case most == 0:
		return "needs at least " + wording.Count(least, "placement")
	case least == most:
		return "needs exactly " + wording.Count(least, "placement")
	case least == 0:
		return "can have at most " + wording.Count(most, "placement")
	}
	return fmt.Sprintf("needs %d to %d placements", least, most)
}

// limits are the schemas for max_placements.
func (b *builder) limits() list {
	var all list
	for _, e := range b.release.Elements() {
		if e.MaxPlacements > 0 {
			all = append(all, obj("contains", hasID("element_id", obj("const", e.ID))).with("minContains", 0).with("maxContains", e.MaxPlacements).
				with("errorMessage", fmt.Sprintf("The element %s %s.", e.ID, allowed(0, e.MaxPlacements))))
		}
	}
	return all
}

// choices are ids to choose from, with what an editor shows beside them.
type choices struct {
	ids, titles, descriptions []string
	seen                      map[string]bool
}

// add adds an id, unless it is there already: a release can have a variable or an
// option twice, of which the first one counts.
func (c *choices) add(id, title, description string) {
	if c.seen == nil {
		c.seen = make(map[string]bool)
	}
	if !c.seen[id] {
		c.seen[id] = true
		c.ids, c.titles, c.descriptions = append(c.ids, id), append(c.titles, title), append(c.descriptions, description)
	}
}

// schema returns the schema of a value that is one of the ids. Nothing fits if there
// are none.
func (c *choices) schema(description string) any {
	if len(c.ids) == 0 {
		return false
	}
	return obj("description", description).with("enum", texts(c.ids)).
		with("enumDetails", texts(c.titles)).with("markdownEnumDescriptions", texts(c.descriptions))
}

// hasID returns the schema of an object whose member is one of some ids. Editors use
// it for conditions, not for suggestions.
func hasID(key string, ids *object) *object {
	return obj("properties", obj(key, ids.with("doNotSuggest", true))).with("required", list{key})
}

// oneOf returns the schema of one of some ids.
func oneOf(ids []string) *object {
	if len(ids) == 1 {
		return obj("const", ids[0])
	}
	return obj("enum", texts(ids))
}

// define returns a reference to a definition, which it adds unless there is one with
// the same content.
func (b *builder) define(kind string, schema *object) *object {
	content := string(appendTree(nil, schema))
	name, known := b.named[content]
	if !known {
		name = kind + "." + strconv.Itoa(len(b.named)+1) // no name of package validate has a period
		b.named[content] = name
		*b.defs = append(*b.defs, member{name, schema})
	}
	return obj("$ref", "#/$defs/"+name)
}

// text returns a text in the language of the schema.
func (b *builder) text(l taxonomy.Localized) string { return l.Pick(b.locales...) }

// noted returns what stands beside the title of an element: its category, and whether it
// is deprecated.
func (b *builder) noted(e *taxonomy.Element, c *taxonomy.Category) string {
	note := b.text(c.Name)
	if !e.Deprecated() {
		return note
	}
	note += " · deprecated"
	if successors := b.release.Succession(e.ID).Elements; len(successors) > 0 {
		ids := make([]string, len(successors))
		for i := range successors {
			ids[i] = successors[i].ID
		}
		note += ", use " + wording.Or(ids)
	}
	return note
}

// described returns a heading and a description in Markdown.
func (b *builder) described(title, note, description string) string {
	text := "**" + markdown(title) + "**"
	if note != "" {
		text += " · " + markdown(note)
	}
	if description = wording.Cut(description, b.share); description != "" {
		text += "\n\n" + markdown(description)
	}
	return text
}

// escapes are for the characters that mean something in Markdown.
var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `{`, `\{`, `}`, `\}`, `[`, `\[`, `]`, `\]`,
	`<`, `\<`, `>`, `\>`, `#`, `\#`, `|`, `\|`, `~`, `\~`, `&`, `\&`, `!`, `\!`)

// markdown returns plain text as Markdown. Line breaks become spaces, so that no line
// begins a list or a heading.
func markdown(text string) string {
	return escapes.Replace(strings.Join(strings.Fields(text), " "))
}

// notBlank matches a text that is not only white space, as Unicode defines it.
const notBlank = "[^\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"

// variables are the conditions for the variables of placements. Elements with the same
// variables share one; those beyond maxConditions have none.
func (b *builder) variables() list {
	type group struct {
		first *taxonomy.Element
		ids   []string
	}
	var groups []*group
	alike := make(map[string]*group)
	var key []byte
	for _, e := range b.release.Elements() {
		key = b.appendKey(key[:0], e)
		g := alike[string(key)]
		if g == nil && len(groups) < maxConditions {
			g = &group{first: e}
			alike[string(key)], groups = g, append(groups, g)
		}
		if g != nil {
			g.ids = append(g.ids, e.ID)
		}
	}
	conditions := make(list, len(groups))
	for i, g := range groups {
		conditions[i] = obj("if", hasID("element_id", oneOf(g.ids))).with("then", b.variablesOf(g.first))
	}
	return conditions
}

// appendKey appends what is shown and required of the variables of an element. It is the
// same for elements whose variables have the same schema.
func (b *builder) appendKey(key []byte, e *taxonomy.Element) []byte {
	for i := range e.Variables {
		v := &e.Variables[i]
		key = jcs.AppendQuote(jcs.AppendQuote(key, v.ID), b.text(v.Label))
		key = jcs.AppendQuote(strconv.AppendBool(key, v.Required), string(v.Type))
		for _, o := range options(e, v) {
			key = jcs.AppendQuote(append(key, '+'), o.ID)
			key = jcs.AppendQuote(jcs.AppendQuote(key, b.text(o.Label)), b.text(o.Description))
		}
	}
	return key
}

// variablesOf is the schema of a placement of an element, as far as its variables go.
func (b *builder) variablesOf(e *taxonomy.Element) *object {
	if len(e.Variables) == 0 {
		return obj("properties", obj("variables", obj("maxItems", 0).with("doNotSuggest", true)))
	}
	var c choices
	values, required, snippets := list{}, list{}, list{}
	for i := range e.Variables {
		v := &e.Variables[i]
		if c.seen[v.ID] {
			continue
		}
		label := b.text(v.Label)
		note := string(v.Type)
		if v.Required {
			note += ", required"
			required = append(required, obj("contains", hasID("id", obj("const", v.ID))).
				with("errorMessage", fmt.Sprintf("The variable %s (%s) is required.", v.ID, label)))
		}
		c.add(v.ID, label, b.described(label, note, ""))
		values = append(values, b.define("variable", obj("if", hasID("id", obj("const", v.ID))).
			with("then", obj("properties", obj("value", b.value(e, v))))))
		if body, ok := b.variableSnippet(e, v, new(stop)); ok && b.few {
			snippets = append(snippets, obj("label", label).with("description", v.ID).with("body", body))
		}
	}
	item := obj("properties", obj("id", c.schema("The id of the variable."))).with("allOf", values).withSome("defaultSnippets", snippets)
	all := obj("description", "The values of the variables of the element.").with("items", item).withSome("allOf", required)
	schema := obj("properties", obj("variables", all))
	if len(required) > 0 {
		schema.with("required", list{"variables"})
	}
	return schema
}

// value is the schema of the value of a variable.
func (b *builder) value(e *taxonomy.Element, v *taxonomy.Variable) *object {
	value := obj("description", b.text(v.Label)).with("type", "array").with("minItems", 1)
	if v.Type != taxonomy.SelectVariable {
		text := obj("pattern", notBlank).with("patternErrorMessage", "The text is empty.").with("doNotSuggest", true)
		items := obj("type", "object").with("properties", obj("value", text))
		return value.with("allOf", list{b.define("text", obj("items", items).withSome("defaultSnippets", b.textSnippets()))})
	}
	var c choices
	for _, o := range options(e, v) {
		label := b.text(o.Label)
		c.add(o.ID, label, b.described(label, "", b.text(o.Description)))
	}
	return value.with("uniqueItems", true).with("items", c.schema(b.text(v.Label)))
}

// options are the options of a variable that an element can use. If there are two with
// an id, the first one counts.
func options(e *taxonomy.Element, v *taxonomy.Variable) []*taxonomy.Option {
	var usable []*taxonomy.Option
	seen := make(map[string]bool, len(v.Options))
	for i := range v.Options {
		o := &v.Options[i]
		if !seen[o.ID] && o.Applies(e.ID) {
			usable = append(usable, o)
		}
		seen[o.ID] = true
	}
	return usable
}
