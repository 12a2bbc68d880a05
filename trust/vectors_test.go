package trust_test

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/trust"
	"github.com/datachain-go/datachain/trust/signedlog"
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
	Inclusions  []inclusionVector          `json:"inclusions"`
	Consistency []consistencyVector        `json:"consistency"`
	// Document and Proof are the texts that documents alter.
	Document  string           `json:"document"`
	Proof     string           `json:"proof"`
	Bare      string           `json:"bare_proof"` // without the edition
	Documents []documentVector `json:"documents"`
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

type inclusionVector struct {
	treeVector
	Index  int64              `json:"index"`
	Entry  string             `json:"entry"`
	Path   taxonomy.ProofPath `json:"path"`
	Reason string             `json:"reason,omitempty"`
}

type consistencyVector struct {
	Older  treeVector         `json:"older"`
	Newer  treeVector         `json:"newer"`
	Path   taxonomy.ProofPath `json:"path"`
	Reason string             `json:"reason,omitempty"`
}

// documentVector is the document and its proof after an edit: the first old text is replaced.
// The reason only says that it is refused, since there can be several.
// keyEntry is an entry that introduces a key, and its index.
type keyEntry struct {
	Index int64  `json:"index"`
	Entry string `json:"entry"`
}

type documentVector struct {
	About  string `json:"about"`
	Trust  string `json:"trust"`
	In     string `json:"in,omitempty"` // document or proof
	Old    string `json:"old,omitempty"`
	New    string `json:"new,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Bare means that the proof is the one without the edition, and Snapshot that only the schema
	// snapshot is to be proven.
	Bare     bool `json:"bare,omitempty"`
	Snapshot bool `json:"snapshot,omitempty"`
	// Document and Proof are other texts, without an edit.
	Document string `json:"document,omitempty"`
	Proof    string `json:"proof,omitempty"`
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
	v.addDocuments(t)
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
		{"field of another operation", `"op"`, `"leaves":1,"op"`},
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

func toPath(path []tlog.Hash) taxonomy.ProofPath {
	converted := make(taxonomy.ProofPath, len(path))
	for i, h := range path {
		converted[i] = taxonomy.Hash(h)
	}
	return converted
}

// addLogs adds a tile, and proofs of logs of all kinds of sizes.
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
		for _, index := range []int64{0, size / 2, size - 1} {
			text, path, err := l.Prove(t.Context(), index)
			require.NoError(t, err)
			require.NoError(t, c.Includes(map[int64][]byte{index: text}, path))
			v.Inclusions = append(v.Inclusions, inclusionVector{tree(c), index, string(text), path, ""})
		}
		for _, old := range older {
			require.NoError(t, l.Consistent(t.Context(), old))
			v.Consistency = append(v.Consistency, consistencyVector{tree(old), tree(c), toPath(consistency(t, f, old, c)), ""})
		}
		older = append(older, c)
	}
	base := func(name string) string { return base64.StdEncoding.EncodeToString(f[name]) }
	v.Tiles = append(v.Tiles,
		tileVector{"partial tile of 7 entries", base("tile/entries/000.p/7"), base("tile/0/000.p/7"), ""},
		tileVector{"bundle of other entries", base("tile/entries/000.p/7"), base("tile/0/000.p/8"), "tile"})
	wrong := v.Inclusions[len(v.Inclusions)-2]
	for range 3 {
		wrong.Reason = "proof"
		switch {
		case wrong.Index == 150:
			wrong.Index++
		case len(wrong.Path) > 8:
			wrong.Path = wrong.Path[:8]
		default:
			wrong.Entry = strings.Replace(wrong.Entry, "camera", "camara", 1)
		}
		v.Inclusions = append(v.Inclusions, wrong)
	}
	last := v.Consistency[len(v.Consistency)-1]
	fork := last
	fork.Older.Root, fork.Reason = v.Consistency[0].Older.Root, "fork"
	back := consistencyVector{last.Newer, last.Older, last.Path, "rollback"}
	short := last
	short.Path, short.Reason = taxonomy.ProofPath{}, "fork"
	v.Consistency = append(v.Consistency, fork, back, short)
}

// consistency returns the proof that one checkpoint follows another.
func consistency(t *testing.T, f files, older, newer *signedlog.Checkpoint) []tlog.Hash {
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
	return proof
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

// addDocuments adds proofs of a document, and forgeries.
func (v *vectors) addDocuments(t *testing.T) {
	v.Trust["document"] = fmt.Appendf(nil, `{"origin":%q,"keys":[{"key":%q}]}`, origin, v.Keys[0].Public)
	r := release(t, "sample@2026-09-01-stable", 20)
	doc := resolved(t, r, "")
	g := newRegister(t, 300, r, doc)
	v.Document, v.Proof, v.Bare = string(doc), string(g.prove(t, r, doc, "crossing")), string(g.prove(t, r, doc, ""))
	leaves := fmt.Sprintf(`"leaves":%d`, r.Leaves())
	path := regexp.MustCompile(`"log_path":"([^"]+)"`).FindStringSubmatch(v.Proof)[1]
	raw, err := base64.StdEncoding.DecodeString(path)
	require.NoError(t, err)
	v.Documents = []documentVector{
		{About: "proven", Trust: "document"},
		{About: "white space", Trust: "document", In: "document", Old: `":`, New: `" : `},
		{About: "white space in the proof", Trust: "document", In: "proof", Old: `{"format":2,`, New: `{ "format": 2,`},
		{About: "without suggested elements, which are none", Trust: "document", In: "document", Old: `,"suggested_elements":[]`},
		{About: "empty title", Trust: "document", In: "document", Old: `{"id"`, New: `{"title":"","id"`},
		{About: "only the snapshot is wanted", Trust: "document", Snapshot: true},
		{About: "no edition, so only the snapshot is proven", Trust: "document", Bare: true, Reason: "refused"},
		{About: "no edition, and only the snapshot is wanted", Trust: "document", Bare: true, Snapshot: true},
		{About: "no edition, and other label of a placement", Trust: "document", Bare: true, In: "document", Old: "Number 3", New: "Number 4", Reason: "refused"},
	}
	for _, c := range []struct{ about, in, old, replacement string }{
		{"other text of an element", "document", "What it is", "What it was"},
		{"other symbol", "document", `\u003csvg`, `\u003cSVG`},
		{"symbol is missing", "document", `"symbols":{"symbol-`, `"symbols":{"symbol-9`},
		{"other label of a placement", "document", "Number 3", "Number 4"},
		{"other id", "document", `"id":"crossing"`, `"id":"corner"`},
		{"other version", "document", "2026-09-01-stable", "2026-09-02-stable"},
		{"one more member", "document", `{"id"`, `{"title":"x","id"`},
		{"title that is a number", "document", `{"id"`, `{"title":5,"id"`},
		{"description that is a boolean", "document", `{"id"`, `{"description":false,"id"`},
		{"repeated member", "document", `{"id"`, `{"id":"other","id"`},
		{"one more member of the snapshot", "document", `"schema_snapshot":{`, `"schema_snapshot":{"more":1,`},
		{"no snapshot", "document", `"schema_snapshot"`, `"snapshot"`},
		{"earlier format", "proof", `"format":2`, `"format":1`},
		{"later format", "proof", `"format":2`, `"format":3`},
		{"version in the entry of the release", "proof", `"op":"publish"`, `"op":"publish","version":"sample@2026-09-01-stable"`},
		{"edition as release", "proof", `"op":"publish"`, `"op":"publish_document"`},
		{"other slug of the edition", "proof", `"slug":"crossing"`, `"slug":"corner"`},
		{"path of the log is missing", "proof", `"log_path":"`, `"log_path":"","more":"`},
		{"other index of a leaf", "proof", `"leaves":[0`, `"leaves":[1`},
		{"other number of leaves", "proof", leaves, leaves + "1"},
		{"other time of the release", "proof", `T00:00:00Z`, `T00:00:01Z`},
		{"other size in the checkpoint", "proof", `\n300\n`, `\n301\n`},
		{"other index of the entry", "proof", `"index":0`, `"index":2`},
		{"one more member of the proof", "proof", `"format":2`, `"format":2,"more":1`},
		{"no keys", "proof", `"format":2`, `"format":2,"keys":[]`},
		{"null instead of keys", "proof", `"format":2`, `"format":2,"keys":null`},
		{"one more member of an entry", "proof", `"release":{`, `"release":{"more":1,`},
		{"one more byte of a path", "proof", path, base64.StdEncoding.EncodeToString(append(raw, 0))},
	} {
		v.Documents = append(v.Documents, documentVector{About: c.about, Trust: "document", In: c.in, Old: c.old, New: c.replacement, Reason: "refused"})
	}
	for _, c := range []struct{ about, member, reason string }{
		{"other member, which is not proven", `"more":"x"`, ""},
		{"large number", `"more":9007199254740992`, "refused"},
		{"half of a surrogate pair", `"more":"\ud800"`, "refused"},
		{"half of a surrogate pair in a name", `"\ud800":"more"`, "refused"},
	} {
		v.Documents = append(v.Documents, documentVector{
			About: c.about, Trust: "document", In: "document", Old: `{"id"`, New: "{" + c.member + `,"id"`, Reason: c.reason, Bare: true, Snapshot: true,
		})
	}
	// The proof without the edition holds for documents with suggested elements, too, unless
	// one has the id of a proven element.
	require.Contains(t, v.Document, `"suggested_elements":[]`)
	first := regexp.MustCompile(`"element_id":"([^"]+)"`).FindStringSubmatch(v.Document)[1]
	for _, c := range []struct{ about, id, reason string }{
		{"suggested element", "new-idea", ""},
		{"suggested element with the id of a proven one", first, "refused"},
	} {
		v.Documents = append(v.Documents, documentVector{
			About: c.about, Trust: "document", In: "document", Old: `"suggested_elements":[]`,
			New: fmt.Sprintf(`"suggested_elements":[{"id":%q}]`, c.id), Reason: c.reason, Bare: true, Snapshot: true,
		})
	}
	for _, c := range []struct{ about, trust string }{
		{"key that is not trusted", "second"},
		{"other log", "other"},
	} {
		v.Documents = append(v.Documents, documentVector{About: c.about, Trust: c.trust, Reason: "refused"})
	}
	v.addForgeries(t)
	v.checkDocuments(t)
}

