package published

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
)

// LogDir is the directory of the log of a store.
const LogDir = "log/"

// MaxLogFile is the size limit of a file of a log that readers need: a bundle of 256 entries.
const MaxLogFile = 17 << 20

// ReadFunc reads a file of a store; see documents.Files.
type ReadFunc func(ctx context.Context, name, tag string, limit int64) (text []byte, newTag string, err error)

// Seen keeps the highest checkpoint that was seen, so that it survives a restart.
type Seen interface {
	// Load returns the checkpoint that was saved, or nil.
	Load() []byte
	Save(note []byte)
}

// Log verifies the indexes of a store by its signed log. Its methods may be called
// concurrently. Make one with [NewLog].
type Log struct {
	read   ReadFunc
	memory Seen
	// Sent means that indexes are as servers send them: they do not name the size of the
	// log, nor packs.
	Sent bool

	mu       sync.Mutex            // held while the log is read
	trust    *signedlog.Trust      // with the keys that the log introduced
	seen     *signedlog.Checkpoint // the highest one, nil at first
	text     []byte                // the checkpoint as it was read last, and its tag
	tag      string
	followed time.Time
	// index and documents are the states that the last good indexes follow from. Only
	// what comes after them is read.
	index, documents *signedlog.State

	last verified
}

// verified is the last good checkpoint of a log. Nothing is read while it is locked.
type verified struct {
	mu         sync.Mutex
	trust      *signedlog.Trust      // the trust file
	checkpoint *signedlog.Checkpoint // nil before there is one
	// aged is the first refusal of a checkpoint because of the time, and note that one.
	aged error
	note []byte
}

// NewLog returns the log of a store. The memory may be nil.
func NewLog(trust *signedlog.Trust, memory Seen, read ReadFunc) *Log {
	l := &Log{
		trust: trust, read: read, memory: memory, index: new(signedlog.State), documents: new(signedlog.State),
		last: verified{trust: trust},
	}
	if memory != nil {
		if c, err := signedlog.ParseCheckpoint(memory.Load()); err == nil && c.Origin == trust.Origin() {
			l.seen = c
		}
	}
	return l
}

// followEvery is how often a checkpoint is verified again while the index is the same.
const followEvery = time.Second

func (l *Log) due() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.followed) > followEvery
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

// Follow verifies the present checkpoint while the index is the same: its signatures, its
// age, and that it follows the highest one that was seen.
func (l *Log) Follow(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	log, err := l.follow(ctx)
	if err == nil {
		l.last.set(log.Checkpoint())
	}
	return err
}

