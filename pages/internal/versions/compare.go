package versions

import (
	"encoding/json"
	"io"
	"net/url"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// compareView is the data of the page.
type compareView struct {
	Old, New string // canonical ids, or what to choose first
	Types    []*versionGroup
	// Chosen is set if there are two versions to compare.
	Chosen         bool
	OldURL, NewURL string
	// Endings are of those that are deprecated.
	Endings []*core.Ending
	// Same is set if the versions do not differ.
	Same           bool
	Summary        []core.Choice // how many changes there are of each severity
	Notices        []string      // on filters that are not valid
	Sections       []*changeSection
	Categories     []core.Named
	Everything     string // the address without a filter, or ""
	JSON, Markdown string
}

// versionGroup is the versions of a datachain type to choose from.
type versionGroup struct {
	Name     phrases.Text
	Versions []string
}

// versionChoice is the versions to choose from, with the one that is chosen.
type versionChoice struct {
	Types  []*versionGroup
	Chosen string
}

// Choose returns the choice of a version.
func (c *compareView) Choose(version string) versionChoice { return versionChoice{c.Types, version} }

// pair is the two versions of a request.
type pair struct {
	old, new *datachain.Schema
	report   *diff.Report
	changes  *diff.Set
}

// pair returns the versions that a request names and how they differ, or nil if it
// names none.
func (q *request) pair() (*pair, error) {
	before, after := q.Params.Get("old"), q.Params.Get("new")
	if before == "" && after == "" && q.Links.Live() {
		before, after = q.FirstPair()
	}
	if before == "" || after == "" {
		return nil, nil //nolint:nilnil // the page then asks for them
	}
	e := q.Site
	var p pair
	var err error
	if p.old, err = e.Service.Open(q.Ctx, before); err != nil {
		return nil, err
	}
	if p.new, err = e.Service.Open(q.Ctx, after); err != nil {
		return nil, err
	}
	if p.report, err = q.reports.Compare(q.Request, p.old.Release(), p.new.Release()); err != nil {
		return nil, err
	}
	p.changes = diff.NewSet(p.old.Release(), p.new.Release(), p.report)
	return &p, nil
}

// buildCompare shows the changes between two versions, or those of a category or a severity,
// and one page of a long list. The same is there as JSON and, for release notes, as Markdown.
func buildCompare(q *request) (*core.Content, error) {
	if q.Params.Has(core.BoardParam) || q.Register != nil && q.Links.Live() && !q.Params.Has("old") && !q.Params.Has("new") {
		return q.boards.Board(q.Request)
	}
	p, err := q.pair()
	if err != nil {
		return nil, err
	}
	d := &compareView{Types: q.versionGroups()}
	c := &core.Content{
		Title: q.Word("compare.title"), Description: q.Word("compare.lead"), Path: core.ComparePath, Section: core.ComparePath, Template: compareTemplate, Data: d,
		Styles: core.ToolStyles,
	}
	if p == nil {
		d.Old, d.New = q.FirstPair()
		return c, nil
	}
	state := url.Values{"old": {p.report.Old.String()}, "new": {p.report.New.String()}}
	d.Chosen, d.Old, d.New = true, p.report.Old.String(), p.report.New.String()
	d.OldURL, d.NewURL = q.To(core.CatalogPath(p.report.Old), nil), q.To(core.CatalogPath(p.report.New), nil)
	d.JSON, d.Markdown = q.To(core.ComparePath+".json", state), q.To(core.ComparePath+".md", state)
	for _, version := range []taxonomy.Version{p.report.Old, p.report.New} {
		if end := q.Ending(version); end != nil {
			end.Version = version.String()
			d.Endings = append(d.Endings, end)
		}
	}
	c.Title = q.Word("compare.pair", d.Old, d.New)
	v := &changeViews{request: q.Among(p.new.Release().Locales()), pair: p, base: state, filter: q.changeFilter(p)}
	d.Same = len(p.report.Changes) == 0
	d.Sections, d.Categories = v.sections(), v.categories()
	d.Summary, d.Notices = v.summary(d.Sections), v.notices
	if v.category != "" || v.severity != "" {
		d.Everything = q.To(core.ComparePath, state)
	}
	c.State, c.Unlisted = v.state(), v.page > 1 || v.category != "" || v.severity != ""
	return c, nil
}

// versionGroups lists all versions, by type.
func (q *request) versionGroups() []*versionGroup {
	var list []*versionGroup
	for _, t := range q.Site.Overview(q.Ctx, q.Index).Types {
		g := &versionGroup{Name: q.Raw(t.ID)}
		if t.Schema != nil {
			g.Name = q.Among(t.Schema.Release().Locales()).Name(t.Schema.Release().Type().Name, t.ID)
		}
		for _, e := range t.Entries {
			g.Versions = append(g.Versions, e.ID.String())
		}
		list = append(list, g)
	}
	return list
}

func buildCompareJSON(q *request) (*core.Content, error) {
	if q.Params.Has(core.BoardParam) {
		return q.boards.BoardJSON(q.Request)
	}
	return q.compareAs(core.TypeJSON, func(p *pair, w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(p.report)
	})
}

func buildCompareMarkdown(q *request) (*core.Content, error) {
	return q.compareAs("text/markdown; charset=utf-8", func(p *pair, w io.Writer) error {
		return p.changes.WriteNotes(q.Ctx, w, &diff.NotesOptions{Locale: q.Locale})
	})
}

// compareAs answers with the comparison of two versions in a format for programs.
func (q *request) compareAs(mediaType string, write func(*pair, io.Writer) error) (*core.Content, error) {
	p, err := q.pair()
	if err == nil && p == nil {
		err = core.Refusal(issue.CodeBadRequest, "The parameters old and new must name two versions.", "add ?old=…&new=…")
	}
	if err != nil {
		return nil, err
	}
	// Written, so that a large one is kept compressed instead of made for each request.
	return &core.Content{Write: func(w io.Writer) error { return write(p, w) }, Type: mediaType}, nil
}

// filter is what to show of the changes between two versions. What is not valid in the
// address is left out.
type filter struct {
	category string // or "" for all
	severity string // or "" for all
	page     int    // of the changes of a severity, from 1
	// notices say what is not valid, and what is shown instead.
	notices []string
}

// changeFilter returns the filter that a request names.
func (q *request) changeFilter(p *pair) filter {
	f := filter{category: q.Params.Get("category"), severity: q.Params.Get("severity"), page: 1}
	w := q.Words
	if f.severity != "" && !slices.Contains(diff.Severities(), diff.Severity(f.severity)) {
		f.notices = append(f.notices, w.Word("compare.noseverity", q.Repeated(f.severity)))
		f.severity = ""
	}
	_, added := p.new.Release().Category(f.category)
	_, removed := p.old.Release().Category(f.category)
	if f.category != "" && !added && !removed {
		f.notices = append(f.notices, w.Word("compare.nocategory", q.Repeated(f.category)))
		f.category = ""
	}
	return f
}
