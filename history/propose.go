package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
)

// Proposal is an entry of an evolution that may be right. A person has to confirm it.
type Proposal struct {
	// Removed or Renamed is the entry; the other one is nil.
	Removed *RemovedID `json:"removed,omitempty"`
	Renamed *Rename    `json:"renamed,omitempty"`
	// Because says what speaks for the entry.
	Because string `json:"because"`
}

// ProposeAll returns the proposals for all versions of a datachain type, each compared with the one
// [Before] it. What an older version needs as well is proposed once, since that version.
func ProposeAll(releases []*taxonomy.Release) (all []Proposal) {
	type about struct {
		kind       taxonomy.IDKind
		id, to, in string
		renamed    bool
	}
	sorted := slices.SortedFunc(slices.Values(releases), func(a, b *taxonomy.Release) int { return b.Version().Compare(a.Version()) })
	known := make(map[about]bool)
	for i, r := range sorted {
		last := Before(r, sorted[:i])
		if last == nil {
			continue
		}
		for _, p := range Propose(last, r) {
			var of about
			if p.Renamed != nil {
				of = about{p.Renamed.Kind, p.Renamed.From, p.Renamed.To, p.Renamed.In, true}
			} else {
				of = about{kind: p.Removed.Kind, id: p.Removed.ID, in: p.Removed.In}
			}
			if !known[of] {
				known[of] = true
				all = append(all, p)
			}
		}
	}
	return all
}

// Propose proposes an entry for each id of a version that the next one lacks, so that
// nothing is left unexplained: renames to ids that are new, and removals. Each
// entry says what speaks for it: the same title or description, most words in common, or,
// for categories, the same elements. It also proposes renames for ids that are still there,
// but whose title another id has now, unless their description stayed with them.
func Propose(before, after *taxonomy.Release) (all []Proposal) {
	p := &proposer{before: before, after: after, history: Of(before.Version(), after), fresh: make(map[group][]*Item), titled: make(map[titled]*Item), byText: make(map[titled][]*Item)}
	items := p.collect() // those whose text changed
	moved := len(items)
	for _, item := range Unexplained(before, after) {
		items = append(items, &item)
	}
	missing := items[moved:]
	became, taken := make(map[*Item]pair), make(map[*Item]bool)
	take := func(old, now *Item, because string) { became[old], taken[now] = pair{old, now, 0, because}, true }
	for _, c := range p.criteria() {
		for i, item := range items {
			if _, done := became[item]; done {
				continue
			}
			if now := p.find(item, i >= moved, c, taken); now != nil {
				take(item, now, c.because(item, now))
			}
		}
	}
	for _, pair := range append(p.similar(missing, became, taken), p.weakest(missing)...) {
		if _, done := became[pair.old]; !done && !taken[pair.now] {
			take(pair.old, pair.now, pair.because)
		}
	}
	since := after.Version()
	for i, item := range items {
		pair, renamed := became[item]
		switch {
		case renamed:
			all = append(all, Proposal{Because: pair.because, Renamed: &Rename{Kind: item.Kind, From: item.ID, To: pair.now.ID, In: pair.now.In, Since: since}})
		case i < moved: // it was reworded
		case item.Kind == codes.IDElement:
			removal := &RemovedID{Removal: taxonomy.Removal{ID: item.ID, Since: since}}
			because := "no element of " + since.String() + " is similar: add replaced_by or a note"
			if next := p.sameText(item); next != "" {
				removal.ReplacedBy = []taxonomy.Successor{{ID: next}}
				because = next + " has the same title or description"
			}
			all = append(all, Proposal{Because: because, Removed: removal})
		default:
			at, _ := p.history.Owned(item.Key())
			all = append(all, Proposal{
				Because: "no new id is similar; the title was " + quotedText(item.Title, after.Locales()) + ": add a note",
				Removed: &RemovedID{Kind: item.Kind, In: at.In, Removal: taxonomy.Removal{ID: item.ID, Since: since}},
			})
		}
	}
	return all
}

// weakest returns what may have become of a category whose elements are in another one,
// and of the only variable, option or context value of its owner that was removed, if only one
// is new. These are the weakest reasons.
func (p *proposer) weakest(missing []*Item) (all []pair) {
	groups := make(map[group][]*Item)
	for _, item := range missing {
		if into, share := p.merged(item); share >= leastSimilar {
			all = append(all, pair{item, &Item{Kind: codes.IDCategory, ID: into}, 0, fmt.Sprintf("%.0f %% of its elements are there", 100*share)})
		}
		if g, ok := p.groupNow(item); ok && HasOwner(g.kind) {
			groups[g] = append(groups[g], item)
		}
	}
	for g, old := range groups {
		if now := p.fresh[g]; len(old) == 1 && len(now) == 1 {
			all = append(all, pair{old[0], now[0], 0, "the only one that was removed and the only one that is new; the title was " +
				quotedText(old[0].Title, p.after.Locales()) + " and is " + quotedText(now[0].Title, p.after.Locales())})
		}
	}
	return all
}

