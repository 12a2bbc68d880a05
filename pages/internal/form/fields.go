package form

import (
	"html/template"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/rule"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// fieldRow is a row of the table of fields: a place of the document, and how the form asks for
// it. Its label is the word compose.fields.NAME, and its note, if it has one, compose.notes.NAME.
type fieldRow struct {
	name string // of its words
	path string // below what has the field; "" is an item of a list itself
	// kind is how it is asked for: line, date, number, tick, point, select or check; texts and
	// areas are asked for in each language; list is a list of items with fields.
	kind     string
	required bool
	// open means that a list has the fields of its first item from the start.
	open  bool
	items []fieldRow
}

// The fields of the questions that all documents have, and those of placements, which are behind
// "More".
var (
	nameFields = []fieldRow{
		{name: "title", path: "title", kind: "texts", required: true},
		{name: "description", path: "description", kind: "areas"},
	}
	whereFields = []fieldRow{
		{name: "places", path: "register.places", kind: "list", open: true, items: []fieldRow{
			{name: "place_name", path: "name", kind: "texts"},
			{name: "address", path: "address", kind: "texts"},
			{name: "position", path: "geometry", kind: "point"},
			{name: "mobile", path: "mobile", kind: "tick"},
		}},
		{name: "status", path: "register.status", kind: "select"},
		{name: "since", path: "register.since", kind: "date"},
		{name: "until", path: "register.until", kind: "date"},
		{name: "review_by", path: "register.review_by", kind: "date"},
		{name: "themes", path: "register.themes", kind: "list", open: true, items: []fieldRow{{name: "theme", kind: "texts"}}},
		{name: "withheld", path: "register.withheld", kind: "list", items: []fieldRow{
			{name: "what", path: "what", kind: "texts"},
			{name: "reason", path: "reason", kind: "areas"},
		}},
	}
	detailFields = []fieldRow{
		{name: "organisation", path: "register.organisation.name", kind: "texts"},
		{name: "unit", path: "register.organisation.unit", kind: "texts"},
		{name: "organisation_id", path: "register.organisation.id", kind: "line"},
		{name: "owner", path: "register.organisation.owner", kind: "texts"},
		{name: "assessments", path: "register.assessments", kind: "list", items: []fieldRow{
			{name: "assessment_name", path: "name", kind: "texts", required: true},
			{name: "assessment_kind", path: "kind", kind: "select"},
			{name: "assessment_state", path: "state", kind: "select"},
			{name: "date", path: "date", kind: "date"},
			{name: "source_url", path: "url", kind: "line"},
			{name: "result", path: "summary", kind: "areas"},
		}},
		{name: "classes", path: "register.classes", kind: "list", items: []fieldRow{
			{name: "scheme", path: "scheme", kind: "line", required: true},
			{name: "class", path: "class", kind: "line", required: true},
			{name: "reason", path: "reason", kind: "areas"},
		}},
		{name: "filings", path: "register.filings", kind: "list", items: []fieldRow{
			{name: "profile", path: "profile", kind: "line", required: true},
			{name: "filing_id", path: "id", kind: "line"},
			{name: "source_url", path: "url", kind: "line"},
			{name: "filed", path: "filed", kind: "date"},
		}},
		{name: "answered_from", path: "register.answered.from", kind: "date"},
		{name: "answered_to", path: "register.answered.to", kind: "date"},
		{name: "asked", path: "register.answered.asked", kind: "number"},
		{name: "answered", path: "register.answered.answered", kind: "number"},
		{name: "answer_days", path: "register.answered.days", kind: "number"},
		{name: "answer_changed", path: "register.answered.changed", kind: "number"},
		{name: "sources", path: "sources", kind: "list", items: sourceFields},
		{name: "linked", path: "linked_instance_ids", kind: "list", items: []fieldRow{{name: "id", kind: "line", required: true}}},
		{name: "subchains", path: "subchain_instances", kind: "list", items: []fieldRow{
			{name: "subchain", path: "subchain_id", kind: "select"},
			{name: "subchain_run", path: "id", kind: "line", required: true},
			{name: "heads", path: "head_refs", kind: "check"},
			{name: "order", path: "order", kind: "number"},
		}},
		{name: "suggested", path: "suggested_elements", kind: "list", items: []fieldRow{
			{name: "id", path: "id", kind: "line", required: true},
			{name: "category", path: "category_id", kind: "select"},
			{name: "title", path: "title", kind: "texts"},
			{name: "description", path: "description", kind: "areas"},
			{name: "symbol", path: "symbol_id", kind: "line", required: true},
		}},
		{name: "own_id", path: "id", kind: "line", required: true},
		{name: "slug", path: "register.slug", kind: "line"},
		{name: "updated_at", path: "updated_at", kind: "line"},
		{name: "instance_version", path: "instance_version", kind: "line"},
	}
	answerFields = []fieldRow{
		{name: "label", path: "label", kind: "texts"},
		{name: "instance_id", path: "element_instance_id", kind: "line"},
		{name: "in_subchain", path: "subchain_instance_id", kind: "select"},
		{name: "citation", path: "citation", kind: "line"},
		{name: "priority", path: "priority", kind: "number"},
		{name: "actions", path: "actions", kind: "list", items: []fieldRow{
			{name: "action", path: "type", kind: "select"},
			{name: "action_label", path: "label", kind: "texts"},
			{name: "action_target", path: "target", kind: "line", required: true},
		}},
		{name: "sources", path: "sources", kind: "list", items: sourceFields},
	}
	sourceFields = []fieldRow{
		{name: "source_title", path: "title", kind: "line", required: true},
		{name: "source_type", path: "type", kind: "line", required: true},
		{name: "source_url", path: "url", kind: "line"},
		{name: "citation", path: "citation", kind: "line"},
	}
)

// newItems are the items that buttons add to lists, by the last step of their paths.
var newItems = map[string]string{
	"sources": `{"type": "document", "title": ""}`, "actions": `{"type": "email", "label": "", "target": ""}`,
	"subchain_instances": `{"id": "", "subchain_id": ""}`, "linked_instance_ids": `""`,
	"assessments": `{"name": ""}`, "classes": `{"scheme": "", "class": ""}`, "filings": `{"profile": ""}`,
	"places": `{"name": ""}`, "themes": `""`, "withheld": `{"what": "", "reason": ""}`,
	"suggested_elements": `{"id": "", "category_id": "", "symbol_id": "", "title": [], "description": []}`,
}

// fields returns the fields and the lists of a table below a path.
func (c *composeForm) fields(at issue.Path, table []fieldRow) (groups []*composeGroup, lists []*composeList) {
	for i := range table {
		row := &table[i]
		own := slices.Clone(at)
		if row.path != "" {
			for key := range strings.SplitSeq(row.path, ".") {
				own = own.Key(key)
			}
		}
		if row.kind == "list" {
			if list := c.list(own, row); list != nil {
				lists = append(lists, list)
			}
		} else if g := c.field(own, row); g != nil {
			groups = append(groups, g)
		}
	}
	return groups, lists
}

// field returns the fields of a row, or nil if there is nothing to choose from.
func (c *composeForm) field(at issue.Path, row *fieldRow) *composeGroup {
	label := c.Own(c.Word("compose.fields." + row.name))
	var g *composeGroup
	switch row.kind {
	case "texts", "areas":
		g = c.localized(at, label, row.kind == "areas")
	case "number":
		g = c.value("n:", at, label, "number")
	case "tick":
		g = c.value("b:", at, label, "tick")
	case "point":
		g = c.value("g:", at, label, "line")
		g.Example = "51.3397, 12.3731"
	case "check":
		var v document.Value
		g, v = c.group("s:", at, label, "check")
		g.Choices = c.chosen(c.choicesOf(row.name), v)
	case "select":
		choices := c.choicesOf(row.name)
		if choices == nil {
			return nil
		}
		g = c.line(at, label, "select")
		g.Choices = withOther(c.request, choices, []string{g.Value})
	case "date":
		g = c.line(at, label, "date")
		if _, err := time.Parse(time.DateOnly, g.Value); err != nil && g.Value != "" && g.Kind == "date" {
			g.Kind = "line" // a browser's field for dates would lose it
		}
	default:
		g = c.line(at, label, "line")
	}
	g.Required = row.required
	if note := c.Word("compose.notes." + row.name); note != "" {
		g.Note = c.Own(note)
	}
	return g
}

// list returns the items of a list with their fields, or nil if the document can't have the list.
func (c *composeForm) list(at issue.Path, row *fieldRow) *composeList {
	if row.name == "subchains" && len(c.Release().Type().Subchains) == 0 || row.name == "suggested" && !c.Resolved {
		return nil
	}
	v, _ := c.doc.Find(at)
	l := &composeList{Name: c.Word("compose.fields." + row.name), ID: fieldID(at.String()), Add: "new " + at.String()}
	n := 0
	if v.Kind() == '[' {
		n = min(v.Len(), maxFormItems)
	}
	if row.open && v.Kind() == 0 {
		n = 1
	}
	for i := range n {
		own := at.Index(i)
		item := &composeItem{ID: fieldID("item " + own.String()), Name: l.Name + " " + c.Number(i+1)}
		if i < v.Len() {
			item.Path = own.String()
		}
		item.Fields, _ = c.fields(own, row.items)
		c.anchor(own, anchor{Target: item.ID, Place: c.Own(item.Name), wrong: &item.Wrong})
		if row.name == "suggested" {
			item.Place = c.unplaced(own)
		}
		l.Items = append(l.Items, item)
	}
	return l
}

// unplaced returns the id of a suggested element that the document does not place, or "".
func (c *composeForm) unplaced(at issue.Path) string {
	id, _ := c.doc.Find(at.Key("id"))
	for p := range core.Child(c.doc.Root(), "elements").All() {
		if core.TextAt(p, "element_id") == id.Text() {
			return ""
		}
	}
	return id.Text()
}

// choicesOf returns the choices of a field, or nil if there are none.
func (c *composeForm) choicesOf(name string) []*formChoice {
	w := c.Words
	list := []*formChoice{{Label: c.Own(w.Word("compose.notchosen"))}}
	switch name {
	case "status":
		for _, s := range register.Statuses() {
			list = append(list, &formChoice{Value: string(s), Label: c.Own(c.Word("register.statuses." + string(s)))})
		}
	case "assessment_kind":
		for _, kind := range rule.AssessmentKinds() {
			list = append(list, &formChoice{Value: kind, Label: c.Own(c.Word("register.assessmentkinds." + kind))})
		}
	case "assessment_state":
		for _, state := range rule.AssessmentStates() {
			list = append(list, &formChoice{Value: state, Label: c.Own(c.Word("register.assessmentstates." + state))})
		}
	case "subchain":
		chains := c.Release().Type().Subchains
		for i := range chains {
			list = append(list, &formChoice{Value: chains[i].ID, Label: c.Name(chains[i].Name, chains[i].ID)})
		}
	case "category":
		for _, category := range c.Release().Categories() {
			list = append(list, &formChoice{Value: category.ID, Label: c.Name(category.Name, category.ID)})
		}
	case "in_subchain":
		runs := core.Child(c.doc.Root(), "subchain_instances")
		for i := range min(runs.Len(), maxFormItems) {
			run, _ := runs.At(i)
			if id := core.TextAt(run, "id"); id != "" {
				list = append(list, &formChoice{Value: id, Label: c.Raw(id)})
			}
		}
		if len(list) == 1 {
			return nil
		}
	case "action":
		list = nil
		for _, kind := range []string{"email", "url", "phone", "form", "postal"} {
			list = append(list, &formChoice{Value: kind, Label: c.Own(w.Word("compose.actiontypes." + kind))})
		}
	case "heads":
		return c.heads()
	}
	return list
}

// heads returns the placements that a subchain can begin with.
func (c *composeForm) heads() (list []*formChoice) {
	seen := make(map[string]bool)
	for p := range core.Child(c.doc.Root(), "elements").All() {
		ref, ok := p.Get("element_instance_id")
		id, _ := p.Get("element_id")
		if !ok {
			ref = id
		}
		if len(list) == maxFormItems {
			break
		}
		if ref.Text() == "" || seen[ref.Text()] {
			continue
		}
		seen[ref.Text()] = true
		one := &formChoice{Value: ref.Text(), Label: c.Raw(ref.Text())}
		if e := c.elementOf(id.Text()); e != nil {
			one.Label = c.Titled(e, nil)
			if ok {
				one.About = c.Raw(ref.Text())
			}
		}
		list = append(list, one)
	}
	return list
}

// composeList is a list of things with fields.
type composeList struct {
	Name, ID, Add string
	Items         []*composeItem
}

// composeItem is one of a list.
type composeItem struct {
	ID, Name string
	Path     string // "" if the document does not have it yet
	Place    string // the id of an element to place, or ""
	Fields   []*composeGroup
	Wrong    []*composeFinding
}

// composeGroup is a value to fill in: one field, or one for each language or choice.
type composeGroup struct {
	ID       string
	Label    phrases.Text
	Note     phrases.Text
	Required bool
	// Kind is how it is asked for: line, area, date, number, texts, select, radio, check, tick or
	// buttons, of which one answers the question and goes on to the next. A value of kind other
	// can't be shown.
	Kind    string
	Name    string // of the field, if it is one
	Value   string
	Choices []*formChoice
	Fields  []*composeText // of a localized text
	Wrong   []*composeFinding
	Example string

	role taxonomy.Role // of a variable, or ""
}

// composeText is a field for a text in a language.
type composeText struct {
	ID, Name, Value     string
	Lang, Dir, Language string
	Area                bool
}

// formChoice is one of several values.
type formChoice struct {
	Value   string
	Label   phrases.Text
	About   phrases.Text
	Swatch  template.HTML // of a context value, or ""
	Checked bool
	Fixed   bool
	Lang    string
}

func languageChoice(locale string, checked bool) *formChoice {
	return &formChoice{Value: locale, Label: phrases.Text{Value: core.Endonym(locale)}, Lang: locale, Checked: checked}
}

// fieldID is the id of the HTML element of a field.
func fieldID(s string) string {
	return "f-" + strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, s)
}

