package validate

import (
	"iter"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Schema is what rules look things up in: a release, or the snapshot of a
// resolved document.
type Schema interface {
	Type() *taxonomy.Type
	Categories() []*taxonomy.Category
	Category(id string) (*taxonomy.Category, bool)
	Elements() []*taxonomy.Element
	ElementsOf(categoryID string) []*taxonomy.Element
	Element(id string) (*taxonomy.Element, bool)
	// Locales are the languages of the schema, or nil where they are unknown.
	Locales() []string
}

// Pass is one run of a suite over one document. Rules read it and report.
type Pass struct {
	// Document is the text with positions, of good shape.
	Document *document.Document
	// Instance is the document as Go values.
	Instance *taxonomy.Instance
	// Resolved is the same where the document is resolved, and nil otherwise.
	Resolved *taxonomy.Resolved
	// Schema is what the document is judged by.
	Schema Schema
	// Version is the version that was addressed, for messages.
	Version taxonomy.Version
	// Live is the release that a resolved document pins, or nil where it is
	// not published any more.
	Live *taxonomy.Release

	opts      *Options
	locator   locator
	placed    []Placed
	findings  findings
	hints     hints
	interrupt error

	// What several rules need, found out once.
	perCategory map[*taxonomy.Category]int
	perElement  map[string]places
	requiredAt  map[*taxonomy.Element][]int
	index       index
}

// Placed is a placement together with what it places.
type Placed struct {
	*taxonomy.Placement
	// Index is the place in elements.
	Index int
	// Element is nil where the schema has none of that id.
	Element *taxonomy.Element
	// Category is that of the element, or nil.
	Category *taxonomy.Category
}

// Path returns the path of the placement.
func (p *Placed) Path() issue.Path { return elementsPath.Index(p.Index) }

// elementsPath is the list of placements.
var elementsPath = issue.Root.Key("elements")

// Report notes a finding. It is an error unless its severity is
// [taxonomy.SeverityWarning]: there are no others.
func (p *Pass) Report(i issue.Issue) {
	if i.Severity != issue.SeverityWarning {
		i.Severity = issue.SeverityError
	}
	p.findings.add(i)
}

// fail reports an error.
func (p *Pass) fail(code issue.Code, path issue.Path, message, hint string) {
	p.Report(issue.Issue{Code: code, Message: message, Path: path, FixHint: hint, Severity: issue.SeverityError})
}

// warn reports a warning.
func (p *Pass) warn(code issue.Code, path issue.Path, message, hint string) {
	p.Report(issue.Issue{Code: code, Message: message, Path: path, FixHint: hint, Severity: issue.SeverityWarning})
}

// full reports whether further findings would change nothing, so that a rule
// need not look for them.
func (p *Pass) full() bool { return p.findings.full() }

// interruptEvery is how many placements are looked at between two questions
// whether to go on.
const interruptEvery = 256

// Placements yields the placements with what they place. It ends early where
// the run is to be interrupted or can list no more findings.
func (p *Pass) Placements() iter.Seq[*Placed] {
	return func(yield func(*Placed) bool) {
		for i := range p.placed {
			if !p.goOnAt(i) || !yield(&p.placed[i]) {
				return
			}
		}
	}
}

// goOnAt reports whether to go on with the i-th of many things.
func (p *Pass) goOnAt(i int) bool {
	return !p.full() && (i%interruptEvery != interruptEvery-1 || p.goOn())
}

// goOn asks whether to go on.
func (p *Pass) goOn() bool {
	if p.interrupt == nil && p.opts.Interrupt != nil {
		p.interrupt = p.opts.Interrupt()
	}
	return p.interrupt == nil
}

// place looks up what the placements place.
func (p *Pass) place() {
	p.placed = make([]Placed, len(p.Instance.Elements))
	p.perCategory = make(map[*taxonomy.Category]int)
	for i := range p.Instance.Elements {
		placed := Placed{Placement: &p.Instance.Elements[i], Index: i}
		if e, ok := p.Schema.Element(placed.ElementID); ok {
			placed.Element = e
			if c, ok := p.Schema.Category(e.CategoryID); ok {
				placed.Category = c
				p.perCategory[c]++
			}
		}
		p.placed[i] = placed
	}
}

// places says where an element is placed.
type places struct{ first, count int }

// elementPlaces returns where the elements are placed, by id.
func (p *Pass) elementPlaces() map[string]places {
	if p.perElement != nil {
		return p.perElement
	}
	p.perElement = make(map[string]places, len(p.placed))
	for i := range p.placed {
		at, there := p.perElement[p.placed[i].ElementID]
		if !there {
			at.first = i
		}
		at.count++
		p.perElement[p.placed[i].ElementID] = at
	}
	return p.perElement
}

// run runs rules in order. The findings of each are put into the order of the
// document.
func (p *Pass) run(rules []*Rule) {
	p.place()
	for _, rule := range rules {
		if p.full() || !p.goOn() {
			return
		}
		before := len(p.findings.issues)
		rule.Run(p)
		p.locator.sort(p.findings.issues[before:])
	}
}
