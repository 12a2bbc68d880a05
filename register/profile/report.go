package profile

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/register"
)

// Options configure a [Report] and a [Draft]. The zero value and nil are the defaults.
type Options struct {
	// Settings are those of the register: its publisher, its address, and the roles of taxonomies
	// that have none.
	Settings *register.Settings
	// AnyLanguage fills in texts that are not in the language of the profile.
	AnyLanguage bool
	// Answers are values by field that are not in the document, because they must not be public. They
	// replace those of the document.
	Answers map[string][]string
	// Date is that of a draft whose entry has none, such as 2026-11-15.
	Date string
}

// roles returns the roles of a datachain type that has none itself.
func (o *Options) roles(typ string) *summary.Roles {
	if o.Settings == nil {
		return new(summary.Roles)
	}
	return cmp.Or(o.Settings.Roles[typ], new(summary.Roles))
}

// Report is a document in the form of a profile. It is a draft for a person, who must check it: it
// never says that a document satisfies what the target asks for.
type Report struct {
	Profile *Profile
	// ID is that of the document.
	ID string
	// Values are those of all fields, in the order of the profile.
	Values []Value
	// Facets are those of the second object that the target takes, or nil.
	Facets []Value
	// Findings are what is missing or can't be written as it is.
	Findings []Finding
	// Required is the number of fields that the target requires of this document, and Given of those
	// that have a value.
	Required, Given int
}

// Value is the value of a field. It is empty if neither Texts nor Items has one.
type Value struct {
	Field string
	// Texts are the values: one, or those of a list, in which "" is a gap.
	Texts []string
	// Items are objects with fields of their own.
	Items [][]Value
	// Origin says where the value comes from: a place in the document, constant, or answer.
	Origin string
	// Required means that the target requires the field of this document.
	Required bool

	spec *field
}

// Empty reports whether a value has no text.
func (v *Value) Empty() bool {
	return len(v.Items) == 0 && !slices.ContainsFunc(v.Texts, func(t string) bool { return t != "" })
}

// Finding is something about a field that a person should look at.
type Finding struct {
	Kind Kind `json:"kind"`
	// Field is the name of the field, with an index if it is about an item.
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Kind is a kind of [Finding].
type Kind string

// The kinds of findings. Reports with the first three are not finished.
const (
	Missing          Kind = "missing"           // a required value
	TooLong          Kind = "too_long"          // it is written whole, unless it has more than 64 KiB
	NotAChoice       Kind = "not_a_choice"      // it is left out
	Language         Kind = "language"          // the text is only in other languages
	Invalid          Kind = "invalid"           // it has the wrong form, and is left out
	AnswerDiffers    Kind = "answer_differs"    // the document gives another value than the answer
	AnswerUnknown    Kind = "answer_unknown"    // the profile has no such field
	ConditionUnknown Kind = "condition_unknown" // a field decides whether this one is required, and is empty
	Confirm          Kind = "confirm"           // the value is only proposed
)

// OK reports whether nothing required is missing, and no value is too long or no choice.
func (r *Report) OK() bool {
	return !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Kind == Missing || f.Kind == TooLong || f.Kind == NotAChoice })
}

// Filled returns the number of fields that have a value.
func (r *Report) Filled() int { return filled(r.Values) }

func filled(values []Value) (n int) {
	for i := range values {
		if !values[i].Empty() {
			n++
		}
	}
	return n
}

// Report fills in the fields of a profile from a document.
func (p *Profile) Report(shown *datachain.Presentation, o *Options) *Report {
	if o == nil {
		o = new(Options)
	}
	r := &reporter{
		Report: &Report{Profile: p, ID: shown.Datachain.ID}, options: o, subject: newSubject(p, shown, o), work: maxWork,
		values: make(map[string]*Value), answers: make(map[string][]string), leftOut: make(map[string]bool),
	}
	r.readAnswers()
	all := p.all()
	list := make([]Value, len(all))
	for i, f := range all {
		list[i] = r.value(f)
		r.values[f.name] = &list[i]
	}
	r.fillGroups(list)
	for _, f := range p.conditional {
		r.leaveOut(f)
	}
	// What was found in values that are left out is no longer so, but that a condition is unknown is.
	r.Findings = slices.DeleteFunc(r.Findings, func(found Finding) bool { return r.leftOut[found.name()] && found.Kind != ConditionUnknown })
	for i := range list {
		r.require(&list[i])
	}
	r.Values, r.Facets = list[:len(p.fields)], list[len(p.fields):]
	order := make(map[string]int, len(all))
	for i, f := range all {
		order[f.name] = i - len(all) // before those that are not fields
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return order[a.name()] - order[b.name()] })
	return r.Report
}

