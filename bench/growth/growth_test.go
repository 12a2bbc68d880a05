package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/authoring/source"
)

// The generated source has no findings, and the generated documents are valid.
func TestSource(t *testing.T) {
	dir := t.TempDir()
	words, err := writeSource(dir, 1500)
	require.NoError(t, err)
	assert.Greater(t, len(words), 100)
	tree, err := source.CompileAll(os.DirFS(dir), nil)
	require.NoError(t, err)
	require.Empty(t, tree.Issues())
	store, err := memstore.New(tree.Publications()...)
	require.NoError(t, err)
	schema, err := must(datachain.New(store, nil)).Open(t.Context(), version)
	require.NoError(t, err)
	assert.Len(t, schema.Release().Elements(), 1500)
	for _, n := range []int{1, usual, 1000} {
		verdict, err := schema.Validate(t.Context(), document(n, 1500), nil)
		require.NoError(t, err)
		assert.Empty(t, verdict.Errors(), n)
		assert.Empty(t, verdict.Warnings(), n)
	}
}

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	for name, size := range map[string]int{"a": 1, "b": block, "c": block + 1} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o600))
	}
	size, err := usage(dir)
	require.NoError(t, err)
	assert.EqualValues(t, 4*block, size)
}

// Every row has a cell for each size, also if there are more sizes of one kind.
func TestPage(t *testing.T) {
	b := &bench{taxonomies: []*taxonomyResult{{elements: 100, publish: time.Second}, {elements: 1000}}, documents: []*documentResult{{placements: 10}, {placements: 100}, {placements: 1000}}}
	text := b.page()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			assert.Equal(t, 5, strings.Count(line, "|"), line)
		}
	}
	assert.Contains(t, text, "| **elements** | **100** | **1,000** |  |\n| publish, with icons | 1.00 s | 0.00 µs |  |\n")
	_, err := sizes("-elements", "100,x", 1)
	require.ErrorContains(t, err, `-elements: "x" must be a number, 1 or more`)
}

// must returns a value that was made without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
