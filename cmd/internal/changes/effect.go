package changes

import (
	"errors"
	"fmt"

	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// Effect is how the changes between two versions affect documents.
type Effect struct {
	// OK reports whether no document becomes invalid.
	OK        bool             `json:"ok"`
	Old       taxonomy.Version `json:"old"`
	New       taxonomy.Version `json:"new"`
	Documents EffectCounts     `json:"documents"`
	// Changes are those that affect a document.
	Changes []EffectChange `json:"changes"`
	// Files are the documents that are affected, invalid already or skipped.
	Files []EffectFile `json:"files"`
}

// EffectCounts counts documents by outcome.
type EffectCounts struct {
	Total         int `json:"total"`
	Invalid       int `json:"invalid"`
	Altered       int `json:"altered"`
	Warned        int `json:"warned"`
	Unaffected    int `json:"unaffected"`
	InvalidBefore int `json:"invalid_before"`
	Skipped       int `json:"skipped"`
}

// EffectChange is a change and how many documents and places it concerns.
type EffectChange struct {
	diff.Change
	Documents int `json:"documents"`
	Places    int `json:"places"`

	outcome diff.Outcome
	where   report.Places
}

// EffectFile is a document and how it is affected.
type EffectFile struct {
	File    string        `json:"file"`
	Outcome diff.Outcome  `json:"outcome"`
	Reason  string        `json:"reason,omitempty"`
	Places  []EffectPlace `json:"places,omitempty"`
	// Findings are errors that no change explains.
	Findings issue.Issues `json:"findings,omitempty"`
}

// EffectPlace is a place of a document that a change concerns.
type EffectPlace struct {
	Rule diff.RuleID `json:"rule"`
	// Subject, ID and Field are those of the change.
	Subject diff.Subject `json:"subject"`
	ID      string       `json:"id,omitempty"`
	Field   issue.Path   `json:"field"`
	// Path is the place in the document.
	Path   issue.Path `json:"path"`
	Line   int        `json:"line"`
	Column int        `json:"column"`

	change int
}

// EffectOn returns the effect on the text of a file. A text that is not JSON is skipped.
func EffectOn(impact *diff.Impact, file string, text []byte) (EffectFile, error) {
	f := EffectFile{File: file, Outcome: diff.Skipped}
	doc, err := document.Parse(text)
	if wrong, ok := errors.AsType[*document.SyntaxError](err); ok {
		f.Reason = "it " + wrong.Problem() + ": " + err.Error()
		return f, nil
	}
	effect, err := impact.Document(doc)
	if err != nil {
		return f, err
	}
	f.Outcome, f.Reason = effect.Outcome, effect.Reason
	for _, hit := range effect.Hits {
		c := &impact.Report().Changes[hit.Change]
		for _, at := range hit.Places {
			point := validate.Mark(doc, issue.Issue{Path: at}).Start
			f.Places = append(f.Places, EffectPlace{Rule: c.Rule, Subject: c.Subject, ID: c.ID, Field: c.Path, Path: at, Line: point.Line, Column: point.Column, change: hit.Change})
		}
	}
	if len(effect.Hits) == 0 && effect.Outcome == diff.Invalid {
		f.Findings = effect.Findings
	}
	return f, nil
}

// NewEffect returns the effect of the changes of a report on documents.
func NewEffect(r *diff.Report, files []EffectFile) *Effect {
	e := &Effect{Old: r.Old, New: r.New, Changes: []EffectChange{}, Files: []EffectFile{}, Documents: EffectCounts{Total: len(files)}}
	all := make([]EffectChange, len(r.Changes))
	for _, f := range files {
		*e.Documents.counter(f.Outcome)++
		if f.Outcome != diff.Unaffected {
			e.Files = append(e.Files, f)
		}
		for _, place := range f.Places {
			c := &all[place.change]
			if c.Places == 0 {
				c.outcome = f.Outcome
			}
			c.where.Add(issue.Position{File: f.File, Line: place.Line, Column: place.Column})
			c.Documents, c.Places = c.where.Documents, c.where.Number
		}
	}
	for i, c := range all {
		if c.Places > 0 {
			c.Change = r.Changes[i]
			e.Changes = append(e.Changes, c)
		}
	}
	e.OK = e.Documents.Invalid == 0
	return e
}

// counter returns the counter of documents with an outcome.
func (n *EffectCounts) counter(o diff.Outcome) *int {
	return map[diff.Outcome]*int{
		diff.Invalid: &n.Invalid, diff.Altered: &n.Altered, diff.Warned: &n.Warned,
		diff.Unaffected: &n.Unaffected, diff.InvalidBefore: &n.InvalidBefore, diff.Skipped: &n.Skipped,
	}[o]
}

// Text returns the effect for people, by change.
func (e *Effect) Text(s *diff.Set, locale string, style report.Style) string {
	p := &printer{Set: s, locale: locale, style: style}
	fmt.Fprintf(&p.b, "%s: %s\n", style.Bold(e.Old.String()+" -> "+e.New.String()), wording.Count(e.Documents.Total, "document"))
	for _, section := range []struct {
		outcome diff.Outcome
		heading string
	}{
		{diff.Invalid, style.Red("Become invalid")},
		{diff.Altered, style.Yellow("Stay valid, but mean something else")},
		{diff.Warned, style.Yellow("Stay valid, but get a warning")},
		{diff.Unaffected, "Stay valid and mean the same"},
		{diff.InvalidBefore, "Invalid already (see 'datachain validate')"},
		{diff.Skipped, "Skipped"},
	} {
		number := *e.Documents.counter(section.outcome)
		if number == 0 {
			continue
		}
		fmt.Fprintf(&p.b, "\n%s: %d\n", section.heading, number)
		for i := range e.Changes {
			if c := &e.Changes[i]; c.outcome == section.outcome {
				p.effect(c)
			}
		}
		p.unexplained(e, section.outcome)
	}
	return p.b.String()
}

// effect prints a change with the documents that it concerns.
func (p *printer) effect(c *EffectChange) {
	what := p.Heading(p.CategoryOf(&c.Change), p.locale, plain)
	if c.Subject != diff.Category || len(c.Path) > 0 {
		what += ": " + p.Describe(&c.Change, p.locale, plain)
	}
	fmt.Fprintf(&p.b, "\n  %s %s %s\n", p.sign(c.Kind), what, p.style.Dim("["+string(c.Rule)+"]"))
	fmt.Fprintf(&p.b, "      %s: %s\n      %s\n", c.where.Count(), wording.Line(c.Consequence), &c.where)
}

// maxReasons is how many reasons are printed for people.
const maxReasons = 10

// unexplained prints the documents whose outcome no change explains, by the reason why they were
// skipped or by their first finding.
func (p *printer) unexplained(e *Effect, outcome diff.Outcome) {
	var reasons report.Groups[string]
	for _, f := range e.Files {
		reason := f.Reason
		if len(f.Findings) > 0 {
			reason = string(f.Findings[0].Code) + ": " + f.Findings[0].Message
		}
		if f.Outcome == outcome && (reason != "" || outcome == diff.InvalidBefore) {
			reasons.Of(reason).Add(issue.Position{File: f.File})
		}
	}
	printed := 0
	for reason, where := range reasons.All() {
		if printed == maxReasons {
			fmt.Fprintf(&p.b, "  and %s; see --format json\n", wording.Count(reasons.Len()-printed, "other reason"))
			return
		}
		printed++
		line := where.String()
		if reason != "" {
			line += ": " + reason
		}
		fmt.Fprintf(&p.b, "  %s\n", wording.Line(line))
	}
}
