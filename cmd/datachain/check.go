package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/internal/registers"
	"github.com/datachain-go/datachain/internal/report"
	"github.com/datachain-go/datachain/internal/signedlog"
	"github.com/datachain-go/datachain/internal/stores"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/ledger"
)

// checkAnswer is the output of `datachain check --format json`.
type checkAnswer struct {
	OK       bool             `json:"ok"`
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
		Short: "Verify everything that a server would serve",
		Long: `Load every version of a schema source or a store, as serve does, and verify it: that
the content hash is right, that packs fit their releases, that symbols are safe, that
icons can be drawn, that icons in the store are up to date, that
stable versions have the content that they are bound to, and that the index of a bucket
or a server was not rolled back since a server on this machine cached it. Every edition of
the documents that were published into the store is verified, too. With --documents, the
documents in a directory are checked as well. With --trust, everything must follow from the
signed log of the store, and no entry of it may have a time in the future.

The source or store is chosen as for serve: with flags, DATACHAIN_STORE or
DATACHAIN_SCHEMAS, or the project file datachain.yaml.

The exit code is 1 if there are problems or no versions, also if the store has no log that
the trust file accepts, and 2 if the source or store can't be read.`,
		Example: `  datachain check --store /srv/taxonomies
  datachain check --store https://datachain.example --format json`,
	}
	format := formatFlag(cmd, formatText, formatJSON)
	from := p.locationFlags(cmd)
	var seen seenIndex
	cmd.Flags().StringVar(&seen.dir, "store-cache", "", "`dir`ectory in which a server caches a store at a URL or in a bucket (default in the user's cache directory)")
	cmd.Flags().BoolVar(&seen.accept, "accept-removals", false, "do not fail if the index was rolled back, as for serve")
	docs := cmd.Flags().String("documents", "", "also check the documents in this `dir`ectory, as serve would show them")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		answer, err := p.check(cmd.Context(), *from, seen, *docs)
		if err != nil {
			return err
		}
		return p.answer(*format, answer, answer.OK, func() error { return answer.print(p) })
	}
	return cmd
}

// seenIndex is where to find the index that a server has seen, and whether the present
// one may go back from it.
type seenIndex struct {
	dir    string
	accept bool
}

