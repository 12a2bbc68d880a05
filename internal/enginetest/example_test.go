package enginetest_test

import (
	"context"
	"fmt"
	"log"

	"github.com/datachain-go/datachain/internal/enginetest"
)

func ExampleMemoryTarget() {
	ctx := context.Background()
	var target enginetest.MemoryTarget
	if err := target.ReplaceIndex(ctx, []byte("{}"), ""); err != nil {
		log.Panic(err)
	}
	// Another publisher that has found no index comes too late.
	fmt.Println(target.ReplaceIndex(ctx, []byte("{}"), ""))
	// Output: another publisher changed the store
}
