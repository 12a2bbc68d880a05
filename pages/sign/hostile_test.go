package sign_test

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/pages/sign"
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
	for _, kind := range sheet.Kinds() {
		subject, o := crossing(t), &sheet.Options{Kind: kind}
		say(subject, "At the mill")
		want, err := drawer(t).SVG(t.Context(), subject, o)
		require.NoError(t, err)
		for _, c := range []string{"\n", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029", "\t"} {
			say(subject, "At"+c+"the\rmill"+c)
			svg, err := drawer(t).SVG(t.Context(), subject, o)
			require.NoError(t, err, "%s %q", kind, c)
			require.Equal(t, string(want), string(svg), "%s %q", kind, c)
		}
	}
}

// TestDrawPanic: a defect in what sets texts is an error of the sign, which can still be printed.
func TestDrawPanic(t *testing.T) {
	_, err := sign.Broken().SVG(t.Context(), crossing(t), nil)
	require.ErrorIs(t, err, sheet.ErrNotSet)
	require.ErrorContains(t, err, "print it as a page (.html)")
	_, err = sign.Broken().PDF(t.Context(), nil, crossing(t), crossing(t))
	require.ErrorIs(t, err, sheet.ErrNotSet)
}

// TestDrawLimits: what fits on no sheet is refused before it is set, and nothing that is drawn is larger
// than its sheet.
func TestDrawLimits(t *testing.T) {
	for name, text := range map[string]string{
		"a word":     strings.Repeat("abcdefgh", 25_000),
		"words":      strings.Repeat("word ", 20_000),
		"accents":    "a" + strings.Repeat("\u0301", 100_000),
		"contacts":   strings.Repeat("a@b.example ", 10_000),
		"one letter": strings.Repeat("\ufdfd", 5_000), // which is as wide as ten others
		"invisible":  strings.Repeat("\u200d", 100_000),
		"line":       strings.Repeat("i", 4_000),
	} {
		for _, kind := range sheet.Kinds() {
			t.Run(name+"/"+string(kind), func(t *testing.T) {
				subject := crossing(t)
				subject.Presentation.Datachain.Title = texts("en", text)
				subject.Summary.Points[2].Entries[0].Contact = texts("en", text)
				svg, err := drawer(t).SVG(t.Context(), subject, &sheet.Options{Kind: kind})
				var fit *sheet.FitError
				if kind != sheet.Label && kind != sheet.Card || len(text) > 8_000 && name != "one letter" {
					require.ErrorAs(t, err, &fit)
					assert.Less(t, len(err.Error()), 2_000)
				}
				if err == nil {
					width, err := strconv.ParseFloat(string(regexp.MustCompile(`width="([\d.]+)mm"`).FindSubmatch(svg)[1]), 64)
					require.NoError(t, err)
					for _, span := range outlines(t, svg) {
						assert.LessOrEqual(t, span[1], width)
					}
				}
			})
		}
	}
}

// TestDrawDeadline: drawing stops when the context ends.
func TestDrawDeadline(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := drawer(t).SVG(ctx, crossing(t), nil)
	require.ErrorIs(t, err, context.Canceled)
	_, err = drawer(t).PDF(ctx, nil, crossing(t))
	require.ErrorIs(t, err, context.Canceled)
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
		_, err := d.SVG(t.Context(), subject, &sheet.Options{Kind: kinds[int(choice)%len(kinds)], Size: sizes[int(choice)/len(kinds)%len(sizes)]})
		require.NotErrorIs(t, err, sheet.ErrNotSet)
	})
}
