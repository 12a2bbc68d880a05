package lsp

import (
	"context"

	"github.com/datachain-go/datachain/internal/wording"
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
	// releases are what it is validated by, or those of the source that it belongs to.
	releases *openReleases
	file     sourceFile // of a source, or the zero value
	// recognized is set if it is a datachain document.
	recognized bool
	// lastGood is the last text without errors, or nil.
	lastGood *text
	// files are the source of the releases, or nil. They are set only for a request.
	files *files
}

// inSource reports whether the document is a file of a source.
func (d *snapshot) inSource() bool { return d.file.releases != nil }

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
		if d.inSource() {
			s.fileSaved(d.file)
		} else {
			s.validate(d)
		}
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
	if d.inSource() {
		s.lint(d.file) // what is saved counts again
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
	}
	t.open, d.text = true, t
	s.classify(d)
	if d.recognized {
		s.latest = t.uri
	}
	s.check(d)
}

// classify determines what a document is, and what it is validated by. The caller has the lock.
func (s *session) classify(d *openDocument) {
	d.file, _ = s.workspace.sourceOf(d.text.at)
	if d.inSource() {
		d.releases, d.recognized = d.file.releases, false
		return
	}
	d.releases, d.recognized = s.workspace.releasesOf(d.text.at), d.text.recognized(d.recognized)
}

// check validates a document, or lints a file of the source. The caller has the lock.
func (s *session) check(d *openDocument) {
	if d.inSource() {
		s.lint(d.file)
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
	doc.files = s.files(d.releases)
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
