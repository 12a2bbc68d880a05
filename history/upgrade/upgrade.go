// Package upgrade moves datachain documents from one schema version to another.
//
// [Document] edits the text of a document as its author would: it pins the new version,
// replaces elements that were removed with their single successor, follows renamed
// variables, options and context values, and adds variables that are now required as
// gaps, with an empty value. Everything else stays as it is written, byte for byte, so
// that a diff shows what changed and nothing more. What became of ids is part of the new
// release, or known from the evolution of the datachain type: see
// [history.With]. [Run] does it for a version that a [datachain.Service] has opened.
//
// It never invents content, and removes none unless [Options.Drop] asks for it. What it
// can't decide is a [ReportEntry] of the [Report], at its place: a choice between successors,
// an element without one, a value that has no variable any more, a placement that is now
// required. So is what stays valid but now says something else.
//
// The new document is validated, and every finding is in the report. Upgrading again
// changes nothing.
//
// The old version may be unknown, because it was retired. The snapshot of a resolved
// document serves instead; a thin document is moved by what the new version says about
// its past.
//
// # Experimental
//
// This package may change in a minor version.
package upgrade

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// Options configure an upgrade. The zero value and nil are the defaults.
type Options struct {
	// Drop removes what no longer exists: placements of elements without a
	// successor, and variables, options and context values that were removed.
	// The report quotes what is dropped. A document keeps one placement, as
	// its shape requires.
	Drop bool
	// MaxBytes limits the canonical size of a resolved document, which is
	// otherwise written thin; 0 means 512 KiB, as in resolving, and a negative
	// value no limit.
	MaxBytes int
	// OtherType allows moving to a version of another datachain type, which must have every element,
	// variable, option and context value that the document uses, under the same id.
	OtherType bool
	// UpdatedAt, if it is not zero, becomes the updated_at of a document that changes.
	UpdatedAt time.Time
	// Validate is how the new document is validated, such as with further rules; nil
	// means the defaults. Interrupt applies to it, too.
	Validate *validate.Options
	// Between returns the versions between the old one and the new one, in any order.
	// It is called at most once, and only if something has another title under the
	// same id: if one of these versions lacks it, it may be something else, and a
	// person has to decide. nil means that there are none.
	Between func() []*taxonomy.Release
	// Older returns the versions that are older than the old one, in any order. It is called
	// at most once, and only if the document uses an id that the old version lacks and the
	// new one has: if an older one has it too, or an evolution says that it was removed, it
	// may be something else. Otherwise the document was prepared for the new version. nil
	// means that the older versions are unknown.
	Older func() []*taxonomy.Release
	// Interrupt is called from time to time. If it returns an error, the upgrade
	// ends with that error.
	Interrupt func() error
}

// Result is an upgraded document.
type Result struct {
	// Document is the new document. It is the original one if nothing changed.
	Document *document.Document
	// Edits turn the original text into the new one.
	Edits []document.Edit
	// Report says what was done, and what is left to do.
	Report Report
	// Issues are the findings of the new document. Each is in the report.
	Issues issue.Issues
}

// OK reports whether the new document is valid, and nothing is left that a person has
// to do.
func (r *Result) OK() bool {
	return r.Document != nil && r.Report.Counts.Cannot+r.Report.Counts.NeedsPerson == 0 && !r.Issues.HasErrors()
}

// ErrAnotherType is wrapped by the error for a document of another datachain type than
// that of the new version, unless [Options.OtherType] allows it. The type is that of the old
// release or, without one, of the version that the document pins.
var ErrAnotherType = errors.New("another datachain type")

