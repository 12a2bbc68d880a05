package register

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Field is a property of documents by which a list can be filtered, and the name of its
// parameter.
type Field string

// The fields of a [Query].
const (
	ByType         Field = "type"         // the datachain type, such as ai
	ByStatus       Field = "status"       // a [Status]
	ByOrganisation Field = "organisation" // its id, or its name in any language
	ByTheme        Field = "theme"        // its name in any language
	ByData         Field = "data"         // the highest context value of the data or, without an order, each
	ByRisk         Field = "risk"         // that of the risk
	ByDecision     Field = "decision"     // the id of an element that says who decides
	ByElement      Field = "element"      // the id of an element that is placed
	ByPlace        Field = "place"        // its name in any language
	ByGap          Field = "gap"          // a [Gap]
)

// Fields returns the fields, in the order in which lists show them.
func Fields() []Field { return slices.Clone(allFields[:]) }

var allFields = [...]Field{ByType, ByStatus, ByOrganisation, ByTheme, ByData, ByRisk, ByDecision, ByElement, ByPlace, ByGap}

// Values of a [Query] for the fields that have a [summary.State]: documents that say nothing about
// it, and those whose schema version does not mark what says it. No id begins with a period.
const (
	NotSaid  = ".not_said"
	NotKnown = ".not_known"
)

// hasState reports whether the documents without a value of a field are sorted by why they have none.
func (f Field) hasState() bool { return f == ByOrganisation || f.isLevel() }

// isList reports whether a field has a few values, which are always in the same order.
func (f Field) isList() bool { return f == ByStatus || f == ByGap }

// isLevel reports whether the values of a field are those of a taxonomy. An id can mean something else
// in another one, so then TYPE:ID names a value of one of them, and the id alone those of all.
func (f Field) isLevel() bool { return f == ByData || f == ByRisk || f == ByDecision }

// position returns the position of a field among all, or -1.
func (f Field) position() int { return slices.Index(allFields[:], f) }

// Sort is the order of a list.
type Sort string

// The orders of a list.
const (
	ByRelevance Sort = "relevance" // the best match of own words first, then of elements; without words it is ByChange
	ByChange    Sort = "change"    // the newest edition first
	ByTitle     Sort = "title"     // as people of the language sort titles
	ByAnswered  Sort = "answered"  // who answers within the fewest days first, who does not say it last
)

// Query selects documents of a [State].
type Query struct {
	// Text is words to search for. A document is selected if it has all of them, or synonyms:
	// in its title and other own words, in the names of its organisation, themes and places, or
	// in the titles and keywords of the elements that it places; see [Result.MatchedBy]. Empty
	// means all documents.
	Text string
	// Values are the allowed values of fields; a document that has one of them is
	// selected. [NotSaid] and [NotKnown] select documents without a value. Without a
	// status, all documents but retired ones are selected.
	Values map[Field][]string
	// Sort is the order; empty means [ByRelevance].
	Sort Sort
	// Locale is the language of the words and of what is shown; see
	// [State.Languages]. Empty means the first.
	Locale string
	// Day is the day on which reviews are overdue, such as 2026-11-15; empty means today, in UTC.
	Day string
}

// maxValues is how many values of a field a query can have.
const maxValues = 50

// ParseQuery reads a query from the parameters of a URL: q or query, sort, lang or locale,
// and the fields. A parameter can be repeated; several ids can also be separated by commas. It
// returns a [datachain.Error] if a parameter is malformed.
func ParseQuery(values url.Values) (Query, error) {
	q := Query{
		Text: cmp.Or(values.Get("q"), values.Get("query")), Sort: Sort(values.Get("sort")), Locale: cmp.Or(values.Get("locale"), values.Get("lang")),
		Values: make(map[Field][]string),
	}
	for _, f := range allFields {
		for _, value := range values[string(f)] {
			list := []string{value}
			if f != ByOrganisation && f != ByTheme && f != ByPlace { // names can have commas
				list = strings.Split(value, ",")
			}
			for _, value := range list {
				if value = strings.TrimSpace(value); value != "" {
					q.Values[f] = append(q.Values[f], value)
				}
			}
		}
	}
	err := q.check()
	return q, err
}

