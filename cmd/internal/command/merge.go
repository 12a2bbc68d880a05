package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/fetch"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/products"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/upgrades"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/product"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// mergeOptions are the flags of `datachain merge`.
type mergeOptions struct {
	format            *string
	from, base        string
	take, keep        []string
	write, unfinished bool
	allowPrivate      *bool
	replace           *inputs.ReplaceOptions
}

func mergeCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "merge [FILE|DIR]...",
		Short: "Take over what the supplier of a product changed",
		Long: `Take over what the supplier of a product changed since a document was started from it with
'datachain new --from', or merged last.

The product as it was, which is kept in .bases beside the document, is compared with the product
as it is now and with the document. What only the supplier reworded or added is done. What the
supplier removed, a changed context, action, contact or link, and what both changed need a
decision: --take PATH takes what the product has, --keep PATH keeps what the document has. The
report names the paths. Everything else in the document stays as it is written. For a taxonomy
without roles, those in register.yaml, in the directory of a document or a parent, say what is
a contact or a link.

Without --write, print a diff and a report. Documents that are not based on a product are
skipped. The product is read once for all documents, from the URL that they name or from --from.

--write changes documents that are valid afterwards, and sets updated_at; those with gaps need
--unfinished. A document stays based on the old edition until nothing in it needs a decision.

The exit code is 1 if something needs a decision or is to be filled in, and 2 if a file or the
product can't be read or written, or a PATH is unknown.`,
		Example: `  datachain merge documents
  datachain merge documents --write
  datachain merge documents/housing-benefit.json --take risk.errors/context --write
  datachain merge documents/housing-benefit.json --from benefit-calculator-4.3.json`,
	}
	from := c.Reads(cmd)
	o := &mergeOptions{format: console.FormatFlag(cmd, formatText, formatJSON, formatMarkdown)}
	path := func(at *string) *flags.Value { return flags.Text(at, "path", "a path of the report") }
	flags.Add(cmd,
		flags.New("from", "product to merge, a file or a URL (default the URL that the document names)", flags.File(&o.from, "json")),
		flags.New("base", "file with the edition that the document is based on, if .bases lacks it", flags.File(&o.base, "json")),
		flags.New("take", "take over this part, though it needs a decision", flags.Repeated(&o.take, path)),
		flags.New("keep", "keep this part as the document has it", flags.Repeated(&o.keep, path)),
		flags.New("write", "change the files of documents that are valid afterwards", flags.Switch(&o.write)),
		flags.New("unfinished", "with --write, also change documents with gaps", flags.Switch(&o.unfinished)),
	)
	o.allowPrivate = allowPrivateFlag(cmd)
	flags.Needs(cmd, "unfinished", "write")
	o.replace = replaceFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		for _, p := range o.take {
			if slices.Contains(o.keep, p) {
				return usage.Error(cmd, "%s can't be both in --take and in --keep", p)
			}
		}
		return mergeDocuments(cmd, c, from, args, o)
	}
	return cmd
}

// allowPrivateFlag adds --allow-private to a command that reads products.
func allowPrivateFlag(cmd *cobra.Command) *bool {
	return switchFlag(cmd, "allow-private", "also read products over http, and from addresses of this machine and of private networks")
}

// mergeRun merges documents with products.
type mergeRun struct {
	*mergeOptions
	console    *console.Console
	service    *datachain.Service
	source     *products.Source
	named      *products.Product // of --from
	hasSeveral bool              // documents

	bases    parallel.Memo[string, *document.Document] // by file
	settings parallel.Memo[string, *register.Settings] // by directory
}

// mergeDocuments merges the documents that were typed, or those of the project.
func mergeDocuments(cmd *cobra.Command, c *console.Console, from *console.Versions, args []string, o *mergeOptions) error {
	docs, err := from.Documents(cmd, args)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(docs, func(d inputs.Input) bool { return d.Path == "" }) {
		return usage.Error(cmd, "name a FILE or a DIR: products are kept beside documents")
	}
	ctx := cmd.Context()
	set, err := from.Open(ctx)
	if err != nil {
		return err
	}
	client := fetch.New(&fetch.Options{AllowPrivate: *o.allowPrivate})
	defer client.Close()
	m := &mergeRun{mergeOptions: o, console: c, service: set.Service, source: products.New(set.Service, client, c.Dir), hasSeveral: len(docs) > 1}
	if o.from != "" {
		if m.named, err = m.source.Read(ctx, o.from); err != nil {
			return err
		}
	}
	if err := m.checkPaths(ctx, cmd, docs); err != nil {
		return err
	}
	ro := upgrades.Options{
		JSON: *o.format == formatJSON, Markdown: *o.format == formatMarkdown, Write: o.write, Unfinished: o.unfinished,
		Documents: len(docs), Style: c.OutStyle(), Merging: true,
	}
	report := upgrades.NewReport(c.Stdout, ro)
	bar := c.Progress("merging")
	defer bar.End()
	done := 0
	var moved []string // directories
	err = parallel.InOrder(ctx, runtime.GOMAXPROCS(0), len(docs), func(i int) *upgrades.File {
		return m.mergeOne(ctx, docs[i], &ro)
	}, func(i int, f *upgrades.File) error {
		done++
		bar.Update(done, len(docs))
		if f.Written {
			moved = append(moved, filepath.Dir(docs[i].Path))
		}
		return report.Add(f)
	})
	if err != nil {
		return err
	}
	slices.Sort(moved)
	for _, dir := range slices.Compact(moved) {
		products.SweepBases(dir)
	}
	if err := report.End(); err != nil || report.Summary.OK() {
		return err
	}
	return console.ErrFindings
}