// Document moves a document, thin or resolved, from one schema version to another,
// usually a newer one. The old release is that of the version for which the document was
// written, or nil if it is not available. A document whose shape is wrong is returned
// unchanged, and the report says what is wrong.
//
// The error wraps [ErrAnotherType] or [ErrLacking], or is that of [Options.Interrupt] or a
// failure of this package.
func Document(doc *document.Document, from, to *taxonomy.Release, o *Options) (*Result, error) {
	switch {
	case doc == nil:
		return nil, errors.New("upgrade: the document is nil")
	case to == nil:
		return nil, errors.New("upgrade: the release to move to is nil")
	}
	if o == nil {
		o = new(Options)
	}
	to = to.WithLineage(history.From(to)) // it is asked for each placement
	u := &upgrader{doc: doc, to: to, opts: o, edit: edit.New(doc), noted: make(map[string]bool)}
	u.between = sync.OnceValue(func() []*taxonomy.Release {
		if o.Between == nil {
			return nil
		}
		return o.Between()
	})
	if o.Older != nil {
		u.older = sync.OnceValue(o.Older)
	}
	if err := u.begin(from); err != nil {
		return nil, err
	}
	if issues, err := u.checkShape(); err != nil || issues != nil {
		return u.refused(issues, err)
	}
	if err := u.read(from); err != nil {
		return nil, err
	}
	if u.other {
		if err := u.checkOther(); err != nil {
			return nil, err
		}
	}
	u.pin()
	for i := 0; i < len(u.placements) && u.proceed(i); i++ {
		u.decide(&u.placements[i])
	}
	if !slices.ContainsFunc(u.placements, func(p placement) bool { return !p.dropped }) {
		u.placements[0].dropped = false // a document needs one
	}
	for i := 0; i < len(u.placements) && u.proceed(i); i++ {
		u.place(&u.placements[i])
	}
	u.reportMerged()
	u.references()
	u.suggestions()
	if u.stopped != nil {
		return nil, u.stopped
	}
	// A resolved document stays one if it is valid.
	if u.embedded || u.pending() {
		if r, err := u.resolved(); err != nil || r != nil {
			return r, err
		}
	}
	return u.thin()
}

// upgrader is one upgrade.
type upgrader struct {
	doc *document.Document
	// oldElement and oldCategory find parts of the old release, or of the snapshot of a resolved
	// document. Without either, oldUnknown is set, and they find nothing.
	oldElement  func(id string) (*taxonomy.Element, bool)
	oldCategory func(id string) (*taxonomy.Category, bool)
	oldUnknown  bool

	to      *taxonomy.Release
	opts    *Options
	from    string           // the old version
	since   taxonomy.Version // the same, or zero if it is not known, or of another type
	other   bool             // the old version is of another type
	history history.History  // of the ids of the old version
	// between returns the versions between the two.
	between func() []*taxonomy.Release
	// older returns the versions before the old one, or is nil if they are unknown.
	older func() []*taxonomy.Release

	instance   *taxonomy.Instance
	embedded   bool // the document has a snapshot
	tooLarge   int  // the size of the resolved document, if that is too large
	suggested  map[string]*suggestion
	placements []placement
	noted      map[string]bool // rewordings that were noted
	retitled   map[string]bool // see newTitles

	edit    *edit.Editor
	notes   []note
	stopped error // of Interrupt
}

// begin determines the old version and checks that it has the type of the new one.
func (u *upgrader) begin(from *taxonomy.Release) error {
	pinned, _ := u.doc.Root().Get("schema_version")
	u.from = wording.Clip(pinned.Text())
	typ := ""
	if ref, err := taxonomy.ParseRef(pinned.Text()); err == nil {
		typ = ref.Type()
		u.since, _ = ref.Version()
	}
	if from != nil {
		u.since = from.Version()
		u.from, typ = u.since.String(), u.since.Type()
	}
	to := u.to.Version()
	u.other = typ != "" && typ != to.Type()
	if u.other {
		u.since = taxonomy.Version{} // the new type knows nothing of it
	}
	u.history = history.Of(u.since, u.to)
	if u.other && !u.opts.OtherType {
		return fmt.Errorf("upgrade: %w: the document is of the type %s, not %s", ErrAnotherType, typ, to.Type())
	}
	return nil
}

