package s3servers_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// Another client reads what was published, and recomputes every hash with nothing but
// the standard library and what the documentation says.
func TestAnotherClient(t *testing.T) {
	servers(t, func(t *testing.T, s server) {
		address := s.names()(t)
		samples, err := published.Store()
		require.NoError(t, err)
		index, err := samples.Index(t.Context())
		require.NoError(t, err)
		c := storetest.Content{Index: index}
		for _, e := range index.Entries() {
			r, err := samples.Release(t.Context(), e.ID)
			require.NoError(t, err)
			c.Releases = append(c.Releases, r)
		}
		hold(t, s.url, address, c)

		read := reader(t, s.url, address)
		var published struct {
			Versions []struct {
				ID          string `json:"id"`
				ContentHash string `json:"content_hash"`
				Archive     string `json:"archive"`
			} `json:"versions"`
		}
		require.NoError(t, json.Unmarshal(read("index.json"), &published))
		require.Len(t, published.Versions, index.Len())
		for _, v := range published.Versions {
			dir := strings.Replace(v.ID, "@", "/", 1) + "/" + v.ContentHash + "/"
			archive := read(dir + strings.TrimPrefix(v.Archive, "sha256-") + ".zip")
			sum := sha256.Sum256(archive)
			require.Equal(t, v.Archive, "sha256-"+hex.EncodeToString(sum[:]))
			require.Equal(t, v.ContentHash, contentHash(t, unzip(t, archive)), v.ID)
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
func contentHash(t *testing.T, files map[string][]byte) string {
	t.Helper()
	var release struct {
		Manifest   map[string]json.RawMessage `json:"manifest"`
		Type       json.RawMessage            `json:"datachain_type"`
		Categories []json.RawMessage          `json:"categories"`
		Elements   []json.RawMessage          `json:"elements"`
	}
	require.NoError(t, json.Unmarshal(files["release.json"], &release))
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
	for name, svg := range files {
		if id, ok := strings.CutPrefix(name, "symbols/"); ok {
			bodies["symbol/"+strings.TrimSuffix(id, ".svg")] = quote(t, string(svg))
		}
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

// unzip returns the files of an archive.
func unzip(t *testing.T, archive []byte) map[string][]byte {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	require.NoError(t, err)
	files := make(map[string][]byte)
	for _, f := range r.File {
		text, err := fs.ReadFile(r, f.Name)
		require.NoError(t, err)
		files[f.Name] = text
	}
	return files
}
