// Package signedlog provides the log of what a store has published: entries, signed
// checkpoints, and what a reader verifies before it trusts an index. Package
// trust is what programs outside this module use of it.
//
// # The log
//
// A log is an append-only list of entries. An [Entry] is canonical JSON and has every
// field by which it changes an index; a [State] is the fold of all entries. A log is a
// Merkle tree (RFC 6962, SHA-256) in the layout of C2SP tlog-tiles below log/ of a store:
// checkpoint, tile/<level>/<n> and tile/entries/<n>. Names of files in this package are
// relative to log/.
//
// To append, a publisher computes the next index as it does without a log.
// [State.Changes] and [State.DocumentChanges] return the entries that lead there, and
// [Log.Append] the files to write, in this order, the checkpoint last and only if it has
// not changed since it was read. The index follows; it names the size of the log that it
// is the fold of.
//
// A file with the name of a tile may hold what a publisher wrote that never replaced the
// checkpoint. Publishers that have no common lock must not overwrite the tiles of each
// other: each one first replaces the file [PendingFile] with [EncodeFiles] of what it is
// going to write, on the condition that it is unchanged, and only if the checkpoint covers
// what was pending before. If it does not, the publisher completes that first: it verifies
// the files with [Log.Resume] and writes them. All publishers so write the same bytes.
//
// # Trust
//
// A [Trust] is a parsed trust file: the origin of a log and the public keys that sign it.
// No key is built in. [Follow] reads the checkpoint of a log, checks its signatures, and that
// the log only grew since the last [Checkpoint] that the reader saw.
// Refusals wrap one of the reasons of package trust.
//
// # Keys
//
// Signatures of a log are those of golang.org/x/mod/sumdb/note (Ed25519), with key files
// as [note.GenerateKey] returns them. Signatures of other keys are ignored.
//
// The package does no I/O: it is handed a [ReadFunc], and times are arguments. Its
// tests are in trust, with those of documents, which share their logs and vectors.
//
// # Experimental
//
// This package may change in a minor version.
package signedlog

import (
	"context"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/trust/internal/refusal"
)

// The names of files of a log that are not tiles.
const (
	// CheckpointFile is the signed checkpoint.
	CheckpointFile = "checkpoint"
	// PendingFile has the files that a publisher is going to write, as [EncodeFiles]
	// returns them. Readers do not need it.
	PendingFile = "pending"
)

// ReadFunc reads a file of a log, such as tile/0/000.p/5, by its name relative to log/. The
// error wraps [fs.ErrNotExist] if there is none. It can be called concurrently if the
// methods of a [Log] are.
type ReadFunc func(ctx context.Context, name string) ([]byte, error)

// File is a file of a log to be written.
type File struct {
	Name string
	Data []byte
}

// Log is a log at a checkpoint.
type Log struct {
	checkpoint *Checkpoint
	read       ReadFunc
}

// NewLog returns the log at a checkpoint. The caller has verified the checkpoint, as
// [Follow] does. A new log has a checkpoint with only an origin.
func NewLog(c *Checkpoint, read ReadFunc) *Log { return &Log{checkpoint: c, read: read} }

// Checkpoint returns the checkpoint. It must not be changed.
func (l *Log) Checkpoint() *Checkpoint { return l.checkpoint }

// Entries returns the entries from an index up to another one, which is not included and at
// most the size of the checkpoint. They are verified against the checkpoint.
func (l *Log) Entries(ctx context.Context, from, to int64) ([]*Entry, error) {
	if from < 0 || from > to || to > l.checkpoint.Size {
		return nil, fmt.Errorf("signedlog: entries %d to %d are not in a log of %d", from, to, l.checkpoint.Size)
	}
	hashes, files := l.hashes(ctx)
	var entries []*Entry
	for n := from / tileWidth; n*tileWidth < to; n++ {
		list, err := l.bundle(files, hashes, n)
		if err != nil {
			return nil, err
		}
		base := n * tileWidth
		for i := max(from-base, 0); i < min(to-base, int64(len(list))); i++ {
			e, err := ParseEntry(list[i])
			if err != nil {
				return nil, fmt.Errorf("entry %d: %w", base+i, err)
			}
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// Consistent checks that the log has only grown since an older checkpoint. The error wraps
// trust.ErrRollback if the log is shorter, and trust.ErrFork if it has other entries.
func (l *Log) Consistent(ctx context.Context, older *Checkpoint) error {
	newer := l.checkpoint
	switch {
	case newer.Origin != older.Origin:
		return fmt.Errorf("%w: the checkpoint is of %s, an earlier one of %s", refusal.ErrOrigin, wording.Quote(newer.Origin), wording.Quote(older.Origin))
	case newer.Size < older.Size:
		return fmt.Errorf("%w: it has %d entries, and %d were seen before", refusal.ErrRollback, newer.Size, older.Size)
	case newer.Size == older.Size && newer.Root != older.Root:
		return fmt.Errorf("%w: other entries than before among the first %d", refusal.ErrFork, older.Size)
	case newer.Size == older.Size || older.Size == 0:
		return nil
	}
	hashes, _ := l.hashes(ctx)
	proof, err := tlog.ProveTree(newer.Size, older.Size, hashes)
	if err != nil {
		return fmt.Errorf("consistency with the checkpoint of %d entries: %w", older.Size, err)
	}
	if err := tlog.CheckTree(proof, newer.Size, tlog.Hash(newer.Root), older.Size, tlog.Hash(older.Root)); err != nil {
		return fmt.Errorf("%w: other entries than before among the first %d", refusal.ErrFork, older.Size)
	}
	return nil
}
