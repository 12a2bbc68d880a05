package product

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
	"github.com/datachain-go/datachain/validate"
)

// Options configure [Merge]. The zero value and nil are the defaults.
type Options struct {
	// Take and Keep decide about parts of the document, by [upgrade.ReportEntry.Unit]: to take
	// what the product has now, or to keep what the document has.
	Take, Keep []string
	// URL, if it is not "", becomes the place where the product is read from now on.
	URL string
	// UpdatedAt, if it is not zero, becomes the updated_at of a document that changes.
	UpdatedAt time.Time
	// Roles are those of taxonomies whose releases have none, by datachain type, as in the settings
	// of a register.
	Roles map[string]*summary.Roles
	// Validate is how the new document is validated; nil means the defaults.
	Validate *validate.Options
	// Pinned returns the release that a document pins, or nil if it is not available. It is
	// called for documents that pin another version than that of the merge, which are upgraded
	// first. Between returns the releases between two. Both can be nil.
	Pinned  func(*document.Document) *taxonomy.Release
	Between func(older, newer *taxonomy.Release) []*taxonomy.Release
	// Interrupt is called from time to time. If it returns an error, Merge ends with it.
	Interrupt func() error
}

// Result is a merged document. Its report is like that of an upgrade.
type Result struct {
	upgrade.Result
	// From is what the document was based on, and To what the product is now.
	From, To BasedOn
	// Open is how many decisions are open. The document stays based on the old edition until
	// there are none.
	Open int
	// Found are those of Options.Take and Keep that the merge was about.
	Found []string
}

// The kinds of entries in the report of a merge, besides those of an upgrade.
const (
	kindAdded           upgrade.Kind = "product_added"
	kindChanged         upgrade.Kind = "product_changed"
	kindRemoved         upgrade.Kind = "product_removed"
	kindBothChanged     upgrade.Kind = "both_changed"
	kindContextChanged  upgrade.Kind = "product_context"
	kindActionsChanged  upgrade.Kind = "product_actions"
	kindContactChanged  upgrade.Kind = "product_contact"
	kindAccountable     upgrade.Kind = "product_accountable"
	kindSupplierChanged upgrade.Kind = "product_supplier"
	kindKept            upgrade.Kind = "kept"
	kindMatched         upgrade.Kind = "product_matched"
	kindEditionMoved    upgrade.Kind = "product_edition"
)

// Errors that wrap what can't be merged.
var (
	// ErrNotBased means that a document is not based on a product.
	ErrNotBased = errors.New("not based on a product: it has no object register.based_on with an edition")
	// ErrBase means that a text is not the edition that a document is based on.
	ErrBase = errors.New("not the edition that the document is based on")
)

// Merge carries what a supplier changed in a product over to a document that is based on it. The
// base is the product as it was when the document started from it or was merged last; nil means
// that it was lost, and then a person has to decide about every difference. Theirs is the product
// as it is now, and ours the document. All are moved to the release first.
//
// What only the supplier added or reworded is taken over, and so are gaps. Nothing is removed, and
// no context, action, contact or link changes, without a decision: the report lists these. What
// both changed stays as the document has it. Everything else keeps its bytes.
//
// The error wraps [ErrNotBased], [ErrNoProduct], [ErrBase] or [upgrade.ErrAnotherType], or is that
// of [Options.Interrupt].
func Merge(base, theirs, ours *document.Document, r *taxonomy.Release, o *Options) (*Result, error) {
	if theirs == nil || ours == nil || r == nil {
		return nil, errors.New("product: a document or the release is nil")
	}
	if o == nil {
		o = new(Options)
	}
	from, ok := Base(ours)
	switch {
	case !ok:
		return nil, fmt.Errorf("product: %w", ErrNotBased)
	case !Is(theirs):
		return nil, fmt.Errorf("product: %w", ErrNoProduct)
	case base != nil && Edition(base) != from.Edition:
		return nil, fmt.Errorf("product: the edition %s is %w: %s", Short(Edition(base)), ErrBase, Short(from.Edition))
	}
	url := from.URL
	if o.URL != "" {
		url = o.URL
	}
	m := &merger{opts: o, release: r, from: from, to: Describe(theirs, url), original: ours, baseLost: base == nil}
	if from.Edition == m.to.Edition {
		result := &Result{From: from, To: m.to}
		result.Document, result.Report = ours, upgrade.Report{From: pinOf(ours), To: r.Version(), Form: formOf(ours), Entries: []upgrade.ReportEntry{}}
		return result, nil
	}
	if issues, err := m.shape(ours); err != nil || len(issues) > 0 {
		return m.refused(issues, err)
	}
	for _, doc := range []*document.Document{theirs, base} {
		if doc == nil {
			continue
		}
		if issues, err := m.shape(doc); err != nil {
			return nil, err
		} else if len(issues) > 0 {
			return nil, fmt.Errorf("product: the edition %s is not a document: %s", Short(Edition(doc)), wording.Plain(issues[0].Message))
		}
	}
	var err error
	if base != nil {
		if base, _, err = m.move(base); err != nil {
			return nil, err
		}
	}
	if theirs, _, err = m.move(theirs); err != nil {
		return nil, err
	}
	m.doc = ours
	moved, result, err := m.move(ours)
	if err != nil {
		return nil, err
	}
	m.doc = moved
	if result != nil {
		m.upgraded = result.Edits
		m.noteUpgrade(&result.Report)
	}
	m.edit = edit.New(m.doc)
	m.merge(base, theirs)
	if m.interruptErr != nil {
		return nil, m.interruptErr
	}
	return m.result()
}

