package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

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

// formatFlag adds --format to a command, with more forms than text and JSON if
// it has them.
func formatFlag(cmd *cobra.Command, more ...format) *format {
	return formatAmong(cmd, "form of the answer", append([]format{formatText, formatJSON}, more...)...)
}

// formatAmong adds --format to a command, with the forms that it knows. The first
// is the default.
func formatAmong(cmd *cobra.Command, usage string, among ...format) *format {
	chosen := among[0]
	var words []string
	for _, f := range among {
		words = append(words, string(f))
	}
	cmd.Flags().Var(oneOf((*string)(&chosen), words...), "format", usage)
	// It fails only for a flag that is not there.
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	return &chosen
}

// dateFlag adds --date to a command.
func dateFlag(cmd *cobra.Command, usage string) *string {
	day := new(string)
	cmd.Flags().Var(dateValue(day), "date", usage)
	_ = cmd.RegisterFlagCompletionFunc("date", cobra.NoFileCompletions) // fails only for a flag that is not there
	return day
}

// answer prints what a command found out, in the form that was asked for, and
// ends it as that deserves: with 1 where it is not ok.
func (p *program) answer(form format, v any, ok bool, text func() error) error {
	write := text
	if form == formatJSON {
		write = func() error { return writeJSON(p.stdout, v) }
	}
	if err := write(); err != nil || ok {
		return err
	}
	return errFindings
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
