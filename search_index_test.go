package datachain_test

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// indexed is a store with search indexes that a test changes.
type indexed struct {
	taxonomy.Store
	change func(data []byte) []byte
}

func (s indexed) SearchIndex(_ context.Context, r *taxonomy.Release, locale string) ([]byte, error) {
	x, err := search.Build(r, locale)
	if err != nil {
		return nil, err
	}
	data, err := x.AppendBinary(nil)
	return s.change(data), err
}

// Whatever the store has, a search finds what it should, and what can't be used is
// reported once.
func TestPublishedIndexes(t *testing.T) {
	query := datachain.ElementQuery{Text: "camera personal data"}
	want, err := open(t, "ai@latest").Elements(t.Context(), query)
	require.NoError(t, err)
	require.NotEmpty(t, want.Elements)
	for name, c := range map[string]struct {
		change  func(data []byte) []byte
		reports int
	}{
		"as published": {func(data []byte) []byte { return data }, 0},
		"stale":        {func(data []byte) []byte { data[8]++; return data }, 0},
		"damaged":      {func(data []byte) []byte { data[len(data)/2]++; return data }, 1},
		"truncated":    {func(data []byte) []byte { return data[:len(data)/2] }, 1},
		"forged": {func(data []byte) []byte {
			// Postings without impact, with the right checksum.
			body := data[:len(data)-4]
			const counts = 9 + 4 + len("sha256-") + 64 + 4 + len("en")
			number := func(at int) int { return int(binary.LittleEndian.Uint32(body[at:])) }
			postings := counts + 20 + 12*number(counts+4) + 4*number(counts+12)
			clear(body[postings:][:4*number(counts+16)])
			return binary.LittleEndian.AppendUint32(body, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			reports := 0
			s := datachain.New(indexed{sampleStore(t), c.change}, &datachain.Options{Report: func(error) { reports++ }})
			for range 2 {
				got, err := openIn(t, s, "ai@latest").Elements(t.Context(), query)
				require.NoError(t, err)
				require.Equal(t, want, got)
			}
			require.Equal(t, c.reports, reports)
		})
	}
}
