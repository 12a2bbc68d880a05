package follow_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/follow"
	"github.com/datachain-go/datachain/taxonomy"
)

// publishSigned publishes into a directory with a new key, and returns a trust file that names it.
func publishSigned(ctx context.Context, dir string) (trusted []byte, err error) {
	private, public, err := note.GenerateKey(rand.Reader, "example.org/log")
	if err != nil {
		return nil, err
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		return nil, err
	}
	target, err := dirtarget.Create(ctx, dir)
	if err != nil {
		return nil, err
	}
	_, err = publish.Publish(ctx, publish.Sign(target, &publish.Key{Signer: signer, Public: public}), layouttest.Publications(), nil)
	return fmt.Appendf(nil, `{"origin": "example.org/log", "keys": [{"key": %q}]}`, public), errors.Join(err, target.Close())
}

// Someone who can write to a store, but does not have its key, deletes the log, which proves its index.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is temporary
	text, err := publishSigned(ctx, dir)
	if err != nil {
		log.Panic(err)
	}
	trusted, err := trust.ParseTrust(text)
	if err != nil {
		log.Panic(err)
	}

	store, err := fsstore.OpenDir(dir, &fsstore.Options{Verify: follow.With(trusted, "").Verify})
	if err != nil {
		log.Panic(err)
	}
	index, err := store.Index(ctx)
	if err != nil {
		log.Panic(err)
	}
	fmt.Println(index.Len(), "versions")
	if err := store.Close(); err != nil {
		log.Panic(err)
	}

	if err := os.RemoveAll(filepath.Join(dir, follow.Dir)); err != nil {
		log.Panic(err)
	}
	_, err = fsstore.OpenDir(dir, &fsstore.Options{Verify: follow.With(trusted, "").Verify})
	fmt.Println(errors.Is(err, taxonomy.ErrRefused), errors.Is(err, trust.ErrNoLog))
	// Output:
	// 6 versions
	// true true
}
