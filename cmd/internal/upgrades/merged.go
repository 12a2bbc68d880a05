package upgrades

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register/product"
	"github.com/datachain-go/datachain/taxonomy"
)

// Product is the product that a document was merged with.
type Product struct {
	Title    taxonomy.Label `json:"title"`
	Supplier taxonomy.Label `json:"supplier"`
	// From is the edition that the document was based on, and To what the product is now.
	From Edition `json:"from"`
	To   Edition `json:"to"`
	// Open is how many decisions are open.
	Open int `json:"open"`
}

// Edition is an edition of a product.
type Edition struct {
	Edition string `json:"edition"`
	Version string `json:"version,omitempty"`
}

// NewProduct returns what a result says about the product.
func NewProduct(r *product.Result) *Product {
	return &Product{
		Title: r.To.Title, Supplier: r.From.Supplier.Name, Open: r.Open,
		From: Edition{r.From.Edition, r.From.Version}, To: Edition{r.To.Edition, r.To.Version},
	}
}

// String returns the product with both editions, on one line.
func (p *Product) String() string {
	name := wording.Clip(p.Title.Pick("en"))
	if supplier := p.Supplier.Pick("en"); supplier != "" {
		name += " of " + wording.Clip(supplier)
	}
	version := ""
	if p.From.Version != p.To.Version {
		version = fmt.Sprintf(", %s → %s", orNone(p.From.Version), orNone(p.To.Version))
	} else if p.To.Version != "" {
		version = ", " + wording.Clip(p.To.Version)
	}
	editions := product.Short(p.From.Edition)
	if p.From.Edition != p.To.Edition {
		editions += " → " + product.Short(p.To.Edition)
	}
	return wording.Line(fmt.Sprintf("%s%s (%s)", name, version, editions))
}

func orNone(version string) string {
	if version == "" {
		return "no version"
	}
	return wording.Clip(version)
}

// Skipped returns a document that is left alone, with the reason.
func Skipped(name string, err error) *File {
	return &File{File: name, OK: true, Skipped: err.Error(), err: err}
}

// maxMarkdown is the size of a summary in Markdown, less than what GitHub shows of a job.
const maxMarkdown = 900 << 10

// printMarkdown prints a document for the summary of a job. What documents and products say is escaped,
// and can't end the block of the diff.
func (r *Report) printMarkdown(f *File) {
	if !f.Report.Changed && len(f.Report.Entries) == 0 {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", wording.Markdown(f.File))
	if f.Product != nil {
		fmt.Fprintf(&b, "%s\n\n", wording.Markdown(f.Product.String()))
	}
	for i := range f.Report.Entries {
		e := &f.Report.Entries[i]
		fmt.Fprintf(&b, "- %s: %s\n", classWords[e.Class], wording.Markdown(entryText(e)))
	}
	if f.Diff != "" {
		fence := fenceFor(f.Diff)
		fmt.Fprintf(&b, "\n%sdiff\n%s%s\n", fence, f.Diff, fence)
	}
	b.WriteString("\n")
	if r.written += b.Len(); r.written > maxMarkdown {
		r.cut++
		return
	}
	_, _ = r.out.WriteString(b.String()) // its errors are kept
}

// fenceFor returns a fence of code that is longer than any run of backticks in a text.
func fenceFor(text string) string {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return strings.Repeat("`", max(3, longest+1))
}

// classWords are the classes for people.
var classWords = map[upgrade.Class]string{
	upgrade.Cannot: "cannot", upgrade.NeedsPerson: "needs a decision", upgrade.Review: "review", upgrade.Done: "done",
}

// endMarkdown prints the summary.
func (r *Report) endMarkdown() {
	if r.cut > 0 {
		_, _ = fmt.Fprintf(r.out, "%s not shown: the summary is too long.\n\n", wording.Count(r.cut, "more document"))
	}
	_, _ = r.out.WriteString(wording.Markdown(r.Summary.text(r.Write, r.Merging)) + "\n")
}
