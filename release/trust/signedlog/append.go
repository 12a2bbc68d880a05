package signedlog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/release/trust/internal/refusal"
	"github.com/datachain-go/datachain/taxonomy"
)

// newHashes are the hashes of a log with new entries.
type newHashes struct {
	old   tlog.HashReader
	count int64 // of the hashes that the old log has stored
	added []tlog.Hash
	cache map[int64]tlog.Hash // of old ones
}

// ReadHashes implements [tlog.HashReader].
func (h *newHashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var missing []int64
	for _, i := range indexes {
		if _, known := h.cache[i]; i < h.count && !known {
			missing = append(missing, i)
		}
	}
	if len(missing) > 0 {
		read, err := h.old.ReadHashes(missing)
		if err != nil {
			return nil, err
		}
		for k, i := range missing {
			h.cache[i] = read[k]
		}
	}
	hashes := make([]tlog.Hash, len(indexes))
	for k, i := range indexes {
		if i < h.count {
			hashes[k] = h.cache[i]
		} else {
			hashes[k] = h.added[i-h.count]
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
	tree := &newHashes{old: hashes, count: tlog.StoredHashCount(old.Size), cache: make(map[int64]tlog.Hash)}
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
	var written []File
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
			written, bundle = append(written, File{tilePath(tile), bundle}), nil
		}
	}
	for _, tile := range tlog.NewTiles(tileHeight, old.Size, size) {
		data, err := tlog.ReadTileData(tile, tree)
		if err != nil {
			return nil, fmt.Errorf("signedlog: append: %w", err)
		}
		written = append(written, File{tilePath(tile), data})
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
	return append(written, File{CheckpointFile, signed}), nil
}

// noteSigners returns the signers as package note wants them.
func noteSigners(signers []Signer) []note.Signer {
	list := make([]note.Signer, len(signers))
	for i, s := range signers {
		list[i] = s
	}
	return list
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
