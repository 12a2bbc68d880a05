package impact

import (
	"fmt"

	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// Outcome is what happens to a document if its schema_version is changed and nothing
// else.
type Outcome string

// The outcomes.
const (
	// Invalid documents were valid and become invalid.
	Invalid Outcome = "invalid"
	// Altered documents stay valid, but mean something else.
	Altered Outcome = "altered"
	// Warned documents stay valid, mean the same, and get a new warning.
	Warned Outcome = "warned"
	// Unaffected documents only get another pin.
	Unaffected Outcome = "unaffected"
	// InvalidBefore documents are not valid under the old version.
	InvalidBefore Outcome = "invalid_before"
	// Skipped documents do not pin the old version.
	Skipped Outcome = "skipped"
)

// Effect is what happens to one document.
type Effect struct {
	Outcome Outcome
	// Reason says why a document was skipped.
	Reason string
	// Hits are the changes that explain the outcome, each with its places, in the
	// order of the report: breaking ones if the document becomes invalid, notable
	// ones if it is altered, and those with a warning if it gets one.
	Hits []Hit
	// Findings are the errors that the document gets, or with [Warned] the
	// warnings.
	Findings issue.Issues
}

// Hit is a change and the places of a document that it concerns.
type Hit struct {
	// Change is the index of the change in the report.
	Change int
	Places []issue.Path
}

// Judge judges documents of one version by the changes to another. It is safe for
// concurrent use.
type Judge struct {
	before, after *taxonomy.Release
	report        *diff.Report
	// The changes that concern placements of an element, or of the elements of a
	// category of the new release, and those that concern a document as a whole.
	byElement, byCategory map[string][]int
	whole                 []int
	parser                *taxonomy.ResolvedParser
}

// New returns the judge of documents that pin the version of one release and move to
// that of another.
func New(before, after *taxonomy.Release) *Judge {
	j := &Judge{
		before: before, after: after, report: diff.Releases(before, after), parser: taxonomy.NewResolvedParser(before),
		byElement: make(map[string][]int), byCategory: make(map[string][]int),
	}
	for i := range j.report.Changes {
		c := &j.report.Changes[i]
		switch {
		case placementRules[c.Rule] == nil:
			if documentRules[c.Rule] != nil {
				j.whole = append(j.whole, i)
			}
		case c.Subject == diff.Element:
			j.byElement[c.ID] = append(j.byElement[c.ID], i)
		default:
			j.byCategory[c.ID] = append(j.byCategory[c.ID], i)
		}
	}
	return j
}

// Report returns the changes between the two versions.
func (j *Judge) Report() *diff.Report { return j.report }

// Parse parses a document to judge. The result is that of [document.Parse], but
// resolved documents that pin the old version are parsed and judged faster.
func (j *Judge) Parse(text []byte) (*document.Document, error) { return j.parser.Parse(text) }

// Document judges a document, thin or resolved. A resolved document is judged as if
// it were resolved again under the new version: its snapshot does not count, and its
// suggested elements stay.
func (j *Judge) Document(doc *document.Document) (*Effect, error) {
	if reason := j.skip(doc); reason != "" {
		return &Effect{Outcome: Skipped, Reason: reason}, nil
	}
	was, err := validate.Instance(j.before, doc, nil)
	if err != nil {
		return nil, fmt.Errorf("impact: %w", err)
	}
	valid := was.OK()
	if _, resolved := doc.Root().Get("schema_snapshot"); resolved {
		result, err := validate.Resolved(j.before, doc, nil)
		if err != nil {
			return nil, fmt.Errorf("impact: %w", err)
		}
		valid = result.OK()
	}
	if !valid {
		return &Effect{Outcome: InvalidBefore, Findings: was.Errors()}, nil
	}
	now, err := validate.Instance(j.after, doc, nil)
	if err != nil {
		return nil, fmt.Errorf("impact: %w", err)
	}
	return j.compare(doc, was, now)
}

// skip returns why a document is not judged, or "".
func (j *Judge) skip(doc *document.Document) string {
	pin, ok := doc.Root().Get("schema_version")
	switch {
	case !ok || pin.Kind() != '"':
		return "it is not a datachain document: it has no schema_version"
	case pin.Text() != j.before.Version().String():
		return "it pins " + pin.Text()
	}
	return ""
}

// compare compares the findings of a valid document under both versions.
func (j *Judge) compare(doc *document.Document, was, now *validate.Result) (*Effect, error) {
	instance, err := taxonomy.DecodeInstance(doc)
	if err != nil {
		return nil, fmt.Errorf("impact: decoding a valid document: %w", err)
	}
	d := j.newSubject(instance)
	if found := more(was.Errors(), now.Errors()); len(found) > 0 {
		return &Effect{Outcome: Invalid, Findings: found, Hits: d.hits(func(c *diff.Change) bool { return c.Severity == diff.Breaking })}, nil
	}
	if hits := d.hits(func(c *diff.Change) bool { return c.Severity == diff.Notable }); len(hits) > 0 {
		return &Effect{Outcome: Altered, Hits: hits}, nil
	}
	if found := more(was.Warnings(), now.Warnings()); len(found) > 0 {
		return &Effect{Outcome: Warned, Findings: found, Hits: d.hits(func(c *diff.Change) bool { return c.Warns })}, nil
	}
	return &Effect{Outcome: Unaffected}, nil
}

// more returns the findings that only the new version has. That the document does not
// pin it does not count.
func more(was, now issue.Issues) issue.Issues {
	type key struct {
		code issue.Code
		path string
	}
	known := make(map[key]bool, len(was))
	for _, i := range was {
		known[key{i.Code, i.Path.String()}] = true
	}
	var found issue.Issues
	for _, i := range now {
		if i.Code != issue.CodeSchemaVersionMismatch && !known[key{i.Code, i.Path.String()}] {
			found = append(found, i)
		}
	}
	return found
}
