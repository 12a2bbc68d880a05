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
// A [Trust] is a parsed trust file: the origin of a log and the public keys of its signer
// and cosigners. No key is built in. [Follow] reads the checkpoint of a log, checks its
// signatures, and that the log only grew since the last [Checkpoint] that the reader saw.
// Refusals wrap one of the reasons of package trust.
//
// # Keys
//
// Signatures of a log are those of golang.org/x/mod/sumdb/note (Ed25519), with key files
// as [note.GenerateKey] returns them. A cosigner has a key of its own kind, which
// [NewCosignerKey] returns, and states the time at which it saw a checkpoint as the newest
// one (C2SP tlog-cosignature, cosignature/v1).
//
// The package does no I/O: it is handed a [ReadFunc], and times are arguments. Its
// tests are in trust, with those of the proofs, which share their logs and vectors.
//
// # Experimental
//
// This package may change in a minor version.
package signedlog

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/trust/internal/refusal"
)

// The names of files of a log that are not tiles.
const (
	// CheckpointFile is the signed checkpoint.
	CheckpointFile = "checkpoint"
	// PendingFile has the files that a publisher is going to write, as [EncodeFiles]
	// returns them. Readers do not need it.
	PendingFile = "pending"
)

// tileHeight is that of C2SP tlog-tiles, and tileWidth the number of hashes in a tile and of
// entries in a bundle.
const (
	tileHeight = 8
	tileWidth  = 1 << tileHeight
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

// tilePath returns the name of a tile, or of a bundle of entries if the level is -1.
func tilePath(t tlog.Tile) string {
	level := strconv.Itoa(t.L)
	if t.L < 0 {
		level = "entries"
	}
	// tlog writes the height, too: tile/8/<level>/<n>.
	t.L = 0
	return "tile/" + level + strings.TrimPrefix(t.Path(), "tile/8/0")
}

// tiles reads tiles for tlog, which verifies them.
type tiles struct {
	context.Context //nolint:containedctx // it lives as long as one call, and tlog's interface passes none
	read            ReadFunc
	cache           map[tlog.Tile][]byte
	failed          error // of a read, as opposed to what was read
}

func (t *tiles) Height() int { return tileHeight }

// SaveTiles keeps tiles that were verified.
func (t *tiles) SaveTiles(list []tlog.Tile, data [][]byte) {
	for i, tile := range list {
		t.cache[tile] = data[i]
	}
}

// ReadTiles implements [tlog.TileReader].
func (t *tiles) ReadTiles(list []tlog.Tile) ([][]byte, error) {
	data := make([][]byte, len(list))
	for i, tile := range list {
		known, ok := t.cache[tile]
		if !ok {
			var err error
			if known, err = t.file(tile); err != nil {
				return nil, err
			}
			want := tile.W * tlog.HashSize
			if len(known) < want {
				return nil, fmt.Errorf("%w: %s is truncated: it has %d bytes, but must have %d", refusal.ErrTile, tilePath(tile), len(known), want)
			}
			known = known[:want]
		}
		data[i] = known
	}
	return data, nil
}

// file reads the file of a tile or bundle. A partial one may have been replaced by the
// full one.
func (t *tiles) file(tile tlog.Tile) ([]byte, error) {
	data, err := t.read(t, tilePath(tile))
	if full := tile; errors.Is(err, fs.ErrNotExist) && tile.W < tileWidth {
		full.W = tileWidth
		if data, again := t.read(t, tilePath(full)); again == nil {
			return data, nil
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// The error does not wrap it: the store exists.
		return nil, fmt.Errorf("%w: %s is missing", refusal.ErrTile, tilePath(tile))
	case err != nil:
		t.failed = err
		return nil, err
	}
	return data, nil
}

// hashes returns the verified hashes of the log.
func (l *Log) hashes(ctx context.Context) (tlog.HashReader, *tiles) {
	t := &tiles{Context: ctx, read: l.read, cache: make(map[tlog.Tile][]byte)}
	if l.checkpoint.Size == 0 {
		return tlog.HashReaderFunc(func([]int64) ([]tlog.Hash, error) { return nil, errors.New("the log is empty") }), t
	}
	reader := tlog.TileHashReader(tlog.Tree{N: l.checkpoint.Size, Hash: tlog.Hash(l.checkpoint.Root)}, t)
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes, err := reader.ReadHashes(indexes)
		if err != nil && t.failed == nil && !errors.Is(err, refusal.ErrTile) {
			err = fmt.Errorf("%w: %w", refusal.ErrTile, err)
		}
		return hashes, err
	}), t
}

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

