package trust

import (
	"fmt"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/trust/signedlog"
)

// Scope is how much of a document a proof covers.
type Scope string

// The scopes.
const (
	// ScopeDocument means that all of the document is proven, by an edition in the log.
	ScopeDocument Scope = "document"
	// ScopeSnapshot means that only the schema snapshot is, and the symbols.
	ScopeSnapshot Scope = "snapshot"
)

// Report says what a proof of a document proves. [Report.String] returns it as text.
type Report struct {
	// Scope says whether the whole document is proven.
	Scope Scope `json:"scope"`
	// Version, ContentHash and Published are those of the release: the time is the
	// publisher's claim.
	Version     taxonomy.Version `json:"version"`
	ContentHash taxonomy.Hash    `json:"content_hash"`
	Published   time.Time        `json:"published"`
	// Origin is the log, and Signed are the trusted keys that signed its checkpoint.
	Origin string   `json:"origin"`
	Signed []string `json:"signed"`
	// Categories, Elements and Symbols are how many of them are those of the release,
	// besides the datachain type.
	Categories int `json:"categories"`
	Elements   int `json:"elements"`
	Symbols    int `json:"symbols"`
	// Edition is what a register published, or nil.
	Edition *ProvenEdition `json:"edition,omitzero"`
	// NotProven are the things that a reader might expect, each with a reason.
	NotProven []Statement `json:"not_proven"`
}

// ProvenEdition is the edition of a register that a document is.
type ProvenEdition struct {
	Slug string        `json:"slug"`
	Hash taxonomy.Hash `json:"hash"`
	// Published is the publisher's claim.
	Published time.Time `json:"published"`
}

// Statement is a sentence of a report: what it is about, and what is known about it, or why
// nothing is.
type Statement struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// unproven returns what the proof does not cover.
func (r *Report) unproven(p *parts, at time.Time) []Statement {
	var list []Statement
	if r.Edition == nil {
		list = append(list, Statement{"placements", fmt.Sprintf(
			"What the document says about its system, in %s and its other fields, is its author's statement; the log does not have it.", wording.Count(p.placements, "placement"))})
	}
	if len(p.suggested) > 0 {
		why := "They are not part of the release"
		if r.Edition != nil {
			why = "The edition has them, but they are not part of the release"
		}
		list = append(list, Statement{"suggested elements", fmt.Sprintf("%s: %s.", why, wording.Plain(strings.Join(p.suggested, ", ")))})
	}
	if p.symbols == nil {
		list = append(list, Statement{"symbols", "The document does not contain the symbols of its icons."})
	}
	claimed := r.Published // the newest time
	if r.Edition != nil && r.Edition.Published.After(claimed) {
		claimed = r.Edition.Published
	}
	if claimed.Sub(at) > signedlog.ClockTolerance {
		list = append(list, Statement{"time", fmt.Sprintf("The publisher claims %s, which is in the future: its clock was wrong, or that of this machine is, which shows %s.",
			claimed.UTC().Format(timeLayout), at.UTC().Format(timeLayout))})
	} else {
		list = append(list, Statement{"time", "The times are those of the publisher's clock."})
	}
	return append(list, Statement{"freshness", "A later version, edition or withdrawal may have been published since."})
}

// timeLayout is that of times in reports.
const timeLayout = "2006-01-02 15:04:05 UTC"

// Statements returns what the report says is proven, and what the publisher claims besides.
// [Report.NotProven] is the rest.
func (r *Report) Statements() (proven, claimed []Statement) {
	proven = []Statement{
		{"parts", fmt.Sprintf("the datachain type; categories: %d, elements: %d, symbols: %d", r.Categories, r.Elements, r.Symbols)},
		{"release", fmt.Sprintf("%s, content %s", r.Version, r.ContentHash)},
		{"publisher", fmt.Sprintf("the log %s, signed by %s", wording.Plain(r.Origin), wording.Plain(strings.Join(r.Signed, ", ")))},
	}
	claimed = []Statement{{"release", "published at " + r.Published.UTC().Format(timeLayout)}}
	if r.Edition != nil {
		proven = append(proven, Statement{"edition", fmt.Sprintf("the register published exactly this document as %s, edition %s", r.Edition.Slug, r.Edition.Hash)})
		claimed = append(claimed, Statement{"edition", "published at " + r.Edition.Published.UTC().Format(timeLayout)})
	}
	return proven, claimed
}

// Summary says in one sentence whether the whole document is proven, or only its snapshot.
func (r *Report) Summary() string {
	if r.Scope == ScopeDocument {
		return "The whole document is proven: the register published exactly this."
	}
	return "Only the schema snapshot is proven: what the document says about its system is not."
}

// String returns the report as text, with the summary in its first line and a line break at the
// end.
func (r *Report) String() string {
	var b strings.Builder
	b.WriteString(r.Summary() + "\n")
	proven, claimed := r.Statements()
	write := func(title, layout string, list []Statement) {
		b.WriteString(title + ":\n")
		for _, s := range list {
			fmt.Fprintf(&b, layout, s.What, s.Why)
		}
	}
	write("Proven", "  %-10s %s\n", proven)
	write("Claimed by the publisher", "  %-10s %s\n", claimed)
	write("Not proven", "  %s: %s\n", r.NotProven)
	return b.String()
}
