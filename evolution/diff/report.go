package diff

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/clipperhouse/uax29/v2/words"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Report lists the changes between two releases. It marshals to JSON.
type Report struct {
	Old taxonomy.Version `json:"old"`
	New taxonomy.Version `json:"new"`
	// Changes are sorted by subject (manifest, datachain type, categories,
	// elements, symbols), then by the declaration order of the old release.
	// New parts follow in the order of the new release.
	Changes []Change `json:"changes"`
}

// Empty reports whether the releases have the same content.
func (r *Report) Empty() bool { return len(r.Changes) == 0 }

// With returns the changes of a severity; it never returns nil.
func (r *Report) With(s Severity) []Change {
	return slices.DeleteFunc(append([]Change{}, r.Changes...), func(c Change) bool { return c.Severity != s })
}

// Warnings returns the compatible changes that can give documents a new warning.
func (r *Report) Warnings() []Change {
	return slices.DeleteFunc(append([]Change{}, r.Changes...), func(c Change) bool { return !c.Warns })
}

// Kind is the kind of a [Change].
type Kind string

// The kinds of changes.
const (
	Added   Kind = "added"
	Removed Kind = "removed"
	Changed Kind = "changed"
	// Renamed means that a category, variable, option or context value has a new
	// id, as its renamed_from says. Old and New are the ids as JSON strings; the
	// path and the ID of the change have the new one. What else has changed in it
	// is reported under its new id.
	Renamed Kind = "renamed"
	// Reordered means that the items of a list are in another order. Old and
	// New are the ids of the items that both lists have.
	Reordered Kind = "reordered"
	// Kept is the kind of a [Span] that both texts have. No change has it.
	Kept Kind = "kept"
)

// Severity is what a [Change] means for documents that move from the old version to
// the new one by changing their schema_version and nothing else.
type Severity string

// The severities, the most serious first.
const (
	// Breaking means that some valid document becomes invalid.
	Breaking Severity = "breaking"
	// Notable means that documents stay valid, but mean something else, or that
	// those of older versions can no longer follow.
	Notable Severity = "notable"
	// Compatible means that documents stay valid and mean the same. They can get a
	// new warning; see [Change.Warns].
	Compatible Severity = "compatible"
)

// Severities returns the severities, the most serious first.
func Severities() []Severity { return []Severity{Breaking, Notable, Compatible} }

// Subject is the kind of part that a [Change] is about.
type Subject string

// The parts of a release.
const (
	Manifest      Subject = "manifest"
	DatachainType Subject = "datachain_type"
	Category      Subject = "category"
	Element       Subject = "element"
	Symbol        Subject = "symbol"
)

// Change is one difference between two releases.
type Change struct {
	// Rule is the rule that applies to the change; see [Rules]. It decides
	// Severity and Warns.
	Rule     RuleID   `json:"rule"`
	Severity Severity `json:"severity"`
	// Warns means that documents can get a new warning.
	Warns   bool    `json:"warns,omitzero"`
	Kind    Kind    `json:"kind"`
	Subject Subject `json:"subject"`
	// ID is the id of the category, element or symbol. It is empty for the
	// manifest and the datachain type.
	ID string `json:"id,omitempty"`
	// Path is the field, or [issue.Root] for the whole part. It names the
	// item of a list by its id, its locale or its value, as in
	// variables.contact.required, title.fr and locales.fr.
	Path issue.Path `json:"path"`
	// Old and New are canonical JSON, or nil if there is no value. A text in
	// one language is a string, and so is the SVG of a symbol.
	Old json.RawMessage `json:"old,omitzero"`
	New json.RawMessage `json:"new,omitzero"`
	// Inherited is the number of elements that inherit the change from their
	// category. It is not reported for them again.
	Inherited int `json:"inherited,omitzero"`
	// Successors are the ids of the elements that replace a removed or deprecated
	// element, alternatives if there are several.
	Successors []string `json:"successors,omitempty"`
	// Consequence says what happens to documents.
	Consequence string `json:"consequence"`
}

// Place returns the part and the field that have changed, in the words of people:
// "element purpose.safety" or "category data: context.values.named".
func (c *Change) Place() string {
	place := string(c.Subject)
	if c.ID != "" {
		place += " " + c.ID
	}
	if len(c.Path) > 0 {
		place += ": " + c.Path.String()
	}
	return place
}

// Words returns how a text was reworded, or nil if the change is of another kind.
func (c *Change) Words() []Span {
	var before, after string
	if c.Kind != Changed || c.Subject == Symbol || len(c.Path) < 2 ||
		json.Unmarshal(c.Old, &before) != nil || json.Unmarshal(c.New, &after) != nil {
		return nil
	}
	return Words(before, after)
}

// unquoted returns a JSON value that is a string, otherwise its text.
func unquoted(value json.RawMessage) string {
	return cmp.Or(Text(value), string(value))
}

