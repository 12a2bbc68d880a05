package lsp

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/authoring/outline"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/tolerant"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// limits bound what is read of a workspace. Documents that are left out are judged when
// they are open; the client shows a message about them. 0 means the default.
type limits struct {
	// Entries is how many files and directories are looked at; the default is
	// 200,000.
	Entries int
	// Documents is how many documents are judged; the default is 20,000.
	Documents int
	// FileSize is the size limit of a document in bytes; the default is 16 MiB.
	FileSize int64
	// Bytes is how much is read in all; the default is 1 GiB.
	Bytes int64
	// Findings is how many findings are kept; the default is 100,000.
	Findings int
}

func (l limits) withDefaults() limits {
	return limits{
		Entries: cmp.Or(l.Entries, 200_000), Documents: cmp.Or(l.Documents, 20_000), FileSize: cmp.Or(l.FileSize, 16<<20),
		Bytes: cmp.Or(l.Bytes, 1<<30), Findings: cmp.Or(l.Findings, 100_000),
	}
}

const (
	// listedAtOnce is how many entries of a directory are read at the same time.
	listedAtOnce = 256
	// maxDepth is how deep directories are nested that are looked at.
	maxDepth = 64
	// glance is how much of a file is read to see whether it can be a document.
	glance = 512
)

// candidate is a file that can be a document.
type candidate struct {
	folder *folder
	path   string
}

// walker looks for documents in the folders of a workspace, step by step. It follows no
// symbolic links: what they lead to is in the workspace anyway, or is not to be read.
type walker struct {
	limits  limits
	number  int
	folders []*folder

	// next returns the next file that can be a document. One without a folder only means
	// that a part of a directory was read, so that other work can be done between.
	next func() (candidate, bool)
	stop func()

	dirs    []string // of the folder, still to be read
	entries int
	read    int64
	left    leftOut
}

func newWalker(l limits, number int, folders []*folder) *walker {
	w := &walker{limits: l, number: number, folders: folders}
	w.next, w.stop = iter.Pull(w.walk)
	return w
}

func (w *walker) walk(yield func(candidate) bool) {
	for _, f := range w.folders {
		if f.files == nil {
			continue
		}
		for w.dirs = []string{"."}; len(w.dirs) > 0; {
			dir := w.dirs[len(w.dirs)-1]
			w.dirs = w.dirs[:len(w.dirs)-1]
			if !w.list(f, dir, yield) {
				return
			}
		}
	}
}

// list looks at the entries of a directory, and reports whether the walk goes on.
func (w *walker) list(f *folder, dir string, yield func(candidate) bool) bool {
	opened, err := f.files.Open(dir)
	if err == nil {
		defer func() { _ = opened.Close() }() // only read
	}
	listed, ok := opened.(fs.ReadDirFile)
	if err != nil || !ok {
		w.left.unreadable.add(dir)
		return yield(candidate{})
	}
	for {
		entries, err := listed.ReadDir(listedAtOnce)
		for _, e := range entries {
			if w.entries++; w.entries > w.limits.Entries {
				w.left.entries = w.limits.Entries
				return false
			}
			if name, ok := w.accept(dir, e); ok && !yield(candidate{f, name}) {
				return false
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			w.left.unreadable.add(dir)
		}
		if more := yield(candidate{}); !more || err != nil {
			return more
		}
	}
}

// accept looks at an entry of a directory. Directories are read later; hidden files and
// node_modules are skipped, as `datachain validate` does.
func (w *walker) accept(dir string, e fs.DirEntry) (string, bool) {
	name := path.Join(dir, e.Name())
	switch {
	case strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules":
		return "", false
	case !e.IsDir() && (!e.Type().IsRegular() || !isCandidate(name)):
		return "", false
	case !fs.ValidPath(name):
		w.left.names.add(strings.ToValidUTF8(name, "\uFFFD"))
		return "", false
	case !e.IsDir():
		return name, true
	case strings.Count(name, "/") >= maxDepth:
		w.left.deep.add(name)
	default:
		w.dirs = append(w.dirs, name)
	}
	return "", false
}

// isCandidate reports whether a file can be a document by its name.
func isCandidate(name string) bool { return strings.EqualFold(path.Ext(name), ".json") }

// errNotDocument is returned for a file that is not a document, errLarge for one that is
// too large.
var (
	errNotDocument = errors.New("lsp: not a document")
	errLarge       = errors.New("lsp: too large")
)

// readCandidate reads a file, unless its first bytes show that it is not a document.
func readCandidate(files fs.FS, name string, limit int64) ([]byte, error) {
	info, err := fs.Lstat(files, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNotDocument // opening a pipe would block
	}
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	var b bytes.Buffer
	if _, err := io.CopyN(&b, f, glance); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !strings.HasSuffix(name, extension) && !isObject(b.Bytes()) {
		return nil, errNotDocument
	}
	if info.Size() > limit {
		return nil, errLarge
	}
	text, err := limited.Read(io.MultiReader(&b, f), limit, info.Size())
	if errors.Is(err, limited.ErrTooLarge) {
		err = errLarge
	}
	return text, err
}

// isObject reports whether a text begins as a JSON object.
func isObject(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) && bytes.IndexByte(text, 0) < 0
}

