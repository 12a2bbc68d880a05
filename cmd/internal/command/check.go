package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/cmd/internal/audit"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy"
)

// checkAnswer is the output of `datachain check --format json`.
type checkAnswer struct{ audit.Answer }

func (a *checkAnswer) Good() bool { return a.OK }

func (a *checkAnswer) print(c *console.Console, _ string) error {
	return c.Printf("%s", a.Text(c.OutWidth()))
}

func checkCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Verify a published store, before or while it is served",
		Long: `Verify every byte that 'datachain serve' would serve from a store or a schema source, as it
would load it. It is for operators. Authors use 'validate' and 'schema lint' while they write, and
'documents check' before they publish.

Of each version: the content hash, that the archive has nothing else, that symbols are safe,
that icons can be drawn and those in the store are up to date, and that a stable version has
the content that it is bound to. Of documents in the store and in --documents: every edition,
and the settings. Of the store: that its sequence is possible, that the index of a bucket or
a server was not rolled back since a server on this machine cached it and, with --trust, that
everything follows from its signed log, that the log has nothing else, and that no entry has a
time in the future. Keys of the trust file must be valid now or, for an old copy, on the day
that --at names; nothing proves that the copy is of that day.

The exit code is 1 if there are problems or no versions, or if the store has no log that the
trust file accepts, and 2 if the source or store can't be read.`,
		Example: `  datachain check --store /srv/taxonomies
  datachain check --store https://datachain.example --format json
  datachain check --store backup --trust trust.json --at 2026-06-30`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON)
	from := c.Reads(cmd)
	from.OldCopies(cmd)
	var storeCache, docs string
	var acceptRemovals bool
	flags.Add(cmd,
		flags.New("store-cache", "directory in which a server caches a store at a URL or in a bucket (default in the user's cache directory)", flags.Dir(&storeCache)),
		flags.New("accept-removals", "do not fail if the index was rolled back, as for serve", flags.Switch(&acceptRemovals)),
		flags.New("documents", "also check the documents in this directory, as serve would show them", flags.Dir(&docs)),
	)
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, _ []string) (answer, error) {
		o := from.Options()
		o.StoreCache = storeCache
		return runCheck(cmd.Context(), c, from, o, acceptRemovals, docs)
	})
	return cmd
}

// runCheck verifies every version of a location, and documents. A server may have cached an index of it.
func runCheck(ctx context.Context, c *console.Console, from *console.Versions, o *stores.Options, acceptRemovals bool, documents string) (*checkAnswer, error) {
	last, err := stores.LastIndex(ctx, from.Location, o)
	if err != nil {
		return nil, err
	}
	problems := make(chan error, 1) // of the version that is being loaded
	o = from.Options()              // the present state is checked, and what was verified before, but no copies
	o.CacheDir = ""
	o.Report = func(err error) {
		select {
		case problems <- err:
		default:
		}
	}
	answer := &checkAnswer{audit.Answer{Versions: []audit.Checked{}}}
	var x *taxonomy.Index
	set, err := from.OpenAt(ctx, from.Location, o)
	if err == nil {
		x, err = set.Store.Index(ctx)
	}
	switch {
	case trust.Reason(err) != "" || errors.Is(err, layout.ErrSequence):
		problem := wording.Sentence(err.Error()) + "."
		if (errors.Is(err, trust.ErrExpired) || errors.Is(err, trust.ErrRollback)) && from.Claimed() == "" {
			problem += " For an old copy, name its day with --at."
		}
		answer.Problems = []string{problem}
		return answer, nil
	case err != nil:
		return nil, err
	}
	origins, err := stores.OpenDocuments("--documents ", []string{documents}, o)
	if err != nil {
		return nil, err
	}
	bar := c.Progress("checking")
	defer bar.End()
	bad := false
	found, err := audit.Store(ctx, set.Store, audit.Options{
		Trust: from.Trust, Log: stores.LogOf(set.Store, set.Log), Last: last, AcceptRemovals: acceptRemovals,
		Register: func() (*register.Register, error) { return set.Register(origins...) },
		Version: func(v *audit.Version) {
			select {
			case problem := <-problems:
				v.Problems = append(v.Problems, fmt.Sprintf("The release can't be opened quickly: %v.", problem))
			default:
			}
			answer.Versions = append(answer.Versions, audit.NewChecked(v))
			bad = bad || len(v.Problems) > 0
			bar.Update(len(answer.Versions), x.Len())
		},
	})
	if err != nil {
		return nil, err
	}
	answer.Problems, answer.Accepted, answer.Documents, answer.Editions = found.Problems, found.Accepted, found.Documents, found.Editions
	answer.Claimed = from.Claimed()
	answer.OK = set.Whole && x.Len() > 0 && !bad && len(found.Problems) == 0
	return answer, nil
}
