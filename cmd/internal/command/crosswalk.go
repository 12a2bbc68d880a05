package command

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/crosswalk"
	"github.com/datachain-go/datachain/taxonomy"
)

func crosswalkCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "crosswalk FILE",
		Short: "List what a document says about each entry of a scheme",
		Long: `List what a datachain document says about each entry of a scheme, such as the articles of a
law, and which entries it says nothing about. The taxonomy of the document has mappings to
the scheme; --scheme can be omitted if there is only one.

A mapping says that an element or a category corresponds to an entry, not that a document
satisfies a law.`,
		Example: `  datachain crosswalk crossing.json --scheme eu-ai-act
  datachain crosswalk crossing.json --scheme gdpr --format md --locale fr`,
	}
	from := c.Reads(cmd)
	format, out := console.FormatFlag(cmd, crosswalk.Formats()...), outFlag(cmd, "txt", "json", "csv", "md")
	locale := localeFlag(cmd, "language of titles (default the first one of the taxonomy)")
	var scheme string
	flags.Add(cmd, flags.New("scheme", "id of the scheme", flags.ID(&scheme)))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		set, err := from.Open(cmd.Context())
		if err != nil {
			return err
		}
		_, shown, err := present(cmd.Context(), c, set, args[0])
		if err != nil {
			return err
		}
		if shown.Release == nil {
			return fmt.Errorf("%s is no longer published, so its mappings are not known: upgrade the document first", shown.Datachain.SchemaVersion)
		}
		locale, err := releaseLocale(shown.Release, *locale)
		if err != nil {
			return err
		}
		opened, err := openScheme(shown.Release, scheme)
		if err != nil {
			return err
		}
		d := crosswalk.Of(shown.Release, shown.Datachain, opened, locale)
		var b bytes.Buffer
		if err := d.Write(&b, *format); err != nil {
			return err
		}
		return c.WriteResult(*out, b.Bytes(), fmt.Sprintf("%d of %d entries of %s have a placement", d.Covered(), len(d.Entries), opened.ID))
	}
	return cmd
}

// openScheme returns the scheme with an id, or the only one of a release if the id is "".
func openScheme(r *taxonomy.Release, id string) (*taxonomy.Scheme, error) {
	var ids []string
	for _, s := range r.Manifest().Schemes {
		ids = append(ids, s.ID)
	}
	if id == "" && len(ids) == 1 {
		id = ids[0]
	}
	scheme, ok := r.Manifest().Scheme(id)
	switch {
	case len(ids) == 0:
		return nil, fmt.Errorf("%s has no mappings to a scheme: upgrade the document to a version that has", r.Version())
	case id == "":
		return nil, fmt.Errorf("%s has several schemes: use --scheme with %s", r.Version(), wording.Or(ids))
	case !ok:
		return nil, fmt.Errorf("%s has no scheme %q: use %s", r.Version(), id, wording.Or(ids))
	}
	return scheme, nil
}
