package write_test

import (
	"fmt"
	"testing/fstest"

	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/taxonomy"
)

// A draft is a copy without the aliases of the version that it is based on.
func ExampleDraft() {
	v := taxonomy.MustVersion("ai@2026-09-01-stable")
	tree := fstest.MapFS{
		"ai/2026-09-01-stable/schema.yaml": &fstest.MapFile{Data: []byte(`# Kept by the city.
locales: [en]
aliases:
  - v1
title: {en: AI}
`)},
	}

	files, err := write.Draft(tree, v)
	if err != nil {
		panic(err)
	}
	fmt.Print(string(files["schema.yaml"]))
	// Output:
	// # Kept by the city.
	// locales: [en]
	// title: {en: AI}
}
