package write

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/history"
)

// Proposals returns proposals as entries of an evolution.yaml, each a comment for a person to
// confirm.
func Proposals(list []history.Proposal) string {
	in := func(owner string) string {
		if owner == "" {
			return ""
		}
		return ", in: " + owner
	}
	var removed, renamed strings.Builder
	for _, p := range list {
		if r := p.Renamed; r != nil {
			fmt.Fprintf(&renamed, "#- {kind: %s, from: %s, to: %s%s, since: %s} # %s\n", r.Kind, r.From, r.To, in(r.In), r.Since.Folder(), p.Because)
			continue
		}
		kind, by := "", ""
		if p.Removed.Kind != "" {
			kind = "kind: " + string(p.Removed.Kind) + ", "
		}
		if next := p.Removed.ReplacedBy; len(next) > 0 { // there is at most one
			by = ", replaced_by: " + next[0].ID
		}
		fmt.Fprintf(&removed, "#- {%sid: %s%s, since: %s%s} # %s\n", kind, p.Removed.ID, in(p.Removed.In), p.Removed.Since.Folder(), by, p.Because)
	}
	var text string
	if renamed.Len() > 0 {
		text = "#renamed:\n" + renamed.String()
	}
	if removed.Len() > 0 {
		text += "#removed:\n" + removed.String()
	}
	return text
}
