package datachain_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/validate"
)

// keep resolves a document and writes it to a file.
func keep(file string) error {
	example, ok := documents.Find("wifi-counter.json")
	if !ok {
		return os.ErrNotExist
	}
	store, err := published.Store()
	if err != nil {
		return err
	}
	ctx := context.Background()
	service, err := datachain.New(store, nil)
	if err != nil {
		return err
	}
	schema, err := service.OpenFor(ctx, example.Text)
	if err != nil {
		return err
	}
	verdict, bundle, err := schema.Resolve(ctx, example.Text, nil)
	if err != nil {
		return err
	}
	if !verdict.OK() {
		return fmt.Errorf("the document is invalid: %v", verdict.Errors())
	}
	fmt.Printf("saved %d bytes\n", bundle.Len())
	return os.WriteFile(file, bundle.AppendJSON(nil), 0o644)
}

// readBack needs only the file.
func readBack(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	doc, err := document.Parse(text)
	if err != nil {
		return err
	}
	// There is no release to compare with, only the snapshot in the document.
	result, err := validate.Resolved(nil, doc, nil)
	if err != nil {
		return err
	}
	chain, err := taxonomy.DecodeResolved(doc)
	if err != nil {
		return err
	}
	fmt.Printf("%s, written for %s: valid %t\n", chain.Title.Pick("en"), chain.SchemaVersion, result.OK())
	elements := make(map[string]*taxonomy.Element)
	for i := range chain.SchemaSnapshot.Elements {
		elements[chain.SchemaSnapshot.Elements[i].ID] = &chain.SchemaSnapshot.Elements[i]
	}
	for _, placed := range chain.Elements {
		if e := elements[placed.ElementID]; e != nil {
			fmt.Println("-", e.FillIn(e.Title, placed.Variables, "en"))
		}
	}
	return nil
}

// A resolved document is saved in a file. Years later it can be read, validated and shown,
// even if the taxonomy is no longer available.
func ExampleSchema_Resolve() {
	dir, err := os.MkdirTemp("", "datachain-keep-*")
	if err != nil {
		log.Fatal(err)
	}
	file := filepath.Join(dir, "wifi-counter.resolved.json")
	err = keep(file)
	if err == nil {
		err = readBack(file)
	}
	if removed := os.RemoveAll(dir); err == nil {
		err = removed
	}
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// saved 54899 bytes
	// Counting visitors by Wi-Fi, written for sensor@2026-11-15-stable: valid true
	// - Planning and improving this place
	// - Wi-Fi or Bluetooth receiver
	// - Signals from phones
	// - Processed inside the device
	// - Added up into totals
	// - Nothing is kept
	// - Everyone
	// - Organisation in charge
	// - Choose another way
}
