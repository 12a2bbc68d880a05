package trust_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestRefused shows that stores know a refusal without knowing the reasons of this package.
func TestRefused(t *testing.T) {
	for _, reason := range []error{
		trust.ErrSignature, trust.ErrUnknownKey, trust.ErrExpired, trust.ErrOrigin, trust.ErrRollback, trust.ErrFork,
		trust.ErrTile, trust.ErrEntry, trust.ErrCheckpoint, trust.ErrNoLog,
	} {
		err := fmt.Errorf("index.json: %w", reason)
		require.ErrorIs(t, err, taxonomy.ErrRefused)
		require.ErrorIs(t, err, reason)
		require.NotErrorIs(t, taxonomy.ErrRefused, reason)
	}
	require.NotErrorIs(t, trust.ErrFork, trust.ErrEntry)
}

func parseTrust(t testing.TB, format string, args ...any) *signedlog.Trust {
	t.Helper()
	trusted, err := signedlog.ParseTrust(fmt.Appendf(nil, format, args...))
	require.NoError(t, err)
	return trusted
}

func TestOpen(t *testing.T) {
	signer, public := newKey(t, 1)
	other, _ := newKey(t, 2)
	f := files{}
	f.grow(t, nil, editions(0, 5), signer)
	plain := f[signedlog.CheckpointFile]
	stranger := files{}
	stranger.grow(t, nil, editions(0, 5), other)
	long, err := note.Sign(&note.Note{Text: string(plain[:bytes.Index(plain, []byte("\n\n"))+1]) + strings.Repeat("more\n", 1<<14)}, signer)
	require.NoError(t, err)
	const one = `{"origin":"example.org/log","keys":[{"key":%q}]}`
	for name, c := range map[string]struct {
		trust  *signedlog.Trust
		signed []byte
		at     time.Time
		reason string
	}{
		"signed":                     {parseTrust(t, one, public), plain, day, ""},
		"other key of the same name": {parseTrust(t, one, public), stranger[signedlog.CheckpointFile], day, "unknown_key"},
		"other log":                  {parseTrust(t, `{"origin":"example.org/other","keys":[{"key":%q}]}`, public), plain, day, "origin"},
		"key expired":                {parseTrust(t, `{"origin":"example.org/log","keys":[{"key":%q,"until":"2026-01-01T00:00:00Z"}]}`, public), plain, day, "expired_key"},
		"key not valid yet":          {parseTrust(t, `{"origin":"example.org/log","keys":[{"key":%q,"from":"2027-01-01T00:00:00Z"}]}`, public), plain, day, "expired_key"},
		"last moment of the key":     {parseTrust(t, `{"origin":"example.org/log","keys":[{"key":%q,"until":"2026-11-17T00:00:00Z"}]}`, public), plain, day, ""},
		"key expired a moment ago":   {parseTrust(t, `{"origin":"example.org/log","keys":[{"key":%q,"until":"2026-11-17T00:00:00Z"}]}`, public), plain, day.Add(time.Nanosecond), "expired_key"},
		"first moment of the key":    {parseTrust(t, `{"origin":"example.org/log","keys":[{"key":%q,"from":"2026-11-17T00:00:00Z"}]}`, public), plain, day, ""},
		"key not valid for a moment": {parseTrust(t, `{"origin":"example.org/log","keys":[{"key":%q,"from":"2026-11-17T00:00:00Z"}]}`, public), plain, day.Add(-time.Nanosecond), "expired_key"},
		"key expired, an old copy":   {parseTrust(t, `{"origin":"example.org/log","keys":[{"key":%q,"until":"2026-01-01T00:00:00Z"}]}`, public).At(day.AddDate(-1, 0, 0)), plain, day, ""},
		"key valid, an older copy":   {parseTrust(t, `{"origin":"example.org/log","keys":[{"key":%q,"from":"2026-01-01T00:00:00Z"}]}`, public).At(day.AddDate(-1, 0, 0)), plain, day, "expired_key"},
		"another text":               {parseTrust(t, one, public), bytes.Replace(plain, []byte("\n5\n"), []byte("\n6\n"), 1), day, "signature"},
		"truncated":                  {parseTrust(t, one, public), plain[:len(plain)-2], day, "checkpoint"},
		"longer than 64 KiB":         {parseTrust(t, one, public), long, day, "checkpoint"},
		"empty":                      {parseTrust(t, one, public), nil, day, "checkpoint"},
		"too long":                   {parseTrust(t, one, public), bytes.Repeat([]byte("x"), 1<<17), day, "checkpoint"},
	} {
		t.Run(name, func(t *testing.T) {
			f := maps.Clone(f)
			f[signedlog.CheckpointFile] = c.signed
			l, err := signedlog.Follow(t.Context(), c.trust, f.read, nil, c.at)
			require.Equal(t, c.reason, trust.Reason(err), "%v", err)
			if c.reason == "" {
				require.NoError(t, err)
				require.Equal(t, int64(5), l.Checkpoint().Size)
			}
		})
	}
}

