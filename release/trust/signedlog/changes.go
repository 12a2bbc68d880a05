package signedlog

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// changes collects the entries that lead from one state to another.
type changes struct {
	*State  // with the entries applied
	clock   time.Time
	entries []*Entry
}

// add applies an entry and collects it, with the time that follows: see [State.Next]. The time
// that it has is the earliest, such as that of an edition from before the log.
func (c *changes) add(e Entry) (err error) {
	if e.Time, err = c.next(c.clock, e.Time); err != nil {
		return err
	}
	if err := c.Apply(&e); err != nil {
		return err
	}
	c.entries = append(c.entries, &e)
	return nil
}

// Changes returns the entries that lead to an index, in their order, none if the log leads
// there already. A version that a log has can't be dropped: the index must list it as retired.
func (s *State) Changes(next *taxonomy.Index, clock time.Time) ([]*Entry, error) {
	c := &changes{State: s.Clone(), clock: clock}
	for _, v := range slices.SortedFunc(maps.Keys(s.versions), taxonomy.Version.Compare) {
		_, listed := next.Lookup(v.Ref())
		if _, retired := next.LookupRetired(v); !listed && !retired {
			return nil, fmt.Errorf("signedlog: the index does not list %s, which the log has published: retire it instead", v)
		}
	}
	for _, v := range slices.SortedFunc(maps.Keys(s.retired), taxonomy.Version.Compare) {
		_, listed := next.Lookup(v.Ref())
		if _, retired := next.LookupRetired(v); !listed && !retired {
			return nil, fmt.Errorf("signedlog: the index does not list %s, which the log has retired", v)
		}
	}
	entries := next.Entries()
	for i := range entries {
		entries[i].Aliases = declared(entries[i])
	}
	for _, step := range []func() error{
		func() error { return c.freeAliases(next, entries) },
		func() error { return c.publishAll(entries) },
		func() error { return c.retireAll(next.Retired()) },
		func() error { return c.deprecateAll(entries) },
		func() error { return c.evolveAll(next) },
	} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("signedlog: %w", err)
		}
	}
	got, err := c.Index()
	if err == nil && !got.Equal(next) {
		err = fmt.Errorf("signedlog: no entries of a log lead to the index: %s: make it with taxonomy.NewIndex or Index.WithVersions", Difference(got, next))
	}
	return c.entries, err
}

// declared returns the aliases of an entry without those that an index assigns.
func declared(e taxonomy.Entry) []string {
	return slices.DeleteFunc(slices.Clone(e.Aliases), func(alias string) bool { return assigned(e.ID.Type(), alias) })
}

// freeAliases removes aliases from versions before others get them.
func (c *changes) freeAliases(next *taxonomy.Index, entries []taxonomy.Entry) error {
	keeps := make(map[string]taxonomy.Version)
	for _, e := range entries {
		for _, alias := range e.Aliases {
			keeps[alias] = e.ID
		}
	}
	for _, v := range slices.SortedFunc(maps.Keys(c.versions), taxonomy.Version.Compare) {
		known := c.versions[v]
		_, listed := next.Lookup(v.Ref())
		left := slices.DeleteFunc(slices.Clone(known.Aliases), func(alias string) bool {
			owner, used := keeps[alias]
			return used && owner != v || !used && listed
		})
		if len(left) == len(known.Aliases) {
			continue
		}
		if err := c.add(Entry{Op: OpAlias, Version: v, Aliases: left}); err != nil {
			return err
		}
	}
	return nil
}

// publishAll publishes versions, betas first, since a stable one may be the promotion of
// one, and oldest first.
func (c *changes) publishAll(entries []taxonomy.Entry) error {
	entries = slices.Clone(entries)
	slices.Reverse(entries)
	slices.SortStableFunc(entries, func(a, b taxonomy.Entry) int {
		return len(a.ID.Status()) - len(b.ID.Status()) // beta, stable
	})
	for _, e := range entries {
		known, listed := c.versions[e.ID]
		if listed && known.ContentHash == e.ContentHash && known.Released == e.Released && known.Archive == e.Archive {
			if slices.Equal(known.Aliases, e.Aliases) {
				continue
			}
			if err := c.add(Entry{Op: OpAlias, Version: e.ID, Aliases: e.Aliases}); err != nil {
				return err
			}
			continue
		}
		entry := Entry{
			Op: OpPublish, Version: e.ID, ContentHash: e.ContentHash,
			Aliases: e.Aliases, Released: e.Released, Archive: e.Archive,
		}
		if beta, ok := c.promoted(e); !listed && ok {
			entry.Op, entry.From = OpPromote, beta
		}
		if err := c.add(entry); err != nil {
			return err
		}
	}
	return nil
}

// promoted returns the newest published beta version with the content of a stable one.
func (c *changes) promoted(e taxonomy.Entry) (newest taxonomy.Version, ok bool) {
	if e.ID.Status() != taxonomy.Stable {
		return newest, false
	}
	for v, known := range c.versions {
		if v.Status() == taxonomy.Beta && v.Type() == e.ID.Type() && known.ContentHash == e.ContentHash && (!ok || v.Compare(newest) < 0) {
			newest, ok = v, true
		}
	}
	return newest, ok
}

