package icons

import (
	"bytes"
	"fmt"
	"regexp"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// byteOrderMark is what some editors begin UTF-8 with. It is left out.
var byteOrderMark = []byte("\uFEFF")

// declaration is the one form of the XML declaration that symbols may have.
// Inkscape adds standalone="no"; without a DOCTYPE it means nothing.
var declaration = regexp.MustCompile(`^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*("1\.0"|'1\.0')` +
	`([ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*("(?i:utf-8)"|'(?i:utf-8)'))?` +
	`([ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*("(yes|no)"|'(yes|no)'))?[ \t\r\n]*\?>`)

// checkText checks what can be said of the text before it is parsed, and
// returns where the document begins, after byte order mark and XML declaration.
// The decoder leaves much of this unchecked: the characters of comments, and
// declarations in any place.
func (f *findings) checkText() int {
	if len(f.src) > MaxSymbolBytes {
		f.halt(0, issue.CodeSymbolMalformed,
			fmt.Sprintf("The symbol has %d bytes; at most %d are allowed.", len(f.src), MaxSymbolBytes),
			"simplify the paths, and remove embedded images and fonts")
		return 0
	}
	if utf16(f.src) {
		f.halt(0, issue.CodeSymbolMalformed, "The symbol is saved as UTF-16.", "save the file as UTF-8")
		return 0
	}
	start := 0
	if bytes.HasPrefix(f.src, byteOrderMark) {
		start = len(byteOrderMark)
	}
	for i := start; i < len(f.src); {
		r, n := utf8.DecodeRune(f.src[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			f.halt(i, issue.CodeSymbolMalformed, "The symbol holds bytes that are no UTF-8.", "save the file as UTF-8")
			return 0
		case !xmlChar(r):
			f.halt(i, issue.CodeSymbolMalformed, fmt.Sprintf("The symbol holds the character %U, which XML does not allow.", r), "remove the character")
			return 0
		}
		i += n
	}
	return start + f.checkDeclaration(start)
}

// checkDeclaration returns the length of the XML declaration.
func (f *findings) checkDeclaration(start int) int {
	text := f.src[start:]
	if len(text) < 6 || string(text[:5]) != "<?xml" || !isSpace(text[5]) {
		return 0
	}
	if m := declaration.Find(text); m != nil {
		return len(m)
	}
	f.refuse(start, issue.CodeSymbolMalformed, "The XML declaration is not one for XML 1.0 in UTF-8.",
		`save the file as UTF-8 and begin it with <?xml version="1.0" encoding="UTF-8"?>, or with <svg`)
	end := bytes.Index(text, []byte("?>"))
	if end < 0 {
		f.halted = true
		return 0
	}
	return end + len("?>")
}

// utf16 reports whether the text looks like UTF-16: it has its byte order mark,
// or a zero beside the < that it begins with.
func utf16(text []byte) bool {
	if len(text) < 2 {
		return false
	}
	switch string(text[:2]) {
	case "\xFE\xFF", "\xFF\xFE", "<\x00", "\x00<":
		return true
	}
	return false
}

// xmlChar reports whether XML 1.0 allows a character.
func xmlChar(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return true
	case r < 0x20, r == 0xFFFE, r == 0xFFFF:
		return false
	}
	return r < 0xD800 || r >= 0xE000
}

// visible reports whether a character has a shape of its own.
func visible(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }
