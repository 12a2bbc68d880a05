package write_test

import (
	"fmt"
	"strings"
	"testing/fstest"
	"time"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/history"
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

// The source of a release compiles into the same release.
func ExampleFromRelease() {
	v := taxonomy.MustVersion("sensor@2026-11-15-stable")
	sample, err := source.Compile(taxonomies.FS(), v, nil)
	if err != nil {
		panic(err)
	}

	tree := fstest.MapFS{}
	for name, data := range write.FromRelease(sample.Release).Files() {
		tree[source.Directory(v)+"/"+name] = &fstest.MapFile{Data: data}
	}
	again, err := source.Compile(tree, v, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(again.Release.ContentHash() == sample.Release.ContentHash())
	// Output: true
}

// What became of removed ids is proposed as comments.
func ExampleProposals() {
	since := taxonomy.MustVersion("ai@2026-09-01-stable")
	fmt.Print(write.Proposals([]history.Proposal{
		{Removed: &history.RemovedID{Removal: taxonomy.Removal{ID: "risk.bias", Since: since, ReplacedBy: []taxonomy.Successor{{ID: "risk.fairness"}}}}, Because: "similar title"},
		{Renamed: &history.Rename{Kind: "option", From: "a", To: "b", In: "data.place", Since: since}, Because: "same title"},
	}))
	// Output:
	// #renamed:
	// #- {kind: option, from: a, to: b, in: data.place, since: 2026-09-01-stable} # same title
	// #removed:
	// #- {id: risk.bias, since: 2026-09-01-stable, replaced_by: risk.fairness} # similar title
}

// A document to fill in names a category where an element is missing.
func ExampleDocument() {
	sample, err := source.Compile(taxonomies.FS(), taxonomy.MustVersion("sensor@2026-11-15-stable"), nil)
	if err != nil {
		panic(err)
	}
	text, err := write.Document(sample.Release, "crossing", "en", time.Date(2026, 11, 19, 0, 0, 0, 0, time.UTC))
	if err != nil {
		panic(err)
	}
	fmt.Print(strings.Join(strings.SplitAfter(string(text), "\n")[:8], ""))
	// Output:
	// {
	//   "id": "crossing",
	//   "schema_version": "sensor@2026-11-15-stable",
	//   "created_at": "2026-11-19T00:00:00Z",
	//   "elements": [
	//     {
	//       "element_id": "purpose"
	//     },
}
