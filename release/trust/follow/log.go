// Package follow verifies stores by their signed logs: what a publisher has not signed, or takes back
// without saying so, is refused.
//
//	log := follow.With(trusted, seenDir)
//	store, err := fsstore.OpenDir("dist", &fsstore.Options{Verify: log.Verify})
//	documents := register.Stored("dist", store, log)
//
// # Experimental
//
// This package may change in a minor version.
package follow

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/watch"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/documents"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
)

// Dir is the directory of the log of a store.
const Dir = "log/"

// MaxFile is the size limit of a file of a log that readers need: a bundle of 256 entries.
const MaxFile = 17 << 20

// Log verifies the indexes of one store, of releases and of documents, by its signed log. Its
// methods may be called concurrently. Make one with [With] or [Served], and open the store with
// [Log.Verify]. A nil Log verifies nothing.
type Log struct {
	read   taxonomy.ReadFunc // nil before there is a store
	memory *SeenFile         // nil for none
	// sent means that indexes are as servers send them: they name neither the size of the log nor
	// archives.
	sent bool

	mu    sync.Mutex            // held while the log is read
	trust *signedlog.Trust      // with the keys that the log introduced
	seen  *signedlog.Checkpoint // the highest one, nil at first
	text  []byte                // the checkpoint as it was read last, and its tag
	tag   string
	// confirmed is when the index was last compared with the log.
	confirmed time.Time
	// index and documents are what the log proves of the two indexes of the store.
	index, documents provenIndex

	last verifiedCheckpoint
}

// provenIndex is the last good index of a file.
type provenIndex struct {
	name string
	// size is the number of entries that the index names, or follows from; 0 before there
	// is one.
	size int64
	// state is what the index follows from, with the later entries that do not change it. Only
	// what comes after it is read.
	state *signedlog.State
	// next is the first entry that the index lacks, nil if there is none.
	next *signedlog.Entry
}

// verifiedCheckpoint is the last good checkpoint of a log. Nothing is read while it is locked.
type verifiedCheckpoint struct {
	mu         sync.Mutex
	checkpoint *signedlog.Checkpoint // nil before there is one
	// expired is the first refusal of a checkpoint because of the time, and note that one.
	expired error
	note    []byte
}

// With returns a Log that verifies a store of files, or nil without a trust. The highest checkpoint
// that was seen is kept below dir, so that it survives a restart, unless dir is "".
func With(trusted *trust.Trust, dir string) *Log { return newLog(trusted, dir, false) }

// Served is [With] for the indexes that a server sends, such as to a store of adapters/httpstore.
func Served(trusted *trust.Trust, dir string) *Log { return newLog(trusted, dir, true) }

func newLog(trusted *trust.Trust, dir string, sent bool) *Log {
	if trusted == nil {
		return nil
	}
	trust := (*signedlog.Trust)(trusted)
	l := &Log{
		trust: trust, sent: sent,
		index:     provenIndex{name: layout.IndexFile, state: new(signedlog.State)},
		documents: provenIndex{name: layout.DocumentsIndex, state: new(signedlog.State)},
	}
	if dir != "" {
		l.memory = NewSeenFile(dir, trust.Origin())
		if c, err := signedlog.ParseCheckpoint(l.memory.Load()); err == nil && c.Origin == trust.Origin() {
			l.seen = c
		}
	}
	return l
}

// Verify is the option Verify of a store: from now on the log is read as the store reads its files.
// It returns nil for a nil Log.
func (l *Log) Verify(read taxonomy.ReadFunc) taxonomy.Verifier {
	if l == nil {
		return nil // not a nil *Log, which is no nil Verifier
	}
	l.read = read
	return l
}

// Scope returns the origin of the log.
func (l *Log) Scope() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.trust.Origin()
}

// followEvery is how often a checkpoint is verified again while the index is the same.
const followEvery = time.Second

// Due reports whether the checkpoint was last verified a while ago.
func (l *Log) Due() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.confirmed) > followEvery
}

