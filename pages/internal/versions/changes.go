package versions

import (
	"encoding/json"
	"html/template"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

// changeSection is the changes of a severity.
type changeSection struct {
	Severity, Count string
	// Folded hides the changes until the section is opened.
	Folded bool
	Groups []*changeGroup
	Pages  []core.Choice
	// Rest is the address of all changes of the section if it is shortened here.
	Rest, RestNote string
}

// changeGroup is the changes of a category and its elements, or of the version itself.
type changeGroup struct {
	ID    string
	Name  phrases.Text
	URL   string
	Parts []*changePart
}

// changePart is the changes of one element, category or symbol.
type changePart struct {
	Subject  string
	Name     phrases.Text
	ID, URL  string
	Old, New template.HTML // icons; the same ones are shown once
	Changes  []*changeView
}

// changeViews makes the changes of two versions visible.
type changeViews struct {
	request *core.Request // with the languages of the new version
	pair    *pair
	base    url.Values
	filter
}

// Bounds of a page: how many parts a section has, and in the overview.
const (
	maxParts     = 100
	maxPartsEach = 30
)

// state returns the state of the page in its address.
func (v *changeViews) state() url.Values {
	state := maps.Clone(v.base)
	if v.category != "" {
		state.Set("category", v.category)
	}
	if v.severity != "" {
		state.Set("severity", v.severity)
		if v.page > 1 {
			state.Set("page", strconv.Itoa(v.page))
		}
	}
	return state
}

// with returns the address of the page with another state.
func (v *changeViews) with(name, value string) string {
	state := v.state()
	state.Del("page")
	if name == "category" {
		state.Del("severity")
	}
	state.Set(name, value)
	return v.request.To(core.ComparePath, state)
}

// summary counts all changes by severity, with links to the sections that are shown.
func (v *changeViews) summary(shown []*changeSection) []core.Choice {
	w := v.request.Words
	var list []core.Choice
	for _, s := range diff.Severities() {
		count := core.Choice{Note: string(s), Name: w.Count("compare."+string(s)+"count", len(v.pair.report.With(s)))}
		if slices.ContainsFunc(shown, func(c *changeSection) bool { return c.Severity == string(s) }) {
			count.URL = "#" + string(s)
		}
		list = append(list, count)
	}
	return list
}

// categories returns the categories that have changes, to choose from.
func (v *changeViews) categories() []core.Named {
	var list []core.Named
	for _, g := range v.pair.changes.Groups(v.pair.report.Changes) {
		id := g.Category
		if id == "" {
			continue
		}
		list = append(list, core.Named{Name: v.categoryName(id), Note: id, URL: v.with("category", id), Current: id == v.category})
	}
	return list
}

// sections returns the changes by severity, the most serious first.
func (v *changeViews) sections() []*changeSection {
	var list []*changeSection
	for _, s := range diff.Severities() {
		if v.severity != "" && v.severity != string(s) {
			continue
		}
		section := &changeSection{Severity: string(s), Folded: s == diff.Compatible && v.severity == ""}
		v.fill(section, v.pair.report.With(s))
		if len(section.Groups) > 0 {
			list = append(list, section)
		}
	}
	return list
}

// fill adds the changes to a section: one page of them, if only this section is shown.
func (v *changeViews) fill(section *changeSection, changes []diff.Change) {
	var list []*diff.Change
	for _, g := range v.pair.changes.Groups(changes) {
		if v.category == "" || v.category == g.Category {
			list = append(list, g.Changes...)
		}
	}
	section.Count = v.request.Words.Count("compare.changes", len(list))
	var group *changeGroup
	for _, changes := range v.turnPages(section, byPart(list)) {
		if category := v.pair.changes.CategoryOf(changes[0]); group == nil || group.ID != category {
			group = v.group(category)
			section.Groups = append(section.Groups, group)
		}
		part := v.part(changes[0])
		for _, c := range changes {
			view := v.change(c)
			// If several in a row have the same consequence, the last one says so.
			if n := len(part.Changes); n > 0 && part.Changes[n-1].Consequence.Value == view.Consequence.Value {
				part.Changes[n-1].Consequence = phrases.Text{}
			}
			part.Changes = append(part.Changes, view)
		}
		group.Parts = append(group.Parts, part)
	}
}

// byPart divides changes into those of each part of a release.
func byPart(list []*diff.Change) [][]*diff.Change {
	var parts [][]*diff.Change
	first := 0
	for i, c := range list {
		if last := i+1 == len(list); last || c.Subject != list[i+1].Subject || c.ID != list[i+1].ID {
			parts, first = append(parts, list[first:i+1]), i+1
		}
	}
	return parts
}

// turnPages returns the parts of a section that are shown, and adds the links to the
// others.
func (v *changeViews) turnPages(section *changeSection, parts [][]*diff.Change) [][]*diff.Change {
	q := v.request
	if v.severity == "" {
		if len(parts) <= maxPartsEach {
			return parts
		}
		section.Rest = v.with("severity", section.Severity)
		section.RestNote = q.Word("compare.rest", q.Number(len(parts)))
		return parts[:maxPartsEach]
	}
	pages := slices.Collect(slices.Chunk(parts, maxParts))
	if len(pages) == 0 {
		return nil
	}
	var notice string
	if v.page, notice = q.TurnTo(len(pages)); notice != "" {
		v.notices = append(v.notices, notice)
	}
	for n := 1; len(pages) > 1 && n <= min(len(pages), maxPages); n++ {
		section.Pages = append(section.Pages, core.Choice{Name: q.Number(n), URL: v.with("page", strconv.Itoa(n)), Current: n == v.page})
	}
	return pages[v.page-1]
}

// maxPages is how many pages of changes have a link.
const maxPages = 500

func (v *changeViews) categoryName(id string) phrases.Text {
	if c, _ := v.pair.changes.Category(id); c != nil {
		return v.request.Name(c.Name, id)
	}
	return v.request.Raw(id)
}

func (v *changeViews) group(category string) *changeGroup {
	q := v.request
	if category == "" {
		return &changeGroup{Name: q.Own(q.Word("compare.version"))}
	}
	g := &changeGroup{ID: category, Name: v.categoryName(category)}
	if _, r := v.pair.changes.Category(category); r != nil {
		g.URL = q.To(core.CategoryPath(r.Version(), category), nil)
	}
	return g
}

// part describes the part of a release that a change is about.
func (v *changeViews) part(c *diff.Change) *changePart {
	q := v.request
	p := &changePart{Subject: q.Word("compare.subjects." + string(c.Subject)), ID: c.ID}
	switch c.Subject {
	case diff.Element:
		v.elementPart(p, c.ID)
	case diff.Symbol:
		v.elementPart(p, v.pair.changes.UserOf(c.ID))
		p.Name, p.URL = q.Raw(c.ID), ""
	case diff.Category:
		p.Name = v.categoryName(c.ID)
	default:
		p.Name = q.Own(p.Subject)
		p.Subject = ""
	}
	return p
}

// elementPart adds the name and the icons of an element.
func (v *changeViews) elementPart(p *changePart, id string) {
	q := v.request
	e, release := v.pair.changes.Element(id)
	if e == nil {
		p.Name = q.Raw(id)
		return
	}
	p.Name, p.URL = q.Name(e.Title, id), q.To(core.ElementPath(release.Version(), id), nil)
	if before, ok := v.pair.old.Release().Element(id); ok {
		p.Old = q.Icon(v.pair.old, before)
	}
	if after, ok := v.pair.new.Release().Element(id); ok {
		p.New = q.Icon(v.pair.new, after)
	}
	if p.Old != "" && p.New != "" {
		before, failed := v.pair.old.Icon(q.Ctx, id, taxonomy.VariantDefault)
		after, err := v.pair.new.Icon(q.Ctx, id, taxonomy.VariantDefault)
		if failed == nil && err == nil && string(before.SVG) == string(after.SVG) {
			p.Old = ""
		}
	}
}

// changeView is a change as it is shown.
type changeView struct {
	Kind  diff.Kind
	Field []fieldStep
	// Words is how a text was reworded.
	Words []diff.Span
	// Before and After are other values, or "".
	Before, After string
	// Lang and Dir are those of the words and values, or "".
	Lang, Dir   string
	Text        phrases.Text // of what was added or removed as a whole
	Consequence phrases.Text
	Inherited   int // by how many elements
	Successors  []core.Choice
}

// fieldStep is a step of the path of a field: a word, or an id.
type fieldStep struct{ Word, ID string }

func (v *changeViews) change(c *diff.Change) *changeView {
	q := v.request
	view := &changeView{
		Kind: c.Kind, Field: fieldOf(q, c), Inherited: c.Inherited,
		Consequence: q.English(wording.Sentence(c.Consequence) + "."), Words: cleanWords(c.Words()),
	}
	for _, id := range c.Successors {
		s := core.Choice{Name: id}
		if _, ok := v.pair.new.Release().Element(id); ok {
			s.URL = q.To(core.ElementPath(v.pair.new.Release().Version(), id), nil)
		}
		view.Successors = append(view.Successors, s)
	}
	if len(c.Path) == 0 {
		if view.Text = v.described(c); c.Kind == diff.Renamed {
			view.Before, view.After = shownValue(c.Old), shownValue(c.New)
		}
		return view
	}
	// The last step of the path of a localized text is a locale. That of other texts, such as
	// a color, is a key.
	locale := c.Path[len(c.Path)-1].Name()
	if slices.Contains(v.pair.new.Release().Locales(), locale) || slices.Contains(v.pair.old.Release().Locales(), locale) {
		view.Lang, view.Dir = locale, i18n.Direction(locale)
	}
	if view.Words == nil {
		view.Before, view.After = shownValue(c.Old), shownValue(c.New)
	}
	return view
}

// cleanWords removes what reorders text from each part of a text by itself, so nothing
// that one of them begins reaches another.
func cleanWords(words []diff.Span) []diff.Span {
	for i := range words {
		words[i].Text = i18n.CleanFragment(words[i].Text)
	}
	return words
}

// described returns the description of an element or category that was added or removed.
func (v *changeViews) described(c *diff.Change) phrases.Text {
	var described struct{ Description taxonomy.Localized }
	value := c.New
	if c.Kind == diff.Removed {
		value = c.Old
	}
	if c.Subject == diff.Symbol || json.Unmarshal(value, &described) != nil {
		return phrases.Text{}
	}
	t, locale := v.request.Chooser().Pick(described.Description)
	return v.request.In(locale, core.Short(t, core.MaxShown))
}

// shownValue returns a value as people read it: a text without quotes, a list with commas.
// Objects are left out; the JSON form has them.
func shownValue(value json.RawMessage) string {
	var one string
	var list []string
	switch {
	case len(value) == 0 || value[0] == '{':
		return ""
	case json.Unmarshal(value, &one) == nil:
	case json.Unmarshal(value, &list) == nil:
		one = strings.Join(list, ", ")
	case value[0] == '[':
		return ""
	default:
		one = string(value)
	}
	return core.Short(i18n.Clean(one), core.MaxShown)
}

// fieldOf returns the path of a change in words. An item of a list may have the name of a field.
func fieldOf(q *core.Request, c *diff.Change) []fieldStep {
	var steps []fieldStep
	for _, s := range c.Path {
		name := s.Name()
		if word := q.Word("compare.fields." + name); word != "" && (len(steps) == 0 || steps[len(steps)-1].ID != "" || !namedLists()[c.Path[len(steps)-1].Name()]) {
			steps = append(steps, fieldStep{Word: word})
			continue
		}
		steps = append(steps, fieldStep{ID: wording.Line(name)})
	}
	return steps
}

// namedLists are the fields of the model that are lists of ids, or of objects with one.
var namedLists = sync.OnceValue(func() map[string]bool {
	lists := make(map[string]bool)
	for _, part := range []any{taxonomy.Manifest{}, taxonomy.Type{}, taxonomy.Category{}, taxonomy.Element{}} {
		jsonfields.Structs(reflect.TypeOf(part), func(_ reflect.Type, list []jsonfields.Field) {
			for _, f := range list {
				if f.Type.Kind() != reflect.Slice {
					continue
				}
				named := f.Type.Elem().Kind() == reflect.String
				if f.Type.Elem().Kind() == reflect.Struct {
					_, named = f.Type.Elem().FieldByName("ID")
				}
				lists[f.Name] = lists[f.Name] || named
			}
		})
	}
	return lists
})
