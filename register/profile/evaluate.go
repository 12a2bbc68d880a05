package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

const (
	maxValue = 64 << 10 // bytes of a value
	// maxWork bounds the placements, placeholders and bytes that one report looks at: profiles and
	// documents that multiply each other end there.
	maxWork = 64 << 20

	maxOrigins = 6 // that a value names
)

// evaluator gets the values of a field, or of a field of an item.
type evaluator struct {
	*reporter
	each *item // the item, or nil

	origins      []string
	untranslated []string // texts that are only in other languages
	languages    []string // those that were taken instead
	unmapped     []unmapped
	tooLong      bool
}

// unmapped is a value that a table does not have.
type unmapped struct {
	value string
	table []mapping
}

// spend reports whether there is work left, and takes some of it.
func (e *evaluator) spend(n int) bool {
	if e.work -= 1 + n; e.work < 0 {
		e.tooLong = true
	}
	return e.work >= 0
}

// first returns the values of the first source that gives one. A source of which a text is only in
// other languages gives none: half of a statement can say the opposite.
func (e *evaluator) first(from []*origin) (values []string, of *origin) {
	var lost []string
	var unknown []unmapped
	for _, o := range from {
		e.untranslated, e.languages, e.unmapped, e.origins = nil, nil, nil, nil
		values := e.get(o)
		if len(e.untranslated) == 0 && len(values) > 0 {
			return values, o
		}
		lost, unknown = append(lost, e.untranslated...), append(unknown, e.unmapped...)
	}
	e.untranslated, e.languages, e.unmapped, e.origins = lost, nil, unknown, nil
	return nil, nil
}

// get returns the values of a source that are not empty.
func (e *evaluator) get(o *origin) (values []string) {
	add := func(text, where string) {
		if text = e.look(o, strings.TrimSpace(text)); text == "" || !e.spend(len(text)) {
			return
		}
		values = append(values, text)
		if len(e.origins) < maxOrigins && !slices.Contains(e.origins, where) {
			e.origins = append(e.origins, where)
		}
	}
	switch o.kind {
	case fromConstant:
		add(o.name, "constant")
	case fromPath:
		root, where := e.document, o.name
		if e.each != nil {
			root, where = e.each.value, e.each.path+"."+o.name
		}
		for _, text := range textsOf(follow(root, o.name)) {
			add(e.say(text, where), where)
		}
	case fromPage:
		add(e.page, "address of the page")
	case fromPublisher:
		where := "publisher." + o.name + " of register.yaml"
		add(e.say(e.publisher[o.name], where), where)
	case fromFiling:
		add(textOf(follow(e.filing, o.name)), "register.filings[]."+o.name)
	case fromItem:
		add(e.fill(o.text, e.each), e.each.where())
	case fromItems:
		if !e.spend(o.on.cost() * len(e.entries)) {
			return nil
		}
		for _, it := range e.choose(o.on) {
			if o.first && len(values) > 0 || !e.spend(0) {
				break
			}
			add(e.fill(o.text, &it), it.where())
		}
	case fromHas:
		if !e.spend(o.on.cost() * len(e.entries)) {
			return nil
		}
		if found := e.choose(o.on); len(found) > 0 {
			add(o.then, found[0].where())
		} else if e.knows(o.on) {
			add(o.otherwise, "no such placement")
		}
	case fromAll:
		for _, inner := range o.all {
			found := e.get(inner)
			if inner.joined && len(found) > 1 {
				found = []string{strings.Join(found, inner.join)}
			}
			for _, text := range found {
				if text = e.look(o, text); text != "" {
					values = append(values, text)
				}
			}
		}
	}
	if o.first && len(values) > 1 {
		values = values[:1]
	}
	return values
}

// look looks a value up in the table of a source.
func (e *evaluator) look(o *origin, value string) string {
	if o.table == nil || value == "" || !e.spend(len(o.table)) {
		return value
	}
	for _, m := range o.table {
		if m.from == value {
			return m.to
		}
	}
	e.unmapped = append(e.unmapped, unmapped{value, o.table})
	return ""
}

// say returns a text in the language of the profile. One without a language is taken.
func (e *evaluator) say(l taxonomy.Localized, where string) string {
	var locales []string
	for _, t := range l {
		if t.Locale == "" || strings.EqualFold(t.Locale, e.Profile.Locale) {
			return t.Value
		}
		if strings.TrimSpace(t.Value) != "" {
			locales = append(locales, t.Locale)
		}
	}
	if len(locales) == 0 || !e.spend(len(locales)) {
		return ""
	}
	if match, err := taxonomy.MatchLocale(locales, e.Profile.Locale); err == nil && match != "" {
		text, _ := l.Get(match)
		return text
	}
	if !e.options.AnyLanguage {
		if e.untranslated = append(e.untranslated, fmt.Sprintf("%s has %s, not %s", where, wording.And(locales[:min(len(locales), 8)]), e.Profile.Locale)); len(e.untranslated) > maxIssues {
			e.untranslated = e.untranslated[:maxIssues]
		}
		return ""
	}
	taken := locales[0]
	if slices.Contains(locales, "en") {
		taken = "en"
	}
	if !slices.Contains(e.languages, taken) {
		e.languages = append(e.languages, taken)
	}
	text, _ := l.Get(taken)
	return text
}

