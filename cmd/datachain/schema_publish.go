package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/location"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/cmd/datachain/internal/sources"
	"github.com/datachain-go/datachain/cmd/datachain/internal/stores"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

// buildAnswer is the output of `datachain schema build --format json`.
type buildAnswer struct {
	findingsAnswer
	Versions []versionRow `json:"versions"`
	// Out is the directory that was written, if any.
	Out string `json:"out,omitempty"`
}

func (p *program) buildCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "build [DIR]",
		Short: "Compile a schema source into releases",
		Long: `Compile a schema source into releases and list them.

DIR is the root of a source, or the directory of a datachain type or a version in it.
The default is the working directory, or schemas of datachain.yaml. Findings are printed
on standard error, as lint does; nothing is built if there are errors.

With --out, the releases and their icons are written as a store that can be served or
copied. The directory must be empty or not exist; use publish to add to a store.`,
		Example: `  datachain schema build schemas
  datachain schema build schemas --schema-version ai@latest --out dist`,
		ValidArgsFunction: completeDir,
	}
	format, noIcons := formatFlag(cmd, formatText, formatJSON), noIconsFlag(cmd)
	versions := versionsFlag(cmd, "only this version; can be repeated", p.completeSource(p.sourceArgument))
	var out string
	flags.Add(cmd, flags.New("out", "write a store into this directory", flags.Dir(&out).Letter("o")))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if out != "" {
			if err := files.Vacant(p.path(out), ", or use 'datachain schema publish' to add to a store"); err != nil {
				return fmt.Errorf("--out %s: %w", out, err)
			}
		}
		a, err := p.openArgument(args)
		if err != nil {
			return err
		}
		tree, err := p.compileWhole(cmd.Context(), a, *versions, nil, *format)
		if err != nil {
			return err
		}
		answer := buildAnswer{findingsAnswer: newFindingsAnswer(a, tree), Out: out}
		if answer.Versions, err = rows(tree.Publications()); err != nil {
			return err
		}
		if out != "" {
			if err := p.writeStore(cmd.Context(), p.path(out), tree.Publications(), publishOptions(*noIcons, tree.Evolutions)); err != nil {
				return fmt.Errorf("--out %s: %w", out, err)
			}
		}
		return p.answer(*format, answer, true, func() error {
			if err := p.versionTable(answer.Versions); err != nil || out == "" {
				return err
			}
			return p.printf("\nWrote %s to %s.\n", wording.Count(len(answer.Versions), "version"), out)
		})
	}
	return cmd
}

// compile compiles the part of a source that was named, or only some versions.
func (p *program) compile(ctx context.Context, a *sources.Source, only []string, published *sources.Published) (*source.Tree, error) {
	bar := p.progress("compiling")
	defer bar.end()
	return await(ctx, func() (*source.Tree, error) { return a.Compile(only, published, bar.update) })
}

// compileWhole compiles a source and prints the findings. Errors end the command. Versions
// that were published elsewhere can be nil.
func (p *program) compileWhole(ctx context.Context, a *sources.Source, only []string, published *sources.Published, format string) (*source.Tree, error) {
	tree, err := p.compile(ctx, a, only, published)
	if err != nil {
		return nil, err
	}
	answer := newFindingsAnswer(a, tree)
	if format == formatJSON {
		if answer.OK {
			return tree, nil
		}
		return nil, errors.Join(report.WriteJSON(p.stdout, buildAnswer{findingsAnswer: answer, Versions: []versionRow{}}), errFindings)
	}
	if err := report.Text(p.stderr, a.Report(tree.Issues()), &report.Options{Color: bool(p.errStyle()), Width: excerptWidth(p.errWidth()), Group: true}); err != nil {
		return nil, err
	}
	if !answer.OK {
		p.complain("%s, %s: nothing was done", wording.Count(len(tree.Versions), "version"), answer.summary())
		return nil, errFindings
	}
	return tree, nil
}

