package console

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Versions opens the schema versions that the global flags of a command name. [Console.Reads] and its
// siblings add the flags; when the command runs, it is known where the versions are.
type Versions struct {
	*stores.Flags

	console *Console
}

// Reads makes a command read schema versions, without some of the global flags. If nothing names
// them, they are those of the project file, else those of the working directory if it is a schema
// source, else the samples.
func (c *Console) Reads(cmd *cobra.Command, without ...string) *Versions {
	c.flags.Read(cmd, without...)
	return c.Versions()
}

// ReadsLater makes a command read schema versions that it finds itself if nothing names them.
func (c *Console) ReadsLater(cmd *cobra.Command) *Versions {
	c.flags.ReadLater(cmd)
	return c.Versions()
}

// Requires makes a command use global flags of the command line only, the first of which are required.
func (c *Console) Requires(cmd *cobra.Command, required []string, others ...string) *Versions {
	c.flags.Require(cmd, required, others...)
	return c.Versions()
}

// Versions opens versions for a command without global flags, such as one that is given a schema source.
func (c *Console) Versions() *Versions { return &Versions{c.flags, c} }

// Open opens the versions. It says where they are if the command line does not, and which ones are left
// out.
func (v *Versions) Open(ctx context.Context) (*stores.Set, error) {
	return v.OpenAt(ctx, v.Location, nil)
}

// OpenAt opens a location as [Versions.Open] does. The options are those of [Versions.Options], or nil.
func (v *Versions) OpenAt(ctx context.Context, from stores.Location, o *stores.Options) (*stores.Set, error) {
	opened, err := v.OpenStore(ctx, from, o)
	if err != nil {
		return nil, err
	}
	v.Announce(from)
	for _, c := range opened.Broken {
		v.console.PrintError("%s is left out because it has %s; see '%s'", c.Version,
			wording.Count(len(c.Issues.With(issue.SeverityError)), "error"), report.Command("schema", "lint", opened.Source.Shown(source.Directory(c.Version))))
	}
	set := stores.NewSet(opened.Store)
	set.From, set.Log, set.Whole, set.Elsewhere = from, opened.Log, len(opened.Broken) == 0, stores.Elsewhere(from, v.Options())
	return set, nil
}

// OpenStore opens a location until the command ends. The options are those of [Versions.Options], or nil.
// Unless they say who hears of problems that do not change what is read, those about trust are printed.
func (v *Versions) OpenStore(ctx context.Context, l stores.Location, o *stores.Options) (*stores.Opened, error) {
	if o == nil {
		o = v.Options()
	}
	bar := v.console.Progress("compiling")
	defer bar.End()
	with := *o
	with.Progress = bar.Update
	if with.Report == nil {
		with.Report = func(err error) {
			if errors.Is(err, taxonomy.ErrRollback) || errors.Is(err, layout.ErrSequence) || trust.Reason(err) != "" {
				v.console.PrintError("%v", err)
			}
		}
	}
	opened, err := Await(ctx, func() (*stores.Opened, error) { return stores.Open(ctx, l, &with) })
	if err != nil {
		return nil, err
	}
	v.console.AtEnd(opened.Close)
	return opened, nil
}

// Announce says which versions are used, unless they were named on the command line.
func (v *Versions) Announce(l stores.Location) {
	if text := v.Announcement(l); text != "" {
		v.console.Say("%s", text)
	}
}

// Changed returns the schema source that a command changes (default the working directory).
func (v *Versions) Changed() stores.Location {
	return stores.Location{Schemas: cmp.Or(v.Location.Schemas, ".")}
}

// OpenSource opens the schema source that a directory is or belongs to, until the command ends.
func (v *Versions) OpenSource(l stores.Location) (*sources.Source, error) {
	a, err := l.OpenSource(v.console.Dir)
	if err == nil {
		v.console.AtEnd(func() { _ = a.Root.Close() }) // files are closed already
	}
	return a, err
}

// OpenArgument opens the schema source of [stores.Flags.Source], and says which one it is unless it is
// the argument or the working directory.
func (v *Versions) OpenArgument(args []string) (*sources.Source, error) {
	l, err := v.Source(strings.Join(args, ""))
	if err != nil {
		return nil, err
	}
	if l.By != "" {
		v.Announce(l)
	}
	return v.OpenSource(l)
}

// Options say how to open stores. A command can change them.
func (v *Versions) Options() *stores.Options {
	c := v.console
	o := &stores.Options{Dir: c.Dir, CacheDir: c.CacheDir, Buckets: c.Buckets, Bucket: v.Bucket, Trust: v.Trust}
	if c.CacheDir != "" && v.Claimed() == "" { // a log that is as old as was claimed is shorter than what was seen since
		o.SeenDir = filepath.Join(c.CacheDir, "datachain", "checkpoints")
	}
	return o
}

// Release opens the versions and returns the one that was typed or, if none was, the latest version of
// the only datachain type.
func (v *Versions) Release(cmd *cobra.Command, typed string) (*taxonomy.Release, error) {
	set, err := v.Open(cmd.Context())
	if err != nil {
		return nil, err
	}
	return ReleaseOf(cmd, set, typed)
}

// ReleaseOf returns a version as [Versions.Release] does, of versions that are open.
func ReleaseOf(cmd *cobra.Command, set *stores.Set, typed string) (*taxonomy.Release, error) {
	r, err := set.Release(cmd.Context(), typed)
	if errors.Is(err, stores.ErrSeveral) {
		err = usage.Error(cmd, "missing VERSION: %w", err)
	}
	return r, err
}
