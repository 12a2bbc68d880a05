package memstore_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"log"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// datachain schema export bikes@2026-09-01-beta -o bikes.json
//
//go:embed testdata/bikes.json
var bikes []byte

// A program embeds a taxonomy as one file.
func Example_embed() {
	release, err := taxonomy.DecodeRelease(bikes, nil)
	if err != nil {
		log.Fatal(err)
	}
	store, err := memstore.New(listing.Publication{Release: release})
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	verdict, err := service.Validate(context.Background(), []byte(`{
		"id": "station-7", "schema_version": "bikes@2026-09-01-beta", "created_at": "2026-09-02T10:00Z",
		"elements": [{"element_id": "purpose.service"}]
	}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	answer, err := json.Marshal(verdict)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(answer))
	// Output: {"ok":true,"warnings":[]}
}

// A test publishes a version, deprecates it and takes it out of the store again.
func ExampleStore_Put() {
	release, err := taxonomy.DecodeRelease(bikes, nil)
	if err != nil {
		log.Fatal(err)
	}
	store := new(memstore.Store)
	if err := store.Put(listing.Publication{Release: release, Aliases: []string{"bikes@pilot"}}); err != nil {
		log.Fatal(err)
	}
	if err := store.Deprecate(release.Version(), taxonomy.State{Deprecated: "2026-12-01"}); err != nil {
		log.Fatal(err)
	}
	index, err := store.Index(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range index.Entries() {
		fmt.Println(e.ID, e.Aliases, e.Deprecated)
	}
	fmt.Println(store.Remove(release.Version()))
	fmt.Println(store.Remove(release.Version()))
	// Output:
	// bikes@2026-09-01-beta [bikes@latest bikes@latest-beta bikes@pilot] 2026-12-01
	// <nil>
	// memstore: schema version bikes@2026-09-01-beta: not found: it was retired
}
