package phrases

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wordtable"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// Point is a point of a summary in a language. Its texts are not escaped.
type Point struct {
	// Name is the heading.
	Name string
	// Level is the context value, or "". If it is the highest of several, Name says so.
	Level string
	// Entries are what the document says, the first of which matters most: its own words,
	// or its own name, or the title of the element. If there are none, Nothing says so.
	Entries []string
	Nothing string
	// More is how many entries there are after the first, as in "and 2 more", or "".
	More string
	// Values are the first two values of the first entry if only the title of its element names it,
	// and no role says which of them matter: "City Library · 2nd floor". They are "" otherwise.
	Values string
	// Contact is how to reach who answers for the system, or "".
	Contact string
	// Safeguard is what is done against a risk, or that none is given; "" for other points, and if
	// the taxonomy does not mark what says it.
	Safeguard string
}

// NewPoint puts a point into the language of a chooser.
func NewPoint(p *summary.Point, c *Chooser) Point {
	pick := func(l taxonomy.Localized) string {
		value, _ := c.Pick(l)
		return i18n.OneLine(value)
	}
	words := In(c.Locale)
	own := func(text string) string { return c.Note(text, words.Lang) }
	said := Point{Name: own(words.Heading(p))}
	if p.Role == "" && p.Category != nil {
		said.Name = pick(p.Category.Name)
	}
	if len(p.Entries) == 0 {
		said.Nothing = own(words.Nothing[p.Role])
		return said
	}
	// The context of a decision says who decides if it matters enough to have a colour, and
	// otherwise what the decision is about.
	if p.Context != nil && (p.Role != codes.RoleDecision || p.AtMost || p.Context.Color != "") {
		said.Level = pick(p.Context.Label)
	}
	for i := range p.Entries {
		e := &p.Entries[i]
		entry := pick(e.Words)
		if entry == "" || p.Role != codes.RolePurpose {
			entry = pick(e.Name)
		}
		if entry == "" {
			entry = pick(e.Element.Title)
		}
		said.Entries = append(said.Entries, entry)
	}
	if more := len(said.Entries) - 1; more > 0 {
		said.More = own(fmt.Sprintf(words.More, more))
	}
	switch first := &p.Entries[0]; p.Role {
	case "":
		said.Values = firstValues(first, pick)
	case codes.RoleAccountable:
		if said.Contact = pick(first.Contact); pick(first.Name) == "" && said.Contact == "" {
			said.Values = firstValues(first, pick)
		}
	case codes.RoleRisk:
		if said.Safeguard = pick(first.Safeguard); first.State(codes.RoleSafeguard) == summary.NotSaid {
			said.Safeguard = own(words.NoSafeguard)
		}
	}
	return said
}

// firstValues returns the first two values of an entry but its contact, in the order of the element.
// A register keeps summaries without values: they have none.
func firstValues(e *summary.Entry, pick func(taxonomy.Localized) string) string {
	if e.Placement == nil {
		return ""
	}
	given := make(map[string]*taxonomy.VariableValue, len(e.Placement.Variables))
	for i := range e.Placement.Variables {
		given[e.Placement.Variables[i].ID] = &e.Placement.Variables[i]
	}
	var values []string
	for i := range e.Element.Variables {
		v := &e.Element.Variables[i]
		if given[v.ID] == nil {
			continue
		}
		labels := make(map[string]taxonomy.Localized, len(v.Options))
		for _, o := range v.Options {
			labels[o.ID] = o.Label
		}
		said := []string{pick(given[v.ID].Text)}
		for _, id := range given[v.ID].Options {
			said = append(said, pick(labels[id]))
		}
		said = slices.DeleteFunc(said, func(s string) bool { return s == "" })
		value := Join(said)
		if value != "" && value != pick(e.Contact) {
			values = append(values, value)
		}
		if len(values) == 2 {
			break
		}
	}
	return strings.Join(values, " · ")
}

// Heading is the name of a point: what it has, or has at most.
func (w *Words) Heading(p *summary.Point) string {
	if name := w.Highest[p.Role]; p.AtMost && name != "" {
		return name
	}
	return w.Headings[p.Role]
}

