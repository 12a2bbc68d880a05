// Package registers reports the documents of a register, and those that it refuses.
package registers

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/product"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// Row is a document.
type Row struct {
	Slug    string        `json:"slug"`
	ID      string        `json:"id,omitempty"`
	Edition taxonomy.Hash `json:"edition"`
	// Status is that of the system, as its author gives it.
	Status register.Status `json:"status,omitempty"`
	// Result is what publishing did: new, changed or unchanged.
	Result string `json:"result,omitempty"`
	// State is that of a document of a store: published, withdrawn or erased.
	State string             `json:"state,omitempty"`
	Title taxonomy.Localized `json:"title,omitempty"`
	// Editions is how many there are.
	Editions int `json:"editions,omitempty"`
	// Changed is when the current edition was published, or the document withdrawn or erased.
	Changed time.Time `json:"changed,omitzero"`
}

// Refused is a document with its findings.
type Refused struct {
	File   string       `json:"file"`
	ID     string       `json:"id,omitempty"`
	Issues issue.Issues `json:"issues"`
}

// Product is a file that describes a product.
type Product struct {
	File     string         `json:"file"`
	ID       string         `json:"id,omitempty"`
	Edition  string         `json:"edition"`
	Title    taxonomy.Label `json:"title"`
	Supplier taxonomy.Label `json:"supplier"`
	Version  string         `json:"version,omitempty"`
}

// Report is what is known about the documents of a register.
type Report struct {
	OK        bool   `json:"ok"`
	Store     string `json:"store,omitempty"`
	Sequence  int64  `json:"sequence,omitempty"`
	Documents []Row  `json:"documents"`
	// Products are files that describe products, which are not published.
	Products []Product `json:"products,omitempty"`
	Refused  []Refused `json:"refused,omitempty"`
	Warnings []Refused `json:"warnings,omitempty"`
	// WithoutRoles are the types of documents of which it is not known what they say.
	WithoutRoles []register.Unmarked `json:"without_roles,omitempty"`
	// Elsewhere are documents that are published, but not in the directory.
	Elsewhere []string `json:"elsewhere,omitempty"`

	heading []string
	cells   func(*Row) []string
}

// Check reports which documents of a directory can be published.
func Check(dir string, state *register.State, now time.Time) *Report {
	r := &Report{Documents: []Row{}, heading: []string{"SLUG", "EDITION", "STATUS", "TITLE"}, cells: func(d *Row) []string {
		return []string{d.Slug, report.ShortHash(d.Edition), string(d.Status), d.title()}
	}}
	var warnings []register.Refusal
	for _, d := range state.Documents() {
		r.Documents = append(r.Documents, Row{Slug: d.Slug, ID: d.ID, Edition: d.Current, Status: d.Details.Status, Title: d.Title, Editions: len(d.Editions)})
		if found := publishing.Warnings(d, now); len(found) > 0 {
			warnings = append(warnings, register.Refusal{File: d.File(), ID: d.ID, Issues: found})
		}
	}
	r.findProducts(dir, state)
	r.find(dir, state.Refused(), warnings)
	r.WithoutRoles = state.Unmarked()
	return r
}

// Published reports what was published from a directory into a store.
func Published(dir, store string, result *publishing.Report, state *register.State) *Report {
	r := &Report{Store: store, Sequence: result.Sequence, Documents: []Row{}, Elsewhere: result.Elsewhere}
	r.heading, r.cells = []string{"SLUG", "EDITION", "RESULT", "TITLE"}, func(d *Row) []string {
		return []string{d.Slug, report.ShortHash(d.Edition), d.Result, d.title()}
	}
	for _, done := range result.Publications {
		row := Row{Slug: done.Slug, Edition: done.Edition, Result: "unchanged"}
		if d, ok := state.Document(done.Slug); ok {
			row.ID, row.Title = d.ID, d.Title
		}
		switch {
		case done.New:
			row.Result = "new"
		case done.Op != "":
			row.Result = "changed"
		}
		r.Documents = append(r.Documents, row)
	}
	r.findProducts(dir, state)
	r.find(dir, result.Refused, result.Warnings)
	return r
}

// findProducts lists the files that describe products.
func (r *Report) findProducts(dir string, state *register.State) {
	for _, p := range state.Products() {
		r.Products = append(r.Products, Product{
			File: filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(p.File))), ID: p.ID, Edition: p.Edition,
			Title: p.Title, Supplier: p.Supplier.Name, Version: p.Version,
		})
	}
}

// List reports the documents of a store.
func List(store string, list []*register.Document) *Report {
	r := &Report{OK: true, Store: store, Documents: []Row{}}
	r.heading, r.cells = []string{"SLUG", "ID", "EDITION", "EDITIONS", "CHANGED", "STATE"}, func(d *Row) []string {
		return []string{d.Slug, wording.Clip(d.ID), report.ShortHash(d.Edition), fmt.Sprint(d.Editions), d.Changed.Format(time.DateOnly), d.State}
	}
	for _, d := range list {
		r.Documents = append(r.Documents, Row{Slug: d.Slug, ID: d.ID, Edition: d.Current, State: stateOf(d), Editions: len(d.Editions), Changed: d.Changed()})
	}
	return r
}

func (r *Report) find(dir string, refused, warnings []register.Refusal) {
	list := func(found []register.Refusal) (all []Refused) {
		for _, f := range found {
			all = append(all, Refused{filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(f.File))), f.ID, f.Issues})
		}
		return all
	}
	r.Refused, r.Warnings = list(refused), list(warnings)
	r.OK = len(r.Refused) == 0
}

