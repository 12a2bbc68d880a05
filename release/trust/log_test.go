package trust_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
)

const origin = "example.org/log"

// day is the time of everything in tests.
var day = time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC)

// files are the files of a log.
type files map[string][]byte

func (f files) read(_ context.Context, name string) ([]byte, error) {
	data, ok := f[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return bytes.Clone(data), nil
}

// seed makes keys that are the same in every run.
func seed(n byte) *bytes.Reader { return bytes.NewReader(bytes.Repeat([]byte{n}, 64)) }

// newKey returns a key that signs a log.
func newKey(t testing.TB, n byte) (signedlog.Signer, string) {
	t.Helper()
	private, public, err := note.GenerateKey(seed(n), origin)
	require.NoError(t, err)
	s, err := note.NewSigner(private)
	require.NoError(t, err)
	return s, public
}

// trustKey returns the trust in one key.
func trustKey(t testing.TB, public string) *signedlog.Trust {
	t.Helper()
	trust, err := signedlog.ParseTrust(fmt.Appendf(nil, `{"origin":%q,"keys":[{"key":%q}]}`, origin, public))
	require.NoError(t, err)
	return trust
}

// grow appends entries to a log and returns it.
func (f files) grow(t testing.TB, l *signedlog.Log, entries []*signedlog.Entry, signers ...signedlog.Signer) *signedlog.Log {
	t.Helper()
	if l == nil {
		l = signedlog.NewLog(&signedlog.Checkpoint{Origin: origin}, f.read)
	}
	written, err := l.Append(t.Context(), entries, signers...)
	require.NoError(t, err)
	for _, file := range written {
		f[file.Name] = file.Data
	}
	require.Equal(t, signedlog.CheckpointFile, written[len(written)-1].Name)
	c, err := signedlog.ParseCheckpoint(f[signedlog.CheckpointFile])
	require.NoError(t, err)
	return signedlog.NewLog(c, f.read)
}

// hash returns a hash that is the same for the same number.
func hash(n int) (h taxonomy.Hash) {
	binary.BigEndian.PutUint64(h[:], uint64(n)+1)
	return h
}

// editions returns entries that publish documents.
func editions(from, n int) []*signedlog.Entry {
	var entries []*signedlog.Entry
	for i := range n {
		entries = append(entries, &signedlog.Entry{
			Op: signedlog.OpPublishDocument, Time: day, Slug: fmt.Sprintf("camera-%d", from+i), Document: hash(from + i), Edition: hash(1000000 + from + i),
		})
	}
	return entries
}

func TestLog(t *testing.T) {
	signer, public := newKey(t, 1)
	trust := trustKey(t, public)
	f := files{}
	var l *signedlog.Log
	var all []*signedlog.Entry
	var last *signedlog.Checkpoint
	for _, n := range []int{1, 1, 3, 250, 1, 1, 255, 256, 300, 0, 70, 513} {
		entries := editions(len(all), n)
		all = append(all, entries...)
		l = f.grow(t, l, entries, signer)
		followed, err := signedlog.Follow(t.Context(), trust, f.read, last, day)
		require.NoError(t, err)
		last = followed.Checkpoint()
		require.Equal(t, []string{origin}, last.Signed)
		got, err := followed.Entries(t.Context(), 0, last.Size)
		require.NoError(t, err)
		require.Equal(t, all, got)
	}
	for _, name := range []string{"tile/0/000", "tile/0/006.p/115", "tile/1/000.p/6", "tile/entries/005", "tile/entries/006.p/115"} {
		require.NotNil(t, f[name], name)
	}
}

func TestChangesRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		state, x := new(signedlog.State), new(taxonomy.Index)
		for range 6 {
			x = mutate(t, random, x)
			entries, err := state.Changes(x, day)
			require.NoError(t, err)
			for _, e := range entries {
				text, err := e.JSON()
				require.NoError(t, err)
				read, err := signedlog.ParseEntry(text)
				require.NoError(t, err)
				require.NoError(t, state.Apply(read))
			}
			got, err := state.Index()
			require.NoError(t, err)
			require.True(t, got.Equal(x), "%s\n%s", got, x)
			none, err := state.Changes(x, day)
			require.NoError(t, err)
			require.Empty(t, none)
		}
	}
}

// mutate returns an index that can follow another one.
func mutate(t *testing.T, random *rand.Rand, x *taxonomy.Index) *taxonomy.Index {
	t.Helper()
	entries, retired := x.Entries(), x.Retired()
	bound := make(map[taxonomy.Version]taxonomy.Hash)
	for _, e := range entries {
		bound[e.ID] = e.ContentHash
	}
	for _, r := range retired {
		bound[r.ID] = r.ContentHash
	}
	aliases := map[string]string{}
	for range random.IntN(4) {
		typ := []string{"ai", "device"}[random.IntN(2)]
		aliases[fmt.Sprintf("%s@name-%d", typ, random.IntN(3))] = ""
	}
	for range random.IntN(4) {
		v := taxonomy.MustVersion(fmt.Sprintf("%s@2026-0%d-01-%s", []string{"ai", "device"}[random.IntN(2)], 1+random.IntN(3), []string{"beta", "stable"}[random.IntN(2)]))
		h, known := bound[v]
		if !known || v.Status() == taxonomy.Beta && random.IntN(2) == 0 {
			h = hash(random.IntN(4))
		}
		keep := func(id taxonomy.Version) bool { return id == v }
		entries = deleteFunc(entries, func(e taxonomy.Entry) bool { return keep(e.ID) })
		retired = deleteFunc(retired, func(r taxonomy.RetiredVersion) bool { return keep(r.ID) })
		if known && random.IntN(3) == 0 {
			retired = append(retired, taxonomy.RetiredVersion{ID: v, ContentHash: h, At: "2026-11-17", Reason: []string{"", "<&\u2028"}[random.IntN(2)]})
			continue
		}
		e := taxonomy.Entry{ID: v, ContentHash: h, Released: []string{"", "2026-01-02"}[random.IntN(2)]}
		if random.IntN(3) == 0 {
			e.State = taxonomy.State{Deprecated: "2026-10-01", Reason: "old"}
		}
		if random.IntN(2) == 0 {
			e.Archive = hash(random.IntN(9))
		}
		bound[v] = h
		entries = append(entries, e)
	}
	for i := range entries {
		entries[i].Aliases = nil
		for alias, owner := range aliases {
			if ref, err := taxonomy.ParseRef(alias); err == nil && ref.Type() == entries[i].ID.Type() && owner == "" && random.IntN(2) == 0 {
				entries[i].Aliases = append(entries[i].Aliases, alias)
				aliases[alias] = entries[i].ID.String()
			}
		}
	}
	next, err := taxonomy.NewIndex(entries, retired...)
	require.NoError(t, err)
	record := next.Record()
	record.Evolutions = x.Record().Evolutions
	if typ := []string{"ai", "device"}[random.IntN(2)]; random.IntN(3) == 0 {
		delete(record.Evolutions, typ)
	} else {
		record.Evolutions[typ] = hash(random.IntN(5))
	}
	return next.WithRecord(record)
}

func deleteFunc[T any](list []T, del func(T) bool) []T {
	var kept []T
	for _, one := range list {
		if !del(one) {
			kept = append(kept, one)
		}
	}
	return kept
}
