package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/datachain-go/datachain/internal/wording"
)

// Workflow commands escape these characters in a message and in a property.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub writes findings as workflow commands, which GitHub shows as annotations
// of the changed files. Options.Root is the root of the checkout.
func GitHub(w io.Writer, r *Report, o *Options) error {
	with := o.orDefault()
	var b strings.Builder
	for i := range r.Files {
		f := &r.Files[i]
		file := "" // of findings that belong to no file
		if name := f.relative(with.Root); name != "" {
			file = "file=" + githubProperty.Replace(wording.Printable(filepath.ToSlash(name))) + ","
		}
		for _, finding := range f.located(f.lines()) {
			from, to := finding.Span.Start, finding.Span.End
			place := file
			if from.Line > 0 {
				place += fmt.Sprintf("line=%d,col=%d,", from.Line, from.Column)
			}
			// GitHub accepts an end column only on the same line.
			if to.Line == from.Line && to.Column > from.Column {
				place += fmt.Sprintf("endLine=%d,endColumn=%d,", to.Line, to.Column)
			}
			message := finding.withHint()
			if link := with.link(finding.Code); link != "" {
				message += "\nSee " + link
			}
			fmt.Fprintf(&b, "::%s %stitle=%s::%s\n", finding.Severity, place,
				githubProperty.Replace(string(finding.Code)), githubMessage.Replace(wording.Printable(message)))
		}
		if f.Err != nil {
			title := "unreadable"
			if f.Unwritten {
				title = "not written"
			}
			fmt.Fprintf(&b, "::error %stitle=%s::%s\n", file, title, githubMessage.Replace(wording.Printable(f.failure())))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