// bundle returns the verified entries of a bundle.
func (l *Log) bundle(files *tiles, hashes tlog.HashReader, n int64) ([][]byte, error) {
	tile := tlog.Tile{H: tileHeight, L: -1, N: n, W: int(min(tileWidth, l.checkpoint.Size-n*tileWidth))}
	data, err := files.file(tile)
	if err != nil {
		return nil, err
	}
	list, err := splitBundle(data)
	if err == nil && len(list) < tile.W {
		err = fmt.Errorf("%d entries are missing", tile.W-len(list))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", refusal.ErrTile, tilePath(tile), err)
	}
	list = list[:tile.W]
	indexes := make([]int64, tile.W)
	for i := range indexes {
		indexes[i] = tlog.StoredHashIndex(0, n*tileWidth+int64(i))
	}
	want, err := hashes.ReadHashes(indexes)
	if err != nil {
		return nil, err
	}
	for i, text := range list {
		if tlog.RecordHash(text) != want[i] {
			return nil, fmt.Errorf("%w: %s: entry %d was altered", refusal.ErrTile, tilePath(tile), n*tileWidth+int64(i))
		}
	}
	return list, nil
}

// splitBundle returns the entries of a bundle: each has its length before it, as two bytes.
func splitBundle(data []byte) ([][]byte, error) {
	var list [][]byte
	for len(data) > 0 {
		if len(data) < 2 || len(data)-2 < int(binary.BigEndian.Uint16(data)) {
			return nil, errors.New("the bundle is truncated")
		}
		end := 2 + int(binary.BigEndian.Uint16(data))
		list, data = append(list, data[2:end]), data[end:]
	}
	if len(list) > tileWidth {
		return nil, fmt.Errorf("the bundle has %d entries, at most %d are allowed", len(list), tileWidth)
	}
	return list, nil
}

// Prove returns the path from an entry to the root of the checkpoint, for
// [Checkpoint.Includes], and the text of the entry.
func (l *Log) Prove(ctx context.Context, index int64) (text []byte, path taxonomy.ProofPath, err error) {
	if index < 0 || index >= l.checkpoint.Size {
		return nil, nil, fmt.Errorf("signedlog: entry %d is not in a log of %d", index, l.checkpoint.Size)
	}
	hashes, files := l.hashes(ctx)
	list, err := l.bundle(files, hashes, index/tileWidth)
	if err != nil {
		return nil, nil, err
	}
	proof, err := tlog.ProveRecord(l.checkpoint.Size, index, hashes)
	for _, h := range proof {
		path = append(path, taxonomy.Hash(h))
	}
	return list[index%tileWidth], path, err
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
	return newer.follows(older, proof)
}

// appended are the hashes of a log with new entries.
type appended struct {
	old   tlog.HashReader
	count int64 // of the hashes that the old log has stored
	added []tlog.Hash
	cache map[int64]tlog.Hash // of old ones
}

// ReadHashes implements [tlog.HashReader].
func (a *appended) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var missing []int64
	for _, i := range indexes {
		if _, known := a.cache[i]; i < a.count && !known {
			missing = append(missing, i)
		}
	}
	if len(missing) > 0 {
		read, err := a.old.ReadHashes(missing)
		if err != nil {
			return nil, err
		}
		for k, i := range missing {
			a.cache[i] = read[k]
		}
	}
	hashes := make([]tlog.Hash, len(indexes))
	for k, i := range indexes {
		if i < a.count {
			hashes[k] = a.cache[i]
		} else {
			hashes[k] = a.added[i-a.count]
		}
	}
	return hashes, nil
}

