package register

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// finder has what lists need of a state. It is made when the first list is asked for.
type finder struct {
	once   sync.Once
	base   *table
	mu     sync.Mutex
	tables map[string]*languageTable
}

// warm prepares what readers of the last state have asked for, so that none of them waits
// for it when the state replaces the last one.
func (s *State) warm(last *State) {
	last.finder.mu.Lock()
	used := maps.Clone(last.finder.tables)
	last.finder.mu.Unlock()
	if len(used) == 0 {
		return
	}
	t := s.finder.table(s)
	for locale, before := range used {
		if !slices.Contains(t.languages, locale) {
			continue
		}
		if w := s.finder.language(t, locale); before.indexNeeded.Load() {
			w.index()
		}
	}
}

// table returns what does not depend on a language.
func (f *finder) table(s *State) *table {
	f.once.Do(func() { f.base = newTable(s) })
	return f.base
}

// language returns what depends on a language, which is one of the table.
func (f *finder) language(t *table, locale string) *languageTable {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.tables[locale]
	if w == nil {
		w = newLanguageTable(t, locale)
		if f.tables == nil {
			f.tables = make(map[string]*languageTable)
		}
		f.tables[locale] = w
	}
	return w
}

// table is the documents of a state with the values of their fields.
type table struct {
	rows       []row
	byChange   []int32 // positions of rows, the newest first
	byAnswered []int32
	languages  []string
	manifests  []*taxonomy.Manifest // of the schema versions of the rows
	// values are those of each field. They are numbered through all fields: first
	// has the number of the first of each field, and of all at its end.
	values [len(allFields)][]fieldValue
	first  [len(allFields) + 1]int32
	// byName are the positions of values by what a query can call them, folded.
	byName [len(allFields)]map[string]int32
	// byID are those of values of taxonomies, of which several can have an id.
	byID   [len(allFields)]map[string][]int32
	cells  []int32 // the numbers of the values of all rows
	counts []int32 // by value, how many published documents have it on any day
	due    string  // the day of the first review, or ""
	// elements are those that published documents place, each once, and placements their
	// positions, by rows.
	elements   []*taxonomy.Element
	placements []int32
}

// row is a document. Its values of a field are the cells from cellStarts[field] up to
// cellStarts[field+1].
type row struct {
	document   *Document
	removed    bool
	retired    bool
	cellStarts [len(allFields) + 1]uint32
	placed     [2]uint32 // the beginning and the end of its placements
	due        string    // the day of the next review, or ""
}

type fieldValue struct {
	key   string
	title taxonomy.Localized

	// The others are those of values of taxonomies.
	id, typ string
	level   *taxonomy.ContextValue
	context *taxonomy.Context
}

// states are values of fields with a state. They come before the others.
var states = [...]string{NotSaid, NotKnown}

// roleOf returns the role of the categories in which documents have the values of a field.
func roleOf(f Field) taxonomy.Role {
	if f == ByOrganisation {
		return codes.RoleAccountable
	}
	return taxonomy.Role(f) // data, risk and decision
}

