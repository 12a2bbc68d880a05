package publish

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
)

// ErrNoKey is wrapped by errors of changes of a store that has a signed log, if the target
// was not made with [Sign].
var ErrNoKey = errors.New("the store has a signed log: publish with the key that signs it")

// ErrNoLog is wrapped by errors of signed changes of a store that has releases or documents,
// but no log; see [Adopt].
var ErrNoLog = errors.New("the store has no log yet: adopt it with 'datachain log adopt'")

// ErrReplacedKey is wrapped by errors of changes that are signed with a key that the log has
// replaced; see [Rotate].
var ErrReplacedKey = errors.New("the key was replaced and signs nothing any more")

// Signer signs the checkpoints of a log, as note.NewSigner of golang.org/x/mod/sumdb returns it
// for a private key. One that asks a key service has the same methods.
type Signer interface {
	// Name returns the name of the key.
	Name() string
	// KeyHash returns the key id, which the public key has in its text.
	KeyHash() uint32
	// Sign returns the signature of a message.
	Sign(msg []byte) ([]byte, error)
}

// Key signs the log of a store. Its name is the origin of the log.
type Key struct {
	Signer
	// Public is the public key in the form of note.NewVerifier.
	Public string
	// Seen keeps the highest checkpoint of the log between changes: a store that has been
	// replaced by an older copy, or that has lost its log, is then refused with an error that
	// wraps [trust.ErrRollback] or [trust.ErrFork], instead of getting a second history. nil
	// keeps none.
	Seen interface {
		// Load returns the checkpoint that was saved, or nil.
		Load() []byte
		Save(checkpoint []byte)
	}
}

// last returns the highest checkpoint that was seen, or nil.
func (k *Key) last() *signedlog.Checkpoint {
	if k.Seen == nil {
		return nil
	}
	c, err := signedlog.ParseCheckpoint(k.Seen.Load())
	if err != nil || c.Origin != k.Name() {
		return nil
	}
	return c
}

// save keeps a checkpoint that the store has.
func (k *Key) save(checkpoint []byte) {
	if k.Seen != nil {
		k.Seen.Save(checkpoint)
	}
}

// trust returns what a publisher with the key trusts: logs that the key signed.
func (k *Key) trust() (*signedlog.Trust, error) {
	file, err := json.Marshal(map[string]any{"origin": k.Name(), "keys": []any{map[string]string{"key": k.Public}}})
	if err != nil {
		return nil, err
	}
	t, err := signedlog.ParseTrust(file)
	if err != nil {
		return nil, fmt.Errorf("the public key: %w", err)
	}
	return t, nil
}

// signedTarget is a target with a key.
type signedTarget struct {
	Target
	key *Key
}

func (s signedTarget) logKey() *Key { return s.key }

// Sign returns the target with a key: each change of it, of releases and of documents, is
// appended to the log of the store, and the key signs the checkpoint. An empty store gets a
// log; for another one see [Adopt].
func Sign(t Target, key *Key) Target { return signedTarget{t, key} }

// Log is the log of a target, as a publisher reads it before a change.
type Log struct {
	files      Target
	key        *Key
	log        *signedlog.Log
	state      *signedlog.State
	rev        Revision // of the checkpoint
	pendingRev Revision
}

const logDir = "log/"

// above begins the name of an index among pending files, whose names are relative to log/.
const above = "../"

// mayPublish returns [ErrReplacedKey] if the log has replaced the key.
func mayPublish(l *Log) error {
	if now := l.state.Key(); now != "" && now != l.key.Public {
		return fmt.Errorf("%w: publish with %s", ErrReplacedKey, now)
	}
	return nil
}