// Append returns the files to write, in order, so that the log has more entries: tiles and
// bundles, and last the checkpoint with a signature of each signer. The caller has applied
// the entries to the [State] of the log. Without entries, it signs the checkpoint again.
func (l *Log) Append(ctx context.Context, entries []*Entry, signers ...Signer) ([]File, error) {
	if len(signers) == 0 {
		return nil, errors.New("signedlog: append: a key is needed to sign the checkpoint")
	}
	old := l.checkpoint
	hashes, files := l.hashes(ctx)
	tree := &appended{old: hashes, count: tlog.StoredHashCount(old.Size), cache: make(map[int64]tlog.Hash)}
	bundle := []byte(nil) // the one that is being filled
	if old.Size%tileWidth > 0 {
		list, err := l.bundle(files, hashes, old.Size/tileWidth)
		if err != nil {
			return nil, err
		}
		for _, text := range list {
			bundle = appendBundle(bundle, text)
		}
	}
	var out []File
	size := old.Size
	for i, e := range entries {
		text, err := e.JSON()
		if err != nil {
			return nil, fmt.Errorf("signedlog: append: %w", err)
		}
		stored, err := tlog.StoredHashes(size, text, tree)
		if err != nil {
			return nil, fmt.Errorf("signedlog: append: %w", err)
		}
		tree.added = append(tree.added, stored...)
		size++
		if bundle = appendBundle(bundle, text); size%tileWidth == 0 || i == len(entries)-1 {
			tile := tlog.Tile{H: tileHeight, L: -1, N: (size - 1) / tileWidth, W: int((size-1)%tileWidth) + 1}
			out, bundle = append(out, File{tilePath(tile), bundle}), nil
		}
	}
	for _, tile := range tlog.NewTiles(tileHeight, old.Size, size) {
		data, err := tlog.ReadTileData(tile, tree)
		if err != nil {
			return nil, fmt.Errorf("signedlog: append: %w", err)
		}
		out = append(out, File{tilePath(tile), data})
	}
	root, err := tlog.TreeHash(size, tree)
	if err != nil {
		return nil, fmt.Errorf("signedlog: append: %w", err)
	}
	next := &Checkpoint{Origin: old.Origin, Size: size, Root: taxonomy.Hash(root)}
	signed, err := note.Sign(&note.Note{Text: next.text()}, noteSigners(signers)...)
	if err != nil {
		return nil, fmt.Errorf("signedlog: sign the checkpoint: %w", err)
	}
	return append(out, File{CheckpointFile, signed}), nil
}

// noteSigners returns the signers as package note wants them.
func noteSigners(signers []Signer) []note.Signer {
	list := make([]note.Signer, len(signers))
	for i, s := range signers {
		list[i] = s
	}
	return list
}

// appendBundle appends an entry to a bundle.
func appendBundle(bundle, text []byte) []byte {
	return append(binary.BigEndian.AppendUint16(bundle, uint16(len(text))), text...)
}

// EncodeFiles returns the text of a [PendingFile].
func EncodeFiles(files []File) []byte {
	var b []byte
	for _, f := range files {
		b = fmt.Appendf(b, "%s %d\n", f.Name, len(f.Data))
		b = append(append(b, f.Data...), '\n')
	}
	return b
}

// DecodeFiles returns the files of a [PendingFile].
func DecodeFiles(data []byte) ([]File, error) {
	var files []File
	for len(data) > 0 {
		head, rest, _ := bytes.Cut(data, []byte("\n"))
		name, length, _ := strings.Cut(string(head), " ")
		n, err := strconv.ParseUint(length, 10, 31)
		if err != nil || name == "" || uint64(len(rest)) < n+1 || rest[n] != '\n' {
			return nil, fmt.Errorf("signedlog: %s is damaged: delete it if no other publisher is at work", PendingFile)
		}
		files = append(files, File{name, rest[:n]})
		data = rest[n+1:]
	}
	return files, nil
}

// Resume verifies files that another publisher was going to write, and returns the log with
// them, whose checkpoint the caller verifies, such as with [Open]. It returns nil if
// the log has them already, or if they do not follow the log: then they can be dropped.
func (l *Log) Resume(ctx context.Context, files []File, open func(signed []byte) (*Checkpoint, error)) (*Log, error) {
	byName := make(map[string][]byte)
	for _, f := range files {
		byName[f.Name] = f.Data
	}
	next, err := open(byName[CheckpointFile])
	if err != nil {
		return nil, fmt.Errorf("signedlog: %s: %w", PendingFile, err)
	}
	if next.Size <= l.checkpoint.Size {
		return nil, nil //nolint:nilnil // nothing is pending
	}
	resumed := NewLog(next, func(ctx context.Context, name string) ([]byte, error) {
		if data, ok := byName[name]; ok {
			return data, nil
		}
		return l.read(ctx, name)
	})
	err = resumed.Consistent(ctx, l.checkpoint)
	if errors.Is(err, refusal.ErrFork) {
		return nil, nil //nolint:nilnil // it was prepared for another state of the log
	}
	if err == nil {
		_, err = resumed.Entries(ctx, l.checkpoint.Size, next.Size)
	}
	if err != nil {
		return nil, fmt.Errorf("signedlog: %s: %w", PendingFile, err)
	}
	return resumed, nil
}
