package outline

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Fixes returns the fixes of issues as edits of the files, by their paths, and the issues
// that they fix. The issues are those of compiling the version of the outline, and the
// files must not have changed since. Comments, order and quotes stay as they are.
//
// A fix is left out if its value is not a string, if the object has its key already, or if
// it has no place in its file, such as one in a file that can't be parsed. Of several for
// the same value or key the first counts.
func (o *Outline) Fixes(fsys fs.FS, issues issue.Issues) (map[string][]document.Edit, issue.Issues) {
	byFile := make(map[string]issue.Issues)
	for _, i := range issues {
		if i.Fix != nil {
			byFile[i.Position.File] = append(byFile[i.Position.File], i)
		}
	}
	edits, fixed := make(map[string][]document.Edit), issue.Issues{}
	for i := range o.files {
		f := &o.files[i]
		if requested := byFile[f.Name]; len(requested) > 0 && f.Kind != folder.Symbols {
			folder.New(fsys, o.Version, folder.Options{}).Read([]folder.Entry{f.Entry}, func(_ int, file *folder.File) {
				root, data := file.Parse()
				if root == nil {
					return
				}
				if fileEdits, done := fix(root, yaml.NewText(file.Name, data), requested); len(fileEdits) > 0 {
					edits[f.Name], fixed = fileEdits, append(fixed, done...)
				}
			})
		}
	}
	return edits, fixed
}

// fix returns the edits of a file that fix issues, in the order of the text, and the issues
// that they fix.
func fix(root *yaml.Node, raw *yaml.Text, issues issue.Issues) ([]document.Edit, issue.Issues) {
	var edits []document.Edit
	var fixed issue.Issues
	replaced := make(map[document.Range]bool)
	for _, i := range issues {
		n := root.Find(i.Fix.Path)
		value := i.Fix.Key
		switch {
		case n == nil:
			continue
		case value != "":
			if !n.InObject() || n.Parent.Get(value) != nil {
				continue
			}
			n = &yaml.Node{Kind: yaml.String, Place: n.KeyAt, Value: n.Key}
		case n.Kind != yaml.String || json.Unmarshal(i.Fix.Value, &value) != nil:
			continue
		}
		s, ok := raw.Scalar(n, false)
		at := raw.Range(s.Content())
		if !ok || replaced[at] || value == n.Value {
			continue
		}
		replaced[at] = true
		edits = append(edits, document.Edit{Range: at, Text: write(value, s.Style)})
		fixed = append(fixed, i)
	}
	slices.SortFunc(edits, func(a, b document.Edit) int { return cmp.Compare(a.Range.Start, b.Range.Start) })
	return edits, fixed
}

// write returns a value as it is written in place of one with a YAML style. Without quotes, as an
// alias was, it gets them if YAML would not read it as text.
func write(value string, style byte) []byte {
	bare := style == 0 || style == '*'
	if bare && (yaml.PlainKind(value) != yaml.String || strings.HasPrefix(value, "-")) {
		return []byte(`"` + value + `"`)
	}
	return []byte(value)
}
