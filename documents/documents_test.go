package documents_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/documents"
	samples "github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/internal/registers"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
	"github.com/datachain-go/datachain/taxonomy"
)

func Example() {
	store, err := taxonomies.Store()
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := documents.Directory("../examples/documents", nil)
	if err != nil {
		log.Fatal(err)
	}
	register, err := documents.New(service, []documents.Origin{dir}, nil)
	if err != nil {
		log.Fatal(err)
	}
	pages, err := explorer.New(service, &explorer.Options{Documents: register})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = register.Close() }() // it was only read
	for _, d := range register.Documents() {
		fmt.Printf("%s: %s\n", d.Slug, d.Title.Pick("en"))
	}
	page := httptest.NewRecorder()
	pages.ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/d/mill-street-crossing?lang=en", http.NoBody))
	fmt.Println(page.Code, page.Header().Get("Content-Type"))
	// Output:
	// city-library-chat: The library’s chat assistant
	// housing-benefit-check: Checking requests for housing benefit
	// library-wifi-counter: Counting visitors by Wi-Fi
	// market-square-air: Air on the market square
	// market-square-pollen: Air and pollen on the market square
	// mill-street-crossing: Cameras at the Mill Street crossing
	// norte-logistics-screening: How we sort job applications
	// 200 text/html; charset=utf-8
}

func ExampleRegister_Find() {
	store, err := taxonomies.Store()
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := documents.Directory("../examples/documents", nil)
	if err != nil {
		log.Fatal(err)
	}
	register, err := documents.New(service, []documents.Origin{dir}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = register.Close() }() // it was only read
	for _, q := range []documents.Query{
		{Text: "webcam"}, // a keyword of an element that is placed
		{Values: map[documents.Field][]string{documents.ByType: {"ai"}}, Sort: documents.ByTitle},
	} {
		found, err := register.Find(q)
		if err != nil {
			log.Panic(err)
		}
		for _, d := range found {
			fmt.Println(d.Title.Pick(register.Languages()...))
		}
	}
	// Output:
	// Cameras at the Mill Street crossing
	// Checking requests for housing benefit
	// How we sort job applications
	// The library’s chat assistant
}

// TestSettings shows that a directory is read with its register.yaml: a Go program needs
// nothing else for that.
func TestSettings(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../examples/documents")))
	text := "title: {en: Systems of Lindenau, fr: Systèmes de Lindenau}\nlanguages: [fr, en]\nurl: https://register.example.org\npublisher:\n  name: {en: City of Lindenau}\n  contact: {phone: 0123 456}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "register.yaml"), []byte(text), 0o600))
	origin, err := documents.Directory(dir, nil)
	require.NoError(t, err)
	r := open(t, origin)
	require.Empty(t, r.Refused())
	assert.Equal(t, []string{"fr", "en"}, r.Languages())
	assert.Equal(t, "Systèmes de Lindenau", r.Title().Pick(r.Languages()...))
	pages, err := explorer.New(service(t), &explorer.Options{Documents: r})
	require.NoError(t, err)
	page := httptest.NewRecorder()
	pages.ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/d/mill-street-crossing", http.NoBody))
	assert.Equal(t, "fr", page.Header().Get("Content-Language"))
	assert.Contains(t, page.Body.String(), `<link rel="canonical" href="https://register.example.org/d/mill-street-crossing">`)
	assert.Contains(t, page.Body.String(), "0123 456")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "register.yaml"), []byte("titel: x\n"), 0o600))
	origin, err = documents.Directory(dir, nil)
	require.NoError(t, err)
	require.Len(t, open(t, origin).Refused(), 1)
}