// errNotThis means that a document is based on another product than that of --from.
var errNotThis = errors.New("based on another product than --from")

// result merges a document, without writing anything.
func (m *mergeRun) result(ctx context.Context, d inputs.Input) (*files.Snapshot, *products.Product, *product.Result, error) {
	read, err := d.Read(nil)
	if err != nil {
		return nil, nil, nil, err
	}
	doc, err := document.Parse(read.Text)
	if err != nil {
		return nil, nil, nil, err
	}
	based, ok := product.Base(doc)
	if !ok {
		return nil, nil, nil, product.ErrNotBased
	}
	theirs := m.named
	if theirs == nil {
		if !products.IsURL(based.URL) {
			return nil, nil, nil, errors.New("register.based_on has no url: name the product with --from")
		}
		if theirs, err = m.source.Read(ctx, based.URL); err != nil {
			return nil, nil, nil, fmt.Errorf("%w\nHint: with a copy of the product, use --from FILE", err)
		}
	}
	base, err := m.base(d.Path, based.Edition, theirs)
	if err != nil {
		return nil, nil, nil, err
	}
	if m.named != nil && m.hasSeveral && base != nil && idOf(base) != idOf(theirs.Document) {
		return nil, nil, nil, errNotThis
	}
	dir := filepath.Dir(d.Path)
	settings, err := m.settings.Get(dir, func() (*register.Settings, error) { return settingsAbove(dir) })
	if err != nil {
		return nil, nil, nil, err
	}
	o := &product.Options{Take: m.take, Keep: m.keep, URL: theirs.URL}
	if settings != nil {
		o.Roles = settings.Roles
	}
	if m.write {
		o.UpdatedAt = m.console.Now()
	}
	result, err := product.Run(ctx, m.service, base, theirs.Document, read.Text, o)
	return read, theirs, result, stores.Readable(err)
}

func idOf(doc *document.Document) string {
	v, _ := doc.Root().Get("id")
	return v.Text()
}

// base returns the product that a document is based on: the copy beside it, what the supplier still
// publishes, or the file of --base. It is nil if there is none of these.
func (m *mergeRun) base(path, edition string, theirs *products.Product) (*document.Document, error) {
	file := products.BaseFile(path, edition)
	base, err := m.bases.Get(file, func() (*document.Document, error) { return products.ReadBase(file, edition) })
	switch {
	case err != nil || base != nil:
		return base, err
	case theirs.Edition == edition:
		return theirs.Document, nil
	case m.mergeOptions.base == "":
		return nil, nil
	}
	named := m.console.Path(m.mergeOptions.base)
	if base, err = products.ReadBase(named, edition); err == nil && base == nil {
		err = fmt.Errorf("--base %s: no such file", m.mergeOptions.base)
	}
	return base, err
}

// mergeOne merges a document and, with --write, replaces its file.
func (m *mergeRun) mergeOne(ctx context.Context, d inputs.Input, ro *upgrades.Options) *upgrades.File {
	name := filepath.ToSlash(d.Name)
	read, theirs, result, err := m.result(ctx, d)
	switch {
	case errors.Is(err, product.ErrNotBased), errors.Is(err, errNotThis):
		return upgrades.Skipped(name, err)
	case err != nil:
		return upgrades.Failed(name, err)
	}
	f := ro.File(name, read.Text, &result.Result, func(text []byte) error {
		if now, _ := product.Base(result.Document); now.Edition == theirs.Edition {
			if err := products.KeepBase(d.Path, theirs); err != nil {
				return err
			}
		}
		return d.Replace(read, text, m.replace)
	})
	if f.Report == nil {
		return f // it could not be written
	}
	f.Product = upgrades.NewProduct(result)
	if m.write && !result.Report.Changed && result.From.Edition == theirs.Edition {
		if err := products.KeepBase(d.Path, theirs); err != nil { // of a document that was started elsewhere
			return upgrades.Failed(name, err)
		}
	}
	return f
}

// checkPaths refuses paths of --take and --keep that no document has a change at. Nothing was written
// then.
func (m *mergeRun) checkPaths(ctx context.Context, cmd *cobra.Command, docs []inputs.Input) error {
	named := slices.Concat(m.take, m.keep)
	if len(named) == 0 {
		return nil
	}
	found := make(map[string]bool)
	var units []string
	for _, d := range docs {
		_, _, result, err := m.result(ctx, d)
		if err != nil {
			continue // it is reported later
		}
		for _, path := range result.Found {
			found[path] = true
		}
		for i := range result.Report.Entries {
			if unit := result.Report.Entries[i].Unit; unit != "" {
				units = append(units, unit)
			}
		}
	}
	for _, path := range named {
		if found[path] {
			continue
		}
		hint := "; the report of 'datachain merge' lists the paths"
		if near := similar.Nearest(path, slices.Values(units)); near != "" {
			hint = "; did you mean " + near + "?"
		}
		return usage.Error(cmd, "the supplier changed nothing at %s%s", wording.Line(path), strings.TrimSpace(hint))
	}
	return nil
}