func publicOf(t testing.TB, n byte) string {
	_, public := newKey(t, n)
	return public
}

// A person who passes the wrong file, or writes one, is told what to change.
func TestParseTrustMessages(t *testing.T) {
	const form = `a trust file is JSON such as {"origin":"example.org/log","keys":[{"key":"example.org/log+1b2c3d4e+AQ…"}]}, as 'datachain log keys new' prints it`
	_, public := newKey(t, 1)
	for text, want := range map[string]string{
		``:                               "it is empty, or not a JSON object: " + form,
		"-----BEGIN PUBLIC KEY-----\n":   "it is empty, or not a JSON object: " + form,
		public + "\r\n":                  "it is a public key alone: " + form,
		`{"format":2}`:                   "format: the field is unknown; " + form,
		`{"origin":["a","b"],"keys":[]}`: "origin: it has the wrong type: array; " + form,
		`{"origin":"a","keys":["b"]}`:    "keys.0: it has the wrong type: string; " + form,
		`{"keys":[]}`:                    "origin is missing, the first line of the checkpoint; " + form,
		`{"origin":"a\n","keys":[]}`:     `origin is "a\n", but must be one line: the first one of the checkpoint`,
		`{"origin":"a","keys":[]}`:       "keys is missing, the public keys that sign the log; " + form,

		`PRIVATE+KEY+example.org/log+1b2c3d4e+AQ`:                          "it is a private key: keep it secret, and use the file that 'datachain log keys new' printed",
		`{"origin":"a","keys":[{"key":"PRIVATE+KEY+b+1b2c3d4e+AQ"}]}`:      "keys[0]: it is a private key: keep it secret, and write the public one, which 'datachain log keys show' prints",
		`{"origin":"a","keys":[{"key":"` + public[:len(public)-4] + `"}]}`: "keys[0]: it must be a public key such as example.org/log+1b2c3d4e+AQ…, as 'datachain log keys show' prints it: this one is incomplete or was changed",
		`{"origin":"a","keys":[{"key":"b","from":"2030"}]}`:                "keys.0.from: it must be a time such as 2026-11-17T09:00:00Z; " + form,
		`{"origin":"a","keys":[{"key":"b"}],"witness":1}`:                  "witness: the field is unknown; " + form,
	} {
		_, err := signedlog.ParseTrust([]byte(text))
		require.EqualError(t, err, "trust file: "+want)
	}
}

