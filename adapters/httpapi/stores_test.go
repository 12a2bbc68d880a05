package httpapi_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// The sample taxonomies.
const stable, beta = "ai@2026-11-15-stable", "ai@2026-11-18-beta"

func samples(t *testing.T) *memstore.Store {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	return store
}

// An odd taxonomy: without English, with a category without elements and a context
// without colors.
const oddStable, oddBeta = "lager_1@2024-02-29-stable", "lager_1@2026-03-01-beta"

// oddElements is how many elements the category ort has.
const oddElements = 230

func text(de, ja string) taxonomy.Localized {
	return taxonomy.Localized{{Locale: "de", Value: de}, {Locale: "ja", Value: ja}}
}

func oddContent() taxonomy.Content {
	const symbol = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M10 10h16v16h-16z"/></svg>`
	c := taxonomy.Content{
		Title: text("Ein Lager", "倉庫"), Description: text("Was wo liegt.", "どこに何があるか。"), Locales: []string{"de", "ja"},
		Type:    taxonomy.Type{ID: "lager_1", Name: text("Lager", "倉庫"), Categories: []string{"zweck", "leer", "ort"}, Subchains: []taxonomy.Subchain{}},
		Symbols: map[string]string{"Kiste-1": symbol},
		Categories: []taxonomy.Category{
			{ID: "zweck", Name: text("Zweck", "目的"), Description: text("Wozu.", "何のため。"), Shape: taxonomy.Circle, Required: true, Context: taxonomy.Context{
				ID: "sicht", Values: []taxonomy.ContextValue{{ID: "offen", Label: text("offen", "公開")}, {ID: "geheim", Label: text("geheim", "秘密")}},
			}},
			{ID: "leer", Name: text("Leer", "空"), Description: text("Nichts.", "無い。"), Shape: taxonomy.Octagon, Context: taxonomy.Context{Values: []taxonomy.ContextValue{}}},
			{ID: "ort", Name: text("Ort", "場所"), Description: text("Wo.", "どこ。"), Shape: taxonomy.RoundedSquare, Context: taxonomy.Context{Values: []taxonomy.ContextValue{}}},
		},
		Elements: []taxonomy.Element{{
			ID: "zweck.Lagern", Title: text("Lagern von Kisten", "箱の保管"), Description: text("Kisten stehen im Regal.", "箱は棚にある。"),
			CategoryID: "zweck", SymbolID: "Kiste-1", IconVariants: []string{"default", "dark", "offen", "geheim"}, Variables: []taxonomy.Variable{},
		}},
	}
	for i := range oddElements {
		c.Elements = append(c.Elements, taxonomy.Element{
			ID: fmt.Sprintf("ort.r%03d", i), Title: text(fmt.Sprintf("Regal %d", i), fmt.Sprintf("棚%d番", i)), Description: text("Ein Regal im Lager.", "倉庫の棚。"),
			CategoryID: "ort", SymbolID: "Kiste-1", IconVariants: []string{"default", "dark"}, Variables: []taxonomy.Variable{},
		})
	}
	return c
}

func publication(t *testing.T, version string, c taxonomy.Content) listing.Publication {
	t.Helper()
	r, err := taxonomy.NewRelease(taxonomy.MustVersion(version), c)
	require.NoError(t, err)
	return listing.Publication{Release: r}
}

var oddReleases = sync.OnceValues(func() ([2]*taxonomy.Release, error) {
	first, err := taxonomy.NewRelease(taxonomy.MustVersion(oddStable), oddContent())
	if err != nil {
		return [2]*taxonomy.Release{}, err
	}
	second, err := first.WithVersion(taxonomy.MustVersion(oddBeta))
	return [2]*taxonomy.Release{first, second}, err
})

func odd(t *testing.T) *memstore.Store {
	t.Helper()
	releases, err := oddReleases()
	require.NoError(t, err)
	store, err := memstore.New(listing.Publication{Release: releases[0]}, listing.Publication{Release: releases[1]})
	require.NoError(t, err)
	store.Evolve("lager_1", []byte(oddEvolution))
	return store
}

const oddEvolution = `{"renamed": [{"kind": "element", "from": "zweck.Alt", "to": "zweck.Lagern", "since": "` + oddStable + `"}]}`

