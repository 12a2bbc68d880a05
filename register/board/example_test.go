package board_test

import (
	"context"
	"fmt"
	"log"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/board"
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

func ExampleNew() {
	reg := open()
	defer func() { _ = reg.Close() }() // it was only read
	b, err := board.New(context.Background(), presented(reg, "market-square-air", "market-square-pollen"), "en", nil)
	if err != nil {
		log.Panic(err)
	}
	for _, row := range b.Rows {
		if row.Differs {
			fmt.Printf("%s:\n- %s\n- %s\n", row.Name, row.Cells[0].Text, row.Cells[1].Text)
		}
	}
	// Output:
	// Most sensitive data:
	// - Does not identify people – Measurements of the surroundings
	// - Does not identify people – Measurements of the surroundings; Pollen
	// What it collects:
	// - Measurements of the surroundings: Does not identify people – What is measured: air quality, temperature and weather
	// - Measurements of the surroundings: Does not identify people – What is measured: air quality, temperature and weather; Pollen: Does not identify people
}
