package signedlog

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/trust/internal/refusal"
)

// tileHeight is that of C2SP tlog-tiles, and tileWidth the number of hashes in a tile and of
// entries in a bundle.
const (
	tileHeight = 8
	tileWidth  = 1 << tileHeight
)

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
	readErr         error // of a read, as opposed to what was read
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
			read, data, err := t.file(tile)
			if err != nil {
				return nil, err
			}
			switch want := read.W * tlog.HashSize; {
			case len(data) < want:
				return nil, fmt.Errorf("%w: %s is truncated: it has %d bytes, but must have %d", refusal.ErrTile, tilePath(read), len(data), want)
			case len(data) > want:
				return nil, fmt.Errorf("%w: %s has %s after its last hash: restore it", refusal.ErrTile, tilePath(read), wording.Count(len(data)-want, "byte"))
			}
			known = data[:tile.W*tlog.HashSize]
		}
		data[i] = known
	}
	return data, nil
}

// file reads the file of a tile or bundle, and returns which it was: a partial one may have been
// replaced by the full one.
func (t *tiles) file(tile tlog.Tile) (read tlog.Tile, data []byte, err error) {
	data, err = t.read(t, tilePath(tile))
	if full := tile; errors.Is(err, fs.ErrNotExist) && tile.W < tileWidth {
		full.W = tileWidth
		if data, retryErr := t.read(t, tilePath(full)); retryErr == nil {
			return full, data, nil
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// The error does not wrap it: the store exists.
		err = fmt.Errorf("%w: %s is missing", refusal.ErrTile, tilePath(tile))
	case err != nil:
		t.readErr = err
	}
	return tile, data, err
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
		if err != nil && t.readErr == nil && !errors.Is(err, refusal.ErrTile) {
			err = fmt.Errorf("%w: %w", refusal.ErrTile, err)
		}
		return hashes, err
	}), t
}

// bundle returns the verified entries of a bundle.
func (l *Log) bundle(files *tiles, hashes tlog.HashReader, n int64) ([][]byte, error) {
	tile := tlog.Tile{H: tileHeight, L: -1, N: n, W: int(min(tileWidth, l.checkpoint.Size-n*tileWidth))}
	read, data, err := files.file(tile)
	if err != nil {
		return nil, err
	}
	list, err := splitBundle(data, read.W)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", refusal.ErrTile, tilePath(read), err)
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
func splitBundle(data []byte, width int) ([][]byte, error) {
	list := make([][]byte, width)
	for i := range list {
		switch {
		case len(data) == 0:
			return nil, fmt.Errorf("%d entries are missing", width-i)
		case len(data) < 2 || len(data)-2 < int(binary.BigEndian.Uint16(data)):
			return nil, errors.New("the bundle is truncated")
		}
		end := 2 + int(binary.BigEndian.Uint16(data))
		list[i], data = data[2:end], data[end:]
	}
	if len(data) > 0 {
		return nil, fmt.Errorf("it has %s after its last entry: restore it", wording.Count(len(data), "byte"))
	}
	return list, nil
}

// appendBundle appends an entry to a bundle.
func appendBundle(bundle, text []byte) []byte {
	return append(binary.BigEndian.AppendUint16(bundle, uint16(len(text))), text...)
}
