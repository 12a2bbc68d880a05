package sign_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/sign"
	"github.com/datachain-go/datachain/adapters/view/sheet"
)

// say puts a text wherever a document or a register has one of its own on a sign.
func say(s *sheet.Subject, text string) {
	own := texts("en", text)
	s.Presentation.Datachain.ID, s.Presentation.Datachain.Title, s.Publisher = text, own, own
	for i := range s.Summary.Points {
		e := &s.Summary.Points[i].Entries[0]
		e.Words, e.Name, e.Contact, e.Safeguard = own, own, own, own
	}
}

// TestDrawControls draws line breaks and control characters as spaces or as unknown characters.
func TestDrawControls(t *testing.T) {
	for _, c := range []string{"\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029", "\t"} {
		for _, kind := range sheet.Kinds() {
			subject := crossing(t)
			say(subject, "At"+c+"the"+c+"mill"+c)
			want := crossing(t)
			say(want, "At the mill")
			svg, err := drawer(t).SVG(subject, &sheet.Options{Kind: kind})
			require.NoError(t, err, "%s %q", kind, c)
			same, err := drawer(t).SVG(want, &sheet.Options{Kind: kind})
			require.NoError(t, err)
			require.Equal(t, string(same), string(svg), "%s %q", kind, c)
		}
	}
}

// TestDrawPanic: a defect in what sets texts is an error of the sign, which can still be printed.
func TestDrawPanic(t *testing.T) {
	_, err := sign.Broken().SVG(crossing(t), nil)
	require.ErrorIs(t, err, sheet.ErrNotSet)
	require.ErrorContains(t, err, "print it as a page (.html)")
	_, err = sign.Broken().PDF(nil, crossing(t), crossing(t))
	require.ErrorIs(t, err, sheet.ErrNotSet)
}

// FuzzDraw checks that every text can be drawn, or is refused with a reason.
func FuzzDraw(f *testing.F) {
	for _, seed := range []string{
		"Camera", "a\nb\r\u2028c\u2029", "\x00\x1b[31m", "بلدية 12 Lindenau", "e\u0301\u0301\u0301", "a\u00adb\u200bc\u200d", "\u202eabc", "\ufeff", "👩‍👩‍👧", "-\u2060-", "\U000e0001",
	} {
		f.Add(seed, uint8(0))
	}
	d, subject := drawer(f), crossing(f)
	f.Fuzz(func(t *testing.T, text string, choice uint8) {
		if len(text) > 200 || !utf8.ValidString(text) {
			return // documents are valid UTF-8, and TestDrawLimits has long texts
		}
		say(subject, text)
		kinds, sizes := sheet.Kinds(), sheet.Sizes()
		_, err := d.SVG(subject, &sheet.Options{Kind: kinds[int(choice)%len(kinds)], Size: sizes[int(choice)/len(kinds)%len(sizes)]})
		require.NotErrorIs(t, err, sheet.ErrNotSet)
	})
}