// rows lists releases in the order of an index.
func rows(pubs []publish.Publication) ([]versionRow, error) {
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

// writeStore writes a store into a vacant directory.
func (p *program) writeStore(ctx context.Context, dir string, pubs []publish.Publication, o *publish.Options) error {
	return files.Fill(dir, func(dir string) error {
		bar := p.progress("writing")
		defer bar.end()
		o.Progress = bar.update
		_, err := stores.Change(ctx, location.Location{Store: dir}, new(stores.Options), nil, func(t publish.Target) (*publish.Report, error) {
			return publish.Publish(ctx, t, pubs, o)
		})
		return err
	})
}

// publishAnswer is the output of `datachain schema publish --format json`.
type publishAnswer struct {
	findingsAnswer
	Store    string             `json:"store"`
	Versions []publishedVersion `json:"versions"`
}

type publishedVersion struct {
	versionRow
	// Result is "new", "again" if the version was retired, "changed", "aliases",
	// "released" or "icons" if only those have changed, or "unchanged".
	Result string `json:"result"`
}

func (p *program) publishCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "publish [DIR] --store STORE",
		Short: "Compile a schema source and publish it into a store",
		Long: `Compile a schema source and publish it into a store: a directory, which is created if
it does not exist, or a bucket, which several publishers can use at the same time.

DIR is the root of a source, or the directory of a datachain type or a version in it.
The default is the working directory, or schemas of datachain.yaml. Findings are printed
on standard error, as lint does; nothing is published if there are errors. Ids are compared
with older versions in the store, too: one that was removed can't come back with another
meaning (id_reused).

Either all versions are published or none. Other versions in the store are kept. A
stable version never changes: different content is refused, even after the version
was retired. A retired version is published again only with --again.

A release is one ZIP archive with its symbols and icons, which any program can open.`,
		Example: `  datachain schema publish schemas --store dist
  datachain schema publish schemas --store dist --schema-version ai@2026-11-01-beta
  datachain schema publish schemas --store s3://releases/public --s3-region eu-central-1`,
		ValidArgsFunction: completeDir,
	}
	p.changes(cmd)
	format, noIcons := formatFlag(cmd, formatText, formatJSON), noIconsFlag(cmd)
	versions := versionsFlag(cmd, "only this version; can be repeated", p.completeSource(p.sourceArgument))
	again := switchFlag(cmd, "again", "publish versions again that were retired")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a, err := p.openArgument(args)
		if err != nil {
			return err
		}
		published, err := p.publishedBefore(cmd.Context(), a)
		if err != nil {
			return err
		}
		tree, err := p.compileWhole(cmd.Context(), a, *versions, published, *format)
		if err != nil {
			return err
		}
		answer := publishAnswer{findingsAnswer: newFindingsAnswer(a, tree), Store: p.from.Store}
		pubs := tree.Publications()
		for i := range pubs {
			pubs[i].Again = *again
		}
		if answer.Versions, err = p.publish(cmd.Context(), pubs, publishOptions(*noIcons, tree.Evolutions)); err != nil {
			return err
		}
		return p.answer(*format, answer, true, func() error { return p.table(answer.rows()) })
	}
	return cmd
}

// publishedBefore returns the versions of the store that a source lacks, with which its ids
// are compared.
func (p *program) publishedBefore(ctx context.Context, a *sources.Source) (*sources.Published, error) {
	if !p.from.Bucket() && (p.from.Remote() || !location.IsStore(p.path(p.from.Store))) {
		return nil, nil
	}
	opened, err := p.openStore(ctx, p.from)
	switch {
	case ctx.Err() != nil || errors.Is(err, stores.ErrNoStore):
		return nil, ctx.Err()
	case err != nil: // publishing can repair it
		p.complain("ids are not compared with those of published versions: %v", err)
		return nil, nil
	}
	return a.Published(ctx, opened.Store, func(v taxonomy.Version, err error) {
		if errors.Is(err, sources.ErrUnknownIDs) {
			p.complain("ids are not compared with those of %s, which are unknown: %v; if it removed ids, record that in evolution.yaml", v, err)
			return
		}
		p.complain("ids are not compared with those of %s, which can't be read: %v", v, err)
	})
}

