package register_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
	"github.com/datachain-go/datachain/taxonomy/document"
)

func Example() {
	store, err := published.Store()
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := register.OpenDirectory("../examples/documents", nil)
	if err != nil {
		log.Fatal(err)
	}
	reg, err := register.New(service, []register.Origin{dir}, nil)
	if err != nil {
		log.Fatal(err)
	}
	site, err := pages.New(service, &pages.Options{Documents: reg})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = reg.Close() }() // it was only read
	for _, d := range reg.State().Documents() {
		fmt.Printf("%s: %s\n", d.Slug, d.Title.Pick("en"))
	}
	page := httptest.NewRecorder()
	site.ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/d/mill-street-crossing?lang=en", http.NoBody))
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

// table is an origin of a program's own: the texts of documents by name.
type table map[string][]byte

func (table) String() string { return "the table" }

func (t table) List(context.Context) (*register.Listing, error) {
	l := &register.Listing{Read: func(_ context.Context, name string) ([]byte, error) { return t[name], nil }}
	for name := range t {
		l.Files = append(l.Files, register.File{Name: name, Tag: "1"}) // a text never changes
	}
	return l, nil
}

func ExampleOrigin() {
	store, err := published.Store()
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	crossing, _ := documents.Find("crossing-camera.json")
	origin := table{"7": crossing.Text, "8": []byte(`{"id": "nothing"}`)}
	reg, err := register.New(service, []register.Origin{origin}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = reg.Close() }() // it was only read
	for _, d := range reg.State().Documents() {
		fmt.Println(d.File(), d.Slug)
	}
	for _, r := range reg.State().Refused() {
		fmt.Println("refused:", r.Issues[0])
	}
	// Output:
	// 7 mill-street-crossing
	// refused: 8: error parse_error at schema_version: The datachain has no schema_version. (add schema_version, such as "schema_version": "ai@2026-09-01-stable")
}

func ExampleState_Find() {
	store, err := published.Store()
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := register.OpenDirectory("../examples/documents", nil)
	if err != nil {
		log.Fatal(err)
	}
	reg, err := register.New(service, []register.Origin{dir}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = reg.Close() }() // it was only read
	fromURL, err := register.ParseQuery(url.Values{"type": {"ai"}, "sort": {"title"}})
	if err != nil {
		log.Panic(err)
	}
	for _, q := range []register.Query{
		{Text: "webcam"}, // a keyword of an element that is placed
		fromURL,
	} {
		state := reg.State()
		found, err := state.Find(q)
		if err != nil {
			log.Panic(err)
		}
		for _, d := range found.All() {
			fmt.Println(d.Title.Pick(state.Languages()...))
		}
	}
	// Output:
	// Cameras at the Mill Street crossing
	// Checking requests for housing benefit
	// How we sort job applications
	// The library’s chat assistant
}

func ExampleRegister_Text() {
	store, err := published.Store()
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := register.OpenDirectory("../examples/documents", nil)
	if err != nil {
		log.Fatal(err)
	}
	reg, err := register.New(service, []register.Origin{dir}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = reg.Close() }() // it was only read
	d, ok := reg.State().Document("mill-street-crossing")
	if !ok {
		log.Panic("there is no such document")
	}
	for _, edition := range d.Editions {
		text, err := reg.Text(context.Background(), d, edition.Hash, register.Resolved)
		if err != nil {
			log.Panic(err)
		}
		doc, err := document.Parse(text)
		if err != nil {
			log.Panic(err)
		}
		fmt.Println(edition.Time.Format("2006-01-02"), datachain.IsResolved(doc))
	}
	// Output:
	// 2026-08-03 true
}

// A store has the documents that were published into it, also those that were withdrawn. A
// program that follows them remembers the sequence of the last state that it has seen.
func ExampleState_Changes() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is temporary
	service, target := publishSample(ctx, dir)
	defer func() { _ = target.Close() }() // nothing was written that is not in the store

	store, err := fsstore.OpenDir(dir, nil)
	if err != nil {
		log.Panic(err)
	}
	defer func() { _ = store.Close() }() // it was only read
	since := int64(0)
	follow := func() {
		reg, err := register.New(service, []register.Origin{register.Stored("the store", store, nil)}, &register.Options{Refresh: -1})
		if err != nil {
			log.Panic(err)
		}
		defer func() { _ = reg.Close() }() // it was only read
		state := reg.State()
		events, reset := state.Changes(since)
		for _, e := range events {
			fmt.Println(reset, e.Op, e.Slug)
		}
		since = state.Sequence()
	}
	follow()
	if _, err := publishing.Withdraw(ctx, target, "housing-benefit-check", "The check has ended."); err != nil {
		log.Panic(err)
	}
	follow()
	// Output:
	// false publish housing-benefit-check
	// false withdraw housing-benefit-check
}

// publishSample publishes a document into a store in a directory.
func publishSample(ctx context.Context, dir string) (*datachain.Service, *dirtarget.Target) {
	store, err := published.Store()
	if err != nil {
		log.Panic(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Panic(err)
	}
	origin, err := register.OpenDirectory("../examples/documents", &register.DirectoryOptions{Names: []string{"benefits.json"}})
	if err != nil {
		log.Panic(err)
	}
	reg, err := register.New(service, []register.Origin{origin}, &register.Options{Refresh: -1})
	if err != nil {
		log.Panic(err)
	}
	defer func() { _ = reg.Close() }() // it was only read
	if err := dirtarget.Publish(ctx, dir); err != nil {
		log.Panic(err)
	}
	target, err := dirtarget.Create(ctx, dir)
	if err != nil {
		log.Panic(err)
	}
	if _, err := publishing.Documents(ctx, target, reg, nil); err != nil {
		log.Panic(err)
	}
	return service, target
}
