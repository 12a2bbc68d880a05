package trust

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Source reads what a publisher has published: a store, a copy of one or a server. It is not
// trusted.
type Source struct {
	// Log reads a file of the log by its name below log/, and wraps [io/fs.ErrNotExist] if there is
	// none.
	Log func(ctx context.Context, name string) ([]byte, error)
	// Release returns the release of a version, which usually is that of [taxonomy.Store]. If it
	// does not have the content of the entry, or wraps [taxonomy.ErrNotFound], the snapshot can't be
	// compared with it.
	Release func(ctx context.Context, e taxonomy.Entry) (*taxonomy.Release, error)
}

// Report says what was verified, by which entries of the log. All times are claims of the
// publisher.
type Report struct {
	// Origin is the log, and Signed are the trusted keys that signed its checkpoint.
	Origin string   `json:"origin"`
	Signed []string `json:"signed"`
	// Edition is the edition that the document is, or nil if only the snapshot was verified.
	Edition *Edition `json:"edition,omitempty"`
	// Release is that of the snapshot or, for a document without one, the last one with the version
	// that the document pins.
	Release Release `json:"release"`
	// Snapshot is whether the document has a snapshot or symbols, which are those of the release.
	Snapshot bool `json:"snapshot"`
}

// Edition is an edition of a document in a log. Slug is the present address of the document.
type Edition struct {
	Slug      string        `json:"slug"`
	Hash      taxonomy.Hash `json:"hash"`
	Published time.Time     `json:"published"`
	State     State         `json:"state"`
}

// Release is a release in a log.
type Release struct {
	Version     taxonomy.Version `json:"version"`
	ContentHash taxonomy.Hash    `json:"content_hash"`
	Published   time.Time        `json:"published"`
	State       State            `json:"state"`
}

// State is what became of an edition or a release since it was published.
type State string

// The states.
const (
	// StateCurrent means that nothing has changed.
	StateCurrent State = "current"
	// StateReplaced means that there is another edition, or that a beta version has other content.
	StateReplaced State = "replaced"
	// StateWithdrawn means that the document was withdrawn.
	StateWithdrawn State = "withdrawn"
	// StateErased means that the publisher erased the text of the edition.
	StateErased State = "erased"
	// StateRetired means that the version was retired.
	StateRetired State = "retired"
)

// VerifyDocument verifies that a document is an edition in the log of its publisher, and does what
// [VerifySnapshot] does. Without an error, every member of the document is what was published.
//
// The error wraps [ErrEdition], [ErrSnapshot] or [ErrUnchecked], or a reason for which the log is
// refused; see [Reason] and [Advice].
func VerifyDocument(ctx context.Context, t *Trust, s Source, text []byte) (*Report, error) {
	return verify(ctx, t, s, text, true)
}

// VerifySnapshot verifies that the schema snapshot of a document, and its symbols if it has them,
// are those of a release in the log of the publisher. Of a document without a snapshot it verifies
// that the log has the version that it pins. The rest of the document can be anything.
func VerifySnapshot(ctx context.Context, t *Trust, s Source, text []byte) (*Report, error) {
	return verify(ctx, t, s, text, false)
}

func verify(ctx context.Context, t *Trust, s Source, text []byte, withEdition bool) (*Report, error) {
	if t == nil || s.Log == nil || s.Release == nil {
		return nil, errors.New("trust: the trust and both functions of the source are required")
	}
	doc, err := document.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the document: %w", err)
	}
	log, err := signedlog.Replay(ctx, (*signedlog.Trust)(t), s.Log, time.Now())
	if err != nil {
		return nil, err
	}
	r := &Report{Origin: log.Checkpoint.Origin, Signed: log.Checkpoint.Signed}
	if withEdition {
		if r.Edition, err = editionOf(log, doc); err != nil {
			return nil, err
		}
	}
	_, r.Snapshot = doc.Root().Get(keySnapshot)
	if _, symbols := doc.Root().Get(keySymbols); symbols {
		r.Snapshot = true
	}
	if err := r.findRelease(ctx, log, s, doc); err != nil {
		return nil, err
	}
	return r, nil
}

