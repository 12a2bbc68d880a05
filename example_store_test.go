package datachain_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// only is a store that has the versions of one type of another store. The index keeps what
// [taxonomy.NewIndex] would leave out, such as what became of ids.
type only struct {
	taxonomy.Store
	typ string
}

func (o *only) Index(ctx context.Context) (*taxonomy.Index, error) {
	index, err := o.Store.Index(ctx)
	if err != nil {
		return nil, err
	}
	entries := slices.DeleteFunc(index.Entries(), func(e taxonomy.Entry) bool { return e.ID.Type() != o.typ })
	retired := slices.DeleteFunc(index.Retired(), func(r taxonomy.RetiredVersion) bool { return r.ID.Type() != o.typ })
	return index.WithVersions(entries, retired)
}

func (o *only) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	if v.Type() != o.typ {
		return nil, fmt.Errorf("only: release %s: %w", v, taxonomy.ErrNotFound)
	}
	return o.Store.Release(ctx, v)
}

// A store of a program's own has two methods. This one filters another store; package storetest
// checks stores.
func Example_store() {
	samples, err := published.Store()
	if err != nil {
		panic(err)
	}
	service, err := datachain.New(&only{samples, "sensor"}, nil)
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	schema, err := service.Open(ctx, "sensor@latest")
	if err != nil {
		panic(err)
	}
	fmt.Println(schema.Release().Version())
	_, err = service.Open(ctx, "ai@latest")
	fmt.Println(err)
	// Output:
	// sensor@2026-11-15-stable
	// datachain: not_found: There is no schema version ai@latest. (use a version from the list of schemas, such as sensor@latest)
}
