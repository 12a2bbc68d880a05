package publish_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io/fs"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// newKey returns a key, and what a reader that has it trusts.
func newKey(t *testing.T) (*publish.Key, *signedlog.Trust) {
	t.Helper()
	private, public, err := note.GenerateKey(rand.Reader, "example.org/log")
	require.NoError(t, err)
	signer, err := note.NewSigner(private)
	require.NoError(t, err)
	return &publish.Key{Signer: signer, Public: public}, trustIn(t, public)
}

func trustIn(t *testing.T, public string) *signedlog.Trust {
	t.Helper()
	text, err := json.Marshal(map[string]any{"origin": "example.org/log", "keys": []any{map[string]string{"key": public}}})
	require.NoError(t, err)
	trusted, err := signedlog.ParseTrust(text)
	require.NoError(t, err)
	return trusted
}

func sign(t *testing.T, target publish.Target, key *publish.Key) publish.Target {
	t.Helper()
	return publish.Sign(target, key)
}

// followed verifies the log of a target as a reader does, from its start and from the last
// checkpoint, and that the index follows from it.
func followed(t *testing.T, target publish.Target, trusted *signedlog.Trust, last *signedlog.Checkpoint) (*signedlog.Checkpoint, *signedlog.State) {
	t.Helper()
	log, err := signedlog.Follow(t.Context(), trusted, func(ctx context.Context, name string) ([]byte, error) {
		text, rev, err := target.Read(ctx, "log/"+name)
		if err == nil && rev == "" {
			err = fmt.Errorf("%s: %w", name, fs.ErrNotExist)
		}
		return text, err
	}, last, time.Now())
	require.NoError(t, err)
	text, _, err := target.Read(t.Context(), layout.IndexFile)
	require.NoError(t, err)
	index, err := taxonomy.DecodeIndex(text)
	require.NoError(t, err)
	require.LessOrEqual(t, index.Record().LogSize, log.Checkpoint().Size)
	entries, err := log.Entries(t.Context(), 0, log.Checkpoint().Size)
	require.NoError(t, err)
	state := new(signedlog.State)
	for _, e := range entries {
		require.NoError(t, state.Apply(e))
	}
	fold, err := state.Index()
	require.NoError(t, err)
	require.True(t, fold.Equal(index), "%s\n%s", fold, index)
	return log.Checkpoint(), state
}

// TestSlowSigner lets another publisher with the same key do all its work before each write
// of a slow one, in a target without a lock: both arrive, and the log never forks.
func TestSlowSigner(t *testing.T) {
	pubs := layouttest.Publications()
	key, trusted := newKey(t)
	for n := 1; ; n++ {
		b := new(bucket)
		_, err := publish.Publish(t.Context(), sign(t, b, key), pubs[:1], nil)
		require.NoError(t, err)
		left := n
		var seen *signedlog.Checkpoint
		b.before = func(string, string) error {
			if left--; left == 0 {
				_, err := publish.Publish(t.Context(), sign(t, &b.Memory, key), pubs[1:2], nil)
				require.NoError(t, err)
				seen, _ = followed(t, b, trusted, nil)
			}
			return nil
		}
		b.after = func(string, string) error {
			text, _, err := b.Read(t.Context(), "log/checkpoint")
			require.NoError(t, err)
			c, err := signedlog.Open(trusted, text, time.Now())
			require.NoError(t, err)
			if seen != nil {
				require.GreaterOrEqual(t, c.Size, seen.Size)
			}
			return nil
		}
		_, err = publish.Publish(t.Context(), sign(t, b, key), pubs[2:3], nil)
		b.before, b.after = nil, nil
		require.NoError(t, err, "the other one came before write %d", n)
		if left > 0 {
			require.Greater(t, n, 6)
			return
		}
		_, state := followed(t, b, trusted, seen)
		x, err := state.Index()
		require.NoError(t, err)
		require.Equal(t, 3, x.Len())
	}
}

func TestLogNeedsKey(t *testing.T) {
	pubs := layouttest.Publications()
	key, trusted := newKey(t)
	b := new(targettest.Memory)
	_, err := publish.Publish(t.Context(), b, pubs[:1], nil)
	require.NoError(t, err)
	_, err = publish.Publish(t.Context(), sign(t, b, key), pubs[1:], nil)
	require.ErrorIs(t, err, publish.ErrNoLog)
	for i := range 2 {
		report, err := publish.Adopt(t.Context(), sign(t, b, key))
		require.NoError(t, err)
		require.Equal(t, i == 0, report.Changed)
	}
	c, _ := followed(t, b, trusted, nil)
	require.EqualValues(t, 2, c.Size) // the key and the release

	_, err = publish.Publish(t.Context(), b, pubs[1:], nil)
	require.ErrorIs(t, err, publish.ErrNoKey)
	other, otherTrust := newKey(t)
	_, err = publish.Publish(t.Context(), sign(t, b, other), pubs[1:], nil)
	require.ErrorIs(t, err, trust.ErrUnknownKey)

	// A key is introduced with the present one. Readers that know only that one follow.
	require.NoError(t, publish.Rotate(t.Context(), sign(t, b, key), other))
	_, err = publish.Publish(t.Context(), sign(t, b, other), pubs[1:2], nil)
	require.NoError(t, err)
	c, _ = followed(t, b, trusted, c)
	c, _ = followed(t, b, otherTrust, c)

	// An index from a backup is repaired; one that was changed is refused.
	text, rev, err := b.Read(t.Context(), layout.IndexFile)
	require.NoError(t, err)
	x, err := taxonomy.DecodeIndex(text)
	require.NoError(t, err)
	less, err := listing.Remove(x, taxonomy.RetiredVersion{ID: pubs[1].Release.Version()})
	require.NoError(t, err)
	forged, err := taxonomy.EncodeIndex(less)
	require.NoError(t, err)
	require.NoError(t, b.Replace(t.Context(), layout.IndexFile, forged, rev))
	_, err = publish.Publish(t.Context(), sign(t, b, other), pubs[:1], nil)
	require.ErrorContains(t, err, "changed without the log")
	_, rev, err = b.Read(t.Context(), layout.IndexFile)
	require.NoError(t, err)
	record := less.Record()
	record.LogSize = 2
	old, err := taxonomy.EncodeIndex(less.WithRecord(record))
	require.NoError(t, err)
	require.NoError(t, b.Replace(t.Context(), layout.IndexFile, old, rev))
	_, err = publish.Publish(t.Context(), sign(t, b, other), pubs[:1], nil)
	require.NoError(t, err)
	followed(t, b, otherTrust, c)
}
