package lsp

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/jsonedit"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/source"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// workspaceDocuments returns the documents that are judged by a root and contain a text:
// those that are open, and the saved ones of the folders. It waits until these were found.
func (s *session) workspaceDocuments(ctx context.Context, r *root, containing string) []snapshot {
	for ctx.Err() == nil {
		s.mu.Lock()
		running, news := s.scanner.running, s.news
		s.mu.Unlock()
		if !running {
			break
		}
		select {
		case <-news:
		case <-ctx.Done():
		}
	}
	var found []snapshot
	var saved []candidate
	s.mu.Lock()
	files := s.files(r)
	for _, d := range s.documents {
		if d.recognized && d.root == r && d.text.tooLarge == 0 {
			found = append(found, snapshot{text: d.text, recognized: true, root: r, files: files, open: true})
		}
	}
	for at, known := range s.reports {
		f, path := s.workspace.folderOf(at)
		if !known.source && s.documents[at] == nil && f != nil && f.files != nil && f.root == r {
			saved = append(saved, candidate{f, path})
		}
	}
	s.mu.Unlock()
	limit := s.server.options.limits.withDefaults().FileSize
	for _, c := range saved {
		if ctx.Err() != nil {
			return nil
		}
		content, err := readCandidate(c.folder.files, c.path, limit)
		if err == nil && bytes.Contains(content, []byte(containing)) {
			t := newText(join(c.folder.uri, c.path), 0, string(content), s.client.encoding)
			found = append(found, snapshot{text: t, root: r, files: files})
		}
	}
	found = slices.DeleteFunc(found, func(d snapshot) bool { return !bytes.Contains(d.text.content, []byte(containing)) })
	slices.SortFunc(found, func(a, b snapshot) int { return strings.Compare(a.text.uri, b.text.uri) })
	return found
}

// mention is a document with the places of an id in it.
type mention struct {
	snapshot
	places []document.Range // without quotes
}

// mentions returns the documents that pin the version of the source and refer to a
// definition. Those that pin another version of the type and have the id are others:
// what they mean by it is not known. A resolved document has a copy of the definition, and
// is one of them.
func (q *sourceQuery) mentions(ctx context.Context, d *source.Definition) (list, others []mention, err error) {
	group := q.outline.Group(d)
	for _, doc := range q.session.workspaceDocuments(ctx, q.root, d.ID) {
		in, err := newQuery(ctx, q.session, doc)
		if err != nil {
			return nil, nil, err
		}
		pin, _ := in.document().Get("schema_version")
		version, err := taxonomy.ParseVersion(pin.Text())
		if err != nil || version.Type() != q.outline.Version.Type() {
			continue
		}
		m := mention{snapshot: doc}
		_, resolved := in.document().Get("schema_snapshot")
		if version == q.outline.Version && !resolved {
			m.places = in.placesOf(ctx, q.outline, group)
		}
		switch {
		case len(m.places) > 0:
			list = append(list, m)
		case (version != q.outline.Version || resolved) && bytes.Contains(doc.text.content, []byte(quote(d.ID))):
			others = append(others, m)
		}
	}
	return list, others, ctx.Err()
}

// placesOf returns the places of a document that mean one of some definitions.
func (q *query) placesOf(ctx context.Context, o *source.Outline, wanted []*source.Definition) []document.Range {
	var places []document.Range
	add := func(n jsonedit.Node, at document.Range, id string) {
		inner := document.Range{Start: at.Start + 1, End: at.End - 1}
		if inner.Start > inner.End || string(q.text.content[inner.Start:inner.End]) != id {
			return
		}
		for _, d := range q.defined(o, n.Path(), id) {
			if slices.Contains(wanted, d) {
				places = append(places, inner)
				return
			}
		}
	}
	q.walk(ctx, q.document(), func(n jsonedit.Node) bool {
		place := placeOf(n.Path())
		if isKey := place == provenancePlace || place == rationalePlace; isKey {
			add(n, n.KeyRange(), n.Key())
		} else if n.Kind() == '"' {
			add(n, n.Range(), n.Text())
		}
		return true
	})
	return places
}

// inSource returns the query of the source about what is at a position of a document, or
// nil if the source does not define it.
func (q *query) inSource(p position) (*sourceQuery, *source.Definition, document.Range) {
	at := q.text.tree().At(q.text.lines().offset(p))
	if q.files == nil || q.schema == nil || !at.Node.Exists() {
		return nil, nil, document.Range{}
	}
	outline, err := q.root.outlines.get(q.files, q.schema.Release().Version())
	if err != nil { // the version is not in the source
		return nil, nil, document.Range{}
	}
	id, place := at.Node.Text(), at.Node.Range()
	if at.Role == jsonedit.Key {
		id, place = at.Node.Key(), at.Node.KeyRange()
	}
	list := q.defined(outline, at.Node.Path(), id)
	if len(list) == 0 {
		return nil, nil, document.Range{}
	}
	return &sourceQuery{q.session, q.root, q.files, "", q.text, outline}, list[0], document.Range{Start: place.Start + 1, End: place.End - 1}
}

// references lists the references to an id of the source, in the source and in documents.
func (q *query) references(ctx context.Context, p *referenceParams) (any, error) {
	in, d, _ := q.inSource(p.Position)
	if in == nil {
		return nil, nil
	}
	return in.referencesTo(ctx, d, p.Context.IncludeDeclaration)
}

// prepareRename returns the id at a position of a document that can be renamed, or null.
func (q *query) prepareRename(_ context.Context, p *positionParams) (any, error) {
	in, _, at := q.inSource(p.Position)
	if in == nil {
		return nil, nil
	}
	return q.text.lines().span(at.Start, at.End), nil
}

// rename renames an id of the source, there and in documents.
func (q *query) rename(ctx context.Context, p *renameParams) (any, error) {
	in, d, _ := q.inSource(p.Position)
	if in == nil {
		return nil, failed(codeRequestFailed, "There is no id of a schema source to rename here.")
	}
	return in.renameTo(ctx, d, p.NewName)
}

// tellOthers lists the documents that a rename did not change.
func (s *session) tellOthers(version taxonomy.Version, id string, others []mention) {
	if len(others) == 0 {
		return
	}
	const most = 10
	var names []string
	for _, m := range others[:min(len(others), most)] {
		names = append(names, m.text.at.path)
	}
	if more := len(others) - most; more > 0 {
		names = append(names, prose.Count(more, "other"))
	}
	s.warn(fmt.Sprintf("%s was renamed in %s and in documents that pin it. Resolved documents and those that pin other versions still have it: %s.",
		id, version, prose.And(names)))
}
