package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// clauses are what Run checks, in this order.
func clauses() []clause {
	return []clause{
		{name: "index lists what was published", check: checkIndex},
		{name: "releases are what was published", check: checkReleases},
		{name: "unknown versions are not found", check: checkUnknown},
		{name: "aliases open", check: checkAliases},
		{name: "ended contexts end calls", check: checkEnded},
		{name: "callers can't change the store", check: checkAliasing},
		{name: "concurrent calls agree", check: checkConcurrent},
		{name: "an empty store is empty", check: checkEmpty, empty: true},
		{name: "notifications end with their context", check: checkNotifier},
		{name: "unknown icons are not found", check: checkIcons},
	}
}

// bareClauses are what RunWithoutSymbols checks.
func bareClauses() []clause {
	return []clause{{name: "releases without symbols are what was published", check: checkBare, bare: true}}
}

// checkBare: the releases have no symbols, and so the hashes that they had.
func checkBare(ctx context.Context, s *subject) error { return s.serves(ctx, s.pubs) }

// checkIndex: order, statuses, hashes and aliases are those of an index of the
// publications.
func checkIndex(ctx context.Context, s *subject) error { return s.lists(ctx, s.pubs) }

// checkReleases: every version can be read completely.
func checkReleases(ctx context.Context, s *subject) error { return s.holds(ctx, s.pubs) }

// lists checks that the index lists the publications and no others.
func (s *watched) lists(ctx context.Context, pubs []listing.Publication) error {
	got, err := s.Index(ctx)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	return compareIndex(got, pubs)
}

// holds checks that the publications can be read.
func (s *watched) holds(ctx context.Context, pubs []listing.Publication) error {
	for _, p := range pubs {
		v := p.Release.Version()
		got, err := s.Release(ctx, v)
		if err == nil {
			err = compareRelease(got, p.Release)
		}
		if err != nil {
			return fmt.Errorf("release of %s: %w", v, err)
		}
	}
	return nil
}

// serves checks both.
func (s *watched) serves(ctx context.Context, pubs []listing.Publication) error {
	if err := s.lists(ctx, pubs); err != nil {
		return err
	}
	return s.holds(ctx, pubs)
}

// checkUnknown: a version that is not in the index is not found, however similar
// it is to one that is.
func checkUnknown(ctx context.Context, s *subject) error {
	for _, v := range []taxonomy.Version{
		taxonomy.MustVersion("ai@2026-09-02-stable"),   // another day
		taxonomy.MustVersion("ai@2026-03-01-beta"),     // another status
		taxonomy.MustVersion("nope@2026-09-01-beta"),   // another type
		taxonomy.MustVersion("AI@2026-09-01-stable"),   // another case
		taxonomy.MustVersion("ai@2025-01-31-stable"),   // the date of another type
		taxonomy.MustVersion("sensor@2025-01-31-beta"), // a type without betas
		{}, // the zero version
	} {
		if err := s.lacks(ctx, v); err != nil {
			return err
		}
	}
	return nil
}

// lacks checks that a version is not found.
func (s *watched) lacks(ctx context.Context, v taxonomy.Version) error {
	r, err := s.Release(ctx, v)
	switch {
	case !errors.Is(err, taxonomy.ErrNotFound):
		return wrongError(fmt.Sprintf("release of %q", v), err, taxonomy.ErrNotFound)
	case r != nil:
		return fmt.Errorf("release of %q: a release is returned with the error", v)
	}
	return nil
}

// checkAliases: taxonomy.Open finds every version by its id and by each alias.
func checkAliases(ctx context.Context, s *subject) error {
	for text, want := range map[string]string{
		"ai@latest":             "ai@2026-09-01-stable",
		"ai@latest-beta":        "ai@2026-09-01-beta",
		"ai@v1.0":               "ai@2026-03-01-stable",
		"ai@city":               "ai@2026-03-01-stable",
		"sensor@latest":         "sensor@2026-02-28-stable",
		"sensor@v2":             "sensor@2026-02-28-stable",
		"Draft_1-x@latest":      "Draft_1-x@2026-05-05-beta",
		"Draft_1-x@latest-beta": "Draft_1-x@2026-05-05-beta",
		"ai@2026-03-01-stable":  "ai@2026-03-01-stable",
		"sensor@latest-beta":    "",
		"ai@v2":                 "",
		"nope@latest":           "",
	} {
		if err := s.opens(ctx, text, want); err != nil {
			return err
		}
	}
	return nil
}

// opens checks that a reference opens a version, or none if that is "".
func (s *watched) opens(ctx context.Context, text, want string) error {
	ref, err := taxonomy.ParseRef(text)
	if err != nil {
		return err
	}
	r, err := taxonomy.Open(ctx, s, ref)
	switch {
	case want == "" && !errors.Is(err, taxonomy.ErrNotFound):
		return wrongError("opening "+text, err, taxonomy.ErrNotFound)
	case want == "":
		return nil
	case err != nil:
		return fmt.Errorf("opening %s: %w", text, err)
	case r.Version().String() != want:
		return fmt.Errorf("opening %s gives %s, want %s", text, r.Version(), want)
	}
	return nil
}

