package profile

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
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
	if len(text) > MaxSize {
		i := finding(issue.SeverityError, "split it, or remove what the target does not ask for", "A profile can have at most %d KiB.", MaxSize>>10)
		i.Position.File = name
		return nil, issue.Issues{i}
	}
	root, wrong := source.ParseValue(name, text)
	if wrong != nil {
		wrong.Code = codes.ProfileInvalid
		return nil, issue.Issues{*wrong}
	}
	p := &parser{profile: &Profile{byName: make(map[string]*field)}}
	if p.read(root); len(p.issues) > 0 {
		return nil, p.issues
	}
	return p.profile, nil
}

func finding(severity issue.Severity, hint, format string, args ...any) issue.Issue {
	return issue.Issue{Code: codes.ProfileInvalid, Severity: severity, Message: fmt.Sprintf(format, args...), FixHint: hint}
}

// parser reads a profile and collects what is wrong.
type parser struct {
	profile *Profile
	issues  issue.Issues
	count   int // of fields
	pending []pending
}

// pending is a condition of a field, which is checked once all fields are known.
type pending struct {
	field *field
	on    *conditionField
	at    source.Value
}

// wrong reports a mistake at a value.
func (p *parser) wrong(v source.Value, hint, format string, args ...any) {
	if len(p.issues) < maxIssues {
		i := finding(issue.SeverityError, hint, format, args...)
		i.Position = v.Position()
		p.issues = append(p.issues, i)
	}
}

// suggest returns the hint for a word that is not known.
func suggest[T ~string](written string, known []T, otherwise string) string {
	words := make([]string, len(known))
	for i := range known {
		words[i] = string(known[i])
	}
	if near := similar.Nearest(written, slices.Values(words)); near != "" {
		return "use " + near
	}
	if otherwise == "" {
		otherwise = "use " + wording.Or(words)
	}
	return otherwise
}

// keys reports members that an object can't have, and whether the value is an object.
func (p *parser) keys(v source.Value, what string, known ...string) bool {
	if !v.IsObject() {
		p.wrong(v, "write keys and values", "%s must be an object.", what)
		return false
	}
	for m := range v.Items() {
		if !slices.Contains(known, m.Key()) {
			p.wrong(m, suggest(m.Key(), known, ""), "%s has no key %s.", what, wording.Quote(m.Key()))
		}
	}
	return true
}

// text returns a text, a number or a boolean as it is written.
func (p *parser) text(v source.Value, key string) string {
	m := v.Get(key)
	text, ok := m.Scalar()
	if !ok && m.Exists() {
		p.wrong(m, "write a text", "%s must be a text.", key)
	}
	return text
}

// needed is text for a key that must be there.
func (p *parser) needed(v source.Value, key string) string {
	text := p.text(v, key)
	if text == "" {
		p.wrong(memberOr(v, key), "add "+key, "%s is missing.", key)
	}
	return text
}

// memberOr returns a member, or the object if it is missing.
func memberOr(v source.Value, key string) source.Value {
	if m := v.Get(key); m.Exists() {
		return m
	}
	return v
}

func (p *parser) flag(v source.Value, key string) bool {
	m := v.Get(key)
	value, ok := m.Bool()
	if !ok && m.Exists() {
		p.wrong(m, "write true or false", "%s must be true or false.", key)
	}
	return value
}

// texts reads a member that is a text or a list of texts, if it is there.
func (p *parser) texts(m source.Value) (list []string) {
	if text, ok := m.Scalar(); ok {
		return []string{text}
	}
	for item := range m.Items() {
		text, ok := item.Scalar()
		if !ok || !m.IsList() {
			p.wrong(item, "write a list of texts", "%s must be a text or a list of texts.", m.Key())
			return nil
		}
		list = append(list, text)
	}
	if len(list) == 0 && m.Exists() {
		p.wrong(m, "write a list of texts", "%s must be a text or a list of texts.", m.Key())
	}
	return list
}

// oneOf returns a text that must be one of some, or "" if it is missing.
func oneOf[T ~string](p *parser, v source.Value, key string, known ...T) T {
	text := p.text(v, key)
	if text != "" && !slices.Contains(known, T(text)) {
		p.wrong(v.Get(key), suggest(text, known, ""), "%s can't be %s.", key, wording.Quote(text))
	}
	return T(text)
}