func TestParseTrust(t *testing.T) {
	_, public := newKey(t, 1)
	for text, want := range map[string]string{
		`{}`:                                  "origin is missing",
		`{"origin":"a"}`:                      "keys is missing",
		`{"origin":"a","keys":[{"key":"b"}]}`: "keys[0]",
		`{"origin":"a","keys":[{"key":"P"},{"key":"P"}]}`:                                                  "listed twice",
		`{"origin":"a","keys":[{"key":"P","until":"2026-01-01T00:00:00Z","from":"2027-01-01T00:00:00Z"}]}`: "until is before from",
		`{"origin":"a","origin":"a","keys":[{"key":"P"}]}`:                                                 "duplicate",
		`{"origin":"a","keys":[{"key":"P"}],"more":1}`:                                                     "more",
		`{"origin":"a","keys":[{"key":"P"}]}`:                                                              "",
		`{"origin":"a","keys":[{"key":"P"}],"cosigners":[]}`:                                               "cosigners: the field is unknown",
		`{"origin":"a","keys":[{"key":"P"}],"cosignatures":0}`:                                             "cosignatures: the field is unknown",
		`{"origin":"a","keys":[{"key":"P"}],"max_age":"36h"}`:                                              "max_age: the field is unknown",
		`{"origin":"a","keys":[{"key":"P","from":"2026-01-01T00:00:00Z","until":"2027-01-01T00:00:00Z"}]}`: "",
	} {
		_, err := signedlog.ParseTrust([]byte(strings.ReplaceAll(text, `"P"`, fmt.Sprintf("%q", public))))
		if want == "" {
			require.NoError(t, err, text)
		} else {
			require.ErrorContains(t, err, want, text)
		}
	}
}

func TestRotation(t *testing.T) {
	first, public1 := newKey(t, 1)
	second, public2 := newKey(t, 2)
	third, public3 := newKey(t, 3)
	thief, public4 := newKey(t, 4)
	endorse := func(key string, signer signedlog.Signer, at time.Time) *signedlog.Entry {
		e, err := signedlog.Endorse(origin, key, at, signer)
		require.NoError(t, err)
		return e
	}
	f := files{}
	l := f.grow(t, nil, []*signedlog.Entry{endorse(public1, nil, day)}, first)
	l = f.grow(t, l, editions(0, 300), first)
	before := f[signedlog.CheckpointFile]
	l = f.grow(t, l, []*signedlog.Entry{endorse(public2, first, day)}, first)
	f.grow(t, l, []*signedlog.Entry{endorse(public3, second, day)}, third)

	followed, err := signedlog.Follow(t.Context(), trustKey(t, public1), f.read, nil, day)
	require.NoError(t, err)
	require.Equal(t, int64(303), followed.Checkpoint().Size)
	entries, err := followed.Entries(t.Context(), 0, 303)
	require.NoError(t, err)
	state := new(signedlog.State)
	for _, e := range entries {
		require.NoError(t, state.Apply(e))
	}
	require.Equal(t, []string{public1, public2, public3}, state.Keys())
	require.Equal(t, public3, state.Key())
	_, err = signedlog.Open(signedlog.WithKeys(trustKey(t, public1), 0, entries...), f[signedlog.CheckpointFile], day)
	require.NoError(t, err)
	_, err = signedlog.Follow(t.Context(), trustKey(t, public4), f.read, nil, day)
	require.ErrorIs(t, err, trust.ErrUnknownKey)

	// Keys that were replaced sign nothing any more: neither checkpoints nor statements.
	both := parseTrust(t, `{"origin":%q,"keys":[{"key":%q},{"key":%q}]}`, origin, public1, public3)
	for _, keys := range []*signedlog.Trust{trustKey(t, public1), both} {
		known := signedlog.WithKeys(keys, 0, entries...)
		require.Same(t, known, signedlog.WithKeys(known, 0, entries...))
		for _, old := range []signedlog.Signer{first, second} {
			f.grow(t, followed, editions(300, 1), old)
			_, err = signedlog.Open(known, f[signedlog.CheckpointFile], day)
			require.ErrorIs(t, err, trust.ErrExpired)
			require.ErrorContains(t, err, "and the checkpoint has 304 entries")
			f.grow(t, followed, []*signedlog.Entry{endorse(public4, old, day)}, thief)
			_, err = signedlog.Open(signedlog.WithKeys(known, 303, endorse(public4, old, day)), f[signedlog.CheckpointFile], day)
			require.ErrorIs(t, err, trust.ErrUnknownKey)
		}
		_, err = signedlog.Open(known, l.Checkpoint().Note, day) // which the first one signed with its successor in it
		require.ErrorIs(t, err, trust.ErrExpired)
		_, err = signedlog.Open(known, before, day)
		require.NoError(t, err)
	}

	for name, e := range map[string]*signedlog.Entry{
		"no statement":          endorse(public4, nil, day),
		"signed by itself":      endorse(public4, thief, day),
		"statement of another":  {Op: signedlog.OpKey, Time: day, Key: public4, Note: endorse(public2, first, day).Note},
		"another time":          {Op: signedlog.OpKey, Time: day.Add(time.Second), Key: public4, Note: endorse(public4, first, day).Note},
		"statement for a log":   endorseFor(t, "example.org/other", public4, first),
		"checkpoint as a note":  {Op: signedlog.OpKey, Time: day, Key: public4, Note: string(f[signedlog.CheckpointFile])},
		"key that expired then": endorse(public4, first, day.AddDate(9, 0, 0)),
	} {
		t.Run(name, func(t *testing.T) {
			f := files{}
			f.grow(t, nil, []*signedlog.Entry{e}, thief)
			trusted := parseTrust(t, `{"origin":%q,"keys":[{"key":%q,"until":"2027-01-01T00:00:00Z"}]}`, origin, public1)
			_, err := signedlog.Follow(t.Context(), trusted, f.read, nil, day)
			require.ErrorIs(t, err, trust.ErrUnknownKey)
		})
	}
}

