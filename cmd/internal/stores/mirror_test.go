package stores_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	documents "github.com/datachain-go/datachain/register/rest"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/taxonomy"
)

// mirroredServer is a server whose register is replaced, as by a restart, and that can fail.
type mirroredServer struct {
	t    *testing.T
	url  string
	now  atomic.Pointer[http.Handler]
	fail atomic.Pointer[string] // the slug whose history is answered with 500
}

func newMirrored(t *testing.T) *mirroredServer {
	t.Helper()
	s := &mirroredServer{t: t}
	s.fail.Store(new("none"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/"+*s.fail.Load()+"/") {
			http.Error(w, "no", http.StatusInternalServerError)
			return
		}
		(*s.now.Load()).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// restart serves another register.
func (s *mirroredServer) restart(r *register.Register) {
	s.t.Helper()
	api, err := httpapi.New(sampleService(s.t), &httpapi.Options{Routes: documents.Routes(r)})
	require.NoError(s.t, err)
	s.now.Store(&api)
}

// mirror mirrors the register.
func (s *mirroredServer) mirror() *register.Register {
	s.t.Helper()
	origin, err := openDocuments(s.url, new(stores.Options))
	require.NoError(s.t, err)
	return openRegister(s.t, origin)
}

// putDocument writes a sample with an id and a slug.
func putDocument(t *testing.T, dir, id, slug, more string) {
	t.Helper()
	copySample(t, "air-station.json", dir)
	name := filepath.Join(dir, "air-station.json")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	text = bytes.Replace(text, []byte(`"id": "market-square-air"`), []byte(`"id": "`+id+`", "register": {"slug": "`+slug+`"}, "instance_version": "`+more+`"`), 1)
	require.Contains(t, string(text), slug)
	require.NoError(t, os.WriteFile(filepath.Join(dir, id+".json"), text, 0o600))
	require.NoError(t, os.Remove(name))
}

func directory(t *testing.T, dir string) *register.Register {
	t.Helper()
	origin, err := openDocuments(dir, new(stores.Options))
	require.NoError(t, err)
	return openRegister(t, origin)
}

// TestMirrorGoesOn mirrors a register that gives a slug to another document, and one whose answers
// about a document fail: all other documents are followed.
func TestMirrorGoesOn(t *testing.T) {
	t.Parallel()
	s, dir := newMirrored(t), t.TempDir()
	putDocument(t, dir, "first", "square", "1")
	putDocument(t, dir, "other", "other", "1")
	s.restart(directory(t, dir))
	mirror := s.mirror()
	find := func(slug string) *register.Document { d, _ := mirror.State().Document(slug); return d }
	require.Equal(t, "first", find("square").ID)

	require.NoError(t, os.Remove(filepath.Join(dir, "first.json")))
	putDocument(t, dir, "second", "square", "1")
	s.restart(directory(t, dir))
	eventually(t, func() bool { return find("square").Withdrawn != nil && len(mirror.State().Refused()) == 1 })
	refused := mirror.State().Refused()[0]
	require.Equal(t, "second", refused.ID)
	require.EqualValues(t, codes.RegisterConflict, refused.Issues[0].Code)
	require.Equal(t, "first", find("square").ID)
	require.Empty(t, mirror.Failures())

	// The others are followed, whatever is wrong with one of them.
	was := find("other").Current
	putDocument(t, dir, "other", "other", "2")
	eventually(t, func() bool { return find("other").Current != was })
	putDocument(t, dir, "bad", "bad", "1")
	s.fail.Store(new("bad"))
	was = find("other").Current
	putDocument(t, dir, "other", "other", "3")
	eventually(t, func() bool { return find("other").Current != was && len(mirror.Failures()) == 1 })
	require.ErrorContains(t, mirror.Failures()[0].Err, "such as that of bad: ")
	require.ErrorContains(t, mirror.Failures()[0].Err, "status 500")
	s.fail.Store(new("none"))
	eventually(t, func() bool { return find("bad") != nil && len(mirror.Failures()) == 0 })

	// With another slug the new document is shown.
	putDocument(t, dir, "second", "second", "1")
	eventually(t, func() bool { return find("second") != nil && len(mirror.State().Refused()) == 0 })
	require.Equal(t, "first", find("square").ID)
}

// TestMirrorKeepsErased mirrors a register that is replaced by a backup: what was erased stays so.
func TestMirrorKeepsErased(t *testing.T) {
	t.Parallel()
	s, dir := newMirrored(t), t.TempDir()
	published := func() publish.Target {
		target := new(targettest.Memory)
		_, err := publishing.Documents(t.Context(), target, directory(t, dir), nil)
		require.NoError(t, err)
		return target
	}
	serve := func(target publish.Target) {
		s.restart(openRegister(t, register.Stored("target", publishing.TargetFiles(target), nil)))
	}
	putDocument(t, dir, "first", "square", "1")
	putDocument(t, dir, "other", "other", "1")
	backup, target := published(), published()
	serve(target)
	mirror := s.mirror()
	find := func(slug string) *register.Document { d, _ := mirror.State().Document(slug); return d }
	d := find("square")
	_, err := publishing.Erase(t.Context(), target, "square", taxonomy.Hash{}, "A name")
	require.NoError(t, err)
	eventually(t, func() bool { return find("square").Removed() })

	serve(backup)
	eventually(t, func() bool { return len(mirror.State().Refused()) == 1 })
	require.Contains(t, mirror.State().Refused()[0].Issues[0].Message, "shows 1 edition of square again that it had erased")
	require.True(t, find("square").Removed())
	_, err = mirror.Text(t.Context(), find("square"), d.Current, register.Thin)
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	assert.Equal(t, "A name", find("square").Editions[0].Erased.Reason)
	assert.False(t, find("other").Removed())

	serve(target)
	eventually(t, func() bool { return len(mirror.State().Refused()) == 0 })
	require.True(t, find("square").Removed())
}
