package review_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/review"
)

func ExampleReview() {
	store, err := published.Store()
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	origin, err := register.OpenDirectory("../../examples/register", nil)
	if err != nil {
		log.Fatal(err)
	}
	reg, err := register.New(service, []register.Origin{origin}, &register.Options{Refresh: -1})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = reg.Close() }() // it was only read
	found, err := review.Review(context.Background(), reg, &review.Options{
		Today: time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC),
		Only:  []review.Kind{review.ReviewOverdue, review.ContactNoAddress},
	})
	if err != nil {
		log.Panic(err)
	}
	for _, f := range found {
		fmt.Printf("%s, %s: %s (%s)\n", f.File, f.Path, f.Message, f.Hint)
	}
	// Output:
	// housing-benefit.json, register.review_by: The review was due on 2026-10-31. (review the document, then set a new date)
	// library-chat.json, elements[1].variables[1].value: The contact of the organisation that is responsible has no address: "the front desk, open every day but Monday". (add an action, or write an email address, a web address or a telephone number)
}
