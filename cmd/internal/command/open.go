package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/location"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/schemas"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

// openRelease opens the location of the command, and in it a version; see [schemas.Set.Release].
func (p *program) openRelease(cmd *cobra.Command, typed string) (*taxonomy.Release, error) {
	set, err := p.Open(cmd.Context())
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

// openArgument opens the schema source of [global.Flags.Source], and says which one it is
// unless it is the argument or the working directory.
func (p *program) openArgument(args []string) (*sources.Source, error) {
	l, err := p.Source(strings.Join(args, ""))
	if err != nil {
		return nil, err
	}
	if l.By != "" {
		p.Announce(l)
	}
	return p.OpenSourceAt(l)
}

// openChanged opens the store that a command changes.
func (p *program) openChanged(ctx context.Context) (*stores.Opened, error) {
	if p.From.Remote() && !p.From.Bucket() {
		return nil, fmt.Errorf("--store %s: %w", location.Redacted(p.From.Store), stores.ErrServer)
	}
	return p.OpenStore(ctx, p.From)
}

// changeStore changes the store that was named, with the key that was named, if any.
func (p *program) changeStore(ctx context.Context, change func(t publish.Target) (*publish.Report, error)) (*publish.Report, error) {
	key, err := p.signingKey(ctx)
	if err != nil {
		return nil, err
	}
	report, err := stores.Change(ctx, p.From, p.StoreOptions(), key, change)
	if e, ok := errors.AsType[*fs.PathError](err); ok && e.Path == p.Path(p.From.Store) {
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
	bar := p.Progress("compiling")
	defer bar.End()
	return console.Await(ctx, func() (*source.Tree, error) { return a.Compile(only, published, bar.Update) })
}

// compileWhole compiles a source and prints the findings. Errors end the command. Versions
// that were published elsewhere can be nil.
func (p *program) compileWhole(ctx context.Context, a *sources.Source, only []string, published *sources.Published, format string) (*source.Tree, error) {
	tree, err := p.compile(ctx, a, only, published)
	if err != nil {
		return nil, err
	}
	answer := console.NewFindings(a, tree)
	if format == formatJSON {
		if answer.OK {
			return tree, nil
		}
		return nil, errors.Join(report.WriteJSON(p.Stdout, struct {
			console.Findings
			Versions []schemas.Row `json:"versions"`
		}{answer, []schemas.Row{}}), console.ErrFindings)
	}
	if err := report.Text(p.Stderr, a.Report(tree.Issues()), &report.Options{Color: bool(p.ErrStyle()), Width: p.ErrExcerpt(), Group: true}); err != nil {
		return nil, err
	}
	if !answer.OK {
		p.PrintError("%s, %s: nothing was done", wording.Count(len(tree.Versions), "version"), answer.Summary())
		return nil, console.ErrFindings
	}
	return tree, nil
}