// rows returns the table of what was published.
func (a *publishAnswer) rows() [][]string {
	rows := [][]string{{"VERSION", "HASH", "RESULT"}}
	for _, v := range a.Versions {
		rows = append(rows, []string{v.ID.String(), shortHash(v.ContentHash), v.Result})
	}
	return rows
}

// publish publishes into a store and compares it with what was there before.
func (p *program) publish(ctx context.Context, pubs []publish.Publication, o *publish.Options) ([]publishedVersion, error) {
	report, err := p.publishInto(ctx, pubs, o)
	switch {
	case errors.Is(err, taxonomy.ErrStableChanged):
		return nil, advise(err, "Publish the new content as a new version; 'datachain schema new TYPE' drafts one.")
	case errors.Is(err, publish.ErrRetired):
		return nil, advise(err, "Remove what was retired from the source, choose what to publish with --schema-version,\nor publish it again with --again.")
	case err != nil:
		return nil, err
	}
	list := []publishedVersion{}
	for _, pub := range pubs {
		now, _ := report.Index.Lookup(pub.Release.Version().Ref())
		row := publishedVersion{newVersionRow(now, pub.Release), "new"}
		if _, retired := report.Before.LookupRetired(now.ID); retired {
			row.Result = "again"
		}
		if then, listed := report.Before.Lookup(now.ID.Ref()); listed {
			switch {
			case then.ContentHash != now.ContentHash:
				row.Result = "changed"
			case !slices.Equal(then.Aliases, now.Aliases):
				row.Result = "aliases"
			case then.Released != now.Released:
				row.Result = "released"
			case then.Archive != now.Archive:
				row.Result = "icons"
			default:
				row.Result = "unchanged"
			}
		}
		list = append(list, row)
	}
	return list, nil
}

// publishInto publishes into the store.
func (p *program) publishInto(ctx context.Context, pubs []publish.Publication, o *publish.Options) (*publish.Report, error) {
	bar := p.progress("publishing")
	defer bar.end()
	o.Progress = bar.update
	return p.changeStore(ctx, func(t publish.Target) (*publish.Report, error) {
		return publish.Publish(ctx, t, pubs, o)
	})
}

// promoteAnswer is the output of `datachain schema promote --format json`.
type promoteAnswer struct {
	OK          bool             `json:"ok"`
	From        taxonomy.Version `json:"from"`
	To          taxonomy.Version `json:"to"`
	ContentHash taxonomy.Hash    `json:"content_hash"`
	// Folder is the directory of the new version in the source, Store the store
	// that it was published into. One of them is set.
	Folder string `json:"folder,omitempty"`
	Store  string `json:"store,omitempty"`
	// KeptAliases are declared by the beta version and stay with it.
	KeptAliases []string `json:"kept_aliases,omitempty"`
}

func (p *program) promoteCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "promote VERSION",
		Short: "Make a beta version stable",
		Long: `Make a beta version stable: publish the same content, with the same content hash,
under a stable version id, which never changes again. The beta version is kept.

In a source, the directory is copied without the declared aliases, if it has no lint
errors. In a store, the release is published again, with its icons. --schemas or --store
says which (default the working directory).`,
		Example: `  datachain schema promote ai@2026-11-01-beta --schemas schemas
  datachain schema promote ai@latest-beta --store dist --date 2026-12-01`,
	}
	format := formatFlag(cmd, formatText, formatJSON)
	p.changes(cmd, "schemas")
	noIcons, day := noIconsFlag(cmd), dateFlag(cmd, "date of the stable version (default that of the beta version)")
	cmd.ValidArgsFunction = p.completeVersions(1)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var answer *promoteAnswer
		var err error
		if p.from.Store != "" {
			answer, err = p.promoteInStore(cmd.Context(), args[0], *day, *noIcons)
		} else {
			answer, err = p.promoteSource(cmd.Context(), p.schemas(), args[0], *day, *format)
			if (errors.Is(err, sources.ErrNoSource) || errors.Is(err, sources.ErrIsStore)) && p.from.Schemas == "" {
				err = badUsage(cmd, "the working directory is not a schema source: name one with --schemas, or a store with --store")
			}
		}
		if err != nil {
			return err
		}
		return p.answer(*format, answer, true, func() error { return p.printf("%s", answer.text()) })
	}
	return cmd
}

