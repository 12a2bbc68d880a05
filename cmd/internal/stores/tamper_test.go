package stores_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/cmd/internal/audit"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/follow"
	"github.com/datachain-go/datachain/taxonomy"
)

// auditors open the store in each way in which check reads one. The last one is a server, which has no
// files of documents.
func (p *place) auditors(t *testing.T, trusted *trust.Trust) map[string]func() (*stores.Opened, error) {
	t.Helper()
	open := map[string]func() (*stores.Opened, error){
		"store": func() (*stores.Opened, error) { return p.read(t, stores.Options{Trust: trusted}) },
		"server": func() (*stores.Opened, error) {
			log := follow.Served(trusted, "")
			s, err := httpstore.Open(p.serve(t), &httpstore.Options{Verify: log.Verify, RetryAfter: -1})
			if err == nil {
				t.Cleanup(func() { _ = s.Close() })
			}
			return &stores.Opened{Store: s, Log: log}, err
		},
	}
	if filepath.IsAbs(p.store) {
		open["file system"] = func() (*stores.Opened, error) {
			log := follow.With(trusted, "")
			s, err := fsstore.Open(os.DirFS(p.store), &fsstore.Options{Verify: log.Verify})
			return &stores.Opened{Store: s, Log: log}, err
		}
	}
	return open
}

// audited returns what check says about a store.
func audited(t *testing.T, open func() (*stores.Opened, error), trusted *trust.Trust) string {
	t.Helper()
	opened, err := open()
	if err != nil {
		return err.Error()
	}
	var problems []string
	o := audit.Options{Trust: trusted, Log: stores.LogOf(opened.Store, opened.Log), Version: func(v *audit.Version) { problems = append(problems, v.Problems...) }}
	if origin := opened.Documents("the store"); origin != nil {
		o.Register = func() (*register.Register, error) {
			return register.New(sampleService(t), []register.Origin{origin}, &register.Options{Refresh: -1})
		}
	}
	found, err := audit.Store(t.Context(), opened.Store, o)
	if err != nil {
		return err.Error()
	}
	return strings.Join(append(problems, found.Problems...), "\n")
}

// addIcon adds an icon to the archive of a release, and names the archive in the index.
func addIcon(t *testing.T, p *place, name string) {
	t.Helper()
	x, err := taxonomy.DecodeIndex([]byte(p.text(t, layout.IndexFile)))
	require.NoError(t, err)
	e := x.Entries()[0]
	data := []byte(p.text(t, layout.ArchiveFile(e)))
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	add := func(name string, text []byte) {
		f, err := w.CreateRaw(&zip.FileHeader{
			Name: name, CreatorVersion: 20, ReaderVersion: 20,
			ModifiedDate: 0x21, //nolint:staticcheck // Modified would add an extra field
			CRC32:        crc32.ChecksumIEEE(text), CompressedSize64: uint64(len(text)), UncompressedSize64: uint64(len(text)),
		})
		require.NoError(t, err)
		_, err = f.Write(text)
		require.NoError(t, err)
	}
	add(name, []byte("<svg/>")) // it is before release.json
	for _, f := range in.File {
		r, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		add(f.Name, text)
	}
	require.NoError(t, w.Close())
	was := e.Archive
	e.Archive = sha256.Sum256(out.Bytes())
	p.put(layout.ArchiveFile(e), out.String())
	p.edit(t, layout.IndexFile, func(text string) string { return strings.Replace(text, was.String(), e.Archive.String(), 1) })
}

