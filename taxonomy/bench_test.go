package taxonomy_test

import (
	stdjson "encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/taxonomy"
)

// BenchmarkDecodeRelease reads releases of several sizes and reports how much
// heap stays for each element beyond its text. The peers unmarshal the same
// bytes into plain structs, without any of the checks, hashes and lookups.
func BenchmarkDecodeRelease(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("elements=%d", n), func(b *testing.B) {
			r := largeRelease(b, n)
			text, symbols := releaseJSON(b, r), symbols(r)
			decoders := []struct {
				name   string
				decode func() (any, error)
			}{
				{"taxonomy", func() (any, error) { return taxonomy.DecodeRelease(text, symbols) }},
				{"encoding-json", func() (any, error) { p := new(plainRelease); return p, stdjson.Unmarshal(text, p) }},
				{"go-json-experiment", func() (any, error) { p := new(plainRelease); return p, json.Unmarshal(text, p) }},
			}
			for _, d := range decoders {
				b.Run(d.name, func(b *testing.B) { benchmarkDecode(b, text, n, d.decode) })
			}
		})
	}
}

// plainRelease is a release.json as a program without this package would
// declare it.
type plainRelease struct {
	Categories []plainCategory `json:"categories"`
	Elements   []plainElement  `json:"elements"`
}

type plainCategory struct {
	ID          string              `json:"id"`
	Name        taxonomy.Localized  `json:"name"`
	Description taxonomy.Localized  `json:"description"`
	Shape       string              `json:"shape"`
	Context     taxonomy.Context    `json:"context"`
	Variables   []taxonomy.Variable `json:"variables"`
}

type plainElement struct {
	ID           string              `json:"id"`
	Title        taxonomy.Localized  `json:"title"`
	Description  taxonomy.Localized  `json:"description"`
	CategoryID   string              `json:"category_id"`
	SymbolID     string              `json:"symbol_id"`
	IconVariants []string            `json:"icon_variants"`
	Variables    []taxonomy.Variable `json:"variables"`
}

func benchmarkDecode(b *testing.B, text []byte, elements int, decode func() (any, error)) {
	b.Helper()
	b.SetBytes(int64(len(text)))
	before := heapInUse()
	kept, err := decode()
	if err != nil {
		b.Fatal(err)
	}
	after := heapInUse()
	runtime.KeepAlive(kept)
	for b.Loop() {
		if _, err := decode(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(elements), "ns/element")
	b.ReportMetric((float64(after)-float64(before)-float64(len(text)))/float64(elements), "heap-B/element")
}

// heapInUse returns how much heap is reachable.
func heapInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func BenchmarkElement(b *testing.B) {
	r := largeRelease(b, 10_000)
	ids := make([]string, len(r.Elements()))
	for i, e := range r.Elements() {
		ids[i] = strings.Clone(e.ID)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, ok := r.Element(ids[i%len(ids)]); !ok {
			b.Fatal(ids[i%len(ids)])
		}
		i++
	}
}
