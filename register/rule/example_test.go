package rule_test

import (
	"context"
	"fmt"
	"log"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register/rule"
)

// A service that also checks the object register.
func Example() {
	store, err := published.Store()
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, &datachain.Options{Rules: rule.All()})
	if err != nil {
		log.Fatal(err)
	}
	e, _ := documents.Invalid("REGISTER_INVALID")
	verdict, err := service.Validate(context.Background(), e.Text, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range verdict.Issues {
		fmt.Println(i.Code, i.Message)
	}
	// Output:
	// REGISTER_INVALID The field register.status must be one of planned, trial, in_use, paused, retired.
}