// String returns the change without its values, for logs and tests.
func (c Change) String() string {
	var b strings.Builder
	b.WriteString(string(c.Kind) + " " + c.Place())
	switch {
	case c.Severity != Compatible:
		b.WriteString(" (" + string(c.Severity) + ": " + c.Consequence + ")")
	case c.Warns:
		b.WriteString(" (warning: " + c.Consequence + ")")
	}
	return b.String()
}

// Span is a piece of a text that was reworded; see [Words].
type Span struct {
	// Kind is [Kept], [Removed] or [Added].
	Kind Kind   `json:"kind"`
	Text string `json:"text"`
}

// Words compares two texts word by word. The spans that are kept or removed, joined,
// are the old text, and those that are kept or added are the new one. What was
// removed comes before what was added in its place, and a few spaces and punctuation
// marks between two changes belong to the changes, so that the result reads well. No
// span is empty, and two neighbours never have the same kind.
//
// Words are those of Unicode (UAX 29), which cuts most scripts without spaces into
// characters. A placeholder such as {{contact}} is never split, and neither is an emoji
// or a flag.
//
// To show spans, isolate each from the direction of its neighbours, such as with the
// elements <del>, <ins> and <bdi> of HTML. A text with explicit embeddings, overrides
// or isolates of the bidirectional algorithm is not split, since a piece of it could
// reorder what follows.
func Words(before, after string) []Span {
	switch {
	case before == after:
		return spans(hunk{kept: before})
	case strings.ContainsFunc(before+after, wording.Turns):
		return spans(hunk{removed: before, added: after})
	}
	a, b := tokens(before), tokens(after)
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	hunks := []hunk{{kept: strings.Join(a[:head], "")}}
	hunks = append(hunks, align(a[head:len(a)-tail], b[head:len(b)-tail])...)
	hunks = append(hunks, hunk{kept: strings.Join(a[len(a)-tail:], "")})
	return spans(joined(hunks)...)
}

// hunk is a piece of two texts: what was removed and added, or what was kept.
type hunk struct{ kept, removed, added string }

func (h *hunk) changes() bool { return h.removed != "" || h.added != "" }

func spans(hunks ...hunk) []Span {
	var list []Span
	for _, h := range hunks {
		for _, s := range []Span{{Kept, h.kept}, {Removed, h.removed}, {Added, h.added}} {
			if s.Text != "" {
				list = append(list, s)
			}
		}
	}
	return list
}

// maxCells limits the table of [align]. It is room for texts in which 500 words
// differ; of longer ones all words between the first and the last difference have
// changed.
const maxCells = 1 << 20