// TestEvolution shows that the evolution of a type is listed, as it was published.
func TestEvolution(t *testing.T) {
	w := open(t, odd(t), nil)
	sum := fmt.Sprintf("sha256-%x", sha256.Sum256([]byte(oddEvolution)))
	require.Contains(t, w.get("/schemas").text, `"types":[{"id":"lager_1","evolution":"`+sum+`"}]`)
	require.NotContains(t, w.get("/schemas/"+oddStable+"/manifest").text, "zweck.Alt", "it is not part of the content")
}

// oddDocument is a datachain for the odd taxonomy.
func oddDocument(version string) string {
	return `{"id":"d","schema_version":"` + version + `","created_at":"2026-06-01T10:00Z","elements":[{"element_id":"zweck.Lagern","context_type_id":"offen"}]}`
}

// troubled is a store that calls the test before it answers.
type troubled struct {
	taxonomy.Store
	index, release  func(context.Context) error
	indexed, opened atomic.Int64
}

func (t *troubled) Index(ctx context.Context) (*taxonomy.Index, error) {
	t.indexed.Add(1)
	if t.index != nil {
		if err := t.index(ctx); err != nil {
			return nil, err
		}
	}
	return t.Store.Index(ctx)
}

func (t *troubled) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	t.opened.Add(1)
	if t.release != nil {
		if err := t.release(ctx); err != nil {
			return nil, err
		}
	}
	return t.Store.Release(ctx, v)
}

// baked is a store that has icons, all or none.
type baked struct {
	taxonomy.Store
	has  bool
	asks atomic.Int64
}

func (b *baked) Icon(_ context.Context, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	b.asks.Add(1)
	if !b.has {
		return nil, fmt.Errorf("icon %s %s: %w", elementID, variant, taxonomy.ErrNotFound)
	}
	return must(icons.NewSet(r, nil)).Icon(elementID, variant)
}

// oddDir writes the odd taxonomy to a directory.
func oddDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "store")
	releases, err := oddReleases()
	require.NoError(t, err)
	pubs := []listing.Publication{{Release: releases[0]}, {Release: releases[1]}}
	require.NoError(t, os.CopyFS(dir, layouttest.Files(t, nil, nil, pubs...)))
	return dir
}

// damage changes each file of a kind.
func damage(t *testing.T, dir, name string, change func(path string) error) {
	t.Helper()
	n := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(d.Name(), name) {
			n++
			err = change(path)
		}
		return err
	}))
	require.Positive(t, n)
}

func overwrite(text string) func(string) error {
	return func(path string) error {
		if err := os.Remove(path); err != nil {
			return err
		}
		return os.WriteFile(path, []byte(text), 0o600)
	}
}

// flip changes one bit in the middle.
func flip(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	b[len(b)/2] ^= 1
	return overwrite(string(b))(path)
}

// TestDamagedStore damages what is on disk, before it was ever read and after.
func TestDamagedStore(t *testing.T) {
	t.Parallel()
	for name, hurt := range map[string]func(t *testing.T, dir string){
		"index removed":      func(t *testing.T, dir string) { damage(t, dir, "index.json", os.Remove) },
		"index empty":        func(t *testing.T, dir string) { damage(t, dir, "index.json", overwrite("")) },
		"index cut":          func(t *testing.T, dir string) { damage(t, dir, "index.json", overwrite(`{"versions":[{`)) },
		"index is something": func(t *testing.T, dir string) { damage(t, dir, "index.json", overwrite(`[1,2,3]`)) },
		"archive removed":    func(t *testing.T, dir string) { damage(t, dir, ".zip", os.Remove) },
		"archive empty":      func(t *testing.T, dir string) { damage(t, dir, ".zip", overwrite("")) },
		"archive flipped":    func(t *testing.T, dir string) { damage(t, dir, ".zip", flip) },
		"all removed":        empty,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := oddDir(t)
			kept := filepath.Join(t.TempDir(), "kept")
			require.NoError(t, os.CopyFS(kept, os.DirFS(dir)))
			fresh, warm := openFolder(t, dir), openFolder(t, dir)
			at := "/schemas/" + oddBeta + "/manifest"
			before := warm.get(at)
			hurt(t, dir)
			for range 3 {
				if a := fresh.do(request{path: at}); !strings.HasPrefix(name, "index") { // is read when the store is opened
					a.issue(t, 502, "upstream_error")
					discreet(t, "", a.text)
					require.NotContains(t, a.text, dir)
				}
				require.Equal(t, before.text, warm.get(at).text, "the last good one")
				require.Equal(t, 200, warm.post("/schemas/"+oddBeta+"/resolve", oddDocument(oddBeta)).StatusCode)
			}
			empty(t, dir)
			require.NoError(t, os.CopyFS(dir, os.DirFS(kept)))
			for _, w := range []*world{fresh, warm} {
				require.Eventually(t, func() bool { return w.do(request{path: at}).StatusCode == http.StatusOK }, time.Minute, 20*time.Millisecond, "recovers by itself")
				w.calm(t)
			}
		})
	}
}

