package export_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/export"
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

func ExampleList_Write() {
	reg := open()
	defer func() { _ = reg.Close() }() // it was only read
	state := reg.State()
	found, err := state.Find(register.Query{Text: "pollen", Locale: "en"})
	if err != nil {
		log.Panic(err)
	}
	list := export.NewList(state, found, "https://register.example.org")
	if err := list.Write(os.Stdout, export.GeoJSON); err != nil {
		log.Panic(err)
	}
	// Output:
	// {"type":"FeatureCollection","features":[
	// {"type":"Feature","id":"market-square-pollen","geometry":null,"properties":{"changed_at":"2026-06-20T12:00:00Z","organisation":"Town of Lindenau","slug":"market-square-pollen","title":"Air and pollen on the market square","type":"sensor","url":"https://register.example.org/d/market-square-pollen/"}},
	// {"type":"Feature","id":"market-square-air","geometry":null,"properties":{"changed_at":"2026-06-20T12:00:00Z","organisation":"Town of Lindenau","slug":"market-square-air","title":"Air on the market square","type":"sensor","url":"https://register.example.org/d/market-square-air/"}}
	// ]}
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
	list := presented(reg, "market-square-air", "market-square-pollen")
	changes, err := export.Compare(context.Background(), list[0], list[1])
	if err != nil {
		log.Panic(err)
	}
	for _, change := range changes {
		fmt.Println(change.Words("en"))
	}
	// Output:
	// Changed title: Air on the market square → Air and pollen on the market square
	// Added Pollen
}

func ExampleNewBoard() {
	reg := open()
	defer func() { _ = reg.Close() }() // it was only read
	board, err := export.NewBoard(context.Background(), presented(reg, "market-square-air", "market-square-pollen"), "en", nil)
	if err != nil {
		log.Panic(err)
	}
	for _, row := range board.Rows {
		if row.Differs {
			fmt.Printf("%s:\n- %s\n- %s\n", row.Name, row.Cells[0].Text, row.Cells[1].Text)
		}
	}
	// Output:
	// Data, at most:
	// - Does not identify people – Measurements of the surroundings
	// - Does not identify people – Measurements of the surroundings; Pollen
	// What it collects:
	// - Measurements of the surroundings: Does not identify people – What is measured: air quality, temperature and weather
	// - Measurements of the surroundings: Does not identify people – What is measured: air quality, temperature and weather; Pollen: Does not identify people
}