// name returns the name of the field without an index.
func (f *Finding) name() string {
	name, _, _ := strings.Cut(f.Field, "[")
	return name
}

// reporter makes a report.
type reporter struct {
	*Report
	*subject
	options *Options
	work    int
	values  map[string]*Value // by field
	answers map[string][]string
	leftOut map[string]bool // fields that a condition leaves out
	guesses int             // of what values that are no choice mean
}

func (r *reporter) find(kind Kind, field, format string, args ...any) {
	r.Findings = append(r.Findings, Finding{kind, field, fmt.Sprintf(format, args...)})
}

// readAnswers reads the answers of the document, and those of the options in their place.
func (r *reporter) readAnswers() {
	answers, _ := follow(r.filing, "answers").(map[string]any)
	for name, value := range answers {
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		texts := make([]string, len(list))
		for i := range list {
			texts[i] = textOf(list[i])
		}
		r.answers[name] = texts
	}
	maps.Copy(r.answers, r.options.Answers)
	var known []string
	for _, f := range r.Profile.all() {
		if !f.auto && len(f.fields) == 0 {
			known = append(known, f.name)
		}
	}
	slices.Sort(known)
	for _, name := range slices.Sorted(maps.Keys(r.answers)) {
		if _, ok := slices.BinarySearch(known, name); ok {
			continue
		}
		delete(r.answers, name)
		if len(r.Findings) < maxIssues {
			message := "there is no such field that can be answered"
			if near := similar.Nearest(name, slices.Values(known)); near != "" {
				message += "; use " + near
			}
			r.find(AnswerUnknown, wording.Plain(name), "%s", message)
		}
	}
}

// value returns the value of a field: the answer, or what the document gives.
func (r *reporter) value(f *field) Value {
	before := len(r.Findings)
	given := r.derive(f)
	answer := r.answers[f.name]
	if !slices.ContainsFunc(answer, func(t string) bool { return strings.TrimSpace(t) != "" }) {
		if f.confirm && !given.Empty() {
			proposed := given.Texts[0]
			id := proposed
			if c, ok := f.choice(proposed); ok {
				id = c.id
			}
			r.find(Confirm, f.name, "proposed by %s; if it is right, write register.filings[].answers.%s: %s", given.Origin, f.name, strconv.Quote(id))
			given.Texts, given.Origin = nil, "proposed: "+proposed
		}
		return given
	}
	r.Findings = r.Findings[:before]
	v := Value{Field: f.name, Origin: "answer", spec: f}
	if !f.many() {
		answer = answer[:1]
	}
	for i, text := range answer {
		written := r.checked(f, f.nameAt(f.name, i), strings.TrimSpace(text))
		if strings.TrimSpace(text) == "" && f.group != "" && i < len(given.Texts) {
			written = given.Texts[i] // a gap in the answer is none
		}
		if written != "" || f.group != "" {
			v.Texts = append(v.Texts, written)
		}
	}
	if !given.Empty() && !slices.Equal(given.Texts, v.Texts) {
		r.find(AnswerDiffers, f.name, "the document gives %s", wording.Quote(strings.Join(given.Texts, "; ")))
	}
	return v
}

// derive returns what the document gives for a field.
func (r *reporter) derive(f *field) Value {
	v := Value{Field: f.name, spec: f}
	e := &evaluator{reporter: r}
	if f.each == nil {
		v.Texts = r.texts(f, f.name, f.many(), e)
		v.Origin = strings.Join(e.origins, ", ")
		return v
	}
	if !e.spend(f.each.cost() * len(r.entries)) {
		return v
	}
	var origins []string
	for i, it := range r.choose(f.each) {
		if r.work < 0 {
			r.find(TooLong, f.name, "the document has more items than a report takes; the rest is left out")
			break
		}
		if len(origins) < maxOrigins {
			origins = append(origins, it.where())
		}
		name := fmt.Sprintf("%s[%d]", f.name, i)
		if len(f.fields) > 0 {
			v.Items = append(v.Items, r.item(f, name, &it))
			continue
		}
		texts := r.texts(f, name, false, &evaluator{reporter: r, each: &it})
		if len(texts) == 0 && f.group != "" {
			texts = []string{""}
		}
		v.Texts = append(v.Texts, texts...)
	}
	if !v.Empty() {
		v.Origin = strings.Join(origins, ", ")
	}
	return v
}

