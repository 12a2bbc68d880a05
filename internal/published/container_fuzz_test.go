package published_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/published"
)

// FuzzOpen opens what is not a pack, and uses everything in it. A pack that is
// accepted is exactly the one that its sections give, except for padding.
func FuzzOpen(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(packed(f))
	icons := string(table(f, map[string]string{"a/default": "<svg/>", "b/default": "<svg/>", "b/dark": "<svg></svg>"}))
	f.Add(packed(f, section{published.IconsSection, icons}, section{published.ReleaseSection, "form"}, section{published.SearchSection("en"), "index"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := published.OpenContainer(data)
		if err != nil {
			return
		}
		var again bytes.Buffer
		w := published.NewPackWriter(&again)
		for name, text := range p.Sections() {
			same, ok := p.Section(name)
			require.True(t, ok)
			require.Equal(t, text, same)
			require.NoError(t, w.Begin(name))
			_, err := w.Write(text)
			require.NoError(t, err)
			useTable(t, text)
		}
		require.NoError(t, w.Close())
		require.Len(t, data, again.Len())
	})
}

// FuzzOpenTable reads everything in what is not a table.
func FuzzOpenTable(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(table(f, nil))
	f.Add(table(f, map[string]string{"a": "x", "b": "x", "ab": "yy"}))
	f.Fuzz(func(t *testing.T, data []byte) { useTable(t, data) })
}

func useTable(t *testing.T, data []byte) {
	opened, err := published.OpenTable(data)
	if err != nil {
		return
	}
	require.LessOrEqual(t, opened.Len(), len(data))
	for key, value := range opened.All() {
		require.LessOrEqual(t, len(key)+len(value), len(data))
		_, _ = opened.Get(key) // found only if the keys are in order
	}
	_, _ = opened.Get("a")
}