// read returns the index of a remote store that a server has cached, or nil if there is none.
func (s seenIndex) read(ctx context.Context, p *program, from stores.Location) (*taxonomy.Index, error) {
	dir := p.path(s.dir)
	if s.dir == "" {
		dir = filepath.Join(p.cacheDir, "datachain", "stores")
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || s.dir == "" && p.cacheDir == "" || !from.Remote() {
		return nil, nil // nothing was cached
	}
	opened, err := stores.Open(ctx, from, &stores.Options{
		Dir: p.dir, CacheDir: p.cacheDir, StoreCache: s.dir, Bucket: p.access(), Follow: true, Refresh: -1,
	})
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	x, err := opened.Fallback.Index(ctx)
	if errors.Is(err, taxonomy.ErrNotFound) {
		return nil, nil
	}
	return x, err
}

// check verifies every version of a location.
func (p *program) check(ctx context.Context, from stores.Location, seen seenIndex, docs string) (*checkAnswer, error) { //nolint:funlen // one check after the other
	last, err := seen.read(ctx, p, from)
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
	schemas, err := p.open(ctx, from)
	if err == nil {
		x, err = schemas.store.Index(ctx)
	}
	switch {
	case ledger.Reason(err) != "":
		answer.Problems = []string{prose.Sentence(err.Error()) + "."}
		return answer, nil
	case err != nil:
		return nil, err
	}
	answer.OK = schemas.whole && x.Len() > 0
	if p.trust != nil {
		if err := checkLog(ctx, schemas.store, p.trust, answer); err != nil {
			return nil, err
		}
	}
	if err := published.CheckIndex(last, x); err != nil && seen.accept {
		answer.Accepted = prose.Sentence(err.Error()) + "; a server accepts this at one start with --accept-removals."
	} else if err != nil {
		answer.Problems = append(answer.Problems, prose.Sentence(err.Error())+
			". A server with this cache serves the index before it: restore the index, or accept it at one start with --accept-removals.")
	}
	for _, r := range x.Retired() {
		if problem := checkBound(ctx, schemas.store, r.ID, r.ContentHash); problem != "" {
			answer.Problems = append(answer.Problems, r.ID.String()+" (retired): "+problem)
		}
	}
	if err := p.checkDocuments(ctx, schemas, docs, answer); err != nil {
		return nil, err
	}
	answer.OK = answer.OK && len(answer.Problems) == 0
	bar := p.progress("checking")
	defer bar.end()
	for i, e := range x.Entries() {
		v, err := checkVersion(ctx, schemas.store, e)
		if err != nil {
			return nil, err
		}
		select {
		case problem := <-problems:
			v.found("The release can't be opened quickly: %v.", problem)
		default:
		}
		answer.Versions = append(answer.Versions, v)
		answer.OK = answer.OK && len(v.Problems) == 0
		bar.update(i+1, x.Len())
	}
	return answer, nil
}

// checkLog replays the whole log of a store, whose checkpoint was verified: the index may follow
// from fewer entries. No entry may be in the future; they are in the order of their times.
func checkLog(ctx context.Context, store taxonomy.Store, trust *ledger.Trust, answer *checkAnswer) error {
	read := stores.LogOf(store)
	if read == nil {
		return nil
	}
	text, err := read(ctx, signedlog.CheckpointFile)
	if err != nil {
		return err
	}
	c, err := signedlog.ParseCheckpoint(text)
	if err != nil {
		return err
	}
	entries, err := signedlog.NewLog(c, read).Entries(ctx, 0, c.Size)
	state, now := new(signedlog.State), time.Now()
	for _, e := range entries {
		if err == nil {
			err = state.Apply(e)
		}
	}
	if err == nil { // not by a key that the log has replaced
		_, err = signedlog.Open(signedlog.WithKeys(trust, 0, entries...), text, now)
	}
	switch {
	case ledger.Reason(err) != "":
		answer.Problems = append(answer.Problems, prose.Sentence(err.Error())+".")
	case err != nil:
		return err
	case len(entries) > 0 && entries[len(entries)-1].Time.Sub(now) > signedlog.ClockTolerance:
		answer.Problems = append(answer.Problems, fmt.Sprintf(
			"The last entry of the log is of %s, which is in the future: the clock of its publisher was wrong, or that of this machine is, which shows %s.",
			entries[len(entries)-1].Time.Format(time.RFC3339), now.UTC().Format(time.RFC3339)))
	}
	return nil
}

// checkDocuments reads every edition of the documents in the store and in a directory.
func (p *program) checkDocuments(ctx context.Context, schemas *schemaSet, dir string, answer *checkAnswer) error {
	var origins []registers.Origin
	if dir != "" {
		origin, err := p.openDocuments(dir)
		if err != nil {
			return fmt.Errorf("--documents %s: %w", dir, err)
		}
		origins = append(origins, origin)
	}
	r, err := schemas.register(origins...)
	if err != nil && ctx.Err() == nil {
		answer.Problems = append(answer.Problems, prose.Sentence(err.Error())+".")
	}
	if r == nil {
		return ctx.Err()
	}
	defer func() { _ = r.Close() }() // it was only read
	for _, refused := range r.State().Refused() {
		for _, i := range refused.Issues {
			i.Position.File = ""
			answer.Problems = append(answer.Problems, fmt.Sprintf("The document %s is refused: %s", refused.File, i))
		}
	}
	for _, d := range r.State().Documents() {
		answer.Documents++
		for _, e := range d.Editions {
			if e.Erased != nil {
				continue
			}
			answer.Editions++
			for _, form := range []registers.Form{registers.Thin, registers.Resolved} {
				if _, err := r.Text(ctx, d, e.Hash, form); err != nil && ctx.Err() == nil {
					answer.Problems = append(answer.Problems, fmt.Sprintf("The %s form of edition %s of %s can't be read: %v.", form, e.Short(), d.Slug, err))
				}
			}
		}
	}
	return ctx.Err()
}

// checkVersion loads and verifies a version. It fails only if the context ends.
func checkVersion(ctx context.Context, store taxonomy.Store, e taxonomy.Entry) (checkedVersion, error) {
	v := checkedVersion{
		versionRow: versionRow{ID: e.ID, Status: e.Status, ContentHash: e.ContentHash, Aliases: e.Aliases, Released: e.Released, State: e.State},
		Problems:   []string{},
	}
	if problem := checkBound(ctx, store, e.ID, e.ContentHash); problem != "" {
		v.found("%s", problem)
	}
	r, err := store.Release(ctx, e.ID)
	switch {
	case ctx.Err() != nil:
		return v, ctx.Err()
	case err != nil:
		v.found("The release can't be loaded: %v.", err)
		return v, nil
	case r.ContentHash() != e.ContentHash:
		v.found("The content hash of the release is %s, but the index has %s.", r.ContentHash(), e.ContentHash)
	}
	v.versionRow, v.Locales = newVersionRow(e, r), len(r.Locales())
	v.checkSymbols(r)
	if err := v.checkIcons(ctx, store, r); err != nil {
		return v, err
	}
	return v, ctx.Err()
}

func (v *checkedVersion) found(format string, args ...any) {
	v.Problems = append(v.Problems, fmt.Sprintf(format, args...))
}

// checkBound compares the content of a version with what the store says that it is
// bound to, and returns the problem, if any. Stores that older programs have published
// to say nothing, and neither do servers.
func checkBound(ctx context.Context, store taxonomy.Store, v taxonomy.Version, has taxonomy.Hash) string {
	files, ok := store.(registers.Files)
	if !ok || v.Status() != taxonomy.Stable {
		return ""
	}
	var h taxonomy.Hash
	text, _, err := files.ReadFile(ctx, published.Bound(v), "", published.MaxBound)
	if err == nil {
		h, err = published.ParseBound(text)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return fmt.Sprintf("The content that it is bound to can't be read: %v.", err)
	case h != has:
		return fmt.Sprintf("It is bound to the content %s, but the index has %s: restore the index.", h, has)
	}
	return ""
}

// checkSymbols checks that symbols are safe and in their published form.
func (v *checkedVersion) checkSymbols(r *taxonomy.Release) {
	for _, id := range r.SymbolIDs() {
		text, _ := r.Symbol(id)
		symbol, issues := icons.Sanitize([]byte(text))
		switch {
		case symbol == nil:
			v.found("The symbol %s is not safe: %s", id, issues[0].Message)
		case string(symbol.SVG()) != text:
			v.found("The symbol %s is not in its published form: publish the version again.", id)
		}
	}
}

// checkIcons draws every icon and compares it with the one in the store.
func (v *checkedVersion) checkIcons(ctx context.Context, store taxonomy.Store, r *taxonomy.Release) error {
	set := icons.NewSet(r, &icons.SetOptions{MaxBytes: -1})
	held, holds := store.(taxonomy.IconStore)
	for _, e := range r.Elements() {
		for _, variant := range e.IconVariants {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			v.Icons++
			drawn, err := set.Icon(e.ID, variant)
			if err != nil {
				v.found("The icon %s/%s can't be drawn: %v.", e.ID, variant, err)
				continue
			}
			if !holds {
				continue
			}
			baked, err := held.Icon(ctx, r, e.ID, variant)
			switch {
			case errors.Is(err, taxonomy.ErrNotFound):
			case err != nil:
				v.found("The icon %s/%s can't be read: %v.", e.ID, variant, err)
			case !bytes.Equal(baked, drawn):
				v.found("The icon %s/%s is out of date: run 'datachain icons bake'.", e.ID, variant)
			default:
				v.BakedIcons++
			}
		}
	}
	return nil
}

// maxProblems is how many problems of a version are printed for people.
const maxProblems = 20

// print writes the answer for people.
func (a *checkAnswer) print(p *program) error {
	var problems []string
	for _, problem := range append(slices.Clip(a.Problems), a.Accepted) {
		if problem != "" {
			problems = append(problems, prose.Line(problem))
		}
	}
	if len(a.Versions) == 0 && len(problems) == 0 {
		problems = []string{"no versions"}
	}
	if len(a.Versions) == 0 {
		return p.printf("%s\n", report.Wrap(strings.Join(problems, "\n"), p.outWidth()))
	}
	rows := [][]string{{"VERSION", "ELEMENTS", "SYMBOLS", "ICONS", "BAKED", "LANGUAGES", "CONTENT HASH", "RESULT"}}
	bad := 0
	for _, v := range a.Versions {
		result := "ok"
		if len(v.Problems) > 0 {
			result = prose.Count(len(v.Problems), "problem")
			bad++
		}
		rows = append(rows, []string{
			v.ID.String(), fmt.Sprint(v.Elements), fmt.Sprint(v.Symbols), fmt.Sprint(v.Icons), fmt.Sprint(v.BakedIcons),
			fmt.Sprint(v.Locales), shortHash(v.ContentHash), result,
		})
		for _, problem := range v.Problems[:min(len(v.Problems), maxProblems)] {
			problems = append(problems, prose.Line(v.ID.String()+": "+problem))
		}
		if more := len(v.Problems) - maxProblems; more > 0 {
			problems = append(problems, fmt.Sprintf("%s: and %d more", v.ID, more))
		}
	}
	if err := p.table(rows); err != nil {
		return err
	}
	summary := prose.Count(len(a.Versions), "version")
	if a.Documents > 0 {
		summary += fmt.Sprintf(", %s, %s", prose.Count(a.Documents, "document"), prose.Count(a.Editions, "edition"))
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