// stateOf returns whether a document of a store is shown.
func stateOf(d *register.Document) string {
	switch {
	case d.Withdrawn != nil:
		return "withdrawn"
	case d.Removed():
		return "erased"
	}
	return "published"
}

// Table returns rows for people, the first being the heading.
func (r *Report) Table() [][]string {
	rows := [][]string{r.heading}
	for i := range r.Documents {
		rows = append(rows, r.cells(&r.Documents[i]))
	}
	for _, p := range r.Products {
		name := strings.TrimSpace(p.Title.Pick("en") + " " + p.Version)
		rows = append(rows, []string{wording.Line(p.File), product.Short(p.Edition), "product", wording.Clip(name + " of " + p.Supplier.Pick("en"))})
	}
	return rows
}

func (d *Row) title() string { return wording.Clip(d.Title.Pick("en")) }

// CheckSummary counts what can be published.
func (r *Report) CheckSummary() string {
	return strings.TrimSpace(r.documentsSummary() + " " + r.productsSummary())
}

// productsSummary says that products are not published, or "" if there are none.
func (r *Report) productsSummary() string {
	if len(r.Products) == 0 {
		return ""
	}
	return map[bool]string{true: "1 product is", false: wording.Count(len(r.Products), "product") + " are"}[len(r.Products) == 1] + " not published."
}

func (r *Report) documentsSummary() string {
	refused := r.refused()
	switch n := len(r.Documents); {
	case n > 0 && refused > 0:
		return fmt.Sprintf("%s can be published, %d can't.", wording.Count(n, "document"), refused)
	case refused > 0:
		return wording.Count(refused, "document") + " can't be published."
	case n > 0:
		return wording.Count(n, "document") + " can be published."
	case len(r.Products) > 0:
		return ""
	}
	return "There are no documents."
}

// PublishSummary counts what was published.
func (r *Report) PublishSummary() string {
	return strings.TrimSpace(r.publishedSummary() + " " + r.productsSummary())
}

func (r *Report) publishedSummary() string {
	states := make(map[string]int)
	for _, d := range r.Documents {
		states[d.Result]++
	}
	refused := r.refused()
	switch n := len(r.Documents); {
	case n > 0:
		return report.Counted(wording.Count(n, "document")+" published", report.Amount{N: states["new"], State: "new"},
			report.Amount{N: states["changed"], State: "changed"}, report.Amount{N: refused, State: "refused"}) + "."
	case refused > 0:
		return wording.Count(refused, "document") + " refused, and nothing was published."
	}
	return "Nothing was published."
}

// LacksVersion reports whether a document is refused since the version that it pins is not published.
func (r *Report) LacksVersion() bool {
	return slices.ContainsFunc(r.Refused, func(f Refused) bool {
		return slices.ContainsFunc(f.Issues, func(i issue.Issue) bool { return i.Code == codes.NotFound })
	})
}

// refused counts the documents that are refused, without the settings of the register.
func (r *Report) refused() int {
	return len(slices.DeleteFunc(slices.Clone(r.Refused), func(f Refused) bool { return path.Base(f.File) == "register.yaml" }))
}

// maxElsewhere is how many documents that are not in the directory are named.
const maxElsewhere = 20

// ElsewhereText names documents that are published, but not in the directory, and says what to do. It
// is "" if there are none.
func (r *Report) ElsewhereText() string {
	n := len(r.Elsewhere)
	if n == 0 {
		return ""
	}
	names := slices.Clone(r.Elsewhere[:min(n, maxElsewhere)])
	if n > maxElsewhere {
		names = append(names, fmt.Sprintf("%d more", n-maxElsewhere))
	}
	advice := "Withdraw those that should no longer be published."
	if slices.ContainsFunc(r.Refused, func(f Refused) bool { return f.ID == "" }) {
		advice = "Correct the refused files first: they may be among these."
	}
	return fmt.Sprintf("Published, but not in the directory: %s. %s", wording.And(names), advice)
}

// Findings returns the findings by file, with their places. Files are relative to the working
// directory dir.
func (r *Report) Findings(dir string) *report.Report {
	all := new(report.Report)
	for _, found := range slices.Concat(r.Warnings, r.Refused) {
		d := inputs.Named(dir, found.File)
		f := report.File{Name: d.Name, Path: d.Path, Text: textOf(d, found)}
		var doc *document.Document
		var syntax *document.SyntaxError
		if f.Text != nil && strings.EqualFold(filepath.Ext(d.Path), ".json") {
			var err error
			doc, err = document.Parse(f.Text)
			syntax, _ = errors.AsType[*document.SyntaxError](err)
		}
		for _, i := range found.Issues {
			i.Position.File = "" // the report has it
			finding := report.Finding{Issue: i}
			switch {
			case doc != nil:
				finding.Span = validate.Mark(doc, i)
			case syntax != nil:
				finding.Span = document.Span{Start: syntax.Point, End: syntax.Point}
			}
			f.Findings = append(f.Findings, finding)
		}
		all.Files = append(all.Files, f)
	}
	return all
}

// textOf reads a file with findings, or returns nil. What the register does not read is not shown
// either, such as what a link leads to outside of the directory.
func textOf(d inputs.Input, found Refused) []byte {
	unread := slices.ContainsFunc(found.Issues, func(i issue.Issue) bool { return i.Code == codes.SourceUnreadable })
	if info, err := os.Stat(d.Path); unread || err != nil || !info.Mode().IsRegular() {
		return nil // a pipe would never end
	}
	read, err := d.Read(nil)
	if err != nil {
		return nil
	}
	return read.Text
}
