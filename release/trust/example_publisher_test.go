package trust_test

import (
	"context"
	"fmt"
	"log"

	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// examplePublisher publishes a taxonomy and a document of the samples into a directory, with a new
// key, and returns the trust file.
func examplePublisher(ctx context.Context, dir string) []byte {
	private, public, err := note.GenerateKey(nil, "example.org/log")
	if err != nil {
		log.Panic(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		log.Panic(err)
	}
	samples, err := published.Store()
	if err != nil {
		log.Panic(err)
	}
	release, err := samples.Release(ctx, taxonomy.MustVersion("ai@2026-11-15-stable"))
	if err != nil {
		log.Panic(err)
	}
	service, err := datachain.New(samples, nil)
	if err != nil {
		log.Panic(err)
	}
	directory, err := register.OpenDirectory("../../examples/documents", &register.DirectoryOptions{Names: []string{"library-chat.json"}})
	if err != nil {
		log.Panic(err)
	}
	documents, err := register.New(service, []register.Origin{directory}, &register.Options{Refresh: -1})
	if err != nil {
		log.Panic(err)
	}
	defer func() { _ = documents.Close() }() // it was only read
	target, err := dirtarget.Create(ctx, dir)
	if err != nil {
		log.Panic(err)
	}
	defer func() { _ = target.Close() }() // each change was written
	signed := publish.Sign(target, &publish.Key{Signer: signer, Public: public})
	if _, err := publish.Publish(ctx, signed, []listing.Publication{{Release: release}}, nil); err != nil {
		log.Panic(err)
	}
	if _, err := publishing.Documents(ctx, signed, documents, nil); err != nil {
		log.Panic(err)
	}
	return fmt.Appendf(nil, `{"origin": "example.org/log", "keys": [{"key": %q}]}`, public)
}