// Checkpoint returns the last good checkpoint, or nil. A nil Log has none.
func (l *Log) Checkpoint() []byte {
	if l == nil {
		return nil
	}
	l.last.mu.Lock()
	defer l.last.mu.Unlock()
	if l.last.checkpoint == nil {
		return nil
	}
	return l.last.checkpoint.Note
}

// Confirm verifies the present checkpoint, its signatures, and that it follows the
// highest one that was seen, while the index of the store is the same as the last good one: the
// log must not have grown beyond it for long.
func (l *Log) Confirm(ctx context.Context, x *taxonomy.Index) error {
	l.mu.Lock()
	first := l.index.size == 0
	l.confirmed = time.Now()
	l.mu.Unlock()
	if first { // it was verified by another process, which kept it
		return l.Check(ctx, x)
	}
	return l.confirm(ctx, &l.index)
}

// ConfirmDocuments is Confirm for the index of documents. A nil Log checks nothing.
func (l *Log) ConfirmDocuments(ctx context.Context) error {
	if l == nil {
		return nil
	}
	return l.confirm(ctx, &l.documents)
}

func (l *Log) confirm(ctx context.Context, proven *provenIndex) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	log, err := l.follow(ctx)
	if err == nil {
		err = l.current(ctx, log, proven)
	}
	if err == nil {
		l.last.set(log.Checkpoint())
	}
	return err
}

// Missing is called if there is no index that can be decoded, with the cause. It returns a refusal if
// the store must have an index, and otherwise the cause or an error of reading the log.
func (l *Log) Missing(ctx context.Context, cause error) error {
	return l.missing(ctx, &l.index, cause)
}

// MissingDocuments is Missing for the index of documents. A nil Log knows nothing of it.
func (l *Log) MissingDocuments(ctx context.Context, cause error) error {
	if l == nil {
		return cause
	}
	return l.missing(ctx, &l.documents, cause)
}

func (l *Log) missing(ctx context.Context, proven *provenIndex, cause error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	log, err := l.follow(ctx)
	switch {
	case errors.Is(err, trust.ErrNoLog) && l.seen == nil:
		return cause // nothing was published here
	case err == nil && proven.size > 0:
		err = &olderError{fmt.Sprintf("%s is missing or damaged, and was read before: restore it", proven.name)}
	case err == nil:
		err = l.current(ctx, log, proven)
	}
	if err == nil {
		return cause
	}
	return err
}

// olderError means that an index lacks what the log has. It is an [trust.ErrRollback].
type olderError struct{ message string }

func (e *olderError) Error() string { return e.message }

func (e *olderError) Is(target error) bool {
	return target == trust.ErrRollback || target == taxonomy.ErrRefused
}

// current returns an error if the last good index has lacked an entry of the log that changes it for
// longer than [watch.Grace].
func (l *Log) current(ctx context.Context, log *signedlog.Log, proven *provenIndex) error {
	if proven.next == nil && proven.state.Size() < log.Checkpoint().Size {
		entries, err := log.Entries(ctx, proven.state.Size(), log.Checkpoint().Size)
		if err != nil {
			return err
		}
		if err := l.takeKeys(log, proven.state.Size(), entries); err != nil {
			return err
		}
		if err := l.skip(proven, entries); err != nil {
			return err
		}
	}
	if proven.next == nil || time.Since(proven.next.Time) <= watch.Grace {
		return nil
	}
	missing := fmt.Sprintf("entry %d of the log, %s of %s", proven.state.Size(), proven.next.Op, proven.next.Time.Format(time.RFC3339))
	if proven.size == 0 {
		return &olderError{fmt.Sprintf("%s is missing or damaged, or has nothing of the log, which has it since %s: restore it, or publish again", proven.name, missing)}
	}
	return &olderError{fmt.Sprintf("%s is an old copy: it lacks %s: restore it, or publish again", proven.name, missing)}
}

// takeKeys trusts keys that entries introduce, the first of which is at an index. A checkpoint that
// a key signed which they replace is refused. A later entry may introduce the key that signed it:
// following the log has found that.
func (l *Log) takeKeys(log *signedlog.Log, from int64, entries []*signedlog.Entry) error {
	trusted := signedlog.WithKeys(l.trust, from, entries...)
	if trusted == l.trust {
		return nil
	}
	l.trust = trusted
	if _, err := signedlog.Open(trusted, log.Checkpoint().Note, time.Now()); !errors.Is(err, trust.ErrUnknownKey) {
		return err
	}
	return nil
}