// Fits reports whether all entries together have at most so many letters.
func (p *Point) Fits(letters int) bool {
	for _, e := range p.Entries {
		letters -= i18n.Letters(Plain(e))
	}
	return letters >= 0
}

// Line returns the entries as one line or, if they have more letters than that, the first and
// how many more there are.
func (p *Point) Line(letters int) string {
	if p.More != "" && !p.Fits(letters) {
		return p.Entries[0] + " (" + p.More + ")"
	}
	return Join(p.Entries)
}

// Join puts texts on one line, with a semicolon after each that is not a sentence.
func Join(list []string) string {
	var b strings.Builder
	for i, s := range list {
		if b.WriteString(s); i == len(list)-1 {
			break
		}
		if last, _ := utf8.DecodeLastRuneInString(strings.TrimSuffix(s, noteEnd)); !strings.ContainsRune(".!?…。！？؟", last) {
			b.WriteByte(';')
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// Text returns the point without its name as one line.
func (p *Point) Text() string {
	var parts []string
	for _, part := range []string{p.Level, Join(p.Entries), p.Values, p.Nothing, p.Contact, p.Safeguard} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " – ")
}

// Words are the words that pages, lists, signs, boards and plain texts use for the summary of a
// document, in one language.
type Words struct {
	Lang string
	// Headings are the names of the points of a summary, by role.
	Headings map[taxonomy.Role]string
	// Highest are the names of points that have the highest context value.
	Highest map[taxonomy.Role]string
	// Nothing says that a document has nothing about a point, by role; the one of the
	// empty role is for points of taxonomies without roles.
	Nothing map[taxonomy.Role]string
	AtMost  string // before the highest context value if no name says so, with a %s
	Level   string // the rank of a context value, with %d for it and for how many there are
	Same    string // of a row of a board
	NotSaid string // by a document
	// InShort and InFull are the parts of a board, and NothingMore is said in full if all was said in
	// short.
	InShort, InFull, NothingMore string
	SeePage                      string // if its taxonomy does not mark what says it
	// Unsorted names documents that a filter does not sort, since their taxonomies do not mark
	// what they would be sorted by, by role.
	Unsorted    map[taxonomy.Role]string
	NoSafeguard string
	NoContact   string
	ScanToAsk   string // beside the code of a sign, if a right has a contact
	ScanToLearn string
	AsOf        string // before the date of an edition
	Icons       string // before the attribution of icons
	Comma       string // between the items of a list
	More        string // after the first item of a list that is too long, with a %d
	Answered    string // above what [Answered] says
}

//go:embed words.csv
var table string

var languages = wordtable.Read(table)

var all = sync.OnceValue(func() map[string]*Words {
	words := make(map[string]*Words)
	for _, lang := range languages().Languages {
		w := languages().In(lang)
		words[lang] = &Words{
			Lang: lang, Headings: byRole(w.Below("headings")), Highest: byRole(w.Below("highest")), Nothing: byRole(w.Below("nothing")),
			AtMost: w.Word("atmost"), Level: w.Word("level"), Same: w.Word("same"), NotSaid: w.Word("notsaid"), InShort: w.Word("inshort"), InFull: w.Word("infull"), NothingMore: w.Word("nothingmore"), SeePage: w.Word("seepage"), Unsorted: byRole(w.Below("unsorted")),
			NoSafeguard: w.Word("nosafeguard"), NoContact: w.Word("nocontact"), ScanToAsk: w.Word("scantoask"), ScanToLearn: w.Word("scantolearn"),
			AsOf: w.Word("asof"), Icons: w.Word("icons"), Comma: w.Word("comma"), More: w.Word("more"), Answered: w.Word("answered.heading"),
		}
	}
	return words
})

// byRole turns keys into roles; the key other is no role.
func byRole(words map[string]string) map[taxonomy.Role]string {
	roles := make(map[taxonomy.Role]string)
	for key, word := range words {
		if key == "other" {
			key = ""
		}
		roles[taxonomy.Role(key)] = word
	}
	return roles
}

// In returns the words in a language, or in English.
func In(locale string) *Words { return all()[languages().In(locale).Lang] }
