package trust_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
)

// vectors are cases that other implementations can test themselves with. A case with a reason
// must be refused.
type vectors struct {
	About       string                     `json:"about"`
	At          time.Time                  `json:"at"`
	Keys        []keyVector                `json:"keys"`
	Trust       map[string]json.RawMessage `json:"trust"`
	TrustFiles  []trustVector              `json:"trust_files"`
	Entries     []entryVector              `json:"entries"`
	Tiles       []tileVector               `json:"tiles"`
	Checkpoints []checkpointVector         `json:"checkpoints"`
	Consistency []consistencyVector        `json:"consistency"`
	Editions    []editionVector            `json:"editions"`
}

type keyVector struct {
	About   string `json:"about"`
	Private string `json:"private"`
	Public  string `json:"public"`
}

type trustVector struct {
	About  string `json:"about"`
	File   string `json:"file"`
	Reason string `json:"reason"`
}

type entryVector struct {
	About  string `json:"about,omitempty"`
	Entry  string `json:"entry"`
	Leaf   string `json:"leaf,omitempty"`
	Reason string `json:"reason,omitempty"`
}

type tileVector struct {
	About   string `json:"about"`
	Entries string `json:"entries"`
	Hashes  string `json:"hashes"`
	Reason  string `json:"reason,omitempty"`
}

type checkpointVector struct {
	About  string     `json:"about"`
	Trust  string     `json:"trust"`
	Note   string     `json:"note"`
	Keys   []keyEntry `json:"keys,omitempty"` // entries that introduce keys
	At     *time.Time `json:"at,omitempty"`
	Size   int64      `json:"size,omitempty"`
	Reason string     `json:"reason,omitempty"`
}

type treeVector struct {
	Size int64  `json:"size"`
	Root string `json:"root"`
}

type consistencyVector struct {
	Older  treeVector `json:"older"`
	Newer  treeVector `json:"newer"`
	Path   []string   `json:"path"`
	Reason string     `json:"reason,omitempty"`
}

// keyEntry is an entry that introduces a key, and its index.
type keyEntry struct {
	Index int64  `json:"index"`
	Entry string `json:"entry"`
}

// editionVector is a document with the hashes by which a log knows it.
type editionVector struct {
	About    string        `json:"about"`
	Text     string        `json:"text"`
	Document taxonomy.Hash `json:"document"`
	Edition  taxonomy.Hash `json:"edition"`
}

// TestVectors compares testdata/vectors.json with what this package returns, and checks that
// it validates each case as the file says. make verify-node does the same with another
// implementation.
func TestVectors(t *testing.T) {
	v := &vectors{
		About: "Test vectors of docs/log-format.md. A case that has a reason must be refused for it; all others hold. Hashes of trees and tiles are base64.",
		At:    day, Trust: make(map[string]json.RawMessage),
	}
	v.addKeys(t)
	v.addTrustFiles(t)
	v.addEntries(t)
	v.addLogs(t)
	v.addCheckpoints(t)
	v.addEditions(t)
	got, err := json.MarshalIndent(v, "", " ")
	require.NoError(t, err)
	got = append(got, '\n')
	goldentest.File(t, filepath.Join("testdata", "vectors.json"), string(got))
}

func (v *vectors) addKeys(t *testing.T) {
	for i, about := range []string{"signs the log", "signs it after a rotation", "does not belong to the log"} {
		private, public, err := note.GenerateKey(seed(byte(i+1)), origin)
		require.NoError(t, err)
		v.Keys = append(v.Keys, keyVector{about, private, public})
	}
	trusted := func(name, format string, args ...any) { v.Trust[name] = fmt.Appendf(nil, format, args...) }
	log, second := v.Keys[0].Public, v.Keys[1].Public
	trusted("key", `{"origin":%q,"keys":[{"key":%q}]}`, origin, log)
	trusted("second", `{"origin":%q,"keys":[{"key":%q}]}`, origin, second)
	trusted("other", `{"origin":"example.org/other","keys":[{"key":%q}]}`, log)
	trusted("expired", `{"origin":%q,"keys":[{"key":%q,"until":"2026-11-16T12:00:00Z"}]}`, origin, log)
}

