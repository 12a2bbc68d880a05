package sheet

import (
	"strings"
	"unicode"
)

// fit shortens a text that would run into what stands beside it. The room is in
// ems, so that it depends on no size.
func fit(text string, room float64) string {
	if width(text) <= room {
		return text
	}
	return strings.TrimRight(text[:reach(text, room-em('…'))], " ") + "…"
}

// wrap breaks a text into at most so many lines, at spaces, and words that are
// longer than a line anywhere. It shortens what does not fit.
func wrap(text string, most int, room float64) []string {
	var lines []string
	text = strings.Join(strings.Fields(text), " ")
	for len(lines) < most-1 && width(text) > room {
		end := reach(text, room)
		if space := strings.LastIndexByte(text[:end+1], ' '); space > 0 {
			end = space
		}
		lines = append(lines, text[:end])
		text = strings.TrimLeft(text[end:], " ")
	}
	return append(lines, fit(text, room))
}

// reach returns how many bytes of a text have room.
func reach(text string, room float64) int {
	for i, r := range text {
		if room -= em(r); room < 0 {
			return i
		}
	}
	return len(text)
}

// width is about how wide a text is, rather more than less: which font will
// draw it is not known, and there may be none that is as narrow as we would
// like.
func width(text string) float64 {
	sum := 0.0
	for _, r := range text {
		sum += em(r)
	}
	return sum
}

// regular is how much more of a text has room where it is not bold.
const regular = 1.13

// em is about how wide a character is in a bold sans-serif font, and a wide one.
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
	case r >= 0x1100 && (r <= 0x11FF || r >= 0x2E80): // the square scripts of East Asia, and pictures
		return 1.05
	case unicode.IsUpper(r):
		return 0.78
	}
	return 0.67
}
