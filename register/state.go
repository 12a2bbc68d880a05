package register

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// State is what a register publishes at one moment. It never changes.
type State struct {
	settings  *Settings
	documents []*Document // by slug
	bySlug    map[string]*Document
	byID      map[string]*Document
	refused   []Refusal
	products  []Product
	tag       string
	// owners are the ids that slugs belong to, including earlier slugs.
	owners map[string]string
	// datedEditions are the editions of live documents that were seen so far, by the id of the
	// document, with the times that they got.
	datedEditions map[string][]Edition

	sequence int64
	// events lead from the sequence floor to the sequence.
	floor  int64
	events []Event

	finder finder
}

// Settings returns the settings of the register. They are empty if there are none.
func (s *State) Settings() *Settings { return s.settings }

// Documents returns all documents that have or had an address, by slug.
func (s *State) Documents() []*Document { return s.documents }

// Document returns the document with a slug, which may be an earlier one of it.
func (s *State) Document(slug string) (*Document, bool) {
	d, ok := s.bySlug[slug]
	return d, ok
}

// Refused returns the files that are not published, with the reasons.
func (s *State) Refused() []Refusal { return s.refused }

// Products returns the files that describe products. They are not documents of the register, and are
// not shown.
func (s *State) Products() []Product { return s.products }

// Tag identifies what the state shows: it changes whenever that does.
func (s *State) Tag() string { return s.tag }

// Sequence returns the number of the state. It grows with each change.
func (s *State) Sequence() int64 { return s.sequence }

// Event is a change of a register.
type Event struct {
	Sequence int64         `json:"sequence"`
	Op       Op            `json:"op"`
	Slug     string        `json:"slug"`
	Edition  taxonomy.Hash `json:"edition"`
}

// Op is a kind of [Event].
type Op string

const (
	// Published means that an edition became the current one.
	Published Op = "publish"
	// Withdrawn means that a document is not published any more.
	Withdrawn Op = "withdraw"
	// Erased means that the texts of an edition were deleted.
	Erased Op = "erase"
)

// Changes returns the events since a sequence, in order. If the sequence is not known, for example
// 0, it returns an event for each document, and reset is true: documents without an event do not
// exist any more.
func (s *State) Changes(since int64) (events []Event, reset bool) {
	if s.floor <= since && since <= s.sequence {
		i := sort.Search(len(s.events), func(i int) bool { return s.events[i].Sequence > since })
		return s.events[i:], false
	}
	for _, d := range s.documents {
		events = append(events, d.event(s.sequence))
	}
	return events, true
}

// event returns the event that describes a document as it is.
func (d *Document) event(sequence int64) Event {
	e := Event{Sequence: sequence, Op: Published, Slug: d.Slug, Edition: d.Current}
	if current, ok := d.Edition(d.Current); ok && current.Erased != nil {
		e.Op = Erased
	} else if d.Removed() {
		e.Op = Withdrawn
	}
	return e
}

// collection is what an origin has.
type collection struct {
	settings *Settings // nil for none
	records  []*record
	refused  []Refusal
	products []Product
	// sequence is that of a published index, 0 if the origin has none.
	sequence int64
	events   []Event
}

// record is a document of an origin.
type record struct {
	// candidates are what could be current: one, or several that were updated at
	// the same time.
	candidates []candidate
	editions   []Edition // newest first, unless live
	// live is set if the times of the editions are what the document says, since
	// nothing tells when they were published.
	live      bool
	slugs     []string // earlier ones
	withdrawn *Withdrawal
}

// candidate is a validated text that could be the current edition.
type candidate struct {
	*validDocument
	file string
}

// combine makes a state of what the origins have, the first of which counts most. What
// the last state says decides if nothing else does.
func combine(list []*collection, last *State) *State {
	if last == nil {
		last = new(State)
	}
	s := &State{
		settings: new(Settings), bySlug: make(map[string]*Document, len(last.bySlug)), byID: make(map[string]*Document, len(last.byID)),
		owners: make(map[string]string, len(last.owners)), datedEditions: make(map[string][]Edition, len(last.datedEditions)),
	}
	maps.Copy(s.datedEditions, last.datedEditions)
	for _, c := range list {
		if c.settings != nil {
			s.settings = c.settings
			break
		}
	}
	for _, c := range slices.Backward(list) {
		s.refused = append(s.refused, c.refused...)
		s.products = append(s.products, c.products...)
		// The oldest documents claim their slugs first.
		for _, r := range slices.SortedStableFunc(slices.Values(c.records), func(a, b *record) int {
			return a.candidates[0].CreatedAt.Compare(b.candidates[0].CreatedAt)
		}) {
			s.add(r, last)
		}
	}
	s.finish(list, last)
	return s
}