// skip applies entries to the state of an index up to the first one that changes it.
func (l *Log) skip(proven *provenIndex, entries []*signedlog.Entry) error {
	for _, e := range entries {
		switch e.Op {
		case signedlog.OpKey:
		case signedlog.OpPublishDocument, signedlog.OpWithdrawDocument, signedlog.OpEraseDocument, signedlog.OpRegister:
			if proven == &l.documents && !(e.Op == signedlog.OpRegister && l.sent) {
				proven.next = e
				return nil
			}
		default:
			if proven != &l.index {
				break
			}
			next := proven.state.Clone()
			if err := next.Apply(e); err != nil {
				return err
			}
			before, err := l.fold(proven.state)
			if err != nil {
				return err
			}
			if after, err := l.fold(next); err != nil || !after.Equal(before) {
				proven.next = e
				return err
			}
		}
		if err := proven.state.Apply(e); err != nil {
			return err
		}
	}
	return nil
}

// fold returns the index that a state leads to, as the store has it.
func (l *Log) fold(s *signedlog.State) (*taxonomy.Index, error) {
	x, err := s.Index()
	if err == nil && l.sent {
		record := x.Record()
		record.Archives = nil
		x = x.WithRecord(record)
	}
	return x, err
}

func (l *Log) follow(ctx context.Context) (*signedlog.Log, error) {
	log, err := signedlog.Follow(ctx, l.trust, l.file, l.seen, time.Now())
	switch {
	case errors.Is(err, fs.ErrNotExist) && !errors.Is(err, taxonomy.ErrRefused):
		// The store itself exists, so this is not fs.ErrNotExist.
		return nil, fmt.Errorf("%w, and the trust file requires a signed log: check the location of the store, begin a log with 'datachain log adopt' if it is yours, or read it without a trust file", trust.ErrNoLog)
	case err != nil:
		return nil, l.last.first(err, l.text)
	}
	c := log.Checkpoint()
	if l.memory != nil && (l.seen == nil || c.Size > l.seen.Size) {
		l.memory.Save(c.Note)
	}
	l.seen = c
	return log, nil
}

// set notes a checkpoint that was verified.
func (v *verifiedCheckpoint) set(c *signedlog.Checkpoint) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.checkpoint = c
}

