package document_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/document"
)

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
			_, err := document.ApplyEdits([]byte("abcdef"), edits)
			require.Error(t, err)
			_, err = document.MergeEdits([]byte("abcdef"), nil, edits)
			require.Error(t, err)
		})
	}
}

// TestMergeEdits makes rounds of random edits. The merged edits give the same text at once.
func TestMergeEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		original := []byte("0123456789abcdef")
		text := original
		var merged []document.Edit
		for round := range 4 {
			var edits []document.Edit
			for at := 0; at <= len(text); at += 1 + r.IntN(6) {
				end := min(at+r.IntN(4), len(text))
				edits = append(edits, edit(at, end, fmt.Sprintf("%.*s", r.IntN(3), string(rune('A'+round))+"~")))
				at = end
			}
			next, err := document.ApplyEdits(text, edits)
			require.NoError(t, err)
			merged, err = document.MergeEdits(original, merged, edits)
			require.NoError(t, err)
			text = next
			whole, err := document.ApplyEdits(original, merged)
			require.NoError(t, err)
			require.Equal(t, string(next), string(whole))
		}
	}
}

// Two rounds of edits become edits of the original text.
func ExampleMergeEdits() {
	text := []byte(`{"colour": "gray"}`)
	edits, err := document.MergeEdits(text, []document.Edit{edit(1, 9, `"color"`)}, []document.Edit{edit(10, 16, `"grey"`)})
	if err != nil {
		panic(err)
	}
	for _, e := range edits {
		fmt.Printf("%d-%d %s\n", e.Range.Start, e.Range.End, e.Text)
	}
	// Output:
	// 1-9 "color"
	// 11-17 "grey"
}