// addForgeries adds documents whose parts are all proven, by someone who has the release and the
// log, but which say something else than a document that was resolved.
func (v *vectors) addForgeries(t *testing.T) {
	r := release(t, "sample@2026-09-01-stable", 12)
	honest := resolved(t, r, "")
	g := newRegister(t, 2, r, honest)
	var proof trust.Proof
	require.NoError(t, json.Unmarshal(g.prove(t, r, honest, ""), &proof))
	add := func(about, reason string, doc any, p trust.Proof) {
		text, err := json.Marshal(doc)
		require.NoError(t, err)
		proof, err := json.Marshal(p)
		require.NoError(t, err)
		v.Documents = append(v.Documents, documentVector{About: about, Trust: "document", Reason: reason, Document: string(text), Proof: string(proof), Snapshot: p.Edition == nil})
	}
	type object = map[string]any
	for _, c := range []struct {
		about, reason string
		forge         func(doc, snapshot object, elements, categories []any)
	}{
		{"all elements of a release", "", func(object, object, []any, []any) {}},
		{"category without elements", "refused", func(doc, snapshot object, elements, _ []any) {
			doc["elements"] = []any{}
			snapshot["elements"] = slices.DeleteFunc(elements, func(e any) bool { return e.(object)["category_id"] == "category-1" })
		}},
		{"category is missing", "refused", func(_, snapshot object, _, categories []any) { snapshot["categories"] = categories[1:] }},
		{"category is missing, and another without elements", "refused", func(doc, snapshot object, elements, categories []any) {
			doc["elements"], snapshot["categories"] = []any{}, categories[1:]
			snapshot["elements"] = slices.DeleteFunc(elements, func(e any) bool { return e.(object)["category_id"] == "category-1" })
		}},
		{"categories in another order", "refused", func(_, _ object, _, categories []any) {
			categories[0], categories[1] = categories[1], categories[0]
		}},
		{"elements in another order", "refused", func(_, _ object, elements, _ []any) { elements[0], elements[1] = elements[1], elements[0] }},
		{"element before the proven one with its id", "refused", func(doc, _ object, elements, _ []any) {
			doc["elements"] = []any{}
			other := maps.Clone(elements[1].(object))
			delete(other, "order") // so that it is the first one
			other["title"] = []any{object{"locale": "en", "value": "Something else"}}
			elements[0] = other
		}},
		{"placed element is missing", "refused", func(_, snapshot object, elements, _ []any) { snapshot["elements"] = elements[1:] }},
		{"symbol of an element is missing", "refused", func(doc, _ object, _, _ []any) { delete(doc["symbols"].(object), "symbol-3") }},
	} {
		var doc object
		require.NoError(t, json.Unmarshal(honest, &doc))
		snapshot := doc["schema_snapshot"].(object)
		c.forge(doc, snapshot, snapshot["elements"].([]any), snapshot["categories"].([]any))
		names := []string{"datachain_type"}
		for _, e := range snapshot["elements"].([]any) {
			names = append(names, "element/"+e.(object)["id"].(string))
		}
		for _, e := range snapshot["categories"].([]any) {
			names = append(names, "category/"+e.(object)["id"].(string))
		}
		for id := range doc["symbols"].(object) {
			names = append(names, "symbol/"+id)
		}
		proven, err := r.Prove(names)
		require.NoError(t, err)
		p := proof
		p.Leaves, p.Path = proven.Indexes, proven.Path
		add(c.about, c.reason, doc, p)
	}

	p := proof
	p.Path = append(slices.Clone(p.Path), p.LogPath...)
	add("hash of the path that is not needed", "refused", json.RawMessage(honest), p)
	p = proof
	p.LogPath = append(slices.Clone(p.LogPath), p.LogPath...)
	add("hash of the path of the log that is not needed", "refused", json.RawMessage(honest), p)

	// Entries of the log that say something else.
	text, path, err := g.log.Prove(t.Context(), 1)
	require.NoError(t, err)
	p = proof
	p.Keys, p.LogPath = []trust.Inclusion{{Index: 1, Entry: text}}, taxonomy.ProofPath{}
	add("entry that is not a key", "refused", json.RawMessage(honest), p)
	edition := trust.Inclusion{Index: 1, Entry: []byte(`{"op":"publish_document","slug":"crossing","time":"2026-11-17T00:01:00Z"}`)}
	p = proof
	p.Release = trust.Inclusion{Index: 1, Entry: fmt.Appendf(nil, `{"leaves":%d,"op":"publish","time":"2001-01-01T00:00:00Z"}`, r.Leaves())}
	p.Edition, p.LogPath = &edition, path
	add("entry of the release at the place of another one", "refused", json.RawMessage(honest), p)

	signer, err := note.NewSigner(v.Keys[0].Private)
	require.NoError(t, err)
	g.grow(t, g.log, []*signedlog.Entry{{
		Op: signedlog.OpEraseDocument, Time: day.Add(time.Minute), Slug: "crossing",
		Document: signedlog.DocumentHash("crossing"), Edition: trust.EditionHash(parsed(t, honest)),
	}}, signer)
	p = proof
	p.Checkpoint = string(g.files[signedlog.CheckpointFile])
	p.Edition = &trust.Inclusion{Index: 2, Entry: []byte(`{"op":"erase_document","slug":"crossing","time":"2026-11-17T00:01:00Z"}`)}
	// The hash of entry 1 is that of the path of entry 0 in both logs.
	require.Len(t, p.LogPath, 1)
	add("edition that was erased", "refused", json.RawMessage(honest), p)
	p.Edition = nil
	_, path, err = logPath(t, g, 0)
	require.NoError(t, err)
	p.LogPath = path
	add("the same without the edition", "", json.RawMessage(honest), p)
}

