package targettest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/release/publish"
)

// Memory is a [publish.Target] in memory. It has no lock, and detects other
// publishers when they replace a file. The zero value is an empty target. It is
// safe for concurrent use.
type Memory struct {
	mu    sync.Mutex
	files map[string]memoryFile
	count int // of files that were written, for revisions
}

type memoryFile struct {
	data []byte
	rev  publish.Revision
}

var _ publish.Target = (*Memory)(nil)

// String returns "memory".
func (m *Memory) String() string { return "memory" }

// Read returns a file.
func (m *Memory) Read(ctx context.Context, name string) ([]byte, publish.Revision, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.files[name]
	return bytes.Clone(f.data), f.rev, ctx.Err()
}

// write writes a file if that is allowed, given the one that is there, if any.
func (m *Memory) write(ctx context.Context, name string, data []byte, allow func(now memoryFile) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := allow(m.files[name]); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if m.files == nil {
		m.files = make(map[string]memoryFile)
	}
	m.count++
	m.files[name] = memoryFile{append([]byte{}, data...), publish.Revision(fmt.Sprint(m.count))}
	return nil
}

// Replace replaces a file if it has the revision.
func (m *Memory) Replace(ctx context.Context, name string, text []byte, rev publish.Revision) error {
	return m.write(ctx, name, text, func(now memoryFile) error {
		if now.rev != rev {
			return publish.ErrConflict
		}
		return nil
	})
}

// Create creates a file.
func (m *Memory) Create(ctx context.Context, name string, text []byte) error {
	return m.write(ctx, name, text, func(now memoryFile) error {
		if now.rev != "" {
			return fs.ErrExist
		}
		return nil
	})
}

// Put creates or replaces a file.
func (m *Memory) Put(ctx context.Context, name string, data []byte) error {
	return m.write(ctx, name, data, func(memoryFile) error { return nil })
}

// Open opens a file.
func (m *Memory) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	data, rev, err := m.Read(ctx, name)
	if err == nil && rev == "" {
		err = fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// List returns the names of the files below a directory.
func (m *Memory) List(ctx context.Context, dir string) (names []string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name := range m.files {
		if below, ok := strings.CutPrefix("./"+name, "./"+strings.TrimPrefix(dir+"/", "./")); ok {
			names = append(names, below)
		}
	}
	return names, ctx.Err()
}

// Delete deletes a file.
func (m *Memory) Delete(ctx context.Context, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	delete(m.files, name)
	return nil
}
