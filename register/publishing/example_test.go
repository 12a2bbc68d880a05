package publishing_test

import (
	"context"
	"fmt"
	"log"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish/targettest"
)

func Example() {
	ctx := context.Background()
	store, err := taxonomies.Store()
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := register.Directory("../../examples/documents", &register.DirectoryOptions{Names: []string{"benefits.json"}})
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
	list, err := register.ListStored(ctx, publishing.TargetFiles(target))
	if err != nil {
		log.Panic(err)
	}
	for _, d := range list {
		fmt.Println(d.Slug, "withdrawn:", d.Withdrawn.Reason)
	}
	// Output:
	// publish housing-benefit-check
	// housing-benefit-check withdrawn: The check has ended.
}