// group returns a group for the value at a path, and that value, which is zero if there is none.
// The names of its fields begin with a prefix.
func (c *composeForm) group(prefix string, at issue.Path, label phrases.Text, kind string) (*composeGroup, document.Value) {
	g := &composeGroup{ID: fieldID(at.String()), Name: prefix + at.String(), Label: label, Kind: kind}
	c.anchor(at, anchor{Target: g.ID, Place: label, wrong: &g.Wrong, typed: prefix == "t:" || prefix == "n:", choose: kind == "radio"})
	v, _ := c.doc.Find(at)
	return g, v
}

// line returns a field for a string, unless the document has something else there.
func (c *composeForm) line(at issue.Path, label phrases.Text, kind string) *composeGroup {
	g, v := c.group("t:", at, label, kind)
	g.Value = v.Text()
	if v.Kind() != 0 && v.Kind() != '"' {
		g.Kind = "other"
	}
	if g.Kind == "line" && strings.ContainsAny(g.Value, "\r\n") {
		g.Kind = "area"
	}
	return g
}

// value returns a field for a number, a position or something that is true or not, with what was
// typed if that can't be used. Geometries that are no point stay as they are.
func (c *composeForm) value(prefix string, at issue.Path, label phrases.Text, kind string) *composeGroup {
	g, v := c.group(prefix, at, label, kind)
	switch prefix {
	case "n:":
		g.Value = string(v.Raw())
	case "b:":
		if v.Kind() == 't' {
			g.Value = "true"
		}
	case "g:":
		if g.Value = pointText(v); v.Kind() != 0 && g.Value == "" {
			g.Kind = "other"
		}
	}
	if value, ok := c.Rejected[g.Name]; ok {
		g.Value = value
		g.Wrong = append(g.Wrong, &composeFinding{ID: "r-" + g.ID, Severity: string(issue.SeverityError), Message: c.Own(c.Word("compose.rejected")), anchor: anchor{Target: g.ID, Place: g.Label}})
	}
	return g
}

