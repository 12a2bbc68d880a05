package source

import (
	"cmp"
	"io/fs"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Fixes returns the fixes of issues as edits of the files, by their paths, and the issues
// that they fix. The issues are those of compiling the version of the outline, and the
// files must not have changed since. Comments, order and quotes stay as they are.
//
// A fix is left out if its value is not a string, or if it has no place in its file, such
// as one in a file that can't be parsed. Of several for the same value the first counts.
func (o *Outline) Fixes(fsys fs.FS, issues issue.Issues) (map[string][]document.Edit, issue.Issues) {
	byFile := make(map[string]issue.Issues)
	for _, i := range issues {
		if i.Fix != nil && i.Fix.Key == "" {
			byFile[i.Position.File] = append(byFile[i.Position.File], i)
		}
	}
	edits, fixed := make(map[string][]document.Edit), issue.Issues{}
	for i := range o.files {
		f := &o.files[i]
		if wanted := byFile[f.name]; len(wanted) > 0 && f.kind != symbolFiles {
			c := newCompiler(fsys, o.Version, &o.options)
			c.files = map[fileKind][]file{f.kind: {f.file}}
			for _, r := range readAll(c, f.kind, newFixer) {
				made, done := r.fix(wanted)
				if len(made) > 0 {
					edits[f.name], fixed = made, append(fixed, done...)
				}
			}
		}
	}
	return edits, fixed
}

// fixer makes the fixes of a file.
type fixer struct {
	root *node
	text *rawText
}

// newFixer reads a file. It returns nil if that can't be parsed.
func newFixer(d *decoder, data []byte) *fixer {
	root := d.parse(data)
	if root == nil {
		return nil
	}
	return &fixer{root, newRawText(d.file, data)}
}

// fix returns the edits in the order of the text.
func (x *fixer) fix(issues issue.Issues) ([]document.Edit, issue.Issues) {
	if x == nil {
		return nil, nil
	}
	var fixed issue.Issues
	r := &Renaming{Edits: make(map[string][]document.Edit)}
	taken := make(map[document.Range]bool)
	for _, i := range issues {
		n := x.root.find(i.Fix.Path)
		var value string
		if n == nil || n.kind != text || json.Unmarshal(i.Fix.Value, &value) != nil {
			continue
		}
		s, ok := x.text.scalar(n, false)
		at := x.text.in(s.content())
		if !ok || taken[at] || value == n.value {
			continue
		}
		taken[at] = true
		r.edit("", at, spellingOf(s.style), value)
		fixed = append(fixed, i)
	}
	edits := r.Edits[""]
	slices.SortFunc(edits, func(a, b document.Edit) int { return cmp.Compare(a.Range.Start, b.Range.Start) })
	return edits, fixed
}

// find returns the value at a path, or nil.
func (n *node) find(at issue.Path) *node {
	for _, step := range at {
		if n == nil {
			return nil
		}
		i, isIndex := step.IsIndex()
		switch {
		case !isIndex:
			n = n.get(step.Name())
		case n.kind == list && i < len(n.items):
			n = &n.items[i]
		default:
			return nil
		}
	}
	return n
}
