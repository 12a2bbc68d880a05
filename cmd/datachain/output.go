package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/taxonomy"
)

// format is the value of --format.
type format string

const (
	formatText format = "text"
	formatJSON format = "json"
	// For reports that other tools show.
	formatSARIF  format = "sarif"
	formatGitHub format = "github"
)

// formatChoice is a format among those that a command knows.
type formatChoice struct {
	chosen format
	among  []string
}

// String, Set and Type make a choice the value of a flag.
func (c *formatChoice) String() string { return string(c.chosen) }

// Set takes what was typed.
func (c *formatChoice) Set(s string) error {
	if !slices.Contains(c.among, s) {
		last := len(c.among) - 1
		return fmt.Errorf("want %s or %s", strings.Join(c.among[:last], ", "), c.among[last])
	}
	c.chosen = format(s)
	return nil
}

// Type names what help shows.
func (c *formatChoice) Type() string { return strings.Join(c.among, "|") }

// formatFlag adds --format to a command, with more forms than text and JSON if
// it has them.
func formatFlag(cmd *cobra.Command, more ...format) *format {
	c := &formatChoice{chosen: formatText}
	for _, f := range append([]format{formatText, formatJSON}, more...) {
		c.among = append(c.among, string(f))
	}
	cmd.Flags().Var(c, "format", "form of the answer")
	// It fails only for a flag that is not there.
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(c.among, cobra.ShellCompDirectiveNoFileComp))
	return &c.chosen
}

// date is the value of --date, a day of the calendar.
type date string

// String, Set and Type make a date the value of a flag.
func (d *date) String() string { return string(*d) }

// Set takes what was typed.
func (d *date) Set(s string) error {
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return errors.New("want a day of the calendar, YYYY-MM-DD")
	}
	*d = date(s)
	return nil
}

// Type names what help shows.
func (d *date) Type() string { return "YYYY-MM-DD" }

// dateFlag adds --date to a command.
func dateFlag(cmd *cobra.Command, usage string) *date {
	d := new(date)
	cmd.Flags().Var(d, "date", usage)
	_ = cmd.RegisterFlagCompletionFunc("date", cobra.NoFileCompletions) // fails only for a flag that is not there
	return d
}

// writeJSON writes the answer as one JSON object.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// table writes rows in columns, the first row a heading.
func table(w io.Writer, rows [][]string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		if _, err := fmt.Fprintln(t, strings.TrimRight(strings.Join(row, "\t"), "\t")); err != nil {
			return err
		}
	}
	return t.Flush()
}

// versionRow is a schema version in the answers of several commands.
type versionRow struct {
	ID          taxonomy.Version `json:"id"`
	Status      taxonomy.Status  `json:"status"`
	ContentHash taxonomy.Hash    `json:"content_hash"`
	Aliases     []string         `json:"aliases"`
	Categories  int              `json:"categories"`
	Elements    int              `json:"elements"`
	Symbols     int              `json:"symbols"`
}

func newVersionRow(e taxonomy.Entry, r *taxonomy.Release) versionRow {
	return versionRow{
		ID: e.ID, Status: e.Status, ContentHash: e.ContentHash, Aliases: e.Aliases,
		Categories: len(r.Categories()), Elements: len(r.Elements()), Symbols: len(r.SymbolIDs()),
	}
}

func versionTable(w io.Writer, rows []versionRow) error {
	text := [][]string{{"VERSION", "STATUS", "ELEMENTS", "CATEGORIES", "SYMBOLS", "CONTENT HASH", "ALIASES"}}
	for _, r := range rows {
		text = append(text, []string{
			r.ID.String(), string(r.Status), fmt.Sprint(r.Elements), fmt.Sprint(r.Categories), fmt.Sprint(r.Symbols),
			shortHash(r.ContentHash), strings.Join(r.Aliases, " "),
		})
	}
	return table(w, text)
}

// shortHash is enough of a hash to tell two apart by eye.
func shortHash(h taxonomy.Hash) string { return h.String()[:len("sha256-")+12] }

// count prints a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// printable takes out what could steer a terminal: source files are not trusted,
// and messages quote them.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) && !unicode.Is(unicode.Bidi_Control, r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// oneLine is printable for what must stay on its line, so that no name of a
// file can pass for a line of its own.
func oneLine(text string) string {
	return strings.ReplaceAll(printable(text), "\n", string(unicode.ReplacementChar))
}