// addTrustFiles adds trust files that must be refused.
func (v *vectors) addTrustFiles(t *testing.T) {
	log := v.Keys[0].Public
	for _, c := range []struct{ about, format, key string }{
		{"unknown member", `{"origin":"example.org/log","keys":[{"key":%q}],"more":1}`, log},
		{"repeated member", `{"origin":"example.org/log","keys":[{"key":%q}],"origin":"example.org/log"}`, log},
		{"cosigners", `{"origin":"example.org/log","keys":[{"key":%q}],"cosigners":[]}`, log},
		{"number of cosignatures", `{"origin":"example.org/log","keys":[{"key":%q}],"cosignatures":1}`, log},
		{"age of cosignatures", `{"origin":"example.org/log","keys":[{"key":%q}],"max_age":"36h"}`, log},
		{"key with another name", `{"origin":"example.org/log","keys":[{"key":%q}]}`, strings.Replace(log, "log+", "lag+", 1)},
	} {
		file := fmt.Sprintf(c.format, c.key)
		_, err := trust.ParseTrust([]byte(file))
		require.Error(t, err, c.about)
		v.TrustFiles = append(v.TrustFiles, trustVector{c.about, file, "trust"})
	}
}

func (v *vectors) addEntries(t *testing.T) {
	for _, e := range append(all(t), &signedlog.Entry{Op: signedlog.OpRegister, Time: day, Register: hash(7)}) {
		text, err := e.JSON()
		require.NoError(t, err)
		v.Entries = append(v.Entries, entryVector{Entry: string(text), Leaf: tlog.RecordHash(text).String()})
	}
	good := v.Entries[6].Entry // an evolution
	for _, c := range []struct{ about, old, replacement string }{
		{"unknown operation", `"evolution","t`, `"revolution","t`},
		{"unknown field", `"op"`, `"more":"x","op"`},
		{"field of another operation", `"op"`, `"slug":"camera","op"`},
		{"missing field", `,"type":"ai"`, ``},
		{"empty field", `"type":"ai"`, `"type":""`},
		{"order of members", `{"evolution"`, `{"type":"ai","evolution"`},
		{"white space", `:`, `: `},
		{"escape that is not canonical", `"ai"`, `"\u0061i"`},
		{"repeated member", `"op"`, `"op":"evolution","op"`},
		{"time in another zone", `00Z`, `00+01:00`},
		{"fraction of a second", `00Z`, `00.5Z`},
	} {
		altered := strings.Replace(good, c.old, c.replacement, 1)
		require.NotEqual(t, good, altered, c.about)
		_, err := signedlog.ParseEntry([]byte(altered))
		require.Equal(t, "entry", trust.Reason(err), c.about)
		v.Entries = append(v.Entries, entryVector{About: c.about, Entry: altered, Reason: "entry"})
	}
}

func tree(c *signedlog.Checkpoint) treeVector { return treeVector{c.Size, tlog.Hash(c.Root).String()} }

// addLogs adds a tile, and what connects logs of all kinds of sizes.
func (v *vectors) addLogs(t *testing.T) {
	signer, err := note.NewSigner(v.Keys[0].Private)
	require.NoError(t, err)
	f := files{}
	var l *signedlog.Log
	var older []*signedlog.Checkpoint
	for _, size := range []int64{1, 2, 3, 7, 8, 21, 256, 300} {
		before := 0
		if l != nil {
			before = int(l.Checkpoint().Size)
		}
		l = f.grow(t, l, editions(before, int(size)-before), signer)
		c := l.Checkpoint()
		for _, old := range older {
			require.NoError(t, l.Consistent(t.Context(), old))
			v.Consistency = append(v.Consistency, consistencyVector{tree(old), tree(c), consistency(t, f, old, c), ""})
		}
		older = append(older, c)
	}
	base := func(name string) string { return base64.StdEncoding.EncodeToString(f[name]) }
	v.Tiles = append(v.Tiles,
		tileVector{"partial tile of 7 entries", base("tile/entries/000.p/7"), base("tile/0/000.p/7"), ""},
		tileVector{"bundle of other entries", base("tile/entries/000.p/7"), base("tile/0/000.p/8"), "tile"})
	last := v.Consistency[len(v.Consistency)-1]
	fork := last
	fork.Older.Root, fork.Reason = v.Consistency[0].Older.Root, "fork"
	back := consistencyVector{last.Newer, last.Older, last.Path, "rollback"}
	short := last
	short.Path, short.Reason = []string{}, "fork"
	v.Consistency = append(v.Consistency, fork, back, short)
}

