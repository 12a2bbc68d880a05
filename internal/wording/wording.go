// Package wording helps to write messages: it cuts and quotes untrusted text, lists and counts
// things, and writes cells of tables.
package wording

import (
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/errname"
)

// maxClip is how many characters of untrusted text a message repeats.
const maxClip = 80

// Clip cuts text after 80 characters. Use it with %q, and [Plain] for text without
// quotes.
func Clip(s string) string { return strings.ToValidUTF8(Cut(s, maxClip), "\uFFFD") }

// Plain is [Clip] with U+FFFD in place of unprintable characters.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, Cut(s, maxClip))
}

// Turns reports whether a character changes the direction of the characters after it: whether it
// begins or ends an embedding, an override or an isolate. Direction marks, which real texts use,
// do not.
func Turns(r rune) bool {
	return '\u202A' <= r && r <= '\u202E' || '\u2066' <= r && r <= '\u2069'
}

// Quote cuts text after 80 characters and returns it in double quotes, with the
// escapes of Go.
func Quote(s string) string { return strconv.Quote(Cut(s, maxClip)) }

// Reason returns the text of an error without the operation and the path of a file error, for a
// message that names the file itself, and without the name of one of our packages.
func Reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return errname.Trim(err).Error()
}

// Cut returns at most limit characters of a text, with an ellipsis in place of
// the rest. A character is a code point and is never split; a byte that is not
// UTF-8 counts as one.
func Cut(s string, limit int) string {
	count := 0
	for i := range s {
		if count++; count > limit {
			return s[:i] + "…"
		}
	}
	return s
}

// Tail is [Cut] from the other end: it returns the last characters of a text, after an
// ellipsis in place of the rest.
func Tail(s string, limit int) string {
	start := len(s)
	for n := 0; start > 0 && n < limit; n++ {
		_, size := utf8.DecodeLastRuneInString(s[:start])
		start -= size
	}
	if start == 0 {
		return s
	}
	return "…" + s[start:]
}

// SameWords reports whether two texts differ only in white space and in periods at the end.
func SameWords(a, b string) bool {
	words := func(s string) []string {
		return strings.Fields(strings.TrimRight(s, " \t\r\n.。｡।۔"))
	}
	return a == b || slices.Equal(words(a), words(b))
}

// Or joins choices for a hint: "a, b or c".
func Or(choices []string) string { return join(choices, " or ") }

// And joins names for a message: "a, b and c".
func And(names []string) string { return join(names, " and ") }

func join(names []string, word string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + word + names[last]
}

// Printable replaces characters that control a terminal or the direction of text
// with U+FFFD, except newline and tab: foreign text must not steer a terminal.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) && !unicode.Is(unicode.Bidi_Control, r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// Line is [Printable] for text that must stay on its line.
func Line(s string) string {
	return strings.ReplaceAll(Printable(s), "\n", string(unicode.ReplacementChar))
}

// Count returns a number of things: "1 file", "2 files".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// Sentence returns an error string, which begins in lower case, with an upper-case first letter.
func Sentence(s string) string {
	if s == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// markdownEscapes escape what has a meaning in Markdown.
var (
	markdownEscapes = strings.NewReplacer(
		`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`,
		"#", `\#`, "~", `\~`, "|", `\|`, "!", `\!`, "\n", " ",
	)
	markdownEntity = regexp.MustCompile(`&[#0-9A-Za-z]+;`)
)

// Markdown escapes text so that Markdown shows it literally, on one line.
func Markdown(text string) string {
	return markdownEntity.ReplaceAllString(markdownEscapes.Replace(Printable(text)), `\$0`)
}

// Cell returns the text for a cell of a CSV file. It adds an apostrophe to one that begins like a
// formula, which spreadsheets would evaluate.
func Cell(s string) string {
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		return "'" + s
	}
	return s
}
