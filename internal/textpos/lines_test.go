package textpos_test

import (
	"strings"
	"testing"

	"github.com/datachain-go/datachain/internal/textpos"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLines(t *testing.T) {
	const text = "ab\r\né😀x\ry\n\r\rz\u2028\u0085\n"
	for _, tt := range []struct {
		name   string
		breaks textpos.Breaks
		lines  []string
	}{
		{"line feeds", textpos.LineFeeds, []string{"ab", "é😀x\ry", "\r\rz\u2028\u0085", ""}},
		{"editor breaks", textpos.EditorBreaks, []string{"ab", "é😀x", "y", "", "", "z\u2028\u0085", ""}},
		{"YAML breaks", textpos.YAMLBreaks, []string{"ab", "é😀x", "y", "", "", "z", "", "", ""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := textpos.New([]byte(text), tt.breaks)
			require.Equal(t, len(tt.lines), lines.Len())
			for i, want := range tt.lines {
				start, end := lines.Offset(textpos.Point{Line: i + 1, UTF16: 1}), lines.Offset(textpos.Point{Line: i + 1, UTF16: 999})
				assert.Equal(t, want, text[start:end])
				assert.Equal(t, i+1, lines.Point(start).Line)
				assert.Equal(t, 1, lines.Point(start).UTF16)
			}
			for offset := range text { // the start of each character
				p := lines.Point(offset)
				if end := lines.Offset(textpos.Point{Line: p.Line, UTF8: 999}); offset <= end {
					assert.Equal(t, offset, lines.Offset(textpos.Point{Line: p.Line, UTF16: p.UTF16}))
					assert.Equal(t, offset, lines.Offset(textpos.Point{Line: p.Line, UTF8: p.UTF8}))
				}
			}
		})
	}
}

// TestOffsetsOutside shows how positions that a text does not have are moved into it.
func TestOffsetsOutside(t *testing.T) {
	text := []byte("é😀\nx")
	lines := textpos.New(text, textpos.EditorBreaks)
	assert.Equal(t, 2, lines.Offset(textpos.Point{Line: 1, UTF16: 3}), "within a surrogate pair is before the character")
	assert.Equal(t, 0, lines.Offset(textpos.Point{Line: 1, UTF8: 2}), "within a character is before it")
	assert.Equal(t, 6, lines.Offset(textpos.Point{Line: 1, UTF16: 50}), "after the line is its end")
	assert.Equal(t, len(text), lines.Offset(textpos.Point{Line: 9, UTF16: 1}), "after the last line is the end of the text")
	assert.Equal(t, 0, lines.Offset(textpos.Point{Line: -1, UTF16: -1}))
	assert.Equal(t, textpos.Point{Offset: 0, Line: 1, Column: 1, UTF8: 1, UTF16: 1}, lines.Point(-5))
	assert.Equal(t, textpos.Point{Offset: 8, Line: 2, Column: 2, UTF8: 2, UTF16: 2}, lines.Point(99))
	assert.Equal(t, 2, lines.Offset(textpos.Point{Line: 1, Column: 2}))
	start, end := lines.Line(3)
	assert.Equal(t, []int{8, 8}, []int{start, end})
	empty := textpos.New(nil, textpos.EditorBreaks)
	assert.Equal(t, 1, empty.Len())
	assert.Equal(t, 0, empty.Offset(textpos.Point{Line: 1, UTF16: 1}))
}

// TestOffsetsOnLongLines converts positions beyond the first mark of a line, with a
// line break across the distance of marks.
func TestOffsetsOnLongLines(t *testing.T) {
	text := []byte(strings.Repeat("a", 1023) + "\r\n" + strings.Repeat("é😀", 2000) + "\r" + strings.Repeat("x", 1025))
	lines := textpos.New(text, textpos.EditorBreaks)
	require.Equal(t, 3, lines.Len())
	for offset := 0; offset < len(text); offset += 101 {
		p := lines.Point(offset)
		got := lines.Offset(textpos.Point{Line: p.Line, UTF8: p.UTF8})
		assert.LessOrEqual(t, got, offset)
		assert.Less(t, offset-got, 4)
		assert.Equal(t, got, lines.Offset(textpos.Point{Line: p.Line, UTF16: lines.Point(got).UTF16}))
	}
}
