package icons

import (
	"bytes"
	"regexp"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/codes"
)

// byteOrderMark is written by some editors and dropped.
var byteOrderMark = []byte("\uFEFF")

// declaration matches the XML declarations that symbols may have. Inkscape adds
// standalone="no", which has no effect without a DOCTYPE.
var declaration = regexp.MustCompile(`^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*("1\.0"|'1\.0')` +
	`([ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*("(?i:utf-8)"|'(?i:utf-8)'))?` +
	`([ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*("(yes|no)"|'(yes|no)'))?[ \t\r\n]*\?>`)

// checkText checks size, encoding, characters and XML declaration, and returns the offset
// of the document after it. The decoder does not check characters in comments, and it
// accepts declarations anywhere.
func (f *findings) checkText() int {
	if len(f.src) > MaxSymbolBytes {
		f.halt(0, codes.SymbolMalformed, "simplify the paths, and remove embedded images and fonts",
			"The symbol has %d bytes; at most %d are allowed.", len(f.src), MaxSymbolBytes)
		return 0
	}
	if utf16(f.src) {
		f.halt(0, codes.SymbolMalformed, "save the file as UTF-8", "The symbol is encoded as UTF-16.")
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
			f.halt(i, codes.SymbolMalformed, "save the file as UTF-8", "The symbol contains invalid UTF-8.")
			return 0
		case !xmlChar(r):
			f.halt(i, codes.SymbolMalformed, "remove the character", "The symbol contains the character %U, which XML does not allow.", r)
			return 0
		}
		i += n
	}
	return start + f.checkDeclaration(start)
}

// checkDeclaration checks the XML declaration, if any, and returns its length.
func (f *findings) checkDeclaration(start int) int {
	text := f.src[start:]
	if len(text) < 6 || string(text[:5]) != "<?xml" || !isSpace(text[5]) {
		return 0
	}
	if m := declaration.Find(text); m != nil {
		return len(m)
	}
	f.refuse(start, codes.SymbolMalformed, `save the file as UTF-8 and start it with <?xml version="1.0" encoding="UTF-8"?> or with <svg`,
		"The XML declaration must declare XML 1.0 and UTF-8.")
	end := bytes.Index(text, []byte("?>"))
	if end < 0 {
		f.halted = true
		return 0
	}
	return end + len("?>")
}

// utf16 reports whether text looks like UTF-16: it starts with a byte order mark, or with
// < beside a zero byte.
func utf16(text []byte) bool {
	return hasPrefix(string(text[:min(len(text), 2)]), []string{"\xFE\xFF", "\xFF\xFE", "<\x00", "\x00<"})
}

// xmlChar reports whether XML 1.0 allows a character.
func xmlChar(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r != 0xFFFE && r != 0xFFFF && utf8.ValidRune(r)
}
