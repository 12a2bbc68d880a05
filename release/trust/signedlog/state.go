package signedlog

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/release/trust/internal/refusal"
	"github.com/datachain-go/datachain/taxonomy"
)

// State is what the entries of a log lead to: an index, and the documents of a register.
// The zero value is the state of an empty log. It is not safe for concurrent use.
type State struct {
	size       int64
	versions   map[taxonomy.Version]taxonomy.Entry
	retired    map[taxonomy.Version]taxonomy.RetiredVersion
	aliases    map[string]taxonomy.Version // declared ones
	evolutions map[string]taxonomy.Hash    // by type
	documents  map[taxonomy.Hash]*Document
	editions   map[editionKey]int       // where they are in their documents
	slugs      map[string]taxonomy.Hash // the documents that they belong to
	register   taxonomy.Hash
	keys       []string
	last       time.Time // of the last entry
}

// editionKey identifies an edition of a document.
type editionKey struct{ document, edition taxonomy.Hash }

// Document is a document of a register, as a log knows it.
type Document struct {
	// ID is the [DocumentHash] of its id.
	ID taxonomy.Hash
	// Slug is its address, and Slugs are earlier ones, in order, which still belong to it.
	Slug  string
	Slugs []string
	// Editions are in the order of their first publication.
	Editions  []Edition
	Current   taxonomy.Hash
	Withdrawn bool
}

// Edition is an edition of a [Document].
type Edition struct {
	Hash   taxonomy.Hash
	Erased bool
	// Time is that of the entry that published the edition first. [State.DocumentChanges]
	// refuses a later one; an earlier one is that of an edition from before the log.
	Time time.Time
}

// Edition returns the edition with a hash, or nil.
func (d *Document) Edition(h taxonomy.Hash) *Edition {
	if i := slices.IndexFunc(d.Editions, func(e Edition) bool { return e.Hash == h }); i >= 0 {
		return &d.Editions[i]
	}
	return nil
}

// clone returns a copy that shares nothing.
func (d *Document) clone() Document {
	c := *d
	c.Slugs, c.Editions = slices.Clone(d.Slugs), slices.Clone(d.Editions)
	return c
}

// edition returns an edition of a document, or nil.
func (s *State) edition(document, edition taxonomy.Hash) *Edition {
	i, ok := s.editions[editionKey{document, edition}]
	if !ok {
		return nil
	}
	return &s.documents[document].Editions[i]
}

// Size returns how many entries were applied.
func (s *State) Size() int64 { return s.size }

// Clone returns a copy of the state that entries can be applied to independently.
func (s *State) Clone() *State {
	documents := maps.Clone(s.documents)
	for id, d := range documents {
		d := d.clone()
		documents[id] = &d
	}
	return &State{
		size: s.size, versions: maps.Clone(s.versions), retired: maps.Clone(s.retired), aliases: maps.Clone(s.aliases),
		evolutions: maps.Clone(s.evolutions), documents: documents, editions: maps.Clone(s.editions), slugs: maps.Clone(s.slugs),
		register: s.register, keys: slices.Clone(s.keys), last: s.last,
	}
}

// Keys returns the public keys that the log introduced, in order.
func (s *State) Keys() []string { return slices.Clone(s.keys) }

// Key returns the key that signs the log: the one that was introduced last, or "" if none was.
func (s *State) Key() string {
	if len(s.keys) == 0 {
		return ""
	}
	return s.keys[len(s.keys)-1]
}

// Next returns the time of the next entry: that of the clock or, if the last entry has a later
// one, that. It fails if it is far ahead of the clock, since one of the two is wrong then.
func (s *State) Next(clock time.Time) (time.Time, error) { return s.next(clock, clock) }

// next is Next for an entry that is not to have an earlier time.
func (s *State) next(clock, earliest time.Time) (time.Time, error) {
	at := clock
	for _, t := range []time.Time{earliest, s.last} {
		if t.After(at) {
			at = t
		}
	}
	if at.Sub(clock) > ClockTolerance {
		return at, fmt.Errorf("the next entry would be of %s, since entries are in the order of their times, but the clock of this machine shows %s: set the clock",
			at.UTC().Format(time.RFC3339), clock.UTC().Format(time.RFC3339))
	}
	return at.UTC().Truncate(time.Second), nil
}

