package explorer

import (
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/texts"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// composeGroup is a value to fill in: one field, or one for each language or choice.
type composeGroup struct {
	ID       string
	Label    text
	Note     text
	Required bool
	// Kind is how it is asked for: line, area, date, select, radio, check or tick.
	Kind    string
	Name    string // of the field, if it is one
	Value   string
	Choices []*composeChoice
	Fields  []*composeText // of a localized text
	Wrong   []*composeFinding
	Example string
}

// composeText is a field for a text in a language.
type composeText struct {
	ID, Name, Value     string
	Lang, Dir, Language string
	Area                bool
}

// composeChoice is one of several values.
type composeChoice struct {
	Value   string
	Label   text
	About   text
	Swatch  template.HTML
	Checked bool
	Fixed   bool
	Lang    string
}

func languageChoice(locale string, checked bool) *composeChoice {
	return &composeChoice{Value: locale, Label: text{Plain: endonym(locale), html: template.HTML(template.HTMLEscapeString(endonym(locale)))}, Lang: locale, Checked: checked} //nolint:gosec // escaped
}

// composeFinding is a finding beside its field.
type composeFinding struct {
	ID, Severity, SeverityName string // severity todo, without a name, is what is not answered yet
	Message, Hint              text
	Fix                        string
	Target                     string // the id of what it is about
	Place                      text
	category                   string // the question that it is about, or ""
}

// todo is the severity of what is not answered yet: a person who has just added an answer has
// made no error.
const todo = "todo"

// fieldID is the id of the HTML element of a field.
func fieldID(s string) string {
	return "f-" + strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, s)
}

// typed returns what was typed into a field that can't be used, or else its value.
func (c *composer) typed(g *composeGroup) *composeGroup {
	if value, ok := c.state.rejected[g.Name]; ok {
		g.Value = value
		g.Wrong = append(g.Wrong, &composeFinding{ID: "r-" + g.ID, Severity: string(issue.SeverityError), SeverityName: c.words.Codes.severity(issue.SeverityError), Message: c.own(c.words.Compose.Rejected), Target: g.ID, Place: g.Label})
	}
	return g
}

// line returns a field for a string. It is nil if the document has something else there.
func (c *composer) line(at issue.Path, label text, kind string, required bool) *composeGroup {
	v, there := c.doc.Find(at)
	g := &composeGroup{ID: fieldID(at.String()), Name: "t:" + at.String(), Label: label, Kind: kind, Required: required, Value: v.Text()}
	c.anchor(at, g.ID, label, &g.Wrong)
	if there && v.Kind() != '"' {
		g.Kind = "other"
	}
	if _, err := time.Parse(time.DateOnly, g.Value); kind == "date" && g.Value != "" && err != nil {
		g.Kind = "line" // a field for dates would lose it
	}
	if g.Kind == "line" && strings.ContainsAny(g.Value, "\r\n") {
		g.Kind = "area"
	}
	return g
}

// choose returns a field for a string of which the values are known. Another value that the
// document has is one of the choices.
func (c *composer) choose(at issue.Path, label text, kind string, choices []*composeChoice) *composeGroup {
	g := c.line(at, label, kind, false)
	g.Choices = withOther(c.request, choices, []string{g.Value})
	return g
}

// withOther ticks choices. Values that are not among them are added.
func withOther(q *request, choices []*composeChoice, chosen []string) []*composeChoice {
	for _, value := range chosen {
		i := slices.IndexFunc(choices, func(o *composeChoice) bool { return o.Value == value })
		if i < 0 {
			i = len(choices)
			choices = append(choices, &composeChoice{Value: value, Label: q.raw(value)})
		}
		choices[i].Checked = true
	}
	return choices
}

// chosen returns the choices with those checked that a list in the document has.
func (c *composer) chosen(choices []*composeChoice, list document.Value) []*composeChoice {
	var values []string
	for item := range list.All() {
		if item.Text() != "" {
			values = append(values, item.Text())
		}
	}
	return withOther(c.request, choices, values)
}

