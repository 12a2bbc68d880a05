package publishtest_test

import (
	"context"
	"fmt"
	"log"

	"github.com/datachain-go/datachain/internal/publish/publishtest"
)

func ExampleMemory() {
	ctx := context.Background()
	var target publishtest.Memory
	if err := target.ReplaceIndex(ctx, []byte("{}"), ""); err != nil {
		log.Panic(err)
	}
	// Another publisher that has found no index comes too late.
	fmt.Println(target.ReplaceIndex(ctx, []byte("{}"), ""))
	// Output: another publisher changed the store
}