// merged returns the category that has most of the elements of a category now, and their
// share.
func (p *proposer) merged(old *Item) (into string, share float64) {
	if old.Kind != codes.IDCategory {
		return "", 0
	}
	elements, counts := p.before.ElementsOf(old.ID), make(map[string]int)
	for _, e := range elements {
		if now := p.history.Element(e.ID).Current(); now != nil {
			counts[now.CategoryID]++
		}
	}
	for _, c := range p.after.Categories() { // the first of several
		if n := counts[c.ID]; n > counts[into] {
			into, share = c.ID, float64(n)/float64(len(elements))
		}
	}
	return into, share
}

// maxComparisons is how many pairs of texts that differ are compared. If there are more, only
// texts that are the same are found.
const maxComparisons = 4_000_000

// group is what an item is compared with: what has the same kind and owner and, for
// variables, the same type, since their values can't move to another one.
type group struct {
	kind         taxonomy.IDKind
	in, variable string
	element      bool
	valueType    taxonomy.VariableType
}

type proposer struct {
	before, after *taxonomy.Release
	history       History
	// fresh are the items that only after has, and titled these and those with another
	// title than before, by their titles.
	fresh  map[group][]*Item
	titled map[titled]*Item
	// byText are the fresh items by their texts for each criterion.
	byText map[titled][]*Item
	words  map[*Item]map[string]bool
	texts  map[string]string // the elements of after by their titles and descriptions
}

// collect finds the items of after that nothing of before became, and those with another
// title and description under the same id, of which it returns the old ones.
func (p *proposer) collect() (reworded []*Item) {
	has := make(map[ID]*Item)
	for i := range Items(p.after) {
		has[i.Key()] = &i
	}
	known := make(map[ID]bool)
	for i := range Items(p.before) {
		now, _ := became(p.history, &i)
		known[now] = true
		// If only titles moved, such as by a table that was sorted wrongly, the ids did not.
		if there := has[now]; there != nil && there.ID == i.ID && !p.same(i.Title, there.Title) && !p.same(i.description, there.description) {
			reworded = append(reworded, &i)
			p.titled[titled{there.group(), p.text(there.Title)}] = there
		}
	}
	for i := range Items(p.after) {
		if !known[i.Key()] {
			p.fresh[i.group()] = append(p.fresh[i.group()], &i)
			p.titled[titled{i.group(), p.text(i.Title)}] = &i
			for _, c := range p.criteria() {
				at := titled{i.group(), c.text(&i)}
				p.byText[at] = append(p.byText[at], &i)
			}
		}
	}
	p.words = make(map[*Item]map[string]bool)
	return reworded
}

// titled is a title in a group.
type titled struct {
	group
	text string
}

func (i *Item) group() group { return group{i.Kind, i.In, i.Variable, i.element, i.valueType} }

// pair is an id that may have become another one.
type pair struct {
	old, now *Item
	score    float64
	because  string
}

// criterion is how two items can be the same: text returns what has to be equal, with a prefix for
// the criterion, or "" if an item does not have it.
type criterion struct {
	text    func(*Item) string
	because func(old, now *Item) string
}

// criteria returns the ways in which items can be the same, the surest first.
func (p *proposer) criteria() []criterion {
	locales := p.after.Locales()
	return []criterion{
		{func(i *Item) string { return joined("both", p.text(i.Title), p.text(i.description)) }, func(_, _ *Item) string { return "same title and description" }},
		{func(i *Item) string { return joined("title", p.text(i.Title)) }, func(_, now *Item) string { return "same title, " + quotedText(now.Title, locales) }},
		{func(i *Item) string { return joined("description", p.text(i.description)) }, func(old, now *Item) string {
			return "same description; the title was " + quotedText(old.Title, locales) + " and is " + quotedText(now.Title, locales)
		}},
	}
}

// joined returns texts after the name of a criterion, or "" if one of them is empty.
func joined(name string, list ...string) string {
	if slices.Contains(list, "") {
		return ""
	}
	return name + "\x00" + strings.Join(list, "\x00")
}

