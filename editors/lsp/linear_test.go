package lsp

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// oneLine returns a document of many placements on one line.
func oneLine(placements int) []byte {
	item := `{"element_id":"purpose.x","variables":[{"id":"a","value":"é"},{"id":"b","value":[1,2]}]}`
	return []byte(`{"schema_version":"","elements":[` + strings.Repeat(item+",", placements-1) + item + `]}`)
}

// onText are the requests about the whole text of a document.
var onText = map[string]func(q *query, ctx context.Context) (any, error){
	"symbols": func(q *query, ctx context.Context) (any, error) { return q.symbols(ctx, nil) },
	"hints": func(q *query, ctx context.Context) (any, error) {
		return q.hints(ctx, &hintParams{Range: span{End: position{1, 0}}})
	},
}

func onLine(placements int) *query {
	s := newSession(context.Background(), New(nil, nil))
	s.client.encoding, s.client.symbolTree = utf16Encoding, true
	return &query{session: s, text: newText("file:///x.datachain.json", 1, string(oneLine(placements)), utf16Encoding)}
}

// countdown is a context that ends when it was asked a number of times.
type countdown struct {
	context.Context
	left, asked int
}

func (c *countdown) Err() error {
	if c.asked++; c.asked > c.left {
		return context.Canceled
	}
	return nil
}

// TestRequestsStop cancels requests while they run. They ask often whether they are
// canceled, and do no more than a step of their work afterwards.
func TestRequestsStop(t *testing.T) {
	const placements = 200
	for name, answer := range onText {
		t.Run(name, func(t *testing.T) {
			all := &countdown{Context: t.Context(), left: 1 << 30}
			_, err := answer(onLine(placements), all)
			require.NoError(t, err)
			require.Greater(t, all.asked, placements)
			for _, left := range []int{0, 1, all.asked / 2, all.asked - 1} {
				c := &countdown{Context: t.Context(), left: left}
				_, err := answer(onLine(placements), c)
				require.ErrorIs(t, err, context.Canceled)
				assert.LessOrEqual(t, c.asked, left+10, "asked again after the end")
			}
		})
	}
}

// BenchmarkOneLine measures requests about documents on one line. The throughput must not
// depend on the size.
func BenchmarkOneLine(b *testing.B) {
	for name, answer := range onText {
		for _, placements := range []int{700, 1400, 2800, 5600} {
			q := onLine(placements)
			b.Run(fmt.Sprintf("%s/%d KB", name, len(q.text.content)>>10), func(b *testing.B) {
				b.SetBytes(int64(len(q.text.content)))
				for b.Loop() {
					if _, err := answer(q, b.Context()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
