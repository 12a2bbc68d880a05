package command

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/questions"
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
datachain type). An existing file is never overwritten.`,
		Example: `  datachain new ai@latest -o library-chat.json
  datachain new ai@latest --locale fr > chat.json`,
	}
	from := c.Reads(cmd)
	out, locale := outFlag(cmd, "json"), localeFlag(cmd, "language of the document and the questions (default the first one of the version)")
	var id string
	flags.Add(cmd, flags.New("id", "id of the document (default the name of the file)", flags.ID(&id)))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *out != "" {
			if _, err := os.Lstat(c.Path(*out)); !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("--out %s: already exists: name another file", *out)
			}
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
	name := filepath.Base(out)
	id = cmp.Or(id, strings.TrimSuffix(name, filepath.Ext(name)), "my-datachain")
	text, err := write.Document(r, id, locale, c.Now())
	if err != nil {
		return err
	}
	if err := c.Write(out, text); err != nil {
		return err
	}
	c.Say("%s", questions.Text(r, locale, out, flags, c.ErrWidth()))
	return nil
}