// find returns what an item has become by texts that are the same, or nil. One that is not missing
// must have left its title to another.
func (p *proposer) find(old *Item, missing bool, c criterion, taken map[*Item]bool) *Item {
	g, ok := p.groupNow(old)
	text := c.text(old)
	if !ok || text == "" {
		return nil
	}
	if missing {
		at := titled{g, text}
		for len(p.byText[at]) > 0 && taken[p.byText[at][0]] {
			p.byText[at] = p.byText[at][1:]
		}
		if list := p.byText[at]; len(list) > 0 {
			return list[0]
		}
	}
	if now := p.titled[titled{g, p.text(old.Title)}]; now != nil && !taken[now] && p.same(old.Title, now.Title) && text == c.text(now) {
		return now
	}
	return nil
}

// groupNow returns the group in which an item can be after the change.
func (p *proposer) groupNow(old *Item) (group, bool) {
	at, ok := p.history.Owned(old.Key())
	return group{at.Kind, at.In, at.Variable, at.OfElement, old.valueType}, ok
}

// similar returns the pairs of items whose texts are not the same, but similar, or of categories
// with most elements in common, the best first. Items that became something are left out.
func (p *proposer) similar(missing []*Item, became map[*Item]pair, taken map[*Item]bool) (all []pair) {
	left := make(map[group][]*Item)
	for g, list := range p.fresh {
		left[g] = slices.DeleteFunc(slices.Clone(list), func(now *Item) bool { return taken[now] })
	}
	comparisons := 0
	missing = slices.DeleteFunc(slices.Clone(missing), func(old *Item) bool {
		g, ok := p.groupNow(old)
		_, done := became[old]
		if ok && !done {
			comparisons += len(left[g])
		}
		return done || !ok
	})
	if comparisons > maxComparisons {
		return nil
	}
	for _, old := range missing {
		g, _ := p.groupNow(old)
		for _, now := range left[g] {
			if score, because := p.score(old, now); score >= leastSimilar {
				all = append(all, pair{old, now, score, because})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b pair) int { return cmp.Compare(b.score, a.score) })
	return all
}

// leastSimilar is how similar two items must be: half of their words or elements.
const leastSimilar = 0.5

// text returns a title or description as it is compared.
func (p *proposer) text(l taxonomy.Localized) string { return comparedText(l, p.after.Locales()) }

func comparedText(l taxonomy.Localized, locales []string) string {
	return strings.ToLower(strings.TrimRight(l.Pick(locales...), " ."))
}

// same compares titles or descriptions.
func (p *proposer) same(a, b taxonomy.Localized) bool {
	text := p.text(a)
	return text != "" && text == p.text(b)
}

func (p *proposer) score(old, now *Item) (score float64, because string) {
	if old.Kind == codes.IDCategory {
		was, is := make(map[string]bool), make(map[string]bool) // its elements
		for _, e := range p.before.ElementsOf(old.ID) {
			id, _ := p.history.CurrentID(ID{Kind: codes.IDElement, ID: e.ID})
			was[id] = true
		}
		for _, e := range p.after.ElementsOf(now.ID) {
			is[e.ID] = true
		}
		if shared := overlap(was, is); shared >= leastSimilar {
			return 1 + shared, fmt.Sprintf("%.0f %% of its elements are there", 100*shared)
		}
	}
	if score = overlap(p.wordsOf(old), p.wordsOf(now)); score < leastSimilar {
		return score, ""
	}
	locales := p.after.Locales()
	return score, fmt.Sprintf("%.0f %% of the words are the same; the title was %s and is %s", 100*score, quotedText(old.Title, locales), quotedText(now.Title, locales))
}

func quotedText(l taxonomy.Localized, locales []string) string {
	return fmt.Sprintf("%q", l.Pick(locales...))
}

// wordsOf returns the words of the title and the description of an item, and of its id.
func (p *proposer) wordsOf(i *Item) map[string]bool {
	if known, ok := p.words[i]; ok {
		return known
	}
	words := make(map[string]bool)
	text := strings.Join([]string{i.ID, i.Title.Pick(p.after.Locales()...), i.description.Pick(p.after.Locales()...)}, " ")
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words[word] = true
	}
	p.words[i] = words
	return words
}

// overlap returns how many members of two sets both have, as a share of all.
func overlap(a, b map[string]bool) float64 {
	both := 0
	for member := range a {
		if b[member] {
			both++
		}
	}
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// sameText returns an element with the same text as one that was removed, or "".
func (p *proposer) sameText(old *Item) string {
	if p.texts == nil {
		p.texts = make(map[string]string)
		for _, e := range p.after.Elements() {
			for _, text := range []taxonomy.Localized{e.Title, e.Description} {
				p.texts[text.Pick(p.after.Locales()...)] = e.ID
			}
		}
		delete(p.texts, "")
	}
	return cmp.Or(p.texts[old.Title.Pick(p.after.Locales()...)], p.texts[old.description.Pick(p.after.Locales()...)])
}
