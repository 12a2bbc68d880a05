package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const (
	// MaxSize is the most bytes that a profile can have.
	MaxSize = 256 << 10

	maxFields = 500
	maxIssues = 100 // that are reported
	maxDepth  = 8   // of all in all
)

// Parse reads a profile: JSON if the name of the file ends with .json, else YAML. The profile is nil
// if there is an issue. Every issue has its position in the file.
func Parse(name string, text []byte) (*Profile, issue.Issues) {
	d := &parser{file: name}
	if len(text) > MaxSize {
		d.report(issue.Position{File: name}, "split it, or remove what the target does not ask for", "A profile can have at most %d KiB.", MaxSize>>10)
		return nil, d.issues
	}
	root, wrong := source.ParseValue(name, text)
	if wrong != nil {
		wrong.Code = codes.ProfileInvalid
		return nil, issue.Issues{*wrong}
	}
	p := d.profile(root)
	if len(d.issues) > 0 {
		return nil, d.issues
	}
	return p, nil
}

// parser reads a profile and collects what is wrong.
type parser struct {
	file   string
	issues issue.Issues
	count  int // of fields
	tests  []test
}

// test is a condition that is checked once all fields are known.
type test struct {
	of    *field
	on    *conditionField
	at    source.Value
	among map[string]*field
}

func (d *parser) report(at issue.Position, hint, format string, args ...any) {
	if len(d.issues) < maxIssues {
		d.issues = append(d.issues, issue.Issue{
			Code: codes.ProfileInvalid, Severity: issue.SeverityError, Message: fmt.Sprintf(format, args...), FixHint: hint, Position: at,
		})
	}
}

func (d *parser) wrong(v source.Value, hint, format string, args ...any) {
	d.report(v.Position(), hint, format, args...)
}

// keys reports members that an object can't have, and whether the value is an object.
func (d *parser) keys(v source.Value, what string, known ...string) bool {
	if !v.IsObject() {
		d.wrong(v, "write keys and values", "%s must be an object.", what)
		return false
	}
	for m := range v.Items() {
		if slices.Contains(known, m.Key()) {
			continue
		}
		hint := "use " + wording.Or(known)
		if near := similar.Nearest(m.Key(), slices.Values(known)); near != "" {
			hint = "use " + near
		}
		d.wrong(m, hint, "%s has no key %s.", what, wording.Quote(m.Key()))
	}
	return true
}

// text returns a text, a number or a boolean as it is written.
func (d *parser) text(v source.Value, key string) string {
	m := v.Get(key)
	if !m.Exists() {
		return ""
	}
	text, ok := m.Scalar()
	if !ok {
		d.wrong(m, "write a text", "%s must be a text.", key)
	}
	return text
}

// needed is text for a key that must be there.
func (d *parser) needed(v source.Value, key string) string {
	text := d.text(v, key)
	if text == "" && v.IsObject() {
		d.wrong(near(v, key), "add "+key, "%s is missing.", key)
	}
	return text
}

// near returns a member, or the object if it is missing.
func near(v source.Value, key string) source.Value {
	if m := v.Get(key); m.Exists() {
		return m
	}
	return v
}

func (d *parser) flag(v source.Value, key string) bool {
	m := v.Get(key)
	value, ok := m.Bool()
	if !ok && m.Exists() {
		d.wrong(m, "write true or false", "%s must be true or false.", key)
	}
	return value
}

// texts returns a text, or a list of texts.
func (d *parser) texts(v source.Value, key string) []string {
	if m := v.Get(key); m.Exists() {
		return d.listed(m)
	}
	return nil
}

// listed reads a text or a list of texts that is a member of an object.
func (d *parser) listed(m source.Value) []string {
	if text, ok := m.Scalar(); ok {
		return []string{text}
	}
	var list []string
	for item := range m.Items() {
		text, ok := item.Scalar()
		if !ok || !m.IsList() {
			d.wrong(item, "write a list of texts", "%s must be a text or a list of texts.", m.Key())
			return nil
		}
		list = append(list, text)
	}
	if len(list) == 0 {
		d.wrong(m, "write a list of texts", "%s must be a text or a list of texts.", m.Key())
	}
	return list
}

// oneOf returns a text that must be one of some, or the first if it is missing.
func (d *parser) oneOf(v source.Value, key string, known ...string) string {
	text := d.text(v, key)
	if text == "" {
		return known[0]
	}
	if !slices.Contains(known, text) {
		hint := "use " + wording.Or(known)
		if near := similar.Nearest(text, slices.Values(known)); near != "" {
			hint = "use " + near
		}
		d.wrong(v.Get(key), hint, "%s can't be %s.", key, wording.Quote(text))
		return known[0]
	}
	return text
}