// consistency returns the proof that one checkpoint follows another.
func consistency(t *testing.T, f files, older, newer *signedlog.Checkpoint) (path []string) {
	proof, err := tlog.ProveTree(newer.Size, older.Size, tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var hashes []tlog.Hash
		for _, i := range indexes {
			tile := tlog.TileForIndex(8, i)
			data := f[fmt.Sprintf("tile/%d/%03d", tile.L, tile.N)]
			if data == nil {
				tile.W = int(newer.Size>>(8*tile.L)) % 256
				data = f[fmt.Sprintf("tile/%d/%03d.p/%d", tile.L, tile.N, tile.W)]
			} else {
				tile.W = 256
			}
			h, err := tlog.HashFromTile(tile, data, i)
			require.NoError(t, err)
			hashes = append(hashes, h)
		}
		return hashes, nil
	}))
	require.NoError(t, err)
	for _, h := range proof {
		path = append(path, h.String())
	}
	return path
}

func (v *vectors) addCheckpoints(t *testing.T) {
	signer, err := note.NewSigner(v.Keys[0].Private)
	require.NoError(t, err)
	second, err := note.NewSigner(v.Keys[1].Private)
	require.NoError(t, err)
	key, err := signedlog.Endorse(origin, v.Keys[1].Public, day, signer)
	require.NoError(t, err)
	itself, err := signedlog.Endorse(origin, v.Keys[1].Public, day, second)
	require.NoError(t, err)
	forged := *key
	forged.Time = day.Add(time.Second)
	keyText := jsonOf(t, key)
	f := files{}
	l := f.grow(t, nil, editions(0, 5), signer)
	plain := f[signedlog.CheckpointFile]
	verifier, err := note.NewVerifier(v.Keys[0].Public)
	require.NoError(t, err)
	opened, err := note.Open(plain, note.VerifierList(verifier))
	require.NoError(t, err)
	both, err := note.Sign(opened, second)
	require.NoError(t, err)
	f.grow(t, l, []*signedlog.Entry{key}, second)
	rotated := string(f[signedlog.CheckpointFile])
	f.grow(t, l, []*signedlog.Entry{key}, signer)
	late := string(f[signedlog.CheckpointFile])
	altered := func(signed []byte, old, replacement string) string {
		text := strings.Replace(string(signed), old, replacement, 1)
		require.NotEqual(t, string(signed), text)
		return text
	}
	last, after, later := day.Add(-12*time.Hour), day.Add(-12*time.Hour+time.Second), day.AddDate(9, 0, 0)
	v.Checkpoints = []checkpointVector{
		{About: "signed", Trust: "key", Note: string(plain), Size: 5},
		{About: "signed, nine years later", Trust: "key", Note: string(plain), At: &later, Size: 5},
		{About: "signed by an unknown key, too", Trust: "key", Note: string(both), Size: 5},
		{About: "key expired", Trust: "expired", Note: string(plain), Reason: "expired_key"},
		{About: "last second of the key", Trust: "expired", Note: string(plain), At: &last, Size: 5},
		{About: "key expired a second ago", Trust: "expired", Note: string(plain), At: &after, Reason: "expired_key"},
		{About: "unknown key", Trust: "second", Note: string(plain), Reason: "unknown_key"},
		{About: "other log", Trust: "other", Note: string(plain), Reason: "origin"},
		{About: "other size", Trust: "key", Note: altered(plain, "\n5\n", "\n6\n"), Reason: "signature"},
		{About: "other origin, same signature", Trust: "key", Note: altered(plain, "example.org/log\n", "example.org/lag\n"), Reason: "signature"},
		{About: "base64 that is not canonical", Trust: "key", Note: loose(t, string(plain)), Reason: "signature"},
		{About: "no signature", Trust: "key", Note: altered(plain[:strings.Index(string(plain), "\n\n")+2], "\n\n", "\n"), Reason: "checkpoint"},
		{About: "signed by the second key", Trust: "key", Note: rotated, Reason: "unknown_key"},
		{About: "signed by the second key, which the first one introduced", Trust: "key", Note: rotated, Keys: []keyEntry{{5, keyText}}, Size: 6},
		{About: "signed by the first key, which was replaced", Trust: "key", Note: late, Keys: []keyEntry{{5, keyText}}, Reason: "expired_key"},
		{About: "signed by the first key before it was replaced", Trust: "key", Note: string(plain), Keys: []keyEntry{{5, keyText}}, Size: 5},
		{About: "introduced by itself", Trust: "key", Note: rotated, Keys: []keyEntry{{5, jsonOf(t, itself)}}, Reason: "unknown_key"},
		{About: "introduced by a key that was not valid then", Trust: "expired", Note: rotated, Keys: []keyEntry{{5, keyText}}, Reason: "unknown_key"},
		{About: "introduced with another time", Trust: "key", Note: rotated, Keys: []keyEntry{{5, jsonOf(t, &forged)}}, Reason: "unknown_key"},
	}
	for _, c := range v.Checkpoints {
		trusted, err := signedlog.ParseTrust(v.Trust[c.Trust])
		require.NoError(t, err)
		for _, key := range c.Keys {
			e, err := signedlog.ParseEntry([]byte(key.Entry))
			require.NoError(t, err)
			trusted = signedlog.WithKeys(trusted, key.Index, e)
		}
		at := day
		if c.At != nil {
			at = *c.At
		}
		opened, err := signedlog.Open(trusted, []byte(c.Note), at)
		require.Equal(t, c.Reason, trust.Reason(err), c.About)
		if err == nil {
			require.Equal(t, c.Size, opened.Size)
		}
	}
}

