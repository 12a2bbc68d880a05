package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/adapters/report"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/publish"
	"github.com/datachain-go/datachain/taxonomy/source"
)

// buildAnswer is what `datachain schema build --format json` prints.
type buildAnswer struct {
	findingsAnswer
	Versions []versionRow `json:"versions"`
	// Out is the folder that was written, if any.
	Out string `json:"out,omitempty"`
}

func (p *program) buildCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "build [DIR]",
		Short: "Compile a schema source into releases",
		Long: `Compile a schema source into releases, and show what they are.

DIR is the root of a source tree, the folder of a datachain type or the folder of
one version; without it, the working folder. Findings are printed as lint does,
on standard error; errors refuse the build.

With --out the releases are written, with their icons, as a store that can be served
or copied anywhere. The folder must not exist, or be empty; to add to a store,
publish.`,
		Example: `  datachain schema build schemas
  datachain schema build schemas --version ai@latest --out dist`,
		Args:              takes(0, "DIR"),
		ValidArgsFunction: completeDir,
	}
	p.sourceIsArgument(cmd)
	form := formatFlag(cmd)
	out := cmd.Flags().String("out", "", "write the published layout into this `folder`")
	versions := cmd.Flags().StringArray("version", nil, "only this `version`; may be repeated")
	noIcons := noIconsFlag(cmd)
	dirFlag(cmd, "out")
	p.versionFlag(cmd, "version", func(args []string) origin { return origin{schemas: dirArgument(args)} })
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *out != "" {
			if err := vacant(p.path(*out), ", or use 'datachain schema publish' to add to a store"); err != nil {
				return fmt.Errorf("--out %s: %w", *out, err)
			}
		}
		a, err := p.openAuthoring(dirArgument(args))
		if err != nil {
			return err
		}
		defer a.close()
		tree, err := p.compileWhole(cmd.Context(), a, *versions, *form)
		if err != nil {
			return err
		}
		answer := buildAnswer{findingsAnswer: newFindingsAnswer(a, tree), Out: *out}
		if answer.Versions, err = rows(tree.Publications()); err != nil {
			return err
		}
		if *out != "" {
			if err := p.writeStore(cmd.Context(), p.path(*out), tree.Publications(), bakery(*noIcons)); err != nil {
				return fmt.Errorf("--out %s: %w", *out, err)
			}
		}
		return p.answer(*form, answer, true, func() error {
			if err := versionTable(p.stdout, answer.Versions); err != nil || *out == "" {
				return err
			}
			_, err := fmt.Fprintf(p.stdout, "\nWrote %s into %s.\n", prose.Count(len(answer.Versions), "version"), *out)
			return err
		})
	}
	return cmd
}

// compileWhole compiles and shows the findings. Where there are errors they are
// the answer.
func (p *program) compileWhole(ctx context.Context, a *authoring, only []string, form format) (*source.Tree, error) {
	tree, err := p.compile(ctx, a, only)
	if err != nil {
		return nil, err
	}
	answer := newFindingsAnswer(a, tree)
	if form == formatJSON {
		if answer.OK {
			return tree, nil
		}
		return nil, errors.Join(writeJSON(p.stdout, buildAnswer{findingsAnswer: answer, Versions: []versionRow{}}), errFindings)
	}
	if err := report.Text(p.stderr, a.report(tree), &report.Options{Color: bool(p.errStyle())}); err != nil {
		return nil, err
	}
	if !answer.OK {
		p.complain("%s, %s: nothing was done", prose.Count(len(tree.Versions), "version"), answer.summary())
		return nil, errFindings
	}
	return tree, nil
}

// rows lists releases as an index would.
func rows(pubs []taxonomy.Publication) ([]versionRow, error) {
	entries := make([]taxonomy.Entry, len(pubs))
	releases := make(map[taxonomy.Version]*taxonomy.Release, len(pubs))
	for i, pub := range pubs {
		entries[i] = pub.Entry()
		releases[entries[i].ID] = pub.Release
	}
	x, err := taxonomy.NewIndex(entries)
	if err != nil {
		return nil, err
	}
	list := []versionRow{}
	for _, e := range x.Entries() {
		list = append(list, newVersionRow(e, releases[e.ID]))
	}
	return list, nil
}

// vacant makes sure that a folder can be made, or filled: that it is not there,
// or empty. The error ends in what can be done besides naming another.
func vacant(dir, instead string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return errors.New(reason(err))
	case len(entries) > 0:
		return errors.New("the folder is not empty: name another one" + instead)
	}
	return nil
}

// writeStore makes a store in a vacant folder, whole or not at all.
func (p *program) writeStore(ctx context.Context, dir string, pubs []taxonomy.Publication, icon publish.IconFunc) error {
	return whole(dir, func(temp string) error {
		bar := p.progress("writing")
		defer bar.end()
		_, err := changeStore(ctx, temp, func(t publish.Target) (*publish.Report, error) {
			return publish.Publish(ctx, t, pubs, &publish.Options{Icon: icon, SearchIndex: searchIndex, Progress: bar.update})
		})
		return err
	})
}

// whole fills a vacant folder, wholly or not at all: write gets another one that
// takes its place in the end. A folder that is there stays the same one, since it
// may be a mounted volume, or somebody's working folder: what is written into one
// inside it moves up in the end.
func whole(dir string, write func(temp string) error) (err error) {
	dir = followed(dir)
	at := dir
	_, missing := os.Stat(dir)
	if missing != nil {
		at = filepath.Dir(dir)
		if err := os.MkdirAll(at, 0o777); err != nil {
			return errors.New(reason(err))
		}
	}
	temp, err := os.MkdirTemp(at, ".datachain-*")
	if err != nil {
		return fmt.Errorf("can't write into %s: %s", at, reason(err))
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	// A folder in the temporary one, which nobody else may read.
	inner := filepath.Join(temp, "new")
	if err := os.Mkdir(inner, 0o777); err != nil {
		return err
	}
	if err := write(inner); err != nil {
		return err
	}
	if missing != nil {
		return os.Rename(inner, dir)
	}
	return moveUp(inner, dir)
}

// moveUp moves what is in a folder into another: folders first, so that the
// index of a store comes last.
func moveUp(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, folders := range []bool{true, false} {
		for _, e := range entries {
			if e.IsDir() != folders {
				continue
			}
			if err := os.Rename(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
