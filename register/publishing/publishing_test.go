package publishing_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/internal/registertest"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/taxonomy"
)

func TestPublish(t *testing.T) {
	dir, target := t.TempDir(), new(targettest.Memory)
	registertest.Write(t, dir, "rain.json", "rain", registertest.Monday, "")
	registertest.Write(t, dir, "_draft.json", "draft", registertest.Monday, "")
	registertest.Write(t, dir, "sub/wind.json", "Wind 1", registertest.Monday, `"register": {"status": "in_use"},`)
	registertest.Write(t, dir, "bad.json", "bad", registertest.Monday, `"register": {"status": "in use"},`)
	ctx := t.Context()

	report, err := publishing.Documents(ctx, target, registertest.OpenDir(t, dir), nil)
	require.NoError(t, err)
	assert.True(t, report.Changed)
	assert.Len(t, report.Publications, 2)
	require.Len(t, report.Refused, 1)
	assert.Equal(t, "bad.json", report.Refused[0].File)

	report, err = publishing.Documents(ctx, target, registertest.OpenDir(t, dir), nil)
	require.NoError(t, err)
	assert.False(t, report.Changed, "the same again")
	assert.EqualValues(t, 1, report.Sequence)

	// A new edition, another slug, and one that is missing.
	registertest.Write(t, dir, "rain.json", "rain", registertest.Tuesday, `"register": {"slug": "rain-gauge"},`)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "sub")))
	report, err = publishing.Documents(ctx, target, registertest.OpenDir(t, dir), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"wind-1"}, report.Elsewhere)
	r := registertest.OpenTarget(t, target)
	d := registertest.Find(t, r, "rain")
	assert.Equal(t, "rain-gauge", d.Slug)
	assert.Equal(t, "rain.json", d.File())
	require.Len(t, d.Editions, 2)
	assert.Equal(t, d.Current, d.Editions[0].Hash)
	for _, e := range d.Editions {
		for _, form := range []register.TextKind{register.Thin, register.Resolved} {
			text, err := r.Text(ctx, d, e.Hash, form)
			require.NoError(t, err)
			assert.Equal(t, form == register.Resolved, strings.Contains(string(text), "schema_snapshot"))
		}
	}
	events, reset := r.State().Changes(1)
	assert.False(t, reset)
	assert.Equal(t, []register.Event{{Sequence: 2, Op: register.Published, Slug: "rain-gauge", Edition: d.Current}}, events)

	// The slug was that of another document.
	registertest.Write(t, dir, "other.json", "other", registertest.Monday, `"register": {"slug": "rain"},`)
	report, err = publishing.Documents(ctx, target, registertest.OpenDir(t, dir), nil)
	require.NoError(t, err)
	require.Len(t, report.Refused, 2)
	assert.Equal(t, "REGISTER_CONFLICT", string(report.Refused[1].Issues[0].Code))

	_, err = publishing.Withdraw(ctx, target, "rain-gague", "over")
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	require.ErrorContains(t, err, "did you mean rain-gauge?")
	report, err = publishing.Withdraw(ctx, target, "rain", "over")
	require.NoError(t, err)
	assert.True(t, report.Changed)
	d = registertest.Find(t, registertest.OpenTarget(t, target), "rain")
	assert.True(t, d.Gone())
	assert.Equal(t, "over", d.Withdrawn.Reason)
	assert.Len(t, d.Editions, 2)
	report, err = publishing.Documents(ctx, target, registertest.OpenDir(t, dir), nil)
	require.NoError(t, err)
	assert.False(t, report.Changed, "it stays withdrawn")
	report, err = publishing.Documents(ctx, target, registertest.OpenDir(t, dir), &publishing.Options{Again: true})
	require.NoError(t, err)
	assert.True(t, report.Changed)
	assert.False(t, registertest.Find(t, registertest.OpenTarget(t, target), "rain").Gone())

	// Erasing deletes the bytes of one edition.
	old := d.Editions[1].Hash
	_, err = publishing.Erase(ctx, target, "rain", old, "a name")
	require.NoError(t, err)
	names, err := target.List(ctx, "documents")
	require.NoError(t, err)
	assert.NotContains(t, strings.Join(names, " "), old.String())
	r = registertest.OpenTarget(t, target)
	d = registertest.Find(t, r, "rain")
	assert.False(t, d.Gone())
	e, _ := d.Edition(old)
	assert.Equal(t, "a name", e.Erased.Reason)
	_, err = r.Text(ctx, d, old, register.Thin)
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	_, err = publishing.Erase(ctx, target, "rain", taxonomy.Hash{}, "all")
	require.NoError(t, err)
	d = registertest.Find(t, registertest.OpenTarget(t, target), "rain")
	assert.True(t, d.Gone())
	assert.Empty(t, d.Title)
	report, err = publishing.Documents(ctx, target, registertest.OpenDir(t, dir), &publishing.Options{Again: true})
	require.NoError(t, err)
	assert.False(t, report.Changed, "what was erased is not published again")
}

