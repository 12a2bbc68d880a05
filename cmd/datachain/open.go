package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/location"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/schemas"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/trust"
)

// open opens the location of the command. It says which one if the command line does not name it,
// and which versions are left out.
func (p *program) open(ctx context.Context) (*schemas.Set, error) { return p.openAt(ctx, p.From) }

func (p *program) openAt(ctx context.Context, from location.Location) (*schemas.Set, error) {
	opened, err := p.openStore(ctx, from)
	if err != nil {
		return nil, err
	}
	p.announce(from)
	for _, c := range opened.Broken {
		p.printError("%s is left out because it has %s; see 'datachain schema lint %s'", c.Version,
			wording.Count(len(c.Issues.With(issue.SeverityError)), "error"), opened.Source.Shown(source.Directory(c.Version)))
	}
	set := schemas.New(opened.Store)
	set.From, set.Whole, set.Elsewhere = from, len(opened.Broken) == 0, stores.Elsewhere(from, p.storeOptions())
	return set, nil
}

// openRelease opens the location of the command, and in it a version; see [schemas.Set.Release].
func (p *program) openRelease(cmd *cobra.Command, typed string) (*taxonomy.Release, error) {
	set, err := p.open(cmd.Context())
	if err != nil {
		return nil, err
	}
	return releaseOf(cmd, set, typed)
}

func releaseOf(cmd *cobra.Command, set *schemas.Set, typed string) (*taxonomy.Release, error) {
	r, err := set.Release(cmd.Context(), typed)
	if errors.Is(err, schemas.ErrSeveral) {
		err = usage.Error(cmd, "missing VERSION: %w", err)
	}
	return r, err
}

// storeOptions returns the options for opening stores.
func (p *program) storeOptions() *stores.Options {
	return &stores.Options{Dir: p.dir, CacheDir: p.cacheDir, Bucket: p.Bucket, Trust: p.Trust, SeenDir: p.seenDir}
}

// openStore opens a location for reading.
func (p *program) openStore(ctx context.Context, l location.Location) (*stores.Opened, error) {
	bar := p.progress("compiling")
	defer bar.End()
	o := p.storeOptions()
	o.Report, o.Progress = p.storeProblem, bar.Update
	if o.Report == nil {
		o.Report = func(err error) {
			if errors.Is(err, taxonomy.ErrRollback) || trust.Reason(err) != "" {
				p.printError("%v", err)
			}
		}
	}
	opened, err := await(ctx, func() (*stores.Opened, error) { return stores.Open(ctx, l, o) })
	if err != nil {
		return nil, err
	}
	p.atEnd(opened.Close)
	return opened, nil
}

// openSource opens the source that a directory is or belongs to.
func (p *program) openSource(typed string) (*sources.Source, error) {
	return p.openSourceAt(location.Location{Schemas: typed})
}

func (p *program) openSourceAt(l location.Location) (*sources.Source, error) {
	a, err := sources.Open(p.dir, l)
	if err == nil {
		p.atEnd(func() { _ = a.Root.Close() }) // files are closed already
	}
	return a, err
}

// openArgument opens the schema source of [global.Flags.Source], and says which one it is
// unless it is the argument or the working directory.
func (p *program) openArgument(args []string) (*sources.Source, error) {
	l, err := p.Source(strings.Join(args, ""))
	if err != nil {
		return nil, err
	}
	if l.By != "" {
		p.announce(l)
	}
	return p.openSourceAt(l)
}

// openChanged opens the store that a command changes.
func (p *program) openChanged(ctx context.Context) (*stores.Opened, error) {
	if p.From.Remote() && !p.From.Bucket() {
		return nil, fmt.Errorf("--store %s: %w", location.Redacted(p.From.Store), stores.ErrServer)
	}
	return p.openStore(ctx, p.From)
}

// changeStore changes the store that was named, with the key that was named, if any.
func (p *program) changeStore(ctx context.Context, change func(t publish.Target) (*publish.Report, error)) (*publish.Report, error) {
	key, err := p.signingKey(ctx)
	if err != nil {
		return nil, err
	}
	report, err := stores.Change(ctx, p.From, p.storeOptions(), key, change)
	if e, ok := errors.AsType[*fs.PathError](err); ok && e.Path == p.path(p.From.Store) {
		err = e.Err // the message names the store
	}
	if err != nil {
		return nil, fmt.Errorf("--store %s: %w", location.Redacted(p.From.Store), err)
	}
	return report, nil
}

// dirArgument returns the directory that a command was given.
func dirArgument(args []string) string {
	if len(args) == 0 {
		return "."
	}
	return args[0]
}

// compile compiles the part of a source that was named, or only some versions.
func (p *program) compile(ctx context.Context, a *sources.Source, only []string, published *sources.Published) (*source.Tree, error) {
	bar := p.progress("compiling")
	defer bar.End()
	return await(ctx, func() (*source.Tree, error) { return a.Compile(only, published, bar.Update) })
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
		return nil, errors.Join(report.WriteJSON(p.stdout, buildAnswer{findingsAnswer: answer, Versions: []schemas.Row{}}), errFindings)
	}
	if err := report.Text(p.stderr, a.Report(tree.Issues()), &report.Options{Color: bool(p.errStyle()), Width: excerptWidth(p.errWidth()), Group: true}); err != nil {
		return nil, err
	}
	if !answer.OK {
		p.printError("%s, %s: nothing was done", wording.Count(len(tree.Versions), "version"), answer.summary())
		return nil, errFindings
	}
	return tree, nil
}
