package diff

import (
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/errname"
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

// Impact finds what the changes between two versions do to documents. It is safe for
// concurrent use.
type Impact struct {
	before, after *taxonomy.Release
	history       history.History
	report        *Report
	// The changes that concern placements of an element, and all others.
	byElement map[string][]located
	others    []located
}

// located is a change by its index, with the places that its rule concerns.
type located struct {
	change int
	where  func(*candidate, *Change) []issue.Path
}

// NewImpact returns the impact on documents that pin the version of one release and move to
// that of another. The report has the changes between the two.
func NewImpact(before, after *taxonomy.Release, report *Report) *Impact {
	im := &Impact{before: before, after: after, history: history.Of(before.Version(), after), report: report, byElement: make(map[string][]located)}
	for i := range report.Changes {
		c := &report.Changes[i]
		switch l := (located{i, lookup(c.Rule).where}); {
		case l.where == nil:
		case c.Subject == Element && c.Kind == Renamed && len(c.Path) == 0:
			im.byElement[Text(c.Old)] = append(im.byElement[Text(c.Old)], l)
		case c.Subject == Element:
			im.byElement[c.ID] = append(im.byElement[c.ID], l)
		default:
			im.others = append(im.others, l)
		}
	}
	return im
}

// Report returns the changes between the two versions.
func (im *Impact) Report() *Report { return im.report }

// Document returns the effect on a document, thin or resolved. A resolved document is treated as if
// it were resolved again under the new version: its snapshot does not count, and its
// suggested elements stay.
func (im *Impact) Document(doc *document.Document) (*Effect, error) {
	switch pin, ok := doc.Root().Get("schema_version"); {
	case !ok || pin.Kind() != '"':
		return &Effect{Outcome: Skipped, Reason: "it is not a datachain document: it has no schema_version"}, nil
	case pin.Text() != im.before.Version().String():
		return &Effect{Outcome: Skipped, Reason: "it pins " + pin.Text()}, nil
	}
	was, err := validate.Instance(im.before, doc, nil)
	if err != nil {
		return nil, fmt.Errorf("diff: %w", err)
	}
	valid := was.OK()
	if _, resolved := doc.Root().Get("schema_snapshot"); resolved {
		result, err := validate.Resolved(im.before, doc, nil)
		if err != nil {
			return nil, fmt.Errorf("diff: %w", err)
		}
		valid = result.OK()
	}
	if !valid {
		return &Effect{Outcome: InvalidBefore, Findings: was.Issues.With(issue.SeverityError)}, nil
	}
	now, err := validate.Instance(im.after, doc, nil)
	if err != nil {
		return nil, fmt.Errorf("diff: %w", err)
	}
	return im.compare(doc, was, now)
}

// compare compares the findings of a valid document under both versions.
func (im *Impact) compare(doc *document.Document, was, now *validate.Result) (*Effect, error) {
	instance, err := taxonomy.DecodeInstance(doc)
	if err != nil {
		return nil, fmt.Errorf("diff: decoding a valid document: %w", errname.Trim(err))
	}
	d := im.newCandidate(instance)
	if found := newFindings(was.Issues.With(issue.SeverityError), now.Issues.With(issue.SeverityError)); len(found) > 0 {
		return &Effect{Outcome: Invalid, Findings: found, Hits: d.hits(func(c *Change) bool { return c.Severity == Breaking })}, nil
	}
	if hits := d.hits(func(c *Change) bool { return c.Severity == Notable }); len(hits) > 0 {
		return &Effect{Outcome: Altered, Hits: hits}, nil
	}
	if found := newFindings(was.Issues.With(issue.SeverityWarning), now.Issues.With(issue.SeverityWarning)); len(found) > 0 {
		return &Effect{Outcome: Warned, Findings: found, Hits: d.hits(func(c *Change) bool { return c.Warns })}, nil
	}
	return &Effect{Outcome: Unaffected}, nil
}

// newFindings returns the findings that only the new version has. That the document does not
// pin it does not count.
func newFindings(was, now issue.Issues) issue.Issues {
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
		if i.Code != codes.SchemaVersionMismatch && !known[key{i.Code, i.Path.String()}] {
			found = append(found, i)
		}
	}
	return found
}

// candidate is a document whose effect is being found.
type candidate struct {
	*Impact
	instance   *taxonomy.Instance
	placements []*placement
	// The placements of each element, and of each category of the new release.
	placed, members map[string][]*placement
}

// placement is a placement of an element that the old version has.
type placement struct {
	*taxonomy.Placement
	at            issue.Path
	before, after *taxonomy.Element // after is nil if the element was removed
}

func (im *Impact) newCandidate(instance *taxonomy.Instance) *candidate {
	d := &candidate{Impact: im, instance: instance, placed: make(map[string][]*placement), members: make(map[string][]*placement)}
	for i := range instance.Elements {
		p := &placement{Placement: &instance.Elements[i], at: issue.Root.Key("elements").Index(i)}
		before, known := im.before.Element(p.ElementID)
		if !known {
			continue // a suggested element
		}
		p.before = before
		d.placed[p.ElementID] = append(d.placed[p.ElementID], p)
		if after, ok := im.after.Element(p.ElementID); ok {
			p.after = after
			d.members[after.CategoryID] = append(d.members[after.CategoryID], p)
		}
		d.placements = append(d.placements, p)
	}
	return d
}

// hits returns the changes that concern the document, of those that count.
func (d *candidate) hits(counts func(*Change) bool) []Hit {
	list := slices.Clone(d.others)
	for id := range d.placed {
		list = append(list, d.byElement[id]...)
	}
	hits := []Hit{}
	for _, l := range list {
		c := &d.report.Changes[l.change]
		if !counts(c) {
			continue
		}
		if places := l.where(d, c); len(places) > 0 {
			hits = append(hits, Hit{l.change, places})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int { return a.Change - b.Change })
	return hits
}

// value returns the value that a placement gives a variable, and its place.
func (p *placement) value(variable string) (*taxonomy.VariableValue, issue.Path) {
	for i := range p.Variables {
		if p.Variables[i].ID == variable {
			return &p.Variables[i], p.at.Key("variables").Index(i)
		}
	}
	return nil, nil
}

// option returns the place where a placement chooses an option, or nil.
func (p *placement) option(variable, id string) issue.Path {
	v, at := p.value(variable)
	if v == nil {
		return nil
	}
	i := slices.Index(v.Options, id)
	if i < 0 {
		return nil
	}
	return at.Key("value").Index(i)
}

// variables returns a variable of the placed element as it was and as it is, given its
// new id; nil if there is none.
func (d *candidate) variables(p *placement, id string) (before, after *taxonomy.Variable) {
	if p.after == nil {
		return nil, nil
	}
	after, _ = p.after.Variable(id)
	for i := range p.before.Variables {
		v := &p.before.Variables[i]
		if v.ID == id || before == nil && after != nil && d.history.Variable(history.ElementOwner(p.after), v.ID).Current() == after {
			before = v
		}
	}
	return before, after
}

func option(v *taxonomy.Variable, id string) *taxonomy.Option {
	if v == nil {
		return nil
	}
	i := slices.IndexFunc(v.Options, func(o taxonomy.Option) bool { return o.ID == id })
	if i < 0 {
		return nil
	}
	return &v.Options[i]
}
