package lsp

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/outline"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/tolerant"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// sourceQuery is a request about a file of the source.
type sourceQuery struct {
	*query  // without a version that is pinned
	file    string
	outline *outline.Outline
}

// newSourceQuery reads the outline of the version that a file belongs to.
func (s *session) newSourceQuery(doc snapshot) (*sourceQuery, error) {
	q := &sourceQuery{file: doc.file.path, outline: new(outline.Outline), query: &query{
		session: s, root: doc.root, text: doc.text, files: doc.files, locales: s.localesOf(doc.text.at),
	}}
	v := doc.file.version
	if v.IsZero() { // of an evolution.yaml: the newest version has the ids that entries lead to
		versions, _, err := source.Versions(doc.files)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(versions, func(of taxonomy.Version) bool { return of.Type() == evolutionType(doc.file.path) })
		if i < 0 {
			return q, nil
		}
		v = versions[i]
	}
	var err error
	q.outline, err = doc.root.outlines.get(doc.files, v)
	return q, err
}

// target returns what is defined or meant at a position, or nil.
func (q *sourceQuery) target(p position) *outline.Definition {
	d, ref := q.outline.At(q.file, q.text.lines().offset(p))
	if ref != nil {
		return ref.Definition
	}
	return d
}

// location returns the place of a definition. A symbol is a whole file.
func (f *files) location(file string, at document.Range, e encoding) location {
	return f.text(file, e).location(at)
}

// location returns the place of a range.
func (t *text) location(at document.Range) location {
	return location{t.uri, t.lines().span(at.Start, at.End)}
}

// definition goes from a reference in the source to what it means.
func (q *sourceQuery) definition(_ context.Context, p *positionParams) (any, error) {
	list := []location{}
	if d := q.target(p.Position); d != nil {
		list = append(list, q.files.location(d.File, d.IDRange, q.session.client.encoding))
	}
	return list, nil
}

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

// definition goes from an id in a document to where it is defined: in the document
// itself, or in the source of the version that it pins.
func (q *query) definition(_ context.Context, p *positionParams) (any, error) {
	list := []location{}
	at := q.text.tree().At(q.text.lines().offset(p.Position))
	if !at.Node.Exists() {
		return list, nil
	}
	path := at.Node.Path()
	id, _ := atCursor(at)
	for _, n := range q.within(path, id) {
		list = append(list, q.text.location(n.Range()))
	}
	outline := q.outline()
	if outline == nil {
		return list, nil
	}
	for _, d := range q.defined(outline, path, id) {
		list = append(list, q.files.location(d.File, d.IDRange, q.session.client.encoding))
	}
	return list, nil
}

// within returns the places in the document that define an id.
func (q *query) within(path issue.Path, id string) []tolerant.Node {
	var found []tolerant.Node
	find := func(list string, keys ...string) {
		items, _ := q.document().Get(list)
		for item := range items.All() {
			for _, key := range keys {
				if n, ok := item.Get(key); ok && n.Text() == id && id != "" {
					found = append(found, n)
				}
			}
		}
	}
	switch placeOf(path) {
	case subchainInstancePlace:
		find("subchain_instances", "id")
	case headPlace:
		find("subchain_instances", "id")
		find("elements", "element_instance_id", "element_id")
	case provenancePlace:
		find("elements", "element_instance_id", "element_id")
	}
	return found
}

// defined returns the definitions of an id in the source.
func (q *query) defined(o *outline.Outline, path issue.Path, id string) []*outline.Definition {
	owned := func(kind source.Kind, owner string) []*outline.Definition {
		var list []*outline.Definition
		for _, d := range o.Find(kind, id) {
			if d.In != nil && d.In.ID == owner {
				list = append(list, d)
			}
		}
		return list
	}
	switch placeOf(path) {
	case elementPlace:
		return o.Find(source.KindElement, id)
	case provenancePlace, headPlace: // an element_instance_id, or else the element_id of a placement
		for _, n := range q.within(path, id) {
			if n.Key() != "element_id" {
				return nil
			}
		}
		return o.Find(source.KindElement, id)
	case rationalePlace:
		if e := q.provenanceOf(path[2].Name()); e != nil {
			if d := o.Variable(e.ID, id); d != nil {
				return []*outline.Definition{d}
			}
		}
	case categoryPlace:
		return o.Find(source.KindCategory, id)
	case subchainPlace:
		return o.Find(source.KindSubchain, id)
	case contextPlace:
		if e := q.placed(path); e != nil {
			return owned(source.KindContextValue, e.CategoryID)
		}
	case variablePlace:
		if e := q.placed(path); e != nil {
			if d := o.Variable(e.ID, id); d != nil {
				return []*outline.Definition{d}
			}
		}
	case optionPlace:
		if v := q.variable(path); v != nil {
			return owned(source.KindOption, v.ID)
		}
	}
	return nil
}

