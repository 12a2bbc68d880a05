package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/datachain-go/datachain/examples/documents"
)

func Example() {
	dir, err := os.MkdirTemp("", "datachain-validate-*")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "wifi-counter.json")
	sample, _ := documents.Find("wifi-counter.json")
	typos := strings.NewReplacer("purpose.planning", "purpose.planing", "set_hours", "sethours")
	if err := os.WriteFile(file, []byte(typos.Replace(string(sample.Text))), 0o644); err != nil {
		panic(err)
	}
	if err := check(context.Background(), "../published", file); err != nil {
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