func endorseFor(t *testing.T, log, key string, signer signedlog.Signer) *signedlog.Entry {
	e, err := signedlog.Endorse(log, key, day, signer)
	require.NoError(t, err)
	return e
}

// TestLies shows that a reader with a memory finds a log that was rolled back or was rewritten, by
// whoever holds the key.
func TestLies(t *testing.T) {
	signer, public := newKey(t, 1)
	trusted := trustKey(t, public)
	honest, older, forked := files{}, files{}, files{}
	l := honest.grow(t, nil, editions(0, 300), signer)
	maps.Copy(older, honest)
	honest.grow(t, l, editions(300, 10), signer)
	fork := forked.grow(t, nil, editions(1, 300), signer)
	forked.grow(t, fork, editions(301, 20), signer)
	same := files{}
	same.grow(t, nil, editions(1, 310), signer)
	seen, err := signedlog.Follow(t.Context(), trusted, honest.read, nil, day)
	require.NoError(t, err)
	kept, err := signedlog.ParseCheckpoint(seen.Checkpoint().Note)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		files  files
		reason string
	}{
		"unchanged":          {honest, ""},
		"an old copy":        {older, "rollback"},
		"other, longer log":  {forked, "fork"},
		"other, as long log": {same, "fork"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := signedlog.Follow(t.Context(), trusted, c.files.read, kept, day)
			require.Equal(t, c.reason, trust.Reason(err), "%v", err)
		})
	}
	_, err = signedlog.NewLog(kept, older.read).Entries(t.Context(), 0, 310)
	require.ErrorIs(t, err, trust.ErrTile)
	_, err = signedlog.Follow(t.Context(), trusted, files{}.read, kept, day)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.Empty(t, trust.Reason(errors.New("other")))
}

// TestMutations alters every byte of every file of a log: none is accepted. Of a log with full
// tiles it alters some.
func TestMutations(t *testing.T) {
	signer, public := newKey(t, 1)
	trusted := trustKey(t, public)
	for _, c := range []struct{ entries, step int }{{3, 1}, {258, 1009}} {
		f := files{}
		f.grow(t, nil, editions(0, c.entries), signer)
		accepted := func() bool {
			l, err := signedlog.Follow(t.Context(), trusted, f.read, nil, day)
			if err != nil {
				return false
			}
			_, err = l.Entries(t.Context(), 0, l.Checkpoint().Size)
			return err == nil
		}
		require.True(t, accepted())
		count := 0
		for name, data := range f {
			for i := 0; i < len(data); i += c.step {
				for _, bit := range []byte{1, 2, 0x20, 0x80} {
					altered := bytes.Clone(data)
					altered[i] ^= bit
					f[name] = altered
					require.False(t, accepted(), "%s: byte %d is %q", name, i, altered[i])
					count++
				}
			}
			f[name] = data[:len(data)-1]
			require.False(t, accepted(), "%s is truncated", name)
			f[name] = data
		}
		require.Greater(t, count, 200)
		require.True(t, accepted())
	}
}