// align finds a longest common subsequence of two lists of tokens.
func align(a, b []string) []hunk {
	if len(a) == 0 || len(b) == 0 || len(a) > maxCells/len(b) {
		return []hunk{{removed: strings.Join(a, ""), added: strings.Join(b, "")}}
	}
	// common[i*width+j] is the length of the longest one of a[i:] and b[j:]. It is at
	// most the root of maxCells.
	width := len(b) + 1
	common := make([]uint16, (len(a)+1)*width)
	for i, old := range slices.Backward(a) {
		for j, word := range slices.Backward(b) {
			if old == word {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	var hunks []hunk
	var change hunk
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			hunks, change = append(hunks, change, hunk{kept: a[i]}), hunk{}
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[(i+1)*width+j] >= common[i*width+j+1]:
			change.removed += a[i]
			i++
		default:
			change.added += b[j]
			j++
		}
	}
	return append(hunks, change)
}

// joined joins neighbours of one kind, and then changes with nothing but spaces and
// punctuation between them, unless both only add or only remove something.
func joined(hunks []hunk) []hunk {
	var list []hunk
	for _, h := range hunks {
		switch last := len(list) - 1; {
		case h == hunk{}:
		case last >= 0 && !h.changes() && !list[last].changes():
			list[last].kept += h.kept
		case last >= 0 && h.changes() && list[last].changes():
			list[last].removed += h.removed
			list[last].added += h.added
		case last >= 1 && h.changes() && !strings.ContainsFunc(list[last].kept, isWord) &&
			(list[last-1].removed+h.removed != "" && list[last-1].added+h.added != ""):
			between := list[last].kept
			list = list[:last]
			list[last-1].removed += between + h.removed
			list[last-1].added += between + h.added
		default:
			list = append(list, h)
		}
	}
	return list
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// tokens cuts a text into words by UAX 29, placeholders, spaces and other characters.
func tokens(s string) []string {
	var list []string
	for p := range ident.Pieces(s) {
		if p.Placeholder {
			list = append(list, p.Text)
			continue
		}
		for cut := words.FromString(p.Text); cut.Next(); {
			list = append(list, cut.Value())
		}
	}
	return list
}

// Set is the changes between two releases. It is not safe for concurrent use.
type Set struct {
	*Report
	before, after *taxonomy.Release
	became        map[string]string // the new ids of categories that were renamed
	order         map[string]int    // of categories
	users         map[string]string // an element for each symbol
}

// NewSet returns the changes between two releases, which the report lists.
func NewSet(before, after *taxonomy.Release, r *Report) *Set {
	s := &Set{Report: r, before: before, after: after, became: make(map[string]string), order: make(map[string]int)}
	for i := range r.Changes {
		if c := &r.Changes[i]; c.Kind == Renamed && c.Subject == Category && len(c.Path) == 0 {
			s.became[Text(c.Old)] = c.ID
		}
	}
	for _, r := range []*taxonomy.Release{after, before} {
		for _, c := range r.Categories() {
			if _, known := s.order[c.ID]; !known {
				s.order[c.ID] = len(s.order) + 1
			}
		}
	}
	return s
}

// Group is the changes of a category, its elements and their symbols, or of the version
// itself.
type Group struct {
	Category string // or "" for the version itself
	Changes  []*Change
}

// Groups sorts changes by category, in the order of the categories; the version itself
// comes first.
func (s *Set) Groups(list []Change) []Group {
	var groups []Group
	at := make(map[string]int)
	for i := range list {
		id := s.CategoryOf(&list[i])
		k, known := at[id]
		if !known {
			k = len(groups)
			at[id], groups = k, append(groups, Group{Category: id})
		}
		groups[k].Changes = append(groups[k].Changes, &list[i])
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(s.order[a.Category], s.order[b.Category]) })
	return groups
}

// CategoryOf returns the category that a change belongs to, by its new id, or "" for the
// version itself. A symbol belongs to the first element that uses it.
func (s *Set) CategoryOf(c *Change) string {
	id := c.ID
	switch c.Subject {
	case Category:
		return id
	case Symbol:
		id = s.UserOf(id)
	case Element:
	default:
		return ""
	}
	e, _ := s.Element(id)
	if e == nil {
		return ""
	}
	return cmp.Or(s.became[e.CategoryID], e.CategoryID)
}

// Element returns an element as it is, or as it was if it was removed, and the release
// that has it; or nil.
func (s *Set) Element(id string) (*taxonomy.Element, *taxonomy.Release) {
	for _, r := range []*taxonomy.Release{s.after, s.before} {
		if e, ok := r.Element(id); ok {
			return e, r
		}
	}
	return nil, nil
}

// Category returns a category as it is, or as it was if it was removed, and the release
// that has it; or nil.
func (s *Set) Category(id string) (*taxonomy.Category, *taxonomy.Release) {
	for _, r := range []*taxonomy.Release{s.after, s.before} {
		if c, ok := r.Category(id); ok {
			return c, r
		}
	}
	return nil, nil
}

// UserOf returns the first element that uses a symbol, or "".
func (s *Set) UserOf(symbol string) string {
	if s.users == nil {
		s.users = make(map[string]string)
		for _, r := range []*taxonomy.Release{s.after, s.before} {
			for _, e := range r.Elements() {
				if s.users[e.SymbolID] == "" {
					s.users[e.SymbolID] = e.ID
				}
			}
		}
	}
	return s.users[symbol]
}

// Notation is how a format writes texts, and ids and paths of fields.
type Notation struct{ Text, Code func(string) string }

// named returns a title with the id that it belongs to.
func (n Notation) named(title, id string) string {
	if title == "" {
		return n.Code(id)
	}
	return n.Text(title) + " (" + n.Code(id) + ")"
}

// Heading returns the name of a category in a language, or that of a group without one.
func (s *Set) Heading(category, locale string, n Notation) string {
	c, _ := s.Category(category)
	if c == nil {
		return "Schema version"
	}
	return n.named(c.Name.Pick(locale), category)
}

// Describe returns the part that a change is about and, if it has one, the field, for a line below
// the heading of its group.
func (s *Set) Describe(c *Change, locale string, n Notation) string {
	var parts []string
	switch c.Subject {
	case Element:
		title := ""
		if e, _ := s.Element(c.ID); e != nil {
			title = e.Title.Pick(locale)
		}
		parts = append(parts, n.named(title, c.ID))
	case Symbol:
		parts = append(parts, "symbol "+n.Code(c.ID))
	case Category:
		if len(c.Path) == 0 {
			parts = append(parts, "the category")
		}
	case DatachainType:
		parts = append(parts, "datachain type")
	}
	if len(c.Path) > 0 {
		parts = append(parts, n.Code(c.Path.String()))
	}
	return strings.Join(parts, ": ")
}

// HasConsequence reports whether the consequence of a change says more than its severity does.
func HasConsequence(c *Change) bool {
	rule, _ := LookupRule(c.Rule)
	return c.Severity == Breaking || c.Severity == Notable && c.Consequence != rule.Consequence || c.Warns
}

// Text returns a value of a change that is a string, otherwise "".
func Text(value json.RawMessage) string {
	if len(value) > 0 && value[0] == '"' {
		return jcs.Unquote(value)
	}
	return ""
}
