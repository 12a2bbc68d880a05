package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// listAnswer is what `datachain schema list --format json` prints.
type listAnswer struct {
	// OK means that no version was left out.
	OK       bool         `json:"ok"`
	Versions []versionRow `json:"versions"`
}

func (p *program) listCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the versions of a source or a store",
		Long: `List the versions of a source or a store, or without either those of the sample
taxonomies in this program.

Exits with 1 where versions of a source do not compile, and so are left out.`,
		Example: `  datachain schema list
  datachain schema list --store dist --format json`,
		Args:              takes(0),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	form := formatFlag(cmd)
	from := originFlags(cmd, "")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := from.check(cmd); err != nil {
			return err
		}
		s, err := p.openLibrary(cmd.Context(), *from)
		if err != nil {
			return err
		}
		defer s.close()
		x, err := s.Index(cmd.Context())
		if err != nil {
			return err
		}
		answer := listAnswer{OK: s.whole, Versions: []versionRow{}}
		for _, e := range x.Entries() {
			r, err := s.Release(cmd.Context(), e.ID)
			if err != nil {
				return err
			}
			answer.Versions = append(answer.Versions, newVersionRow(e, r))
		}
		return p.answer(*form, answer, answer.OK, func() error {
			if len(answer.Versions) == 0 {
				_, err := fmt.Fprintln(p.stdout, "no versions")
				return err
			}
			return versionTable(p.stdout, answer.Versions)
		})
	}
	return cmd
}