// first returns the first refusal of a checkpoint whose key is not valid now: later ones differ in
// the time that they name, and would be reported as something new. It returns other errors as they
// are.
func (v *verifiedCheckpoint) first(err error, note []byte) error {
	if !errors.Is(err, trust.ErrExpired) {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.expired == nil || !bytes.Equal(note, v.note) {
		v.expired, v.note = err, note
	}
	return v.expired
}

// file reads a file of the log; the checkpoint only if it has changed.
func (l *Log) file(ctx context.Context, name string) ([]byte, error) {
	if l.read == nil {
		return nil, errors.New("follow: no store was opened with Log.Verify")
	}
	if name != signedlog.CheckpointFile {
		text, _, err := l.read(ctx, Dir+name, "", MaxFile)
		return text, err
	}
	text, tag, err := l.read(ctx, Dir+name, l.tag, MaxFile)
	switch {
	case err != nil:
		return nil, err
	case text == nil:
		return l.text, nil
	}
	l.text, l.tag = text, tag
	return text, nil
}

// errNotFold means that an index does not follow from the log.
var errNotFold = fmt.Errorf("%w: the index does not follow from the log", trust.ErrEntry)

// Malformed returns a refusal of an index that can't be decoded, since it does not follow from the log.
func (l *Log) Malformed(cause error) error { return fmt.Errorf("%w: %w", errNotFold, cause) }

// Check verifies that an index follows from the first entries of the log. The index names their
// number; for one that a server sends, which names none, Check tries each number. It must not be lower
// than that of the last good index, and the log must not have had a later entry that changes the index
// for longer than [watch.Grace].
func (l *Log) Check(ctx context.Context, x *taxonomy.Index) error {
	matches := func(s *signedlog.State) error {
		fold, err := l.fold(s)
		if err != nil {
			return err
		}
		if !fold.Equal(x) {
			return fmt.Errorf("%w: %s", errNotFold, signedlog.Difference(fold, x))
		}
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.confirmed = time.Now()
	return l.check(ctx, &l.index, x.Record().LogSize, matches)
}

// CheckDocuments is Check for the text of documents/index.json. The hash of the settings of the
// register, which servers do not send, must be that of the log, too. A nil Log checks nothing.
func (l *Log) CheckDocuments(ctx context.Context, index []byte) error {
	if l == nil {
		return nil
	}
	x, err := documents.Decode(index)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.check(ctx, &l.documents, x.LogSize, func(s *signedlog.State) error {
		register := x.Register
		if l.sent {
			register = s.Register()
		}
		missing, err := s.DocumentChanges(x.Logged(), register, time.Now())
		if err == nil && len(missing) > 0 {
			err = fmt.Errorf("the log lacks %s of it, such as one of %s", wording.Count(len(missing), "change"), cmp.Or(missing[0].Slug, "the settings"))
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errNotFold, err)
		}
		return nil
	})
}

// check applies the entries after the last good index up to a size, or all if that is 0, and
// keeps the state that is the same as an index. The function returns [errNotFold] for any other.
func (l *Log) check(ctx context.Context, proven *provenIndex, size int64, matches func(*signedlog.State) error) error {
	log, err := l.follow(ctx)
	if err != nil {
		return err
	}
	last, maxEntries := proven.state, log.Checkpoint().Size
	switch {
	case size == 0 && !l.sent:
		return fmt.Errorf("%w: it has no log_size: publish with the key of the log", errNotFold)
	case size > maxEntries: // although the checkpoint was read after the index
		return fmt.Errorf("%w: it names %d entries, the checkpoint has %d", errNotFold, size, maxEntries)
	case size > 0 && size < proven.size:
		return fmt.Errorf("%w: the index follows from %d entries, the last one from %d", trust.ErrRollback, size, proven.size)
	}
	exact := size > 0
	if exact {
		maxEntries = max(size, last.Size()) // those after the size that were read do not change it
	}
	entries, err := log.Entries(ctx, last.Size(), maxEntries)
	if err != nil {
		return err
	}
	if err := l.takeKeys(log, last.Size(), entries); err != nil {
		return err
	}
	found, err := reach(last, entries, matches)
	if errors.Is(err, errNotFold) && !exact {
		if older := lagging(last, entries, matches); older != nil {
			found, err = older, nil
		}
	}
	if err != nil {
		return err
	}
	next := provenIndex{name: proven.name, size: size, state: found}
	if !exact {
		next.size = found.Size()
	}
	previous := *proven
	*proven = next
	if err := l.current(ctx, log, proven); err != nil {
		*proven = previous
		return err
	}
	l.last.set(log.Checkpoint())
	return nil
}

// reach returns the state after all entries if it is the same as an index.
func reach(last *signedlog.State, entries []*signedlog.Entry, matches func(*signedlog.State) error) (*signedlog.State, error) {
	next := last.Clone()
	for _, e := range entries {
		if err := next.Apply(e); err != nil {
			return nil, err
		}
	}
	if err := matches(next); err != nil {
		return nil, err
	}
	return next, nil
}

// maxLag is how many entries the index that a server sends may lack: its checkpoint is read
// after it, and comparing each state with an index is not free.
const maxLag = 256

// lagging returns the last state before the end that is the same as an index, or nil. The
// entries were applied before.
func lagging(last *signedlog.State, entries []*signedlog.Entry, matches func(*signedlog.State) error) *signedlog.State {
	next, begin := last.Clone(), max(0, len(entries)-maxLag)
	var found *signedlog.State
	for i, e := range entries {
		if i >= begin && matches(next) == nil {
			found = next.Clone() // until a later one is
		}
		if next.Apply(e) != nil {
			return nil
		}
	}
	return found
}