// read reads a profile.
func (p *parser) read(v source.Value) {
	profile := p.profile
	if !p.keys(v, "A profile", "id", "title", "target", "types", "locale", "output", "fields", "facets") {
		return
	}
	profile.ID, profile.Types, profile.Locale = p.needed(v, "id"), p.texts(v.Get("types")), p.text(v, "locale")
	if profile.ID != "" && (!ident.IsID(strings.ReplaceAll(profile.ID, ".", "")) || len(profile.ID) > 64) {
		p.wrong(v.Get("id"), "use at most 64 letters, digits, -, _ and periods", "The id %s can't be used in documents.", wording.Quote(profile.ID))
	}
	if len(profile.Types) == 0 {
		p.wrong(memberOr(v, "types"), "add types, such as [ai]", "types is missing: the datachain types that the profile is for.")
	}
	if !ident.IsLocale(profile.Locale) {
		p.wrong(memberOr(v, "locale"), "write the language of the target, such as en", "locale must be a language tag.")
	}
	p.title(v.Get("title"))
	if t := v.Get("target"); t.Exists() && p.keys(t, "target", "name", "version", "url", "checked", "superseded") {
		profile.Target = Target{p.text(t, "name"), p.text(t, "version"), p.text(t, "url"), p.text(t, "checked"), p.flag(t, "superseded")}
		if c := profile.Target.Checked; c != "" && !ident.IsDate(c) {
			p.wrong(t.Get("checked"), "write a date such as 2026-11-15", "checked must be a date.")
		}
	}
	profile.Format = JSON
	if o := v.Get("output"); o.Exists() && p.keys(o, "output", "format", "header", "joined") {
		if oneOf(p, o, "format", JSON, CSV) == CSV {
			profile.Format = CSV
		}
		profile.titles, profile.joined = oneOf(p, o, "header", "name", "title") == "title", p.text(o, "joined")
	}
	profile.fields = p.fields(v.Get("fields"), profile.byName, nil)
	if len(profile.fields) == 0 && len(p.issues) == 0 {
		p.wrong(memberOr(v, "fields"), "add fields", "A profile must have fields.")
	}
	profile.facets = p.fields(v.Get("facets"), profile.byName, nil)
	for _, f := range profile.facets {
		f.facet = true
	}
	p.checkConditions()
	p.checkGroups(v)
}

// title checks a text, or texts by language. It is for people who read the file.
func (p *parser) title(v source.Value) {
	if _, ok := v.Scalar(); ok {
		return
	}
	for m := range v.Items() {
		if _, ok := m.Scalar(); !ok || !ident.IsLocale(m.Key()) {
			p.wrong(m, "write texts by language, such as {en: Yearly list}", "title must be a text, or a text for each language.")
			return
		}
	}
}

// checkConditions reports conditions on fields and values that do not exist, and cycles. It sorts the
// fields with conditions.
func (p *parser) checkConditions() {
	profile := p.profile
	edges := make(map[*field][]pending)
	for _, t := range p.pending {
		on := profile.byName[t.on.name]
		if on == nil {
			var known []string
			for _, f := range profile.all() {
				known = append(known, f.name)
			}
			slices.Sort(known)
			p.wrong(t.at, suggest(t.on.name, known, "use the name of a field"), "There is no field %s.", wording.Quote(t.on.name))
			continue
		}
		edges[t.field] = append(edges[t.field], t)
		for i, value := range t.on.values {
			c, ok := on.choice(value)
			if !ok && len(on.choices) > 0 {
				p.wrong(t.at, "use one of the choices of "+on.name, "%s is no choice of %s.", wording.Quote(value), on.name)
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
			switch on := profile.byName[t.on.name]; state[on] {
			case visiting:
				p.wrong(t.at, "remove one of the conditions", "The conditions of %s and %s depend on each other.", f.name, on.name)
			case 0:
				visit(on)
			}
		}
		state[f] = done
		profile.conditional = append(profile.conditional, f)
	}
	for _, t := range p.pending {
		if state[t.field] == 0 {
			visit(t.field)
		}
	}
}

// checkGroups reports groups whose fields have different items.
func (p *parser) checkGroups(v source.Value) {
	first := make(map[string]*selector)
	for _, f := range p.profile.all() {
		if f.group == "" || f.each == nil {
			continue
		}
		if first[f.group] == nil {
			first[f.group] = f.each
		}
		if !reflect.DeepEqual(first[f.group], f.each) {
			p.wrong(v.Get("fields"), "give the fields of a group the same each", "The field %s of the group %s has other items than the first.", wording.Quote(f.name), wording.Quote(f.group))
		}
	}
}
