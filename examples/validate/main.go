// Command validate validates a datachain against the version that it pins, prints
// what is wrong with it, and fixes what can be fixed.
//
//	go run ./examples/validate published chain.json
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/fsstore"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: validate STORE FILE")
	}
	if err := check(context.Background(), os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func check(ctx context.Context, dir, file string) error {
	store, err := fsstore.OpenDir(dir, nil) // from `datachain schema publish`
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }() // it was only read
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		return err
	}
	verdict, err := service.Validate(ctx, text, &datachain.ValidateOptions{Fix: true})
	if err != nil {
		return err
	}
	for _, f := range verdict.Findings() {
		at := f.Span.Start
		fmt.Printf("%d:%d: %s: %s\n  hint: %s\n", at.Line, at.Column, f.Severity, f.Message, f.FixHint)
	}
	fixed := verdict.Fixed
	if len(fixed.Resolved) == 0 {
		return nil
	}
	fmt.Printf("%d of %d findings fixed\n", len(fixed.Resolved), len(verdict.Issues))
	return os.WriteFile(file, fixed.Document.Text(), 0o644)
}
