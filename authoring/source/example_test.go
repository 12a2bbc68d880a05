package source_test

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
)

// A version without errors compiles into a release.
func ExampleCompile() {
	compiled, err := source.Compile(taxonomies.FS(), taxonomy.MustVersion("ai@2026-11-15-stable"), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(compiled.Issues), "issues")
	for _, c := range compiled.Publications[0].Release.Categories()[:2] {
		fmt.Println(c.ID, "–", c.Name.Pick("en"))
	}
	// Output:
	// 0 issues
	// purpose – What it is for
	// accountable – Who answers for it
}

// All versions of a tree can be put into a store in memory.
func ExampleCompileAll() {
	tree, err := source.CompileAll(taxonomies.FS(), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(tree.Issues), "issues")
	store, err := memstore.New(tree.Publications...)
	if err != nil {
		panic(err)
	}
	index, err := store.Index(context.Background())
	if err != nil {
		panic(err)
	}
	entry, _ := index.Lookup(taxonomy.MustVersion("sensor@2026-11-15-stable").Ref())
	fmt.Println(entry.ID)
	// Output:
	// 0 issues
	// sensor@2026-11-15-stable
}
