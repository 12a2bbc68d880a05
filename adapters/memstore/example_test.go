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

// datachain schema export json bikes@2026-09-01-beta -o bikes.json
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
