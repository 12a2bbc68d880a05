package register_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/internal/registertest"
)

// database is an origin of a program's own: texts by name, each with a revision.
type database struct {
	mu     sync.Mutex
	rows   map[string]row
	err    error // of List
	reads  atomic.Int32
	closed atomic.Bool
}

type row struct {
	text     []byte
	revision int // 0 for none
	err      error
}

func (*database) String() string { return "the database" }

func (d *database) List(context.Context) (*register.Listing, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return nil, d.err
	}
	l := &register.Listing{Read: func(_ context.Context, name string) ([]byte, error) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.reads.Add(1)
		return d.rows[name].text, d.rows[name].err
	}}
	for name, r := range d.rows {
		f := register.File{Name: name}
		if r.revision > 0 {
			f.Tag = strconv.Itoa(r.revision)
		}
		l.Files = append(l.Files, f)
	}
	return l, nil
}

func (d *database) Close() error {
	d.closed.Store(true)
	return nil
}

// put changes a row, unless it is nil: then the row is deleted.
func (d *database) put(name string, r *row) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if delete(d.rows, name); r != nil {
		d.rows[name] = *r
	}
}

func (d *database) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.err = err
}

// sample returns the text of a document.
func sample(t *testing.T, id string, day int, title string) []byte {
	t.Helper()
	dir := t.TempDir()
	registertest.Sample(t, dir, "air-station", id, day, map[string]any{"title": registertest.Title("en", title)})
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	require.NoError(t, err)
	require.Len(t, names, 1)
	text, err := os.ReadFile(names[0])
	require.NoError(t, err)
	return text
}

// titled reports whether a document has a title.
func titled(slug, title string) func(*register.State) bool {
	return func(s *register.State) bool {
		d, ok := s.Document(slug)
		return ok && d.Title.Pick("en") == title
	}
}

// TestOwnOrigin follows an origin that is implemented outside of the package.
func TestOwnOrigin(t *testing.T) {
	db := &database{rows: map[string]row{
		"1": {text: sample(t, "rain", 1, "Rain"), revision: 1},
		"2": {text: sample(t, "wind", 1, "Wind")}, // without a revision
	}}
	reports := make(chan error, 10)
	r, err := register.New(registertest.Service(t), []register.Origin{db}, &register.Options{
		Refresh: time.Millisecond, Report: func(_ register.Origin, err error) { reports <- err },
	})
	require.NoError(t, err)
	require.True(t, titled("rain", "Rain")(r.State()))
	require.True(t, titled("wind", "Wind")(r.State()))

	// What is read each time and is the same makes no new state; it is read while nothing else is.
	before, reads := r.State(), db.reads.Load()
	require.Eventually(t, func() bool { return db.reads.Load() > reads+3 }, time.Minute, time.Millisecond)
	require.Same(t, before, r.State())

	// A text with the same revision is not read again.
	db.put("1", &row{text: sample(t, "rain", 2, "More rain"), revision: 1})
	db.put("2", &row{text: sample(t, "wind", 2, "More wind")})
	require.False(t, titled("rain", "More rain")(eventually(t, r, titled("wind", "More wind"))))
	db.put("1", &row{text: sample(t, "rain", 2, "More rain"), revision: 2})
	eventually(t, r, titled("rain", "More rain"))

	// What is invalid or can't be read is refused, and its last good text is kept.
	refused := func(s *register.State) bool { return len(s.Refused()) == 2 }
	db.put("1", &row{text: []byte(`{"id": "rain"}`), revision: 3})
	db.put("2", &row{err: errors.New("the disk is full")})
	s := eventually(t, r, refused)
	assert.True(t, titled("rain", "More rain")(s))
	assert.True(t, titled("wind", "More wind")(s))
	assert.Equal(t, "1", s.Refused()[0].File)
	assert.Equal(t, "2 can't be read: the disk is full.", s.Refused()[1].Issues[0].Message)
	db.put("1", &row{text: sample(t, "rain", 3, "Rain again"), revision: 4})
	db.put("2", nil)
	s = eventually(t, r, func(s *register.State) bool { return len(s.Refused()) == 0 && len(s.Documents()) == 1 })
	assert.True(t, titled("rain", "Rain again")(s))

	// While the database is away, what was read remains.
	away := errors.New("the database is away")
	db.fail(away)
	require.ErrorIs(t, <-reports, away)
	require.ErrorIs(t, r.Failures()[0].Err, away)
	require.Same(t, s, r.State())
	db.fail(nil)
	require.NoError(t, <-reports)
	require.False(t, db.closed.Load())
	require.NoError(t, r.Close())
	require.True(t, db.closed.Load())
}

// fixed is an origin that lists the same each time.
type fixed struct{ *register.Listing }

func (fixed) String() string { return "the list" }

func (l fixed) List(context.Context) (*register.Listing, error) { return l.Listing, nil }

func TestWrongListing(t *testing.T) {
	read := func(context.Context, string) ([]byte, error) { return nil, fs.ErrNotExist }
	for want, l := range map[string]*register.Listing{
		"the list: List returned neither a listing nor an error": nil,
		"the list: the listing has no Read":                      {Files: []register.File{{Name: "a"}}},
		`the list: the listing has two files with the name "a"`:  {Files: []register.File{{Name: "a"}, {Name: "b"}, {Name: "a"}}, Read: read},
	} {
		_, err := register.New(registertest.Service(t), []register.Origin{fixed{l}}, nil)
		require.ErrorContains(t, err, want)
	}
	r, err := register.New(registertest.Service(t), []register.Origin{fixed{new(register.Listing)}}, nil)
	require.NoError(t, err)
	require.Empty(t, r.State().Documents())
	require.NoError(t, r.Close())
}

// TestFileSystem reads documents and settings of any file system, and reads files again whose size or
// time has changed.
func TestFileSystem(t *testing.T) {
	file := func(text []byte, day int) *fstest.MapFile {
		return &fstest.MapFile{Data: text, ModTime: time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC)}
	}
	fsys := &changing{now: fstest.MapFS{
		"a/rain.json":   file(sample(t, "rain", 1, "Rain"), 1),
		"_draft.json":   file([]byte("{"), 1),
		"register.yaml": file([]byte("title:\n  en: Weather\n"), 1),
	}}
	origin := register.Directory(fsys, nil)
	require.Equal(t, "documents", origin.String())
	r, err := register.New(registertest.Service(t), []register.Origin{origin}, &register.Options{Refresh: time.Millisecond})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	require.Equal(t, "Weather", r.State().Settings().Title.Pick("en"))
	d, ok := r.State().Document("rain")
	require.True(t, ok)
	require.Equal(t, "a/rain.json", d.File())
	fsys.set(fstest.MapFS{"a/rain.json": file(sample(t, "rain", 2, "Drop"), 2)})
	s := eventually(t, r, titled("rain", "Drop"))
	require.Empty(t, s.Settings().Title)
}

// changing is a file system whose content changes.
type changing struct {
	mu  sync.Mutex
	now fstest.MapFS
}

func (c *changing) Open(name string) (fs.File, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now.Open(name)
}

func (c *changing) set(now fstest.MapFS) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}
