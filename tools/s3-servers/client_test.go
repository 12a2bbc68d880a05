package s3servers_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
)

// Another client reads what was published, and recomputes every hash with nothing but
// the standard library and what the documentation says.
func TestAnotherClient(t *testing.T) {
	servers(t, func(t *testing.T, s server) {
		address := s.names()(t)
		samples, err := taxonomies.Store()
		require.NoError(t, err)
		index, err := samples.Index(t.Context())
		require.NoError(t, err)
		var pubs []taxonomy.Publication
		for _, e := range index.Entries() {
			r, err := samples.Release(t.Context(), e.ID)
			require.NoError(t, err)
			pubs = append(pubs, taxonomy.Publication{Release: r})
		}
		become(t, s.url, address, pubs)

		read := reader(t, s.url, address)
		var published struct {
			Versions []struct {
				ID          string `json:"id"`
				ContentHash string `json:"content_hash"`
				Pack        string `json:"pack"`
			} `json:"versions"`
		}
		require.NoError(t, json.Unmarshal(read("index.json"), &published))
		require.Len(t, published.Versions, len(pubs))
		for _, v := range published.Versions {
			dir := strings.Replace(v.ID, "@", "/", 1) + "/" + v.ContentHash + "/"
			pack := read(dir + v.Pack + ".pack")
			sum := sha256.Sum256(pack)
			require.Equal(t, v.Pack, "sha256-"+hex.EncodeToString(sum[:]))
			require.Equal(t, v.ContentHash, contentHash(t, read(dir+"release.json"), pack), v.ID)
		}
	})
}

// reader returns a function that reads objects with minio-go.
func reader(t *testing.T, server, address string) func(name string) []byte {
	t.Helper()
	at, err := url.Parse(server)
	require.NoError(t, err)
	client, err := minio.New(at.Host, &minio.Options{Creds: credentials.NewStaticV4(accessKey, secretKey, ""), Region: "us-east-1"})
	require.NoError(t, err)
	name, prefix, _ := strings.Cut(strings.TrimPrefix(address, "s3://"), "/")
	return func(object string) []byte {
		t.Helper()
		o, err := client.GetObject(context.WithoutCancel(t.Context()), name, prefix+"/"+object, minio.GetObjectOptions{})
		require.NoError(t, err)
		data, err := io.ReadAll(o)
		require.NoError(t, err, object)
		return data
	}
}

// contentHash computes the content hash of a release: the root of a Merkle tree (RFC
// 6962). release.json is canonical, so its parts are hashed as they are.
func contentHash(t *testing.T, text, pack []byte) string {
	t.Helper()
	var release struct {
		Manifest   map[string]json.RawMessage `json:"manifest"`
		Type       json.RawMessage            `json:"datachain_type"`
		Categories []json.RawMessage          `json:"categories"`
		Elements   []json.RawMessage          `json:"elements"`
	}
	require.NoError(t, json.Unmarshal(text, &release))
	bodies := map[string]string{"datachain_type": string(release.Type)}
	for kind, parts := range map[string][]json.RawMessage{"category/": release.Categories, "element/": release.Elements} {
		for _, part := range parts {
			var named struct {
				ID string `json:"id"`
			}
			require.NoError(t, json.Unmarshal(part, &named))
			bodies[kind+named.ID] = string(part)
		}
	}
	var fields []string
	for name, value := range release.Manifest {
		if name != "id" && name != "status" && name != "content_hash" {
			fields = append(fields, quote(t, name)+":"+string(value))
		}
	}
	slices.Sort(fields)
	bodies["manifest"] = "{" + strings.Join(fields, ",") + "}"
	for id, svg := range symbols(t, pack) {
		bodies["symbol/"+id] = quote(t, svg)
	}
	var names []string
	for name := range bodies {
		names = append(names, name)
	}
	slices.Sort(names)
	var leaves [][]byte
	for _, name := range names {
		leaf := `{"body":` + bodies[name] + `,"name":` + quote(t, name) + `}`
		sum := sha256.Sum256(append([]byte{0}, leaf...))
		leaves = append(leaves, sum[:])
	}
	return "sha256-" + hex.EncodeToString(root(leaves))
}

// quote returns a canonical JSON string.
func quote(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(s))
	return strings.TrimSuffix(b.String(), "\n")
}

// root returns the root of a tree.
func root(leaves [][]byte) []byte {
	if len(leaves) == 1 {
		return leaves[0]
	}
	left := 1
	for 2*left < len(leaves) {
		left *= 2
	}
	sum := sha256.Sum256(slices.Concat([]byte{1}, root(leaves[:left]), root(leaves[left:])))
	return sum[:]
}

// symbols reads the symbols in a pack, as docs/internals/pack-format.md describes it.
func symbols(t *testing.T, pack []byte) map[string]string {
	t.Helper()
	u32 := func(b []byte, at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }
	u64 := func(b []byte, at int) int { return int(binary.LittleEndian.Uint64(b[at:])) }
	footer := pack[len(pack)-32:]
	directory, count := u64(footer, 0), u32(footer, 8)
	names := directory + 24*count
	var table []byte
	for i := range count {
		entry := pack[directory+24*i:]
		size := u32(entry, 16)
		if string(pack[names:names+size]) == "symbols" {
			table = pack[u64(entry, 0) : u64(entry, 0)+u64(entry, 8)]
		}
		names += size
	}
	require.NotNil(t, table, "there are no symbols")
	n, m, keysSize := u32(table, 0), u32(table, 4), u64(table, 8)
	keyEnds, shares, valueEnds := 16, 16+4*n, 16+8*n
	keys := valueEnds + 8*m
	values := keys + (keysSize+7)/8*8
	found := make(map[string]string)
	begin := 0
	for i := range n {
		end, share := u32(table, keyEnds+4*i), u32(table, shares+4*i)
		first := 0
		if share > 0 {
			first = u64(table, valueEnds+8*(share-1))
		}
		found[string(table[keys+begin:keys+end])] = string(table[values+first : values+u64(table, valueEnds+8*share)])
		begin = end
	}
	return found
}
