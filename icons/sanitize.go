package icons

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Sanitize parses a symbol, checks it against what symbols may use, and returns
// what is to be published of it. The symbol is nil exactly if the issues have
// errors; warnings tell what was left out. Issues are in the order of the text,
// each with its line and column; their file is for the caller to fill in.
//
// At most 50 errors and 50 warnings are listed; a last issue says if there are
// more. Sanitize takes any text, from whomever: it does not panic, and its work
// is linear in the length of the text. See [MaxSymbolBytes] and its neighbours
// for the limits.
//
// Sanitize is idempotent: a published text gives itself and no issues.
func Sanitize(svg []byte) (*Symbol, issue.Issues) {
	s := &sanitizer{
		findings: findings{src: svg, dropped: map[string]bool{}},
		ids:      map[string]*node{},
		doubled:  map[string]bool{},
		refused:  map[string]bool{},
	}
	if start := s.checkText(); !s.halted {
		s.parse(start)
	}
	symbol := s.finish()
	issues := s.issues()
	if issues.HasErrors() {
		return nil, issues
	}
	return symbol, issues
}

// sanitizer is the work on one symbol.
type sanitizer struct {
	findings
	stack    []frame // the open elements
	root     *node
	elements int
	ids      map[string]*node // kept elements by the ids of the source
	doubled  map[string]bool  // ids of more than one element
	refused  map[string]bool  // ids of elements that an error has been given for
	colors   []int            // where the property color is set
}

// frame is an open element.
type frame struct {
	name  xml.Name          // with the prefix for the space, as written
	ns    map[string]string // the prefixes that the element declares
	node  *node             // nil where the element is not kept
	mode  mode
	style bool // the text inside is a style sheet
}

// mode is what becomes of an element and of what is inside of it.
type mode int

const (
	kept   mode = iota
	left        // left out; only what is unsafe matters
	denied      // refused already; only what is unsafe matters
)

// parse reads the document from an offset on. It reads raw tokens: the decoder
// would accept undeclared prefixes, attributes given twice, more than one root
// and text around it, so we look after these ourselves.
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
			s.syntax(end, err)
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
			s.refuse(off, issue.CodeSymbolUnsafe, "The symbol has a declaration <!"+firstWord(t)+">.",
				"delete everything from <! to its closing >; a symbol needs neither DOCTYPE nor entities")
		case xml.ProcInst:
			s.refuse(off, issue.CodeSymbolUnsafe, "The symbol has a processing instruction <?"+prose.Clip(t.Target)+"?>.",
				"delete it; only the XML declaration may stand at the very beginning")
		}
	}
}

// syntax reports what the decoder could not read.
func (s *sanitizer) syntax(off int, err error) {
	message := strings.TrimPrefix(err.Error(), "xml: ")
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		message = syntax.Msg
	}
	name, isEntity := strings.CutPrefix(message, "invalid character entity ")
	switch {
	case isEntity && strings.HasSuffix(name, ";") && !strings.HasPrefix(name, "&#"):
		s.halt(off, issue.CodeSymbolUnsafe, "The symbol uses the entity "+prose.Quote(name)+".",
			"write what the entity stands for; symbols may not declare or use entities (Illustrator: export without \"Preserve Illustrator Editing Capabilities\")")
	case isEntity:
		s.halt(off, issue.CodeSymbolMalformed, "The symbol is not well-formed XML: an & that begins no character reference.",
			"write &amp; for a bare &")
	default:
		s.halt(off, issue.CodeSymbolMalformed, "The symbol is not well-formed XML: "+prose.Clip(message)+".",
			"export the symbol again as SVG, or mend the text by hand")
	}
}

// end checks that the document is whole.
func (s *sanitizer) end() {
	switch {
	case len(s.stack) > 0:
		s.halt(len(s.src), issue.CodeSymbolMalformed,
			"The symbol ends before <"+rawName(s.stack[len(s.stack)-1].name)+"> is closed.",
			"export the symbol again; the file seems to be cut off")
	case s.root == nil:
		s.halt(0, issue.CodeSymbolMalformed, "The symbol has no root element.", "export a drawing as SVG into this file")
	}
}

func (s *sanitizer) endElement(off int, t xml.EndElement) {
	if len(s.stack) == 0 {
		s.halt(off, issue.CodeSymbolMalformed, "The end tag </"+rawName(t.Name)+"> has no start.", "remove it")
		return
	}
	top := s.stack[len(s.stack)-1]
	if top.name != t.Name {
		s.halt(off, issue.CodeSymbolMalformed,
			fmt.Sprintf("The element <%s> is closed by </%s>.", rawName(top.name), rawName(t.Name)),
			"write </"+rawName(top.name)+"> before it")
		return
	}
	s.stack = s.stack[:len(s.stack)-1]
}

func (s *sanitizer) charData(off int, data []byte) {
	if trim(string(data)) == "" {
		return
	}
	off += len(s.src[off:]) - len(bytes.TrimLeft(s.src[off:], " \t\r\n"))
	if len(s.stack) == 0 {
		s.refuse(off, issue.CodeSymbolMalformed, "There is text outside of the root element.", "remove it")
		return
	}
	top := s.stack[len(s.stack)-1]
	switch {
	case top.style && reachesOut(string(data)):
		s.refuse(off, issue.CodeSymbolUnsafe, "A style sheet refers to something outside of the symbol.", "remove @import, url() and escapes from it")
	case top.mode == kept:
		s.refuse(off, issue.CodeSymbolNotAllowed,
			fmt.Sprintf("There is text in <%s>: %s.", rawName(top.name), prose.Quote(trim(string(data)))),
			"remove the text, or draw it as paths")
	}
}

// rawName prints a name for a message: as it is written, shortened if it is
// long.
func rawName(name xml.Name) string {
	if name.Space != "" {
		return prose.Clip(name.Space + ":" + name.Local)
	}
	return prose.Clip(name.Local)
}

// firstWord returns the word that a declaration begins with.
func firstWord(d xml.Directive) string {
	p := scanner{s: string(d[:min(len(d), 20)])}
	return p.word()
}