// TestPublishMoved shows that the name of a file is published, for links to its source, also if
// nothing else has changed.
func TestPublishMoved(t *testing.T) {
	private, public, err := note.GenerateKey(nil, "datachain.example")
	require.NoError(t, err)
	signer, err := note.NewSigner(private)
	require.NoError(t, err)
	signed := publish.Sign(new(targettest.Memory), &publish.Key{Signer: signer, Public: public})
	_, err = publish.Adopt(t.Context(), signed, nil)
	require.NoError(t, err)
	for name, target := range map[string]publish.Target{"unsigned": new(targettest.Memory), "signed": signed} {
		t.Run(name, func(t *testing.T) {
			dir, ctx := t.TempDir(), t.Context()
			registertest.Write(t, dir, "rain.json", "rain", registertest.Monday, "")
			_, err := publishing.Documents(ctx, target, registertest.OpenDir(t, dir), nil)
			require.NoError(t, err)
			require.NoError(t, os.Rename(filepath.Join(dir, "rain.json"), filepath.Join(dir, "drizzle.json")))
			for _, changed := range []bool{true, false} {
				report, err := publishing.Documents(ctx, target, registertest.OpenDir(t, dir), nil)
				require.NoError(t, err)
				require.Equal(t, changed, report.Changed)
				require.Empty(t, report.Publications[0].Op, "no edition is announced")
				d := registertest.Find(t, registertest.OpenTarget(t, target), "rain")
				require.Equal(t, "drizzle.json", d.File())
				require.Len(t, d.Editions, 1)
			}
		})
	}
}

// targets are what documents are published into. Each function makes an empty one, and
// returns what opens it: a directory has one publisher at a time, until it is closed.
var targets = map[string]func(t *testing.T) func() (publish.Target, error){
	"memory": func(*testing.T) func() (publish.Target, error) {
		target := new(targettest.Memory)
		return func() (publish.Target, error) { return target, nil }
	},
	"directory": func(t *testing.T) func() (publish.Target, error) {
		dir := t.TempDir()
		return func() (publish.Target, error) { return dirtarget.Open(t.Context(), dir) }
	},
}

// do opens a target, does something with it, and closes it.
func do(open func() (publish.Target, error), what func(publish.Target) error) error {
	target, err := open()
	if err != nil {
		return err
	}
	err = what(target)
	if c, ok := target.(io.Closer); ok {
		err = errors.Join(err, c.Close())
	}
	return err
}

// failing fails from the n-th call that changes the target on, before or after it has its
// effect.
type failing struct {
	publish.Target
	left  *atomic.Int32
	after bool
}

var errKilled = errors.New("killed")

func (f failing) do(change func() error) error {
	if left := f.left.Add(-1); left < 0 {
		if f.after && left == -1 {
			_ = change() // whose answer is lost
		}
		return errKilled
	}
	return change()
}

func (f failing) Create(ctx context.Context, name string, text []byte) error {
	return f.do(func() error { return f.Target.Create(ctx, name, text) })
}