func (d *parser) profile(v source.Value) *Profile {
	p := &Profile{byName: make(map[string]*field)}
	if !d.keys(v, "A profile", "id", "title", "target", "types", "locale", "output", "fields", "facets") {
		return nil
	}
	p.ID, p.Types, p.Locale = d.needed(v, "id"), d.texts(v, "types"), d.text(v, "locale")
	if p.ID != "" && (!ident.IsID(strings.ReplaceAll(p.ID, ".", "")) || len(p.ID) > 64) {
		d.wrong(v.Get("id"), "use at most 64 letters, digits, -, _ and periods", "The id %s can't be used in documents.", wording.Quote(p.ID))
	}
	if len(p.Types) == 0 {
		d.wrong(near(v, "types"), "add types, such as [ai]", "types is missing: the datachain types that the profile is for.")
	}
	if !ident.IsLocale(p.Locale) {
		d.wrong(near(v, "locale"), "write the language of the target, such as en", "locale must be a language tag.")
	}
	p.Title = d.localized(v.Get("title"))
	if t := v.Get("target"); t.Exists() && d.keys(t, "target", "name", "version", "url", "checked", "superseded") {
		p.Target = Target{d.text(t, "name"), d.text(t, "version"), d.text(t, "url"), d.text(t, "checked"), d.flag(t, "superseded")}
		if c := p.Target.Checked; c != "" && !ident.IsDate(c) {
			d.wrong(t.Get("checked"), "write a date such as 2026-11-15", "checked must be a date.")
		}
	}
	p.Format, p.header = JSON, "name"
	if o := v.Get("output"); o.Exists() && d.keys(o, "output", "format", "header", "joined") {
		p.Format = Format(d.oneOf(o, "format", string(JSON), string(CSV)))
		p.header, p.joined = d.oneOf(o, "header", "name", "title"), d.text(o, "joined")
	}
	p.fields = d.fields(v.Get("fields"), p.byName, nil)
	if len(p.fields) == 0 && len(d.issues) == 0 {
		d.wrong(near(v, "fields"), "add fields", "A profile must have fields.")
	}
	if f := v.Get("facets"); f.Exists() {
		p.facets = d.fields(f, p.byName, nil)
		for _, f := range p.facets {
			f.facet = true
		}
	}
	d.checkConditions(p)
	d.checkGroups(p, v)
	return p
}

// localized reads a text, or a text for each language.
func (d *parser) localized(v source.Value) (l taxonomy.Localized) {
	if text, ok := v.Scalar(); ok {
		return taxonomy.Localized{{Value: text}}
	}
	for m := range v.Items() {
		text, ok := m.Scalar()
		if !ok || !ident.IsLocale(m.Key()) {
			d.wrong(m, "write texts by language, such as {en: Yearly list}", "title must be a text, or a text for each language.")
			return nil
		}
		l = append(l, taxonomy.Text{Locale: m.Key(), Value: text})
	}
	return l
}

// fields reads a list of fields into a list and a table by name.
func (d *parser) fields(v source.Value, byName map[string]*field, outer *selector) (list []*field) {
	if v.Exists() && !v.IsList() {
		d.wrong(v, "write a list", "%s must be a list of fields.", v.Key())
	}
	for item := range v.Items() {
		if d.count++; d.count > maxFields {
			if d.count == maxFields+1 {
				d.wrong(item, "remove what the target does not ask for", "A profile can have at most %d fields.", maxFields)
			}
			return list
		}
		f := d.field(item, byName, outer)
		if f == nil {
			continue
		}
		if byName[f.name] != nil {
			d.wrong(item.Get("name"), "give each field a name of its own", "There are two fields %s.", wording.Quote(f.name))
			continue
		}
		byName[f.name] = f
		list = append(list, f)
	}
	return list
}

