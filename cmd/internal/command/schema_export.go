package command

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/translation"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// The formats of schema versions for other programs. They are the extensions of files.
const (
	formatCSV = "csv"
	formatPO  = "po"
	formatPOT = "pot"
)

// exportOptions are the flags of `datachain schema export`.
type exportOptions struct {
	file    *fileFlags
	locales []string
	bom     bool
	against *string
}

func schemaExportCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export VERSION",
		Short: "Write a version as JSON, as a table or as texts to translate",
		Long: `Write a schema version for other programs, and for people who edit or translate it
elsewhere. The extension of --out is the format; 'datachain schema import' takes changes from
tables and PO files.

.json is the whole version with its symbols, as GET /schemas/{version}/release sends it. A Go
program embeds the file and reads it with taxonomy.DecodeRelease, which verifies its content
hash.

.csv is a table of its elements for spreadsheets, in UTF-8, one row per element. The columns
are id, category_id, symbol_id and order, then the texts of each language, such as title:en,
then the variables that elements have of their own. Successors and sources are not part of it.

.po has every text with its translation into the language of --locale, as a file of GNU
gettext, which translation tools read. A text without a translation has an empty one. A
translation that is older than its original is marked as fuzzy, with the text that was
translated. Originals are compared as by 'datachain schema translations': with the newest
older stable version of the type, or what --against names.

.pot has every text in the first language: a template from which translation tools begin or
update the PO file of a language. Comments say where a text is shown, and what authors are
told about it.

VERSION is a version id or an alias.`,
		Example: `  datachain schema export ai@latest -o ai.json
  datachain schema export ai@latest-beta --schemas schemas -o ai.csv
  datachain schema export ai@latest-beta --schemas schemas --locale fr -o fr.po
  datachain schema export ai@latest-beta --schemas schemas -o ai.pot`,
	}
	from := c.Reads(cmd)
	o := &exportOptions{file: addFileFlags(cmd, formatJSON, formatCSV, formatPO, formatPOT), against: againstFlag(cmd)}
	flags.Add(cmd,
		flags.New("locale", "language to translate into; of a table, only this one and the first one of the version, and can be repeated", flags.List(&o.locales, flags.Locale)),
		flags.New("bom", "begin a table with a byte order mark, which Excel needs to recognize UTF-8", flags.Switch(&o.bom)),
	)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(cmd); err != nil {
			return err
		}
		set, err := from.Open(cmd.Context())
		if err != nil {
			return err
		}
		r, err := set.Release(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		for i, l := range o.locales {
			if o.locales[i], err = releaseLocale(r, l); err != nil {
				return err
			}
		}
		var text []byte
		var about string
		switch o.file.format {
		case formatJSON:
			text, err = r.MarshalJSON()
			about = wording.Count(len(r.ElementIDs()), "element") + ", " + wording.Count(len(r.SymbolIDs()), "symbol")
		case formatCSV:
			text, about, err = exportTable(r, o)
		default:
			text, about, err = exportCatalog(cmd.Context(), from, set, r, o)
		}
		if err != nil {
			return err
		}
		return c.WriteResult(o.file.out, text, about)
	}
	return cmd
}

// check completes the format, and refuses flags of other formats.
func (o *exportOptions) check(cmd *cobra.Command) error {
	if err := o.file.choose(cmd); err != nil {
		return err
	}
	switch f := o.file.format; {
	case o.bom && f != formatCSV:
		return usage.Error(cmd, "--bom requires --format csv")
	case *o.against != "" && f != formatPO:
		return usage.Error(cmd, "--against requires --format po")
	case len(o.locales) > 0 && f != formatCSV && f != formatPO:
		return usage.Error(cmd, "--locale requires --format csv or po")
	case f == formatPO && len(o.locales) != 1:
		return usage.Error(cmd, "--locale is required: the language to translate into")
	}
	return nil
}

// exportTable returns the elements of a version as a table.
func exportTable(r *taxonomy.Release, o *exportOptions) (text []byte, about string, err error) {
	t := translation.NewTable(write.FromRelease(r), o.locales...)
	if text, err = t.CSV(); err != nil {
		return nil, "", err
	}
	if o.bom {
		text = append([]byte("\ufeff"), text...)
	}
	return text, wording.Count(len(t.Rows), "element") + ", " + wording.Count(len(t.Columns), "column"), nil
}

// exportCatalog returns the texts of a version for translation into a language or, without one, as a
// template. Its date is the release date of the version, or else the one in its id.
func exportCatalog(ctx context.Context, from *console.Versions, set *stores.Set, r *taxonomy.Release, o *exportOptions) (text []byte, about string, err error) {
	locale := strings.Join(o.locales, "")
	var stale map[string]string
	switch locale {
	case "":
	case r.Locales()[0]:
		return nil, "", fmt.Errorf("--locale %s: is the language that is translated from", locale)
	default:
		base, err := openBaseline(ctx, from, *o.against, set.Store)
		if err != nil {
			return nil, "", err
		}
		old, err := console.Await(ctx, func() (*taxonomy.Release, error) { return base.Release(ctx, r.Version()) })
		if err != nil {
			return nil, "", err
		}
		stale = translation.Check(r, old).Before(locale)
	}
	x, err := set.Store.Index(ctx)
	if err != nil {
		return nil, "", err
	}
	e, _ := x.Lookup(r.Version().Ref())
	f := translation.NewCatalog(write.FromRelease(r), locale, stale)
	f.Version, f.Date = r.Version().String(), cmp.Or(e.Released, r.Version().Date())
	about = wording.Count(len(f.Entries), "text")
	if locale != "" {
		missing, fuzzy := f.Left()
		about = report.Counted(about, report.Amount{N: missing, State: "without a translation"}, report.Amount{N: fuzzy, State: "older than the original"})
	}
	return f.Text(), about, nil
}