// leftOut is what was not looked at.
type leftOut struct {
	entries, documents, findings   int // the limits that were reached
	bytes                          int64
	large, unreadable, deep, names tally
}

// tally counts files, and has the name of one of them.
type tally struct {
	count   int
	example string
}

func (t *tally) add(name string) {
	if t.count++; t.count == 1 {
		t.example = name
	}
}

// sizeText returns a number of bytes for people.
func sizeText(n int64) string {
	if n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

// message tells what was left out and what to do, or is "".
func (l *leftOut) message(most limits) string {
	var parts []string
	limit := func(n int, format string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, n))
		}
	}
	limit(l.entries, "there are more than %d files")
	limit(l.documents, "there are more than %d documents")
	if l.bytes > 0 {
		parts = append(parts, "they have more than "+sizeText(l.bytes))
	}
	limit(l.findings, "there are more than %d findings")
	for _, t := range []struct {
		tally
		what string
	}{
		{l.large, "larger than " + sizeText(most.FileSize)},
		{l.unreadable, "unreadable"},
		{l.deep, fmt.Sprintf("nested deeper than %d directories", maxDepth)},
		{l.names, "named with bytes that are not UTF-8"},
	} {
		switch t.count {
		case 0:
		case 1:
			parts = append(parts, fmt.Sprintf("%s is %s", wording.Clip(t.example), t.what))
		default:
			parts = append(parts, fmt.Sprintf("%s and %d more are %s", wording.Clip(t.example), t.count-1, t.what))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("Not all documents of the workspace are checked: %s. Documents that you open are always checked. To check the others, open a smaller folder or run 'datachain validate'.", wording.And(parts))
}

// place is what the value at a path means.
type place int

const (
	otherPlace place = iota
	versionPlace
	elementPlace          // the element_id of a placement
	contextPlace          // its context_type_id
	variablePlace         // the id of a variable value
	optionPlace           // an option id in the value of a select variable
	localePlace           // the locale of a text
	subchainPlace         // the subchain_id of a subchain instance
	subchainInstancePlace // the subchain_instance_id of a placement
	headPlace             // an entry of head_refs
	provenancePlace       // a key of element_provenance, as a path
	rationalePlace        // a key of variable_rationale, as a path
	categoryPlace         // the category_id of an element in the document
	provenanceKindPlace
)

// places are the places by the forms of their paths; see [formOf].
var places = map[string]place{
	"schema_version":                                                 versionPlace,
	"elements[].element_id":                                          elementPlace,
	"elements[].context_type_id":                                     contextPlace,
	"elements[].variables[].id":                                      variablePlace,
	"elements[].variables[].value[]":                                 optionPlace,
	"elements[].subchain_instance_id":                                subchainInstancePlace,
	"subchain_instances[].subchain_id":                               subchainPlace,
	"subchain_instances[].head_refs[]":                               headPlace,
	"authoring_provenance.kind":                                      provenanceKindPlace,
	"authoring_provenance.element_provenance.*":                      provenancePlace,
	"authoring_provenance.element_provenance.*.variable_rationale.*": rationalePlace,
	"schema_snapshot.elements[].category_id":                         categoryPlace,
	"suggested_elements[].category_id":                               categoryPlace,
	"schema_snapshot.datachain_type.categories[]":                    categoryPlace,
}

// placeOf returns what the value at a path means.
func placeOf(path issue.Path) place {
	form := formOf(path)
	if strings.HasSuffix(form, "[].locale") {
		return localePlace
	}
	return places[form]
}

// formOf returns a path without its indexes and without the keys of maps:
// elements[].variables[].id.
func formOf(path issue.Path) string {
	var b strings.Builder
	for i, step := range path {
		if _, isIndex := step.IsIndex(); isIndex {
			b.WriteString("[]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		if i > 0 && (path[i-1].Name() == "element_provenance" || path[i-1].Name() == "variable_rationale") {
			b.WriteByte('*')
		} else {
			b.WriteString(step.Name())
		}
	}
	return b.String()
}

// query is a request about a document, with its text as it was when the request
// arrived.
type query struct {
	session *session
	root    *root
	text    *text
	// schema is the version that the document pins, or nil if that is not
	// published.
	schema *datachain.Schema
	// files is the source, or nil.
	files   *files
	locales []string // of the user, the preferred one first
}

// newQuery opens the version that a document pins. That it is not published is not an
// error: what does not need it still works.
func newQuery(ctx context.Context, s *session, doc snapshot) (*query, error) {
	q := &query{session: s, root: doc.root, text: doc.text, files: doc.files, locales: s.localesOf(doc.text.at)}
	pin, _ := q.text.tree().Root().Get("schema_version")
	if _, err := taxonomy.ParseVersion(pin.Text()); err != nil {
		return q, nil //nolint:nilerr // a finding says so
	}
	schema, err := q.root.releases.Service.Open(ctx, pin.Text())
	if err == nil {
		q.schema = schema
	}
	return q, ctx.Err()
}

func (q *query) document() tolerant.Node { return q.text.tree().Root() }

// pick returns a text in the language of the user.
func (q *query) pick(l taxonomy.Localized) string { return l.Pick(q.locales...) }

// element returns an element of the version that the document pins, or nil.
func (q *query) element(id string) *taxonomy.Element {
	if q.schema == nil {
		return nil
	}
	e, _ := q.schema.Release().Element(id)
	return e
}

// category returns a category of the version that the document pins, or nil.
func (q *query) category(id string) *taxonomy.Category {
	if q.schema == nil {
		return nil
	}
	c, _ := q.schema.Release().Category(id)
	return c
}

// placed returns the element that is placed at or around a path, or nil.
func (q *query) placed(path issue.Path) *taxonomy.Element {
	if len(path) < 2 || path[0].Name() != "elements" {
		return nil
	}
	n, _ := q.text.tree().Find(path[:2].Key("element_id"))
	return q.element(n.Text())
}

// variable returns the variable whose value is at or around a path, or nil.
func (q *query) variable(path issue.Path) *taxonomy.Variable {
	e := q.placed(path)
	if e == nil || len(path) < 4 {
		return nil
	}
	n, _ := q.text.tree().Find(path[:4].Key("id"))
	v, _ := e.Variable(n.Text())
	return v
}

// provenanceOf returns the element that a key of element_provenance names: an
// element_instance_id or an element_id.
func (q *query) provenanceOf(key string) *taxonomy.Element {
	list, _ := q.document().Get("elements")
	for p := range list.All() {
		if id, _ := p.Get("element_instance_id"); id.Text() == key && key != "" {
			placed, _ := p.Get("element_id")
			return q.element(placed.Text())
		}
	}
	return q.element(key)
}

// option returns the option with an id of the variable whose value is at a path, or nil.
func (q *query) option(path issue.Path, id string) *taxonomy.Option {
	if v := q.variable(path); v != nil {
		for i := range v.Options {
			if v.Options[i].ID == id {
				return &v.Options[i]
			}
		}
	}
	return nil
}

// context returns the context of the element that is placed at or around a path, or nil.
func (q *query) context(path issue.Path) *taxonomy.Context {
	if e := q.placed(path); e != nil {
		if c := q.category(e.CategoryID); c != nil {
			return &c.Context
		}
	}
	return nil
}

// atCursor returns the id at a cursor, with its place: a key or a value.
func atCursor(at tolerant.Cursor) (id string, place document.Range) {
	if at.Role == tolerant.Key {
		return at.Node.Key(), at.Node.KeyRange()
	}
	return at.Node.Text(), at.Node.Range()
}

// outline returns the outline of the version that the document pins, or nil if it is not in
// the source.
func (q *query) outline() *outline.Outline {
	if q.files == nil || q.schema == nil {
		return nil
	}
	outline, _ := q.root.outlines.get(q.files, q.schema.Release().Version()) // nil with an error
	return outline
}
