package view_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/pages/view"
)

// BenchmarkWrite renders a document of 40 elements.
func BenchmarkWrite(b *testing.B) {
	p := present(b, samples(b), sample(b, "benefits.json"))
	once := p.Datachain.Elements
	for len(p.Datachain.Elements) < 40 {
		p.Datachain.Elements = append(p.Datachain.Elements, once...)
	}
	p.Datachain.Elements = p.Datachain.Elements[:40]
	b.ReportAllocs()
	for b.Loop() {
		summary, err := view.Write(io.Discard, p, &view.Options{Locale: "fr"})
		if err != nil || summary.Elements != 40 {
			b.Fatal(summary, err)
		}
	}
}

// BenchmarkPresent validates a document and renders it.
func BenchmarkPresent(b *testing.B) {
	service, document := samples(b), sample(b, "benefits.json")
	b.ReportAllocs()
	for b.Loop() {
		_, p, err := service.Present(b.Context(), document)
		require.NoError(b, err)
		if _, err := view.Write(io.Discard, p, nil); err != nil {
			b.Fatal(err)
		}
	}
}
