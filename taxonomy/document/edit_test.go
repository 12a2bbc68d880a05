package document_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/document"
)

func TestLines(t *testing.T) {
	const text = "ab\r\né😀x\ry\n\r\rz\u2028\u0085\n"
	for _, tt := range []struct {
		name   string
		breaks document.Breaks
		lines  []string
	}{
		{"line feeds", document.LineFeeds, []string{"ab", "é😀x\ry", "\r\rz\u2028\u0085", ""}},
		{"editor breaks", document.EditorBreaks, []string{"ab", "é😀x", "y", "", "", "z\u2028\u0085", ""}},
		{"YAML breaks", document.YAMLBreaks, []string{"ab", "é😀x", "y", "", "", "z", "", "", ""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := document.NewLines([]byte(text), tt.breaks)
			require.Equal(t, len(tt.lines), lines.Len())
			for i, want := range tt.lines {
				start, end := lines.Offset(document.Point{Line: i + 1, UTF16: 1}), lines.Offset(document.Point{Line: i + 1, UTF16: 999})
				assert.Equal(t, want, text[start:end])
				assert.Equal(t, i+1, lines.Point(start).Line)
				assert.Equal(t, 1, lines.Point(start).UTF16)
			}
			for offset := range text { // the start of each character
				p := lines.Point(offset)
				if end := lines.Offset(document.Point{Line: p.Line, UTF8: 999}); offset <= end {
					assert.Equal(t, offset, lines.Offset(document.Point{Line: p.Line, UTF16: p.UTF16}))
					assert.Equal(t, offset, lines.Offset(document.Point{Line: p.Line, UTF8: p.UTF8}))
				}
			}
		})
	}
}

// TestOffsetsOutside shows how positions that a text does not have are moved into it.
func TestOffsetsOutside(t *testing.T) {
	text := []byte("é😀\nx")
	lines := document.NewLines(text, document.EditorBreaks)
	assert.Equal(t, 2, lines.Offset(document.Point{Line: 1, UTF16: 3}), "within a surrogate pair is before the character")
	assert.Equal(t, 0, lines.Offset(document.Point{Line: 1, UTF8: 2}), "within a character is before it")
	assert.Equal(t, 6, lines.Offset(document.Point{Line: 1, UTF16: 50}), "after the line is its end")
	assert.Equal(t, len(text), lines.Offset(document.Point{Line: 9, UTF16: 1}), "after the last line is the end of the text")
	assert.Equal(t, 0, lines.Offset(document.Point{Line: -1, UTF16: -1}))
	assert.Equal(t, document.Point{Offset: 0, Line: 1, Column: 1, UTF8: 1, UTF16: 1}, lines.Point(-5))
	assert.Equal(t, document.Point{Offset: 8, Line: 2, Column: 2, UTF8: 2, UTF16: 2}, lines.Point(99))
	assert.Equal(t, 2, lines.Offset(document.Point{Line: 1, Column: 2}))
	assert.Equal(t, document.Range{Start: 8, End: 8}, lines.Line(3))
	empty := document.NewLines(nil, document.EditorBreaks)
	assert.Equal(t, 1, empty.Len())
	assert.Equal(t, 0, empty.Offset(document.Point{Line: 1, UTF16: 1}))
}

// TestOffsetsOnLongLines converts positions beyond the first mark of a line, with a
// line break across the distance of marks.
func TestOffsetsOnLongLines(t *testing.T) {
	text := []byte(strings.Repeat("a", 1023) + "\r\n" + strings.Repeat("é😀", 2000) + "\r" + strings.Repeat("x", 1025))
	lines := document.NewLines(text, document.EditorBreaks)
	require.Equal(t, 3, lines.Len())
	for offset := 0; offset < len(text); offset += 101 {
		p := lines.Point(offset)
		got := lines.Offset(document.Point{Line: p.Line, UTF8: p.UTF8})
		assert.LessOrEqual(t, got, offset)
		assert.Less(t, offset-got, 4)
		assert.Equal(t, got, lines.Offset(document.Point{Line: p.Line, UTF16: lines.Point(got).UTF16}))
	}
}

func edit(start, end int, text string) document.Edit {
	return document.Edit{Range: document.Range{Start: start, End: end}, Text: []byte(text)}
}

func TestApplyEdits(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		edits      []document.Edit
	}{
		{"none", "abcdef", nil},
		{"replace", "aXYdef", []document.Edit{edit(1, 3, "XY")}},
		{"insert and remove, in any order", "Xabdef!", []document.Edit{edit(6, 6, "!"), edit(2, 3, ""), edit(0, 0, "X")}},
		{"insertions in the order given", "abXYcdef", []document.Edit{edit(2, 2, "X"), edit(2, 2, "Y")}},
		{"an insertion before a replacement", "abXYdef", []document.Edit{edit(2, 3, "Y"), edit(2, 2, "X")}},
		{"side by side", "XYef", []document.Edit{edit(0, 2, "X"), edit(2, 4, "Y")}},
		{"everything", "", []document.Edit{edit(0, 6, "")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, err := document.ApplyEdits([]byte("abcdef"), tt.edits)
			require.NoError(t, err)
			assert.Equal(t, tt.want, string(text))
		})
	}
	for name, edits := range map[string][]document.Edit{
		"overlap":      {edit(0, 3, ""), edit(2, 4, "")},
		"outside":      {edit(5, 7, "")},
		"before":       {edit(-1, 0, "")},
		"inverted":     {edit(3, 2, "")},
		"insert in it": {edit(1, 3, ""), edit(2, 2, "x")},
	} {
		t.Run(name, func(t *testing.T) {
			p := document.NewPatch([]byte("abcdef"))
			require.Error(t, p.Apply(edits))
			assert.Equal(t, "abcdef", string(p.Text()))
			assert.Empty(t, p.Edits())
		})
	}
}

// TestPatch makes rounds of random edits. The edits of the patch give the same text
// at once.
func TestPatch(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		original := []byte("0123456789abcdef")
		p := document.NewPatch(original)
		text := original
		for round := range 4 {
			var edits []document.Edit
			for at := 0; at <= len(text); at += 1 + r.IntN(6) {
				end := min(at+r.IntN(4), len(text))
				edits = append(edits, edit(at, end, fmt.Sprintf("%.*s", r.IntN(3), string(rune('A'+round))+"~")))
				at = end
			}
			next, err := document.ApplyEdits(text, edits)
			require.NoError(t, err)
			require.NoError(t, p.Apply(edits))
			require.Equal(t, string(next), string(p.Text()))
			text = next
			whole, err := document.ApplyEdits(original, p.Edits())
			require.NoError(t, err)
			require.Equal(t, string(next), string(whole))
		}
	}
}

// Two rounds of edits become edits of the original text.
func ExamplePatch() {
	p := document.NewPatch([]byte(`{"colour": "gray"}`))
	for _, e := range []document.Edit{edit(1, 9, `"color"`), edit(10, 16, `"grey"`)} {
		if err := p.Apply([]document.Edit{e}); err != nil {
			panic(err)
		}
	}
	fmt.Printf("%s\n", p.Text())
	for _, e := range p.Edits() {
		fmt.Printf("%d-%d %s\n", e.Range.Start, e.Range.End, e.Text)
	}
	// Output:
	// {"color": "grey"}
	// 1-9 "color"
	// 11-17 "grey"
}
