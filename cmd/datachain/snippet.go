package main

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/report"
)

// snippet returns a text on one line, with places in bold. A text with more than
// most characters is cut around the first place, between words if possible.
func snippet(s report.Style, text string, places []placeAnswer, most int) string {
	first := 0
	if len(places) > 0 {
		first = places[0].Start
	}
	start, end := around(text, first, most)
	var b strings.Builder
	if start > 0 {
		b.WriteString("…")
	}
	at := start
	for _, p := range places {
		if p.Start >= end || p.End <= at {
			continue
		}
		b.WriteString(flat(text[at:max(at, p.Start)]))
		b.WriteString(s.Bold(flat(text[max(at, p.Start):min(p.End, end)])))
		at = min(p.End, end)
	}
	b.WriteString(flat(text[at:end]))
	if end < len(text) {
		b.WriteString("…")
	}
	return b.String()
}

// around returns where to cut a text so that at most so many characters remain,
// among them the one at first and a few before it.
func around(text string, first, most int) (start, end int) {
	length := utf8.RuneCountInString(text)
	if length <= most {
		return 0, len(text)
	}
	before := utf8.RuneCountInString(text[:first])
	skip := min(max(0, before-most/4), length-most)
	start = offset(text, skip)
	if space := strings.IndexFunc(text[start:first], unicode.IsSpace); skip > 0 && space >= 0 {
		start += space
		for start < first && unicode.IsSpace(firstRune(text[start:])) {
			start += utf8.RuneLen(firstRune(text[start:]))
		}
	}
	end = start + offset(text[start:], most)
	if space := strings.LastIndexFunc(text[start:end], unicode.IsSpace); end < len(text) && space > 0 && start+space > first {
		end = start + space
	}
	return start, end
}

func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// offset returns the offset of the n-th character of a text, or its end.
func offset(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

// flat turns a text into one line.
func flat(text string) string {
	return prose.Line(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, text))
}
