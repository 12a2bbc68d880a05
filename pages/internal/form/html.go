package form

import (
	"html/template"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/pages/internal/words"
)

// Groups writes the fields of a form. There are hundreds: in a template, the page of a document with
// 100 placements takes 60 % more CPU time.
func (v *view) Groups(list []*composeGroup) template.HTML {
	return v.written(func(w *fieldWriter) {
		for _, g := range list {
			w.group(g)
		}
	})
}

// Wrong writes findings beside their field.
func (v *view) Wrong(list []*composeFinding) template.HTML {
	return v.written(func(w *fieldWriter) { w.wrong(list) })
}

// Finding writes a finding that is about no field.
func (v *view) Finding(f *composeFinding) template.HTML {
	return v.written(func(w *fieldWriter) { w.finding(f) })
}

func (v *view) written(write func(*fieldWriter)) template.HTML {
	w := &fieldWriter{words: v.Request.Words}
	write(w)
	return template.HTML(w.String()) //nolint:gosec // escaped
}

// fieldWriter writes fields as HTML.
type fieldWriter struct {
	strings.Builder

	words words.Words
}

// all writes HTML.
func (w *fieldWriter) all(html ...string) {
	for _, s := range html {
		w.WriteString(s)
	}
}

// attributes writes attributes, which are pairs of name and value.
func (w *fieldWriter) attributes(pairs ...string) {
	for pair := range slices.Chunk(pairs, 2) {
		w.all(" ", pair[0], `="`, template.HTMLEscapeString(pair[1]), `"`)
	}
}

// when writes an attribute without a value on a condition.
func (w *fieldWriter) when(is bool, attribute string) {
	if is {
		w.WriteString(attribute)
	}
}

// label writes the name of a group, and whether it is optional.
func (w *fieldWriter) label(g *composeGroup) {
	w.all(string(g.Label.HTML()))
	if !g.Required {
		w.all(` <small class="meta">`, escape(w.words.Word("compose.optional")), `</small>`)
	}
}

// about writes the note of a group and what is wrong with it.
func (w *fieldWriter) about(g *composeGroup) {
	if !g.Note.Empty() {
		w.all(`<p class="hint" id="n-`, escape(g.ID), `">`, string(g.Note.HTML()), `</p>`)
	}
	w.wrong(g.Wrong)
}

func (w *fieldWriter) wrong(list []*composeFinding) {
	for _, f := range list {
		w.all(`<p class="wrong `, escape(f.Severity), `" id="`, escape(f.ID), `">`)
		w.finding(f)
		w.all(`</p>`)
	}
}

// finding writes a finding with its fix.
func (w *fieldWriter) finding(f *composeFinding) {
	w.all(string(f.Message.HTML()))
	if !f.Hint.Empty() {
		w.all(` <span class="quiet">`, string(f.Hint.HTML()), `</span>`)
	}
	if f.Fix != "" {
		w.all(` <button class="small second" name="fix" value="`, escape(f.Fix), `">`, escape(w.words.Word("play.fix")), `</button>`)
	}
	for _, c := range f.Choices {
		w.all(` <button class="small second" name="fix" lang="en" value="`, escape(c.Name), `">`, escape(c.Title), `</button>`)
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
		w.attributes("aria-describedby", strings.Join(ids, " "))
	}
}

// group writes a group.
func (w *fieldWriter) group(g *composeGroup) {
	class, id := "field", escape(g.ID)
	if len(g.Wrong) > 0 {
		class = "field found"
	}
	switch g.Kind {
	case "texts", "radio", "check", "buttons":
		w.all("\n", `<fieldset class="`, class, `" id="`, id, `" tabindex="-1"><legend>`)
		w.label(g)
		w.all(`</legend>`)
		w.about(g)
		switch g.Kind {
		case "texts":
			w.texts(g)
		case "buttons":
			w.buttons(g)
		default:
			w.boxes(g)
		}
		w.all(`</fieldset>`)
	case "tick":
		name := escape(g.Name)
		w.all("\n", `<div class="`, class, `"><input type="hidden" name="`, name, `" value=""><label class="pick"><input type="checkbox" value="true" name="`, name, `" id="`, id, `"`)
		w.when(g.Value != "", " checked")
		w.described(g)
		w.all(`><span>`, string(g.Label.HTML()), `</span></label>`)
		w.about(g)
		w.all(`</div>`)
	case "other":
		w.all("\n", `<div class="`, class, `" id="`, id, `" tabindex="-1"><p><strong>`)
		w.label(g)
		w.all(`</strong></p><p class="hint">`, escape(w.words.Word("compose.nottext")), `</p>`)
		w.wrong(g.Wrong)
		w.all(`</div>`)
	default:
		w.all("\n", `<div class="`, class, `"><label for="`, id, `">`)
		w.label(g)
		w.all(`</label>`)
		w.about(g)
		w.line(g)
		w.all(`</div>`)
	}
}