func (l *Log) follow(ctx context.Context) (*signedlog.Log, error) {
	l.followed = time.Now()
	log, err := signedlog.Follow(ctx, l.trust, l.file, l.seen, time.Now())
	switch {
	case errors.Is(err, fs.ErrNotExist) && signedlog.Reason(err) == "":
		// The store itself exists, so this is not fs.ErrNotExist.
		return nil, fmt.Errorf("%w, and the trust file requires a signed log: check the location of the store, begin a log with 'datachain log adopt' if it is yours, or read it without a trust file", signedlog.ErrNoLog)
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

// Stale returns that the last good checkpoint is too old by now, or nil. It reads nothing, so it
// also tells if the store can't be read any more. A nil Log is never stale.
func (l *Log) Stale() error {
	if l == nil {
		return nil
	}
	l.last.mu.Lock()
	c := l.last.checkpoint
	l.last.mu.Unlock()
	if c == nil {
		return nil
	}
	return l.last.first(l.last.trust.Fresh(c, time.Now()), c.Note)
}

// set notes a checkpoint that was verified.
func (v *verified) set(c *signedlog.Checkpoint) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.checkpoint = c
}

// first returns the first refusal of a checkpoint that is too old now, or whose key is: later
// ones differ in the time that they name, and would be reported as something new. It returns
// other errors as they are.
func (v *verified) first(err error, note []byte) error {
	if !errors.Is(err, signedlog.ErrStale) && !errors.Is(err, signedlog.ErrExpired) {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if signedlog.Reason(err) != signedlog.Reason(v.aged) || !bytes.Equal(note, v.note) {
		v.aged, v.note = err, note
	}
	return v.aged
}

// file reads a file of the log; the checkpoint only if it has changed.
func (l *Log) file(ctx context.Context, name string) ([]byte, error) {
	if name != signedlog.CheckpointFile {
		text, _, err := l.read(ctx, LogDir+name, "", MaxLogFile)
		return text, err
	}
	text, tag, err := l.read(ctx, LogDir+name, l.tag, MaxLogFile)
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
var errNotFold = fmt.Errorf("%w: the index does not follow from the log", signedlog.ErrEntry)

// Check verifies that an index follows from the log: from the first entries that it names
// the number of or, if it names none, as in what servers send, from any number of them. It
// does not go back to fewer than the last good index has.
func (l *Log) Check(ctx context.Context, x *taxonomy.Index) error {
	same := func(s *signedlog.State) error {
		fold, err := s.Index()
		if err != nil {
			return err
		}
		if l.Sent {
			record := fold.Record()
			record.Packs = nil
			fold = fold.WithRecord(record)
		}
		if !fold.Equal(x) {
			return fmt.Errorf("%w: %s", errNotFold, difference(fold, x))
		}
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.check(ctx, &l.index, x.Record().LogSize, same)
}

// difference says what distinguishes an index from the one that follows from the log.
func difference(log, x *taxonomy.Index) string {
	for _, e := range log.Entries() {
		switch found, ok := x.Lookup(e.ID.Ref()); {
		case !ok:
			return fmt.Sprintf("it lacks %s, which the log has", e.ID)
		case found.ContentHash != e.ContentHash:
			return fmt.Sprintf("the log has another content hash for %s", e.ID)
		case !slices.Equal(found.Aliases, e.Aliases):
			return fmt.Sprintf("the log has other aliases for %s", e.ID)
		}
	}
	for _, e := range x.Entries() {
		if _, ok := log.Lookup(e.ID.Ref()); !ok {
			return fmt.Sprintf("it has %s, which the log lacks", e.ID)
		}
	}
	return "the log has other dates, states, packs, retired versions or decisions about ids"
}

// CheckDocuments is Check for an index of documents. It must list exactly the given documents,
// and have the hash of the settings of the register, which servers do not send. A nil Log
// checks nothing.
func (l *Log) CheckDocuments(ctx context.Context, size int64, list []signedlog.Document, register taxonomy.Hash) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.check(ctx, &l.documents, size, func(s *signedlog.State) error {
		if l.Sent {
			register = s.Register()
		}
		missing, err := s.DocumentChanges(list, register, time.Now())
		if err == nil && len(missing) > 0 {
			err = fmt.Errorf("the log lacks %s of it, such as one of %s", prose.Count(len(missing), "change"), cmp.Or(missing[0].Slug, "the settings"))
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errNotFold, err)
		}
		return nil
	})
}

// check applies the entries after a state up to a size, or all if that is 0, and keeps the
// state that is the same as an index. The function returns [errNotFold] for any other.
func (l *Log) check(ctx context.Context, at **signedlog.State, size int64, same func(*signedlog.State) error) error {
	log, err := l.follow(ctx)
	if err != nil {
		return err
	}
	last, most := *at, log.Checkpoint().Size
	switch {
	case size == 0 && !l.Sent:
		return fmt.Errorf("%w: it has no log_size: publish with the key of the log", errNotFold)
	case size > most: // although the checkpoint was read after the index
		return fmt.Errorf("%w: it names %d entries, the checkpoint has %d", errNotFold, size, most)
	case size > 0 && size < last.Size():
		return fmt.Errorf("%w: the index follows from %d entries, the last one from %d", signedlog.ErrRollback, size, last.Size())
	}
	exact := size > 0
	if exact {
		most = size
	}
	entries, err := log.Entries(ctx, last.Size(), most)
	if err != nil {
		return err
	}
	l.trust = signedlog.WithKeys(l.trust, entries...)
	found, err := reach(last, entries, same)
	if errors.Is(err, errNotFold) && !exact {
		if older := lagging(last, entries, same); older != nil {
			found, err = older, nil
		}
	}
	if err != nil {
		return err
	}
	*at = found
	l.last.set(log.Checkpoint())
	return nil
}

// reach returns the state after all entries if it is the same as an index.
func reach(last *signedlog.State, entries []*signedlog.Entry, same func(*signedlog.State) error) (*signedlog.State, error) {
	next := last.Clone()
	for _, e := range entries {
		if err := next.Apply(e); err != nil {
			return nil, err
		}
	}
	if err := same(next); err != nil {
		return nil, err
	}
	return next, nil
}

// maxLag is how many entries the index that a server sends may lack: its checkpoint is read
// after it, and comparing each state with an index is not free.
const maxLag = 256

// lagging returns the last state before the end that is the same as an index, or nil. The
// entries were applied before.
func lagging(last *signedlog.State, entries []*signedlog.Entry, same func(*signedlog.State) error) *signedlog.State {
	next, begin := last.Clone(), max(0, len(entries)-maxLag)
	var found *signedlog.State
	for i, e := range entries {
		if i >= begin && same(next) == nil {
			found = next.Clone() // until a later one is
		}
		if next.Apply(e) != nil {
			return nil
		}
	}
	return found
}
