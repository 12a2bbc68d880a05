package pages

import (
	"encoding/json"
	"io"
	"net/url"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const comparePath = "/compare"

// compareView is the data of the page.
type compareView struct {
	Old, New string // canonical ids, or what to choose first
	Types    []*versionGroup
	// Chosen is set if there are two versions to compare.
	Chosen         bool
	OldURL, NewURL string
	// Endings are of those that are deprecated.
	Endings []*ending
	// Same is set if the versions do not differ.
	Same           bool
	Summary        []choice // how many changes there are of each severity
	Notices        []string // on filters that are not valid
	Sections       []*changeSection
	Categories     []named
	Everything     string // the address without a filter, or ""
	JSON, Markdown string
	// Board is documents side by side, instead of all that.
	Board *boardView
}

// versionGroup is the versions of a datachain type to choose from.
type versionGroup struct {
	Name     text
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
	before, after := q.params.Get("old"), q.params.Get("new")
	if before == "" && after == "" && q.links.live() {
		before, after = q.firstPair()
	}
	if before == "" || after == "" {
		return nil, nil //nolint:nilnil // the page then asks for them
	}
	e := q.handler
	var p pair
	var err error
	if p.old, err = e.service.Open(q.ctx, before); err != nil {
		return nil, err
	}
	if p.new, err = e.service.Open(q.ctx, after); err != nil {
		return nil, err
	}
	if p.report, err = q.report(p.old.Release(), p.new.Release()); err != nil {
		return nil, err
	}
	p.changes = diff.NewSet(p.old.Release(), p.new.Release(), p.report)
	return &p, nil
}

// reportKey identifies the comparison of two releases. A beta keeps its id when its
// content changes, and a stable version may have the content of a beta. What became of ids
// is in the index.
type reportKey struct {
	index         *taxonomy.Index
	oldID, newID  taxonomy.Version
	before, after taxonomy.Hash
}

// report compares two releases.
func (q *request) report(before, after *taxonomy.Release) (*diff.Report, error) {
	key := reportKey{q.index, before.Version(), after.Version(), before.ContentHash(), after.ContentHash()}
	return q.handler.reports.Do(q.ctx, key, func() (*diff.Report, int64, error) {
		report, err := diff.Compare(before, after, &diff.Options{Interrupt: q.ctx.Err})
		if err != nil {
			return nil, 0, err
		}
		size := int64(1 << 10)
		for i := range report.Changes {
			size += int64(256 + len(report.Changes[i].Old) + len(report.Changes[i].New))
		}
		return report, size, nil
	})
}

// buildCompare shows the changes between two versions, or those of a category or a severity,
// and one page of a long list. The same is there as JSON and, for release notes, as Markdown.
func buildCompare(q *request) (*content, error) {
	if q.params.Has(boardParam) || q.state != nil && q.links.live() && !q.params.Has("old") && !q.params.Has("new") {
		return buildBoard(q)
	}
	p, err := q.pair()
	if err != nil {
		return nil, err
	}
	d := &compareView{Types: q.versionGroups()}
	c := &content{
		Title: q.words.Word("compare.title"), Description: q.words.Word("compare.lead"), Path: comparePath, Section: comparePath, Data: d,
		Styles: toolStyles,
	}
	if p == nil {
		d.Old, d.New = q.firstPair()
		return c, nil
	}
	state := url.Values{"old": {p.report.Old.String()}, "new": {p.report.New.String()}}
	d.Chosen, d.Old, d.New = true, p.report.Old.String(), p.report.New.String()
	d.OldURL, d.NewURL = q.to(catalogPath(p.report.Old), nil), q.to(catalogPath(p.report.New), nil)
	d.JSON, d.Markdown = q.to(comparePath+".json", state), q.to(comparePath+".md", state)
	for _, version := range []taxonomy.Version{p.report.Old, p.report.New} {
		if end := q.ending(version); end != nil {
			end.Version = version.String()
			d.Endings = append(d.Endings, end)
		}
	}
	c.Title = q.words.Word("compare.pair", d.Old, d.New)
	v := &changeViews{request: q.about(p.new.Release()), pair: p, base: state, filter: q.changeFilter(p)}
	d.Same = len(p.report.Changes) == 0
	d.Sections, d.Categories = v.sections(), v.categories()
	d.Summary, d.Notices = v.summary(d.Sections), v.notices
	if v.category != "" || v.severity != "" {
		d.Everything = q.to(comparePath, state)
	}
	c.State, c.Unlisted = v.state(), v.page > 1 || v.category != "" || v.severity != ""
	return c, nil
}

// versionGroups lists all versions, by type.
func (q *request) versionGroups() []*versionGroup {
	var list []*versionGroup
	for _, t := range q.handler.overview(q.ctx, q.index).types {
		g := &versionGroup{Name: q.raw(t.id)}
		if t.schema != nil {
			g.Name = q.about(t.schema.Release()).name(t.schema.Release().Type().Name, t.id)
		}
		for _, e := range t.entries {
			g.Versions = append(g.Versions, e.ID.String())
		}
		list = append(list, g)
	}
	return list
}

// firstPair returns the versions to compare first: of the first type that has two, the
// newest stable one and the newest other one after it, or else the two newest.
func (q *request) firstPair() (before, after string) {
	for _, t := range byType(q.index) {
		if len(t.entries) < 2 {
			continue
		}
		stable := slices.IndexFunc(t.entries, func(e taxonomy.Entry) bool { return e.ID.Status() == taxonomy.Stable })
		if stable > 0 {
			return t.entries[stable].ID.String(), t.entries[0].ID.String()
		}
		return t.entries[1].ID.String(), t.entries[0].ID.String()
	}
	return "", ""
}

// typeJSON is the media type of comparisons for programs.
const typeJSON = "application/json; charset=utf-8"

func buildCompareJSON(q *request) (*content, error) {
	if q.params.Has(boardParam) {
		return q.boardJSON()
	}
	return q.compareAs(typeJSON, func(p *pair, w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(p.report)
	})
}

func buildCompareMarkdown(q *request) (*content, error) {
	return q.compareAs("text/markdown; charset=utf-8", func(p *pair, w io.Writer) error {
		return p.changes.WriteNotes(q.ctx, w, &diff.NotesOptions{Locale: q.locale})
	})
}

// compareAs answers with the comparison of two versions in a format for programs.
func (q *request) compareAs(mediaType string, write func(*pair, io.Writer) error) (*content, error) {
	p, err := q.pair()
	if err == nil && p == nil {
		err = refusal(issue.CodeBadRequest, "The parameters old and new must name two versions.", "add ?old=…&new=…")
	}
	if err != nil {
		return nil, err
	}
	// Written, so that a large one is kept compressed instead of made for each request.
	return &content{Write: func(w io.Writer) error { return write(p, w) }, Type: mediaType}, nil
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
	f := filter{category: q.params.Get("category"), severity: q.params.Get("severity"), page: 1}
	w := q.words
	if f.severity != "" && !slices.Contains(diff.Severities(), diff.Severity(f.severity)) {
		f.notices = append(f.notices, w.Word("compare.noseverity", q.repeated(f.severity)))
		f.severity = ""
	}
	_, added := p.new.Release().Category(f.category)
	_, removed := p.old.Release().Category(f.category)
	if f.category != "" && !added && !removed {
		f.notices = append(f.notices, w.Word("compare.nocategory", q.repeated(f.category)))
		f.category = ""
	}
	return f
}

// repeated returns a part of the address as a page repeats it.
func (q *request) repeated(s string) string { return q.raw(wording.Clip(s)).Plain }

// comparison is how a release differs from an earlier one, in short. The pages of a version
// need no more of the report, which is large.
type comparison struct {
	before taxonomy.Version
	// elements and categories have how each changed: added or changed.
	elements, categories    map[string]diff.Kind
	added, changed, removed int // elements
}

// lastStable returns the newest stable version before the one of the request.
func (q *request) lastStable() (taxonomy.Version, bool) {
	list := q.siblings()
	at := slices.IndexFunc(list, func(e taxonomy.Entry) bool { return e.ID == q.release().Version() })
	for _, e := range list[at+1:] {
		if e.ID.Status() == taxonomy.Stable {
			return e.ID, true
		}
	}
	return taxonomy.Version{}, false
}

// sinceStable compares the version with the last stable one before it. It returns nil if
// there is none.
func (q *request) sinceStable() (*comparison, error) {
	before, ok := q.lastStable()
	if !ok || q.alone {
		return nil, nil //nolint:nilnil // nothing to compare with is not a failure
	}
	earlier, err := q.handler.service.Open(q.ctx, before.String())
	if err != nil {
		return nil, err
	}
	report, err := q.report(earlier.Release(), q.release())
	if err != nil {
		return nil, err
	}
	return newComparison(report), nil
}

func newComparison(report *diff.Report) *comparison {
	c := &comparison{before: report.Old, elements: make(map[string]diff.Kind), categories: make(map[string]diff.Kind)}
	for _, change := range report.Changes {
		kind := change.Kind
		if len(change.Path) > 0 || kind == diff.Reordered || kind == diff.Renamed {
			kind = diff.Changed
		}
		switch change.Subject {
		case diff.Element:
			c.elements[change.ID] = kind
		case diff.Category:
			c.categories[change.ID] = kind
		}
	}
	for _, kind := range c.elements {
		switch kind {
		case diff.Added:
			c.added++
		case diff.Removed:
			c.removed++
		default:
			c.changed++
		}
	}
	return c
}