func (d *parser) field(v source.Value, byName map[string]*field, outer *selector) *field {
	if !d.keys(v, "A field", "name", "title", "type", "required", "only", "max", "choices", "aliases", "suggested", "from", "list", "group", "each", "fields", "import", "confirm", "auto", "note") {
		return nil
	}
	if outer != nil {
		for _, key := range []string{"only", "group", "each", "fields", "import", "confirm", "auto"} {
			if m := v.Get(key); m.Exists() {
				d.wrong(m, "remove it, or make the field one of the profile", "A field of a list can't have %s.", key)
			}
		}
		if m := v.Get("required"); m.IsObject() {
			d.wrong(m, "write true, or remove it", "A field of a list is always required, or never.")
		}
	}
	f := &field{name: d.needed(v, "name"), title: d.text(v, "title"), list: d.flag(v, "list"), group: d.text(v, "group"), confirm: d.flag(v, "confirm"), auto: d.flag(v, "auto")}
	f.title = cmp.Or(f.title, f.name)
	var types []string
	for _, t := range fieldTypes {
		types = append(types, string(t))
	}
	f.typ = fieldType(d.oneOf(v, "type", types...))
	d.text(v, "note")
	if m := v.Get("max"); m.Exists() {
		text, _ := m.Scalar()
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			d.wrong(m, "write a number of characters", "max must be an integer from 1.")
		}
		f.max = n
	}
	d.choices(v, f)
	if m := v.Get("each"); m.Exists() {
		f.each = d.selector(m, "each")
	}
	if m := v.Get("fields"); m.Exists() {
		switch {
		case outer != nil: // which was said
		case f.typ != typeList || f.each == nil:
			d.wrong(m, "add type: list and each", "A field with fields must have the type list, and each.")
		case f.confirm || f.group != "":
			d.wrong(m, "remove confirm and group", "A field with fields can't be confirmed, and is in no group.")
		default:
			f.fields = d.fields(m, make(map[string]*field), f.each)
		}
	}
	if f.group != "" && (f.each == nil || !f.list) {
		d.wrong(v.Get("group"), "add each and list: true", "A field of a group must have each and list: true.")
	}
	if m := v.Get("from"); m.Exists() {
		if !m.IsList() {
			d.wrong(m, "write a list, such as [{path: title}]", "from must be a list of sources.")
		}
		for item := range m.Items() {
			if o := d.origin(item, cmp.Or(f.each, outer), 0); o != nil {
				d.checkTable(item, o, f)
				f.from = append(f.from, o)
			}
		}
	}
	f.target = d.target(v.Get("import"))
	f.required, f.only = d.condition(v.Get("required"), f, byName), d.condition(v.Get("only"), f, byName)
	return f
}

// choices reads a list of words, or an object of words by id, with other spellings of each.
func (d *parser) choices(v source.Value, f *field) {
	defer f.spell()
	chosen := f.typ == typeChoice || f.typ == typeChoices
	m := v.Get("choices")
	if chosen && !m.Exists() {
		d.wrong(v.Get("type"), "add choices", "A field of the type %s must have choices.", f.typ)
	}
	seen := make(map[string]int)
	for item := range m.Items() {
		word, ok := item.Scalar()
		id := cmp.Or(item.Key(), word)
		if _, twice := seen[id]; !ok || twice || id == "" {
			d.wrong(item, "write each word once", "choices must be a list of words, or words by id.")
			return
		}
		seen[id] = len(f.choices)
		f.choices = append(f.choices, choice{id: id, word: word})
	}
	if m.Exists() && len(f.choices) == 0 {
		d.wrong(m, "write a list of words", "choices must be a list of words, or words by id.")
	}
	aliases := v.Get("aliases")
	if aliases.Exists() && !aliases.IsObject() {
		d.wrong(aliases, "write other spellings by choice", "aliases must be an object.")
	}
	for item := range aliases.Items() {
		i, ok := seen[item.Key()]
		if !ok {
			d.wrong(item, "use an id of choices", "There is no choice %s.", wording.Quote(item.Key()))
			continue
		}
		f.choices[i].aliases = d.listed(item)
	}
	if v.Get("suggested").Exists() {
		d.texts(v, "suggested")
	}
}

// target reads where import puts a text.
func (d *parser) target(v source.Value) target {
	word, ok := v.Scalar()
	switch {
	case !v.Exists() || ok && word == "answers":
		return target{}
	case ok && word == "filing.url":
		return target{kind: toFilingURL}
	case ok:
		d.wrong(v, "use answers, filing.url, {category, variable} or {role, lead, action}", "import can't be %s.", wording.Quote(word))
		return target{}
	case !d.keys(v, "import", "category", "variable", "role", "lead", "action"):
		return target{}
	}
	if v.Get("role").Exists() {
		d.flag(v, "lead")
		if !d.flag(v, "action") {
			d.wrong(v, "add action: true", "import with a role must have action: true.")
		}
		return target{kind: toAction, role: d.role(v, "role")}
	}
	return target{kind: toVariable, category: d.needed(v, "category"), variable: d.needed(v, "variable")}
}