// checkShape returns what is wrong with the shape of the document, apart from the text of
// the pin, which is replaced anyway.
func (u *upgrader) checkShape() (issue.Issues, error) {
	result, err := validate.InstanceShape(u.doc, &validate.Options{Version: u.to.Version(), Interrupt: u.opts.Interrupt})
	if err != nil {
		return nil, err
	}
	pinned, _ := u.doc.Root().Get("schema_version")
	for _, i := range result.Issues {
		if !i.Path.Equal(pinPath) || pinned.Kind() != '"' {
			return result.Issues, nil
		}
	}
	return nil, nil
}

var pinPath = issue.Root.Key("schema_version")

// read decodes the document.
func (u *upgrader) read(from *taxonomy.Release) (err error) {
	root := u.doc.Root()
	_, u.embedded = root.Get("schema_snapshot")
	var resolved *taxonomy.Resolved // nil if the document is thin
	if _, suggests := root.Get("suggested_elements"); u.embedded || suggests {
		if resolved, err = taxonomy.DecodeResolved(u.doc); err != nil {
			resolved = nil // the snapshot will be replaced, and the suggestions reported
		}
	}
	if resolved != nil {
		u.instance = &resolved.Instance
	} else if u.instance, err = taxonomy.DecodeInstance(u.doc); err != nil {
		return fmt.Errorf("upgrade: decoding a document of valid shape: %w", errname.Trim(err))
	}
	u.oldElement, u.oldCategory = byID[taxonomy.Element](nil, nil), byID[taxonomy.Category](nil, nil)
	switch {
	case from != nil:
		u.oldElement, u.oldCategory = from.Element, from.Category
	case u.embedded && resolved != nil:
		u.oldElement = byID(resolved.SchemaSnapshot.Elements, func(e *taxonomy.Element) string { return e.ID })
		u.oldCategory = byID(resolved.SchemaSnapshot.Categories, func(c *taxonomy.Category) string { return c.ID })
	default:
		u.oldUnknown = true
		u.review(kindOldVersionUnknown, root, "read the whole document, or upgrade with a store that has the version",
			"The version %s is not available, so what was removed from it or reworded is not known.", wording.Plain(u.from))
	}
	if resolved != nil {
		u.readSuggestions(resolved.SuggestedElements)
	}
	elements, _ := root.Get("elements")
	u.placements = make([]placement, len(u.instance.Elements))
	for i := range u.instance.Elements {
		at, _ := elements.At(i)
		u.placements[i] = placement{index: i, at: at, given: &u.instance.Elements[i], target: u.instance.Elements[i].ElementID}
	}
	return nil
}

// interruptEvery is how many items are processed between two calls of Interrupt.
const interruptEvery = 256

// proceed reports whether to go on with item i of many. It calls Interrupt for some.
func (u *upgrader) proceed(i int) bool {
	if u.stopped == nil && u.opts.Interrupt != nil && i%interruptEvery == 0 {
		u.stopped = u.opts.Interrupt()
	}
	return u.stopped == nil
}

// pin pins the new version.
func (u *upgrader) pin() {
	root, version := u.doc.Root(), u.to.Version().String()
	at, there := root.Get("schema_version")
	if at.Text() == version {
		return
	}
	n := note{at: at, ReportEntry: ReportEntry{Kind: kindRepinned, Class: Done, Message: fmt.Sprintf("Changed schema_version to %s.", version)}}
	if there {
		n.Message = fmt.Sprintf("Changed schema_version from %s to %s.", wording.Plain(at.Text()), version)
		u.edit.Replace(at, quote(version))
	} else {
		n.at, n.below = root, issue.Root.Key("schema_version")
		u.edit.Add(root, "schema_version", quote(version))
	}
	u.note(n)
	if link, ok := root.Get("$schema"); ok && u.linksOld(link.Text()) {
		u.review(kindSchemaLink, link, "write the JSON Schema of "+version, "$schema still names %s.", wording.Plain(u.from))
	}
}

// byID returns a function that finds the items of a list, the first of two with the same id.
func byID[T any](list []T, id func(*T) string) func(string) (*T, bool) {
	items := make(map[string]*T, len(list))
	for i := range slices.Backward(list) {
		items[id(&list[i])] = &list[i]
	}
	return func(id string) (*T, bool) {
		item, ok := items[id]
		return item, ok
	}
}
