package diff_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/taxonomy"
)

// BenchmarkReleases compares schemas of 10,000 elements of which none, one in a
// hundred and all have changed.
func BenchmarkReleases(b *testing.B) {
	const elements = 10_000
	large := func(every int) *taxonomy.Release {
		return edited(b, "ai@2026-01-01-beta", func(c *taxonomy.Content) {
			video := c.Elements[2]
			for i := range elements {
				e := video
				e.ID = fmt.Sprintf("data.video%05d", i)
				if every > 0 && i%every == 0 {
					e.Title = text("Film", "Film")
				}
				c.Elements = append(c.Elements, e)
			}
		})
	}
	before := large(0)
	for _, every := range []int{0, 100, 1} {
		after := large(every)
		name := "unchanged"
		if every > 0 {
			name = fmt.Sprintf("1 of %d changed", every)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				diff.Releases(before, after)
			}
		})
	}
}

// BenchmarkRenames renames every option of a variable that many elements inherit, and
// forgets what they were called.
func BenchmarkRenames(b *testing.B) {
	const elements, options = 50, 1000
	inherited := func(prefix, former string) *taxonomy.Release {
		return edited(b, "ai@2026-01-01-beta", func(c *taxonomy.Content) {
			v := taxonomy.Variable{ID: "many", Label: text("Many", "Beaucoup"), Type: taxonomy.SelectVariable}
			for i := range options {
				o := taxonomy.Option{ID: fmt.Sprint(prefix, i), Label: text("Option", "Option")}
				if former != "" {
					o.RenamedFrom = []string{fmt.Sprint(former, i)}
				}
				v.Options = append(v.Options, o)
			}
			addVariable(v)(c)
			for i := range elements {
				e := c.Elements[1]
				e.ID = fmt.Sprintf("purpose.safety%02d", i)
				c.Elements = slices.Insert(c.Elements, 2+i, e)
			}
		})
	}
	old, renamed, forgotten := inherited("o", ""), inherited("p", "o"), inherited("p", "")
	for name, pair := range map[string][2]*taxonomy.Release{"renamed": {old, renamed}, "forgotten": {renamed, forgotten}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				diff.Releases(pair[0], pair[1])
			}
		})
	}
}