type renameParams struct {
	positionParams
	NewName string `json:"newName"`
}

// fileRename renames a file, as a part of a workspace edit.
type fileRename struct {
	Kind   string `json:"kind"`
	OldURI string `json:"oldUri"`
	NewURI string `json:"newUri"`
}

// prepareRename returns the id at a position that can be renamed, or null.
func (q *sourceQuery) prepareRename(_ context.Context, p *positionParams) (any, error) {
	d, ref := q.outline.At(q.file, q.text.lines().offset(p.Position))
	at := document.Range{}
	switch {
	case ref != nil && ref.Definition != nil:
		at = ref.Range
	case ref == nil && d != nil:
		at = d.IDRange
	}
	if at.Start == at.End {
		return nil, nil
	}
	return q.text.lines().span(at.Start, at.End), nil
}

// rename gives an id another name in all files of its version, and in the documents that
// pin it. A symbol is a file, which only some clients can rename.
func (q *sourceQuery) rename(ctx context.Context, p *renameParams) (any, error) {
	d := q.target(p.Position)
	if d == nil {
		return nil, failed(codeRequestFailed, "There is no id to rename here.")
	}
	return q.renameTo(ctx, d, p.NewName)
}

func (q *sourceQuery) renameTo(ctx context.Context, d *outline.Definition, name string) (any, error) {
	if v := q.outline.Version; v.Status() != taxonomy.Beta {
		return nil, failed(codeRequestFailed, "%s is stable, so its ids do not change: rename %s in a beta version.", v, d.ID)
	}
	if d.Kind == source.KindSymbol && !q.session.client.renameFiles {
		return nil, failed(codeRequestFailed, "A symbol is a file, and the editor can't rename files.")
	}
	renaming, err := q.outline.Rename(d, name)
	if err != nil {
		return nil, failed(codeRequestFailed, "%v", err)
	}
	documents, others, err := q.mentions(ctx, d)
	if err != nil {
		return nil, err
	}
	var edit workspaceEdit
	for _, file := range slices.Sorted(maps.Keys(renaming.Edits)) {
		t := q.files.text(file, q.session.client.encoding)
		q.session.addEdits(&edit, t, renaming.Edits[file])
	}
	for _, m := range documents {
		var edits []document.Edit
		for _, at := range m.places {
			edits = append(edits, document.Edit{Range: at, Text: []byte(name)})
		}
		q.session.addEdits(&edit, m.text, edits)
	}
	q.session.warnNotRenamed(q.outline.Version, d.ID, others)
	for _, file := range slices.Sorted(maps.Keys(renaming.Files)) {
		edit.DocumentChanges = append(edit.DocumentChanges, fileRename{"rename", q.files.uri(file), q.files.uri(renaming.Files[file])})
	}
	return edit, nil
}

// workspaceDocuments returns the documents that are validated by a root and contain a text:
// those that are open, and the saved ones of the folders. It waits until these were found.
func (s *session) workspaceDocuments(ctx context.Context, r *root, containing string) []snapshot {
	if err := s.await(ctx, func() bool { return !s.scanner.running }); err != nil {
		return nil
	}
	var found []snapshot
	var saved []candidate
	s.mu.Lock()
	files := s.files(r)
	for _, d := range s.documents {
		if d.recognized && d.root == r && d.text.tooLarge == 0 {
			found = append(found, snapshot{text: d.text, root: r, files: files})
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
func (q *sourceQuery) mentions(ctx context.Context, d *outline.Definition) (list, others []mention, err error) {
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

// inSource returns the query of the source about what is at a position of a document, or
// nil if the source does not define it.
func (q *query) inSource(p position) (*sourceQuery, *outline.Definition, document.Range) {
	at := q.text.tree().At(q.text.lines().offset(p))
	outline := q.outline()
	if outline == nil || !at.Node.Exists() {
		return nil, nil, document.Range{}
	}
	id, place := atCursor(at)
	list := q.defined(outline, at.Node.Path(), id)
	if len(list) == 0 {
		return nil, nil, document.Range{}
	}
	return &sourceQuery{query: q, outline: outline}, list[0], document.Range{Start: place.Start + 1, End: place.End - 1}
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

// warnNotRenamed lists the documents that a rename did not change.
func (s *session) warnNotRenamed(version taxonomy.Version, id string, others []mention) {
	if len(others) == 0 {
		return
	}
	const most = 10
	var names []string
	for _, m := range others[:min(len(others), most)] {
		names = append(names, m.text.at.path)
	}
	if more := len(others) - most; more > 0 {
		names = append(names, wording.Count(more, "other"))
	}
	s.warn(fmt.Sprintf("%s was renamed in %s and in documents that pin it. Resolved documents and those that pin other versions still have it: %s.",
		id, version, wording.And(names)))
}
