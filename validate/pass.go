package validate

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Definitions are what a document is validated against: a release, or the snapshot of a
// resolved document.
type Definitions interface {
	Type() *taxonomy.Type
	Categories() []*taxonomy.Category
	Category(id string) (*taxonomy.Category, bool)
	Elements() []*taxonomy.Element
	ElementIDs() []string
	ElementsOf(categoryID string) []*taxonomy.Element
	Element(id string) (*taxonomy.Element, bool)
	// Locales are the languages of the schema, or nil if they are unknown.
	Locales() []string
}

// Pass is one run of a suite over one document. Rules read it and report issues. Only
// [Instance] and [Resolved] make one, and the methods of another one panic; package
// validatetest tests rules.
type Pass struct {
	// Document is the text with positions. Its shape is valid. In a run with
	// [Options.Partial] it is a copy without the values of the wrong shape:
	// optional fields are absent, other values are empty, and all paths are the
	// same. [Pass.Broken] reports which they are.
	Document *document.Document
	// Original is the document as it was given, with the values of the wrong shape and those
	// that can't be read.
	Original *document.Document
	// Instance is the document as Go values.
	Instance *taxonomy.Instance
	// Resolved is the document as Go values if it is resolved, and nil
	// otherwise.
	Resolved *taxonomy.Resolved
	// Schema is what the document is validated against.
	Schema Definitions
	// Version is the version of the schema, for messages.
	Version taxonomy.Version
	// Live is the release that a resolved document pins, or nil if it is not
	// published.
	Live *taxonomy.Release

	opts     *Options
	broken   *brokenValues   // the values of the wrong shape
	renamed  map[string]bool // the paths of keys that fixes of the shape rename
	unknown  Facts           // because of the broken values
	locator  locator
	snapshot *snapshotSchema // the Schema of a resolved document, or nil
	placed   []Placed
	findings findings
	items    int // that loops went through
	hints    hints
	running  *Rule
	custom   bool  // running is one of the options
	failure  error // why the run ends early, or nil

	// Computed once for several rules.
	perCategory map[*taxonomy.Category]int
	misspelled  *misspelled
	perElement  map[string]occurrences
	perInstance map[string]int
	requiredAt  map[*[]taxonomy.Variable][]int
	locales     []string // of the texts of the document
	index       index
}

// Placed is a placement with the element that it places.
type Placed struct {
	*taxonomy.Placement
	// Index is the position in elements.
	Index int
	// Element is nil if the schema does not have the element.
	Element *taxonomy.Element
	// Category is the category of the element, or nil.
	Category *taxonomy.Category

	counted  counted
	brokenID bool // the element_id is broken
}

// Path returns the path of the placement.
func (p *Placed) Path() issue.Path { return elementsPath.Index(p.Index) }

var elementsPath = issue.Root.Key("elements")

// Report adds an issue to the result. It is an error unless its severity is
// [issue.SeverityWarning].
func (p *Pass) Report(i issue.Issue) {
	p.mustBeMade()
	if p.custom && !slices.Contains(p.running.Codes, i.Code) && p.failure == nil {
		p.failure = fmt.Errorf("validate: the rule %s reports the code %q, which is not in its Codes", p.running.Name, i.Code)
	}
	if i.Severity != issue.SeverityWarning {
		i.Severity = issue.SeverityError
	}
	if slices.Contains(p.opts.Disable, i.Code) && !(p.opts.MustPin && i.Severity == issue.SeverityError) {
		return
	}
	if i.About == (issue.Subject{}) {
		i.About = p.subject(i.Path)
	}
	p.findings.add(i)
}

// subject returns the category and the variable that a path in a placement is about.
func (p *Pass) subject(at issue.Path) (about issue.Subject) {
	if len(at) < 2 || at[0].Name() != elementsPath[0].Name() {
		return about
	}
	id, _ := p.locator.find(at[:2].Key("element_id"))
	for _, schema := range []Definitions{p.countingSchema(), p.Schema} { // the latter has suggested elements
		if schema == nil {
			continue
		}
		if e, ok := schema.Element(id.Text()); ok {
			about.Category = e.CategoryID
		}
	}
	if len(at) > 3 && at[2].Name() == "variables" {
		if id, ok := p.locator.find(at[:4].Key("id")); ok {
			about.Variable = id.Text()
		}
	}
	return about
}

// mustBeMade panics if the pass was not made by this package: a rule would find nothing in it.
func (p *Pass) mustBeMade() {
	if p.opts == nil {
		panic("validate: a Pass can't be made by hand: use package validatetest to test a rule")
	}
}

// fail reports an error.
func (p *Pass) fail(code issue.Code, path issue.Path, message, hint string) {
	p.Report(issue.Issue{Code: code, Message: message, Path: path, FixHint: hint})
}

