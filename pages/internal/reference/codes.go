package reference

import (
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/internal/codes/remedy"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// codeList is the data of the list of codes.
type codeList struct {
	Query  string
	Total  int
	Groups []*codeGroup
}

// codeGroup is the codes that one operation reports.
type codeGroup struct {
	RaisedBy string
	Codes    []issue.CodeInfo
}

// ID returns the id of the group on the page.
func (c *codeGroup) ID() string { return strings.ReplaceAll(c.RaisedBy, " ", "-") }

func buildCodes(q *request) (*core.Content, error) {
	d := &codeList{Query: strings.TrimSpace(q.Params.Get("q"))}
	c := &core.Content{
		Title: q.Word("codes.title"), Description: q.Word("codes.lead"), Path: core.CodesPath, Section: core.CodesPath, Template: codesTemplate, Data: d,
		Part: q.Params.Get("part"),
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
			g = &codeGroup{RaisedBy: info.RaisedBy}
			groups[info.RaisedBy], d.Groups = g, append(d.Groups, g)
		}
		g.Codes = append(g.Codes, info)
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

// codeDetail is the data of the page about a code.
type codeDetail struct {
	issue.CodeInfo
	Group  *codeGroup
	Advice string
	// Bad and Good are a part before and after the fix, with the difference marked.
	Bad, Good      []diff.Span
	Sample         *core.Choice // a document with the finding
	Previous, Next *issue.CodeInfo
}

// buildCode explains one code. Findings everywhere link to it.
func buildCode(q *request) (*core.Content, error) {
	all := issue.Codes()
	at := slices.IndexFunc(all, func(info issue.CodeInfo) bool { return string(info.Code) == q.ID })
	if at < 0 {
		var names []string
		for _, known := range all {
			names = append(names, string(known.Code))
		}
		return nil, &datachain.Error{
			Issue: issue.Issue{Code: issue.CodeNotFound, Message: "There is no such code.", FixHint: "see the list of codes"},
			Kind:  datachain.KindUnknown, Param: "code", Known: similar.AllNearest(q.ID, slices.Values(names), 3),
		}
	}
	info := all[at]
	remedy, _ := remedy.Lookup(string(info.Code)) // every code has one
	d := &codeDetail{CodeInfo: info, Group: &codeGroup{RaisedBy: info.RaisedBy}, Advice: remedy.Advice, Sample: q.options.Sample(q.Request, info.Code)}
	d.Bad, d.Good = sides(remedy.Bad, remedy.Good)
	if at > 0 {
		d.Previous = &all[at-1]
	}
	if at+1 < len(all) {
		d.Next = &all[at+1]
	}
	return &core.Content{
		Title: q.ID, Description: info.Meaning, Path: core.CodesPath + "/" + url.PathEscape(q.ID), Section: core.CodesPath, Template: codeTemplate, Data: d,
	}, nil
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