// withOther ticks choices. Values that are not among them are added.
func withOther(q *request, choices []*formChoice, chosen []string) []*formChoice {
	for _, value := range chosen {
		i := slices.IndexFunc(choices, func(o *formChoice) bool { return o.Value == value })
		if i < 0 {
			i = len(choices)
			choices = append(choices, &formChoice{Value: value, Label: q.Raw(value)})
		}
		choices[i].Checked = true
	}
	return choices
}

// chosen returns the choices with those checked that a list in the document has.
func (c *composeForm) chosen(choices []*formChoice, list document.Value) []*formChoice {
	var values []string
	for item := range list.All() {
		if item.Text() != "" {
			values = append(values, item.Text())
		}
	}
	return withOther(c.request, choices, values)
}

// localized returns fields for a localized text or a label, one for each language.
func (c *composeForm) localized(at issue.Path, label phrases.Text, area bool) *composeGroup {
	if v, _ := c.doc.Find(at); v.Kind() == '"' && v.Text() != "" { // a label in no language
		g := c.line(at, label, "line")
		g.Note = c.Own(c.Word("compose.alllanguages"))
		return g
	}
	g, v := c.group("", at, label, "texts")
	if v.Kind() != 0 && v.Kind() != '[' && v.Kind() != '"' {
		g.Kind = "other"
		return g
	}
	g.Fields = c.texts(v, func(locale string) string { return "l:" + locale + ":" + at.String() }, area)
	return g
}

// texts returns fields for a text in each language.
func (c *composeForm) texts(v document.Value, name func(locale string) string, area bool) []*composeText {
	list := make([]*composeText, len(c.languages))
	for i, locale := range c.languages {
		f := &composeText{Name: name(locale), ID: fieldID(name(locale)), Lang: locale, Dir: i18n.Direction(locale), Language: core.Endonym(locale), Area: area}
		for t := range v.All() {
			if core.TextAt(t, "locale") == locale {
				f.Value = core.TextAt(t, "value")
				break
			}
		}
		f.Area = area || strings.ContainsAny(f.Value, "\r\n")
		list[i] = f
	}
	return list
}

// reachable matches a text that has a way to reach someone: an email address, a web address or a
// number of at least three digits.
var reachable = regexp.MustCompile(`\S@\S+\.\S|(?i:https?://|www\.)\S|\d\D{0,2}\d\D{0,2}\d`)
