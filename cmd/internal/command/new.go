package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/fetch"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/products"
	"github.com/datachain-go/datachain/cmd/internal/questions"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register/product"
	"github.com/datachain-go/datachain/taxonomy"
)

func newCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new [VERSION]",
		Short: "Start a datachain document, which explains one system",
		Long: `Start a datachain document, which explains one system. It has a placement for each required
category; the questions to answer are printed on standard error. To start a taxonomy instead,
use 'datachain schema new'.

The document is not valid yet: each element is the name of its category, and the values of
variables are empty. 'datachain validate' reports what to fill in, and lists the choices.

VERSION is a version id or an alias (default the latest version, if there is only one
datachain type). An existing file is never overwritten.

With --from, start from a product that its supplier describes: the document has its texts, and
gaps where only you know what to write. The product is kept in .bases beside the file, for
'datachain merge', which takes over what the supplier changes later.`,
		Example: `  datachain new ai@latest -o library-chat.json
  datachain new ai@latest --locale fr > chat.json
  datachain new --from benefit-calculator.json -o documents/housing-benefit.json`,
	}
	from := c.Reads(cmd)
	out, locale := outFlag(cmd, "json"), localeFlag(cmd, "language of the document and the questions (default the first one of the version)")
	var id string
	var supplied string
	flags.Add(cmd,
		flags.New("id", "id of the document (default the name of the file)", flags.ID(&id)),
		flags.New("from", "product to start from, a file or a URL", flags.File(&supplied, "json")),
	)
	private := allowPrivateFlag(cmd)
	flags.Needs(cmd, "allow-private", "from")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *out != "" {
			if _, err := os.Lstat(c.Path(*out)); !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("--out %s: already exists: name another file", *out)
			}
		}
		if supplied != "" {
			if len(args) > 0 || *locale != "" {
				return usage.Error(cmd, "--from takes neither a version nor --locale: the product has both")
			}
			set, err := from.Open(cmd.Context())
			if err != nil {
				return err
			}
			client := fetch.New(&fetch.Options{AllowPrivate: *private})
			defer client.Close()
			return startFromProduct(cmd.Context(), c, set.Service, products.New(set.Service, client, c.Dir), supplied, *out, id, from.Typed(cmd))
		}
		r, err := from.Release(cmd, strings.Join(args, ""))
		if err != nil {
			return err
		}
		return startDocument(c, r, *out, id, *locale, from.Typed(cmd))
	}
	return cmd
}

// startDocument writes a starter document and prints its questions. The flags say where the version is, and
// are repeated in the command to run next.
func startDocument(c *console.Console, r *taxonomy.Release, out, id, locale string, flags []string) error {
	locale, err := releaseLocale(r, cmp.Or(locale, r.Locales()[0]))
	if err != nil {
		return err
	}
	text, err := write.Document(r, idFor(id, out), locale, c.Now())
	if err != nil {
		return err
	}
	if err := c.Write(out, text); err != nil {
		return err
	}
	c.Say("%s", questions.Text(r, locale, out, flags, c.ErrWidth()))
	return nil
}

// idFor returns the id of a new document: the one that was typed, or the name of its file.
func idFor(id, out string) string {
	name := filepath.Base(out)
	return cmp.Or(id, strings.TrimSuffix(name, filepath.Ext(name)), "my-datachain")
}

// startFromProduct writes a document that is based on a product, keeps the product beside it, and prints
// what to fill in.
func startFromProduct(ctx context.Context, c *console.Console, service *datachain.Service, source *products.Source, named, out, id string, flags []string) error {
	p, err := source.Read(ctx, named)
	if err != nil {
		return err
	}
	text, err := product.Start(p.Document, &product.StartOptions{ID: idFor(id, out), URL: p.URL, Now: c.Now()})
	if err != nil {
		return err
	}
	verdict, err := service.Validate(ctx, text, nil)
	if err != nil {
		return stores.Readable(err)
	}
	if out != "" {
		if err := products.KeepBase(c.Path(out), p); err != nil {
			return err
		}
	}
	if err := c.Write(out, text); err != nil {
		return err
	}
	based := product.Describe(p.Document, p.URL)
	c.Say("%s, based on %s of %s.", map[bool]string{true: "A document", false: "Wrote " + out}[out == ""],
		wording.Line(based.Name("en")), wording.Line(based.Supplier.Name.Pick("en")))
	if left := product.LeftOut(p.Document); len(left) > 0 {
		c.Say("Not taken from the product: %s.", wording.And(left))
	}
	if out == "" {
		c.Say("The product is not kept: save the document with --out, or 'datachain merge' will read the product again.")
	}
	if gaps := verdict.Errors(); len(gaps) > 0 {
		c.Say("Fill in %s:", wording.Count(len(gaps), "gap"))
		for i, gap := range gaps {
			if i == maxGaps {
				c.Say("  and %d more", len(gaps)-maxGaps)
				break
			}
			c.Say("  %s: %s", wording.Line(gap.Path.String()), wording.Line(gap.Message))
		}
	}
	c.Say("Then run\n  %s", report.Command(append([]string{"validate", cmp.Or(out, "FILE")}, flags...)...))
	return nil
}

// maxGaps is how many gaps are listed.
const maxGaps = 30
