package publish_test

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/enginetest"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// TestProgress shows that each piece counts once, even if a target writes it
// twice.
func TestProgress(t *testing.T) {
	pubs := storetest.Publications()[:1]
	icons := 0
	for _, e := range pubs[0].Release.Elements() {
		icons += len(e.IconVariants)
	}
	symbols, locales := len(pubs[0].Release.SymbolIDs()), len(pubs[0].Release.Locales())
	for l, want := range map[publish.Layout]int{
		publish.LayoutFiles: 1 + symbols + icons + locales,
		publish.LayoutPack:  1 + 1 + icons + locales,
	} {
		t.Run(string(l), func(t *testing.T) {
			last := 0
			o := derived(l)
			o.Progress = func(n, total int) {
				assert.Equal(t, want, total)
				assert.Greater(t, n, last)
				last = n
			}
			_, err := publish.Publish(t.Context(), &twice{}, pubs, o)
			require.NoError(t, err)
			require.Equal(t, want, last)
		})
	}
}

// twice writes each file twice, as a client does that tries again.
type twice struct{ enginetest.MemoryTarget }

func (t *twice) Write(ctx context.Context, dir string, files []publish.File) error {
	for _, f := range files {
		if err := f.Write(io.Discard); err != nil {
			return err
		}
	}
	return t.MemoryTarget.Write(ctx, dir, files)
}
