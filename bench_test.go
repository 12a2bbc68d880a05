package datachain_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/lists"
)

// BenchmarkJudge measures what a server does with a document of 13 placements, thin and
// resolved: the steps, and all of them. A resolved document is also validated after it was
// formatted, so that none of its text is that of the release, and by another version,
// which most of its parts differ from.
func BenchmarkJudge(b *testing.B) {
	const version = "sensor@2026-11-15-stable"
	store, err := published.Store()
	require.NoError(b, err)
	schema, err := must(datachain.New(store, nil)).Open(b.Context(), version)
	require.NoError(b, err)
	text := func(name string) []byte {
		e, ok := documents.Find(name)
		require.True(b, ok)
		return e.Text
	}
	thin, resolved := text("crossing-camera.json"), text("crossing-camera.resolved.json")
	var formatted bytes.Buffer
	require.NoError(b, json.Indent(&formatted, resolved, "", "  "))
	require.Contains(b, string(resolved), version)
	moved := bytes.Replace(resolved, []byte(version), []byte("sensor@2026-06-15-stable"), 1)

	run := func(name string, text []byte, work func(*document.Document) error) {
		doc, err := document.Parse(text)
		require.NoError(b, err)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := work(doc); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, d := range []struct {
		name string
		text []byte
	}{{"thin", thin}, {"resolved", resolved}, {"formatted", formatted.Bytes()}} {
		run("parse/"+d.name, d.text, func(*document.Document) error { _, err := document.Parse(d.text); return err })
	}
	run("decode/thin", thin, func(doc *document.Document) error { _, err := taxonomy.DecodeInstance(doc); return err })
	run("decode/resolved", resolved, func(doc *document.Document) error { _, err := schema.Release().DecodeResolved(doc); return err })
	run("decode/formatted", formatted.Bytes(), func(doc *document.Document) error { _, err := schema.Release().DecodeResolved(doc); return err })
	run("validate", thin, func(*document.Document) error { _, err := schema.Validate(b.Context(), thin, nil); return err })
	run("resolve", thin, func(*document.Document) error { _, _, err := schema.Resolve(b.Context(), thin, nil); return err })
	for _, d := range []struct {
		name string
		text []byte
	}{{"same", resolved}, {"formatted", formatted.Bytes()}, {"other", moved}} {
		run("validate_resolved/"+d.name, d.text, func(*document.Document) error {
			_, err := schema.ValidateResolved(b.Context(), d.text, nil)
			return err
		})
	}
	run("present", thin, func(*document.Document) error { _, _, err := schema.Present(b.Context(), thin); return err })
}

// BenchmarkSearch asks for ten elements and writes them as a list: as lists show them by
// default, and in one language.
func BenchmarkSearch(b *testing.B) {
	store, err := published.Store()
	require.NoError(b, err)
	schema, err := must(datachain.New(store, nil)).Open(b.Context(), "ai@2026-11-15-stable")
	require.NoError(b, err)
	for name, show := range map[string]lists.Projection{
		"default": {Fields: lists.ListFields()},
		"locale":  {Fields: lists.ListFields(), Locales: []string{"fr"}},
	} {
		b.Run(name, func(b *testing.B) {
			var list []byte
			b.ReportAllocs()
			for b.Loop() {
				page, err := schema.Elements(b.Context(), datachain.ElementQuery{Text: "data about people", Limit: 10})
				if err != nil || len(page.Elements) != 10 {
					b.Fatal(page, err)
				}
				list = lists.AppendElements(list[:0], schema.Release(), page.Elements, show)
			}
		})
	}
}
