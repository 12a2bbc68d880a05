package lsp

import (
	"bytes"
	"context"
	"io/fs"
	"net/url"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/textpos"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document/tolerant"
)

// openDocument is a document that is open in the editor. The session's lock guards
// it.
type openDocument struct {
	snapshot
	// run counts the runs that validate the document, and cancel ends the last one.
	run    int
	cancel context.CancelFunc
}

// snapshot is a document at the time of a request.
type snapshot struct {
	text *text
	// root is what it is validated by, or the source that it is a file of.
	root *root
	// file is the file of a source that it is; its root is nil if it is none.
	file sourceFile
	// recognized is set if it is a datachain document.
	recognized bool
	// good is the last text without errors, or nil.
	good *text
	// files is the source of the root, or nil; only for a request.
	files *files
}

// text is the text of a document at one version. It does not change.
type text struct {
	uri     string
	at      address
	open    bool // in the editor
	version int
	content []byte
	// tooLarge is the limit if the content was not read because of its size,
	// else 0.
	tooLarge int64
	// lines and tree are made when they are needed, once.
	lines func() *lines
	tree  func() *tolerant.Tree
}

func newText(uri string, version int, content string, e encoding) *text {
	t := &text{uri: uri, at: newAddress(uri), version: version, content: []byte(content)}
	t.lines = sync.OnceValue(func() *lines { return newLines(t.content, e) })
	t.tree = sync.OnceValue(func() *tolerant.Tree { return tolerant.Parse(t.content) })
	return t
}

// Params of notifications about documents.
type (
	documentID struct {
		URI string `json:"uri"`
	}
	didOpenParams struct {
		Document struct {
			URI     string `json:"uri"`
			Version int    `json:"version"`
			Text    string `json:"text"`
		} `json:"textDocument"`
	}
	didChangeParams struct {
		Document versionedID `json:"textDocument"`
		Changes  []struct {
			Range *span  `json:"range"`
			Text  string `json:"text"`
		} `json:"contentChanges"`
	}
	// versionedID is a document at a version, which some clients leave out.
	versionedID struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	}
	documentParams struct {
		Document documentID `json:"textDocument"`
	}
)

func (p *documentParams) document() string { return p.Document.URI }

func (s *session) didOpen(p *didOpenParams) error {
	s.replace(newText(p.Document.URI, p.Document.Version, p.Document.Text, s.client.encoding))
	return nil
}

func (s *session) didChange(p *didChangeParams) error {
	if len(p.Changes) == 0 {
		return nil
	}
	last := p.Changes[len(p.Changes)-1]
	if last.Range != nil {
		return failed(codeInvalidParams, "A change must have the whole text.")
	}
	if _, err := s.mustBeOpen(p.Document.URI); err != nil {
		return err
	}
	s.change(p.Document, last.Text, 0)
	return nil
}

// change sets the text of a document. A change with a lower version than the last one is
// ignored, since it arrived late: Helix sends some out of order.
func (s *session) change(id versionedID, content string, tooLarge int64) {
	version := 0
	if id.Version != nil {
		version = *id.Version
		if doc, open := s.current(id.URI); open && version < doc.text.version {
			return
		}
	}
	t := newText(id.URI, version, content, s.client.encoding)
	t.tooLarge = tooLarge
	s.replace(t)
}

// didSave validates the document again, since its taxonomy may have changed.
func (s *session) didSave(p *documentParams) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.documents[newAddress(p.Document.URI)]; d != nil {
		if d.file.root != nil {
			d.root.saving = d.root.saving.changed(d.file.path)
		}
		s.changed(d)
	}
	return nil
}

func (s *session) didClose(p *documentParams) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := newAddress(p.Document.URI)
	d := s.documents[at]
	if d == nil {
		return nil
	}
	d.cancel()
	d.run++
	delete(s.documents, at)
	if s.latest == d.text.uri {
		s.latest = ""
	}
	if d.file.root != nil {
		s.lint(d.root, d.file.version) // what is saved counts again
		return nil
	}
	if s.scanFile(at) { // what is saved counts again
		marker := &report{uri: d.text.uri, shown: true}
		s.scanner.count(marker, 1)
		s.reports[at] = marker
		return nil
	}
	s.publish(d.text.uri, nil, nil)
	return nil
}

// replace sets the text of a document and validates it.
func (s *session) replace(t *text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.documents[t.at]
	if d == nil {
		d = &openDocument{cancel: func() {}}
		s.documents[t.at] = d
		if r := s.reports[t.at]; r != nil && !r.source { // what was found before it was opened
			s.scanner.count(r, -1)
			delete(s.reports, t.at)
		}
	}
	t.open, d.text = true, t
	s.place(d)
	if d.recognized {
		s.latest = t.uri
	}
	s.changed(d)
}

// place finds out what a document is validated by. The caller has the lock.
func (s *session) place(d *openDocument) {
	file, inSource := s.workspace.sourceOf(d.text.at)
	d.file, d.root = file, file.root
	if !inSource {
		d.root = s.workspace.rootOf(d.text.at)
	}
	d.recognized = !inSource && d.text.recognized(d.recognized)
}

