package check

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// checked is the outcome of checking a document.
type checked struct {
	*datachain.Verdict

	Findings  []FindingView // that are listed
	Corrected int           // how many findings were fixed just now
	Upgrade   string        // the newest stable version to move the document to, or ""
	Moved
	// Page is the document as people will see it, for a frame, or "" if it is invalid.
	Page string
}

// More is the number of findings that are not listed.
func (c *checked) More() int { return len(c.Issues) - len(c.Findings) }

// FindingView is a finding with the lines around it.
type FindingView struct {
	datachain.Finding

	Excerpt []excerptLine
}

// To is the column at which the finding ends, in UTF-16 units, as scripts count, if that is on the
// line on which it begins.
func (f FindingView) To() int {
	if f.Span.End.Line != f.Span.Start.Line {
		return 0
	}
	return f.Span.End.UTF16
}

// Place is the path of the finding on one line.
func (f FindingView) Place() string { return wording.Line(f.Path.String()) }

// FixName names the finding in the form if it has a fix, and FixChoices are the edits to choose from.
func (f FindingView) FixName() string {
	if f.Fix == nil {
		return ""
	}
	return FixName(f.Issue, "")
}

// FixChoices returns the edits that a person can choose for the finding.
func (f FindingView) FixChoices() []FixChoice { return FixChoices(f.Issue) }

// FixChoice is an edit that a person can choose, with its name in the form.
type FixChoice struct{ Name, Title string }

// FixChoices returns the edits of an issue that a person can choose, if none is certain.
func FixChoices(i issue.Issue) (list []FixChoice) {
	if i.Fix != nil {
		return nil
	}
	for _, f := range i.Choices {
		list = append(list, FixChoice{FixName(i, f.Title), f.Title})
	}
	return list
}

// excerptLine is a line around a finding. Mark is the part that the finding is about.
type excerptLine struct {
	Number              int
	Before, Mark, After string
}

// maxFindings is how many findings are listed.
const maxFindings = 200

// fixAll is the value of the field fix that stands for all findings.
const fixAll = "all"

// check checks a document, after the fix that the form asks for. It returns the text as it
// is now.
func (q *Request) check(f *core.Form) (string, *checked, error) {
	v, err := q.Judge(f.Text)
	if err != nil {
		return "", nil, err
	}
	text, fixed := f.Text, 0
	if f.Fix != "" {
		if text, fixed = FixedText(v, f.Fix); fixed > 0 {
			if v, err = q.Judge(text); err != nil {
				return "", nil, err
			}
		}
	}
	result := &checked{Verdict: v, Corrected: fixed, Findings: Findings(text, v.Findings())}
	if v.Document().Strict() {
		result.Upgrade = q.Newer(v.Document())
	}
	if v.OK() {
		result.Page, err = q.show(text, true)
	}
	return text, result, err
}

// Judge validates a document.
func (q *Request) Judge(text string) (*datachain.Verdict, error) {
	return q.Site.Service.Validate(q.Ctx, []byte(text), &datachain.ValidateOptions{Strict: true, Partial: true, Fix: true})
}

// FixedText returns the text after a fix, and how many findings it fixes.
func FixedText(v *datachain.Verdict, fix string) (string, int) {
	text := string(v.Document().Text())
	if fix == fixAll {
		if v.Fixed == nil {
			return text, 0
		}
		return string(v.Fixed.Document.Text()), len(v.Fixed.Resolved)
	}
	for _, i := range v.Issues {
		if k := slices.IndexFunc(i.Choices, func(f issue.Fix) bool { return FixName(i, f.Title) == fix }); k >= 0 {
			i.Fix = &i.Choices[k]
		} else if FixName(i, "") != fix {
			continue
		}
		edits, fixed := v.Edits(i)
		if after, err := document.ApplyEdits([]byte(text), edits); err == nil && len(fixed) > 0 {
			return string(after), len(fixed)
		}
	}
	return text, 0
}

// FixName names a finding in the form: by its code and its place, which it keeps if the
// document is edited elsewhere, and the title of the edit that is chosen.
func FixName(i issue.Issue, title string) string {
	return strings.TrimSpace(string(i.Code) + " " + i.Path.String() + " " + title)
}

// Findings returns the findings that are listed, in the order of the text.
func Findings(text string, list []datachain.Finding) []FindingView {
	slices.SortStableFunc(list, func(a, b datachain.Finding) int {
		return cmp.Compare(a.Span.Start.Offset, b.Span.Start.Offset)
	})
	lines := strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n")
	views := make([]FindingView, min(len(list), maxFindings))
	for i := range views {
		views[i] = FindingView{list[i], excerpt(lines, list[i].Span)}
	}
	return views
}

// excerptWidth is how many characters of a line are shown on each side of a place.
const excerptWidth = 60

// excerpt returns the line of a place with the place marked, and the lines around it.
func excerpt(lines []string, at document.Span) []excerptLine {
	n := at.Start.Line
	if n < 1 || n > len(lines) {
		return nil
	}
	var list []excerptLine
	if n > 1 {
		list = append(list, excerptLine{Number: n - 1, Before: excerptPart(lines[n-2])})
	}
	line := lines[n-1]
	from := min(at.Start.UTF8-1, len(line))
	to := len(line)
	if at.End.Line == n {
		to = min(max(at.End.UTF8-1, from), len(line))
	}
	if to == from { // a place between two characters
		_, size := utf8.DecodeRuneInString(line[from:])
		to += size
	}
	list = append(list, excerptLine{
		Number: n, Before: wording.Line(wording.Tail(line[:from], excerptWidth)), Mark: excerptPart(line[from:to]), After: excerptPart(line[to:]),
	})
	if n < len(lines) {
		list = append(list, excerptLine{Number: n + 1, Before: excerptPart(lines[n])})
	}
	return list
}

// excerptPart returns the beginning of a part of a line.
func excerptPart(s string) string { return wording.Line(wording.Cut(s, 2*excerptWidth)) }
