package documents

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wordtable"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/internal/style"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
)

// level is the highest value of a point of the summary, or that nothing is said about it.
type level struct {
	Name  string
	Value template.HTML
}

// label returns a text that an author wrote.
func (q *request) label(l taxonomy.Label) phrases.Text {
	if l.Text != nil {
		return q.Text(l.Text)
	}
	return q.Raw(l.Plain)
}

// maxPurposes is how many purposes a row has.
const maxPurposes = 2

// purposes say what a document is about: the first two or, if they are too long, the first, and
// how many more there are. In a list, only titles tell readers their language.
func (q *request) purposes(d *register.Document) []phrases.Text {
	p, ok := d.Summary.Point(codes.RolePurpose)
	if !ok || len(p.Entries) == 0 {
		return []phrases.Text{q.Text(core.Shortened(d.Description, core.MaxAbout)).Unmarked()}
	}
	var list []phrases.Text
	letters := 0
	for _, e := range p.Entries[:min(maxPurposes, len(p.Entries))] {
		var purpose phrases.Text
		for _, l := range []taxonomy.Localized{e.Words, e.Name, e.Element.Title} {
			if purpose = q.Text(core.Shortened(l, core.MaxAbout)).Unmarked(); !purpose.Empty() {
				break
			}
		}
		if letters += i18n.Letters(purpose.Value); letters > core.MaxAbout && len(list) > 0 {
			break
		}
		list = append(list, purpose)
	}
	if more := len(p.Entries) - len(list); more > 0 {
		list = append(list, q.Own(fmt.Sprintf(phrases.In(q.Lang).More, more)))
	}
	return list
}

// dataLevel returns the highest value of the data that a system uses or, without an order, each of the
// first ones. It returns nil if this is not known.
func (q *request) dataLevel(d *register.Document) *level {
	p, ok := d.Summary.Point(codes.RoleData)
	if !ok {
		return nil
	}
	words := phrases.In(q.Lang)
	l := &level{Name: words.Heading(p)}
	switch {
	case len(p.Entries) == 0:
		l.Value = template.HTML(template.HTMLEscapeString(words.NotSaid)) //nolint:gosec // escaped
	case p.AtMost:
		l.Value = q.tag(&p.Category.Context, p.Context)
	default:
		var values []string
		for i := range p.Entries {
			e := &p.Entries[i]
			value := string(q.Name(e.Element.Title, e.Element.ID).Unmarked().HTML())
			if e.Context != nil {
				value = string(q.tag(nil, e.Context))
			}
			if !slices.Contains(values, value) {
				values = append(values, value)
			}
		}
		l.Value = template.HTML(strings.Join(values, " ")) //nolint:gosec // escaped
	}
	return l
}

// tag returns a context value; its context is nil if it has no order.
func (q *request) tag(c *taxonomy.Context, v *taxonomy.ContextValue) template.HTML {
	return template.HTML(style.Tag(c, v, string(q.Name(v.Label, v.ID).Unmarked().HTML()), phrases.In(q.Lang).Level)) //nolint:gosec // escaped
}

// documentIcon draws the icon of what a document is for, or else of its first element. It is
// empty if the version of its taxonomy can't be read.
func (q *request) documentIcon(d *register.Document) template.HTML {
	id := ""
	if p, ok := d.Summary.Point(codes.RolePurpose); ok && len(p.Entries) > 0 {
		id = p.Entries[0].Element.ID
	} else if len(d.Elements) > 0 {
		id = d.Elements[0].ID
	}
	schema, err := q.Site.Service.Open(q.Ctx, d.Version.String())
	if err != nil {
		return ""
	}
	e, err := schema.Element(id)
	if err != nil {
		return ""
	}
	return q.Icon(schema, e)
}

// typeName returns the name of a datachain type in its latest version, or its id.
func (q *request) typeName(id string) phrases.Text {
	for _, t := range q.Site.Overview(q.Ctx, q.Index).Types {
		if t.ID == id && t.Schema != nil {
			return q.Among(t.Schema.Release().Locales()).Name(t.Schema.Release().Type().Name, id)
		}
	}
	return q.Raw(id)
}

// versionNote says that the schema version of a document is not published any more, was changed
// so that the document does not fit, or is deprecated. It is "" for others.
func (q *request) versionNote(d *register.Document) string {
	switch e, _ := q.Index.Lookup(d.Version.Ref()); {
	case d.Unpublished:
		return q.Word("register.unpublished")
	case d.Outdated:
		return q.Word("register.outdated")
	case e.Deprecated != "":
		return q.Word("register.deprecated", q.Day(e.Deprecated))
	}
	return ""
}

// today is the day in UTC.
func today() string { return time.Now().UTC().Format(time.DateOnly) }

// startPassed reports whether what the page shows of a document says that a system is planned for a day
// that has passed.
func (q *request) startPassed(d *register.Document) bool {
	return q.earlier == nil && d.StartPassed(today())
}

// systemStatus is the status of a system and since when: a glyph, a word and a date, and whether a review
// is overdue. It is "" if the document does not say it.
func (q *request) systemStatus(d *register.Document) template.HTML {
	details, w := &d.Details, q.Words
	if details.Status == "" {
		return ""
	}
	sentence, day := w.Word("register.sincedate"), details.Since
	switch details.Status {
	case register.Planned:
		sentence = w.Word("register.fromdate")
		if q.startPassed(d) {
			sentence = w.Word("register.datepassed")
		}
	case register.Retired:
		day = details.Until
	}
	shown := `<span class="status"><b class="` + template.HTMLEscapeString(string(details.Status)) + `">` + template.HTMLEscapeString(w.Word("register.statuses."+string(details.Status))) + "</b>"
	if day != "" {
		shown += " " + template.HTMLEscapeString(wordtable.Fill(sentence, q.Day(day)))
	}
	if by := details.ReviewBy; q.earlier == nil && details.Status != register.Retired && by != "" && by < today() {
		shown += ` <b class="late">` + template.HTMLEscapeString(w.Word("register.late")) + "</b>"
	}
	return template.HTML(shown + "</span>") //nolint:gosec // escaped
}
