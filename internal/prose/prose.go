// Package prose helps to write messages: it cuts and quotes untrusted text, finds the known
// names that a misspelled one probably means, converts between offsets and lines, and
// compares notations of laws. It also says what is an id, a slug, a locale, a date or a URL, and
// fills in the variables of texts.
package prose

import (
	"cmp"
	"errors"
	"io/fs"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
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

// Turns reports whether a character begins or ends an embedding, an override or an isolate,
// and so changes the direction of those after it. Direction marks, which real texts use,
// affect only themselves.
func Turns(r rune) bool {
	return '\u202A' <= r && r <= '\u202E' || '\u2066' <= r && r <= '\u2069'
}

// Quote cuts text after 80 characters and returns it in double quotes, with the
// escapes of Go.
func Quote(s string) string { return strconv.Quote(Cut(s, maxClip)) }

// Reason returns an error without the operation and the path that a file error repeats, for
// a message that names the file itself.
func Reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return err.Error()
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

// SameWords reports whether two texts differ in nothing but white space and the full stops
// at their ends.
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

// Sentence returns a message that begins like a sentence. Error strings begin in
// lower case and have no full stop.
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

// Markdown returns text that reads as it is in Markdown, on one line.
func Markdown(text string) string {
	return markdownEntity.ReplaceAllString(markdownEscapes.Replace(Printable(text)), `\$0`)
}

// IsLocale reports whether a locale looks like a language tag: groups of one to eight
// letters and digits, separated by hyphens, the first one of letters.
func IsLocale(locale string) bool {
	if len(locale) > 64 {
		return false
	}
	first := true
	for group := range strings.SplitSeq(locale, "-") {
		if len(group) < 1 || len(group) > 8 {
			return false
		}
		for _, c := range []byte(group) {
			if !('a' <= c|0x20 && c|0x20 <= 'z') && (first || c < '0' || c > '9') {
				return false
			}
		}
		first = false
	}
	return true
}

// IndexLocale returns the position of a locale, whose case does not matter, or -1.
func IndexLocale(locales []string, locale string) int {
	return slices.IndexFunc(locales, func(l string) bool { return strings.EqualFold(l, locale) })
}

// IsDate reports whether a text is a day of the calendar in the form YYYY-MM-DD.
func IsDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// IsURL reports whether a text is the URL of a web page: absolute, with http or https.
func IsURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// Cell returns the text of a cell of a CSV file. Programs that calculate would run one that
// begins like a formula, so that gets an apostrophe.
func Cell(s string) string {
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		return "'" + s
	}
	return s
}

// notationWords are the words that laws call their parts by, in several languages, with the
// one that stands for them in this program. Recitals come before articles, and annexes after
// them.
var notationWords = map[string]string{
	"article": "art", "articles": "art", "arts": "art", "artikel": "art", "artículo": "art", "articulo": "art", "articolo": "art", "§": "art",
	"recitals": "recital", "considérant": "recital", "considerant": "recital", "considerando": "recital", "erwägungsgrund": "recital", "erwagungsgrund": "recital",
	"annexe": "annex", "annexes": "annex", "anhang": "annex", "anexo": "annex", "allegato": "annex",
}

// NotationWord returns the word that stands for a lower-case word of the notation of an
// entry, such as art for article: people write both.
func NotationWord(word string) string { return cmp.Or(notationWords[word], word) }

// SameNotation reports whether two notations name the same entry of a scheme, as Art. 26 and
// Article 26 do.
func SameNotation(a, b string) bool {
	return strings.EqualFold(a, b) || CompareNotations(a, b) == 0
}

// CompareNotations compares notations in the order of laws: recitals, articles, annexes.
// Other words are in alphabetical order where articles are. Numbers are compared as numbers,
// and so are Roman ones of annexes.
func CompareNotations(a, b string) int {
	x, y := notation(a), notation(b)
	if c := cmp.Compare(notationRank(x), notationRank(y)); c != 0 {
		return c
	}
	for i := range min(len(x), len(y)) {
		if c := comparePart(x[i], y[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(x), len(y))
}

// notation cuts a notation into words, numbers without zeros before them, and signs.
func notation(s string) (parts []string) {
	s = strings.ToLower(s)
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		is := func(c rune) bool { return c == r }
		switch {
		case r == '.' || unicode.IsSpace(r): // Art. 5 is Art 5
			if len(parts) > 0 && isNumber(parts[len(parts)-1]) && r == '.' && len(s) > 1 && unicode.IsDigit(rune(s[1])) {
				parts = append(parts, ".")
			}
			s = s[size:]
			continue
		case unicode.IsDigit(r):
			is = unicode.IsDigit
		case unicode.IsLetter(r):
			is = unicode.IsLetter
		}
		rest := strings.TrimLeftFunc(s, is)
		part := NotationWord(s[:len(s)-len(rest)])
		if isNumber(part) {
			part = cmp.Or(strings.TrimLeft(part, "0"), "0")
		}
		if len(parts) == 1 && parts[0] == "annex" {
			part = roman(part)
		}
		parts, s = append(parts, part), rest
	}
	return parts
}

func isNumber(part string) bool { return part != "" && '0' <= part[0] && part[0] <= '9' }

func notationRank(parts []string) int {
	if len(parts) == 0 {
		return 1
	}
	switch parts[0] {
	case "recital":
		return 0
	case "annex":
		return 2
	}
	return 1
}

// comparePart compares numbers by their value, and puts them before words.
func comparePart(a, b string) int {
	if isNumber(a) && isNumber(b) {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	}
	return strings.Compare(a, b)
}

// roman returns a Roman number below 40 as digits, and other words as they are.
func roman(word string) string {
	values := map[rune]int{'i': 1, 'v': 5, 'x': 10}
	n, last := 0, 0
	for _, c := range word {
		v := values[c]
		if v == 0 {
			return word
		}
		if n += v; last < v {
			n -= 2 * last
		}
		last = v
	}
	return strconv.Itoa(n)
}