func TestResume(t *testing.T) {
	signer, public := newKey(t, 1)
	trusted := trustKey(t, public)
	open := func(signed []byte) (*signedlog.Checkpoint, error) { return signedlog.Open(trusted, signed, day) }
	f := files{}
	l := f.grow(t, nil, editions(0, 3), signer)
	written, err := l.Append(t.Context(), editions(3, 2), signer)
	require.NoError(t, err)
	pending, err := signedlog.DecodeFiles(signedlog.EncodeFiles(written))
	require.NoError(t, err)
	require.Equal(t, written, pending)
	resumed, err := l.Resume(t.Context(), pending, open)
	require.NoError(t, err)
	require.Equal(t, int64(5), resumed.Checkpoint().Size)

	done := f.grow(t, l, editions(3, 2), signer)
	none, err := done.Resume(t.Context(), pending, open)
	require.NoError(t, err)
	require.Nil(t, none, "the log has it")
	other := files{}
	fork := other.grow(t, nil, editions(7, 3), signer)
	none, err = fork.Resume(t.Context(), pending, open)
	require.NoError(t, err)
	require.Nil(t, none, "it was prepared for another log")
	delete(f, pending[0].Name)
	_, err = l.Resume(t.Context(), pending[1:], open)
	require.ErrorIs(t, err, trust.ErrTile)
	_, err = signedlog.DecodeFiles([]byte("tile/0/000 9\nshort"))
	require.Error(t, err)
}

func FuzzOpen(f *testing.F) {
	signer, public := newKey(f, 1)
	log := files{}
	log.grow(f, nil, editions(0, 5), signer)
	f.Add(log[signedlog.CheckpointFile])
	trusted := parseTrust(f, `{"origin":%q,"keys":[{"key":%q}]}`, origin, public)
	want, err := signedlog.ParseCheckpoint(log[signedlog.CheckpointFile])
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, signed []byte) {
		_, _ = signedlog.ParseCheckpoint(signed)
		if c, err := signedlog.Open(trusted, signed, day); err == nil && (c.Size != want.Size || c.Root != want.Root) {
			t.Fatalf("accepted %q", signed)
		}
	})
}

func FuzzParseTrust(f *testing.F) {
	_, public := newKey(f, 1)
	f.Add(fmt.Appendf(nil, `{"origin":"a","keys":[{"key":%q,"from":"2026-01-01T00:00:00Z"}]}`, public))
	f.Fuzz(func(t *testing.T, text []byte) {
		trusted, err := signedlog.ParseTrust(text)
		if err != nil {
			return
		}
		if _, err := signedlog.Open(trusted, []byte("a\n0\n\n"), day); err == nil {
			t.Fatal("an unsigned checkpoint was accepted")
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	signer, public := newKey(b, 1)
	f := files{}
	f.grow(b, nil, editions(0, 5), signer)
	trusted := trustKey(b, public)
	for b.Loop() {
		_, err := signedlog.Open(trusted, f[signedlog.CheckpointFile], day)
		require.NoError(b, err)
	}
}

func BenchmarkAppend1000(b *testing.B) {
	signer, _ := newKey(b, 1)
	f := files{}
	l := f.grow(b, nil, editions(0, 10000), signer)
	entries := editions(10000, 1000)
	for b.Loop() {
		_, err := l.Append(b.Context(), entries, signer)
		require.NoError(b, err)
	}
}

func BenchmarkFold10000(b *testing.B) {
	entries := editions(0, 10000)
	for b.Loop() {
		state := new(signedlog.State)
		for _, e := range entries {
			require.NoError(b, state.Apply(e))
		}
	}
}
