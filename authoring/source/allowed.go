package source

import (
	"strings"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// allowedFiles is the file with intended breaking changes, beside the schema file.
const allowedFiles fileKind = "allowed-changes"

// maxAllowed limits the entries of that file.
const maxAllowed = 10_000

// Allowance is an entry of allowed-changes.yaml: a breaking change since the last
// stable version that is intended. It is not part of the release.
type Allowance struct {
	// Rule is the id of the rule that calls the change breaking, and Subject what
	// the change is about; see package evolution/diff. Neither is checked here.
	Rule, Subject string
	// Reason says why the change is intended.
	Reason string
	// Position is the place of the entry.
	Position issue.Position
}

// readAllowed reads the intended breaking changes.
func (c *compiler) readAllowed() []Allowance {
	var all []Allowance
	for _, list := range readAll(c, allowedFiles, parsed((*decoder).allowed)) {
		all = append(all, list...)
	}
	return all
}

func (d *decoder) allowed(root *node) []Allowance {
	const hint = "write a list of {rule, subject, reason}"
	file := fields{d, root, "Allowed changes"}
	switch {
	case root.kind == null && root.parent == nil:
		return nil // every entry is a comment
	case root.kind != list:
		file.wrong(issue.CodeFieldType, root, hint, "must be a list, not %s", root)
		return nil
	case len(root.items) > maxAllowed:
		file.wrong(issue.CodeFieldValue, root, "shorten the list", "the file has %d items, but at most %d are allowed", len(root.items), maxAllowed)
		return nil
	}
	var all []Allowance
	for i := range root.items {
		item := &root.items[i]
		o, ok := d.fields(item, "Allowed change", "!rule", "!subject", "!reason")
		if !ok {
			continue
		}
		a := Allowance{o.string("rule"), o.string("subject"), strings.TrimSpace(o.string("reason")), d.position(item.place)}
		if a.Rule != "" && a.Subject != "" && a.Reason != "" {
			all = append(all, a)
		}
	}
	return all
}