// empty removes everything in a directory.
func empty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
}

func openFolder(t *testing.T, dir string) *world {
	t.Helper()
	store, err := fsstore.OpenDir(dir, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return openService(t, must(datachain.New(must(laststore.New(store, &laststore.Options{RetryAfter: 50 * time.Millisecond})), nil)), nil)
}

// TestStoreThatHangs shows that, once there is a last good release, every request
// is served while the store hangs.
func TestStoreThatHangs(t *testing.T) {
	t.Parallel()
	for name, hang := range map[string]func(*troubled, func(context.Context) error){
		"index":   func(s *troubled, wait func(context.Context) error) { s.index = wait },
		"release": func(s *troubled, wait func(context.Context) error) { s.release = wait },
		"both":    func(s *troubled, wait func(context.Context) error) { s.index, s.release = wait, wait },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var hangs atomic.Bool
			store := &troubled{Store: odd(t)}
			hang(store, func(ctx context.Context) error {
				if hangs.Load() {
					return waits(ctx)
				}
				return nil
			})
			w := open(t, store, &httpapi.Options{ReadTimeout: 6 * time.Second, WorkTimeout: 6 * time.Second})
			w.get("/schemas/" + oddStable + "/manifest")
			hangs.Store(true)
			require.Empty(t, failures(w, everyPath()), "never requested before")
			hangs.Store(false)
			require.Eventually(t, func() bool {
				return w.do(request{path: "/schemas/" + oddBeta + "/manifest"}).StatusCode == http.StatusOK
			}, 30*time.Second, 10*time.Millisecond)
			require.Empty(t, w.log.lines("request failed"))
		})
	}
}

// failures requests all paths at once, and returns those that failed.
func failures(w *world, paths []string) []string {
	var mu sync.Mutex
	var failed []string
	var group sync.WaitGroup
	for _, path := range paths {
		group.Go(func() {
			res, err := client.Get(w.url + path)
			if err == nil && res.StatusCode == http.StatusMethodNotAllowed {
				_ = res.Body.Close()
				res, err = client.Post(w.url+path, "application/json", strings.NewReader(oddDocument(oddStable)))
			}
			if err == nil {
				_ = res.Body.Close()
			}
			if err != nil || res.StatusCode != http.StatusOK {
				mu.Lock()
				defer mu.Unlock()
				failed = append(failed, path)
			}
		})
	}
	group.Wait()
	return failed
}

// TestFlappingStore shows that, once there is a last good release, no request
// fails if the store fails every other time.
func TestFlappingStore(t *testing.T) {
	t.Parallel()
	var flapping atomic.Bool
	var n atomic.Int64
	fault := func(context.Context) error {
		if flapping.Load() && n.Add(1)%2 == 0 {
			return errDisk
		}
		return nil
	}
	store := &troubled{Store: odd(t), index: fault, release: fault}
	w := openService(t, must(datachain.New(must(laststore.New(store, &laststore.Options{RetryAfter: time.Millisecond})), nil)), nil)
	paths := []string{"/schemas", "/schemas/" + oddStable + "/manifest", "/schemas/" + oddBeta + "/elements", "/schemas/lager_1@latest/elements/zweck.Lagern/icon.svg"}
	for _, path := range paths {
		w.get(path)
	}
	flapping.Store(true)
	var wrong atomic.Int64
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i := range 100 {
				res, err := client.Get(w.url + api + paths[i%len(paths)])
				if err != nil {
					wrong.Add(1)
					continue
				}
				_ = res.Body.Close()
				if res.StatusCode != http.StatusOK {
					wrong.Add(1)
				}
			}
		})
	}
	group.Wait()
	require.Zero(t, wrong.Load())
	w.calm(t)
}