// item returns the fields of an item of a list.
func (r *reporter) item(f *field, name string, it *item) (values []Value) {
	for _, inner := range f.fields {
		v := Value{Field: inner.name, Required: inner.required.always, spec: inner}
		name := name + "." + inner.name
		v.Texts = r.texts(inner, name, inner.many(), &evaluator{reporter: r, each: it})
		if v.Empty() && v.Required {
			r.find(Missing, name, "write %s", it.path)
		}
		values = append(values, v)
	}
	return values
}

// texts returns the values that the sources of a field give as the field has them: one text, or a list.
// It reports what can't be taken.
func (r *reporter) texts(f *field, name string, many bool, e *evaluator) (written []string) {
	texts, of := e.first(f.from)
	r.found(name, e)
	switch {
	case e.tooLong:
		r.find(TooLong, name, "a value has more than %d KiB, and is left out", maxValue>>10)
		return nil
	case len(texts) == 0:
		return nil
	case many:
	case f.typ == typeText || f.typ == typeHTML:
		texts = []string{strings.Join(texts, of.join)}
	default: // a form has one value
		texts = texts[:1]
	}
	for i, text := range texts {
		at := name
		if many {
			at = f.nameAt(name, i)
		}
		if w := r.checked(f, at, text); w != "" && !(f.typ == typeChoices && slices.Contains(written, w)) {
			written = append(written, w)
		}
	}
	return written
}

// found reports what an evaluator could not take.
func (r *reporter) found(name string, e *evaluator) {
	for i, l := range e.untranslated {
		if i == 3 {
			r.find(Language, name, "%d more texts are not in %s", len(e.untranslated)-i, r.Profile.Locale)
			break
		}
		r.find(Language, name, "%s", l)
	}
	if len(e.languages) > 0 {
		r.find(Language, name, "written in %s, not %s", wording.And(e.languages), r.Profile.Locale)
	}
	for _, u := range e.unmapped[:min(len(e.unmapped), 3)] {
		keys := func(yield func(string) bool) {
			for i := range u.table {
				if !yield(u.table[i].from) {
					return
				}
			}
		}
		r.find(NotAChoice, name, "the profile has no value for %s, only for %s", wording.Quote(u.value), wording.And(r.near(u.value, keys)))
	}
}

// near returns the known words that a value may mean, or the first ones. It guesses only for as many
// values as a person may read about, since guessing takes long.
func (r *reporter) near(value string, known iter.Seq[string]) (words []string) {
	if r.guesses++; r.guesses <= maxIssues {
		words = similar.Related(value, known, 3)
	}
	if len(words) > 0 {
		return words
	}
	for word := range known {
		if words = append(words, word); len(words) == 6 {
			break
		}
	}
	return words
}

// nameAt names a value of a list, for findings.
func (f *field) nameAt(name string, index int) string {
	if !f.many() || f.typ == typeChoices {
		return name
	}
	return fmt.Sprintf("%s[%d]", name, index)
}

// checked returns a value as it is written, or reports what is wrong with it. One that is too long is
// both.
func (r *reporter) checked(f *field, name, text string) string {
	if text == "" {
		return ""
	}
	if f.typ == typeChoice || f.typ == typeChoices {
		if c, ok := f.choice(text); ok {
			return c.word
		}
		words := r.near(text, f.words)
		for i := range words {
			words[i] = wording.Quote(words[i])
		}
		r.find(NotAChoice, name, "%s: use %s", wording.Quote(text), wording.Or(words))
		return ""
	}
	if len(text) > maxValue {
		r.find(TooLong, name, "a value has more than %d KiB, and is left out", maxValue>>10)
		return ""
	}
	written, must := f.form(text)
	if must != "" {
		r.find(Invalid, name, "%s is not %s", wording.Quote(text), must)
	} else if n := utf8.RuneCountInString(written); f.max > 0 && n > f.max {
		r.find(TooLong, name, "it has %d characters; at most %d are allowed", n, f.max)
	}
	return written
}
