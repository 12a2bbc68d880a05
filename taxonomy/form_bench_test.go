package taxonomy_test

import (
	"fmt"
	"testing"

	"github.com/datachain-go/datachain/taxonomy"
)

// BenchmarkOpen opens releases of several sizes: by decoding all of release.json, with
// a form for the first time on a machine, and with a form that was verified before. It
// reports how much heap stays for each element beyond its text.
func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("elements=%d", n), func(b *testing.B) {
			r := largeRelease(b, n)
			text, symbols, form := releaseJSON(b, r), symbols(r), formOf(b, r)
			for _, way := range []struct {
				name string
				open func() (*taxonomy.Release, error)
			}{
				{"decode", func() (*taxonomy.Release, error) { return taxonomy.DecodeRelease(text, symbols) }},
				{"first", func() (*taxonomy.Release, error) { return openForm(form, text, symbols, false) }},
				{"verified", func() (*taxonomy.Release, error) { return openForm(form, text, symbols, true) }},
			} {
				b.Run(way.name, func(b *testing.B) {
					benchmarkDecode(b, text, n, func() (any, error) { return way.open() })
				})
			}
		})
	}
}
