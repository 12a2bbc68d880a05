package register_test

import (
	"context"
	"encoding/hex"
	"io"
	"io/fs"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/internal/registertest"
	"github.com/datachain-go/datachain/register/lists"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish/targettest"
)

// failingFiles is a store that can't be read for a while.
type failingFiles struct {
	register.Files
	failed *atomic.Bool
}

func (f failingFiles) ReadFile(ctx context.Context, name, tag string, limit int64) ([]byte, string, error) {
	if f.failed.Load() {
		return nil, "", fs.ErrPermission
	}
	return f.Files.ReadFile(ctx, name, tag, limit)
}

// TestStoreFails shows that what was read stays while a store can't be read, and that what
// was published meanwhile appears afterwards.
func TestStoreFails(t *testing.T) {
	dir, target := t.TempDir(), new(targettest.Memory)
	registertest.Write(t, dir, "rain.json", "rain", registertest.Monday, "")
	_, err := publishing.Documents(t.Context(), target, registertest.OpenDir(t, dir), nil)
	require.NoError(t, err)
	var failed atomic.Bool
	reports := make(chan error, 10)
	origin := register.Stored("target", failingFiles{publishing.TargetFiles(target), &failed}, nil)
	r, err := register.New(registertest.Service(t), []register.Origin{origin}, &register.Options{
		Refresh: time.Millisecond, Report: func(_ register.Origin, err error) { reports <- err },
	})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, r.Close()) })
	failed.Store(true)
	require.ErrorIs(t, <-reports, fs.ErrPermission)
	registertest.Write(t, dir, "wind.json", "wind", registertest.Tuesday, "")
	_, err = publishing.Documents(t.Context(), target, registertest.OpenDir(t, dir), nil)
	require.NoError(t, err)
	d := registertest.Find(t, r, "rain")
	_, err = r.Text(t.Context(), d, d.Current, register.Resolved)
	require.NoError(t, err)
	failed.Store(false)
	require.NoError(t, <-reports, "it is told once when the store can be read again")
	require.Eventually(t, func() bool { _, ok := r.State().Document("wind"); return ok }, time.Minute, time.Millisecond)
}

// TestEditionMissing shows that a document whose current edition is not in the store keeps its
// address and its place in lists.
func TestEditionMissing(t *testing.T) {
	dir, target := t.TempDir(), new(targettest.Memory)
	registertest.Write(t, dir, "rain.json", "rain", registertest.Monday, "")
	registertest.Write(t, dir, "wind.json", "wind", registertest.Monday, "")
	_, err := publishing.Documents(t.Context(), target, registertest.OpenDir(t, dir), nil)
	require.NoError(t, err)
	d := registertest.Find(t, registertest.OpenTarget(t, target), "rain")
	for _, form := range []string{"", ".resolved"} {
		require.NoError(t, target.Delete(t.Context(), "documents/rain/"+hex.EncodeToString(d.Current[:])+form+".json"))
	}
	s := registertest.OpenTarget(t, target).State()
	require.Equal(t, []string{"rain"}, []string{s.Refused()[0].ID})
	for _, query := range []register.Query{{}, {Text: "Lindenau"}} {
		found, err := s.Find(query)
		require.NoError(t, err)
		require.Contains(t, registertest.Found(found), "wind")
	}
	found, err := s.Find(register.Query{})
	require.NoError(t, err)
	for _, f := range lists.Formats() {
		require.NoError(t, lists.New(s, found, "").Write(io.Discard, f))
	}
	rain, ok := s.Document("rain")
	require.True(t, ok)
	require.Empty(t, rain.Summary.Points)
}

// unreadable is a store that fails.
type unreadable struct{ register.Files }

func (unreadable) ReadFile(context.Context, string, string, int64) ([]byte, string, error) {
	return nil, "", fs.ErrPermission
}

func TestUnreadable(t *testing.T) {
	_, err := register.New(registertest.Service(t), []register.Origin{register.Stored("target", unreadable{}, nil)}, nil)
	require.ErrorIs(t, err, fs.ErrPermission)
}