// logPath proves an entry of the log as it is now.
func logPath(t *testing.T, g *register, index int64) ([]byte, taxonomy.ProofPath, error) {
	t.Helper()
	c, err := signedlog.ParseCheckpoint(g.files[signedlog.CheckpointFile])
	require.NoError(t, err)
	return signedlog.NewLog(c, g.read).Prove(t.Context(), index)
}

// checkDocuments checks that this package validates each case as the vectors say.
func (v *vectors) checkDocuments(t *testing.T) {
	for _, c := range v.Documents {
		doc, proof := cmp.Or(c.Document, v.Document), cmp.Or(c.Proof, v.Proof)
		if c.Bare {
			proof = v.Bare
		}
		if edited := map[string]*string{"document": &doc, "proof": &proof}[c.In]; edited != nil {
			require.Contains(t, *edited, c.Old, c.About)
			*edited = strings.Replace(*edited, c.Old, c.New, 1)
		}
		trusted, err := trust.ParseTrust(v.Trust[c.Trust])
		require.NoError(t, err)
		check := trust.VerifyDocument
		if c.Snapshot {
			check = trust.VerifySnapshot
		}
		_, err = check(trusted, []byte(doc), []byte(proof), day)
		require.Equal(t, c.Reason == "", err == nil, "%s: %v", c.About, err)
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