// checkEnded: a call whose context has ended returns that error and nothing else.
func checkEnded(ctx context.Context, s *subject) error {
	v := s.pubs[0].Release.Version()
	// Once before and once after the release has been read.
	for range 2 {
		canceled, cancel := context.WithCancel(ctx)
		cancel()
		late, cancelLate := context.WithDeadline(ctx, time.Unix(1, 0))
		cancelLate()
		for _, ended := range []context.Context{canceled, late} {
			if x, err := s.Index(ended); !errors.Is(err, ended.Err()) || x != nil {
				return wrongError("index with an ended context", err, ended.Err())
			}
			if r, err := s.Release(ended, v); !errors.Is(err, ended.Err()) || r != nil {
				return wrongError("release with an ended context", err, ended.Err())
			}
		}
		if _, err := s.Release(ctx, v); err != nil {
			return fmt.Errorf("release of %s after calls with an ended context: %w", v, err)
		}
	}
	return nil
}

// checkAliasing: changing slices that were given to the store, or returned by it,
// does not change the store.
func checkAliasing(ctx context.Context, s *subject) error {
	x, err := s.Index(ctx)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	for _, e := range x.Entries() {
		scribble(e.Aliases)
	}
	want := clone(s.pubs)
	for i := range s.pubs {
		scribble(s.pubs[i].Aliases)
		s.pubs[i] = listing.Publication{}
	}
	if err := s.serves(ctx, want); err != nil {
		return fmt.Errorf("after the caller changed its slices: %w", err)
	}
	return nil
}

func scribble(aliases []string) {
	for i := range aliases {
		aliases[i] = "changed@by-the-caller"
	}
}

// checkConcurrent: many callers at once get what one alone gets. The race
// detector finds races.
func checkConcurrent(ctx context.Context, s *subject) error {
	const callers = 16
	var wg sync.WaitGroup
	start := make(chan struct{})
	errs := make([]error, callers)
	for i := range errs {
		wg.Go(func() {
			<-start
			for range 4 {
				if errs[i] = s.serves(ctx, s.pubs); errs[i] != nil {
					return
				}
			}
		})
	}
	close(start)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return fmt.Errorf("with %d callers at once: %w", callers, err)
		}
	}
	return nil
}

// checkEmpty: an empty store works.
func checkEmpty(ctx context.Context, s *subject) error {
	if err := s.lists(ctx, nil); err != nil {
		return err
	}
	if err := s.lacks(ctx, taxonomy.MustVersion("ai@2026-09-01-stable")); err != nil {
		return err
	}
	return s.opens(ctx, "ai@latest", "")
}