// editionOf finds the edition that a document is.
func editionOf(log *signedlog.Replayed, doc *document.Document) (*Edition, error) {
	id, hash := text(doc.Root(), "id"), EditionHash(doc)
	documents := log.State.Documents()
	i := slices.IndexFunc(documents, func(d signedlog.Document) bool { return d.ID == signedlog.DocumentHash(id) })
	if i < 0 {
		return nil, fmt.Errorf("%w: %s has no document with the id %s", ErrEdition, wording.Quote(log.Checkpoint.Origin), wording.Quote(id))
	}
	d := documents[i]
	e := d.Edition(hash)
	if e == nil {
		return nil, fmt.Errorf("%w: %s has %s of %s, and this one is another: its hash is %s",
			ErrEdition, wording.Quote(log.Checkpoint.Origin), wording.Count(len(d.Editions), "edition"), d.Slug, hash)
	}
	state := StateCurrent
	switch {
	case e.Erased:
		state = StateErased
	case d.Withdrawn:
		state = StateWithdrawn
	case d.Current != hash:
		state = StateReplaced
	}
	return &Edition{Slug: d.Slug, Hash: hash, Published: e.Time, State: state}, nil
}

// findRelease finds the release in the log that a document is made of. A beta version may have had
// several.
func (r *Report) findRelease(ctx context.Context, log *signedlog.Replayed, s Source, doc *document.Document) error {
	version, err := taxonomy.ParseVersion(text(doc.Root(), "schema_version"))
	if err != nil {
		return fmt.Errorf("%w: schema_version: %w", ErrSnapshot, errname.Trim(err))
	}
	var entries []*signedlog.Entry                 // the last one of each content, the newest first
	published := make(map[taxonomy.Hash]time.Time) // for the first time
	for _, e := range slices.Backward(log.Entries) {
		if e.Version != version || e.Op != signedlog.OpPublish && e.Op != signedlog.OpPromote {
			continue
		}
		if _, known := published[e.ContentHash]; !known {
			entries = append(entries, e)
		}
		published[e.ContentHash] = e.Time
	}
	if len(entries) == 0 {
		return fmt.Errorf("%w: schema_version: %s has no version %s", ErrSnapshot, wording.Quote(log.Checkpoint.Origin), version)
	}
	index, err := log.State.Index()
	if err != nil {
		return err
	}
	var differs error
	unread := 0
	for _, e := range entries {
		r.Release = Release{Version: version, ContentHash: e.ContentHash, Published: published[e.ContentHash], State: StateCurrent}
		if now, listed := index.Lookup(version.Ref()); !listed {
			r.Release.State = StateRetired
		} else if now.ContentHash != e.ContentHash {
			r.Release.State = StateReplaced
		}
		if !r.Snapshot {
			return nil
		}
		release, err := s.Release(ctx, taxonomy.Entry{ID: version, Status: version.Status(), ContentHash: e.ContentHash, Archive: e.Archive})
		switch {
		case errors.Is(err, taxonomy.ErrNotFound):
			unread++
			continue
		case err != nil:
			return err
		case release.Version() != version || release.ContentHash() != e.ContentHash:
			unread++
			continue
		}
		err = checkSnapshot(doc, release)
		if err == nil {
			return nil
		}
		if differs == nil {
			differs = err
		}
	}
	switch {
	case differs == nil && r.Release.State == StateRetired:
		return fmt.Errorf("%w: %s was retired, and the store does not have its release any more", ErrUnchecked, version)
	case differs == nil:
		return fmt.Errorf("%w: the store does not have the release of %s that the log has", ErrUnchecked, version)
	case unread > 0:
		return fmt.Errorf("%w (%s had other content before, which the store does not have any more)", differs, version)
	}
	return differs
}

// Advice returns what a person can do about a document that was refused with an error of
// [VerifyDocument].
func Advice(err error) string {
	switch Reason(err) {
	case "edition":
		return "It was altered, is a draft, or is of another publisher: get it from the publisher again. Whether its snapshot is that of a release can be verified alone, with --snapshot."
	case "snapshot":
		return "The document was altered, or is of another publisher: get it from the publisher again, or resolve its thin form again with 'datachain resolve'."
	case "unchecked":
		return "Verify it with a copy of the store that has the release, and name the day of the copy with --at if its key has expired. The thin form of the document, without schema_snapshot and symbols, can be verified without the release."
	case "unknown_key", "origin":
		return "The trust file does not have this publisher: check where document, store and trust file come from, or get the publisher's newest trust file."
	case "rollback":
		return "The store is older than it was when it was read before: get its newest state or, for an old copy, name its day with --at: nothing proves that it is of that day."
	case "expired_key":
		return "Check the clock. If the key has expired, get the publisher's newest trust file or, for an old copy of a store, name its day with --at: nothing proves that it is of that day."
	}
	return "The store or its log was altered or is incomplete: get it from the publisher again."
}