func (f failing) Replace(ctx context.Context, name string, text []byte, rev publish.Revision) error {
	return f.do(func() error { return f.Target.Replace(ctx, name, text, rev) })
}

func (f failing) Delete(ctx context.Context, name string) error {
	return f.do(func() error { return f.Target.Delete(ctx, name) })
}

// TestKilled shows that what is published stays whole, wherever a publisher ends.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	registertest.Write(t, dir, "rain.json", "rain", registertest.Monday, "")
	before := registertest.OpenDir(t, dir)
	registertest.Write(t, dir, "rain.json", "rain", registertest.Tuesday, "")
	registertest.Write(t, dir, "wind.json", "wind", registertest.Tuesday, "")
	after := registertest.OpenDir(t, dir)
	for name, open := range targets {
		for _, late := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%t", name, late), func(t *testing.T) {
				t.Parallel()
				for n, killed := int32(0), true; killed; n++ { // at each call, until all succeed
					require.NoError(t, do(open(t), func(target publish.Target) error {
						killed = killAt(t, target, before, after, n, late)
						return nil
					}))
				}
			})
		}
	}
}

// killAt kills each step at its n-th call, and repeats it. It reports whether one was killed.
func killAt(t *testing.T, target publish.Target, before, after *register.Register, n int32, late bool) (killed bool) {
	t.Helper()
	ctx := t.Context()
	_, err := publishing.Documents(ctx, target, before, nil)
	require.NoError(t, err)
	for i, step := range []func(publish.Target) error{
		func(p publish.Target) error { _, err := publishing.Documents(ctx, p, after, nil); return err },
		func(p publish.Target) error { _, err := publishing.Withdraw(ctx, p, "rain", "over"); return err },
		func(p publish.Target) error {
			_, err := publishing.Erase(ctx, p, "rain", taxonomy.Hash{}, "a name")
			return err
		},
	} {
		var left atomic.Int32
		left.Store(n)
		if err := step(failing{target, &left, late}); err != nil {
			require.ErrorIs(t, err, errKilled)
			killed = true
		}
		r := registertest.OpenTarget(t, target)
		erases := i == 2 // which begins with the texts
		assert.True(t, erases || len(r.State().Refused()) == 0, "after %d calls", n)
		for _, d := range r.State().Documents() {
			if erases && d.Slug == "rain" {
				continue
			}
			for _, e := range d.Editions {
				if _, err := r.Text(ctx, d, e.Hash, register.Resolved); e.Erased == nil {
					require.NoError(t, err, "after %d calls", n)
				}
			}
		}
		require.NoError(t, step(target), "publishing again completes it")
	}
	d := registertest.Find(t, registertest.OpenTarget(t, target), "rain")
	assert.True(t, d.Gone())
	assert.NotNil(t, d.Withdrawn)
	names, err := target.List(ctx, "documents/rain")
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
	}
	assert.Empty(t, names, "the bytes are deleted")
	return killed
}

// TestRace shows that several publishers lose nothing.
func TestRace(t *testing.T) {
	for name, open := range targets {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := open(t)
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			const publishers = 6
			errs := make(chan error, publishers)
			for i := range publishers {
				dir := t.TempDir()
				registertest.Write(t, dir, "a.json", fmt.Sprintf("station-%d", i), registertest.Monday, "")
				registertest.Write(t, dir, "b.json", "shared", fmt.Sprintf("2026-07-06T10:0%d:00Z", i), "")
				r := registertest.OpenDir(t, dir)
				go func() {
					errs <- do(target, func(p publish.Target) error { _, err := publishing.Documents(ctx, p, r, nil); return err })
				}()
			}
			for range publishers {
				require.NoError(t, <-errs)
			}
			require.NoError(t, do(target, func(p publish.Target) error {
				r := registertest.OpenTarget(t, p)
				assert.Len(t, r.State().Documents(), publishers+1)
				assert.Len(t, registertest.Find(t, r, "shared").Editions, publishers)
				assert.EqualValues(t, publishers, r.State().Sequence())
				return nil
			}))
		})
	}
}
