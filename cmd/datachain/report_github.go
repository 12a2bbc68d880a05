package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// What the values of a workflow command escape: its message, and its properties.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub writes the report as workflow commands, from which GitHub makes
// annotations. Root is the folder from which it counts paths.
func (r *report) writeGitHub(w io.Writer, root string) error {
	var b strings.Builder
	for _, v := range r.verdicts {
		file := githubProperty.Replace(printable(filepath.ToSlash(relative(root, v.input))))
		for _, f := range v.findings {
			from, to := f.span.Start, f.span.End
			fmt.Fprintf(&b, "::%s file=%s,line=%d,col=%d", f.Severity, file, from.Line, from.Column)
			// GitHub takes an end column only where the end is in the same line.
			if to.Line == from.Line && to.Column > from.Column {
				fmt.Fprintf(&b, ",endLine=%d,endColumn=%d", to.Line, to.Column)
			}
			message := f.Message
			if f.FixHint != "" {
				message += "\nhint: " + f.FixHint
			}
			fmt.Fprintf(&b, ",title=%s::%s\n", githubProperty.Replace(string(f.Code)), githubMessage.Replace(printable(message)))
		}
		if v.err != nil {
			fmt.Fprintf(&b, "::error file=%s,title=unreadable::%s\n", file, githubMessage.Replace(printable(v.err.Error())))
		}
	}
	fmt.Fprintf(&b, "%s\n", r.summary())
	_, err := io.WriteString(w, b.String())
	return err
}

// relative returns the path of a document from a folder that holds it, or as
// the user typed it.
func relative(root string, d input) string {
	if d.path != "" && root != "" {
		if rel, err := filepath.Rel(root, d.path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return d.name
}