func newTable(s *State) *table {
	t := &table{rows: make([]row, 0, len(s.documents))}
	for i := range t.byName {
		t.byName[i], t.byID[i] = make(map[string]int32), make(map[string][]int32)
	}
	for _, status := range Statuses() { // in this order
		t.value(ByStatus, string(status), nil)
	}
	for _, gap := range Gaps() {
		t.value(ByGap, string(gap), nil)
	}
	known := make(map[*taxonomy.Element]int32)
	for _, f := range allFields {
		if f.hasState() {
			for _, state := range states { // before other values
				t.value(f, state, nil)
			}
		}
	}
	for _, d := range s.documents {
		t.add(d)
		t.place(d, known)
		if d.manifest != nil && !slices.Contains(t.manifests, d.manifest) {
			t.manifests = append(t.manifests, d.manifest)
		}
	}
	for i, f := range allFields {
		t.first[i+1] = t.first[i] + int32(len(t.values[i]))
		for k := range t.values[i] {
			if v := &t.values[i][k]; f.isLevel() && len(t.byID[i][fold(v.id)]) == 1 {
				v.key = v.id
			}
		}
	}
	for i := range t.rows {
		for f := range allFields {
			for at := t.rows[i].cellStarts[f]; at < t.rows[i].cellStarts[f+1]; at++ {
				t.cells[at] += t.first[f]
			}
		}
	}
	t.counts = make([]int32, t.first[len(allFields)])
	for at := range t.rows {
		if r := &t.rows[at]; !r.removed {
			if r.due != "" && (t.due == "" || r.due < t.due) {
				t.due = r.due
			}
			for _, v := range t.cells[r.cellStarts[0]:r.cellStarts[len(allFields)]] {
				t.counts[v]++
			}
		}
	}
	if t.languages = s.settings.Languages; len(t.languages) == 0 {
		t.languages = t.documentLanguages()
	}
	for i := range t.rows {
		t.byChange = append(t.byChange, int32(i))
	}
	slices.SortStableFunc(t.byChange, func(a, b int32) int {
		return t.rows[b].document.Changed().Compare(t.rows[a].document.Changed())
	})
	days := func(at int32) int {
		if a := t.rows[at].document.Details.Answered; a != nil && a.Days != nil && a.Answered > 0 {
			return *a.Days
		}
		return math.MaxInt
	}
	t.byAnswered = slices.Clone(t.byChange)
	slices.SortStableFunc(t.byAnswered, func(a, b int32) int { return cmp.Compare(days(a), days(b)) })
	return t
}

