package publishing_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log"

	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/taxonomy"
)

// Documents of a directory are published in a store, withdrawn and erased, and later get a signed
// log.
func Example() {
	ctx := context.Background()
	store, err := published.Store()
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := register.OpenDirectory("../../examples/documents", &register.DirectoryOptions{Names: []string{"benefits.json"}})
	if err != nil {
		log.Fatal(err)
	}
	reg, err := register.New(service, []register.Origin{dir}, &register.Options{Refresh: -1})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = reg.Close() }() // it was only read

	target := new(targettest.Memory) // or a directory or a bucket
	report, err := publishing.Documents(ctx, target, reg, nil)
	if err != nil {
		log.Panic(err)
	}
	for _, p := range report.Publications {
		fmt.Println(p.Op, p.Slug)
	}
	if _, err := publishing.Withdraw(ctx, target, "housing-benefit-check", "The check has ended."); err != nil {
		log.Panic(err)
	}
	if _, err := publishing.Erase(ctx, target, "housing-benefit-check", taxonomy.Hash{}, "It named a person."); err != nil {
		log.Panic(err)
	}
	list, err := register.ListStored(ctx, publishing.TargetFiles(target), nil)
	if err != nil {
		log.Panic(err)
	}
	for _, d := range list {
		fmt.Println(d.Slug, "withdrawn:", d.Withdrawn.Reason)
		fmt.Println(d.Slug, "erased:", d.Editions[0].Erased.Reason)
	}

	// Later the store gets a signed log, which begins with what it has.
	signed := publish.Sign(target, exampleKey("example.org/log"))
	if _, err := publish.Adopt(ctx, signed); err != nil {
		log.Panic(err)
	}
	adopted, err := publishing.Adopt(ctx, signed)
	if err != nil {
		log.Panic(err)
	}
	fmt.Println("adopted:", adopted.Changed)
	// Output:
	// publish housing-benefit-check
	// housing-benefit-check withdrawn: The check has ended.
	// housing-benefit-check erased: It named a person.
	// adopted: true
}

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