// Register returns the SHA-256 of the settings of the register, or zero if it has none.
func (s *State) Register() taxonomy.Hash { return s.register }

// Documents returns the documents, in the order of their slugs. The caller owns them.
func (s *State) Documents() []Document {
	list := make([]Document, 0, len(s.documents))
	for _, d := range s.documents {
		list = append(list, d.clone())
	}
	slices.SortFunc(list, func(a, b Document) int { return strings.Compare(a.Slug, b.Slug) })
	return list
}

// Index returns the index that the entries lead to, without a sequence. Evolutions are
// named, but not loaded: see [taxonomy.Index.LoadEvolutions].
func (s *State) Index() (*taxonomy.Index, error) {
	x, err := taxonomy.NewIndex(slices.Collect(maps.Values(s.versions)), slices.Collect(maps.Values(s.retired))...)
	if err != nil {
		return nil, fmt.Errorf("%w: the log does not lead to an index: %w", refusal.ErrEntry, errname.Trim(err))
	}
	record := x.Record()
	record.Evolutions = s.evolutions
	return x.WithRecord(record), nil
}

// Apply applies the next entry of the log. It refuses an entry that can't follow, with an
// error that wraps trust.ErrEntry, and then leaves the state as it was: different content for
// a stable version, which also wraps [taxonomy.ErrStableChanged], a slug that would pass to
// another document, an alias that two versions would claim, changes of what was not published,
// a time before that of the last entry, and an entry that changes nothing.
func (s *State) Apply(e *Entry) error {
	err := e.check()
	if err == nil && e.Time.Before(s.last) {
		err = fmt.Errorf("its time %s is before that of the entry before it, %s", e.Time.Format(time.RFC3339), s.last.Format(time.RFC3339))
	}
	if err == nil {
		err = s.apply(e)
	}
	if err != nil {
		return fmt.Errorf("%w %d: %s: %w", refusal.ErrEntry, s.size, e.Op, err)
	}
	s.size++
	s.last = e.Time
	return nil
}

// errNothing refuses an entry that leaves everything as it is.
var errNothing = errors.New("the entry changes nothing")

func (s *State) apply(e *Entry) error {
	if s.versions == nil {
		*s = State{
			versions: make(map[taxonomy.Version]taxonomy.Entry), retired: make(map[taxonomy.Version]taxonomy.RetiredVersion),
			aliases: make(map[string]taxonomy.Version), evolutions: make(map[string]taxonomy.Hash),
			documents: make(map[taxonomy.Hash]*Document), editions: make(map[editionKey]int), slugs: make(map[string]taxonomy.Hash),
		}
	}
	switch e.Op {
	case OpPublish, OpPromote:
		return s.publish(e)
	case OpRetire:
		return s.retire(e)
	case OpAlias, OpDeprecate:
		known, listed := s.versions[e.Version]
		if !listed {
			return fmt.Errorf("%s is not published", e.Version)
		}
		if e.Op == OpAlias {
			if slices.Equal(known.Aliases, e.Aliases) {
				return errNothing
			}
			return s.setAliases(known, e.Aliases)
		}
		state := taxonomy.State{Deprecated: e.Deprecated, Sunset: e.Sunset, Successor: e.Successor, Reason: e.Reason}
		if known.State == state {
			return errNothing
		}
		known.State = state
		s.versions[e.Version] = known
	case OpEvolution:
		switch {
		case s.evolutions[e.Type] == e.Evolution:
			return errNothing
		case e.Evolution.IsZero():
			delete(s.evolutions, e.Type)
		default:
			s.evolutions[e.Type] = e.Evolution
		}
	case OpPublishDocument:
		return s.publishDocument(e)
	case OpWithdrawDocument, OpEraseDocument:
		return s.changeDocument(e)
	case OpRegister:
		if s.register == e.Register {
			return errNothing
		}
		s.register = e.Register
	case OpKey:
		if slices.Contains(s.keys, e.Key) {
			return fmt.Errorf("the log has the key %s already", e.Key)
		}
		s.keys = append(s.keys, e.Key)
	}
	return nil
}

// bound returns an error if a stable version has, or had, other content.
func (s *State) bound(v taxonomy.Version, h taxonomy.Hash) error {
	published, listed := s.versions[v]
	formerly, retired := s.retired[v]
	if v.Status() == taxonomy.Stable && (listed && published.ContentHash != h || retired && formerly.ContentHash != h) {
		return fmt.Errorf("%s: %w: it has %s, the entry has %s", v, taxonomy.ErrStableChanged, cmp.Or(published.ContentHash, formerly.ContentHash), h)
	}
	return nil
}