// add adds a document to the state, or refuses it.
func (s *State) add(r *record, last *State) {
	id := r.candidates[0].id
	below, before := s.byID[id], last.byID[id]
	taken := func(slug string) bool {
		owner, known := s.owners[slug]
		return known && owner != id
	}
	chosen := r.candidates[0]
	if len(r.candidates) > 1 {
		s.refused = append(s.refused, conflict(r.candidates, id, "have the same id and were updated at the same time, but differ.",
			"change updated_at in the newest of them, or remove the others"))
		published := below
		if published == nil {
			published = before
		}
		if published == nil {
			return
		}
		i := slices.IndexFunc(r.candidates, func(c candidate) bool { return c.hash == published.Current })
		if i < 0 {
			if !taken(published.Slug) {
				kept := *published
				kept.Slugs = slices.DeleteFunc(slices.Clone(kept.Slugs), taken)
				s.keep(&kept)
			}
			return
		}
		chosen = r.candidates[i]
	}
	if taken(chosen.slug) {
		s.refused = append(s.refused, conflict([]candidate{chosen}, id,
			fmt.Sprintf("can't have the slug %s, because it belongs to the document %s.", chosen.slug, wording.Clip(s.owners[chosen.slug])),
			"choose another register.slug"))
		return
	}
	d := Document{
		Slug: chosen.slug, ID: id, Slugs: slices.Clone(r.slugs), Editions: r.editions, Current: chosen.hash, Withdrawn: r.withdrawn,
		Content: chosen.Content, file: chosen.file,
	}
	if r.live {
		d.Editions = s.date(r.editions, &d, below)
	}
	if below != nil {
		if e, ok := below.Edition(d.Current); ok && e.Erased != nil {
			s.refused = append(s.refused, conflict([]candidate{chosen}, id,
				"was erased: "+e.Erased.Reason, "remove the file, or change its content"))
			return
		}
		d.Editions = union(below.Editions, d.Editions)
		d.Slugs = append(append(d.Slugs, below.Slug), below.Slugs...)
	}
	slices.Sort(d.Slugs)
	d.Slugs = slices.DeleteFunc(slices.Compact(d.Slugs), func(slug string) bool { return slug == d.Slug || taken(slug) })
	if before != nil && before.same(&d) {
		s.keep(before)
		return
	}
	changed := d
	s.keep(&changed)
}

// date returns the editions of a live document with their times. One that was seen before
// keeps its time, so that the same content is announced once. Another one has the time that
// it names itself, unless it is current and other editions are as new: then it has the time
// at which it was noticed.
func (s *State) date(editions []Edition, d, below *Document) []Edition {
	seen, list := s.datedEditions[d.ID], slices.Clone(editions)
	known := seen
	if below != nil {
		known = slices.Concat(below.Editions, seen)
	}
	for i := range list {
		e := &list[i]
		if k := slices.IndexFunc(known, func(k Edition) bool { return k.Hash == e.Hash }); k >= 0 {
			e.Time = known[k].Time
			continue
		}
		late := e.Hash == d.Current && slices.ContainsFunc(known, func(k Edition) bool { return !e.Time.After(k.Time) })
		if late || e.Time.IsZero() {
			e.Time = time.Now().UTC()
		}
		seen = append(slices.Clip(seen), Edition{Hash: e.Hash, Time: e.Time})
	}
	s.datedEditions[d.ID] = seen
	slices.SortStableFunc(list, func(a, b Edition) int { return b.Time.Compare(a.Time) })
	return list
}

// same reports whether two states can share a document.
func (d *Document) same(other *Document) bool {
	return d.Content == other.Content && d.Slug == other.Slug && d.Current == other.Current && d.file == other.file &&
		slices.Equal(d.Slugs, other.Slugs) && samePointed(d.Withdrawn, other.Withdrawn) &&
		slices.EqualFunc(d.Editions, other.Editions, func(a, b Edition) bool {
			return a.Hash == b.Hash && a.Time.Equal(b.Time) && samePointed(a.Erased, b.Erased)
		})
}