// openLog reads and verifies the log of a target, and completes what an interrupted publisher
// has begun, if maySign accepts the key. A target that has neither a log nor a key returns
// nil, and one that has a log and no key [ErrNoKey].
func openLog(ctx context.Context, t Target, maySign func(*Log) error) (*Log, error) {
	var key *Key
	if s, ok := t.(interface{ logKey() *Key }); ok {
		key = s.logKey()
	}
	text, rev, err := t.Read(ctx, logDir+signedlog.CheckpointFile)
	switch {
	case err != nil:
		return nil, err
	case key == nil && rev == "":
		return nil, nil //nolint:nilnil // there is no log
	case key == nil:
		return nil, ErrNoKey
	}
	l := &Log{files: t, key: key, rev: rev, state: new(signedlog.State)}
	trusted, err := key.trust()
	if err != nil {
		return nil, err
	}
	l.log = signedlog.NewLog(&signedlog.Checkpoint{Origin: key.Name()}, l.read)
	last := key.last()
	if rev == "" && last != nil {
		return nil, fmt.Errorf("%w: the store has no log, and the key has signed one of %d entries", trust.ErrRollback, last.Size)
	}
	if rev != "" {
		l.log, err = signedlog.Follow(ctx, trusted, func(ctx context.Context, name string) ([]byte, error) {
			if name == signedlog.CheckpointFile {
				return text, nil
			}
			return l.read(ctx, name)
		}, last, time.Now())
		if errors.Is(err, trust.ErrUnknownKey) || errors.Is(err, trust.ErrOrigin) {
			err = fmt.Errorf("%w: publish with the key that signs the log; 'datachain log rotate' introduces another one", err)
		}
		if err != nil {
			return nil, fmt.Errorf("%s%s: %w", logDir, signedlog.CheckpointFile, err)
		}
		key.save(text)
	}
	entries, err := l.log.Entries(ctx, 0, l.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", logDir, err)
	}
	for _, e := range entries {
		if err := l.state.Apply(e); err != nil {
			return nil, fmt.Errorf("%s: %w", logDir, err)
		}
	}
	if err := maySign(l); err != nil {
		return nil, err
	}
	if _, err := l.state.Next(time.Now()); err != nil {
		return nil, fmt.Errorf("%s: %w", logDir, err)
	}
	resumed, err := l.resume(ctx, trusted)
	switch {
	case err != nil:
		return nil, err
	case resumed:
		return openLog(ctx, t, maySign)
	}
	return l, nil
}

// read reads a file of the log.
func (l *Log) read(ctx context.Context, name string) ([]byte, error) {
	text, rev, err := l.files.Read(ctx, logDir+name)
	if err == nil && rev == "" {
		err = fmt.Errorf("%s%s: %w", logDir, name, fs.ErrNotExist)
	}
	return text, err
}

