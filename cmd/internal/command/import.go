package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register/profile"
	"github.com/datachain-go/datachain/taxonomy"
)

// maxImported is the size of the largest file of entries.
const maxImported = 256 << 20

// importAnswer is the output of `datachain import`.
type importAnswer struct {
	Entries int                   `json:"entries"`
	Values  int                   `json:"values"`
	Places  map[profile.Place]int `json:"places"`
	Drafts  []importedDraft       `json:"drafts"`

	out     string
	version taxonomy.Version
}

type importedDraft struct {
	File  string         `json:"file"`
	Notes []profile.Note `json:"notes"`
}

func (a *importAnswer) Good() bool { return true }

// print says where the values went, and lists what a person should know.
func (a *importAnswer) print(c *console.Console, _ string) error {
	for _, d := range a.Drafts {
		if err := c.Printf("%s\n", d.File); err != nil {
			return err
		}
		for _, n := range d.Notes {
			if n.Message == "" || n.Place == profile.Exact {
				continue
			}
			if err := c.Printf("  %s: %s: %s (%s)\n", wording.Line(n.Field), n.Place, n.Message, wording.Quote(n.Value)); err != nil {
				return err
			}
		}
	}
	var amounts []report.Amount
	for _, place := range profile.Places() {
		amounts = append(amounts, report.Amount{N: a.Places[place], State: string(place)})
	}
	c.Say("%s.", report.Counted(fmt.Sprintf("%s with %s", wording.Count(a.Entries, "entry"), wording.Count(a.Values, "value")), amounts...))
	c.Say("Drafts of %s are in %s: 'datachain validate' lists what to fill in. A report of a draft differs in fields that are put together from several texts.", a.version, a.out)
	return nil
}

func importCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import PROFILE FILE",
		Short: "Read entries of another register into draft documents",
		Long: `Read entries of another register into draft documents: a JSON object, a list of objects, or a CSV
file whose header has the names or titles of fields. Every value is placed where 'datachain report'
takes it from, put into a variable that a person must look at, or kept in the answers of
register.filings, and the numbers are printed.

A draft is named after its title. Elements that are not known are the name of their category, as in
a document of 'datachain new'. A file that differs is never overwritten.

PROFILE is a file or one of ` + wording.And(profileIDs()) + `.`,
		Example: `  datachain import nl-algoritmeregister-1.0 template.json --out drafts
  datachain import us-m-25-21-2025 inventory.csv --out drafts --schema-version ai@latest`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON)
	from := c.Reads(cmd)
	var out, version, date string
	flags.Add(cmd,
		flags.New("out", "directory for the drafts", flags.Dir(&out)),
		flags.New("schema-version", "version that the drafts pin (default the latest, if there is only one datachain type for the profile)", flags.Version(&version)),
		flags.New("date", "date of entries without one (default the present day in UTC)", flags.Date(&date)),
	)
	flags.Require(cmd, "out")
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		p, err := openProfile(cmd.Context(), c, args[0])
		if err != nil {
			return nil, err
		}
		text, err := readSmall(cmd.Context(), c, args[1], maxImported)
		if err != nil {
			return nil, err
		}
		rows, err := console.Await(cmd.Context(), func() ([]profile.Row, error) { return p.Rows(filepath.Base(args[1]), text) })
		if err != nil {
			return nil, err
		}
		set, err := from.Open(cmd.Context())
		if err != nil {
			return nil, err
		}
		if version == "" && len(p.Types) == 1 {
			version = p.Types[0] + "@latest"
		}
		release, err := console.ReleaseOf(cmd, set, version)
		if err != nil {
			return nil, err
		}
		if date == "" {
			date = c.Now().UTC().Format(time.DateOnly)
		}
		settings, err := settingsAbove(c.Path(out))
		if err != nil {
			return nil, err
		}
		a := &importAnswer{Entries: len(rows), Places: make(map[profile.Place]int), out: out, version: release.Version()}
		err = a.write(cmd.Context(), c.Path(out), rows, func(row *profile.Row) (*profile.Draft, error) {
			return p.Draft(row, release, &profile.Options{Settings: settings, Date: date})
		})
		return a, err
	})
	return cmd
}

// write writes a draft of each entry into a directory.
func (a *importAnswer) write(ctx context.Context, dir string, rows []profile.Row, draft func(*profile.Row) (*profile.Draft, error)) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // only opened
	next := make(map[string]int)
	for i := range rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		d, err := draft(&rows[i])
		if err != nil {
			return err
		}
		name, err := writeDraft(root, d, next)
		if err != nil {
			return err
		}
		a.add(name, d)
	}
	return nil
}

// add counts the values of a draft.
func (a *importAnswer) add(name string, d *profile.Draft) {
	a.Values += len(d.Notes)
	for _, n := range d.Notes {
		a.Places[n.Place]++
	}
	a.Drafts = append(a.Drafts, importedDraft{name, d.Notes})
}

// maxAlike is how many drafts can have one slug.
const maxAlike = 100_000

// writeDraft writes a draft into a directory, by its slug. A file with the same text is left alone, and
// with another text the next number is taken: next has that of each slug.
func writeDraft(root *os.Root, d *profile.Draft, next map[string]int) (string, error) {
	for i := next[d.Slug]; i < maxAlike; i++ {
		next[d.Slug] = i + 1
		name := d.Slug + ".json"
		if i > 0 {
			name = fmt.Sprintf("%s-%d.json", d.Slug, i+1)
		}
		f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if errors.Is(err, fs.ErrExist) {
			if old, err := root.ReadFile(name); err == nil && bytes.Equal(old, d.Document) {
				return name, nil
			}
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(d.Document)
		return name, errors.Join(err, f.Close())
	}
	return "", fmt.Errorf("there are %d other files named %s: use another directory", maxAlike, d.Slug)
}
