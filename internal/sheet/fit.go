package sheet

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// fit shortens a text that is wider than the room, which is in ems.
func fit(text string, room float64) string {
	if end := reach(text, room); end == len(text) {
		return text
	}
	return strings.TrimRight(text[:reach(text, room-em('…'))], " ") + "…"
}

// wrap breaks a text into at most so many lines, at spaces or, in words that are longer
// than a line, anywhere. It shortens the last line if necessary.
func wrap(text string, lines int, room float64) []string {
	var list []string
	text = clean(text)
	for len(list) < lines-1 {
		end := reach(text, room)
		if end == len(text) {
			break
		}
		if space := strings.LastIndexByte(text[:end+1], ' '); space > 0 {
			end = space
		}
		list = append(list, text[:end])
		text = strings.TrimLeft(text[end:], " ")
	}
	return append(list, fit(text, room))
}

// reach returns how many bytes of a text fit into the room.
func reach(text string, room float64) int {
	for i, r := range text {
		if room -= em(r); room < 0 {
			return i
		}
	}
	return len(text)
}

// regular is how much more text fits if it is not bold.
const regular = 1.13

// em estimates the width of a character in a wide, bold sans-serif font. The font that
// will draw it is not known.
func em(r rune) float64 {
	switch {
	case unicode.Is(unicode.Mn, r):
		return 0
	case strings.ContainsRune(" !',.:;Iijl|’", r):
		return 0.36
	case strings.ContainsRune("()-[]frt/", r):
		return 0.47
	case strings.ContainsRune("mwMW@%…", r):
		return 1
	case unicode.IsUpper(r):
		return 0.78
	}
	if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
		return 1.05
	}
	return 0.67
}

// clean collapses white space, including line breaks.
func clean(text string) string { return strings.Join(strings.Fields(text), " ") }