// TestTampered changes files of a store that hashes do not cover as a whole: check says what, where,
// and what to do, of each kind of store.
func TestTampered(t *testing.T) {
	key := newKey(t)
	settingsCopy := regexp.MustCompile(`^documents/[0-9a-f]{64}\.json$`)
	onlyFile := func(p *place, pattern *regexp.Regexp) (found string) {
		for name := range p.files() {
			if pattern.MatchString(name) {
				found = name
			}
		}
		return found
	}
	bundle, tile := regexp.MustCompile(`^log/tile/entries/000\.p/4$`), regexp.MustCompile(`^log/tile/0/000\.p/4$`)
	grow := func(pattern *regexp.Regexp, more string) func(t *testing.T, p *place) {
		return func(t *testing.T, p *place) {
			t.Helper()
			p.edit(t, onlyFile(p, pattern), func(text string) string { return text + more })
		}
	}
	for name, c := range map[string]struct {
		tamper func(t *testing.T, p *place)
		signed bool
		server bool // which shows it, too
		says   string
	}{
		"an icon of no element": {func(t *testing.T, p *place) { addIcon(t, p, "icons/nobody/default.svg") }, false, true, "icons/nobody/default.svg is an icon that no element of the release has: publish the release again"},
		"settings": {func(t *testing.T, p *place) {
			p.edit(t, "documents/register.json", func(text string) string { return strings.Replace(text, "City", "Town", 1) })
		}, false, false, "documents/register.json has other content than documents/index.json names: restore it, or publish the documents again."},
		"settings, signed": {grow(regexp.MustCompile(`^documents/register\.json$`), " "), true, false, "documents/register.json has other content than documents/index.json names"},
		"settings removed": {func(t *testing.T, p *place) { p.remove(t, "documents/register.json") }, false, false, "documents/register.json can't be read"},
		"a snapshot, signed": {func(t *testing.T, p *place) {
			p.edit(t, onlyFile(p, regexp.MustCompile(`resolved\.json$`)), func(text string) string {
				return strings.Replace(text, `"value":"Name`, `"value":"Forget`, 1)
			})
		}, true, false, "it was altered, so restore it: schema_snapshot.categories[0]"},
		"copy of settings": {grow(settingsCopy, " "), false, false, ".json has other content than documents/index.json names: restore it, or publish the documents again."},
		"copy of settings, signed": {func(t *testing.T, p *place) {
			p.edit(t, onlyFile(p, settingsCopy), func(text string) string { return strings.Replace(text, "City", "Town", 1) })
		}, true, false, ".json has other content than documents/index.json names"},
		"an entry after the last one of a bundle": {grow(bundle, "\x00\x02{}"), true, true, "tile/entries/000.p/4: it has 4 bytes after its last entry: restore it"},
		"a byte after the last entry of a bundle": {grow(bundle, "x"), true, true, "tile/entries/000.p/4: it has 1 byte after its last entry: restore it"},
		"a hash after the last one of a tile":     {grow(tile, strings.Repeat("x", sha256.Size)), true, true, "tile/0/000.p/4 has 32 bytes after its last hash: restore it"},
	} {
		for kind, create := range places() {
			t.Run(name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				p, key, trusted := create(t), key, trusting(t, key, nil)
				if !c.signed {
					key, trusted = nil, nil
				}
				p.publish(t, key, layouttest.Publications()[0])
				if c.signed || !c.server {
					p.register(t, key, registerOf(t, "air-station.json"))
				}
				for kind, open := range p.auditors(t, trusted) {
					require.Empty(t, audited(t, open, trusted), kind)
				}
				c.tamper(t, p)
				for kind, open := range p.auditors(t, trusted) {
					switch said := audited(t, open, trusted); {
					case kind != "server":
						require.Contains(t, said, c.says, kind)
					case c.server:
						require.NotEmpty(t, said, kind)
					}
				}
			})
		}
	}
}

// TestRepaired publishes again what was damaged, as check advises.
func TestRepaired(t *testing.T) {
	from := registerOf(t, "air-station.json")
	for kind, create := range places() {
		t.Run(kind, func(t *testing.T) {
			p := create(t)
			p.publish(t, nil, layouttest.Publications()[0])
			p.register(t, nil, from)
			good := p.text(t, "documents/register.json")
			sum := sha256.Sum256([]byte(good))
			for _, name := range []string{"documents/register.json", "documents/" + hex.EncodeToString(sum[:]) + ".json"} {
				p.edit(t, name, func(text string) string { return text + " " })
				p.register(t, nil, from)
				require.Equal(t, good, p.text(t, name))
			}
			require.Empty(t, audited(t, p.auditors(t, nil)["store"], nil))
		})
	}
}
