package lsp

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/datachain-go/datachain/authoring/outline"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document/tolerant"
)

// maxOutlines is how many outlines a source keeps. The outline of 10,000 elements has
// about 50 MB.
const maxOutlines = 4

// outlines keeps the outlines of the versions that are edited. The outline of a large
// version takes seconds to read, and each key that a user presses needs it; a change
// of one file takes milliseconds.
type outlines struct {
	mu   sync.Mutex
	kept []*keptOutline // the last used one first
}

// outlineKey names an outline: that of the current texts, or that of the last good
// ones.
type outlineKey struct {
	version taxonomy.Version
	good    bool
}

// keptOutline is an outline with the state of the files that it was made of. The lock
// is held while it is updated, so that others wait for the result.
type keptOutline struct {
	key     outlineKey
	mu      sync.Mutex
	outline *outline.Outline
	readState
}

// readState is the state of the files of a version when they were read: the texts that were
// open, and what was saved.
type readState struct {
	open  map[string]*text
	saved *savedState
}

// state returns the state of the files of a version.
func (f *files) state(v taxonomy.Version) readState { return readState{f.openIn(v), f.saving} }

// get returns the outline of a version.
func (o *outlines) get(at *files, v taxonomy.Version) (*outline.Outline, error) {
	k := o.keep(outlineKey{v, at.lastGood})
	k.mu.Lock()
	defer k.mu.Unlock()
	var next *outline.Outline
	var err error
	switch changed, known := k.changed(at, v); {
	case k.outline == nil || !known:
		next, err = outline.New(at, v)
	case len(changed) == 0:
		return k.outline, nil
	default:
		next, err = k.outline.Update(at, changed...)
	}
	if err != nil {
		k.outline = nil
		return nil, err
	}
	k.outline, k.readState = next, at.state(v)
	return next, nil
}

// keep returns the entry of a key, and drops the one that was not used for longest if
// there are too many.
func (o *outlines) keep(key outlineKey) *keptOutline {
	o.mu.Lock()
	defer o.mu.Unlock()
	i := slices.IndexFunc(o.kept, func(k *keptOutline) bool { return k.key == key })
	if i < 0 {
		o.kept = append(o.kept, &keptOutline{key: key})
		i = len(o.kept) - 1
	}
	used := o.kept[i]
	o.kept = slices.Insert(slices.Delete(o.kept, i, i+1), 0, used)
	if len(o.kept) > maxOutlines {
		o.kept[maxOutlines] = nil
		o.kept = o.kept[:maxOutlines]
	}
	return used
}

// changed returns the files of a version that have changed since they were read, or false
// if that is not known.
func (s *readState) changed(at *files, v taxonomy.Version) ([]string, bool) {
	changed, known := at.saving.since(s.saved)
	if !known {
		return nil, false
	}
	open := at.openIn(v)
	for file, t := range open {
		if s.open[file] != t {
			changed = append(changed, file)
		}
	}
	for file := range s.open {
		if open[file] == nil {
			changed = append(changed, file)
		}
	}
	return slices.DeleteFunc(changed, func(file string) bool {
		in, ok := versionOf(file)
		return !ok || in != v
	}), true
}

// savedState counts the changes of saved files. It does not change: each change makes a
// new one.
type savedState struct {
	// all counts the changes of which it is not known what they changed, and last
	// all others. files has the last change of each file.
	all, last int
	files     map[string]int
}

// maxSavedChanges is how many changed files are remembered.
const maxSavedChanges = 1000

// changed returns the state after a change of some files; none means that any file may
// have changed.
func (s *savedState) changed(files ...string) *savedState {
	next := &savedState{all: s.all, last: s.last + 1, files: maps.Clone(s.files)}
	if len(files) == 0 || len(files)+len(s.files) > maxSavedChanges {
		next.all++
		next.files = nil
		return next
	}
	if next.files == nil {
		next.files = make(map[string]int)
	}
	for _, file := range files {
		next.files[file] = next.last
	}
	return next
}

// since returns the files that were changed since an older or newer state, or false if
// that is not known.
func (s *savedState) since(other *savedState) ([]string, bool) {
	if s == other {
		return nil, true
	}
	if other == nil || s.all != other.all {
		return nil, false
	}
	older, newer := s, other
	if older.last > newer.last {
		older, newer = newer, older
	}
	var list []string
	for file, change := range newer.files {
		if change > older.last {
			list = append(list, file)
		}
	}
	return list, true
}

// walk calls visit for a node and all below it, in the order of the text, until visit
// returns false.
func (q *query) walk(ctx context.Context, n tolerant.Node, visit func(tolerant.Node) bool) bool {
	if ctx.Err() != nil || !visit(n) {
		return false
	}
	for child := range n.All() {
		if !q.walk(ctx, child, visit) {
			return false
		}
	}
	return true
}

// Kinds of symbols.
const (
	symbolProperty = 7
	symbolString   = 15
	symbolArray    = 18
	symbolObject   = 19
)

type documentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           int              `json:"kind"`
	Range          span             `json:"range"`
	SelectionRange span             `json:"selectionRange"`
	Children       []documentSymbol `json:"children,omitempty"`
}

