package form

import (
	"cmp"
	"errors"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/pages/internal/check"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// composeState is what the form has besides the document.
type composeState struct {
	// Open is the question that is open, or "", and Query what is searched for in it.
	Open, Query string
	// Left are the questions that were left, or everyQuestion. Only their findings are shown.
	Left []string
	// Change is the slug of the published document that this one is to replace, or "".
	Change string
	// New means that the document was begun in this form, so its id follows its title.
	New bool
	// Adding means that answers were ticked in the open question.
	Adding bool
	// Lists means that the elements of all categories are sent for the script, which opens
	// questions without a request.
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
	// leave is whether the open question is left.
	leave leaving
	check.Moved
}

// leaving is whether a button leaves the open question for the next one.
type leaving int

const (
	leaveNever    leaving = iota
	leaveAnswered         // if this was its first answer, and asks for nothing else
	leaveComplete         // if it is complete, else show what is missing
	leaveAlways
)

// everyQuestion stands for all questions among those that were left.
const everyQuestion = "all"

// composeForm is a document as a form. Its request has the languages of the document's version.
type composeForm struct {
	*request
	*composeState
	doc *document.Document

	Document           string // with carriage returns replaced
	Title              phrases.Text
	Resolved           bool
	OK                 bool
	Answered, Required int // required questions
	// Incomplete is the first question that was left incomplete, or nil, and Unfinished how many
	// there are.
	Incomplete *composeQuestion
	Unfinished int
	Missing    int // questions in which something is missing, also if they were not left
	// Problems are all findings, if they are shown, and Rest those that are about no question.
	Problems, Rest []*composeFinding
	More           int // findings that are not shown

	Switches  []core.Choice // the form in other languages
	Questions []*composeQuestion
	Details   *composeQuestion // fields that few documents need
	Hidden    int              // placements that are not shown, because there are too many
	Summary   []summaryRow     // what people will see first; nil if it can't be made

	languages []string          // to write in
	anchors   map[string]anchor // by path
	current   *composeQuestion  // whose fields are being made
	hints     []*composeFinding // that are the form's own
	// suggested are the elements that the document suggests, by id.
	suggested map[string]*taxonomy.Element
}

// Upgrade is the version to move the document to, or "".
func (c *composeForm) Upgrade() string { return c.Newer(c.doc) }

// Suggests reports whether the document suggests elements, so it has to stay resolved.
func (c *composeForm) Suggests() bool {
	return core.Child(c.doc.Root(), "suggested_elements").Len() > 0
}

// Proposed is the address that the form proposes for the sign.
func (c *composeForm) Proposed() string { return c.pageAddress(c.doc) }

// Blank reports whether nothing was written yet.
func (c *composeForm) Blank() bool {
	return c.New && !slices.ContainsFunc(c.Questions, func(one *composeQuestion) bool { return len(one.Answers) > 0 })
}

// composeQuestion is a question: one that all documents have, or a category.
type composeQuestion struct {
	ID              string
	Number          int
	Question, About phrases.Text
	Category        *taxonomy.Category // or nil
	Answers         []phrases.Text     // that were given, in short
	Open            bool
	Wrong           []*composeFinding

	Languages  []*formChoice
	First      []*composeList // above the fields
	Fields     []*composeGroup
	Lists      []*composeList
	Placements []*composePlacement

	Adding bool // whether another answer was just added, so that the list stays
	Full   bool // whether it has as many placements as it can have
	Locked bool // whether elements can't be added, since the document is resolved
	// Choices are the elements to choose from, if they are Listed.
	Listed   bool
	Choices  []*composeElement
	Query    string
	MoreThan string
	Meant    *core.Choice // the query with its misspelt words corrected, if that found something

	general    bool // whether it must be answered in every taxonomy
	enough     bool // whether it has as many answers as it must have
	incomplete bool // whether something is missing or wrong
	left       bool
}

// Required reports whether it must be answered.
func (c *composeQuestion) Required() bool {
	return c.general || c.Category != nil && (c.Category.Required || c.Category.Cardinality.Min > 0)
}

// Several reports whether the question can have several answers.
func (c *composeQuestion) Several() bool { return c.Category.Cardinality.Max != 1 }

// Body is the id of what is below the question. A link to it opens the question.
func (c *composeQuestion) Body() string { return "b-" + c.ID }

// Mark is how far the question is answered: todo, done or bad.
func (c *composeQuestion) Mark() string {
	switch {
	case c.incomplete && c.left:
		return "bad"
	case len(c.Answers) > 0 && !c.incomplete:
		return "done"
	}
	return todo
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
	v, err := q.Judge(body)
	if err != nil {
		return nil, err
	}
	if !v.Document().Strict() {
		return &composition{Broken: &brokenDocument{Text: body, Findings: check.Findings(body, v.Findings())}}, nil
	}
	schema, err := q.Site.Service.OpenFor(q.Ctx, []byte(body))
	if known, ok := errors.AsType[*datachain.Error](err); ok && known.Kind != datachain.KindFailure || v.Document().Root().Kind() != '{' {
		b := &brokenDocument{Text: body, Findings: check.Findings(body, v.Findings())}
		b.Upgrade = q.Newer(v.Document())
		return &composition{Broken: b}, nil
	}
	if err != nil {
		return nil, err
	}
	own := q.among(schema.Release())
	own.Schema = schema
	form, err := newForm(own, state, v)
	if err != nil {
		return nil, err
	}
	form.Document = fromCarriageReturns.Replace(body)
	// A link to another language would lose the document.
	form.Switches = q.Scope(&core.Content{Path: core.ComposePath}).Languages()
	q.Chooser() // in the languages that the page has
	q.Locales = nil
	return &composition{Form: form}, nil
}

// newForm returns the form of a document in the languages of a request.
func newForm(q *request, state *composeState, v *datachain.Verdict) (*composeForm, error) {
	c := &composeForm{
		request: q, composeState: state, doc: v.Document(), OK: v.OK(), Resolved: datachain.IsResolved(v.Document()),
		anchors: make(map[string]anchor),
	}
	c.Address = cmp.Or(c.Address, c.Proposed())
	if c.Title = c.Text(localizedOf(c.doc.Root(), "title")); c.Title.Empty() {
		c.Title = c.Own(c.Word("compose.newtitle"))
	}
	languages := c.chooseLanguages()
	name := c.addQuestion("name", c.Word("compose.name"), nameFields)
	name.About, name.Languages, name.general = c.Own(c.Word("compose.namenote")), languages, true
	if title := c.Text(localizedOf(c.doc.Root(), "title")); !title.Empty() {
		name.Answers, name.enough = []phrases.Text{title}, true
	}
	c.OK = c.OK && name.enough
	where := c.addQuestion("where", c.Word("compose.where"), whereFields)
	where.Answers = c.whereabouts()
	where.First, where.Lists = where.Lists[:1], where.Lists[1:] // where comes before since when
	c.categories()
	c.Details = &composeQuestion{ID: "details", Question: c.Own(c.Word("compose.details"))}
	c.current = c.Details
	c.Details.Fields, c.Details.Lists = c.fields(issue.Root, detailFields)
	c.anchor(issue.Root.Key("register"), anchor{Target: c.Details.ID, Place: c.Details.Question, wrong: &c.Details.Wrong})
	for i, one := range c.Questions {
		one.Number = i + 1
	}
	c.placeFindings(v)
	c.count()
	c.openNext()
	c.showFindings()
	c.summarize()
	err := c.listAll()
	return c, err
}

// addQuestion adds a question that all documents have.
func (c *composeForm) addQuestion(id, question string, table []fieldRow) *composeQuestion {
	one := &composeQuestion{ID: id, Question: c.Own(question)}
	c.current = one
	one.Fields, one.Lists = c.fields(issue.Root, table)
	c.Questions = append(c.Questions, one)
	return one
}

// whereabouts summarizes where a system is, since when, and its status.
func (c *composeForm) whereabouts() (list []phrases.Text) {
	said := core.Child(c.doc.Root(), "register")
	for p := range core.Child(said, "places").All() {
		if name := c.labelAt(p, "name"); !name.Empty() && len(list) < maxFormItems {
			list = append(list, name)
		}
	}
	if since := core.TextAt(said, "since"); since != "" {
		list = append(list, c.Own(c.Day(since)))
	}
	if status := register.Status(core.TextAt(said, "status")); slices.Contains(register.Statuses(), status) {
		list = append(list, c.Own(c.Word("register.statuses."+string(status))))
	}
	return list
}

// chooseLanguages finds the languages to write in: those that the document has, and those
// that were chosen.
func (c *composeForm) chooseLanguages() (choices []*formChoice) {
	has := make(map[string]bool)
	add := func(v document.Value) {
		for t := range v.All() {
			if locale := core.TextAt(t, "locale"); ident.IsLocale(locale) && len(has) < maxFormLanguages {
				has[locale] = true
			}
		}
	}
	add(core.Child(c.doc.Root(), "title"))
	add(core.Child(c.doc.Root(), "description"))
	n := 0
	for p := range core.Child(c.doc.Root(), "elements").All() {
		if n++; n > maxFormPlacements {
			break
		}
		for variable := range core.Child(p, "variables").All() {
			add(core.Child(variable, "value"))
		}
	}
	list := slices.Clone(c.Release().Locales())
	for locale := range has {
		if !slices.Contains(list, locale) {
			list = append(list, locale)
		}
	}
	slices.Sort(list[len(c.Release().Locales()):])
	if len(has) == 0 && len(c.Locales) == 0 {
		c.Locales = []string{c.Chooser().Locale}
	}
	for _, locale := range list {
		one := languageChoice(locale, has[locale] || slices.Contains(c.Locales, locale))
		one.Fixed = has[locale]
		if choices = append(choices, one); one.Checked {
			c.languages = append(c.languages, locale)
		}
	}
	return choices
}

// categories adds the questions of the taxonomy with their placements, and those that it does
// not have.
func (c *composeForm) categories() {
	byID := make(map[string]*composeQuestion)
	for _, category := range c.Release().Categories() {
		one := &composeQuestion{
			ID: "c-" + category.ID, Question: c.Text(category.Prompt), About: c.Text(category.Description), Category: category, Locked: c.Resolved,
		}
		if one.Question.Empty() {
			one.Question = c.Name(category.Name, category.ID)
		}
		c.Questions, byID[category.ID] = append(c.Questions, one), one
	}
	others := &composeQuestion{ID: "others", Question: c.Own(c.Word("compose.others")), About: c.Own(c.Word("compose.otherslead"))}
	count := make(map[*composeQuestion]int)
	i := 0
	for p := range core.Child(c.doc.Root(), "elements").All() {
		of := others
		e := c.elementOf(core.TextAt(p, "element_id"))
		if e != nil && byID[e.CategoryID] != nil {
			of = byID[e.CategoryID]
		}
		if count[of]++; i < maxFormPlacements {
			c.current = of
			placement := c.placement(p, i, e, of.Category)
			of.Placements, of.Answers = append(of.Placements, placement), append(of.Answers, placement.Short)
		} else {
			c.Hidden++
		}
		i++
	}
	for _, one := range c.Questions {
		linkNeighbours(one.Placements)
		if one.Category == nil {
			continue
		}
		limits := one.Category.Cardinality
		one.Full = limits.Max > 0 && count[one] >= limits.Max
		one.enough = count[one] >= max(1, limits.Min)
	}
	if linkNeighbours(others.Placements); len(others.Placements) > 0 {
		c.Questions = append(c.Questions, others)
	}
}

// count counts the required questions, those of them that are answered with nothing missing, and all
// in which something is missing.
func (c *composeForm) count() {
	for _, one := range c.Questions {
		if one.incomplete {
			c.Missing++
		}
		if one.Required() {
			if c.Required++; one.enough && !one.incomplete {
				c.Answered++
			}
		}
	}
}

// elementOf returns an element of the version, or one that the document suggests, or nil.
func (c *composeForm) elementOf(id string) *taxonomy.Element {
	if e, ok := c.Release().Element(id); ok {
		return e
	}
	if c.suggested == nil {
		c.suggested = make(map[string]*taxonomy.Element)
		for v := range core.Child(c.doc.Root(), "suggested_elements").All() {
			c.suggested[core.TextAt(v, "id")] = &taxonomy.Element{
				ID: core.TextAt(v, "id"), CategoryID: core.TextAt(v, "category_id"), SymbolID: core.TextAt(v, "symbol_id"), Title: localizedOf(v, "title"), Description: localizedOf(v, "description"),
			}
		}
		delete(c.suggested, "")
	}
	return c.suggested[id]
}

// localizedOf reads a localized text as it is.
func localizedOf(v document.Value, key string) taxonomy.Localized {
	var l taxonomy.Localized
	for t := range core.Child(v, key).All() {
		l = append(l, taxonomy.Text{Locale: core.TextAt(t, "locale"), Value: core.TextAt(t, "value")})
	}
	return l
}

// labelAt reads a text or a localized text.
func (c *composeForm) labelAt(v document.Value, key string) phrases.Text {
	if label := core.Child(v, key); label.Kind() == '"' {
		return c.Raw(label.Text())
	}
	return c.Text(localizedOf(v, key))
}

// question returns the question with an id, or nil.
func (c *composeForm) question(id string) *composeQuestion {
	for _, one := range c.Questions {
		if one.ID == id {
			return one
		}
	}
	return nil
}

// openNext opens the question that comes next, if the open one is left.
func (c *composeForm) openNext() {
	s := c.composeState
	now := c.question(s.Open)
	switch {
	case now == nil && s.leave == leaveNever && slices.Contains(s.Left, everyQuestion):
		s.Open = ""
		for _, one := range slices.Backward(c.Questions) {
			if one.incomplete {
				s.Open = one.ID
			}
		}
	case now == nil, s.leave == leaveNever, s.leave == leaveAnswered && (now.incomplete || len(now.Placements) != 1 || len(now.Placements[0].Fields) > 0):
	case s.leave == leaveComplete && now.incomplete:
		s.Left = append(s.Left, now.ID)
	default:
		s.Left = append(s.Left, now.ID)
		s.Open, s.Query = "", ""
		at := slices.Index(c.Questions, now)
		for _, one := range c.Questions[at+1:] {
			if s.Open == "" && (one.incomplete || len(one.Answers) == 0) {
				s.Open = one.ID
			}
		}
		for _, one := range c.Questions[:at] {
			if s.Open == "" && one.incomplete {
				s.Open = one.ID
			}
		}
	}
	slices.Sort(s.Left)
	s.Left = slices.Compact(s.Left)
}
