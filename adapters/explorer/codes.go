package explorer

import (
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/internal/nearest"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// codesPage lists the codes of findings.
func codesPage() *page {
	return &page{name: "codes", pattern: codesPath, params: []string{"q"}, parts: []string{"results"}, build: buildCodes}
}

// codePage explains one code. Findings everywhere link to it.
func codePage() *page { return &page{name: "code", pattern: codesPath + "/{id}", build: buildCode} }

const codesPath = "/codes"

// codeList is the data of the list of codes.
type codeList struct {
	Query  string
	Total  int
	Groups []*codeGroup
}

// codeGroup is the codes that one operation reports.
type codeGroup struct {
	ID, Name string
	Codes    []codeRow
}

// codeRow is a code in a list.
type codeRow struct {
	Code, URL              string
	Severity, SeverityName string
	Meaning                text
}

func buildCodes(q *request) (*content, error) {
	d := &codeList{Query: strings.TrimSpace(q.params.Get("q"))}
	c := &content{
		Title: q.words.Codes.Title, Description: q.words.Codes.Lead, Path: codesPath, Section: codesPath, Data: d,
		Part: q.params.Get("part"), Styles: toolStyles,
	}
	if d.Query != "" {
		c.State, c.Unlisted = url.Values{"q": {d.Query}}, true
	}
	groups := make(map[string]*codeGroup)
	for _, info := range issue.Codes() {
		if !mentions(info, d.Query) {
			continue
		}
		g := groups[info.RaisedBy]
		if g == nil {
			g = &codeGroup{ID: strings.ReplaceAll(info.RaisedBy, " ", "-"), Name: q.words.Codes.by(info.RaisedBy)}
			groups[info.RaisedBy], d.Groups = g, append(d.Groups, g)
		}
		g.Codes = append(g.Codes, q.codeRow(info))
		d.Total++
	}
	return c, nil
}

// mentions reports whether a code or its meaning has all words of a query.
func mentions(info issue.CodeInfo, query string) bool {
	in := strings.ToLower(string(info.Code) + " " + info.Meaning)
	for word := range strings.FieldsSeq(strings.ToLower(query)) {
		if !strings.Contains(in, word) {
			return false
		}
	}
	return true
}

func (q *request) codeRow(info issue.CodeInfo) codeRow {
	return codeRow{
		Code: string(info.Code), URL: q.codeURL(info.Code), Severity: string(info.Severity),
		SeverityName: q.words.Codes.severity(info.Severity), Meaning: q.english(info.Meaning),
	}
}

// codeURL returns the address of the page about a code, or "" if a custom rule reports it.
func (q *request) codeURL(c issue.Code) string {
	if _, known := issue.LookupCode(c); !known {
		return ""
	}
	return q.to(codesPath+"/"+url.PathEscape(string(c)), nil)
}

// english returns a text of the program itself, such as a message, which exists in English
// only. It is marked for programs that read pages aloud; readers can tell by themselves.
func (q *request) english(s string) text {
	t := q.in("en", s)
	t.mark = ""
	return t
}

// codeDetail is the data of the page about a code.
type codeDetail struct {
	codeRow
	RaisedBy, GroupURL string
	Advice             text
	// Bad and Good are a part before and after the fix, with the difference marked.
	Bad, Good []diff.Span
	// Command explains the code on the command line.
	Command        string
	Sample         *choice // a document with the finding
	Previous, Next *choice
}

func buildCode(q *request) (*content, error) {
	all := issue.Codes()
	at := slices.IndexFunc(all, func(info issue.CodeInfo) bool { return string(info.Code) == q.id })
	if at < 0 {
		return nil, noCode(all, q.id)
	}
	info := all[at]
	remedy, _ := issue.LookupRemedy(info.Code) // every code has one
	d := &codeDetail{
		codeRow: q.codeRow(info), RaisedBy: q.words.Codes.by(info.RaisedBy), GroupURL: q.to(codesPath, nil) + "#" + strings.ReplaceAll(info.RaisedBy, " ", "-"),
		Advice: q.english(remedy.Advice), Command: "datachain codes " + q.id, Sample: q.sampleOf(info.Code),
	}
	d.Bad, d.Good = sides(remedy.Bad, remedy.Good)
	neighbour := func(i int) *choice {
		if i < 0 || i >= len(all) {
			return nil
		}
		return &choice{Name: string(all[i].Code), URL: q.codeURL(all[i].Code)}
	}
	d.Previous, d.Next = neighbour(at-1), neighbour(at+1)
	return &content{
		Title: q.id, Description: info.Meaning, Path: codesPath + "/" + url.PathEscape(q.id), Section: codesPath, Data: d, Styles: toolStyles,
	}, nil
}

// noCode is the error for an unknown code. It names those that may have been meant.
func noCode(all []issue.CodeInfo, id string) error {
	names := make([]string, len(all))
	for i, info := range all {
		names[i] = string(info.Code)
	}
	return &datachain.Error{
		Issue: issue.Issue{Code: issue.CodeNotFound, Message: "There is no such code.", FixHint: "see the list of codes"},
		Kind:  datachain.KindUnknown, Param: "code", Known: nearest.All(id, slices.Values(names), 3),
	}
}

// sides compares two texts: the first has what is kept and what was removed, the second
// what is kept and what was added. A second text that is empty is nothing to compare with.
func sides(before, after string) (a, b []diff.Span) {
	if after == "" {
		return []diff.Span{{Kind: diff.Kept, Text: before}}, nil
	}
	for _, s := range diff.Words(before, after) {
		if s.Kind != diff.Added {
			a = append(a, s)
		}
		if s.Kind != diff.Removed {
			b = append(b, s)
		}
	}
	return a, b
}
