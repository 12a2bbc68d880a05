// Package review reports what makes a schema version hard to understand, by signs that
// can be measured: long texts, abbreviations that are never spelled out, translations of very
// different length, elements that say nearly the same, and icons that look alike.
//
//	report, err := review.Release(release, nil)
//
// A sign is not a mistake. Linting reports mistakes; a review says where a steward should look
// first, and sorts by how much attention each subject needs. [Signs] lists all signs with their
// limits, which [Options] can change. A finding that is as it should be can be accepted, with an
// [Acceptance].
//
// # Experimental
//
// This package may change in a minor version.
package review

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Options configures a review. A nil *Options is the defaults.
type Options struct {
	// Locales are the languages to review, of those that the release has; empty means
	// all.
	Locales []string
	// Signs are the ids of the signs to look for; empty means all.
	Signs []string
	// Limits replaces the limits of signs, by id.
	Limits map[string]float64
	// Known are abbreviations that readers know, such as "AI".
	Known []string
	// Accepted are findings that are as they should be: they are not reported, unless
	// what they were found in has changed since.
	Accepted []Acceptance
	// Interrupt is called now and then. If it returns an error, the review stops and
	// returns it.
	Interrupt func() error
}

// Acceptance is an entry of review.accept in the schema file: a finding of a review that is
// as it should be. It is not part of the release.
type Acceptance struct {
	// Sign is the id of what was found, and Subject in what, such as element/purpose.safety or
	// version (see [Kind.Of]).
	Sign    string `json:"sign"`
	Subject string `json:"subject"`
	// Text identifies what was read: the acceptance ends when it changes.
	Text string `json:"text"`
	// Reason says why.
	Reason   string         `json:"reason"`
	Position issue.Position `json:"position,omitzero"`
}

// Report is the result of a review.
type Report struct {
	Version taxonomy.Version `json:"version"`
	// Locales are the languages that were reviewed.
	Locales []string `json:"locales"`
	// Elements and Categories are how many the release has.
	Elements   int `json:"elements"`
	Categories int `json:"categories"`
	// Subjects are what needs attention, most of it first.
	Subjects []Subject `json:"subjects"`
	// Accepted are the acceptances that kept a finding from being reported. Unused are
	// those that did not: the text has changed since, or was removed. They are known only if
	// everything was reviewed.
	Accepted []Acceptance `json:"accepted,omitempty"`
	Unused   []Acceptance `json:"unused,omitempty"`
}

// Kind is a kind of subject.
type Kind string

// The kinds of subjects.
const (
	KindVersion  Kind = "version"
	KindCategory Kind = "category"
	KindElement  Kind = "element"
	KindSymbol   Kind = "symbol"
)

// Of returns the name of a subject in acceptances, such as element/purpose.safety. That of
// the version is the same in the next one, to which acceptances are copied.
func (k Kind) Of(id string) string {
	if k == KindVersion {
		return string(k)
	}
	return string(k) + "/" + id
}

// Subject is a part of a release with its findings.
type Subject struct {
	Kind Kind   `json:"kind"`
	ID   string `json:"id"`
	// Title is the title of an element or the name of a category, in the first
	// language that was reviewed.
	Title string `json:"title,omitempty"`
	// Attention is how much the subject needs: the sum of the weights of its findings,
	// each multiplied by how far the value is beyond the limit, at most three times.
	Attention float64   `json:"attention"`
	Findings  []Finding `json:"findings"`
}

// Finding is a sign that was found.
type Finding struct {
	Sign string `json:"sign"`
	// Locale and Field are where it was found, if it is about a text.
	Locale  string  `json:"locale,omitempty"`
	Field   string  `json:"field,omitempty"`
	Value   float64 `json:"value"`
	Limit   float64 `json:"limit"`
	Message string  `json:"message"`
	// Others are the ids of other elements that it is about.
	Others []string `json:"others,omitempty"`
	// Text identifies what was read, for [Options.Accepted].
	Text string `json:"text"`

	// only is what was read, if it is not all of the field.
	only string
}

// Release reviews a release. The error is about the options, or that of Interrupt.
func Release(r *taxonomy.Release, o *Options) (*Report, error) {
	p, err := newPass(r, o)
	if err != nil {
		return nil, err
	}
	for _, s := range Signs() {
		if !p.selected(s) {
			continue
		}
		p.sign, p.limit = s, s.Limit
		if limit, ok := p.options.Limits[s.ID]; ok {
			p.limit = limit
		}
		if s.text != nil {
			for _, t := range p.texts {
				s.text(p, t)
			}
		} else if err := s.run(p); err != nil {
			return nil, err
		}
	}
	return p.finish(), nil
}

