package lsp

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/outline"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/tolerant"
)

type referenceParams struct {
	positionParams
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

// references lists the references to what is at a position, in the source and in documents
// that pin its version.
func (q *sourceQuery) references(ctx context.Context, p *referenceParams) (any, error) {
	d := q.target(p.Position)
	if d == nil {
		return []location{}, nil
	}
	return q.referencesTo(ctx, d, p.Context.IncludeDeclaration)
}

// references lists the references to an id of the source, in the source and in documents.
func (q *query) references(ctx context.Context, p *referenceParams) (any, error) {
	in, d, _ := q.definitionAt(p.Position)
	if in == nil {
		return nil, nil
	}
	return in.referencesTo(ctx, d, p.Context.IncludeDeclaration)
}

func (q *sourceQuery) referencesTo(ctx context.Context, d *outline.Definition, declared bool) (any, error) {
	list := []location{}
	text := q.files.texts(q.session.client.encoding)
	if declared {
		for _, same := range q.outline.Group(d) {
			list = append(list, text(same.File).location(same.IDRange))
		}
	}
	for _, r := range q.outline.ReferencesTo(d) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		list = append(list, text(r.File).location(r.Range))
	}
	documents, _, err := q.mentions(ctx, d)
	for _, m := range documents {
		for _, at := range m.places {
			list = append(list, m.text.location(at))
		}
	}
	slices.SortFunc(list, func(a, b location) int {
		return cmp.Or(strings.Compare(a.URI, b.URI), a.Range.Start.Line-b.Range.Start.Line)
	})
	return list, err
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
func (q *sourceQuery) mentions(ctx context.Context, d *outline.Definition) (list, others []mention, err error) {
	group := q.outline.Group(d)
	for _, doc := range q.session.workspaceDocuments(ctx, q.releases, d.ID) {
		in, err := newQuery(ctx, q.session, doc)
		if err != nil {
			return nil, nil, err
		}
		version, err := taxonomy.ParseVersion(in.pin())
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

// workspaceDocuments returns the documents that are validated by releases and contain a text:
// those that are open, and the saved ones of the folders. It waits until these were found.
func (s *session) workspaceDocuments(ctx context.Context, r *openReleases, containing string) []snapshot {
	if err := s.await(ctx, func() bool { return !s.scanner.running }); err != nil {
		return nil
	}
	var found []snapshot
	var saved []candidate
	s.mu.Lock()
	files := s.files(r)
	for _, d := range s.documents {
		if d.recognized && d.releases == r && d.text.tooLarge == 0 {
			found = append(found, snapshot{text: d.text, releases: r, files: files})
		}
	}
	for at, known := range s.reports {
		f, path := s.workspace.folderOf(at)
		if !known.source && s.documents[at] == nil && f != nil && f.files != nil && f.releases == r {
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
			found = append(found, snapshot{text: t, releases: r, files: files})
		}
	}
	found = slices.DeleteFunc(found, func(d snapshot) bool { return !bytes.Contains(d.text.content, []byte(containing)) })
	slices.SortFunc(found, func(a, b snapshot) int { return strings.Compare(a.text.uri, b.text.uri) })
	return found
}

// placesOf returns the places of a document that mean one of some definitions.
func (q *query) placesOf(ctx context.Context, o *outline.Outline, wanted []*outline.Definition) []document.Range {
	var places []document.Range
	add := func(n tolerant.Node, at document.Range, id string) {
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
	q.walk(ctx, q.document(), func(n tolerant.Node) bool {
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