// checkIcons: an icon that does not exist is not found, whatever its name.
func checkIcons(ctx context.Context, s *subject) error {
	icons, ok := s.store.(taxonomy.IconStore)
	if !ok {
		return nil
	}
	r, err := s.Release(ctx, s.pubs[0].Release.Version())
	if err != nil {
		return fmt.Errorf("release: %w", err)
	}
	for _, name := range []struct{ element, variant string }{
		{"purpose.none", "default"},
		{"purpose.safety", "none"},
		{"", ""},
		{"..", "release"},
		{"purpose.safety", "../../symbols/shield"},
		{"../symbols", "shield"},
		{"purpose.safety", "default.svg/../default"},
	} {
		err := s.noFile(ctx, fmt.Sprintf("icon of %q as %q", name.element, name.variant), func(ctx context.Context) ([]byte, error) {
			return s.icon(ctx, icons, r, name.element, name.variant)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// noFile checks that a derived file is not found, and that a canceled context ends
// the call.
func (s *watched) noFile(ctx context.Context, what string, read func(context.Context) ([]byte, error)) error {
	data, err := read(ctx)
	if !errors.Is(err, taxonomy.ErrNotFound) || data != nil {
		return wrongError(what, err, taxonomy.ErrNotFound)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := read(canceled); !errors.Is(err, context.Canceled) {
		return wrongError(what+" with an ended context", err, context.Canceled)
	}
	return nil
}

// Publications returns the publications that [Run] uses: several datachain types,
// beta and stable versions, declared aliases, element ids with a period, and text
// that does not survive a careless encoding. Two of the versions have the same
// content, and so the same hash. The order is not that of an index. They have no
// lint findings, so that a store of authoring source can hold them, too. The
// result is the caller's.
func Publications() []listing.Publication {
	promoted := release("ai@2026-09-01-beta", "")
	return []listing.Publication{
		{Release: release("sensor@2025-01-31-stable", "")},
		{Release: promoted},
		{Release: release("ai@2026-03-01-stable", "older"), Aliases: []string{"ai@v1.0", "ai@city"}, Released: "2026-03-02"},
		{Release: withVersion(promoted, "ai@2026-09-01-stable")},
		{Release: release("sensor@2026-02-28-stable", "newer"), Aliases: []string{"sensor@v2"}},
		{Release: release("Draft_1-x@2026-05-05-beta", "")},
	}
}

// bare returns publications of releases without symbols.
func bare() []listing.Publication {
	pubs := make([]listing.Publication, 2)
	for i, id := range []string{"ai@2026-09-01-beta", "sensor@2025-01-31-stable"} {
		v := taxonomy.MustVersion(id)
		c := content(v.Type(), "")
		c.Symbols = nil
		r, err := taxonomy.NewRelease(v, c)
		if err != nil {
			panic(fmt.Sprintf("storetest: %v", err)) // impossible: the content is always the same
		}
		pubs[i].Release = r
	}
	return pubs
}

// changedBeta returns the publications with other content, and an alias, for the
// type that only has a beta.
func changedBeta(pubs []listing.Publication) []listing.Publication {
	pubs = clone(pubs)
	pubs[5] = listing.Publication{Release: release("Draft_1-x@2026-05-05-beta", "changed"), Aliases: []string{"Draft_1-x@next"}}
	return pubs
}

// newStable returns the publications and a version that takes over the aliases
// sensor@latest and sensor@v2.
func newStable(pubs []listing.Publication) []listing.Publication {
	pubs = clone(pubs)
	pubs[4].Aliases = nil
	return append(pubs, listing.Publication{
		Release: release("sensor@2026-08-08-stable", "newest"), Aliases: []string{"sensor@v2"},
	})
}

// withoutNewest returns the publications without sensor@2026-02-28-stable, so
// that sensor@latest falls back to the version before.
func withoutNewest(pubs []listing.Publication) []listing.Publication {
	return slices.Delete(clone(pubs), 4, 5)
}

// clone copies publications, except the releases, which never change.
func clone(pubs []listing.Publication) []listing.Publication {
	pubs = slices.Clone(pubs)
	for i := range pubs {
		pubs[i].Aliases = slices.Clone(pubs[i].Aliases)
	}
	return pubs
}

// release makes a small release; the edition makes its content differ.
func release(id, edition string) *taxonomy.Release {
	v := taxonomy.MustVersion(id)
	r, err := taxonomy.NewRelease(v, content(v.Type(), edition))
	if err != nil {
		panic(fmt.Sprintf("storetest: %v", err)) // impossible: the content is always the same
	}
	return r
}

func withVersion(r *taxonomy.Release, id string) *taxonomy.Release {
	promoted, err := r.WithVersion(taxonomy.MustVersion(id))
	if err != nil {
		panic(fmt.Sprintf("storetest: %v", err)) // impossible
	}
	return promoted
}

func content(typ, edition string) taxonomy.Content {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M%d 9v18"/></svg>`
	text := func(en string) taxonomy.Localized {
		return taxonomy.Localized{
			{Locale: "en", Value: en},
			{Locale: "fr", Value: "« " + en + " » – Finalité\u00a0: œuvre"},
			{Locale: "ja", Value: "目的 𠮷野家 👩‍🔬 " + en},
		}
	}
	variables := []taxonomy.Variable{{ID: "who", Label: text("Who"), Type: taxonomy.TextVariable}}
	return taxonomy.Content{
		Title:       text("Test " + typ),
		Description: text("Lines\r\nand\ttabs, \"quotes\", <b>&amp;</b>, \u2028 and e\u0301 " + edition),
		Locales:     []string{"en", "fr", "ja"},
		Type: taxonomy.Type{
			ID: typ, Name: text("Type"), Categories: []string{"purpose", "empty"},
			Subchains: []taxonomy.Subchain{{ID: "main", Name: text("Main"), Categories: []string{"purpose"}}},
		},
		Categories: []taxonomy.Category{
			{
				ID: "purpose", Name: text("Purpose"), Description: text("Why?"), Shape: taxonomy.Hexagon, Variables: variables,
				Context: taxonomy.Context{Values: []taxonomy.ContextValue{
					{ID: "identified", Label: text("Identified"), Color: "#C0FFEE"},
					{ID: "tag", Label: text("Tag")},
				}},
			},
			{
				ID: "empty", Name: text("Empty"), Description: text("Nothing"), Shape: taxonomy.RoundedSquare,
				Context: taxonomy.Context{Values: []taxonomy.ContextValue{}},
			},
		},
		Elements: []taxonomy.Element{
			{
				ID: "purpose.safety", Title: text("Safety"), Description: text("For {{who}} " + edition), CategoryID: "purpose",
				SymbolID: "shield", Variables: variables,
			},
			{
				ID: "purpose_2", Title: text("Research"), Description: text("To learn"), CategoryID: "purpose",
				SymbolID: "Lens-2", Variables: variables, MaxPlacements: 2,
			},
		},
		Symbols: map[string]string{
			"shield": fmt.Sprintf(svg, 18),
			"Lens-2": fmt.Sprintf(svg, len(edition)),
			"_spare": fmt.Sprintf(svg, 27),
		},
	}
}
