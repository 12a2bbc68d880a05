package source_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Lint reports every problem at once, with its position and a hint.
func ExampleCompileAll() {
	v := taxonomy.MustVersion("ai@2026-09-01-beta")
	tree := fstest.MapFS{}
	for name, data := range write.Starter(v) {
		tree["ai/2026-09-01-beta/"+name] = &fstest.MapFile{Data: data}
	}
	tree["ai/2026-09-01-beta/elements/safety.yaml"] = &fstest.MapFile{Data: []byte(`id: purpose.safety
tilte: {en: Safety}
description: {en: The system keeps people safe.}
category_id: purpos
symbol_id: service
`)}

	all, err := source.CompileAll(tree, nil)
	if err != nil {
		panic(err)
	}
	for _, issue := range all.Issues() {
		fmt.Println(issue)
	}
	// Output:
	// ai/2026-09-01-beta/elements/safety.yaml:2:1: error field_unknown at tilte: Element purpose.safety: unknown key "tilte". (write title)
	// ai/2026-09-01-beta/elements/safety.yaml:4:14: error category_unknown at category_id: Element purpose.safety: there is no category purpos. (write purpose)
}

// A version without errors compiles into a release.
func ExampleCompile() {
	v := taxonomy.MustVersion("ai@2026-09-01-beta")
	tree := fstest.MapFS{}
	for name, data := range write.Starter(v) {
		tree["ai/2026-09-01-beta/"+name] = &fstest.MapFile{Data: data}
	}

	compiled, err := source.Compile(tree, v, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(compiled.Issues), "issues")
	for _, e := range compiled.Release.Elements() {
		fmt.Println(e.ID, "–", e.Title.Pick("en"))
	}
	// Output:
	// 0 issues
	// purpose.service – Providing a service
	// contact.office – Office
}

// All versions of a tree can be put into a store in memory.
func ExampleTree_Publications() {
	tree, err := source.CompileAll(taxonomies.FS(), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(tree.Issues()), "issues")
	store, err := memstore.New(tree.Publications()...)
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

// A linter reads only what has changed since the last call.
func ExampleLinter() {
	v := taxonomy.MustVersion("ai@2026-09-01-beta")
	tree := fstest.MapFS{}
	for name, data := range write.Starter(v) {
		tree["ai/2026-09-01-beta/"+name] = &fstest.MapFile{Data: data}
	}
	linter := source.NewLinter(v)
	linted, err := linter.Lint(tree, nil, true, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(linted.Issues), "issues")

	const changed = "ai/2026-09-01-beta/elements/contact.yaml"
	tree[changed] = &fstest.MapFile{Data: []byte("id: contact.office\n")}
	if linted, err = linter.Lint(tree, []string{changed}, true, nil); err != nil {
		panic(err)
	}
	fmt.Println(linted.Issues[0])
	// Output:
	// 0 issues
	// ai/2026-09-01-beta/elements/contact.yaml:1:1: error field_missing at title: Element contact.office: title is missing. (add title)
}

// A finding about a release is shown where its source is.
func ExampleNewLocator() {
	v := taxonomy.MustVersion("ai@2026-09-01-beta")
	tree := fstest.MapFS{}
	for name, data := range write.Starter(v) {
		tree["ai/2026-09-01-beta/"+name] = &fstest.MapFile{Data: data}
	}
	locator, err := source.NewLocator(tree, v, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(locator.Find(source.KindElement, "purpose.service", issue.Root.Key("title").Key("en")))
	// Output:
	// ai/2026-09-01-beta/elements/purpose.yaml:6:9
}

// A file in another format is read within the limits of authoring source, with positions for
// findings.
func ExampleParseValue() {
	value, unreadable := source.ParseValue("terms.yaml", []byte("terms:\n  - id: camera\n    label: Camera\n"))
	if unreadable != nil {
		fmt.Println(unreadable)
		return
	}
	for term := range value.Get("terms").Items() {
		label := term.Get("label")
		text, _ := label.Text()
		fmt.Println(label.Position(), label.Path(), text)
	}
	_, unreadable = source.ParseValue("terms.yaml", []byte("terms: [camera"))
	fmt.Println(unreadable)
	// Output:
	// terms.yaml:3:5 terms[0].label Camera
	// terms.yaml:1:1: error source_syntax: Invalid YAML: did not find expected ',' or ']'. (fix the YAML syntax; quote text that contains : or #, or that starts with a special character)
}
