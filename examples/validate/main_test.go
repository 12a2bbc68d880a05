package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// publishSample publishes a sample taxonomy to a directory.
func publishSample(ctx context.Context, dir string) error {
	store, err := taxonomies.Store()
	if err != nil {
		return err
	}
	release, err := store.Release(ctx, taxonomy.MustVersion("sensor@2026-11-15-stable"))
	if err != nil {
		return err
	}
	target, err := dirtarget.Create(ctx, dir)
	if err != nil {
		return err
	}
	defer target.Close()
	_, err = publish.Publish(ctx, target, []listing.Publication{{Release: release}}, nil)
	return err
}

func Example() {
	dir, err := os.MkdirTemp("", "datachain-validate-*")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx, store, file := context.Background(), filepath.Join(dir, "published"), filepath.Join(dir, "wifi-counter.json")
	if err := publishSample(ctx, store); err != nil {
		panic(err)
	}
	sample, _ := documents.Find("wifi-counter.json")
	typos := strings.NewReplacer("purpose.planning", "purpose.planing", "set_hours", "sethours")
	if err := os.WriteFile(file, []byte(typos.Replace(string(sample.Text))), 0o644); err != nil {
		panic(err)
	}
	if err := check(ctx, store, file); err != nil {
		panic(err)
	}
	fixed, err := os.ReadFile(file)
	fmt.Println(bytes.Equal(fixed, sample.Text), err)
	// Output:
	// 25:20: error: There is no element "purpose.planing" in sensor@2026-11-15-stable.
	//   hint: write purpose.planning
	// 28:26: error: The category device has no context "sethours"; it has always_on, set_hours, when_triggered.
	//   hint: write set_hours
	// 2 of 2 findings fixed
	// true <nil>
}