// localized returns fields for a localized text or a label, one for each language.
func (c *composer) localized(at issue.Path, label text, area bool) *composeGroup {
	v, _ := c.doc.Find(at)
	if v.Kind() == '"' && v.Text() != "" { // a label in no language
		g := c.line(at, label, "line", false)
		g.Note = c.own(c.words.Compose.AllLanguages)
		return g
	}
	g := &composeGroup{ID: fieldID(at.String()), Label: label, Kind: "texts"}
	c.anchor(at, g.ID, label, &g.Wrong)
	if v.Kind() != 0 && v.Kind() != '[' && v.Kind() != '"' {
		g.Kind = "other"
		return g
	}
	g.Fields = c.texts(v, func(locale string) string { return "l:" + locale + ":" + at.String() }, area)
	return g
}

// texts returns fields for a text in each language.
func (c *composer) texts(v document.Value, name func(locale string) string, area bool) []*composeText {
	list := make([]*composeText, len(c.locales))
	for i, locale := range c.locales {
		f := &composeText{Name: name(locale), ID: fieldID(name(locale)), Lang: locale, Dir: texts.Direction(locale), Language: endonym(locale), Area: area}
		for t := range v.All() {
			if of, _ := t.Get("locale"); of.Text() == locale {
				value, _ := t.Get("value")
				f.Value = value.Text()
				break
			}
		}
		f.Area = area || strings.ContainsAny(f.Value, "\r\n")
		list[i] = f
	}
	return list
}

// number returns a field for a number.
func (c *composer) number(at issue.Path, label string) *composeGroup {
	v, _ := c.doc.Find(at)
	g := &composeGroup{ID: fieldID(at.String()), Name: "n:" + at.String(), Label: c.own(label), Kind: "number", Value: string(v.Raw())}
	c.anchor(at, g.ID, g.Label, &g.Wrong)
	return c.typed(g)
}

// tick returns a box to tick.
func (c *composer) tick(at issue.Path, label string) *composeGroup {
	v, _ := c.doc.Find(at)
	g := &composeGroup{ID: fieldID(at.String()), Name: "b:" + at.String(), Label: c.own(label), Kind: "tick"}
	c.anchor(at, g.ID, g.Label, &g.Wrong)
	if v.Kind() == 't' {
		g.Value = "true"
	}
	return g
}

// point returns a field for a position. Other geometries stay as they are.
func (c *composer) point(at issue.Path) *composeGroup {
	v, there := c.doc.Find(at)
	g := &composeGroup{ID: fieldID(at.String()), Name: "g:" + at.String(), Label: c.own(c.words.Compose.Position), Kind: "line", Value: pointText(v), Example: "51.3397, 12.3731"}
	c.anchor(at, g.ID, g.Label, &g.Wrong)
	if there && g.Value == "" {
		g.Kind = "other"
	}
	return c.typed(g)
}

// Groups writes the fields of a form. There are hundreds, so it does so without a template,
// which takes ten times as long.
func (s *scope) Groups(list []*composeGroup) template.HTML {
	w := &fieldWriter{words: s.W}
	for _, g := range list {
		w.group(g)
	}
	return template.HTML(w.String()) //nolint:gosec // escaped
}

// Wrong writes findings beside their field.
func (s *scope) Wrong(list []*composeFinding) template.HTML {
	w := &fieldWriter{words: s.W}
	w.wrong(list)
	return template.HTML(w.String()) //nolint:gosec // escaped
}

// fieldWriter writes fields as HTML.
type fieldWriter struct {
	strings.Builder

	words *words
}

// attr writes an attribute.
func (w *fieldWriter) attr(name, value string) {
	w.WriteString(" " + name + `="` + template.HTMLEscapeString(value) + `"`)
}