// Found reports whether anything needs attention.
func (r *Report) Found() bool { return len(r.Subjects) > 0 }

// pass is one review.
type pass struct {
	release *taxonomy.Release
	options Options
	report  *Report
	texts   []*text
	// subjects are in the order in which they were found first.
	subjects []*Subject
	byID     map[string]*Subject // by kind and id
	accepted map[int]bool        // of the options, which were found

	sign  *Sign // the current one
	limit float64
}

func newPass(r *taxonomy.Release, o *Options) (*pass, error) {
	p := &pass{release: r, byID: make(map[string]*Subject), accepted: make(map[int]bool)}
	if o != nil {
		p.options = *o
	}
	for _, id := range p.options.Signs {
		if Lookup(id) == nil {
			return nil, fmt.Errorf("review: unknown sign %q", id)
		}
	}
	for id, limit := range p.options.Limits {
		if Lookup(id) == nil {
			return nil, fmt.Errorf("review: limit of an unknown sign %q", id)
		}
		if math.IsNaN(limit) || math.IsInf(limit, 0) || limit < 0 {
			return nil, fmt.Errorf("review: limit of %s: want a number that is not negative", id)
		}
	}
	locales := r.Locales()
	if len(p.options.Locales) > 0 {
		locales = nil
		for _, want := range p.options.Locales {
			i := ident.IndexLocale(r.Locales(), want)
			if i < 0 {
				return nil, fmt.Errorf("review: %s has no locale %q (it has %s)", r.Version(), want, strings.Join(r.Locales(), ", "))
			}
			locales = append(locales, r.Locales()[i])
		}
	}
	p.report = &Report{
		Version: r.Version(), Locales: slices.Clone(locales), Elements: len(r.Elements()), Categories: len(r.Categories()), Subjects: []Subject{},
	}
	p.readTexts()
	return p, nil
}

// selected reports whether a sign is looked for.
func (p *pass) selected(s *Sign) bool {
	return len(p.options.Signs) == 0 || slices.Contains(p.options.Signs, s.ID)
}

func (p *pass) interrupted() error {
	if p.options.Interrupt == nil {
		return nil
	}
	return p.options.Interrupt()
}

// add adds a finding of the current sign to a subject. It has the limit of the sign.
func (p *pass) add(kind Kind, id string, f Finding) {
	f.Limit = p.limit
	p.addBeyond(kind, id, f)
}

// addBeyond adds a finding with its own limit.
func (p *pass) addBeyond(kind Kind, id string, f Finding) {
	f.Sign, f.Value = p.sign.ID, math.Round(f.Value*100)/100
	f.Text = p.textOf(kind, id, &f)
	for i, a := range p.options.Accepted {
		if a.Sign == f.Sign && a.Subject == kind.Of(id) && a.Text == f.Text {
			p.accepted[i] = true
			return
		}
	}
	key := string(kind) + " " + id
	s := p.byID[key]
	if s == nil {
		s = &Subject{Kind: kind, ID: id, Title: p.title(kind, id)}
		p.byID[key] = s
		p.subjects = append(p.subjects, s)
	}
	s.Findings = append(s.Findings, f)
	s.Attention += float64(p.sign.Weight) * p.excess(f.Value, f.Limit)
}

