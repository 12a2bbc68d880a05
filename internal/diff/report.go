package diff

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/clipperhouse/uax29/v2/words"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/prose"
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
	// Rule is the rule by which the change was judged; see [Rules]. It decides
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
	if len(value) > 0 && value[0] == '"' {
		return jcs.Unquote(value)
	}
	return string(value)
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
	case strings.ContainsFunc(before+after, prose.Turns):
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
		case last >= 1 && h.changes() && !hasWord(list[last].kept) && !sameWay(&list[last-1], &h):
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

// sameWay reports whether two changes both only add or both only remove something.
func sameWay(a, b *hunk) bool {
	return a.removed == "" && b.removed == "" || a.added == "" && b.added == ""
}

func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// tokens cuts a text into words by UAX 29, placeholders, spaces and other characters.
func tokens(s string) []string {
	var list []string
	for len(s) > 0 {
		if n := placeholderLength(s); n > 0 {
			list, s = append(list, s[:n]), s[n:]
			continue
		}
		part := s
		if end := strings.Index(s[1:], "{{"); end >= 0 {
			part = s[:end+1]
		}
		for cut := words.FromString(part); cut.Next(); {
			list = append(list, cut.Value())
		}
		s = s[len(part):]
	}
	return list
}

// placeholderLength returns the length of the placeholder at the beginning of a text,
// or 0 if there is none.
func placeholderLength(s string) int {
	const longest = 140 // an id has at most 128 characters
	if !strings.HasPrefix(s, "{{") {
		return 0
	}
	end := strings.Index(s[:min(len(s), longest)], "}}")
	if end < 0 {
		return 0
	}
	return end + len("}}")
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

// Tells reports whether the consequence of a change says more than its severity.
func Tells(c *Change) bool {
	rule, _ := LookupRule(c.Rule)
	return c.Severity == Breaking || c.Severity == Notable && c.Consequence != rule.Consequence || c.Warns
}

// Text returns a value of a change that is a string, otherwise "".
func Text(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

// NotesOptions configure [Set.WriteNotes]. Nil and the zero value mean the defaults.
type NotesOptions struct {
	// Locale is the language of titles; the default is the first one of the release.
	Locale string
	// Released is the day on which the new version was released, or "".
	Released string
}

// WriteNotes writes the changes as release notes in Markdown, until the context ends.
func (s *Set) WriteNotes(ctx context.Context, w io.Writer, o *NotesOptions) error {
	n := &notes{Set: s}
	if o != nil {
		n.NotesOptions = *o
	}
	m := s.after.Manifest()
	fmt.Fprintf(&n.b, "# %s: %s\n\n", prose.Markdown(m.Title.Pick(n.Locale)), s.New)
	if n.Released != "" {
		fmt.Fprintf(&n.b, "Released on %s. ", n.Released)
	}
	fmt.Fprintf(&n.b, "Changes since %s.\n", s.Old)
	for paragraph := range strings.SplitSeq(m.Notes.Pick(n.Locale), "\n\n") {
		if strings.TrimSpace(paragraph) != "" {
			fmt.Fprintf(&n.b, "\n%s\n", prose.Markdown(paragraph))
		}
	}
	for _, section := range []struct {
		severity       Severity
		heading, about string
	}{
		{Breaking, "Breaking changes", "Documents that change their `schema_version` and nothing else can become invalid. Use `datachain upgrade` to move them."},
		{Notable, "Notable changes", "Documents stay valid, but mean something else, or those of older versions can no longer follow."},
		{Compatible, "Compatible changes", "Documents stay valid and mean the same."},
	} {
		if err := n.section(ctx, section.heading, section.about, s.With(section.severity)); err != nil {
			return err
		}
	}
	if s.Empty() {
		n.b.WriteString("\nNo changes: the content is the same.\n")
	}
	_, err := w.Write(n.b.Bytes())
	return err
}

// notes writes changes as Markdown.
type notes struct {
	*Set
	NotesOptions
	b bytes.Buffer
}

func (n *notes) section(ctx context.Context, heading, about string, changes []Change) error {
	// The notes themselves are at the top.
	listed := changes[:0:0]
	for _, c := range changes {
		if c.Rule != "notes-changed" {
			listed = append(listed, c)
		}
	}
	if len(listed) == 0 {
		return nil
	}
	fmt.Fprintf(&n.b, "\n## %s\n\n%s\n", heading, about)
	for _, g := range n.Groups(listed) {
		fmt.Fprintf(&n.b, "\n### %s\n\n", n.heading(&g))
		for _, c := range g.Changes {
			if err := ctx.Err(); err != nil {
				return err
			}
			n.change(c)
		}
	}
	return nil
}

func (n *notes) heading(g *Group) string {
	category, _ := n.Category(g.Category)
	if category == nil {
		return "Schema version"
	}
	return prose.Markdown(category.Name.Pick(n.Locale)) + " (" + code(g.Category) + ")"
}

// what returns the part that a change is about and, if it has one, the field.
func (n *notes) what(c *Change) string {
	var parts []string
	switch {
	case c.Subject == Element:
		title := ""
		if e, _ := n.Element(c.ID); e != nil {
			title = e.Title.Pick(n.Locale)
		}
		parts = append(parts, prose.Markdown(title)+" ("+code(c.ID)+")")
	case c.Subject == Symbol:
		parts = append(parts, "symbol "+code(c.ID))
	case c.Subject == Category && len(c.Path) == 0:
		parts = append(parts, "the category")
	case c.Subject == DatachainType:
		parts = append(parts, "datachain type")
	}
	if len(c.Path) > 0 {
		parts = append(parts, code(c.Path.String()))
	}
	return strings.Join(parts, ": ")
}

// change writes a change as an item of a list.
func (n *notes) change(c *Change) {
	item := fmt.Sprintf("- %s: %s%s", prose.Sentence(string(c.Kind)), n.what(c), n.values(c))
	n.b.WriteString(strings.TrimSuffix(item, ".") + ".")
	if c.Inherited > 0 {
		fmt.Fprintf(&n.b, " Inherited by %s.", prose.Count(c.Inherited, "element"))
	}
	if Tells(c) {
		fmt.Fprintf(&n.b, " %s.", prose.Markdown(prose.Sentence(c.Consequence)))
	}
	fmt.Fprintf(&n.b, " `%s`\n", c.Rule)
}

// values returns the values of a change: a reworded text with its changed words, and
// others if they are short.
func (n *notes) values(c *Change) string {
	const longest = 200
	before, after := plainValue(c.Old), plainValue(c.New)
	if c.Kind == Renamed {
		return fmt.Sprintf(": %s → %s", code(before), code(after))
	}
	if words := c.Words(); words != nil {
		return ": " + markedWords(words)
	}
	switch {
	case len(c.Path) == 0, strings.HasPrefix(before, "{"), strings.HasPrefix(after, "{"), len(before)+len(after) > longest:
		return ""
	case before == "":
		return ": " + prose.Markdown(after)
	case after == "":
		return ": " + prose.Markdown(before)
	}
	return fmt.Sprintf(": %s → %s", prose.Markdown(before), prose.Markdown(after))
}

// plainValue returns a JSON value as people write it.
func plainValue(raw []byte) string {
	if text := Text(raw); text != "" {
		return text
	}
	return string(raw)
}

// markedWords marks what was removed and added in a text.
func markedWords(spans []Span) string {
	var b strings.Builder
	for i, s := range spans {
		mark := map[Kind]string{Removed: "~~", Added: "**"}[s.Kind]
		// Markdown takes marks only beside a word, so spaces are outside.
		core := strings.TrimSpace(s.Text)
		if mark == "" || core == "" {
			b.WriteString(prose.Markdown(s.Text))
			continue
		}
		lead, rest, _ := strings.Cut(s.Text, core)
		if lead == "" && i > 0 && spans[i-1].Kind == Removed {
			lead = " " // two marks that touch are read as one
		}
		b.WriteString(lead + mark + isolated(prose.Markdown(core)) + mark + rest)
	}
	return b.String()
}

// isolated keeps text that is written from right to left from reordering what is
// beside it.
func isolated(text string) string {
	rightToLeft := strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko)
	})
	if !rightToLeft {
		return text
	}
	const firstStrongIsolate, popIsolate = "\u2068", "\u2069"
	return firstStrongIsolate + text + popIsolate
}

// code returns an id or a path as code. Neither has a backquote.
func code(text string) string { return "`" + strings.ReplaceAll(prose.Line(text), "`", "'") + "`" }