func TestFind(t *testing.T) {
	origin, err := documents.Directory("../examples/documents", &documents.DirectoryOptions{Names: []string{"benefits.json", "library-chat.json"}})
	require.NoError(t, err)
	r := open(t, origin)
	require.Len(t, r.Documents(), 2)
	found, err := r.Find(documents.Query{Text: "library", Locale: "en"})
	require.NoError(t, err)
	require.NotEmpty(t, found)
	d, ok := r.Document("city-library-chat")
	require.True(t, ok)
	assert.Equal(t, d, found[0])
	none, err := r.Find(documents.Query{Values: map[documents.Field][]string{documents.ByType: {"sensor"}}})
	require.NoError(t, err)
	assert.Empty(t, none)
	_, err = r.Find(documents.Query{Sort: "best"})
	var malformed *datachain.Error
	require.ErrorAs(t, err, &malformed)
	assert.Equal(t, "sort", malformed.Param)
}

func service(t *testing.T) *datachain.Service {
	t.Helper()
	store, err := taxonomies.Store()
	require.NoError(t, err)
	s, err := datachain.New(store, nil)
	require.NoError(t, err)
	return s
}

func open(t *testing.T, origin documents.Origin) *documents.Register {
	t.Helper()
	r, err := documents.New(service(t), []documents.Origin{origin}, &documents.Options{Refresh: -1})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, r.Close()) })
	return r
}

func TestRegister(t *testing.T) {
	const slug = "housing-benefit-check"
	sample, ok := samples.Find("benefits.json")
	require.True(t, ok)
	from := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(from, "benefits.json"), sample.Text, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(from, "broken.json"), []byte("{"), 0o600))
	origin, err := documents.Directory(from, &documents.DirectoryOptions{})
	require.NoError(t, err)
	live := open(t, origin)
	require.Len(t, live.Refused(), 1)
	assert.Equal(t, "broken.json", live.Refused()[0].File)
	assert.NotEmpty(t, live.Refused()[0].Issues)

	dir := t.TempDir()
	require.NoError(t, fsstore.Publish(t.Context(), dir))
	target, err := dirtarget.Create(t.Context(), dir)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, target.Close()) })
	_, err = registers.Publish(t.Context(), target, (*registers.Register)(live), nil)
	require.NoError(t, err)
	store, err := fsstore.OpenDir(dir, nil)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, store.Close()) })
	for name, r := range map[string]*documents.Register{"directory": live, "store": open(t, stored(t, store))} {
		t.Run(name, func(t *testing.T) {
			require.Len(t, r.Documents(), 1)
			d, ok := r.Document(slug)
			require.True(t, ok)
			assert.Equal(t, r.Documents()[0], d)
			assert.Equal(t, slug, d.Slug)
			assert.Equal(t, "Checking requests for housing benefit", d.Title.Pick("en"))
			assert.False(t, d.Gone)
			assert.False(t, d.Changed.IsZero())
			thin, err := r.Text(t.Context(), slug, false)
			require.NoError(t, err)
			assert.Equal(t, string(sample.Text), string(thin))
			resolved, err := r.Text(t.Context(), slug, true)
			require.NoError(t, err)
			assert.Contains(t, string(resolved), "schema_snapshot")
			_, ok = r.Document("unknown")
			assert.False(t, ok)
			_, err = r.Text(t.Context(), "unknown", false)
			assert.ErrorIs(t, err, taxonomy.ErrNotFound)
		})
	}
	_, err = registers.Erase(t.Context(), target, slug, taxonomy.Hash{}, "A name")
	require.NoError(t, err)
	erased := open(t, stored(t, store))
	d, ok := erased.Document(slug)
	require.True(t, ok)
	assert.True(t, d.Gone)
	_, err = erased.Text(t.Context(), slug, false)
	assert.ErrorIs(t, err, taxonomy.ErrNotFound)
}

func stored(t *testing.T, store taxonomy.Store) documents.Origin {
	t.Helper()
	origin, err := documents.Stored("store", store)
	require.NoError(t, err)
	return origin
}

func TestOpenFails(t *testing.T) {
	_, err := documents.Directory(filepath.Join(t.TempDir(), "missing"), nil)
	require.ErrorIs(t, err, os.ErrNotExist)
	store, err := taxonomies.Store()
	require.NoError(t, err)
	_, err = documents.Stored("samples", store)
	require.ErrorContains(t, err, "samples can't have documents")
	_, err = documents.New(nil, nil, nil)
	require.Error(t, err)
}