// samePointed reports whether two pointers are nil or point to equal values.
func samePointed[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// keep adds a document.
func (s *State) keep(d *Document) {
	s.byID[d.ID] = d
	for _, slug := range append([]string{d.Slug}, d.Slugs...) {
		s.owners[slug] = d.ID
	}
}

// union returns all editions of two lists, newest first. What the first says of an edition
// counts.
func union(first, second []Edition) []Edition {
	known := make(map[taxonomy.Hash]bool)
	all := slices.DeleteFunc(slices.Concat(first, second), func(e Edition) bool {
		again := known[e.Hash]
		known[e.Hash] = true
		return again
	})
	slices.SortStableFunc(all, func(a, b Edition) int { return b.Time.Compare(a.Time) })
	return all
}

// finish orders the documents, and counts the state.
func (s *State) finish(list []*collection, last *State) {
	s.documents = slices.SortedFunc(maps.Values(s.byID), func(a, b *Document) int { return strings.Compare(a.Slug, b.Slug) })
	hash := sha256.New()
	s.settings.hash(hash)
	var line []byte
	for _, d := range s.documents {
		s.bySlug[d.Slug] = d
		line = strconv.AppendQuote(line[:0], d.Slug)
		for _, slug := range d.Slugs {
			s.bySlug[slug] = d
			line = strconv.AppendQuote(line, slug)
		}
		line = strconv.AppendBool(append(append(line, d.Current[:]...), d.release[:]...), d.Unpublished)
		line = strconv.AppendBool(line, d.Outdated)
		if d.Withdrawn != nil {
			line = fmt.Appendf(line, "%v", d.Withdrawn)
		}
		for _, e := range d.Editions {
			line = binary.BigEndian.AppendUint64(append(line, e.Hash[:]...), uint64(e.Time.UnixNano()))
			if e.Erased != nil {
				line = fmt.Appendf(line, "%v", e.Erased)
			}
		}
		_, _ = hash.Write(append(line, '\n')) // which does not fail
	}
	s.tag = hex.EncodeToString(hash.Sum(nil))[:32]
	switch {
	case len(list) == 1 && list[0].sequence > 0 && last.floor == 0:
		s.sequence, s.events = list[0].sequence, list[0].events
	case last.sequence == 0:
		// Another process begins with another number, so that clients of that one
		// have to start again.
		s.sequence = time.Now().UnixMilli()
		s.floor = s.sequence
	default:
		s.sequence, s.floor, s.events = last.sequence, last.floor, last.events
		s.compare(last)
	}
}

// maxEvents is how many events are remembered.
const maxEvents = 100_000

// compare adds the events since the last state.
func (s *State) compare(last *State) {
	s.events = slices.Clip(s.events)
	add := func(e Event) {
		s.sequence++
		e.Sequence = s.sequence
		s.events = append(s.events, e)
	}
	for _, d := range s.documents {
		before, current := last.byID[d.ID], d.event(0)
		for _, e := range d.Editions {
			if e.Erased == nil || before == nil {
				continue
			}
			if was, ok := before.Edition(e.Hash); ok && was.Erased == nil && (e.Hash != d.Current || current.Op != Erased) {
				add(Event{Op: Erased, Slug: d.Slug, Edition: e.Hash})
			}
		}
		if before == nil || before.event(0) != current {
			add(current)
		}
	}
	for _, d := range last.documents {
		if s.byID[d.ID] == nil {
			add(Event{Op: Withdrawn, Slug: d.Slug, Edition: d.Current})
		}
	}
	if drop := len(s.events) - maxEvents; drop > 0 {
		s.floor = s.events[drop-1].Sequence
		s.events = slices.Clone(s.events[drop:])
	}
}

// conflict is the refusal of files that claim the same.
func conflict(list []candidate, id, problem, hint string) Refusal {
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = c.file
	}
	return Refusal{File: names[0], ID: id, Issues: issue.Issues{{
		Code: codes.RegisterConflict, Severity: issue.SeverityError, Path: issue.Root,
		Message: wording.And(names) + " " + problem, FixHint: hint, Position: issue.Position{File: names[0]},
	}}}
}