// textOf returns what identifies the texts and drawings that a finding is about.
func (p *pass) textOf(kind Kind, id string, f *Finding) string {
	h := sha256.New()
	write := func(parts ...string) {
		for _, s := range parts {
			_, _ = fmt.Fprintf(h, "%d:%s", len(s), s) // a hash does not fail
		}
	}
	locales := []string{f.Locale}
	if p.sign.Group == "translations" {
		locales = append(locales, p.release.Locales()[0]) // what was translated
	}
	texts := func(list ...taxonomy.Localized) {
		for _, l := range list {
			for _, locale := range locales {
				text, _ := l.Get(locale)
				write(text)
			}
		}
	}
	write(f.Locale, f.Field, f.only)
	switch c, e := p.find(kind, id); {
	case kind == KindSymbol:
		svg, _ := p.release.Symbol(id)
		write(svg)
	case c != nil:
		texts(map[string][]taxonomy.Localized{fieldName: {c.Name}, fieldDescription: {c.Description}, fieldPrompt: {c.Prompt}}[f.Field]...)
	case e != nil:
		texts(map[string][]taxonomy.Localized{fieldTitle: {e.Title}, fieldDescription: {e.Description}, "": {e.Title, e.Description}}[f.Field]...)
	}
	if f.only == "" {
		for _, other := range f.Others {
			write(other)
			if _, e := p.find(KindElement, other); e != nil && kind == KindSymbol {
				svg, _ := p.release.Symbol(e.SymbolID)
				write(svg)
			} else if e != nil {
				texts(e.Title, e.Description)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// find returns the category or the element that a subject is, or nil.
func (p *pass) find(kind Kind, id string) (c *taxonomy.Category, e *taxonomy.Element) {
	switch kind {
	case KindCategory:
		c, _ = p.release.Category(id)
	case KindElement:
		e, _ = p.release.Element(id)
	}
	return c, e
}

// excess returns how far a value is beyond a limit, from 1 to 3.
func (p *pass) excess(value, limit float64) float64 {
	beyond := value
	if p.sign.AtLeast {
		beyond, limit = limit, value
	}
	if limit <= 0 {
		return 3
	}
	return min(max(beyond/limit, 1), 3)
}

func (p *pass) title(kind Kind, id string) string {
	switch c, e := p.find(kind, id); {
	case c != nil:
		return c.Name.Pick(p.report.Locales...)
	case e != nil:
		return e.Title.Pick(p.report.Locales...)
	}
	return ""
}

// finish sorts the subjects.
func (p *pass) finish() *Report {
	slices.SortStableFunc(p.subjects, func(a, b *Subject) int { return cmp.Compare(b.Attention, a.Attention) })
	for _, s := range p.subjects {
		s.Attention = math.Round(s.Attention*10) / 10
		p.report.Subjects = append(p.report.Subjects, *s)
	}
	for i, a := range p.options.Accepted {
		switch {
		case p.accepted[i]:
			p.report.Accepted = append(p.report.Accepted, a)
		case len(p.options.Signs)+len(p.options.Locales)+len(p.options.Limits)+len(p.options.Known) == 0:
			p.report.Unused = append(p.report.Unused, a)
		}
	}
	return p.report
}

// Sign is something measurable that makes a schema version hard to understand.
type Sign struct {
	// ID names the sign in reports and options.
	ID string `json:"id"`
	// Group is what several signs measure.
	Group string `json:"group"`
	// Purpose says why it matters to readers.
	Purpose string `json:"purpose"`
	// Advice says what a steward can do.
	Advice string `json:"advice"`
	// Limit is the default limit, in the unit: the largest value that is not reported,
	// or with AtLeast the smallest.
	Limit   float64 `json:"limit"`
	Unit    string  `json:"unit"`
	AtLeast bool    `json:"at_least,omitempty"`
	// Weight is how much attention a finding needs, from 1 to 3.
	Weight int `json:"weight"`

	// run looks for the sign, or text does in each text.
	run  func(*pass) error
	text func(*pass, *text)
}

// Signs returns all signs, in the order of a report. The caller owns the slice.
func Signs() []*Sign {
	return []*Sign{
		nearDuplicate,
		sameIcon,
		similarIcon,
		titleLength,
		descriptionShort,
		descriptionLength,
		sentenceLength,
		abbreviation,
		translationLength,
	}
}

// Lookup returns the sign with an id, or nil.
func Lookup(id string) *Sign {
	for _, s := range Signs() {
		if s.ID == id {
			return s
		}
	}
	return nil
}

// TranslationRoom is how many times as long as the limits of length translations may be:
// many languages need more words than English.
const TranslationRoom = 1.25

// tooLong adds a finding about a text that is longer than its limit.
func (p *pass) tooLong(t *text, words int, format string, args ...any) {
	limit := p.limit
	if t.locale != p.report.Locales[0] {
		limit *= TranslationRoom
	}
	if float64(words) > limit {
		message := fmt.Sprintf(format, args...) + fmt.Sprintf(" (at most %.0f).", limit)
		p.addBeyond(t.kind, t.id, Finding{Locale: t.locale, Field: t.field, Value: float64(words), Limit: limit, Message: message})
	}
}

// found adds a finding about a text.
func (p *pass) found(t *text, value float64, format string, args ...any) {
	p.add(t.kind, t.id, Finding{Locale: t.locale, Field: t.field, Value: value, Message: fmt.Sprintf(format, args...)})
}