// documentLanguages returns the languages of the documents that are published. The first is the one
// that most of them have first in their titles, and of several such languages the one that
// comes first in the locales of their taxonomies. There is at least one.
func (t *table) documentLanguages() []string {
	first := make(map[string]int) // how many titles begin with a language
	for i := range t.rows {
		if t.rows[i].removed {
			continue
		}
		d := t.rows[i].document
		for _, locale := range d.Locales {
			first[locale] += 0
		}
		if i := slices.IndexFunc(d.Title, func(l taxonomy.Text) bool { return l.Locale != "" && strings.TrimSpace(l.Value) != "" }); i >= 0 {
			first[d.Title[i].Locale]++
		}
	}
	rank := func(locale string) int {
		best := math.MaxInt
		for _, m := range t.manifests {
			if i := slices.Index(m.Locales, locale); i >= 0 {
				best = min(best, i)
			}
		}
		return best
	}
	if len(first) == 0 {
		return []string{"en"}
	}
	return slices.SortedFunc(maps.Keys(first), func(a, b string) int {
		return cmp.Or(cmp.Compare(first[b], first[a]), cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
}

// synonyms returns the groups of words that find one another in a language, each once:
// versions of a taxonomy repeat them.
func (t *table) synonyms(locale string) (groups [][]string) {
	seen := make(map[string]bool)
	for _, m := range t.manifests {
		for _, s := range m.Synonyms {
			if !i18n.Same(s.Locale, locale) {
				continue
			}
			for _, group := range s.Groups {
				if key := strings.Join(group, "\x00"); !seen[key] {
					seen[key] = true
					groups = append(groups, group)
				}
			}
		}
	}
	return groups
}

// valuesOf returns the numbers of the values of a field that a row has on a day.
func (t *table) valuesOf(r *row, field int, day string) []int32 {
	end := r.cellStarts[field+1]
	if allFields[field] == ByGap && r.due >= day {
		end-- // the review is not overdue yet
	}
	return t.cells[r.cellStarts[field]:end]
}

// place adds the elements of the last document. Known are the positions of others.
func (t *table) place(d *Document, known map[*taxonomy.Element]int32) {
	r := &t.rows[len(t.rows)-1]
	r.placed[0] = uint32(len(t.placements))
	if !r.removed {
		for _, e := range d.Elements {
			at, ok := known[e]
			if !ok {
				at = int32(len(t.elements))
				known[e], t.elements = at, append(t.elements, e)
			}
			t.placements = append(t.placements, at)
		}
	}
	r.placed[1] = uint32(len(t.placements))
}

// placed returns the positions of the elements of a row.
func (t *table) placed(at int) []int32 {
	r := &t.rows[at]
	return t.placements[r.placed[0]:r.placed[1]]
}

// add adds a document.
func (t *table) add(d *Document) {
	var values [len(allFields)][]int32 // their positions
	note := func(f Field, id string, title taxonomy.Localized) {
		if v := t.value(f, id, title); v >= 0 && !slices.Contains(values[f.position()], v) {
			values[f.position()] = append(values[f.position()], v)
		}
	}
	if d.Version != (taxonomy.Version{}) {
		note(ByType, d.Version.Type(), nil)
	}
	note(ByStatus, string(d.Details.Status), nil)
	o := d.Organisation()
	note(ByOrganisation, o.ID, phrases.OfLabel(o.Name))
	for _, l := range d.Details.Themes {
		note(ByTheme, "", phrases.OfLabel(l))
	}
	for _, p := range d.Details.Places {
		note(ByPlace, "", phrases.OfLabel(p.Name))
	}
	for _, e := range d.Elements {
		note(ByElement, e.ID, e.Title)
	}
	for _, v := range d.levels {
		at := t.levelValue(d.Version.Type(), &v)
		values[v.field.position()] = append(values[v.field.position()], at)
	}
	if d.lacksContact() {
		note(ByGap, string(NoContact), nil)
	}
	if d.lacksSafeguard() {
		note(ByGap, string(NoSafeguard), nil)
	}
	if d.due() != "" {
		note(ByGap, string(ReviewOverdue), nil) // the last one; see valuesOf
	}
	for i, f := range allFields {
		if f.hasState() && len(values[i]) == 0 {
			switch d.Summary.State(roleOf(f)) {
			case summary.NotSaid:
				note(f, NotSaid, nil)
			default: // an organisation is known by its name alone
				note(f, NotKnown, nil)
			}
		}
	}
	r := row{document: d, removed: d.Removed(), retired: d.Details.Status == Retired, due: d.due()}
	r.cellStarts[0] = uint32(len(t.cells))
	for i, list := range values {
		t.cells = append(t.cells, list...)
		r.cellStarts[i+1] = uint32(len(t.cells))
	}
	t.rows = append(t.rows, r)
}

// value returns the position of a value, which has an id or a title, or -1 if it has
// neither. Values with the same id or the same name are one.
func (t *table) value(f Field, id string, title taxonomy.Localized) int32 {
	i := f.position()
	var names []string
	if id != "" {
		names = append(names, fold(id))
	}
	if id == "" || f == ByOrganisation { // other ids are what queries have
		for _, text := range title {
			if name := fold(text.Value); name != "" {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return -1
	}
	at := int32(-1)
	for _, name := range names {
		if known, ok := t.byName[i][name]; ok {
			at = known
			break
		}
	}
	if at < 0 {
		at = int32(len(t.values[i]))
		t.values[i] = append(t.values[i], fieldValue{key: id, title: title})
		if id == "" {
			t.values[i][at].key = strings.TrimSpace(firstText(title))
		}
	}
	for _, name := range names {
		if _, ok := t.byName[i][name]; !ok {
			t.byName[i][name] = at
		}
	}
	return at
}

// has reports whether a published document has a value on a day.
func (t *table) has(field, v int, day string) bool {
	if t.values[field][v].key == string(ReviewOverdue) && allFields[field] == ByGap && t.due >= day {
		return false
	}
	return t.counts[int(t.first[field])+v] > 0
}

// levelValue returns the position of a value of a taxonomy.
func (t *table) levelValue(typ string, v *level) int32 {
	i, name := v.field.position(), fold(typ+":"+v.id)
	at, ok := t.byName[i][name]
	if !ok {
		at = int32(len(t.values[i]))
		t.values[i] = append(t.values[i], fieldValue{typ + ":" + v.id, v.title, v.id, typ, v.value, v.context})
		t.byName[i][name] = at
		t.byID[i][fold(v.id)] = append(t.byID[i][fold(v.id)], at)
	}
	return at
}

// firstText returns the first text with content.
func firstText(l taxonomy.Localized) string {
	for _, t := range l {
		if strings.TrimSpace(t.Value) != "" {
			return t.Value
		}
	}
	return ""
}

// fold returns a name as names are compared.
func fold(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

// find returns the numbers of values that a query names.
func (t *table) find(field int, names []string) []int32 {
	var found []int32
	for _, name := range names {
		if v, ok := t.byName[field][fold(name)]; ok {
			found = append(found, t.first[field]+v)
		}
		for _, v := range t.byID[field][fold(name)] {
			found = append(found, t.first[field]+v)
		}
	}
	return found
}

// filter returns the filter of a field, or nil if all documents pass.
func (t *table) filter(field int, names []string, day string) func(*row) bool {
	if len(names) == 0 {
		if allFields[field] == ByStatus {
			return func(r *row) bool { return !r.retired }
		}
		return nil
	}
	wanted := t.find(field, names)
	return func(r *row) bool {
		for _, v := range t.valuesOf(r, field, day) {
			if slices.Contains(wanted, v) {
				return true
			}
		}
		return false
	}
}

// languageTable is what lists need in one language.
type languageTable struct {
	texts   phrases.Chooser
	phrases *phrases.Words
	byTitle []int32 // positions of rows
	values  [len(allFields)]valueTitles
	index   func() *search.Index
	// indexNeeded is set once a query has words.
	indexNeeded atomic.Bool
}

// valueTitles are the titles of the values of a field, with their order by title and the
// rank of each in it.
type valueTitles struct {
	titles      []string
	locales     []string // of the titles
	order, rank []int32
}

func newLanguageTable(t *table, locale string) *languageTable {
	w := &languageTable{texts: phrases.NewChooser(t.languages, locale), phrases: phrases.In(locale)}
	tag, err := language.Parse(locale)
	if err != nil {
		tag = language.Und
	}
	collator := collate.New(tag, collate.Numeric)
	titles := make([]string, len(t.rows))
	for i := range t.rows {
		titles[i], _ = w.texts.Pick(t.rows[i].document.Title)
	}
	w.byTitle = collatedOrder(collator, titles)
	for i := range allFields {
		names := &w.values[i]
		for _, value := range t.values[i] {
			title, locale := w.texts.Pick(value.title)
			names.locales = append(names.locales, locale)
			names.titles = append(names.titles, cmp.Or(strings.TrimSpace(title), value.key))
		}
		names.order, names.rank = collatedOrder(collator, names.titles), make([]int32, len(names.titles))
		for rank, v := range names.order {
			names.rank[v] = int32(rank)
		}
	}
	w.index = sync.OnceValue(func() *search.Index {
		w.indexNeeded.Store(true)
		return w.build(t, titles)
	})
	return w
}

// collatedOrder returns the positions of texts in the order of a language.
func collatedOrder(c *collate.Collator, texts []string) []int32 {
	var buffer collate.Buffer
	keys, order := make([][]byte, len(texts)), make([]int32, len(texts))
	for i, text := range texts {
		keys[i], order[i] = bytes.Clone(c.KeyFromString(&buffer, text)), int32(i)
		buffer.Reset()
	}
	slices.SortStableFunc(order, func(a, b int32) int { return bytes.Compare(keys[a], keys[b]) })
	return order
}
