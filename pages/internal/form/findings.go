package form

import (
	"html/template"
	"slices"
	"strconv"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/internal/wordtable"
	"github.com/datachain-go/datachain/pages/internal/check"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// composeFinding is a finding beside its field.
type composeFinding struct {
	anchor
	ID, Severity  string // severity todo is what is not answered yet
	Message, Hint phrases.Text
	Fix           string
	Choices       []check.FixChoice
}

// QuestionID is the id of the question that the finding is about, or "".
func (c *composeFinding) QuestionID() string {
	if c.question == nil {
		return ""
	}
	return c.question.ID
}

// Unanswered reports whether the finding says what to answer.
func (c *composeFinding) Unanswered() bool { return c.Severity == todo }

// todo is the severity of what is not answered yet: a person who has just added an answer has
// made no error.
const todo = "todo"

// anchor is where findings about a path are shown.
type anchor struct {
	Target   string       // the id of an HTML element
	Place    phrases.Text // its name
	wrong    *[]*composeFinding
	typed    bool             // whether a field there holds the value as it is
	choose   bool             // whether its value is chosen, and not written
	question *composeQuestion // that it belongs to, or nil
}

func (c *composeForm) anchor(at issue.Path, is anchor) {
	if key := at.String(); c.anchors[key].wrong == nil {
		is.question = c.current
		c.anchors[key] = is
	}
}

// placeFindings finds the question and the field of each finding.
func (c *composeForm) placeFindings(v *datachain.Verdict) {
	elements := core.Child(c.doc.Root(), "elements")
	empty := elements.Kind() == '[' && elements.Len() == 0
	for i, found := range v.Issues {
		if empty && found.Path.Equal(issue.Root.Key("elements")) || found.Code == codes.InstanceLocaleNotAllowed {
			continue // the questions say it better, and the form offers the language itself
		}
		if c.New && found.Path.Equal(issue.Root.Key("created_at")) {
			continue // the first answer sets it
		}
		if i == maxFormFindings {
			c.More = len(v.Issues) - i
			break
		}
		at := c.anchorOf(found)
		one := &composeFinding{anchor: at, ID: "w-" + strconv.Itoa(i), Severity: string(found.Severity), Message: c.English(found.Message), Choices: check.FixChoices(found)}
		if slices.Contains(unanswered, found.Code) {
			if found.Severity != issue.SeverityError {
				continue // the field says that it can be left out
			}
			one.Severity = todo
			if own := c.instruction(found, &at); !own.Empty() {
				one.Message = own
			}
		}
		if one.Severity != todo && (at.typed || !slices.Contains(check.ShapeCodes, found.Code)) {
			one.Hint = c.English(wording.Sentence(found.FixHint))
		}
		if found.Fix != nil {
			one.Fix = check.FixName(found, "")
		}
		c.Problems = append(c.Problems, one)
	}
	c.Problems = append(c.Problems, c.hints...)
	if title := c.anchors["title"]; len(c.Questions[0].Answers) == 0 {
		c.Problems = append(c.Problems, &composeFinding{ID: "w-title", Severity: todo, Message: c.Own(c.Word("compose.findings.title")), anchor: title})
	}
	for _, one := range c.Questions {
		if one.Category != nil && one.Required() && len(one.Placements) == 0 && c.Hidden == 0 && !slices.ContainsFunc(c.Problems, func(p *composeFinding) bool { return p.question == one }) {
			c.Problems = append(c.Problems, &composeFinding{
				ID: "w-" + one.ID, Severity: todo, Message: c.naming("compose.findings.answer", one.Question),
				anchor: anchor{Target: one.Body(), Place: one.Question, wrong: &one.Wrong, question: one},
			})
		}
	}
	for _, p := range c.Problems {
		if p.question != nil && p.Severity != string(issue.SeverityWarning) {
			p.question.incomplete = true
		}
	}
}

// unanswered are the codes of what is not answered yet.
var unanswered = []issue.Code{
	codes.RequiredCategoryMissing, codes.ElementRequired, codes.ContextTypeMissing, codes.InstanceRequiredVariableMissing, codes.InstanceVariableValueEmpty,
}

// instruction says what to answer. It is empty if the form does not ask for it.
func (c *composeForm) instruction(found issue.Issue, at *anchor) phrases.Text {
	switch {
	case at.wrong == nil:
		return phrases.Text{}
	case found.Code == codes.RequiredCategoryMissing:
		return c.naming("compose.findings.answer", at.Place)
	case found.Code == codes.ElementRequired:
		return c.naming("compose.findings.answers", at.Place)
	}
	of := at.Place
	if len(found.Path) > 1 {
		of = c.anchors[found.Path[:2].String()].Place // its answer
	}
	if at.choose {
		return c.naming("compose.findings.choose", of, at.Place)
	}
	return c.naming("compose.findings.write", of, at.Place)
}

// naming returns a sentence with names in it, each in its own language and direction.
func (c *composeForm) naming(key string, names ...phrases.Text) phrases.Text {
	var values, marked []string
	for _, name := range names {
		values, marked = append(values, name.Value), append(marked, string(name.HTML()))
	}
	t := c.Own(c.Word(key, values...))
	t.Markup = template.HTML(wordtable.Fill(escape(c.Word(key)), marked...)) //nolint:gosec // escaped
	return t
}

// anchorOf returns where a finding is shown. The path of one about something that is missing is
// that of the list.
func (c *composeForm) anchorOf(found issue.Issue) anchor {
	switch found.Code {
	case codes.RequiredCategoryMissing, codes.ElementRequired:
		if one := c.question("c-" + found.About.Category); one != nil {
			return anchor{Target: one.Body(), Place: one.Question, wrong: &one.Wrong, question: one}
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

// showFindings shows the findings of questions that were left beside their fields.
func (c *composeForm) showFindings() {
	all := slices.Contains(c.Left, everyQuestion)
	for _, one := range c.Questions {
		one.Open = one.ID == c.Open
		one.Adding = one.Open && c.Adding
		one.left = all || slices.Contains(c.Left, one.ID)
		if one.left && one.incomplete {
			if c.Unfinished++; c.Incomplete == nil {
				c.Incomplete = one
			}
		}
	}
	c.Details.left = all
	c.Problems = slices.DeleteFunc(c.Problems, func(p *composeFinding) bool {
		if p.wrong == nil {
			c.Rest = append(c.Rest, p)
		} else if p.question == nil || p.question.left {
			*p.wrong = append(*p.wrong, p)
			return false
		}
		return true
	})
	if !all {
		c.Problems = nil
	}
}
