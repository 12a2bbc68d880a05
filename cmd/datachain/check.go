package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/datachain/internal/audit"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/cmd/datachain/internal/stores"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/trust"
)

// checkAnswer is the output of `datachain check --format json`.
type checkAnswer struct {
	outcome
	Versions []checkedVersion `json:"versions"`
	// Problems are those of the store as a whole.
	Problems []string `json:"problems,omitempty"`
	// Accepted is why the index goes back, with --accept-removals.
	Accepted string `json:"accepted,omitempty"`
	// Documents is how many documents there are, and Editions how many texts of
	// them were verified.
	Documents int `json:"documents,omitzero"`
	Editions  int `json:"editions,omitzero"`
}

// checkedVersion is a version and its problems. Counts are 0 if the release could
// not be loaded.
type checkedVersion struct {
	versionRow
	Locales int `json:"locales"`
	Icons   int `json:"icons"`
	// BakedIcons is how many of them the store has; the others are drawn on
	// demand.
	BakedIcons int      `json:"baked_icons"`
	Problems   []string `json:"problems"`
}

func (p *program) checkCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Verify every byte of a store or source, as a server would load it",
		Long: `Verify everything that 'datachain serve' would serve from a store or a schema source. It is
for operators; use 'documents check' for documents that are not published yet, and 'schema
lint' for the source of a taxonomy.

Of each version: the content hash, the archive, that symbols are safe, that icons can be
drawn and those in the store are up to date, and that a stable version has the content that
it is bound to. Of documents in the store and in --documents: every edition. Of the store:
that the index of a bucket or a server was not rolled back since a server on this machine
cached it and, with --trust, that everything follows from its signed log, and that no entry
of the log has a time in the future.

The exit code is 1 if there are problems or no versions, or if the store has no log that the
trust file accepts, and 2 if the source or store can't be read.`,
		Example: `  datachain check --store /srv/taxonomies
  datachain check --store https://datachain.example --format json`,
	}
	format := formatFlag(cmd, formatText, formatJSON)
	p.Read(cmd)
	var storeCache, docs string
	var acceptRemovals bool
	flags.Add(cmd,
		flags.New("store-cache", "directory in which a server caches a store at a URL or in a bucket (default in the user's cache directory)", flags.Dir(&storeCache)),
		flags.New("accept-removals", "do not fail if the index was rolled back, as for serve", flags.Switch(&acceptRemovals)),
		flags.New("documents", "also check the documents in this directory, as serve would show them", flags.Dir(&docs)),
	)
	cmd.RunE = p.answers(format, func(cmd *cobra.Command, _ []string) (answer, error) {
		return p.check(cmd.Context(), storeCache, acceptRemovals, docs)
	})
	return cmd
}

// check verifies every version of a location. A server may have cached an index of it.
func (p *program) check(ctx context.Context, storeCache string, acceptRemovals bool, docs string) (*checkAnswer, error) {
	o := p.storeOptions()
	o.StoreCache = storeCache
	last, err := stores.LastIndex(ctx, p.From, o)
	if err != nil {
		return nil, err
	}
	problems := make(chan error, 1) // of the version that is being loaded
	p.storeProblem = func(err error) {
		select {
		case problems <- err:
		default:
		}
	}
	p.cacheDir = "" // its present state is checked, and what was verified before
	answer := &checkAnswer{Versions: []checkedVersion{}}
	var x *taxonomy.Index
	set, err := p.open(ctx)
	if err == nil {
		x, err = set.Store.Index(ctx)
	}
	switch {
	case trust.Reason(err) != "":
		answer.Problems = []string{wording.Sentence(err.Error()) + "."}
		return answer, nil
	case err != nil:
		return nil, err
	}
	origins, err := p.documentsOrigin(docs)
	if err != nil {
		return nil, err
	}
	bar := p.progress("checking")
	defer bar.end()
	bad := false
	found, err := audit.Store(ctx, set.Store, audit.Options{
		Trust: p.Trust, Log: stores.LogOf(set.Store), Last: last, AcceptRemovals: acceptRemovals,
		Register: func() (*register.Register, error) { return set.Register(origins...) },
		Version: func(v *audit.Version) {
			select {
			case problem := <-problems:
				v.Problems = append(v.Problems, fmt.Sprintf("The release can't be opened quickly: %v.", problem))
			default:
			}
			answer.Versions = append(answer.Versions, newCheckedVersion(v))
			bad = bad || len(v.Problems) > 0
			bar.update(len(answer.Versions), x.Len())
		},
	})
	if err != nil {
		return nil, err
	}
	answer.Problems, answer.Accepted, answer.Documents, answer.Editions = found.Problems, found.Accepted, found.Documents, found.Editions
	answer.OK = set.Whole && x.Len() > 0 && !bad && len(found.Problems) == 0
	return answer, nil
}

func newCheckedVersion(v *audit.Version) checkedVersion {
	c := checkedVersion{
		versionRow: versionRow{ID: v.ID, Status: v.Status, ContentHash: v.ContentHash, Aliases: v.Aliases, Released: v.Released, State: v.State},
		Icons:      v.Icons, BakedIcons: v.BakedIcons, Problems: append([]string{}, v.Problems...),
	}
	if v.Release != nil {
		c.versionRow, c.Locales = newVersionRow(v.Entry, v.Release), len(v.Release.Locales())
	}
	return c
}

// maxProblems is how many problems of a version are printed for people.
const maxProblems = 20

func (a *checkAnswer) print(p *program, _ string) error {
	var problems []string
	for _, problem := range append(slices.Clip(a.Problems), a.Accepted) {
		if problem != "" {
			problems = append(problems, wording.Line(problem))
		}
	}
	if len(a.Versions) == 0 && len(problems) == 0 {
		problems = []string{"no versions"}
	}
	if len(a.Versions) == 0 {
		return p.printf("%s\n", report.Wrap(strings.Join(problems, "\n"), p.outWidth()))
	}
	rows := [][]string{{"VERSION", "ELEMENTS", "ICONS", "BAKED", "HASH", "RESULT"}}
	bad := 0
	for _, v := range a.Versions {
		result := "ok"
		if len(v.Problems) > 0 {
			result = wording.Count(len(v.Problems), "problem")
			bad++
		}
		rows = append(rows, []string{
			v.ID.String(), fmt.Sprint(v.Elements), fmt.Sprint(v.Icons), fmt.Sprint(v.BakedIcons), report.ShortHash(v.ContentHash), result,
		})
		for _, problem := range v.Problems[:min(len(v.Problems), maxProblems)] {
			problems = append(problems, wording.Line(v.ID.String()+": "+problem))
		}
		if more := len(v.Problems) - maxProblems; more > 0 {
			problems = append(problems, fmt.Sprintf("%s: and %d more", v.ID, more))
		}
	}
	if err := p.table(rows); err != nil {
		return err
	}
	summary := wording.Count(len(a.Versions), "version")
	if a.Documents > 0 {
		summary += fmt.Sprintf(", %s, %s", wording.Count(a.Documents, "document"), wording.Count(a.Editions, "edition"))
	}
	switch {
	case bad > 0:
		summary += fmt.Sprintf(", %d with problems", bad)
	case len(a.Problems) > 0:
		summary += " without problems, but the store has some"
	case !a.OK:
		summary += " without problems; others do not compile"
	default:
		summary += ", no problems"
	}
	return p.printf("\n%s\n", report.Wrap(strings.Join(append(problems, summary), "\n"), p.outWidth()))
}
