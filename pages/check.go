package pages

import (
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// checked is the outcome of checking a document.
type checked struct {
	*datachain.Verdict

	Findings  []findingView // that are listed
	Corrected int           // how many findings were fixed just now
	Upgrade   string        // the newest stable version to move the document to, or ""
	moved
	// Page is the document as people will see it, for a frame, or "" if it is invalid.
	Page string
}

// More is the number of findings that are not listed.
func (c *checked) More() int { return len(c.Issues) - len(c.Findings) }

// findingView is a finding with the lines around it.
type findingView struct {
	datachain.Finding

	Excerpt []excerptLine
}

// To is the column at which the finding ends, in UTF-16 units, as scripts count, if that is on the
// line on which it begins.
func (f findingView) To() int {
	if f.Span.End.Line != f.Span.Start.Line {
		return 0
	}
	return f.Span.End.UTF16
}

// Place is the path of the finding on one line.
func (f findingView) Place() string { return wording.Line(f.Path.String()) }

// FixName names the finding in the form if it has a fix, and FixChoices are the edits to choose from.
func (f findingView) FixName() string {
	if f.Fix == nil {
		return ""
	}
	return fixName(f.Issue, "")
}

func (f findingView) FixChoices() []fixChoice { return fixChoices(f.Issue) }

// fixChoice is an edit that a person can choose, with its name in the form.
type fixChoice struct{ Name, Title string }

func fixChoices(i issue.Issue) (list []fixChoice) {
	if i.Fix != nil {
		return nil
	}
	for _, f := range i.Choices {
		list = append(list, fixChoice{fixName(i, f.Title), f.Title})
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
func (q *request) check(f *form) (string, *checked, error) {
	v, err := q.judge(f.text)
	if err != nil {
		return "", nil, err
	}
	text, fixed := f.text, 0
	if f.fix != "" {
		if text, fixed = fixedText(v, f.fix); fixed > 0 {
			if v, err = q.judge(text); err != nil {
				return "", nil, err
			}
		}
	}
	result := &checked{Verdict: v, Corrected: fixed, Findings: findings(text, v.Findings())}
	if v.Document().Strict() {
		result.Upgrade = q.newer(v.Document())
	}
	if v.OK() {
		result.Page, err = q.show(text, true)
	}
	return text, result, err
}

// judge validates a document.
func (q *request) judge(text string) (*datachain.Verdict, error) {
	return q.handler.service.Validate(q.ctx, []byte(text), &datachain.ValidateOptions{Strict: true, Partial: true, Fix: true})
}

// fixedText returns the text after a fix, and how many findings it fixes.
func fixedText(v *datachain.Verdict, fix string) (string, int) {
	text := string(v.Document().Text())
	if fix == fixAll {
		if v.Fixed == nil {
			return text, 0
		}
		return string(v.Fixed.Document.Text()), len(v.Fixed.Resolved)
	}
	for _, i := range v.Issues {
		if k := slices.IndexFunc(i.Choices, func(f issue.Fix) bool { return fixName(i, f.Title) == fix }); k >= 0 {
			i.Fix = &i.Choices[k]
		} else if fixName(i, "") != fix {
			continue
		}
		edits, fixed := v.Edits(i)
		if after, err := document.ApplyEdits([]byte(text), edits); err == nil && len(fixed) > 0 {
			return string(after), len(fixed)
		}
	}
	return text, 0
}

// fixName names a finding in the form: by its code and its place, which it keeps if the
// document is edited elsewhere, and the title of the edit that is chosen.
func fixName(i issue.Issue, title string) string {
	return strings.TrimSpace(string(i.Code) + " " + i.Path.String() + " " + title)
}

// findings returns the findings that are listed, in the order of the text.
func findings(text string, list []datachain.Finding) []findingView {
	slices.SortStableFunc(list, func(a, b datachain.Finding) int {
		return cmp.Compare(a.Span.Start.Offset, b.Span.Start.Offset)
	})
	lines := strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n")
	views := make([]findingView, min(len(list), maxFindings))
	for i := range views {
		views[i] = findingView{list[i], excerpt(lines, list[i].Span)}
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

// form is what the pages that check documents are sent.
type form struct {
	// text is the document: that of the file, if one was chosen, else that of the
	// text field.
	text string
	file bool // whether it is that of a file
	// do is what to do with it; checking it is the default. fix names a finding to
	// fix first, or all.
	do, fix string
	// fields are the others.
	fields []formField
}

// formField is a field of a form with its value.
type formField struct{ name, value string }

// get returns the value of the first field with a name.
func (f *form) get(name string) string {
	for _, field := range f.fields {
		if field.name == name {
			return field.value
		}
	}
	return ""
}

// last returns the value of the last field with a name.
func (f *form) last(name string) string {
	for _, field := range slices.Backward(f.fields) {
		if field.name == name {
			return field.value
		}
	}
	return ""
}

// formRoom is how much larger than the document a form may be: the names of fields, and
// the markup of multipart.
const formRoom = 64 << 10

// readForm reads a form within its limit: that of the document, some times over if its parts
// are fields, too. Nothing is written to files.
func (e *Handler) readForm(w http.ResponseWriter, r *http.Request, times int64) (*form, error) {
	leave, err := e.forms.enter(r.Context())
	if err != nil {
		return nil, err
	}
	defer leave()
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	f := new(form)
	switch {
	case kind == "multipart/form-data" && params["boundary"] != "":
		r.Body = http.MaxBytesReader(w, r.Body, times*e.options.MaxBody+formRoom)
		err = f.readParts(r)
	case kind == "application/x-www-form-urlencoded":
		// Most characters of JSON take three bytes in this form.
		r.Body = http.MaxBytesReader(w, r.Body, 3*e.options.MaxBody+formRoom)
		err = f.readPairs(r)
	default:
		return nil, badForm("send the form of this page, or use the API")
	}
	switch {
	case tooLarge(err), err == nil && int64(len(f.text)) > e.options.MaxBody:
		return nil, refusal(issue.CodePayloadTooLarge, "The document is too large.", "place fewer elements, or split it into several")
	case err != nil:
		return nil, badForm("send it again")
	}
	return f, nil
}

func tooLarge(err error) bool {
	_, ok := errors.AsType[*http.MaxBytesError](err)
	return ok
}

func badForm(hint string) error {
	return refusal(issue.CodeBadRequest, "The form can't be read.", hint)
}

func (f *form) readParts(r *http.Request) error {
	parts, err := r.MultipartReader()
	if err != nil {
		return err
	}
	var file string
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return err
		}
		if part.FormName() == "file" {
			file = string(value)
			continue
		}
		f.set(part.FormName(), string(value))
	}
	if file != "" {
		f.text, f.file = file, true
	}
	return nil
}

func (f *form) readPairs(r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	for pair := range strings.SplitSeq(string(body), "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			return err
		}
		if value, err = url.QueryUnescape(value); err != nil {
			return err
		}
		f.set(name, value)
	}
	return nil
}

func (f *form) set(name, value string) {
	switch name {
	case "document":
		f.text = unixLines.Replace(value) // browsers send the lines of a text field as in mail
	case "do":
		f.do = value
	case "fix":
		f.fix = value
	default:
		f.fields = append(f.fields, formField{name, strings.ToValidUTF8(unixLines.Replace(value), "\uFFFD")})
	}
}

var unixLines = strings.NewReplacer("\r\n", "\n")

// gate limits how many requests do something at once.
type gate chan struct{}

// enter waits for a place until the context ends, and returns how to leave it.
func (g gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g <- struct{}{}:
		return func() { <-g }, nil
	case <-ctx.Done():
		return nil, overloaded(ctx.Err())
	}
}

func overloaded(cause error) error {
	return &datachain.Error{Issue: issue.Issue{Code: codes.Overloaded, Message: "The server is overloaded.", FixHint: "try again in a second"}, Err: cause}
}