// when writes a text on a condition.
func (w *fieldWriter) when(is bool, text string) {
	if is {
		w.WriteString(text)
	}
}

// plain writes a text.
func (w *fieldWriter) plain(text string) { w.WriteString(template.HTMLEscapeString(text)) }

// label writes the name of a group.
func (w *fieldWriter) label(g *composeGroup) {
	w.WriteString(string(g.Label.HTML()))
	if g.Required {
		w.WriteString(` <span class="badge required">`)
		w.plain(w.words.Layout.Required)
		w.WriteString(`</span>`)
	}
}

// about writes the note of a group and what is wrong with it.
func (w *fieldWriter) about(g *composeGroup) {
	if !g.Note.Empty() {
		w.WriteString(`<p class="note"`)
		w.attr("id", "n-"+g.ID)
		w.WriteString(">" + string(g.Note.HTML()) + "</p>")
	}
	w.wrong(g.Wrong)
}

func (w *fieldWriter) wrong(list []*composeFinding) {
	for _, f := range list {
		w.WriteString(`<p`)
		w.attr("class", "wrong "+f.Severity)
		w.attr("id", f.ID)
		w.WriteString(`>`)
		w.finding(f)
		w.WriteString(`</p>`)
	}
}

// finding writes a finding with its fix.
func (w *fieldWriter) finding(f *composeFinding) {
	if f.SeverityName != "" {
		w.WriteString(`<span`)
		w.attr("class", "badge "+f.Severity)
		w.WriteString(`>`)
		w.plain(f.SeverityName)
		w.WriteString(`</span> `)
	}
	w.WriteString(string(f.Message.HTML()))
	if !f.Hint.Empty() {
		w.WriteString(` <span class="quiet">` + string(f.Hint.HTML()) + `</span>`)
	}
	if f.Fix != "" {
		w.WriteString(` <button class="small second" name="fix"`)
		w.attr("value", f.Fix)
		w.WriteString(`>`)
		w.plain(w.words.Play.Fix)
		w.WriteString(`</button>`)
	}
}

// Finding writes a finding that is about no field.
func (s *scope) Finding(f *composeFinding) template.HTML {
	w := &fieldWriter{words: s.W}
	w.finding(f)
	return template.HTML(w.String()) //nolint:gosec // escaped
}

// described writes the attributes that tell screen readers what belongs to a field.
func (w *fieldWriter) described(g *composeGroup) {
	w.when(slices.ContainsFunc(g.Wrong, func(f *composeFinding) bool { return f.Severity != todo }), ` aria-invalid="true"`)
	var ids []string
	if !g.Note.Empty() {
		ids = append(ids, "n-"+g.ID)
	}
	for _, f := range g.Wrong {
		ids = append(ids, f.ID)
	}
	if len(ids) > 0 {
		w.attr("aria-describedby", strings.Join(ids, " "))
	}
}

// group writes a group.
func (w *fieldWriter) group(g *composeGroup) {
	switch g.Kind {
	case "texts", "radio", "check":
		w.WriteString("\n<fieldset class=\"field\"")
		w.attr("id", g.ID)
		w.WriteString(` tabindex="-1"><legend>`)
		w.label(g)
		w.WriteString(`</legend>`)
		w.about(g)
		if g.Kind == "texts" {
			w.WriteString(`<div class="languages-side">`)
			for _, f := range g.Fields {
				w.text(g, f)
			}
		} else {
			w.boxes(g)
		}
		w.WriteString(`</div></fieldset>`)
	case "tick":
		w.WriteString("\n<div class=\"field\"><input type=\"hidden\"")
		w.attr("name", g.Name)
		w.WriteString(` value=""><label class="pick"><input type="checkbox" value="true"`)
		w.attr("name", g.Name)
		w.attr("id", g.ID)
		w.when(g.Value != "", " checked")
		w.described(g)
		w.WriteString(`><span>` + string(g.Label.HTML()) + `</span></label>`)
		w.about(g)
		w.WriteString(`</div>`)
	case "other":
		w.WriteString("\n<div class=\"field\" tabindex=\"-1\"")
		w.attr("id", g.ID)
		w.WriteString(`><p><strong>`)
		w.label(g)
		w.WriteString(`</strong></p><p class="note">`)
		w.plain(w.words.Compose.NotText)
		w.WriteString(`</p>`)
		w.wrong(g.Wrong)
		w.WriteString(`</div>`)
	default:
		w.WriteString("\n<div class=\"field\"><label")
		w.attr("for", g.ID)
		w.WriteString(`>`)
		w.label(g)
		w.WriteString(`</label>`)
		w.about(g)
		w.line(g)
		w.WriteString(`</div>`)
	}
}

