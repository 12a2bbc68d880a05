package validate

import (
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

// Pass is one run of a suite over one document. Rules read it and report issues.
type Pass struct {
	// Document is the text with positions. Its shape is valid. In a run with
	// [Options.Partial] it is a copy without the values of the wrong shape: an
	// optional field is absent, other values are empty, and all paths are the
	// same. [Pass.Broken] tells.
	Document *document.Document
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

	opts      *Options
	original  *document.Document // Document, values of the wrong shape included
	breaks    *breaks            // the values of the wrong shape
	renamed   map[string]bool    // paths of keys that a finding on the shape renames
	unread    unread
	locator   locator
	pool      *pool // the Schema of a resolved document, or nil
	placed    []Placed
	findings  findings
	hints     hints
	running   *Rule
	custom    bool // running is one of the options
	interrupt error

	// Computed once for several rules.
	perCategory map[*taxonomy.Category]int
	misspelled  *misspelled
	perElement  map[string]places
	perInstance map[string]int
	requiredAt  map[*taxonomy.Element][]int
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

	counted counted
	unread  bool // the element_id is broken
}

// Path returns the path of the placement.
func (p *Placed) Path() issue.Path { return elementsPath.Index(p.Index) }

var elementsPath = issue.Root.Key("elements")

// Report adds an issue to the result. It is an error unless its severity is
// [issue.SeverityWarning].
func (p *Pass) Report(i issue.Issue) {
	if p.custom && !slices.Contains(p.running.Codes, i.Code) && p.interrupt == nil {
		p.interrupt = fmt.Errorf("validate: the rule %s reports the code %q, which is not in its Codes", p.running.Name, i.Code)
	}
	if i.Severity != issue.SeverityWarning {
		i.Severity = issue.SeverityError
	}
	if i.About == (issue.Subject{}) {
		i.About = p.subject(i.Path)
	}
	p.findings.add(i)
}

// subject returns what a place in a placement is about.
func (p *Pass) subject(at issue.Path) (about issue.Subject) {
	if len(at) < 2 || at[0].Name() != elementsPath[0].Name() {
		return about
	}
	id, _ := p.locator.find(at[:2].Key("element_id"))
	for _, schema := range []Definitions{p.counting(), p.Schema} { // which has the suggested elements
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

// Placements yields the placements. It ends early if the run is interrupted or the
// result is full.
func (p *Pass) Placements() iter.Seq[*Placed] {
	return func(yield func(*Placed) bool) {
		for i := range p.placed {
			if !p.goOnAt(i) || !yield(&p.placed[i]) {
				return
			}
		}
	}
}

// interruptEvery is how many items are processed between two calls of Interrupt.
const interruptEvery = 256

// goOnAt reports whether to go on with item i of many.
func (p *Pass) goOnAt(i int) bool {
	return !p.findings.full() && (i%interruptEvery != interruptEvery-1 || p.goOn())
}

// goOn calls Interrupt.
func (p *Pass) goOn() bool {
	if p.interrupt == nil && p.opts.Interrupt != nil {
		p.interrupt = p.opts.Interrupt()
	}
	return p.interrupt == nil
}

// place looks up the elements of the placements.
func (p *Pass) place() {
	p.placed = make([]Placed, len(p.Instance.Elements))
	for i := range p.Instance.Elements {
		placed := Placed{Placement: &p.Instance.Elements[i], Index: i}
		if e, ok := p.Schema.Element(placed.ElementID); ok {
			placed.Element = e
			placed.Category, _ = p.Schema.Category(e.CategoryID)
		}
		p.placed[i] = placed
	}
	p.findUnread()
	p.count()
}

// places is the first placement of an element, and how many there are.
type places struct{ first, count int }

// elementPlaces returns the places of the placed elements by id.
func (p *Pass) elementPlaces() map[string]places {
	if p.perElement == nil {
		p.perElement = make(map[string]places, len(p.placed))
		for i := range p.placed {
			if p.placed[i].unread {
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

// instancePlaces returns the first placements by element_instance_id.
func (p *Pass) instancePlaces() map[string]int {
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

// run runs rules on a document of valid shape.
func (p *Pass) run(rules []*Rule) {
	p.place()
	p.runEach(rules)
}

// runEach runs rules in order, and sorts the findings of each by the document. It calls
// Interrupt before those of the options, which can take any time; the others are fast if
// there are few placements.
func (p *Pass) runEach(rules []*Rule) {
	defer func() {
		if v := recover(); v != nil {
			p.interrupt = fmt.Errorf("validate: the rule %s panicked: %v (%s)", p.running.Name, v, panicPlace())
		}
	}()
	seen := 0
	for _, rule := range rules {
		p.running, p.custom = rule, slices.Contains(p.opts.Rules, rule)
		if seen += 1 + len(p.placed); seen >= interruptEvery || p.custom {
			seen = 0
			p.goOn()
		}
		if p.findings.full() || p.interrupt != nil {
			return
		}
		before := len(p.findings.issues)
		rule.Run(p)
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

// pool is the schema of a resolved document: its snapshot and the suggested
// elements. Of two elements or categories with the same id, the first counts.
type pool struct {
	typ        *taxonomy.Type
	categories []*taxonomy.Category
	byCategory map[string]*taxonomy.Category
	elements   []*taxonomy.Element
	published  map[string]*taxonomy.Element // of the snapshot
	suggested  map[string]*taxonomy.Element
	elementsOf map[string][]*taxonomy.Element // computed when needed
}

func newPool(r *taxonomy.Resolved) *pool {
	s := &r.SchemaSnapshot
	p := &pool{
		typ:        &s.DatachainType,
		byCategory: make(map[string]*taxonomy.Category, len(s.Categories)),
		published:  make(map[string]*taxonomy.Element, len(s.Elements)),
	}
	for i := range s.Categories {
		c := &s.Categories[i]
		if _, taken := p.byCategory[c.ID]; !taken {
			p.byCategory[c.ID] = c
			p.categories = append(p.categories, c)
		}
	}
	p.add(p.published, s.Elements)
	if len(r.SuggestedElements) > 0 {
		p.suggested = make(map[string]*taxonomy.Element, len(r.SuggestedElements))
		p.add(p.suggested, r.SuggestedElements)
	}
	return p
}

// add adds the elements whose ids are not taken.
func (p *pool) add(to map[string]*taxonomy.Element, list []taxonomy.Element) {
	for i := range list {
		e := &list[i]
		if _, taken := p.Element(e.ID); !taken {
			to[e.ID] = e
			p.elements = append(p.elements, e)
		}
	}
}

func (p *pool) Type() *taxonomy.Type             { return p.typ }
func (p *pool) Categories() []*taxonomy.Category { return p.categories }
func (p *pool) Elements() []*taxonomy.Element    { return p.elements }
func (p *pool) Locales() []string                { return nil } // not in a snapshot

func (p *pool) ElementIDs() []string { return slices.Collect(elementIDs(p.elements)) }

func (p *pool) Category(id string) (*taxonomy.Category, bool) {
	c, ok := p.byCategory[id]
	return c, ok
}

func (p *pool) Element(id string) (*taxonomy.Element, bool) {
	if e, ok := p.published[id]; ok {
		return e, true
	}
	e, ok := p.suggested[id]
	return e, ok
}

func (p *pool) ElementsOf(categoryID string) []*taxonomy.Element {
	if p.elementsOf == nil {
		p.elementsOf = make(map[string][]*taxonomy.Element)
		for _, e := range p.elements {
			p.elementsOf[e.CategoryID] = append(p.elementsOf[e.CategoryID], e)
		}
	}
	return p.elementsOf[categoryID]
}

// maxScanned is the length of lists that are searched one by one. Longer ones are indexed:
// a hostile document can bring a schema with as many variables, options or contexts
// as placements that refer to them.
const maxScanned = 16

// index has the positions of ids in long lists, by the owner of the list.
type index map[any]map[string]int

// find returns the position of the first item of a list with an id, or -1. The owner
// is a pointer that identifies the list.
func find[T any](x *index, owner any, list []T, id func(*T) string, want string) int {
	if len(list) <= maxScanned {
		for i := range list {
			if id(&list[i]) == want {
				return i
			}
		}
		return -1
	}
	places := (*x)[owner]
	if places == nil {
		places = make(map[string]int, len(list))
		for i := range list {
			if _, taken := places[id(&list[i])]; !taken {
				places[id(&list[i])] = i
			}
		}
		if *x == nil {
			*x = make(index)
		}
		(*x)[owner] = places
	}
	if i, ok := places[want]; ok {
		return i
	}
	return -1
}

// The ids of what lists hold.
func contextID(v *taxonomy.ContextValue) string { return v.ID }
func optionID(o *taxonomy.Option) string        { return o.ID }
func subchainID(s *taxonomy.Subchain) string    { return s.ID }
func valueID(v *taxonomy.VariableValue) string  { return v.ID }
func variableID(v *taxonomy.Variable) string    { return v.ID }
func itself(s *string) string                   { return *s }

// The ids that earlier versions use.
func contextFrom(v *taxonomy.ContextValue) []string { return v.RenamedFrom }
func optionFrom(o *taxonomy.Option) []string        { return o.RenamedFrom }
func variableFrom(v *taxonomy.Variable) []string    { return v.RenamedFrom }

// idsOf yields the ids of a list.
func idsOf[T any](list []T, id func(*T) string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range list {
			if !yield(id(&list[i])) {
				return
			}
		}
	}
}

func elementIDs(list []*taxonomy.Element) iter.Seq[string] {
	return idsOf(list, func(e **taxonomy.Element) string { return (*e).ID })
}

// counted is what a placement counts as: an element and its category, or nil.
type counted struct {
	element  *taxonomy.Element
	category *taxonomy.Category
}

// counting returns the schema that says which categories are required, and how often
// elements and categories can be placed. It is the published version, if there is one:
// a snapshot has only the categories that are placed, so a category that was removed
// from both would not be missed.
func (p *Pass) counting() Definitions {
	if p.Live != nil {
		return p.Live
	}
	return p.Schema
}

// count counts the placements of each category.
func (p *Pass) count() {
	p.perCategory = make(map[*taxonomy.Category]int)
	for i := range p.placed {
		placed := &p.placed[i]
		placed.counted = counted{placed.Element, placed.Category}
		if p.Live != nil {
			placed.counted = p.countLive(placed)
		}
		if c := placed.counted.category; c != nil {
			p.perCategory[c]++
		}
	}
}

// meantFor returns how many placements a category has or, if they are fewer than
// needed, was meant to have: a misspelled element_id, or the id of the category in its
// place, is one mistake, and not also that of a missing placement.
func (p *Pass) meantFor(c *taxonomy.Category, needed int) int {
	n := p.perCategory[c]
	if n < needed {
		n += p.typos().perCategory[c]
	}
	return n
}

// misspelled is what the placements of unknown elements were probably meant to place.
type misspelled struct {
	elements    map[string]bool
	perCategory map[*taxonomy.Category]int
}

// typos guesses what the placements of unknown elements were meant to place.
func (p *Pass) typos() *misspelled {
	if p.misspelled != nil {
		return p.misspelled
	}
	m := &misspelled{make(map[string]bool), make(map[*taxonomy.Category]int)}
	p.misspelled = m
	for placed := range p.Placements() {
		if placed.counted.element != nil || placed.unread {
			continue
		}
		category := placed.ElementID // in place of one of its elements
		near := p.hints.element(placed.ElementID, p.counting()).one
		if e, ok := p.counting().Element(near); ok {
			m.elements[near], category = true, e.CategoryID
		}
		if c, ok := p.counting().Category(category); ok {
			m.perCategory[c]++
		}
	}
	return m
}

// countLive returns what a placement of a resolved document counts as in the published
// version. Only that and the suggestions count, not what the snapshot says.
func (p *Pass) countLive(placed *Placed) counted {
	e, published := p.Live.Element(placed.ElementID)
	if !published {
		if e = p.pool.suggested[placed.ElementID]; e == nil {
			return counted{}
		}
	}
	c, _ := p.Live.Category(e.CategoryID)
	return counted{e, c}
}

// Rule is one check. It reads its [Pass] and reports issues; it has no other effect. A
// rule that panics, or reports a code that it does not declare, ends the run with an
// error that names it: what could not be validated is neither valid nor invalid.
type Rule struct {
	// Name is unique in a suite.
	Name string
	// Doc is a sentence that documents follow.
	Doc string
	// Codes are the codes that the rule reports, at least one.
	Codes []issue.Code
	// Needs says which parts of a document a finding depends on. With
	// [Options.Partial] the rule then also runs if the shape of the document is
	// wrong, and must use [Pass.Broken] to report nothing that depends on a
	// wrong part. A rule that does not say is left out of such a run.
	Needs string
	// Run reports the issues of a document.
	Run func(*Pass)
}

// CheckRules returns an error if rules can't be used as [Options.Rules]: if one is nil,
// has no name, no codes or no function, or if two have the same name.
func CheckRules(rules []*Rule) error {
	for i, r := range rules {
		switch {
		case r == nil:
			return fmt.Errorf("validate: rule %d is nil", i)
		case r.Name == "":
			return fmt.Errorf("validate: rule %d has no name", i)
		case r.Run == nil:
			return fmt.Errorf("validate: the rule %s has no function Run", r.Name)
		case len(r.Codes) == 0 || slices.Contains(r.Codes, ""):
			return fmt.Errorf("validate: the rule %s must list the codes that it reports in Codes", r.Name)
		case slices.ContainsFunc(rules[:i], func(other *Rule) bool { return other.Name == r.Name }):
			return fmt.Errorf("validate: two rules have the name %s", r.Name)
		}
	}
	return nil
}

// instanceRules returns the suite of [Instance], in the order of its findings. The
// caller owns the slice.
func instanceRules() []*Rule {
	return append([]*Rule{schemaVersion, snapshot, elementKnown}, commonRules()...)
}

// resolvedRules returns the suite of [Resolved], in the order of its findings. The
// schema is the snapshot, which does not have the locales of the version, so these are
// not checked; nor does it have unused categories, so those are checked only if the
// version is published.
func resolvedRules() []*Rule {
	return append(suggestionRules(), snapshotRules()...)
}

// snapshotRules are the rules of resolved documents that read the snapshot.
func snapshotRules() []*Rule {
	return slices.Concat([]*Rule{elementResolved}, commonRules(), []*Rule{drift})
}

// suggestionRules are the rules of suggested elements. They read the document itself,
// so they also run if the shape is wrong: models write suggestions by hand, and a
// mistake in one must not hide that it may not be there at all.
func suggestionRules() []*Rule {
	return []*Rule{collision, suggestedProvenance}
}

func commonRules() []*Rule {
	return []*Rule{
		elementDeprecated,
		requiredCategory,
		categoryCount,
		elementCount,
		contextType,
		variables,
		locales,
		instanceIDs,
		subchains,
		label,
		sourceURL,
		provenance,
		register,
	}
}

// strictRules returns the rules of strict mode: warnings for what is tolerated.
func strictRules() []*Rule {
	return []*Rule{unknownField, provenanceKind}
}