func (c *changes) retireAll(retired []taxonomy.RetiredVersion) error {
	for _, r := range retired {
		if c.State.retired[r.ID] == r {
			continue
		}
		e := Entry{Op: OpRetire, Version: r.ID, ContentHash: r.ContentHash, At: r.At, Successor: r.Successor, Reason: r.Reason, IDs: r.IDs}
		if err := c.add(e); err != nil {
			return err
		}
	}
	return nil
}

func (c *changes) deprecateAll(entries []taxonomy.Entry) error {
	for _, e := range entries {
		known := c.versions[e.ID]
		if known.State == e.State {
			continue
		}
		if err := c.add(Entry{Op: OpDeprecate, Version: e.ID, Deprecated: e.Deprecated, Sunset: e.Sunset, Successor: e.Successor, Reason: e.Reason}); err != nil {
			return err
		}
	}
	return nil
}

func (c *changes) evolveAll(next *taxonomy.Index) error {
	want := next.Record().Evolutions
	types := maps.Clone(want)
	maps.Copy(types, c.evolutions)
	for _, typ := range slices.Sorted(maps.Keys(types)) {
		if c.evolutions[typ] == want[typ] {
			continue
		}
		if err := c.add(Entry{Op: OpEvolution, Type: typ, Evolution: want[typ]}); err != nil {
			return err
		}
	}
	return nil
}

// DocumentChanges returns the entries that lead to the documents of a register and the hash
// of its settings, which is zero for none; none if the log leads there already. What a log has
// can't be dropped: a document must be withdrawn, and an edition erased instead.
func (s *State) DocumentChanges(next []Document, register taxonomy.Hash, clock time.Time) ([]*Entry, error) {
	c := &changes{State: s.Clone(), clock: clock}
	switch {
	case register == s.register:
	case register.IsZero():
		return nil, errors.New("signedlog: the settings of the register, which the log has, are missing")
	default:
		if err := c.add(Entry{Op: OpRegister, Register: register}); err != nil {
			return nil, fmt.Errorf("signedlog: %w", err)
		}
	}
	listed := make(map[taxonomy.Hash]bool)
	for _, d := range next {
		listed[d.ID] = true
		if len(d.Editions) == 0 {
			return nil, fmt.Errorf("signedlog: document %s has no edition", d.Slug)
		}
		if err := c.document(d); err != nil {
			return nil, fmt.Errorf("signedlog: document %s: %w", d.Slug, err)
		}
	}
	missing := ""
	for id, d := range s.documents {
		if !listed[id] && (missing == "" || d.Slug < missing) {
			missing = d.Slug
		}
	}
	if missing != "" {
		return nil, fmt.Errorf("signedlog: the document %s, which the log has, is missing: withdraw it instead", missing)
	}
	return c.entries, nil
}

func (c *changes) document(d Document) error {
	var steps []Entry
	known := new(Document)
	if logged := c.documents[d.ID]; logged != nil {
		known = logged
	}
	next := make(map[taxonomy.Hash]Edition)
	for _, edition := range d.Editions {
		next[edition.Hash] = edition
	}
	for _, before := range known.Editions {
		after, ok := next[before.Hash]
		switch {
		case !ok || before.Erased && !after.Erased:
			return fmt.Errorf("the edition %s, which the log has, is missing, or is not erased any more", before.Hash)
		case after.Time.Sub(before.Time) > ClockTolerance:
			return fmt.Errorf("the edition %s has a later time than its entry in the log", before.Hash)
		}
	}
	for _, slug := range append(slices.Clone(known.Slugs), known.Slug) {
		if slug != "" && slug != d.Slug && !slices.Contains(d.Slugs, slug) {
			return fmt.Errorf("the slug %s, which the log has, is missing", slug)
		}
	}
	for _, slug := range d.Slugs {
		if slug != known.Slug && !slices.Contains(known.Slugs, slug) {
			// Addresses that it had before the log began, or between two entries.
			steps = append(steps, Entry{Op: OpPublishDocument, Slug: slug, Edition: d.Editions[0].Hash, Time: d.Editions[0].Time})
		}
	}
	for _, edition := range d.Editions {
		if c.edition(d.ID, edition.Hash) == nil {
			steps = append(steps, Entry{Op: OpPublishDocument, Slug: d.Slug, Edition: edition.Hash, Time: edition.Time})
		}
	}
	last := Entry{Slug: known.Slug, Edition: known.Current}
	if len(steps) > 0 {
		last = steps[len(steps)-1]
	}
	republished := known.Withdrawn && !d.Withdrawn && len(steps) == 0
	if last.Edition != d.Current || last.Slug != d.Slug || republished {
		steps = append(steps, Entry{Op: OpPublishDocument, Slug: d.Slug, Edition: d.Current})
	}
	published := len(steps) > 0
	for _, edition := range d.Editions {
		if before := c.edition(d.ID, edition.Hash); edition.Erased && (before == nil || !before.Erased) {
			steps = append(steps, Entry{Op: OpEraseDocument, Slug: d.Slug, Edition: edition.Hash})
		}
	}
	if d.Withdrawn && (!known.Withdrawn || published) {
		steps = append(steps, Entry{Op: OpWithdrawDocument, Slug: d.Slug})
	}
	for _, e := range steps {
		e.Document = d.ID
		if err := c.add(e); err != nil {
			return err
		}
	}
	return nil
}