// resume completes what a publisher has prepared, and reports whether the log has grown: all
// publishers write the same bytes, so it does not matter whether that one is still at work.
func (l *Log) resume(ctx context.Context, trusted *signedlog.Trust) (bool, error) {
	pending, rev, err := l.files.Read(ctx, logDir+signedlog.PendingFile)
	if err != nil || rev == "" {
		return false, err
	}
	l.pendingRev = rev
	files, err := signedlog.DecodeFiles(pending)
	if err != nil {
		return false, err
	}
	resumed, err := l.log.Resume(ctx, files, func(signed []byte) (*signedlog.Checkpoint, error) { return signedlog.Open(trusted, signed, time.Now()) })
	if err != nil {
		return false, err
	}
	if resumed != nil {
		return true, l.write(ctx, files)
	}
	for _, f := range files {
		name, ok := strings.CutPrefix(f.Name, above)
		if !ok || name != layout.IndexFile && name != layout.DocumentsIndex {
			continue
		}
		text, rev, err := l.files.Read(ctx, name)
		if size := logSize(f.Data); err == nil && size <= l.Size() && logSize(text) < size {
			err = l.files.Replace(ctx, name, f.Data, rev)
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// logSize returns the size of the log that an index names.
func logSize(index []byte) int64 {
	var head struct {
		LogSize int64 `json:"log_size"`
	}
	_ = json.Unmarshal(index, &head) // a damaged index is reported when it is read
	return head.LogSize
}

// write writes tiles, and then the checkpoint if it is still the one that was read.
func (l *Log) write(ctx context.Context, files []signedlog.File) error {
	var checkpoint []byte
	for _, f := range files {
		switch {
		case f.Name == signedlog.CheckpointFile:
			checkpoint = f.Data
			continue
		case !strings.HasPrefix(f.Name, "tile/"):
			continue
		}
		err := l.files.Create(ctx, logDir+f.Name, f.Data)
		if errors.Is(err, fs.ErrExist) {
			// Either it is the same, or of a publisher that did not get further.
			var now []byte
			var rev Revision
			if now, rev, err = l.files.Read(ctx, logDir+f.Name); err == nil && !bytes.Equal(now, f.Data) {
				err = l.files.Replace(ctx, logDir+f.Name, f.Data, rev)
			}
		}
		if err != nil {
			return err
		}
	}
	if err := l.files.Replace(ctx, logDir+signedlog.CheckpointFile, checkpoint, l.rev); err != nil {
		return err
	}
	l.key.save(checkpoint)
	return nil
}

// Size returns the number of entries.
func (l *Log) Size() int64 { return l.log.Checkpoint().Size }

// LackedDocuments reports whether the log lacks changes that lead to the text of
// documents/index.json. The error means that no changes do.
func (l *Log) LackedDocuments(index []byte) (bool, error) {
	changes, err := documentChanges(l.state, index)
	return len(changes) > 0, err
}

// revision returns a revision that also changes with the log, which may be nil.
func (l *Log) revision(rev Revision) Revision {
	if l == nil {
		return rev
	}
	return rev + "\n" + l.rev
}

// commit appends entries to the log, and then replaces an index that has a revision: its text
// names the size that the log has then. Without a name it only appends. If it is interrupted,
// openLog completes it.
func (l *Log) commit(ctx context.Context, entries []*signedlog.Entry, name string, text []byte, rev Revision, others ...signedlog.Signer) error {
	if len(entries) > 0 {
		files, err := l.log.Append(ctx, entries, append([]signedlog.Signer{l.key}, others...)...)
		if err != nil {
			return err
		}
		pending := slices.Clip(files)
		if name != "" {
			pending = append(pending, signedlog.File{Name: above + name, Data: text})
		}
		if err := l.files.Replace(ctx, logDir+signedlog.PendingFile, signedlog.EncodeFiles(pending), l.pendingRev); err != nil {
			return err
		}
		if err := l.write(ctx, files); err != nil {
			return err
		}
	}
	if name == "" {
		return nil
	}
	return l.files.Replace(ctx, name, text, rev)
}

// current returns the index that the log leads to, and whether that is not the one of the
// store: one that was restored from a copy, for example.
func (l *Log) current(current *taxonomy.Index, adopt bool) (_ *taxonomy.Index, repaired bool, err error) {
	if l == nil {
		return current, false, nil
	}
	fold, err := l.state.Index()
	switch {
	case err != nil:
		return nil, false, err
	case l.Size() == 0 && (adopt || current.Len() == 0 && len(current.Retired()) == 0):
		return current, true, nil
	case l.Size() == 0:
		return nil, false, ErrNoLog
	case fold.Equal(current):
		return current, false, nil
	case current.Record().LogSize > l.Size():
		return nil, false, ErrConflict
	case current.Record().LogSize == l.Size():
		return nil, false, fmt.Errorf("%s was changed without the log: restore it, or delete it to restore it from the log", layout.IndexFile)
	}
	// Each entry that the index lacks may have changed it, so readers have seen no higher sequence.
	record, was := fold.Record(), current.Record()
	record.Sequence, record.LogSize = was.Sequence+l.Size()-was.LogSize, was.LogSize
	return fold.WithRecord(record), true, nil
}

// begin returns the state and the first entries of an empty log: its key.
func (l *Log) begin() (*signedlog.State, []*signedlog.Entry, error) {
	state := l.state.Clone()
	if l.Size() > 0 {
		return state, nil, nil
	}
	e, err := signedlog.Endorse(l.key.Name(), l.key.Public, time.Now(), nil)
	if err == nil {
		err = state.Apply(e)
	}
	return state, []*signedlog.Entry{e}, err
}

// Adopt begins the log of a store that has releases already: it gets an entry for each
// release, as if all had just been published. What was published and changed before can't
// be known from it. If there is a log already, it changes nothing.
func Adopt(ctx context.Context, t Target) (*Report, error) {
	return change{
		op: "adopt", adopt: true,
		plan: func(_, current *taxonomy.Index) (*taxonomy.Index, error) { return current, nil },
	}.apply(ctx, t)
}

// errRotated means that the new key signs the log already.
var errRotated = errors.New("the new key signs already")

// Rotate introduces a key to the log of a target, which has the present key, with a
// statement that the present key signs. From then on only the new key signs. It has the same
// name. If it is the one that signs already, nothing changes.
func Rotate(ctx context.Context, t Target, next *Key) error {
	return retry(ctx, "rotate", t, func(ctx context.Context) (Revision, error) {
		l, err := openLog(ctx, t, func(l *Log) error {
			switch now := l.state.Key(); {
			case now == next.Public:
				return errRotated
			case now != "" && now != l.key.Public:
				return fmt.Errorf("%w: rotate with %s", ErrReplacedKey, now)
			case slices.Contains(l.state.Keys(), next.Public):
				return errors.New("the log had the new key before, and replaced it: create another one with 'datachain log keys new'")
			}
			return nil
		})
		switch {
		case errors.Is(err, errRotated):
			return "", nil // by an attempt whose answer was lost
		case err != nil:
			return "", err
		case l == nil || l.Size() == 0:
			return "", ErrNoLog
		case next.Name() != l.key.Name():
			return "", fmt.Errorf("the new key is named %s: it must have the name of the log, %s", next.Name(), l.key.Name())
		}
		at, err := l.state.Next(time.Now())
		if err != nil {
			return "", err
		}
		e, err := signedlog.Endorse(l.key.Name(), next.Public, at, l.key)
		if err == nil {
			err = l.commit(ctx, []*signedlog.Entry{e}, "", nil, "", next)
		}
		return l.rev, err
	})
}