// merger is one merge.
type merger struct {
	opts     *Options
	release  *taxonomy.Release
	from, to BasedOn
	baseLost bool // the base is lost

	original *document.Document
	doc      *document.Document // ours in the version of the release
	upgraded []document.Edit    // from original to doc

	edit         *edit.Editor
	additions    []func() // additions, which come after removals so that their indexes are final
	notes        []*note
	open         int
	found        []string
	roles        map[string]*roles
	steps        int
	interruptErr error // of Interrupt
}

// move returns a document in the version of the release, and the upgrade if there was one.
func (m *merger) move(doc *document.Document) (*document.Document, *upgrade.Result, error) {
	if pinOf(doc) == m.release.Version().String() {
		return doc, nil, nil
	}
	var from *taxonomy.Release
	if m.opts.Pinned != nil {
		from = m.opts.Pinned(doc)
	}
	o := &upgrade.Options{Validate: m.opts.Validate, Interrupt: m.opts.Interrupt}
	if m.opts.Between != nil && from != nil {
		o.Between = func() []*taxonomy.Release { return m.opts.Between(from, m.release) }
	}
	result, err := upgrade.Document(doc, from, m.release, o)
	if err != nil {
		return nil, nil, err
	}
	return result.Document, result, nil
}

func pinOf(doc *document.Document) string {
	v, _ := doc.Root().Get("schema_version")
	return wording.Clip(v.Text())
}

// unit is a part of a document about which a merge decides.
type unit struct {
	// path names it, as Options.Take and Keep do.
	path  string
	class upgrade.Class // Done or NeedsPerson
	kind  upgrade.Kind
	// at is its value in ours or, if ours does not have it, what contains it.
	at document.Value
	// change is what the supplier changed, for the report.
	change string
	// apply makes it what the product has. It returns the place of something new in at.
	apply func(n *note)
	// removes reports whether apply removes something.
	removes bool
}

// decide takes over a unit that the supplier changed, or leaves it to a person.
func (m *merger) decide(u unit) {
	n := &note{at: u.at}
	n.Kind, n.Class, n.Unit, n.Message = u.kind, upgrade.Done, unitName(u.path), u.change
	taken, kept := slices.Contains(m.opts.Take, u.path), slices.Contains(m.opts.Keep, u.path)
	if taken || kept {
		m.found = append(m.found, u.path)
	}
	switch {
	case kept:
		n.Kind, n.Message = kindKept, u.change+"; yours is kept"
	case !taken && u.class == upgrade.NeedsPerson:
		m.open++
		n.Class = upgrade.NeedsPerson
		n.FixHint = "take what the product has, or keep yours"
	case u.removes:
		n.removed = true
		u.apply(n)
	default:
		m.additions = append(m.additions, func() { u.apply(n) })
	}
	m.notes = append(m.notes, n)
}

// maxUnit is how long the name of a unit can be, in bytes. Longer ones are those of hostile documents.
const maxUnit = 512

// unitName returns the name of a unit as reports have it.
func unitName(path string) string {
	if len(path) > maxUnit {
		return wording.Plain(clipped(path))
	}
	return wording.Line(path)
}

// proceed reports whether to go on. It calls Interrupt from time to time.
func (m *merger) proceed() bool {
	if m.interruptErr == nil && m.opts.Interrupt != nil && m.steps%256 == 0 {
		m.interruptErr = m.opts.Interrupt()
	}
	m.steps++
	return m.interruptErr == nil
}

// change says which side changed a part.
type change int

const (
	unchanged   change = iota // by the supplier, or both changed it alike
	theirChange               // only the supplier changed it
	bothChanged
)

// compare compares a part of the three documents by its canonical text, which is "" if it is missing
// or a gap.
func (m *merger) compare(base, theirs, ours string) change {
	switch {
	case theirs == ours:
		return unchanged
	case m.baseLost:
		if theirs == "" && ours != "" {
			return theirChange // or it was never in the product
		}
		return bothChanged
	case theirs == base:
		return unchanged
	case ours == base:
		return theirChange
	}
	return bothChanged
}

// class returns the class of a change: what both changed, and everything if the base was lost, is left
// to a person.
func (m *merger) class(c change, proposed upgrade.Class) upgrade.Class {
	if m.baseLost || c == bothChanged {
		return upgrade.NeedsPerson
	}
	return proposed
}

// roles are those of an element and its variables.
type roles struct {
	accountable bool
	// guarded are variables in which people are told whom to ask or where to go.
	guarded map[string]bool
}

// rolesOf returns the roles of an element, none if it is unknown.
func (m *merger) rolesOf(element string) *roles {
	if known := m.roles[element]; known != nil {
		return known
	}
	overlay := m.opts.Roles[m.release.Version().Type()]
	if overlay == nil {
		overlay = new(summary.Roles)
	}
	r := &roles{guarded: make(map[string]bool)}
	if e, ok := m.release.Element(element); ok {
		role := overlay.Categories[e.CategoryID]
		if c, ok := m.release.Category(e.CategoryID); ok && c.Role != "" {
			role = c.Role
		}
		r.accountable = role == taxonomy.RoleAccountable
		for _, v := range e.Variables {
			role := v.Role
			if role == "" {
				role = overlay.Variables[v.ID]
			}
			r.guarded[v.ID] = role == taxonomy.RoleContact || role == taxonomy.RoleLink
		}
	}
	if m.roles == nil {
		m.roles = make(map[string]*roles)
	}
	m.roles[element] = r
	return r
}
