package publish_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/release/trust/follow"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// exampleKey returns a new key. Programs keep the private one secret.
func exampleKey(name string) *publish.Key {
	private, public, err := note.GenerateKey(rand.Reader, name)
	if err != nil {
		log.Panic(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		log.Panic(err)
	}
	return &publish.Key{Signer: signer, Public: public}
}

// A store gets a signed log. This store had releases before: their entries are added. Later the key
// is rotated.
func ExampleSign() {
	ctx := context.Background()
	samples, err := published.Store()
	if err != nil {
		log.Panic(err)
	}
	release, err := samples.Release(ctx, taxonomy.MustVersion("ai@2026-11-18-beta"))
	if err != nil {
		log.Panic(err)
	}
	store := new(targettest.Memory)
	if _, err := publish.Publish(ctx, store, []listing.Publication{{Release: release}}, nil); err != nil {
		log.Panic(err)
	}
	key := exampleKey("example.org/log")
	// The publisher remembers what it has signed, and signs no other history.
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is temporary
	key.Seen = follow.NewSeenFile(dir, key.Name())
	if _, err := publish.Adopt(ctx, publish.Sign(store, key)); err != nil {
		log.Panic(err)
	}

	if err := publish.Rotate(ctx, publish.Sign(store, key), exampleKey("example.org/log")); err != nil {
		log.Panic(err)
	}
	checkpoint, _, err := store.Read(ctx, "log/checkpoint")
	if err != nil {
		log.Panic(err)
	}
	lines := strings.Split(string(checkpoint), "\n")
	fmt.Println("log:", lines[0], "entries:", lines[1])
	// Output:
	// log: example.org/log entries: 3
}
