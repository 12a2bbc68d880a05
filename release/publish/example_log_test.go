package publish_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"io/fs"
	"log"
	"os"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/release/watch"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/trust"
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

// A store gets a signed log, which proves offline what a document is made of. This store had
// releases before: their entries are added. Later the key is rotated.
func ExampleSign() {
	ctx := context.Background()
	samples, err := taxonomies.Store()
	if err != nil {
		log.Panic(err)
	}
	release, err := samples.Release(ctx, taxonomy.MustVersion("ai@2026-12-15-beta"))
	if err != nil {
		log.Panic(err)
	}
	store := new(targettest.Memory)
	if _, err := publish.Publish(ctx, store, []publish.Publication{{Release: release}}, nil); err != nil {
		log.Panic(err)
	}
	key := exampleKey("example.org/log")
	// The publisher remembers what it has signed, and signs no other history.
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is temporary
	key.Seen = watch.NewSeenFile(dir, key.Name())
	if _, err := publish.Adopt(ctx, publish.Sign(store, key), samples.Release); err != nil {
		log.Panic(err)
	}

	// The store proves a document.
	prover := trust.NewProver(func(ctx context.Context, name string) ([]byte, error) {
		text, revision, err := store.Read(ctx, "log/"+name)
		if err == nil && revision == "" {
			err = fs.ErrNotExist
		}
		return text, err
	})
	sample, _ := documents.Find("library-chat.json")
	thin, err := document.Parse(sample.Text)
	if err != nil {
		log.Panic(err)
	}
	bundle, err := resolve.Resolve(release, thin, nil)
	if err != nil {
		log.Panic(err)
	}
	resolved := bundle.AppendJSON(nil)
	doc, err := document.Parse(resolved)
	if err != nil {
		log.Panic(err)
	}
	proof, err := prover.Prove(ctx, release, doc, "")
	if err != nil {
		log.Panic(err)
	}
	proofText, err := document.MarshalCanonical(proof)
	if err != nil {
		log.Panic(err)
	}

	// A reader has the document, the proof and the public key, and needs no network.
	trusted, err := trust.ParseTrust(fmt.Appendf(nil, `{"origin": "example.org/log", "keys": [{"key": %q}]}`, key.Public))
	if err != nil {
		log.Panic(err)
	}
	report, err := trust.VerifySnapshot(trusted, resolved, proofText, time.Now())
	if err != nil {
		log.Panic(err)
	}
	fmt.Println(report.Version, "is proven")

	if err := publish.Rotate(ctx, publish.Sign(store, key), exampleKey("example.org/log")); err != nil {
		log.Panic(err)
	}
	// Output:
	// ai@2026-12-15-beta is proven
}