// texts writes the fields of a text in each language. The languages are named if there are several.
func (w *fieldWriter) texts(g *composeGroup) {
	w.all(`<div class="languages-side">`)
	for _, f := range g.Fields {
		if len(g.Fields) > 1 {
			w.all(`<label><span class="meta" lang="`, escape(f.Lang), `">`, escape(f.Language), `</span>`)
		} else {
			w.all(`<label><span class="visually-hidden">`, string(g.Label.HTML()), `</span>`)
		}
		w.input(g, f.Area, f.ID, f.Name, f.Value, "lang", f.Lang, "dir", f.Dir)
		w.all(`</label>`)
	}
	w.all(`</div>`)
}

// input writes a field for a text, of one line or of several, with further attributes.
func (w *fieldWriter) input(g *composeGroup, area bool, id, name, value string, attributes ...string) {
	if area {
		w.all(`<textarea rows="2"`)
		w.attributes("id", id, "name", name)
	} else {
		w.all(`<input`)
		w.attributes("id", id, "name", name, "value", value)
	}
	w.attributes(attributes...)
	w.described(g)
	w.all(`>`)
	if area {
		w.all("\n", escape(value), `</textarea>`) // browsers ignore the first line end
	}
}

// boxes writes radio buttons or checkboxes.
func (w *fieldWriter) boxes(g *composeGroup) {
	kind := "radio"
	if g.Kind == "check" {
		kind = "checkbox"
		w.all(`<input type="hidden" value="" name="`, escape(g.Name), `">`)
	}
	w.all(`<div class="picks">`)
	for _, c := range g.Choices {
		w.all(`<label class="pick"><input`)
		w.attributes("type", kind, "name", g.Name, "value", c.Value)
		w.when(c.Checked, " checked")
		w.described(g)
		w.all(`>`)
		w.choice(c)
		w.all(`</label>`)
	}
	w.all(`</div>`)
}

// buttons writes choices of which one is enough.
func (w *fieldWriter) buttons(g *composeGroup) {
	w.all(`<div class="picks">`)
	for _, c := range g.Choices {
		w.all(`<button class="pick answer" name="set" value="`, escape(g.Name+" "+c.Value), `"`)
		w.described(g)
		w.all(`>`)
		w.choice(c)
		w.all(`</button>`)
	}
	w.all(`</div>`)
}

// choice writes the name of a choice.
func (w *fieldWriter) choice(c *formChoice) {
	w.all(string(c.Swatch), `<span>`, string(c.Label.HTML()))
	if !c.About.Empty() {
		w.all(`<small class="meta">`, string(c.About.HTML()), `</small>`)
	}
	w.all(`</span>`)
}

// line writes a single field.
func (w *fieldWriter) line(g *composeGroup) {
	if g.Kind == "select" {
		w.all(`<select`)
		w.attributes("id", g.ID, "name", g.Name)
		w.described(g)
		w.all(`>`)
		for _, c := range g.Choices {
			w.all(`<option value="`, escape(c.Value), `"`, string(c.Label.Attributes()))
			w.when(c.Checked, " selected")
			w.all(`>`, escape(c.Label.Value), `</option>`)
		}
		w.all(`</select>`)
		return
	}
	var attributes []string
	if g.Kind == "date" {
		attributes = append(attributes, "type", "date")
	} else {
		attributes = append(attributes, "dir", "auto")
	}
	if g.Kind == "number" {
		attributes = append(attributes, "inputmode", "numeric")
	}
	if g.Example != "" {
		attributes = append(attributes, "placeholder", g.Example)
	}
	w.input(g, g.Kind == "area", g.ID, g.Name, g.Value, attributes...)
}

func escape(s string) string { return template.HTMLEscapeString(s) }
