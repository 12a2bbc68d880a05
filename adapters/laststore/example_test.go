package laststore_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// unplugged is a store that can be unplugged.
type unplugged struct {
	taxonomy.Store
	off bool
}

func (u *unplugged) Index(ctx context.Context) (*taxonomy.Index, error) {
	if u.off {
		return nil, errors.New("unplugged")
	}
	return u.Store.Index(ctx)
}

func Example() {
	samples, err := published.Store()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	inner := &unplugged{Store: samples}
	store, err := laststore.New(inner, &laststore.Options{
		RetryAfter: -1, // for the example: try again at every call
		Report:     func(err error) { fmt.Println("store read failed, serving last good data:", err) },
		Recovered:  func() { fmt.Println("store recovered") },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, off := range []bool{false, true, false} {
		inner.off = off
		index, err := store.Index(ctx)
		fmt.Println(index.Len(), "versions", err)
	}
	// Output:
	// 5 versions <nil>
	// store read failed, serving last good data: unplugged
	// 5 versions <nil>
	// store recovered
	// 5 versions <nil>
}
