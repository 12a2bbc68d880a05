package enginetest

import (
	"context"
	"io"
	"path"

	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// Bucket is a [publish.Shared] target in memory. The zero value is an empty target.
// It is safe for concurrent use.
type Bucket struct{ memory MemoryTarget }

var _ publish.Shared = (*Bucket)(nil)

// String returns "bucket".
func (b *Bucket) String() string { return "bucket" }

// Index returns the index.
func (b *Bucket) Index(ctx context.Context) ([]byte, publish.Revision, error) {
	return b.memory.Index(ctx)
}

// ReplaceIndex replaces the index if it has the revision.
func (b *Bucket) ReplaceIndex(ctx context.Context, text []byte, rev publish.Revision) error {
	return b.memory.ReplaceIndex(ctx, text, rev)
}

// List returns the names of the files below a directory.
func (b *Bucket) List(ctx context.Context, dir string) ([]string, error) {
	return b.memory.List(ctx, dir)
}

// Open opens a file.
func (b *Bucket) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	return b.memory.Open(ctx, name)
}

// Add adds a file to a release.
func (b *Bucket) Add(ctx context.Context, dir string, f publish.File) error {
	return b.memory.Add(ctx, dir, f)
}

// Create creates a file.
func (b *Bucket) Create(ctx context.Context, name string, text []byte) error {
	return b.memory.Create(ctx, name, text)
}

// Touch sets the time of a release to now.
func (b *Bucket) Touch(ctx context.Context, dir string) error { return b.memory.Touch(ctx, dir) }

// Stored lists the releases with their packs.
func (b *Bucket) Stored(ctx context.Context) ([]publish.Stored, error) {
	stored, err := b.memory.Stored(ctx)
	for i := range stored {
		names, err := b.memory.List(ctx, stored[i].Dir)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if sum, ok := published.ParsePack(name); ok {
				stored[i].Packs = append(stored[i].Packs, sum)
			}
		}
	}
	return stored, err
}

// Remove removes a release.
func (b *Bucket) Remove(ctx context.Context, s publish.Stored) error { return b.memory.Remove(ctx, s) }

// RemovePacks removes packs of a release.
func (b *Bucket) RemovePacks(ctx context.Context, s publish.Stored, packs ...taxonomy.Hash) error {
	m := &b.memory
	if err := m.lock(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	if since, ok := m.since[s.Dir]; ok && !since.Equal(s.Since) {
		return publish.ErrConflict
	}
	for _, sum := range packs {
		delete(m.files, path.Join(s.Dir, published.PackOf(sum)))
	}
	return nil
}
