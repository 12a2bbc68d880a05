package datachain_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/taxonomies"
)

func ExampleService() {
	store, err := taxonomies.Store()
	if err != nil {
		panic(err) // the samples are in the program
	}
	service := datachain.New(store)

	release, element, err := service.Element(context.Background(), "ai@latest", "purpose.triage")
	fmt.Println(release.Version(), element.Title.Pick("fr"), err)

	_, _, err = service.Element(context.Background(), "ai@lates", "purpose.triage")
	if failed, ok := errors.AsType[*datachain.Error](err); ok {
		fmt.Println(failed.Issue.Code, failed.Issue.FixHint)
	}
	// Output:
	// ai@2026-09-01-stable Tri médical <nil>
	// not_found use ai@latest
}