// addEditions adds documents with and without members that do not make another edition.
func (v *vectors) addEditions(t *testing.T) {
	for _, c := range []struct {
		about, text string
		same        bool // as the first one
	}{
		{"thin", `{"id":"crossing","schema_version":"sample@2026-09-01-stable","elements":[{"element_id":"purpose"}]}`, true},
		{"white space and another order", `{ "elements": [ {"element_id": "purpose"} ], "schema_version": "sample@2026-09-01-stable", "id": "crossing" }`, true},
		{"resolved", `{"id":"crossing","schema_version":"sample@2026-09-01-stable","elements":[{"element_id":"purpose"}],"schema_snapshot":{},"suggested_elements":[],"symbols":{}}`, true},
		{"empty members", `{"id":"crossing","schema_version":"sample@2026-09-01-stable","elements":[{"element_id":"purpose"}],"title":"","description":null}`, true},
		{"title that is a number", `{"id":"crossing","schema_version":"sample@2026-09-01-stable","elements":[{"element_id":"purpose"}],"title":0}`, false},
		{"description that is a boolean", `{"id":"crossing","schema_version":"sample@2026-09-01-stable","elements":[{"element_id":"purpose"}],"description":false}`, false},
		{"suggested element", `{"id":"crossing","schema_version":"sample@2026-09-01-stable","elements":[{"element_id":"purpose"}],"suggested_elements":[{"id":"new"}]}`, false},
		{"unknown member", `{"id":"crossing","schema_version":"sample@2026-09-01-stable","elements":[{"element_id":"purpose"}],"proof":{}}`, false},
		{"another id", `{"id":"corner","schema_version":"sample@2026-09-01-stable","elements":[{"element_id":"purpose"}]}`, false},
	} {
		doc := parsed(t, []byte(c.text))
		id, _ := doc.Root().Get("id")
		v.Editions = append(v.Editions, editionVector{c.about, c.text, signedlog.DocumentHash(id.Text()), trust.EditionHash(doc)})
		require.Equal(t, c.same, v.Editions[0].Edition == trust.EditionHash(doc), c.about)
	}
}

func jsonOf(t *testing.T, e *signedlog.Entry) string {
	text, err := e.JSON()
	require.NoError(t, err)
	return string(text)
}

// loose sets bits of the base64 of a signature that decoders usually ignore.
func loose(t *testing.T, signed string) string {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	at := strings.LastIndex(signed, "=") - 1
	digit := strings.IndexByte(digits, signed[at])
	require.Zero(t, digit%4)
	return signed[:at] + digits[digit+1:digit+2] + signed[at+1:]
}
