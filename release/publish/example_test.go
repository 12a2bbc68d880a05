package publish_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/release/documents"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// Programs use a target such as that of package fsstore instead of Memory.
func Example() {
	ctx := context.Background()
	target := new(targettest.Memory)
	report, err := publish.Publish(ctx, target, layouttest.Publications(), nil)
	if err != nil {
		log.Panic(err)
	}
	fmt.Println("written:", len(report.Written))

	// Publishing again changes nothing.
	report, err = publish.Publish(ctx, target, layouttest.Publications(), nil)
	if err != nil {
		log.Panic(err)
	}
	fmt.Println("written:", len(report.Written), "changed:", report.Changed)

	retired := taxonomy.MustVersion("sensor@2026-02-28-stable")
	report, err = publish.Retire(ctx, target, nil, taxonomy.RetiredVersion{ID: retired})
	if err != nil {
		log.Panic(err)
	}
	for _, e := range report.Index.Entries() {
		fmt.Println(e.ID)
	}
	_, err = publish.Retire(ctx, target, nil, taxonomy.RetiredVersion{ID: retired})
	fmt.Println(errors.Is(err, taxonomy.ErrNotFound))
	// Output:
	// written: 6
	// written: 0 changed: false
	// Draft_1-x@2026-05-05-beta
	// ai@2026-09-01-stable
	// ai@2026-09-01-beta
	// ai@2026-03-01-stable
	// sensor@2025-01-31-stable
	// true
}

// Icons can be added later, versions deprecated, and what the index no longer names is removed
// in two runs, a day apart.
func Example_upkeep() {
	ctx := context.Background()
	target := new(targettest.Memory)
	release := layouttest.Publications()[0].Release
	if _, err := publish.Publish(ctx, target, []listing.Publication{{Release: release}}, nil); err != nil {
		log.Panic(err)
	}
	report, err := publish.Bake(ctx, target, []*taxonomy.Release{release}, &publish.Options{
		Icon: func(_ *taxonomy.Release, e *taxonomy.Element, _ string) ([]byte, error) {
			return []byte("<svg><title>" + e.ID + "</title></svg>"), nil // see package icons
		},
	})
	if err != nil {
		log.Panic(err)
	}
	fmt.Println("with icons:", report.Written)

	report, err = publish.Deprecate(ctx, target, release.Version(), taxonomy.State{Deprecated: "2026-11-18", Reason: "Use the next one."})
	if err != nil {
		log.Panic(err)
	}
	fmt.Println("deprecated:", report.Index.Entries()[0].Reason)

	report, err = publish.Unused(ctx, target) // changes nothing
	if err != nil {
		log.Panic(err)
	}
	fmt.Println("unused:", len(report.Unused))
	for _, wait := range []time.Duration{24 * time.Hour, 0} { // as if the second run came a day later
		report, err = publish.Collect(ctx, target, wait)
		if err != nil {
			log.Panic(err)
		}
		fmt.Println("collected:", len(report.Collected))
	}
	// Output:
	// with icons: [sensor@2025-01-31-stable]
	// deprecated: Use the next one.
	// unused: 1
	// collected: 0
	// collected: 1
}

// A program that changes documents/index.json itself does so in a transaction, which starts again
// if another publisher comes first. Package register/publishing does this for registers.
func ExampleTransact() {
	ctx := context.Background()
	target := new(targettest.Memory)
	attempts := 0
	err := publish.Transact(ctx, "publish", target, documents.IndexFile, func(ctx context.Context, tx *publish.Transaction) error {
		attempts++
		index, err := documents.Decode(tx.Text)
		if err != nil {
			return err
		}
		if attempts == 1 { // another publisher
			if err := target.Replace(ctx, documents.IndexFile, []byte(`{"format": 1, "sequence": 6, "documents": []}`), ""); err != nil {
				return err
			}
		}
		index.Sequence++
		return tx.ReplaceDocuments(ctx, func(logSize int64) ([]byte, error) {
			index.LogSize = logSize
			fmt.Println("attempt", attempts, "writes sequence", index.Sequence)
			return index.Encode()
		})
	})
	fmt.Println(err)
	// Output:
	// attempt 1 writes sequence 1
	// attempt 2 writes sequence 7
	// <nil>
}
