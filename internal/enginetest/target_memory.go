package enginetest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/published"
)

// MemoryTarget is a [publish.Directory] in memory. It has no lock, and detects other
// publishers when they replace the index. The zero value is an empty target. It is
// safe for concurrent use.
type MemoryTarget struct {
	mu       sync.Mutex
	index    []byte
	replaced int // how often the index has been
	// revisions are those of other files that were replaced.
	revisions map[string]int
	files     map[string][]byte
	since     map[string]time.Time // by release directory
}

var (
	_ publish.Directory = (*MemoryTarget)(nil)
	_ publish.Files     = (*MemoryTarget)(nil)
)

// String returns "memory".
func (m *MemoryTarget) String() string { return "memory" }

// lock locks the target unless ctx has ended.
func (m *MemoryTarget) lock(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	return nil
}

// Index returns the index.
func (m *MemoryTarget) Index(ctx context.Context) ([]byte, publish.Revision, error) {
	if err := m.lock(ctx); err != nil {
		return nil, "", err
	}
	defer m.mu.Unlock()
	return bytes.Clone(m.index), m.revision(), nil
}

func (m *MemoryTarget) revision() publish.Revision {
	if m.replaced == 0 {
		return ""
	}
	return publish.Revision(fmt.Sprint(m.replaced))
}

// ReplaceIndex replaces the index if it has the revision.
func (m *MemoryTarget) ReplaceIndex(ctx context.Context, text []byte, rev publish.Revision) error {
	if err := m.lock(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	if rev != m.revision() {
		return publish.ErrConflict
	}
	m.index = bytes.Clone(text)
	m.replaced++
	return nil
}

// Read returns a file.
func (m *MemoryTarget) Read(ctx context.Context, name string) ([]byte, publish.Revision, error) {
	if name == published.IndexFile {
		return m.Index(ctx)
	}
	if err := m.lock(ctx); err != nil {
		return nil, "", err
	}
	defer m.mu.Unlock()
	text, ok := m.files[name]
	if !ok {
		return nil, "", nil
	}
	return bytes.Clone(text), publish.Revision(fmt.Sprint(m.revisions[name] + 1)), nil
}

// Replace replaces a file if it has the revision.
func (m *MemoryTarget) Replace(ctx context.Context, name string, text []byte, rev publish.Revision) error {
	if name == published.IndexFile {
		return m.ReplaceIndex(ctx, text, rev)
	}
	if err := m.lock(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	now := publish.Revision("")
	if _, ok := m.files[name]; ok {
		now = publish.Revision(fmt.Sprint(m.revisions[name] + 1))
	}
	if now != rev {
		return publish.ErrConflict
	}
	m.make()
	m.files[name] = bytes.Clone(text)
	m.revisions[name]++
	return nil
}

// Delete deletes a file.
func (m *MemoryTarget) Delete(ctx context.Context, name string) error {
	if err := m.lock(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	delete(m.files, name)
	return nil
}

// List returns the names of the files below a directory.
func (m *MemoryTarget) List(ctx context.Context, dir string) (names []string, err error) {
	if err := m.lock(ctx); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	for name := range m.files {
		if name, below := strings.CutPrefix(name, dir+"/"); below {
			names = append(names, name)
		}
	}
	return names, nil
}

// Open opens a file.
func (m *MemoryTarget) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	if err := m.lock(ctx); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	data, ok := m.files[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// Write replaces the files below a directory.
func (m *MemoryTarget) Write(ctx context.Context, dir string, files []publish.File) error {
	written := make(map[string][]byte)
	for _, f := range files {
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			return err
		}
		written[dir+"/"+f.Name] = b.Bytes()
	}
	if err := m.lock(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	m.remove(dir)
	m.make()
	maps.Copy(m.files, written)
	if _, _, ok := published.ParseDir(dir); ok {
		m.since[dir] = time.Now()
	}
	return nil
}

func (m *MemoryTarget) remove(dir string) {
	maps.DeleteFunc(m.files, func(name string, _ []byte) bool { return strings.HasPrefix(name, dir+"/") })
}

// Add adds a file to a release.
func (m *MemoryTarget) Add(ctx context.Context, dir string, f publish.File) error {
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		return err
	}
	if err := m.lock(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	m.make()
	m.files[dir+"/"+f.Name] = b.Bytes()
	m.since[dir] = time.Now()
	return nil
}

func (m *MemoryTarget) make() {
	if m.files == nil {
		m.files, m.since, m.revisions = make(map[string][]byte), make(map[string]time.Time), make(map[string]int)
	}
}

// Create creates a file.
func (m *MemoryTarget) Create(ctx context.Context, name string, text []byte) error {
	if err := m.lock(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	m.make()
	if _, ok := m.files[name]; ok {
		return fmt.Errorf("%s: %w", name, fs.ErrExist)
	}
	m.files[name] = bytes.Clone(text)
	return nil
}

// Trim removes files of a release.
func (m *MemoryTarget) Trim(ctx context.Context, dir string, names ...string) error {
	if err := m.lock(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	for _, name := range names {
		delete(m.files, dir+"/"+name)
		m.remove(dir + "/" + name)
	}
	return nil
}

// Touch sets the time of a release to now.
func (m *MemoryTarget) Touch(ctx context.Context, dir string) error {
	if err := m.lock(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	if _, ok := m.since[dir]; ok {
		m.since[dir] = time.Now()
	}
	return nil
}

// Stored lists the releases.
func (m *MemoryTarget) Stored(ctx context.Context) (stored []publish.Stored, err error) {
	if err := m.lock(ctx); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	for dir, since := range m.since {
		v, h, _ := published.ParseDir(dir)
		stored = append(stored, publish.Stored{Dir: dir, Version: v, Hash: h, Since: since})
	}
	return stored, nil
}

// Remove removes a release.
func (m *MemoryTarget) Remove(ctx context.Context, s publish.Stored) error {
	if err := m.lock(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	since, ok := m.since[s.Dir]
	if ok && !since.Equal(s.Since) {
		return publish.ErrConflict
	}
	delete(m.since, s.Dir)
	m.remove(s.Dir)
	return nil
}