// Encode returns the query as the parameters of a URL, which [ParseQuery] reads. Equal
// queries are encoded equally.
func (q *Query) Encode() string {
	values := make(url.Values)
	for name, value := range map[string]string{"q": q.Text, "sort": string(q.Sort), "lang": q.Locale} {
		if value != "" {
			values.Set(name, value)
		}
	}
	for f, list := range q.Values {
		values[string(f)] = list
	}
	return values.Encode()
}

// check returns what is malformed.
func (q *Query) check() error {
	if sorts := []Sort{ByRelevance, ByChange, ByTitle, ByAnswered}; q.Sort != "" && !slices.Contains(sorts, q.Sort) {
		return badQuery("sort", names(sorts), "The order %s is not known.", wording.Quote(string(q.Sort)))
	}
	for f, values := range q.Values {
		if f.position() < 0 {
			return badQuery(string(f), names(Fields()), "There is no field %s.", wording.Quote(string(f)))
		}
		if len(values) > maxValues {
			return badQuery(string(f), nil, "The parameter %s has more than %d values.", f, maxValues)
		}
	}
	for _, s := range q.Values[ByStatus] {
		if !slices.Contains(Statuses(), Status(s)) {
			return badQuery(string(ByStatus), names(Statuses()), "The status %s is not known.", wording.Quote(s))
		}
	}
	for _, gap := range q.Values[ByGap] {
		if !slices.Contains(Gaps(), Gap(gap)) {
			return badQuery(string(ByGap), names(Gaps()), "The gap %s is not known.", wording.Quote(gap))
		}
	}
	return datachain.Check("locale", q.Locale)
}

func names[S ~string](values []S) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return list
}

func badQuery(param string, known []string, format string, args ...any) error {
	hint := "send fewer values"
	if known != nil {
		hint = "use " + wording.Or(known)
	}
	return &datachain.Error{Kind: datachain.KindMalformed, Param: param, Known: known, Issue: issue.Issue{
		Code: issue.CodeBadRequest, Message: fmt.Sprintf(format, args...), FixHint: hint,
	}}
}

// Languages returns the languages of a register, the one to use if no other is asked for
// first: those of its settings, or those of the documents, beginning with the one that most
// of them have first in their titles.
func (s *State) Languages() []string { return slices.Clone(s.finder.table(s).languages) }

// LanguagesOf returns the languages of a document of the register, in the order of those of
// the register.
func (s *State) LanguagesOf(d *Document) []string {
	all := s.Languages()
	if len(d.Locales) == 0 {
		return all
	}
	rank := func(locale string) int {
		i := slices.Index(all, locale)
		if i < 0 { // such as en-GB if the register has en
			i = slices.IndexFunc(all, func(known string) bool { return i18n.Same(known, locale) })
		}
		if i < 0 {
			return len(all)
		}
		return i
	}
	return slices.SortedStableFunc(slices.Values(d.Locales), func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
}

// Find returns the documents that a query selects. It fails with a [datachain.Error] if
// the query is malformed.
func (s *State) Find(q Query) (*Result, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	t := s.finder.table(s)
	w := s.finder.language(t, phrases.NewChooser(t.languages, q.Locale).Locale)
	q.Locale, q.Day = w.texts.Locale, cmp.Or(q.Day, time.Now().UTC().Format(time.DateOnly))
	r := &Result{Query: q, Tag: s.tag, table: t, words: w}
	r.facets = sync.OnceValue(r.countFacets)
	order, matched := t.byChange, []bool(nil)
	switch q.Sort {
	case ByTitle:
		order = w.byTitle
	case ByAnswered:
		order = t.byAnswered
	}
	if search.HasWord(q.Text) {
		var found []int32
		found, r.matches, r.DidYouMean = w.search(t, q.Text)
		if q.Sort == "" || q.Sort == ByRelevance {
			order = found
		} else {
			matched = make([]bool, len(t.rows))
			for _, at := range found {
				matched[at] = true
			}
		}
	}
	r.filter(order, matched)
	if len(r.rows) == 0 {
		r.DidYouMean = ""
	}
	return r, nil
}
