package explorer

import (
	"html/template"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// composeGroup is a value to fill in: one field, or one for each language or choice.
type composeGroup struct {
	ID       string
	Label    text
	Note     text
	Required bool
	// Kind is how it is asked for: line, area, select, radio, check or tick.
	Kind    string
	Name    string // of the field, if it is one
	Value   string
	Choices []*formChoice
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

// formChoice is one of several values.
type formChoice struct {
	Value   string
	Label   text
	About   text
	Swatch  template.HTML // of a context value, or ""
	Checked bool
	Fixed   bool
	Lang    string
}

func languageChoice(locale string, checked bool) *formChoice {
	return &formChoice{Value: locale, Label: text{Plain: endonym(locale), html: template.HTML(template.HTMLEscapeString(endonym(locale)))}, Lang: locale, Checked: checked} //nolint:gosec // escaped
}

// composeFinding is a finding beside its field.
type composeFinding struct {
	ID, Severity, SeverityName string // severity todo, without a name, is what is not answered yet
	Message, Hint              text
	Fix                        string
	Choices                    []fixChoice
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
	if value, ok := c.state.Rejected[g.Name]; ok {
		g.Value = value
		g.Wrong = append(g.Wrong, &composeFinding{ID: "r-" + g.ID, Severity: string(issue.SeverityError), SeverityName: c.words.Codes.severity(issue.SeverityError), Message: c.own(c.words.Compose.Rejected), Target: g.ID, Place: g.Label})
	}
	return g
}

// group returns a group for the value at a path, and that value, which is zero if there is none.
// The names of its fields begin with a prefix.
func (c *composer) group(prefix string, at issue.Path, label text, kind string) (*composeGroup, document.Value) {
	g := &composeGroup{ID: fieldID(at.String()), Name: prefix + at.String(), Label: label, Kind: kind}
	c.anchor(at, anchor{id: g.ID, name: label, wrong: &g.Wrong, typed: prefix == "t:" || prefix == "n:"})
	v, _ := c.doc.Find(at)
	return g, v
}

// line returns a field for a string, unless the document has something else there.
func (c *composer) line(at issue.Path, label text, kind string, required bool) *composeGroup {
	g, v := c.group("t:", at, label, kind)
	g.Required, g.Value = required, v.Text()
	if v.Kind() != 0 && v.Kind() != '"' {
		g.Kind = "other"
	}
	if g.Kind == "line" && strings.ContainsAny(g.Value, "\r\n") {
		g.Kind = "area"
	}
	return g
}

// date returns a field for a date. It is a text, since a browser's own field for dates loses one
// that is half typed.
func (c *composer) date(at issue.Path, label string) *composeGroup {
	g := c.line(at, c.own(label), "line", false)
	g.Example = "2026-11-15"
	return g
}

// choose returns a field for a string of which the values are known. Another value that the
// document has is one of the choices.
func (c *composer) choose(at issue.Path, label text, kind string, choices []*formChoice) *composeGroup {
	g := c.line(at, label, kind, false)
	g.Choices = withOther(c.request, choices, []string{g.Value})
	return g
}

// withOther ticks choices. Values that are not among them are added.
func withOther(q *request, choices []*formChoice, chosen []string) []*formChoice {
	for _, value := range chosen {
		i := slices.IndexFunc(choices, func(o *formChoice) bool { return o.Value == value })
		if i < 0 {
			i = len(choices)
			choices = append(choices, &formChoice{Value: value, Label: q.raw(value)})
		}
		choices[i].Checked = true
	}
	return choices
}

// chosen returns the choices with those checked that a list in the document has.
func (c *composer) chosen(choices []*formChoice, list document.Value) []*formChoice {
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
	if v, _ := c.doc.Find(at); v.Kind() == '"' && v.Text() != "" { // a label in no language
		g := c.line(at, label, "line", false)
		g.Note = c.own(c.words.Compose.AllLanguages)
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
func (c *composer) texts(v document.Value, name func(locale string) string, area bool) []*composeText {
	list := make([]*composeText, len(c.locales))
	for i, locale := range c.locales {
		f := &composeText{Name: name(locale), ID: fieldID(name(locale)), Lang: locale, Dir: i18n.Direction(locale), Language: endonym(locale), Area: area}
		for t := range v.All() {
			if textAt(t, "locale") == locale {
				f.Value = textAt(t, "value")
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
	g, v := c.group("n:", at, c.own(label), "number")
	g.Value = string(v.Raw())
	return c.typed(g)
}

// tick returns a box to tick.
func (c *composer) tick(at issue.Path, label string) *composeGroup {
	g, v := c.group("b:", at, c.own(label), "tick")
	if v.Kind() == 't' {
		g.Value = "true"
	}
	return g
}

// point returns a field for a position. Other geometries stay as they are.
func (c *composer) point(at issue.Path) *composeGroup {
	g, v := c.group("g:", at, c.own(c.words.Compose.Position), "line")
	if g.Value, g.Example = pointText(v), "51.3397, 12.3731"; v.Kind() != 0 && g.Value == "" {
		g.Kind = "other"
	}
	return c.typed(g)
}

// Groups writes the fields of a form. There are hundreds, so it does so without a template,
// which takes ten times as long.
func (s *scope) Groups(list []*composeGroup) template.HTML {
	return s.written(func(w *fieldWriter) {
		for _, g := range list {
			w.group(g)
		}
	})
}

// Wrong writes findings beside their field.
func (s *scope) Wrong(list []*composeFinding) template.HTML {
	return s.written(func(w *fieldWriter) { w.wrong(list) })
}

// Finding writes a finding that is about no field.
func (s *scope) Finding(f *composeFinding) template.HTML {
	return s.written(func(w *fieldWriter) { w.finding(f) })
}

func (s *scope) written(write func(*fieldWriter)) template.HTML {
	w := &fieldWriter{words: s.W}
	write(w)
	return template.HTML(w.String()) //nolint:gosec // escaped
}

// fieldWriter writes fields as HTML.
type fieldWriter struct {
	strings.Builder

	words *words
}

// tag begins an element, with attributes in pairs of name and value. The caller ends the tag.
func (w *fieldWriter) tag(begin string, attributes ...string) {
	w.WriteString(begin)
	for pair := range slices.Chunk(attributes, 2) {
		w.WriteString(" " + pair[0] + `="` + template.HTMLEscapeString(pair[1]) + `"`)
	}
}

// when writes a text on a condition.
func (w *fieldWriter) when(is bool, text string) {
	if is {
		w.WriteString(text)
	}
}

// plain writes a text, and the tag that ends its element.
func (w *fieldWriter) plain(text, end string) { w.WriteString(template.HTMLEscapeString(text) + end) }

// label writes the name of a group.
func (w *fieldWriter) label(g *composeGroup) {
	w.WriteString(string(g.Label.HTML()))
	if g.Required {
		w.WriteString(` <span class="badge required">`)
		w.plain(w.words.Layout.Required, `</span>`)
	}
}

// about writes the note of a group and what is wrong with it.
func (w *fieldWriter) about(g *composeGroup) {
	if !g.Note.Empty() {
		w.tag(`<p class="note"`, "id", "n-"+g.ID)
		w.WriteString(">" + string(g.Note.HTML()) + "</p>")
	}
	w.wrong(g.Wrong)
}

func (w *fieldWriter) wrong(list []*composeFinding) {
	for _, f := range list {
		w.tag(`<p`, "class", "wrong "+f.Severity, "id", f.ID)
		w.WriteString(`>`)
		w.finding(f)
		w.WriteString(`</p>`)
	}
}

// finding writes a finding with its fix.
func (w *fieldWriter) finding(f *composeFinding) {
	if f.SeverityName != "" {
		w.tag(`<span`, "class", "badge "+f.Severity)
		w.WriteString(`>`)
		w.plain(f.SeverityName, `</span> `)
	}
	w.WriteString(string(f.Message.HTML()))
	if !f.Hint.Empty() {
		w.WriteString(` <span class="quiet">` + string(f.Hint.HTML()) + `</span>`)
	}
	if f.Fix != "" {
		w.tag(` <button class="small second" name="fix"`, "value", f.Fix)
		w.WriteString(`>`)
		w.plain(w.words.Play.Fix, `</button>`)
	}
	for _, c := range f.Choices {
		w.tag(` <button class="small second" name="fix" lang="en"`, "value", c.Name)
		w.WriteString(`>`)
		w.plain(c.Title, `</button>`)
	}
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
		w.tag("", "aria-describedby", strings.Join(ids, " "))
	}
}

// group writes a group.
func (w *fieldWriter) group(g *composeGroup) {
	switch g.Kind {
	case "texts", "radio", "check":
		w.tag("\n<fieldset class=\"field\"", "id", g.ID)
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
		w.tag("\n<div class=\"field\"><input type=\"hidden\"", "name", g.Name)
		w.tag(` value=""><label class="pick"><input type="checkbox" value="true"`, "name", g.Name, "id", g.ID)
		w.when(g.Value != "", " checked")
		w.described(g)
		w.WriteString(`><span>` + string(g.Label.HTML()) + `</span></label>`)
		w.about(g)
		w.WriteString(`</div>`)
	case "other":
		w.tag("\n<div class=\"field\" tabindex=\"-1\"", "id", g.ID)
		w.WriteString(`><p><strong>`)
		w.label(g)
		w.WriteString(`</strong></p><p class="note">`)
		w.plain(w.words.Compose.NotText, `</p>`)
		w.wrong(g.Wrong)
		w.WriteString(`</div>`)
	default:
		w.tag("\n<div class=\"field\"><label", "for", g.ID)
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
	w.tag(`<label><span class="language"`, "lang", f.Lang)
	w.WriteString(`>`)
	w.plain(f.Language, `</span>`)
	w.input(f.Area, f.ID, f.Name, f.Value, func() {
		w.tag("", "lang", f.Lang, "dir", f.Dir)
		w.described(g)
	})
	w.WriteString(`</label>`)
}

// input writes a field for a text, of one line or of several.
func (w *fieldWriter) input(area bool, id, name, value string, more func()) {
	if !area {
		w.tag(`<input`, "id", id, "name", name, "value", value)
		more()
		w.WriteString(`>`)
		return
	}
	w.tag(`<textarea rows="2"`, "id", id, "name", name)
	more()
	w.WriteString(">\n") // a browser leaves out the first line end
	w.plain(value, `</textarea>`)
}

// boxes writes radio buttons, or boxes to tick.
func (w *fieldWriter) boxes(g *composeGroup) {
	kind := `<input type="radio"`
	if g.Kind == "check" {
		kind = `<input type="checkbox"`
		w.tag(`<input type="hidden" value=""`, "name", g.Name)
		w.WriteString(`>`)
	}
	w.WriteString(`<div class="picks">`)
	for _, c := range g.Choices {
		w.tag(`<label class="pick">`+kind, "name", g.Name, "value", c.Value)
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
			w.when(g.Kind == "number", ` inputmode="numeric"`)
			if g.Example != "" {
				w.tag("", "placeholder", g.Example)
			}
			w.described(g)
		})
		return
	}
	w.tag(`<select`, "id", g.ID, "name", g.Name)
	w.described(g)
	w.WriteString(`>`)
	for _, c := range g.Choices {
		w.tag(`<option`, "value", c.Value)
		w.WriteString(string(c.Label.Attributes()))
		w.when(c.Checked, " selected")
		w.WriteString(`>`)
		w.plain(c.Label.Plain, `</option>`)
	}
	w.WriteString(`</select>`)
}
