package stores

import (
	"context"
	"crypto/sha256"
	"sync/atomic"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/documents"
	"github.com/datachain-go/datachain/internal/concurrent"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/internal/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
)

// maxTiles is how many bytes of tiles and bundles of a remote log are kept.
const maxTiles = 32 << 20

// tile is a tile or a bundle of a log at a checkpoint, of which it is the SHA-256: if the log
// is replaced by another one, so are its tiles.
type tile struct {
	checkpoint taxonomy.Hash
	name       string
}

// LogOf returns what reads the log of a store, or nil if it can't have one. If the store is
// verified, the checkpoint is the last good one. Tiles of remote stores are kept in memory
// until another checkpoint is read.
func LogOf(s taxonomy.Store) signedlog.ReadFunc {
	if o, ok := s.(*Opened); ok {
		s = o.Store
	}
	var read published.ReadFunc
	switch s := s.(type) {
	case *httpstore.Store:
		read = s.ReadLog
	case documents.Files:
		read = s.ReadFile
	default:
		return nil
	}
	fetch := func(ctx context.Context, name string) ([]byte, error) {
		text, _, err := read(ctx, published.LogDir+name, "", published.MaxLogFile)
		return text, err
	}
	verified, _ := s.(interface{ Checkpoint() []byte })
	_, local := s.(*fsstore.Store)
	tiles := concurrent.NewCache[tile, []byte](maxTiles, 1)
	var last atomic.Pointer[taxonomy.Hash] // the checkpoint that was read last
	return func(ctx context.Context, name string) ([]byte, error) {
		at, good := last.Load(), []byte(nil)
		if verified != nil {
			good = verified.Checkpoint()
		}
		if good != nil {
			sum := taxonomy.Hash(sha256.Sum256(good))
			at = &sum
		}
		switch {
		case name == signedlog.CheckpointFile && good != nil:
			return good, nil
		case name == signedlog.CheckpointFile:
			text, err := fetch(ctx, name)
			if err == nil {
				sum := taxonomy.Hash(sha256.Sum256(text))
				last.Store(&sum)
			}
			return text, err
		case local || at == nil:
			return fetch(ctx, name)
		}
		return tiles.Do(ctx, tile{*at, name}, func() ([]byte, int64, error) {
			text, err := fetch(ctx, name)
			return text, int64(len(text)), err
		})
	}
}