func (d *parser) role(v source.Value, key string) taxonomy.Role {
	roles := []taxonomy.Role{
		taxonomy.RolePurpose, taxonomy.RoleAccountable, taxonomy.RolePeople, taxonomy.RoleDecision, taxonomy.RoleData, taxonomy.RoleOutput,
		taxonomy.RoleAccess, taxonomy.RoleStorage, taxonomy.RoleRetention, taxonomy.RoleRisk, taxonomy.RoleRights,
	}
	var words []string
	for _, r := range roles {
		words = append(words, string(r))
	}
	if !v.Get(key).Exists() {
		return ""
	}
	return taxonomy.Role(d.oneOf(v, key, words...))
}

// condition reads true, or values by field. The fields are checked later.
func (d *parser) condition(v source.Value, of *field, among map[string]*field) (c condition) {
	if !v.Exists() {
		return c
	}
	if always, ok := v.Bool(); ok {
		c.always = always
		return c
	}
	if !v.IsObject() {
		d.wrong(v, "write true, or {other_field: [values]}", "%s must be true, or values by field.", v.Key())
		return c
	}
	for m := range v.Items() {
		c.fields = append(c.fields, conditionField{m.Key(), d.texts(v, m.Key())})
	}
	for i, m := 0, slices.Collect(v.Items()); i < len(m); i++ {
		d.tests = append(d.tests, test{of, &c.fields[i], m[i], among})
	}
	return c
}

// checkConditions reports conditions on fields and values that do not exist, and cycles.
func (d *parser) checkConditions(p *Profile) {
	edges := make(map[*field][]test)
	for _, t := range d.tests {
		on := t.among[t.on.name]
		if on == nil {
			known := make([]string, 0, len(t.among))
			for name := range t.among {
				known = append(known, name)
			}
			slices.Sort(known)
			hint := "use the name of a field"
			if near := similar.Nearest(t.on.name, slices.Values(known)); near != "" {
				hint = "use " + near
			}
			d.wrong(t.at, hint, "There is no field %s.", wording.Quote(t.on.name))
			continue
		}
		edges[t.of] = append(edges[t.of], t)
		for i, value := range t.on.values {
			c, ok := on.choice(value)
			if !ok && len(on.choices) > 0 {
				d.wrong(t.at, "use one of the choices of "+on.name, "%s is no choice of %s.", wording.Quote(value), on.name)
			} else if ok {
				t.on.values[i] = c.word // conditions compare what is written
			}
		}
	}
	// A field is done once all that it depends on is.
	const visiting, done = 1, 2
	state := make(map[*field]int)
	var visit func(f *field)
	visit = func(f *field) {
		state[f] = visiting
		for _, t := range edges[f] {
			switch on := t.among[t.on.name]; state[on] {
			case visiting:
				d.wrong(t.at, "remove one of the conditions", "The conditions of %s and %s depend on each other.", f.name, on.name)
			case 0:
				visit(on)
			}
		}
		state[f] = done
		p.conditional = append(p.conditional, f)
	}
	for _, t := range d.tests {
		if state[t.of] == 0 {
			visit(t.of)
		}
	}
}

// checkGroups reports groups whose fields have different items.
func (d *parser) checkGroups(p *Profile, v source.Value) {
	first := make(map[string]*selector)
	for _, f := range p.all() {
		if f.group == "" || f.each == nil {
			continue
		}
		if s := first[f.group]; s == nil {
			first[f.group] = f.each
		} else if !s.equal(f.each) {
			d.wrong(v.Get("fields"), "give the fields of a group the same each", "The field %s of the group %s has other items than the first.", wording.Quote(f.name), wording.Quote(f.group))
		}
	}
}

func (s *selector) equal(o *selector) bool {
	return s.role == o.role && s.lead == o.lead && s.list == o.list && slices.Equal(s.categories, o.categories) && slices.Equal(s.elements, o.elements) &&
		slices.Equal(s.contexts, o.contexts) && slices.Equal(s.sources, o.sources) && slices.Equal(s.where, o.where)
}

// checkTable reports values of tables that are no choice of the field.
func (d *parser) checkTable(v source.Value, o *origin, f *field) {
	for _, inner := range o.all {
		d.checkTable(v, inner, f)
	}
	if len(f.choices) == 0 {
		return
	}
	values := []string{o.then, o.els}
	for _, m := range o.table {
		values = append(values, m.to)
	}
	if o.kind == fromConstant {
		values = append(values, o.name)
	}
	for _, value := range values {
		if _, ok := f.choice(value); !ok && value != "" {
			d.wrong(v, "use one of the choices of "+f.name, "%s is no choice of %s.", wording.Quote(value), f.name)
		}
	}
}
