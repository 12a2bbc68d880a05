package diff

import (
	"slices"
	"strings"
	"unicode"

	"github.com/clipperhouse/uax29/v2/words"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
)

// Span is a piece of a text that was reworded; see [Words].
type Span struct {
	// Kind is [Kept], [Removed] or [Added].
	Kind Kind   `json:"kind"`
	Text string `json:"text"`
}

// Words compares two texts word by word. The spans that are kept or removed, joined,
// are the old text, and those that are kept or added are the new one. What was
// removed comes before what was added in its place, and a few spaces and punctuation
// marks between two changes belong to the changes, so that the result reads well. No
// span is empty, and two neighbours never have the same kind.
//
// Words are those of Unicode (UAX 29), which cuts most scripts without spaces into
// characters. A placeholder such as {{contact}} is never split, and neither is an emoji
// or a flag.
//
// To show spans, isolate each from the direction of its neighbours, such as with the
// elements <del>, <ins> and <bdi> of HTML. A text with explicit embeddings, overrides
// or isolates of the bidirectional algorithm is not split, since a piece of it could
// reorder what follows.
func Words(before, after string) []Span {
	switch {
	case before == after:
		return spans(hunk{kept: before})
	case strings.ContainsFunc(before+after, wording.Turns):
		return spans(hunk{removed: before, added: after})
	}
	a, b := tokens(before), tokens(after)
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	hunks := []hunk{{kept: strings.Join(a[:head], "")}}
	hunks = append(hunks, align(a[head:len(a)-tail], b[head:len(b)-tail])...)
	hunks = append(hunks, hunk{kept: strings.Join(a[len(a)-tail:], "")})
	return spans(joined(hunks)...)
}

// hunk is a piece of two texts: what was removed and added, or what was kept.
type hunk struct{ kept, removed, added string }

func (h *hunk) changes() bool { return h.removed != "" || h.added != "" }

func spans(hunks ...hunk) []Span {
	var list []Span
	for _, h := range hunks {
		for _, s := range []Span{{Kept, h.kept}, {Removed, h.removed}, {Added, h.added}} {
			if s.Text != "" {
				list = append(list, s)
			}
		}
	}
	return list
}

// maxCells limits the table of [align]. It is room for texts in which 500 words
// differ; of longer ones all words between the first and the last difference have
// changed.
const maxCells = 1 << 20

// align finds a longest common subsequence of two lists of tokens.
func align(a, b []string) []hunk {
	if len(a) == 0 || len(b) == 0 || len(a) > maxCells/len(b) {
		return []hunk{{removed: strings.Join(a, ""), added: strings.Join(b, "")}}
	}
	// common[i*width+j] is the length of the longest one of a[i:] and b[j:]. It is at
	// most the root of maxCells.
	width := len(b) + 1
	common := make([]uint16, (len(a)+1)*width)
	for i, old := range slices.Backward(a) {
		for j, word := range slices.Backward(b) {
			if old == word {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	var hunks []hunk
	var change hunk
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			hunks, change = append(hunks, change, hunk{kept: a[i]}), hunk{}
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[(i+1)*width+j] >= common[i*width+j+1]:
			change.removed += a[i]
			i++
		default:
			change.added += b[j]
			j++
		}
	}
	return append(hunks, change)
}

// joined joins neighbours of one kind, and then changes with nothing but spaces and
// punctuation between them, unless both only add or only remove something.
func joined(hunks []hunk) []hunk {
	var list []hunk
	for _, h := range hunks {
		switch last := len(list) - 1; {
		case h == hunk{}:
		case last >= 0 && !h.changes() && !list[last].changes():
			list[last].kept += h.kept
		case last >= 0 && h.changes() && list[last].changes():
			list[last].removed += h.removed
			list[last].added += h.added
		case last >= 1 && h.changes() && !strings.ContainsFunc(list[last].kept, isWord) &&
			(list[last-1].removed+h.removed != "" && list[last-1].added+h.added != ""):
			between := list[last].kept
			list = list[:last]
			list[last-1].removed += between + h.removed
			list[last-1].added += between + h.added
		default:
			list = append(list, h)
		}
	}
	return list
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// tokens cuts a text into words by UAX 29, placeholders, spaces and other characters.
func tokens(s string) []string {
	var list []string
	for p := range ident.Pieces(s) {
		if p.Placeholder {
			list = append(list, p.Text)
			continue
		}
		for cut := words.FromString(p.Text); cut.Next(); {
			list = append(list, cut.Value())
		}
	}
	return list
}