// fill writes a template for an item.
func (e *evaluator) fill(t template, it *item) string {
	total := 0
	return t.write(func(name string) string {
		if total > maxValue || !e.spend(0) {
			e.tooLong = true
			return ""
		}
		var value string
		switch {
		case it.entry != nil:
			value = e.placeholder(it, name)
		case name == ".":
			value = e.sayAll(it.value, it.path)
		default:
			value = e.sayAll(follow(it.value, name), it.path+"."+name)
		}
		value = strings.TrimSpace(value)
		total += len(value)
		e.spend(len(value))
		return value
	})
}

// sayAll returns all texts of a decoded value.
func (e *evaluator) sayAll(v any, where string) string {
	var texts []string
	for _, l := range textsOf(v) {
		if text := e.say(l, where); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ", ")
}

// placeholder returns what a placeholder stands for in a placement.
func (e *evaluator) placeholder(it *item, name string) string {
	element := it.entry.Element
	first, more, _ := strings.Cut(name, ".")
	switch first {
	case "title":
		return e.interpolate(it, element.Title, "the title")
	case "description":
		return e.interpolate(it, element.Description, "the description")
	case "element":
		return element.ID
	case "context":
		if c := it.entry.Context; c != nil {
			return e.say(c.Label, "the context value "+c.ID+" in the taxonomy")
		}
	case "context_id":
		return it.entry.Placement.ContextTypeID
	case "label", "citation":
		return e.sayAll(follow(it.value, first), it.path+"."+first)
	case "var":
		return e.variable(it, more)
	case "role":
		for i := range element.Variables {
			if v := &element.Variables[i]; string(cmp.Or(v.Role, e.roles.Variables[v.ID])) == more {
				if text := e.variable(it, v.ID); text != "" {
					return text
				}
			}
		}
	case "action":
		return ofType(follow(it.value, "actions"), more, "target")
	case "source":
		typ, property, _ := strings.Cut(more, ".")
		return ofType(follow(it.value, "sources"), typ, property)
	case "rest":
		return e.rest(it)
	}
	return ""
}

// ofType returns a field of the first item of a decoded list that has a type.
func ofType(list any, typ, field string) string {
	for _, one := range items(list) {
		if textOf(follow(one, "type")) == typ {
			return textOf(follow(one, field))
		}
	}
	return ""
}

// variable returns the value of a variable: a text, or the labels of options.
func (e *evaluator) variable(it *item, id string) string {
	placement, element := it.entry.Placement, it.entry.Element
	i := slices.IndexFunc(placement.Variables, func(v taxonomy.VariableValue) bool { return v.ID == id })
	declared, ok := element.Variable(id)
	if i < 0 || !ok || !e.spend(len(placement.Variables)+len(element.Variables)) {
		return ""
	}
	value := &placement.Variables[i]
	if len(value.Options) == 0 {
		return e.say(value.Text, fmt.Sprintf("%s.variables[%d] (%s, %s)", it.path, i, element.ID, id))
	}
	var labels []string
	for _, option := range value.Options[:min(len(value.Options), maxIssues)] {
		if k := slices.IndexFunc(declared.Options, func(o taxonomy.Option) bool { return o.ID == option }); k >= 0 {
			labels = append(labels, e.say(declared.Options[k].Label, "the option "+option+" in the taxonomy"))
		}
	}
	return strings.Join(slices.DeleteFunc(labels, func(s string) bool { return s == "" }), ", ")
}

// interpolate returns a text of the element with the values of the placement, and the label of a
// variable that has none.
func (e *evaluator) interpolate(it *item, l taxonomy.Localized, what string) string {
	element := it.entry.Element
	text := e.say(l, what+" of "+element.ID+" in the taxonomy")
	if !strings.Contains(text, "{{") {
		return text
	}
	return ident.Interpolate(text, func(id string) (string, bool) {
		if value := strings.TrimSpace(e.variable(it, id)); value != "" {
			return value, true
		}
		if v, ok := element.Variable(id); ok {
			return cmp.Or(e.say(v.Label, "a label of "+element.ID+" in the taxonomy"), id), true
		}
		return id, true
	})
}

// rest returns the labels and values of the variables that the description does not name.
func (e *evaluator) rest(it *item) string {
	element := it.entry.Element
	var texts []string
	for i := range element.Variables {
		v := &element.Variables[i]
		if strings.Contains(element.Description.Pick(), "{{"+v.ID+"}}") {
			continue
		}
		if value := e.variable(it, v.ID); value != "" {
			texts = append(texts, e.say(v.Label, "a label of "+element.ID+" in the taxonomy")+": "+value)
		}
	}
	return strings.Join(texts, "; ")
}