func (s *State) publish(e *Entry) error {
	if err := s.bound(e.Version, e.ContentHash); err != nil {
		return err
	}
	known, listed := s.versions[e.Version]
	if e.Op == OpPromote {
		if beta, listed := s.versions[e.From]; !listed || beta.ContentHash != e.ContentHash {
			return fmt.Errorf("%s: %s is not published with this content", e.Version, e.From)
		}
	}
	if listed && known.ContentHash == e.ContentHash && known.Released == e.Released && known.Archive == e.Archive && slices.Equal(known.Aliases, e.Aliases) {
		return errNothing
	}
	known.ID, known.Status, known.ContentHash = e.Version, e.Version.Status(), e.ContentHash
	known.Released, known.Archive = e.Released, e.Archive
	if err := s.setAliases(known, e.Aliases); err != nil {
		return err
	}
	delete(s.retired, e.Version)
	return nil
}

// setAliases stores a version with other aliases.
func (s *State) setAliases(entry taxonomy.Entry, aliases []string) error {
	for _, alias := range aliases {
		if owner, claimed := s.aliases[alias]; claimed && owner != entry.ID {
			return fmt.Errorf("%w: %s by %s and %s", taxonomy.ErrAliasConflict, alias, owner, entry.ID)
		}
	}
	for _, alias := range entry.Aliases {
		delete(s.aliases, alias)
	}
	for _, alias := range aliases {
		s.aliases[alias] = entry.ID
	}
	entry.Aliases = slices.Clone(aliases)
	s.versions[entry.ID] = entry
	return nil
}

func (s *State) retire(e *Entry) error {
	if err := s.bound(e.Version, e.ContentHash); err != nil {
		return err
	}
	retired := taxonomy.RetiredVersion{ID: e.Version, ContentHash: e.ContentHash, At: e.At, Successor: e.Successor, Reason: e.Reason, IDs: e.IDs}
	if s.retired[e.Version] == retired {
		return errNothing
	}
	for _, alias := range s.versions[e.Version].Aliases {
		delete(s.aliases, alias)
	}
	delete(s.versions, e.Version)
	s.retired[e.Version] = retired
	return nil
}

func (s *State) publishDocument(e *Entry) error {
	if owner, claimed := s.slugs[e.Slug]; claimed && owner != e.Document {
		return fmt.Errorf("the slug %s belongs to another document", e.Slug)
	}
	d := s.documents[e.Document]
	if d == nil {
		d = &Document{ID: e.Document}
		s.documents[d.ID] = d
	}
	switch known := s.edition(d.ID, e.Edition); {
	case known == nil:
		s.editions[editionKey{d.ID, e.Edition}] = len(d.Editions)
		d.Editions = append(d.Editions, Edition{Hash: e.Edition, Time: e.Time})
	case known.Erased:
		return fmt.Errorf("the edition %s of %s was erased", e.Edition, e.Slug)
	case d.Slug == e.Slug && d.Current == e.Edition && !d.Withdrawn:
		return errNothing
	}
	if d.Slug != "" && d.Slug != e.Slug {
		d.Slugs = slices.DeleteFunc(append(d.Slugs, d.Slug), func(slug string) bool { return slug == e.Slug })
	}
	d.Slug, d.Current, d.Withdrawn = e.Slug, e.Edition, false
	s.slugs[d.Slug] = d.ID
	return nil
}

// changeDocument withdraws a document, or records that an edition was erased.
func (s *State) changeDocument(e *Entry) error {
	d, known := s.documents[e.Document]
	if !known || d.Slug != e.Slug {
		return fmt.Errorf("the document %s is not published with the slug %s", e.Document, e.Slug)
	}
	switch edition := s.edition(d.ID, e.Edition); {
	case e.Op == OpWithdrawDocument && d.Withdrawn:
		return fmt.Errorf("%s was withdrawn before", e.Slug)
	case e.Op == OpWithdrawDocument:
		d.Withdrawn = true
	case edition == nil || edition.Erased:
		return fmt.Errorf("%s has no edition %s that can be erased", e.Slug, e.Edition)
	default:
		edition.Erased = true
	}
	return nil
}
