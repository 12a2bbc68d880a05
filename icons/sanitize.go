package icons

import (
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Sanitize parses a symbol, checks it against the allow-list and returns the symbol to
// publish. The symbol is nil if and only if the issues contain errors; warnings report
// what was dropped. Issues are in source order, with line and column but no file.
//
// At most 50 errors and 50 warnings are listed; a last issue says if there are more.
// Sanitize accepts untrusted input: it does not panic, and its work is linear in the
// size of the input. Its limits are those of a symbol: 256 KiB, among others.
//
// Sanitize is idempotent: a published text is returned unchanged, without issues.
func Sanitize(svg []byte) (*Symbol, issue.Issues) {
	s := newSanitizer(svg)
	if start := s.checkText(); !s.halted {
		s.parse(start)
	}
	symbol := s.finish()
	return symbol, s.issues()
}

func newSanitizer(svg []byte) *sanitizer {
	return &sanitizer{
		findings: findings{src: svg, limits: symbolLimits, dropped: map[string]bool{}},
		ids:      map[string]*node{},
		doubled:  map[string]bool{},
		refused:  map[string]bool{},
	}
}

// sanitizer is the state of one call of [Sanitize] or [Draw].
type sanitizer struct {
	findings
	stack    []frame // the open elements
	root     *node
	elements int
	ids      map[string]*node // kept elements by source id
	doubled  map[string]bool  // ids of several elements
	refused  map[string]bool  // ids of elements that have an error already
	colors   []int            // offsets of the property color
	drawing  bool             // it is for Draw: any viewBox and colour are allowed
	box      [4]float64       // the viewBox
}

// frame is an open element.
type frame struct {
	name  xml.Name          // as written, with the prefix as Space
	ns    map[string]string // the declared prefixes
	node  *node             // nil if the element is not kept
	mode  mode
	style bool // the content is a style sheet
}

// mode is how an element and its content are treated.
type mode int

const (
	kept    mode = iota
	dropped      // only unsafe content is reported
	refused      // it has an error already; only unsafe content is reported
)

// parse reads the document from an offset on. It reads raw tokens and does itself what
// the decoder does not: it refuses undeclared prefixes, duplicate attributes, a second
// root and text outside the root.
func (s *sanitizer) parse(start int) {
	dec := xml.NewDecoder(bytes.NewReader(s.src[start:]))
	for !s.halted {
		off := start + int(dec.InputOffset())
		token, err := dec.RawToken()
		end := start + int(dec.InputOffset())
		if errors.Is(err, io.EOF) {
			s.end()
			return
		}
		if err != nil {
			s.syntax(off, end, err)
			return
		}
		switch t := token.(type) {
		case xml.StartElement:
			s.startElement(off, t, s.src[off:end])
		case xml.EndElement:
			s.endElement(off, t)
		case xml.CharData:
			s.charData(off, t)
		case xml.Directive:
			p := scanner{s: string(t[:min(len(t), 20)])}
			s.refuse(off, codes.SymbolUnsafe, "delete everything from <! to its closing >; a symbol needs neither DOCTYPE nor entities",
				"The symbol has a declaration <!%s>.", p.word())
		case xml.ProcInst:
			s.refuse(off, codes.SymbolUnsafe, "delete it; only an XML declaration is allowed, at the very beginning",
				"The symbol has a processing instruction <?%s?>.", wording.Clip(t.Target))
		}
	}
}

// reference matches an entity or character reference at the end of a text.
var reference = regexp.MustCompile(`&(#?)([^\s&;<>"']*)(;?)$`)

// syntax reports XML that the decoder rejects. The token begins at off, and the decoder
// stopped at end.
func (s *sanitizer) syntax(off, end int, err error) {
	read := s.src[off:min(end, len(s.src))]
	var found [][]byte
	if !bytes.HasPrefix(read, []byte("<!")) && !bytes.HasPrefix(read, []byte("<?")) {
		found = reference.FindSubmatch(read)
	}
	switch {
	case len(found) > 3 && len(found[1]) == 0 && len(found[2]) > 0 && len(found[3]) > 0:
		s.halt(end, codes.SymbolUnsafe,
			`replace the entity by its text; symbols may not declare or use entities (Illustrator: export without "Preserve Illustrator Editing Capabilities")`,
			"The symbol uses the entity %s.", wording.Quote(string(found[0])))
	case found != nil:
		s.halt(end, codes.SymbolMalformed, "write &amp; for a bare &",
			"The symbol is not well-formed XML: an & does not start a character reference.")
	default:
		message := err.Error()
		if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
			message = syntax.Msg
		}
		s.halt(end, codes.SymbolMalformed, "export the symbol as SVG again, or fix the text by hand",
			"The symbol is not well-formed XML: %s.", wording.Clip(message))
	}
}

