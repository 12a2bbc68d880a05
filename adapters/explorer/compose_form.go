package explorer

import (
	"cmp"
	"errors"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// composeState is what the form has besides the document.
type composeState struct {
	// Open is the category whose elements are listed, and Query what is searched for
	// in it.
	Open, Query string
	// Lists means that the elements of all categories are sent, hidden, for the script to open
	// without a request.
	Lists bool
	// Locales are languages to write in, besides those of the document.
	Locales []string
	// All are the placements of which all fields are shown.
	All []string
	// Address is where the code of the sign leads, and NoAddress means that it can't.
	Address   string
	NoAddress bool
	// Rejected are values that can't be used, by the name of the field.
	Rejected map[string]string
	moved
}

// moved is what became of a document that was just moved to another version: Left is what
// remains to be done, and Review what a person should look at, such as what was reworded.
type moved struct {
	Upgraded     bool
	Left, Review []string
}

// composeForm is a document as a form.
type composeForm struct {
	*composeState
	Text string // with carriage returns replaced
	// Version is the one that the document pins.
	Version, VersionURL string
	VersionName         text
	Upgrade             string // the version to move it to, or ""
	Resolved            bool
	Suggests            bool // whether it suggests elements, so it has to stay resolved

	OK                 bool
	Begun              bool // whether nothing is answered yet, so nothing is wrong
	Progress           string
	Answered, Required int
	// Problems are all findings, and Rest those that are about no field.
	Problems, Rest []*composeFinding
	More           int

	Languages  []*formChoice
	Switches   []choice // the form in other languages
	About      []*composeGroup
	Categories []*composeCategory
	// Others are placements of unknown elements.
	Others []*composePlacement
	Hidden int // placements that are not shown, because there are too many
	Lists  []*composeList
	// Register are the fields of the register.
	Register      []*composeGroup
	RegisterLists []*composeList

	Page     string // for a frame, or ""
	Proposed string // the address that the form proposed
	// NextOpen is the first question that is open, or nil.
	NextOpen *composeFinding
}

// composeCategory is a question.
type composeCategory struct {
	ID                    string
	Name, Question, About text
	Guidance              text
	Shape                 template.HTML
	Required              bool
	Rules                 []string
	Placements            []*composePlacement
	Wrong                 []*composeFinding
	Full                  bool // whether it has as many placements as it can have
	Locked                bool // whether elements can't be added, since the document is resolved
	// Choices are the elements to choose from, if they are listed.
	Open     bool
	Listed   bool // whether they are sent, open or hidden
	Choices  []*composeElement
	Query    string
	MoreThan string
	Next     int // the index of the next placement
	// NextOpen is the next question that is open, or nil.
	NextOpen *composeFinding
}

// composeElement is an element to choose.
type composeElement struct {
	*card
	Guidance text
	Examples []text
	Placed   bool
	Words    string // further words to find it by
}

// composeList is a list of things with fields.
type composeList struct {
	Name, ID, Add string
	Items         []*composeItem
}

// composeItem is one of a list.
type composeItem struct {
	ID, Path, Name string
	Place          string // the id of an element to place, or ""
	Fields         []*composeGroup
	Wrong          []*composeFinding
}

// What a form shows at most.
const (
	maxFormPlacements = 150
	maxFormLanguages  = 12
	maxFormItems      = 50
	maxFormFindings   = 100
	maxChoices        = 40
	maxListed         = 400 // of all categories, if their lists are sent
	minListed         = 8   // of a category
)

// newComposition shows a document in the form, or says why it can't be.
func (q *request) newComposition(state *composeState, body string) (*composition, error) {
	v, syntax, err := q.judge(body)
	if err != nil {
		return nil, err
	}
	if v == nil {
		return &composition{Broken: &brokenDocument{Text: body, Findings: q.findings(body, []datachain.Finding{syntax})}}, nil
	}
	schema, err := q.explorer.service.OpenFor(q.ctx, []byte(body))
	if known, ok := errors.AsType[*datachain.Error](err); ok && known.Kind != datachain.KindFailure || v.Document().Root().Kind() != '{' {
		b := &brokenDocument{Text: body, Findings: q.findings(body, v.Findings())}
		b.Upgrade = q.newer(v.Document())
		return &composition{Broken: b}, nil
	}
	if err != nil {
		return nil, err
	}
	own := q.about(schema.Release())
	own.schema = schema
	c := &composer{request: own, state: state, doc: v.Document(), anchors: make(map[string]anchor)}
	form, err := c.form(v)
	if err != nil {
		return nil, err
	}
	form.Text = fromCarriageReturns.Replace(body)
	// A link to another language would lose the document.
	form.Switches = q.scope(&content{Path: composePath}).Languages()
	q.chooser() // in the languages that the page has
	q.locales, q.icons = nil, own.icons
	return &composition{Form: form}, nil
}

// newer returns the version that a document can be moved to, or "".
func (q *request) newer(doc *document.Document) string {
	version, err := taxonomy.ParseVersion(textAt(doc.Root(), "schema_version"))
	if err != nil {
		return ""
	}
	next, _ := taxonomy.Newer(q.index, version)
	return next.String()
}

// composer makes the form of a document.
type composer struct {
	*request
	state   *composeState
	doc     *document.Document
	locales []string          // to write in
	anchors map[string]anchor // by path
	// suggested are the elements that the document suggests, by id.
	suggested map[string]*taxonomy.Element
}

// anchor is where findings about a path are shown.
type anchor struct {
	id    string
	name  text
	wrong *[]*composeFinding
	typed bool // whether a field there holds the value as it is
}

func (c *composer) anchor(at issue.Path, is anchor) {
	if key := at.String(); c.anchors[key].wrong == nil {
		c.anchors[key] = is
	}
}

// form makes the form.
func (c *composer) form(v *datachain.Verdict) (*composeForm, error) {
	r, w := c.release(), &c.words.Compose
	f := &composeForm{
		composeState: c.state,
		Version:      r.Version().String(), VersionURL: c.to(catalogPath(r.Version()), nil), VersionName: c.name(r.Manifest().Title, r.Version().Type()),
		Upgrade: c.newer(c.doc), Resolved: datachain.IsResolved(c.doc),
		OK: v.OK(), Proposed: c.pageAddress(c.doc),
	}
	f.Address = cmp.Or(f.Address, f.Proposed)
	c.chooseLanguages(f)
	f.About = []*composeGroup{
		c.localized(issue.Root.Key("title"), c.own(w.DocumentTitle), false), c.localized(issue.Root.Key("description"), c.own(w.DocumentAbout), true),
		c.line(issue.Root.Key("id"), c.own(w.DocumentID), "line", true),
	}
	f.About[2].Note = c.own(w.DocumentIDNote)
	if err := c.categories(f); err != nil {
		return nil, err
	}
	c.rest(f)
	c.place(f, v)
	var err error
	if f.OK {
		f.Page, err = c.show(string(c.doc.Text()), true)
	}
	return f, err
}

// chooseLanguages finds the languages to write in: those that the document has, and those
// that were chosen.
func (c *composer) chooseLanguages(f *composeForm) {
	has := make(map[string]bool)
	add := func(v document.Value) {
		for t := range v.All() {
			if locale := textAt(t, "locale"); ident.IsLocale(locale) && len(has) < maxFormLanguages {
				has[locale] = true
			}
		}
	}
	add(child(c.doc.Root(), "title"))
	add(child(c.doc.Root(), "description"))
	n := 0
	for p := range child(c.doc.Root(), "elements").All() {
		if n++; n > maxFormPlacements {
			break
		}
		for variable := range child(p, "variables").All() {
			add(child(variable, "value"))
		}
	}
	list := slices.Clone(c.release().Locales())
	for locale := range has {
		if !slices.Contains(list, locale) {
			list = append(list, locale)
		}
	}
	slices.Sort(list[len(c.release().Locales()):])
	if len(has) == 0 && len(c.state.Locales) == 0 {
		c.state.Locales = []string{c.chooser().Locale}
	}
	for _, locale := range list {
		one := languageChoice(locale, has[locale] || slices.Contains(c.state.Locales, locale))
		one.Fixed = has[locale]
		if f.Languages = append(f.Languages, one); one.Checked {
			c.locales = append(c.locales, locale)
		}
	}
}

// categories adds the questions with their placements.
func (c *composer) categories(f *composeForm) error { //nolint:funlen // one question after the other
	r, w := c.release(), c.words
	elements, _ := c.doc.Root().Get("elements")
	byID := make(map[string]*composeCategory)
	for _, category := range r.Categories() {
		one := &composeCategory{
			ID: category.ID, Name: c.name(category.Name, category.ID), Question: c.text(category.Prompt),
			About: c.text(category.Description), Guidance: c.text(category.AuthoringGuidance), Shape: shape(category.Shape),
			Required: category.Required || category.Cardinality.Min > 0, Next: elements.Len(), Locked: f.Resolved,
		}
		if n := category.Cardinality.Min; n > 1 {
			one.Rules = append(one.Rules, w.Count(w.Element.RuleMin, n))
		}
		if n := category.Cardinality.Max; n > 0 {
			one.Rules = append(one.Rules, w.Count(w.Element.RuleMax, n))
		}
		f.Categories, byID[category.ID] = append(f.Categories, one), one
	}
	shown := make(map[string]int)
	i := 0
	for p := range elements.All() {
		e := c.elementOf(textAt(p, "element_id"))
		var of *composeCategory
		if e != nil {
			of = byID[e.CategoryID]
		}
		switch {
		case i >= maxFormPlacements:
			f.Hidden++
		case of == nil:
			f.Others = append(f.Others, c.placement(p, i, e, nil))
		default:
			category, _ := r.Category(of.ID)
			of.Placements = append(of.Placements, c.placement(p, i, e, category))
		}
		if of != nil {
			shown[of.ID]++
		}
		i++
	}
	for n, category := range r.Categories() {
		one := f.Categories[n]
		link(one.Placements)
		one.Full = category.Cardinality.Max > 0 && shown[category.ID] >= category.Cardinality.Max
		if one.Required {
			if f.Required++; shown[category.ID] >= max(1, category.Cardinality.Min) {
				f.Answered++
			}
		}
		one.Open = c.state.Open == category.ID && !one.Locked
		if one.Listed = one.Open || c.state.Lists && !one.Locked; !one.Listed {
			continue
		}
		query := search.Query{Categories: []string{one.ID}, Limit: maxChoices}
		if one.Open {
			query.Text = strings.TrimSpace(clip(c.state.Query, maxQueryText))
		} else {
			query.Limit = min(maxChoices, max(minListed, maxListed/len(r.Categories())))
		}
		if err := c.listElements(one, elements, query); err != nil {
			return err
		}
	}
	link(f.Others)
	f.Progress = w.Fill(w.Compose.Progress, w.Number(f.Answered), w.Number(f.Required))
	return nil
}

// elementOf returns an element of the version, or one that the document suggests, or nil.
func (c *composer) elementOf(id string) *taxonomy.Element {
	if e, ok := c.release().Element(id); ok {
		return e
	}
	if c.suggested == nil {
		c.suggested = make(map[string]*taxonomy.Element)
		for v := range child(c.doc.Root(), "suggested_elements").All() {
			c.suggested[textAt(v, "id")] = &taxonomy.Element{
				ID: textAt(v, "id"), CategoryID: textAt(v, "category_id"), SymbolID: textAt(v, "symbol_id"), Title: localizedOf(v, "title"), Description: localizedOf(v, "description"),
			}
		}
		delete(c.suggested, "")
	}
	return c.suggested[id]
}

// localizedOf reads a localized text as it is.
func localizedOf(v document.Value, key string) taxonomy.Localized {
	var l taxonomy.Localized
	for t := range child(v, key).All() {
		l = append(l, taxonomy.Text{Locale: textAt(t, "locale"), Value: textAt(t, "value")})
	}
	return l
}

// listElements lists the elements of a category, or those that match the query.
func (c *composer) listElements(one *composeCategory, elements document.Value, query search.Query) error {
	r := c.release()
	placed := make(map[string]bool)
	for p := range elements.All() {
		placed[textAt(p, "element_id")] = true
	}
	var list []*taxonomy.Element
	var total int
	var index *search.Index
	if query.Text == "" {
		begin, end := r.CategoryRange(one.ID)
		list, total = r.Elements()[begin:min(end, begin+query.Limit)], end-begin
	} else {
		found, x, err := c.schema.Search(c.ctx, c.chooser().Locale, query)
		if err != nil {
			return err
		}
		for _, hit := range found.Hits {
			list = append(list, hit.Element)
		}
		index, total = x, found.Total
	}
	for _, e := range list {
		if e.Deprecated() && !placed[e.ID] {
			continue
		}
		one.Choices = append(one.Choices, &composeElement{
			card: c.card(c.schema, e, index, query, nil), Guidance: c.text(e.AuthoringGuidance), Examples: c.examples(e.Examples), Placed: placed[e.ID], Words: c.text(e.Keywords).Plain,
		})
	}
	one.Query = query.Text
	if total > len(list) {
		one.MoreThan = c.words.Fill(c.words.Compose.MoreElements, c.words.Number(len(list)), c.words.Number(total))
	}
	return nil
}

// Unfinished reports whether nothing is wrong but that questions and fields are open.
func (f *composeForm) Unfinished() bool {
	return f.Begun || f.More == 0 && !slices.ContainsFunc(f.Problems, func(p *composeFinding) bool { return p.Severity == string(issue.SeverityError) })
}

// place shows findings beside their fields.
func (c *composer) place(f *composeForm, v *datachain.Verdict) {
	elements := child(c.doc.Root(), "elements")
	f.Begun = elements.Kind() == '[' && elements.Len() == 0
	for i, found := range v.Issues {
		if f.Begun && found.Path.Equal(issue.Root.Key("elements")) {
			continue // the questions below say it better
		}
		if i == maxFormFindings {
			f.More = len(v.Issues) - i
			break
		}
		one := &composeFinding{
			ID: "w-" + strconv.Itoa(i), Severity: string(found.Severity), SeverityName: c.words.Codes.severity(found.Severity),
			Message: c.english(found.Message),
		}
		if own, ok := c.words.Compose.Findings[found.Code]; ok {
			one.Message, one.Severity, one.SeverityName = c.own(own), todo, ""
		}
		at := c.anchorOf(f, found)
		if one.Severity != todo && (at.typed || !slices.Contains(shapeCodes, found.Code)) {
			one.Hint = c.english(found.FixHint)
		}
		if found.Fix != nil {
			one.Fix = fixName(found, "")
		}
		one.Choices = fixChoices(found)
		f.Problems = append(f.Problems, one)
		if at.wrong == nil {
			f.Rest = append(f.Rest, one)
			continue
		}
		one.Target, one.Place, one.category = at.id, at.name, found.About.Category
		*at.wrong = append(*at.wrong, one)
	}
	for _, one := range f.Categories {
		if one.Required && len(one.Placements) == 0 && len(one.Wrong) == 0 && f.Hidden == 0 && !f.OK {
			w := &composeFinding{
				ID: "w-c-" + one.ID, Severity: todo,
				Message: c.own(c.words.Compose.Findings[codes.RequiredCategoryMissing]), Target: "c-" + one.ID, Place: one.Name, category: one.ID,
			}
			if f.Problems = append(f.Problems, w); !f.Begun {
				one.Wrong = append(one.Wrong, w)
			}
		}
	}
	c.linkOpen(f)
}

// linkOpen leads from each question to the next one that is open, and after the last one to the
// first.
func (c *composer) linkOpen(f *composeForm) {
	first := make(map[string]*composeFinding)
	for _, p := range f.Problems {
		if first[p.category] == nil {
			first[p.category] = p
		}
	}
	var next *composeFinding
	for range 2 {
		for _, one := range slices.Backward(f.Categories) {
			if one.NextOpen = next; next != nil && next.category == one.ID {
				one.NextOpen = nil
			}
			if own := first[one.ID]; own != nil {
				next = own
			}
		}
	}
	f.NextOpen = next
}

// shapeCodes are the codes of findings about the JSON of a document. Their hints show what to
// write there, which helps a person only if the field holds just that.
var shapeCodes = []issue.Code{codes.ParseError, codes.InstanceVariableValueShape, codes.RegisterInvalid}

// anchorOf returns where a finding is shown. The path of one about something that is missing is
// that of the list.
func (c *composer) anchorOf(f *composeForm, found issue.Issue) anchor {
	switch found.Code {
	case codes.RequiredCategoryMissing, codes.ElementRequired:
		if i := slices.IndexFunc(f.Categories, func(one *composeCategory) bool { return one.ID == found.About.Category }); i >= 0 {
			one := f.Categories[i]
			return anchor{id: "c-" + one.ID, name: one.Name, wrong: &one.Wrong}
		}
	case codes.InstanceRequiredVariableMissing:
		if known, ok := c.anchors[found.Path.Key(found.About.Variable).String()]; ok {
			return known
		}
	}
	for at := found.Path; len(at) > 0; at = at[:len(at)-1] {
		if known, ok := c.anchors[at.String()]; ok {
			known.typed = known.typed && len(at) == len(found.Path)
			return known
		}
	}
	return anchor{}
}