// text writes the field of a text in one language.
func (w *fieldWriter) text(g *composeGroup, f *composeText) {
	w.WriteString(`<label><span class="language"`)
	w.attr("lang", f.Lang)
	w.WriteString(`>`)
	w.plain(f.Language)
	w.WriteString(`</span>`)
	w.input(f.Area, f.ID, f.Name, f.Value, func() {
		w.attr("lang", f.Lang)
		w.attr("dir", f.Dir)
		w.described(g)
	})
	w.WriteString(`</label>`)
}

// input writes a field for a text, of one line or of several.
func (w *fieldWriter) input(area bool, id, name, value string, more func()) {
	w.WriteString(map[bool]string{false: "<input", true: `<textarea rows="2"`}[area])
	w.attr("id", id)
	w.attr("name", name)
	if !area {
		w.attr("value", value)
	}
	more()
	w.WriteString(`>`)
	if area { // a browser leaves out the first line end
		w.WriteString("\n")
		w.plain(value)
		w.WriteString(`</textarea>`)
	}
}

// boxes writes radio buttons, or boxes to tick.
func (w *fieldWriter) boxes(g *composeGroup) {
	kind := `<input type="radio"`
	if g.Kind == "check" {
		kind = `<input type="checkbox"`
		w.WriteString(`<input type="hidden" value=""`)
		w.attr("name", g.Name)
		w.WriteString(`>`)
	}
	w.WriteString(`<div class="picks">`)
	for _, c := range g.Choices {
		w.WriteString(`<label class="pick">` + kind)
		w.attr("name", g.Name)
		w.attr("value", c.Value)
		w.when(c.Checked, " checked")
		w.described(g)
		w.WriteString(`>`)
		if c.Swatch != "" {
			w.WriteString(`<span class="icon" aria-hidden="true">` + string(c.Swatch) + `</span>`)
		}
		w.WriteString(`<span>` + string(c.Label.HTML()))
		if !c.About.Empty() {
			w.WriteString(` <small class="quiet">` + string(c.About.HTML()) + `</small>`)
		}
		w.WriteString(`</span></label>`)
	}
}

// line writes a single field.
func (w *fieldWriter) line(g *composeGroup) {
	if g.Kind != "select" {
		w.input(g.Kind == "area", g.ID, g.Name, g.Value, func() {
			w.WriteString(` dir="auto"`)
			w.when(g.Kind == "date", ` type="date"`)
			w.when(g.Kind == "number", ` inputmode="numeric"`)
			if g.Example != "" {
				w.attr("placeholder", g.Example)
			}
			w.described(g)
		})
		return
	}
	w.WriteString(`<select`)
	w.attr("id", g.ID)
	w.attr("name", g.Name)
	w.described(g)
	w.WriteString(`>`)
	for _, c := range g.Choices {
		w.WriteString(`<option`)
		w.attr("value", c.Value)
		w.WriteString(string(c.Label.Attributes()))
		w.when(c.Checked, " selected")
		w.WriteString(`>`)
		w.plain(c.Label.Plain)
		w.WriteString(`</option>`)
	}
	w.WriteString(`</select>`)
}
