package publish_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// Programs use a target such as that of package fsstore instead of Memory.
func Example() {
	ctx := context.Background()
	target := new(targettest.MemoryTarget)
	report, err := publish.Publish(ctx, target, storetest.Publications(), nil)
	if err != nil {
		log.Panic(err)
	}
	fmt.Println("written:", len(report.Written))

	// Publishing again changes nothing.
	report, err = publish.Publish(ctx, target, storetest.Publications(), nil)
	if err != nil {
		log.Panic(err)
	}
	fmt.Println("written:", len(report.Written), "changed:", report.Changed)

	retired := taxonomy.MustVersion("sensor@2026-02-28-stable")
	report, err = publish.Retire(ctx, target, nil, taxonomy.Retired{ID: retired})
	if err != nil {
		log.Panic(err)
	}
	for _, e := range report.Index.Entries() {
		fmt.Println(e.ID)
	}
	_, err = publish.Retire(ctx, target, nil, taxonomy.Retired{ID: retired})
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
