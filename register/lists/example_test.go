package lists_test

import (
	"log"
	"os"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/lists"
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
	list := lists.New(state, found, "https://register.example.org")
	if err := list.Write(os.Stdout, lists.GeoJSON); err != nil {
		log.Panic(err)
	}
	// Output:
	// {"type":"FeatureCollection","features":[
	// {"type":"Feature","id":"market-square-pollen","geometry":null,"properties":{"changed_at":"2026-06-20T12:00:00Z","organisation":"Town of Lindenau","slug":"market-square-pollen","title":"Air and pollen on the market square","type":"sensor","url":"https://register.example.org/d/market-square-pollen/"}},
	// {"type":"Feature","id":"market-square-air","geometry":null,"properties":{"changed_at":"2026-06-20T12:00:00Z","organisation":"Town of Lindenau","slug":"market-square-air","title":"Air on the market square","type":"sensor","url":"https://register.example.org/d/market-square-air/"}}
	// ]}
}