// symbolInformation is a symbol for clients that do not show a tree.
type symbolInformation struct {
	Name      string   `json:"name"`
	Kind      int      `json:"kind"`
	Location  location `json:"location"`
	Container string   `json:"containerName,omitempty"`
}

// symbols lists the fields of a document, and its placements by title.
func (q *query) symbols(ctx context.Context, _ *documentParams) (any, error) {
	var list []documentSymbol
	for n := range q.document().All() {
		if !n.IsMember() {
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s := q.symbol(n, n.Key(), n.Text())
		switch n.Key() {
		case "elements":
			for p := range n.All() {
				s.Children = append(s.Children, q.placementSymbol(ctx, p))
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
			}
		case "subchain_instances":
			for i := range n.All() {
				id, _ := i.Get("id")
				subchain, _ := i.Get("subchain_id")
				s.Children = append(s.Children, q.symbol(i, id.Text(), subchain.Text()))
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
			}
		}
		list = append(list, s)
	}
	return q.session.symbols(q.text, list), nil
}

// symbols returns a tree of symbols as the client shows it.
func (s *session) symbols(t *text, tree []documentSymbol) any {
	if s.client.symbolTree {
		return orEmpty(tree)
	}
	return t.flat(nil, tree, "")
}

// symbols lists what a file of the source defines, by title: elements and categories with
// their variables, options and context values.
func (q *sourceQuery) symbols(ctx context.Context, _ *documentParams) (any, error) {
	kinds := map[source.Kind]int{source.KindVariable: symbolProperty, source.KindOption: symbolString, source.KindContextValue: symbolString}
	inside := make(map[*outline.Definition][]*outline.Definition)
	for _, d := range q.outline.Definitions {
		if d.File != q.file || d.Range.Start == d.Range.End {
			continue // of another file, or a symbol
		}
		if d.In != nil && d.In.File == q.file {
			inside[d.In] = append(inside[d.In], d)
		} else {
			inside[nil] = append(inside[nil], d)
		}
	}
	lines := q.text.lines()
	var list func(in *outline.Definition) []documentSymbol
	list = func(in *outline.Definition) []documentSymbol {
		var symbols []documentSymbol
		for _, d := range inside[in] {
			s := documentSymbol{
				Name: cmp.Or(q.titleOf(d), d.ID, "…"), Detail: wording.Clip(d.ID), Kind: cmp.Or(kinds[d.Kind], symbolObject),
				Range: lines.span(d.Range.Start, d.Range.End), Children: list(d),
			}
			s.SelectionRange = s.Range
			if d.IDRange.Start >= d.Range.Start && d.IDRange.End <= d.Range.End {
				s.SelectionRange = lines.span(d.IDRange.Start, d.IDRange.End)
			}
			symbols = append(symbols, s)
		}
		return symbols
	}
	return q.session.symbols(q.text, list(nil)), ctx.Err()
}

func (q *query) symbol(n tolerant.Node, name, detail string) documentSymbol {
	kinds := map[byte]int{'{': symbolObject, '[': symbolArray, '"': symbolString}
	kind, ok := kinds[n.Kind()]
	if !ok {
		kind = symbolProperty
	}
	whole := q.text.lines().span(n.Whole().Start, n.Whole().End)
	selected := whole
	if n.IsMember() {
		selected = q.text.lines().span(n.KeyRange().Start, n.KeyRange().End)
	}
	if name == "" {
		name = "…" // clients refuse an empty one
	}
	return documentSymbol{Name: name, Detail: wording.Clip(detail), Kind: kind, Range: whole, SelectionRange: selected}
}

func (q *query) placementSymbol(ctx context.Context, n tolerant.Node) documentSymbol {
	id, _ := n.Get("element_id")
	name := id.Text()
	if e := q.element(id.Text()); e != nil {
		name = q.title(e)
	}
	s := q.symbol(n, name, id.Text())
	if id.Exists() {
		s.SelectionRange = q.text.lines().span(id.Range().Start, id.Range().End)
	}
	variables, _ := n.Get("variables")
	for v := range variables.All() {
		if ctx.Err() != nil {
			break // the caller returns it
		}
		id, _ := v.Get("id")
		value, _ := v.Get("value")
		name := id.Text()
		if declared := q.variable(v.Path()); declared != nil {
			name = q.pick(declared.Label)
		}
		s.Children = append(s.Children, q.symbol(v, name, shown(value)))
	}
	return s
}

// shown returns the first text of a variable's value.
func shown(value tolerant.Node) string {
	for item := range value.All() {
		if text, ok := item.Get("value"); ok {
			return text.Text()
		}
		return item.Text()
	}
	return value.Text()
}

func (t *text) flat(list []symbolInformation, tree []documentSymbol, container string) []symbolInformation {
	for _, s := range tree {
		list = append(list, symbolInformation{s.Name, s.Kind, location{t.uri, s.Range}, container})
		list = t.flat(list, s.Children, s.Name)
	}
	return orEmpty(list)
}

// orEmpty returns a list that is [] in JSON if it is empty.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
