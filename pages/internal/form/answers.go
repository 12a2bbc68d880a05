package form

import (
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/internal/style"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// composePlacement is an answer: a placement with its fields.
type composePlacement struct {
	Index        int
	ElementID    string
	Element      *taxonomy.Element // nil if the version does not have it
	Icon         template.HTML
	Title, About phrases.Text
	Short        phrases.Text // its label, its own name or its title
	Fields, More []*composeGroup
	Lists        []*composeList
	Expanded     bool          // whether More and Lists are shown
	Unknown      []*formChoice // variables that the element does not have
	Wrong        []*composeFinding
	// Before and After are the ids of its neighbours, or "".
	Before, After string
}

// ID is the id of its HTML element, and Path its place in the document.
func (c *composePlacement) ID() string { return "p-" + strconv.Itoa(c.Index) }

func (c *composePlacement) Path() string { return placementPath(c.Index).String() }

func placementPath(i int) issue.Path { return issue.Root.Key("elements").Index(i) }

// placement returns a placement with its fields. The element or its category can be nil.
func (c *composeForm) placement(v document.Value, i int, e *taxonomy.Element, category *taxonomy.Category) *composePlacement {
	at := placementPath(i)
	p := &composePlacement{Index: i, ElementID: core.TextAt(v, "element_id"), Element: e, Title: c.Raw(core.TextAt(v, "element_id"))}
	if e != nil {
		p.Title, p.About = c.Titled(e, nil), c.about(e)
	}
	if p.Title.Empty() {
		p.Title = c.Own(c.Word("compose.unknown"))
	}
	if p.Short = c.labelAt(v, "label"); p.Short.Empty() {
		p.Short = p.Title
	}
	c.anchor(at, anchor{Target: p.ID(), Place: p.Title, wrong: &p.Wrong})
	if v.Kind() != '{' {
		return p
	}
	if e != nil {
		p.Icon = c.iconOf(e, category, core.TextAt(v, "context_type_id"))
	}
	p.Fields = c.answer(v, i, e, category)
	for _, g := range p.Fields {
		for _, f := range g.Fields {
			if g.role == codes.RoleName && f.Value != "" && p.Short == p.Title {
				p.Short = c.In(f.Lang, f.Value)
			}
		}
	}
	variables := core.Child(v, "variables")
	c.anchor(at.Key("variables"), anchor{Target: p.ID(), Place: p.Title, wrong: &p.Wrong})
	for variable := range variables.All() {
		id := core.TextAt(variable, "id")
		if e != nil && id != "" && !slices.ContainsFunc(e.Variables, func(v taxonomy.Variable) bool { return v.ID == id }) && len(p.Unknown) < maxFormItems {
			p.Unknown = append(p.Unknown, &formChoice{Value: id, Label: c.Raw(id), About: c.Raw(core.Short(valueText(core.Child(variable, "value")), core.MaxAbout))})
		}
	}
	p.Expanded = slices.Contains(c.All, strconv.Itoa(i))
	if p.Expanded || slices.ContainsFunc(answerFields, func(row fieldRow) bool { _, ok := v.Get(row.path); return ok }) {
		p.More, p.Lists = c.fields(at, answerFields)
	}
	return p
}

// about returns the description of an element without the sentences that have blanks, which the
// form asks for beside it.
func (c *composeForm) about(e *taxonomy.Element) phrases.Text {
	value, locale := c.Chooser().Pick(e.Description)
	var said strings.Builder
	for at := 0; at < len(value); {
		sentence := value[at:]
		if end := sentenceEnd.FindStringSubmatchIndex(sentence); end != nil {
			sentence = sentence[:end[2]]
		}
		if at += len(sentence); !slices.ContainsFunc(slices.Collect(ident.Pieces(sentence)), func(p ident.Piece) bool { return p.Placeholder }) {
			said.WriteString(sentence)
		}
	}
	return c.In(locale, strings.TrimSpace(said.String()))
}

// sentenceEnd matches the end of a sentence, and as a group the beginning of the next one. It skips
// most abbreviations.
var sentenceEnd = regexp.MustCompile(`(?:[^\s.]{2}[.!?؟]\s+|[。！？])(\P{Ll})`)

// iconOf draws an element in the colour of a context value.
func (c *composeForm) iconOf(e *taxonomy.Element, category *taxonomy.Category, context string) template.HTML {
	variant, bare := taxonomy.VariantDefault, taxonomy.Circle
	if category != nil {
		bare = category.Shape
		if value, ok := category.Context.Value(context); ok && value.Color != "" {
			variant = value.ID
		}
	}
	if _, published := c.Release().Element(e.ID); !published {
		return core.Shape(bare)
	}
	if variant == taxonomy.VariantDefault {
		return c.Icon(c.Schema, e)
	}
	return c.Variant(c.Schema, e, variant)
}

// answer returns the fields of a placement, required ones first: its context and its variables. If there
// is only one choice to make, buttons make it and go on to the next question.
func (c *composeForm) answer(v document.Value, i int, e *taxonomy.Element, category *taxonomy.Category) (list []*composeGroup) {
	at := placementPath(i)
	if _, chosen := v.Get("context_type_id"); chosen || category != nil && len(category.Context.Values) > 0 {
		list = append(list, c.contextOf(at, category))
	}
	if e != nil {
		for k := range e.Variables {
			list = append(list, c.variable(at, i, e, &e.Variables[k], core.Child(v, "variables")))
		}
	}
	slices.SortStableFunc(list, func(a, b *composeGroup) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	if len(list) == 1 && (list[0].Kind == "radio" || list[0].Kind == "check" && list[0].Required) {
		choices := slices.DeleteFunc(slices.Clone(list[0].Choices), func(o *formChoice) bool { return o.Value == "" })
		if !slices.ContainsFunc(choices, func(o *formChoice) bool { return o.Checked }) {
			list[0].Kind, list[0].Choices = "buttons", choices
		}
	}
	return list
}

// needsIndex stands for the index of a placement that the script adds.
const needsIndex = 987654

// needs returns an element with the fields that it asks for, or nil if it asks for nothing.
func (c *composeForm) needs(e *taxonomy.Element, category *taxonomy.Category) *composePlacement {
	fields := c.answer(document.Value{}, needsIndex, e, category)
	if len(fields) == 0 {
		return nil
	}
	return &composePlacement{
		Index: needsIndex, ElementID: e.ID, Element: e, Icon: c.Icon(c.Schema, e), Title: c.Titled(e, nil), About: c.about(e), Fields: fields,
	}
}

// valueText returns the texts of a value.
func valueText(v document.Value) string {
	if v.Kind() == '"' {
		return v.Text()
	}
	var list []string
	for item := range v.All() {
		if value, ok := item.Get("value"); ok {
			item = value
		}
		list = append(list, item.Text())
	}
	return strings.Join(list, ", ")
}

// contextOf returns the choice of the context of a placement.
func (c *composeForm) contextOf(at issue.Path, category *taxonomy.Category) *composeGroup {
	choices := []*formChoice{{Label: c.Own(c.Word("compose.notchosen"))}}
	label := c.Own(c.Word("element.context"))
	if category != nil {
		if name := c.Text(category.Context.Name); !name.Empty() {
			label = name
		}
		for k := range category.Context.Values {
			value := &category.Context.Values[k]
			one := &formChoice{Value: value.ID, Label: c.Name(value.Label, value.ID), About: c.Text(value.Description)}
			one.Swatch = template.HTML(style.Swatch(&category.Context, value)) //nolint:gosec // our own
			choices = append(choices, one)
		}
	}
	g := c.line(at.Key("context_type_id"), label, "radio")
	g.Choices = withOther(c.request, choices, []string{g.Value})
	if category != nil {
		g.Note, g.Required = c.Text(category.Context.Description), category.Context.Required
	}
	return g
}

// variable returns the fields of a variable.
func (c *composeForm) variable(at issue.Path, i int, e *taxonomy.Element, variable *taxonomy.Variable, list document.Value) *composeGroup {
	j := variableAt(list, variable.ID)
	item, _ := list.At(j)
	value := core.Child(item, "value")
	name := strconv.Itoa(i) + ":" + variable.ID
	g := &composeGroup{ID: fieldID("v-" + name), Label: c.Name(variable.Label, variable.ID), Required: variable.Required, role: variable.Role}
	is := anchor{Target: g.ID, Place: g.Label, wrong: &g.Wrong, choose: variable.Type == taxonomy.SelectVariable}
	if j >= 0 {
		c.anchor(at.Key("variables").Index(j), is)
	} else { // where a finding about it has no place of its own
		c.anchor(at.Key("variables").Key(variable.ID), is)
	}
	if roles := c.roles(); roles != nil && g.role == "" {
		g.role = roles.Variables[variable.ID]
	}
	if variable.Type != taxonomy.SelectVariable {
		g.Kind = "texts"
		g.Fields = c.texts(value, func(locale string) string { return "v:" + locale + ":" + name }, g.role == codes.RoleWords)
		if g.role == codes.RoleContact && slices.ContainsFunc(g.Fields, func(f *composeText) bool { return f.Value != "" && !reachable.MatchString(f.Value) }) {
			c.hints = append(c.hints, &composeFinding{ID: "h-" + g.ID, Severity: string(issue.SeverityWarning), Message: c.Own(c.Word("compose.contacthint")), anchor: anchor{Target: g.ID, Place: g.Label, wrong: &g.Wrong, question: c.current}})
		}
		return g
	}
	g.Kind, g.Name = "check", "o:"+name
	var choices []*formChoice
	for k := range variable.Options {
		if o := &variable.Options[k]; o.Applies(e.ID) {
			choices = append(choices, &formChoice{Value: o.ID, Label: c.Name(o.Label, o.ID), About: c.Text(o.Description)})
		}
	}
	g.Choices = c.chosen(choices, value)
	return g
}

// linkNeighbours sets the ids of the placements before and after each.
func linkNeighbours(list []*composePlacement) {
	for i, p := range list {
		if i > 0 {
			p.Before, list[i-1].After = list[i-1].ID(), p.ID()
		}
	}
}
