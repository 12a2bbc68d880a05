package document_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/document"
)

func TestLines(t *testing.T) {
	const text = "ab\r\né😀x\ry\n\r\rz\n"
	for _, tt := range []struct {
		name   string
		breaks document.Breaks
		lines  []string
	}{
		{"line feeds", document.LineFeeds, []string{"ab", "é😀x\ry", "\r\rz", ""}},
		{"editor breaks", document.EditorBreaks, []string{"ab", "é😀x", "y", "", "", "z", ""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := document.NewLines([]byte(text), tt.breaks)
			require.Equal(t, len(tt.lines), lines.Len())
			for i, want := range tt.lines {
				start, end := lines.OffsetUTF16(i+1, 1), lines.OffsetUTF16(i+1, 999)
				assert.Equal(t, want, text[start:end])
				assert.Equal(t, i+1, lines.Point(start).Line)
				assert.Equal(t, 1, lines.Point(start).UTF16)
			}
			for offset := range text { // the start of each character
				p := lines.Point(offset)
				if end := lines.OffsetUTF8(p.Line, 999); offset <= end {
					assert.Equal(t, offset, lines.OffsetUTF16(p.Line, p.UTF16))
					assert.Equal(t, offset, lines.OffsetUTF8(p.Line, p.UTF8))
				}
			}
		})
	}
}

// TestOffsetsOutside shows how positions that a text does not have are moved into it.
func TestOffsetsOutside(t *testing.T) {
	text := []byte("é😀\nx")
	lines := document.NewLines(text, document.EditorBreaks)
	assert.Equal(t, 2, lines.OffsetUTF16(1, 3), "within a surrogate pair is before the character")
	assert.Equal(t, 0, lines.OffsetUTF8(1, 2), "within a character is before it")
	assert.Equal(t, 6, lines.OffsetUTF16(1, 50), "after the line is its end")
	assert.Equal(t, len(text), lines.OffsetUTF16(9, 1), "after the last line is the end of the text")
	assert.Equal(t, 0, lines.OffsetUTF16(-1, -1))
	assert.Equal(t, document.Span{
		Start: document.Point{Offset: 0, Line: 1, Column: 1, UTF8: 1, UTF16: 1},
		End:   document.Point{Offset: 8, Line: 2, Column: 2, UTF8: 2, UTF16: 2},
	}, lines.Span(document.Range{Start: -5, End: 99}))
	empty := document.NewLines(nil, document.EditorBreaks)
	assert.Equal(t, 1, empty.Len())
	assert.Equal(t, 0, empty.OffsetUTF16(1, 1))
}

// TestOffsetsOnLongLines converts positions beyond the first mark of a line, with a
// line break across the distance of marks.
func TestOffsetsOnLongLines(t *testing.T) {
	text := []byte(strings.Repeat("a", 1023) + "\r\n" + strings.Repeat("é😀", 2000) + "\r" + strings.Repeat("x", 1025))
	lines := document.NewLines(text, document.EditorBreaks)
	require.Equal(t, 3, lines.Len())
	for offset := 0; offset < len(text); offset += 101 {
		p := lines.Point(offset)
		got := lines.OffsetUTF8(p.Line, p.UTF8)
		assert.LessOrEqual(t, got, offset)
		assert.Less(t, offset-got, 4)
		assert.Equal(t, got, lines.OffsetUTF16(p.Line, lines.Point(got).UTF16))
	}
}