// changed validates a document, or lints a file of the source. The caller has the lock.
func (s *session) changed(d *openDocument) {
	if d.file.root != nil {
		s.lint(d.root, d.file.version)
		return
	}
	s.validate(d)
}

// current returns an open document as it is now.
func (s *session) current(uri string) (snapshot, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.documents[newAddress(uri)]
	if d == nil {
		return snapshot{}, false
	}
	doc := d.snapshot
	doc.files = s.files(d.root)
	return doc, true
}

// mustBeOpen returns an open document, or an error for the client.
func (s *session) mustBeOpen(uri string) (snapshot, error) {
	doc, open := s.current(uri)
	if !open {
		return doc, failed(codeInvalidParams, "The document %s is not open.", wording.Clip(uri))
	}
	return doc, nil
}

// extension is that of files that always are datachain documents.
const extension = ".datachain.json"

// recognized reports whether a text is a datachain document, by its name or its
// content. A document that was recognized before may lack one of the two keys, since
// it may be about to be typed again.
func (t *text) recognized(before bool) bool {
	if t.tooLarge > 0 {
		return before
	}
	path, _, _ := strings.Cut(t.uri, "?")
	if strings.HasSuffix(path, extension) {
		return true
	}
	// Other JSON files can be large, and need not be parsed.
	if !bytes.Contains(t.content, []byte("schema_version")) && !bytes.Contains(t.content, []byte("elements")) {
		return false
	}
	_, pinned := t.tree().Root().Get("schema_version")
	_, places := t.tree().Root().Get("elements")
	return pinned && places || before && (pinned || places)
}

// address is a URI in a form that can be compared: clients escape different characters
// of the same path.
type address struct {
	origin string // scheme and host
	path   string // not escaped, without a slash at the end
}

// newAddress returns the address of a URI. One that has no path, such as that of an
// untitled document, is its own address.
func newAddress(uri string) address {
	u, err := url.Parse(uri)
	if err != nil || u.Opaque != "" || u.Scheme == "" {
		return address{origin: uri}
	}
	path := u.Path
	if len(path) > 2 && path[2] == ':' && path[0] == '/' { // /C:/taxonomies
		path = strings.ToLower(path[:2]) + path[2:]
	}
	host := strings.ToLower(u.Host)
	if u.Scheme == "file" && host == "localhost" {
		host = ""
	}
	return address{u.Scheme + "://" + host, strings.TrimSuffix(path, "/")}
}

// in returns the path of an address below a directory.
func (a address) in(dir address) (string, bool) {
	if a.origin != dir.origin || a.path == "" && dir.path == "" {
		return "", false
	}
	rest, below := strings.CutPrefix(a.path, dir.path+"/")
	return rest, below && fs.ValidPath(rest)
}

// join returns the URI of a file below a directory.
func join(dir, file string) string {
	return strings.TrimSuffix(dir, "/") + (&url.URL{Path: "/" + file}).EscapedPath()
}

// position is a place in a text: a line from 0, and a column from 0 in the units of
// the encoding.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// span is a range of a text.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// encoding is the unit of columns.
type encoding string

const (
	utf8Encoding  encoding = "utf-8"
	utf16Encoding encoding = "utf-16"
)

// lines converts between offsets and positions in a text.
type lines struct {
	*textpos.Lines
	text     []byte
	encoding encoding
}

func newLines(text []byte, e encoding) *lines {
	return &lines{textpos.New(text, textpos.EditorBreaks), text, e}
}

// at returns the position of an offset. One within a character or a line break is that of
// its start, one outside the text is that of the nearest place in it.
func (l *lines) at(offset int) position {
	p := l.Point(offset)
	if o := p.Offset; o > 0 && o < len(l.text) && (!utf8.RuneStart(l.text[o]) || l.text[o] == '\n' && l.text[o-1] == '\r') {
		p = l.Point(l.Offset(textpos.Point{Line: p.Line, UTF8: p.UTF8}))
	}
	if l.encoding == utf8Encoding {
		return position{p.Line - 1, p.UTF8 - 1}
	}
	return position{p.Line - 1, p.UTF16 - 1}
}

// span returns the range between two offsets.
func (l *lines) span(from, to int) span { return span{l.at(from), l.at(to)} }

// offset returns the offset of a position. A column past the end of its line is the
// end of the line, and a line past the end of the text is the end of the text.
func (l *lines) offset(p position) int {
	switch {
	case p.Line < 0:
		return 0
	case l.encoding == utf8Encoding:
		return l.Offset(textpos.Point{Line: p.Line + 1, UTF8: p.Character + 1})
	}
	return l.Offset(textpos.Point{Line: p.Line + 1, UTF16: p.Character + 1})
}

// content returns a line, counted from 0, without its end.
func (l *lines) content(line int) []byte {
	start, end := l.Line(line + 1)
	return l.text[start:end]
}
