package publishing_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/internal/registertest"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish"
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
	assert.True(t, d.Removed())
	assert.Equal(t, "over", d.Withdrawn.Reason)
	assert.Len(t, d.Editions, 2)
	report, err = publishing.Documents(ctx, target, registertest.OpenDir(t, dir), nil)
	require.NoError(t, err)
	assert.False(t, report.Changed, "it stays withdrawn")
	report, err = publishing.Documents(ctx, target, registertest.OpenDir(t, dir), &publishing.Options{Again: true})
	require.NoError(t, err)
	assert.True(t, report.Changed)
	assert.False(t, registertest.Find(t, registertest.OpenTarget(t, target), "rain").Removed())

	// Erasing deletes the bytes of one edition.
	old := d.Editions[1].Hash
	_, err = publishing.Erase(ctx, target, "rain", old, "a name")
	require.NoError(t, err)
	names, err := target.List(ctx, "documents")
	require.NoError(t, err)
	assert.NotContains(t, strings.Join(names, " "), old.String())
	r = registertest.OpenTarget(t, target)
	d = registertest.Find(t, r, "rain")
	assert.False(t, d.Removed())
	e, _ := d.Edition(old)
	assert.Equal(t, "a name", e.Erased.Reason)
	_, err = r.Text(ctx, d, old, register.Thin)
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	_, err = publishing.Erase(ctx, target, "rain", taxonomy.Hash{}, "all")
	require.NoError(t, err)
	d = registertest.Find(t, registertest.OpenTarget(t, target), "rain")
	assert.True(t, d.Removed())
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
	_, err = publish.Adopt(t.Context(), signed)
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