func (a *promoteAnswer) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Promoted %s to %s in %s.\nContent hash: %s\n", a.From, a.To, cmp.Or(a.Folder, a.Store), a.ContentHash)
	if len(a.KeptAliases) > 0 {
		fmt.Fprintf(&b, "These aliases stay with %s: %s.\n", a.From, strings.Join(a.KeptAliases, ", "))
	}
	return b.String()
}

// stableOf returns the version that a beta version becomes.
func stableOf(v taxonomy.Version, date string) (taxonomy.Version, error) {
	if v.Status() != taxonomy.Beta {
		return taxonomy.Version{}, fmt.Errorf("%s is already stable", v)
	}
	return taxonomy.NewVersion(v.Type(), cmp.Or(date, v.Date()), taxonomy.Stable)
}

func (p *program) promoteSource(ctx context.Context, schemas, typed, date string, format string) (*promoteAnswer, error) {
	a, err := p.openSource(schemas)
	if err != nil {
		return nil, err
	}
	a.Within = "" // the version is named by its id, not by its directory
	beta, err := a.Find(typed)
	if err != nil {
		return nil, err
	}
	stable, err := stableOf(beta, date)
	if err == nil {
		err = a.Absent(stable)
	}
	if err != nil {
		return nil, err
	}
	tree, err := p.compileWhole(ctx, a, []string{beta.String()}, nil, format)
	if err != nil {
		return nil, err
	}
	compiled := tree.Versions[0]
	files, err := write.Promotion(a.Root.FS(), beta)
	if err != nil {
		return nil, err
	}
	same := func(written fs.FS) error {
		again, err := source.Compile(written, stable, nil)
		switch {
		case err != nil:
			return err
		case again.Release == nil:
			return fmt.Errorf("%s does not compile: %v", stable, again.Issues[0])
		case again.Release.ContentHash() != compiled.Release.ContentHash():
			return fmt.Errorf("%s: %w: it differs from %s", stable, taxonomy.ErrHashMismatch, beta)
		}
		return nil
	}
	if err := a.Install(ctx, sources.Addition{ID: stable, Files: files}, same); err != nil {
		return nil, err
	}
	return &promoteAnswer{
		OK: true, From: beta, To: stable, ContentHash: compiled.Release.ContentHash(),
		Folder: a.Shown(source.Directory(stable)), KeptAliases: compiled.Aliases,
	}, nil
}

func (p *program) promoteInStore(ctx context.Context, typed, date string, noIcons bool) (*promoteAnswer, error) {
	s, err := p.openChanged(ctx)
	if err != nil {
		return nil, err
	}
	opened, err := newSchemaSet(s.Store).Open(ctx, typed)
	if err != nil {
		return nil, err
	}
	beta := opened.Release()
	stable, err := stableOf(beta.Version(), date)
	if err != nil {
		return nil, err
	}
	x, err := s.Index(ctx)
	if err != nil {
		return nil, err
	}
	if _, listed := x.Lookup(stable.Ref()); listed {
		return nil, fmt.Errorf("%s already exists: choose another --date", stable)
	}
	was, _ := x.Lookup(beta.Version().Ref())
	release, err := beta.WithVersion(stable)
	if err != nil {
		return nil, err
	}
	_, err = p.publishInto(ctx, []publish.Publication{{Release: release, Released: promotedOn(was, stable)}}, publishOptions(noIcons, nil))
	if errors.Is(err, publish.ErrRetired) || errors.Is(err, taxonomy.ErrStableChanged) {
		return nil, advise(err, "Choose another --date.")
	}
	if err != nil {
		return nil, err
	}
	return &promoteAnswer{OK: true, From: beta.Version(), To: stable, ContentHash: release.ContentHash(), Store: p.from.Store}, nil
}

// promotedOn returns the day on which a stable version was released, if that of its beta
// version is known: a version is not released before the date in its id.
func promotedOn(beta taxonomy.Entry, stable taxonomy.Version) string {
	if beta.Released == "" {
		return ""
	}
	return max(beta.Released, stable.Date())
}
