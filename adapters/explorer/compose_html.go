package explorer

import (
	"html/template"
	"slices"
	"strings"
)

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
	w := &fieldWriter{words: s.words}
	write(w)
	return template.HTML(w.String()) //nolint:gosec // escaped
}

// fieldWriter writes fields as HTML.
type fieldWriter struct {
	strings.Builder

	words words
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

// label writes the name of a group. What can be left out says so.
func (w *fieldWriter) label(g *composeGroup) {
	w.WriteString(string(g.Label.HTML()))
	if !g.Required {
		w.WriteString(` <small class="meta">`)
		w.plain(w.words.Word("compose.optional"), `</small>`)
	}
}

// about writes the note of a group and what is wrong with it.
func (w *fieldWriter) about(g *composeGroup) {
	if !g.Note.Empty() {
		w.tag(`<p class="hint"`, "id", "n-"+g.ID)
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
	w.WriteString(string(f.Message.HTML()))
	if !f.Hint.Empty() {
		w.WriteString(` <span class="quiet">` + string(f.Hint.HTML()) + `</span>`)
	}
	if f.Fix != "" {
		w.tag(` <button class="small second" name="fix"`, "value", f.Fix)
		w.WriteString(`>`)
		w.plain(w.words.Word("play.fix"), `</button>`)
	}
	for _, c := range f.Choices {
		w.tag(` <button class="small second" name="fix" lang="en"`, "value", c.Name)
		w.WriteString(`>`)
		w.plain(c.Title, `</button>`)
	}
}

// described writes the attributes that tell screen readers what belongs to a field.
func (w *fieldWriter) described(g *composeGroup) {
	w.when(len(g.Wrong) > 0, ` aria-invalid="true"`)
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
	class := "field"
	if len(g.Wrong) > 0 {
		class = "field found"
	}
	switch g.Kind {
	case "texts", "radio", "check", "buttons":
		w.tag("\n<fieldset", "class", class, "id", g.ID)
		w.WriteString(` tabindex="-1"><legend>`)
		w.label(g)
		w.WriteString(`</legend>`)
		w.about(g)
		switch g.Kind {
		case "texts":
			w.WriteString(`<div class="languages-side">`)
			for _, f := range g.Fields {
				w.text(g, f)
			}
		case "buttons":
			w.buttons(g)
		default:
			w.boxes(g)
		}
		w.WriteString(`</div></fieldset>`)
	case "tick":
		w.tag("\n<div", "class", class)
		w.tag("><input type=\"hidden\"", "name", g.Name)
		w.tag(` value=""><label class="pick"><input type="checkbox" value="true"`, "name", g.Name, "id", g.ID)
		w.when(g.Value != "", " checked")
		w.described(g)
		w.WriteString(`><span>` + string(g.Label.HTML()) + `</span></label>`)
		w.about(g)
		w.WriteString(`</div>`)
	case "other":
		w.tag("\n<div", "class", class, "id", g.ID)
		w.WriteString(` tabindex="-1"><p><strong>`)
		w.label(g)
		w.WriteString(`</strong></p><p class="hint">`)
		w.plain(w.words.Word("compose.nottext"), `</p>`)
		w.wrong(g.Wrong)
		w.WriteString(`</div>`)
	default:
		w.tag("\n<div", "class", class)
		w.tag("><label", "for", g.ID)
		w.WriteString(`>`)
		w.label(g)
		w.WriteString(`</label>`)
		w.about(g)
		w.line(g)
		w.WriteString(`</div>`)
	}
}

// text writes the field of a text in one language. The language is named if there are several.
func (w *fieldWriter) text(g *composeGroup, f *composeText) {
	if len(g.Fields) > 1 {
		w.tag(`<label><span class="meta"`, "lang", f.Lang)
		w.WriteString(`>`)
		w.plain(f.Language, `</span>`)
	} else {
		w.WriteString(`<label><span class="visually-hidden">` + string(g.Label.HTML()) + `</span>`)
	}
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
		w.choice(c)
		w.WriteString(`</label>`)
	}
}

// buttons writes choices of which one is enough.
func (w *fieldWriter) buttons(g *composeGroup) {
	w.WriteString(`<div class="picks">`)
	for _, c := range g.Choices {
		w.tag(`<button class="pick answer" name="set"`, "value", g.Name+" "+c.Value)
		w.described(g)
		w.WriteString(`>`)
		w.choice(c)
		w.WriteString(`</button>`)
	}
}

// choice writes the name of a choice.
func (w *fieldWriter) choice(c *formChoice) {
	w.WriteString(string(c.Swatch) + `<span>` + string(c.Label.HTML()))
	if !c.About.Empty() {
		w.WriteString(`<small class="meta">` + string(c.About.HTML()) + `</small>`)
	}
	w.WriteString(`</span>`)
}

// line writes a single field.
func (w *fieldWriter) line(g *composeGroup) {
	if g.Kind != "select" {
		w.input(g.Kind == "area", g.ID, g.Name, g.Value, func() {
			switch g.Kind {
			case "date":
				w.WriteString(` type="date"`)
			case "number":
				w.WriteString(` dir="auto" inputmode="numeric"`)
			default:
				w.WriteString(` dir="auto"`)
			}
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
