package changes_test

import (
	"context"
	"fmt"
	"log"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/changes"
)

// open opens the register of sample documents.
func open() *register.Register {
	store, err := published.Store()
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := register.OpenDirectory("../../examples/documents", nil)
	if err != nil {
		log.Fatal(err)
	}
	reg, err := register.New(service, []register.Origin{dir}, &register.Options{Refresh: -1})
	if err != nil {
		log.Fatal(err)
	}
	return reg
}

// presented returns documents of the register, to be compared.
func presented(reg *register.Register, slugs ...string) (list []*datachain.Presentation) {
	for _, slug := range slugs {
		d, _ := reg.State().Document(slug)
		p, err := reg.Present(context.Background(), d, d.Current)
		if err != nil {
			log.Panic(err)
		}
		list = append(list, p)
	}
	return list
}

func ExampleCompare() {
	reg := open()
	defer func() { _ = reg.Close() }() // it was only read
	shown := presented(reg, "market-square-air", "market-square-pollen")
	list, err := changes.Compare(context.Background(), shown[0], shown[1])
	if err != nil {
		log.Panic(err)
	}
	for _, change := range list {
		fmt.Println(change.Words("en"))
	}
	// Output:
	// Changed title: Air on the market square → Air and pollen on the market square
	// Added Pollen
}