// clash reports an error that is about two places.
func (p *Pass) clash(code issue.Code, path, other issue.Path, message, hint string) {
	p.Report(issue.Issue{Code: code, Message: message, Path: path, FixHint: hint, Related: other})
}

// warn reports a warning.
func (p *Pass) warn(code issue.Code, path issue.Path, message, hint string) {
	p.Report(issue.Issue{Code: code, Message: message, Path: path, FixHint: hint, Severity: issue.SeverityWarning})
}

// Placements yields the placements. It stops early if the run is interrupted or the
// result is full.
func (p *Pass) Placements() iter.Seq[*Placed] {
	p.mustBeMade()
	return func(yield func(*Placed) bool) {
		for i := range p.placed {
			if !p.Next() || !yield(&p.placed[i]) {
				return
			}
		}
	}
}

// interruptEvery is how many items are processed between two calls of Interrupt.
const interruptEvery = 256

// Next reports whether to continue with the next item of a loop over something that can be
// large. It is false if the run is interrupted, or if the result is full.
func (p *Pass) Next() bool {
	p.mustBeMade()
	p.items++
	return !p.findings.full() && (p.items%interruptEvery != 0 || p.goOn())
}

// goOn asks the context and Interrupt, and reports whether to continue.
func (p *Pass) goOn() bool {
	if p.failure == nil && p.opts.Context != nil {
		p.failure = p.opts.Context.Err()
	}
	if p.failure == nil && p.opts.Interrupt != nil {
		p.failure = p.opts.Interrupt()
	}
	return p.failure == nil
}

// findElements looks up the elements of the placements.
func (p *Pass) findElements() {
	p.placed = make([]Placed, len(p.Instance.Elements))
	for i := range p.Instance.Elements {
		placed := Placed{Placement: &p.Instance.Elements[i], Index: i}
		if e, ok := p.Schema.Element(placed.ElementID); ok {
			placed.Element = e
			placed.Category, _ = p.Schema.Category(e.CategoryID)
		}
		p.placed[i] = placed
	}
	p.findUnknown()
	p.count()
}

// occurrences is the first placement of an element, and how many there are.
type occurrences struct{ first, count int }

// elementOccurrences returns the places of the placed elements by id.
func (p *Pass) elementOccurrences() map[string]occurrences {
	if p.perElement == nil {
		p.perElement = make(map[string]occurrences, len(p.placed))
		for i := range p.placed {
			if p.placed[i].brokenID {
				continue
			}
			at, there := p.perElement[p.placed[i].ElementID]
			if !there {
				at.first = i
			}
			at.count++
			p.perElement[p.placed[i].ElementID] = at
		}
	}
	return p.perElement
}

// instancePositions returns the first placements by element_instance_id.
func (p *Pass) instancePositions() map[string]int {
	if p.perInstance == nil {
		p.perInstance = make(map[string]int, len(p.placed))
		for i := range p.placed {
			id := p.placed[i].ElementInstanceID
			if _, taken := p.perInstance[id]; id != "" && !taken {
				p.perInstance[id] = i
			}
		}
	}
	return p.perInstance
}

// runRules runs rules in order, and sorts the findings of each by their position in the
// document. It calls Interrupt before each rule of the options, which can take any time;
// the others are fast if there are few placements. Rules that need an unknown fact are
// skipped.
func (p *Pass) runRules(rules []*Rule) {
	ctx := p.opts.Context
	if ctx == nil {
		ctx = context.Background()
	}
	defer func() {
		if v := recover(); v != nil {
			p.failure = fmt.Errorf("validate: the rule %s panicked: %v (%s)", p.running.Name, v, panicPlace())
		}
	}()
	seen := 0
	for _, rule := range rules {
		if p.unknown.has(rule.Needs) {
			continue
		}
		p.running, p.custom = rule, slices.Contains(p.opts.Rules, rule)
		if seen += 1 + len(p.placed); seen >= interruptEvery || p.custom {
			seen = 0
			p.goOn()
		}
		if p.findings.full() || p.failure != nil {
			return
		}
		before := len(p.findings.issues)
		if err := rule.Run(ctx, p); err != nil && p.failure == nil {
			p.failure = fmt.Errorf("validate: the rule %s: %w", rule.Name, err)
		}
		p.locator.sort(p.findings.issues[before:])
	}
}

// panicPlace returns the file and line of the panic that a deferred function recovers
// from.
func panicPlace() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	panicked := false
	for frame, more := frames.Next(); more; frame, more = frames.Next() {
		switch {
		case strings.HasPrefix(frame.Function, "runtime."):
			panicked = true
		case panicked:
			return fmt.Sprintf("%s:%d", frame.File, frame.Line)
		}
	}
	return "unknown place"
}