// end checks that the document is complete.
func (s *sanitizer) end() {
	switch {
	case len(s.stack) > 0:
		s.halt(len(s.src), codes.SymbolMalformed, "export the symbol again; the file seems to be truncated",
			"The symbol ends before <%s> is closed.", rawName(s.stack[len(s.stack)-1].name))
	case s.root == nil:
		s.halt(0, codes.SymbolMalformed, "export a drawing as SVG into this file", "The symbol has no root element.")
	}
}

func (s *sanitizer) endElement(off int, t xml.EndElement) {
	if len(s.stack) == 0 {
		s.halt(off, codes.SymbolMalformed, "remove it", "The end tag </%s> has no start tag.", rawName(t.Name))
		return
	}
	top := s.stack[len(s.stack)-1]
	if top.name != t.Name {
		s.halt(off, codes.SymbolMalformed, "write </"+rawName(top.name)+"> before it",
			"The element <%s> is closed by </%s>.", rawName(top.name), rawName(t.Name))
		return
	}
	s.stack = s.stack[:len(s.stack)-1]
}

func (s *sanitizer) charData(off int, data []byte) {
	text := trim(string(data))
	if text == "" {
		return
	}
	off += slices.IndexFunc(s.src[off:], func(c byte) bool { return !isSpace(c) })
	if len(s.stack) == 0 {
		s.refuse(off, codes.SymbolMalformed, "remove it", "There is text outside the root element.")
		return
	}
	top := s.stack[len(s.stack)-1]
	switch {
	case top.style && reachesOut(text):
		s.refuse(off, codes.SymbolUnsafe, "remove @import, url() and escapes from it", "A style sheet refers to something outside the symbol.")
	case top.mode == kept:
		s.refuse(off, codes.SymbolNotAllowed, "remove the text, or convert it to paths",
			"There is text in <%s>: %s.", rawName(top.name), wording.Quote(text))
	}
}

// rawName returns a name as it is written, clipped for a message.
func rawName(name xml.Name) string {
	if name.Space != "" {
		return wording.Clip(name.Space + ":" + name.Local)
	}
	return wording.Clip(name.Local)
}

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
	if len(f.src) > f.limits.bytes {
		f.halt(0, codes.SymbolMalformed, "simplify the paths, and remove embedded images and fonts",
			"The symbol has %d bytes; at most %d are allowed.", len(f.src), f.limits.bytes)
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

// finish checks the tree as a whole and returns its symbol, or nil after errors.
func (s *sanitizer) finish() *Symbol {
	if s.root == nil || s.halted {
		return nil
	}
	pruneDefs(s.root)
	s.resolve()
	s.checkColors()
	s.measure()
	if s.errors > 0 {
		return nil
	}
	resolveUnits(s.root)
	var p printer
	p.node(s.root)
	if p.Len() > s.limits.bytes {
		s.halt(0, codes.SymbolMalformed, "simplify the paths",
			"The published symbol would have %d bytes; at most %d are allowed.", p.Len(), s.limits.bytes)
		return nil
	}
	// The tree is not kept: there may be many symbols.
	symbol := &Symbol{text: p.String(), paints: paintsOf(s.root), slots: slices.Clip(p.slots), initials: initialsOf(s.root)}
	if len(symbol.slots) > 0 {
		symbol.sum = sha256.Sum256([]byte(symbol.text))
	}
	return symbol
}

// pruneDefs removes empty <defs>.
func pruneDefs(n *node) {
	n.children = slices.DeleteFunc(n.children, func(c *node) bool {
		pruneDefs(c)
		return c.name == "defs" && len(c.children) == 0
	})
}

// checkColors handles the property color, see sanitizer.color.
func (s *sanitizer) checkColors() {
	inks := false
	s.root.walk(func(n *node) {
		for _, name := range []string{"fill", "stroke", "stop-color"} {
			inks = inks || n.get(name) == currentColor
		}
	})
	for _, off := range s.colors {
		if inks {
			s.refuse(off, codes.SymbolNotAllowed, "remove color to use the ink of the icon, or write the colour instead of currentColor",
				"The symbol sets color and uses currentColor.")
		} else {
			s.drop(off, "color", hintDropped)
		}
	}
}
