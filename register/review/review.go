// Package review finds documents of a register that are valid, but stale or thin: a review that is
// overdue, a contact without an address, a link that is dead. A finding is advice for the author. It
// keeps no document from being published.
//
// What needs the network or another package is handed over: [Links] requests addresses, and a
// [Check] adds findings of its own.
//
// # Experimental
//
// This package may change in a minor version.
package review

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Finding is something that the author of a document should look at.
type Finding struct {
	Kind Kind `json:"kind"`
	// File is that of the document, relative to its directory; see [register.Document.File].
	File string `json:"file"`
	Slug string `json:"slug"`
	// Path is the place in the document, or that of the field that is missing.
	Path issue.Path `json:"path"`
	// Message says what was found. It stays the same until the document, or what it is compared
	// with, changes.
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// Check looks for findings in a document. It sets their Kind, Path, Message and Hint. It is called
// concurrently.
type Check func(ctx context.Context, d *register.Document, p *datachain.Presentation) ([]Finding, error)

// Options configure [Review]. The zero value and nil are the defaults.
type Options struct {
	// Today is the day of the review; zero means the present day in UTC.
	Today time.Time
	// Months is how old a document may be that names no day of its next review; 0 means 24, and a
	// negative value that its age does not matter.
	Months int
	// Only are the kinds of findings to return; nil means all.
	Only []Kind
	// Versions are the published schema versions; nil means that none is newer than those that
	// documents pin.
	Versions *taxonomy.Index
	// Links requests the addresses in documents; nil means that they are not checked.
	Links Links
	// Checks look for further findings.
	Checks []Check
	// Progress is called with the number of documents and of links that are done. It may be nil,
	// and is called concurrently.
	Progress func(done, all int)
}

const defaultMonths = 24

// Review returns what it finds in the current editions of the documents of a register, in the order
// of [Kinds], then by slug. The same register and day give the same findings, except for links.
func Review(ctx context.Context, r *register.Register, o *Options) ([]Finding, error) {
	v := &reviewer{register: r, state: r.State()}
	if o != nil {
		v.options = *o
	}
	v.options.Months = cmp.Or(v.options.Months, defaultMonths)
	if v.options.Today.IsZero() {
		v.options.Today = time.Now()
	}
	year, month, day := v.options.Today.UTC().Date()
	v.options.Today = time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	v.today = v.options.Today.Format(time.DateOnly)

	documents := slices.DeleteFunc(slices.Clone(v.state.Documents()), (*register.Document).Removed)
	passes := make([]*pass, len(documents))
	var done atomic.Int64
	err := parallel.Each(ctx, runtime.GOMAXPROCS(0), len(documents), func(_, i int) error {
		var err error
		passes[i], err = v.look(ctx, documents[i])
		v.progress(int(done.Add(1)), len(documents))
		return err
	})
	if err != nil {
		return nil, err
	}
	compare(passes)
	if v.options.Links != nil && (v.wants(LinkDead) || v.wants(LinkMoved) || v.wants(LinkUnreachable)) {
		if err := v.checkLinks(ctx, passes); err != nil {
			return nil, err
		}
	}
	var findings []Finding
	for _, p := range passes {
		findings = append(findings, p.findings...)
	}
	findings = slices.DeleteFunc(findings, func(f Finding) bool { return !v.wants(f.Kind) })
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Kind.weight(), b.Kind.weight()), strings.Compare(a.Slug, b.Slug))
	})
	return findings, nil
}

// reviewer is one review.
type reviewer struct {
	register *register.Register
	state    *register.State
	options  Options
	today    string
}

func (v *reviewer) wants(k Kind) bool {
	return v.options.Only == nil || slices.Contains(v.options.Only, k)
}

func (v *reviewer) progress(done, all int) {
	if v.options.Progress != nil {
		v.options.Progress(done, all)
	}
}

// pass is the review of one document.
type pass struct {
	*reviewer
	*register.Document

	instance *taxonomy.Instance
	roles    *summary.Roles // of a taxonomy without roles, or nil
	entries  []summary.Entry
	index    map[*taxonomy.Placement]int // of each entry
	summary  *summary.Summary

	findings []Finding
	uses     []use
	links    []link
	// unrequested is the number of links over the limits.
	unrequested int
}

// rules are those that need a document alone. They do not judge retired systems, whose documents
// stay as they were.
var rules = []func(*pass){
	checkDates, checkContact, checkLanguages, checkVersion, checkAssessments,
}

// look reviews one document, and collects what is compared or requested later.
func (v *reviewer) look(ctx context.Context, d *register.Document) (*pass, error) {
	shown, err := v.register.Present(ctx, d, d.Current)
	if err != nil {
		return nil, fmt.Errorf("review: %s: %w", d.File(), err)
	}
	p := &pass{reviewer: v, Document: d, instance: &shown.Datachain.Instance}
	p.roles = v.state.Settings().Roles[shown.Datachain.SchemaSnapshot.DatachainType.ID]
	p.entries, p.summary = summary.Entries(shown.Datachain, shown.Release, p.roles)
	p.index = make(map[*taxonomy.Placement]int, len(p.entries))
	for i := range p.entries {
		p.index[p.entries[i].Placement] = i
	}
	if d.Details.Status != register.Retired {
		for _, check := range rules {
			check(p)
		}
		if v.wants(RarelyMissing) {
			p.uses = p.collectUses()
		}
	}
	if v.options.Links != nil {
		p.links, p.unrequested = limitLinks(p.collectLinks())
	}
	for _, check := range v.options.Checks {
		found, err := check(ctx, d, shown)
		if err != nil {
			return nil, fmt.Errorf("review: %s: %w", d.File(), err)
		}
		for _, f := range found {
			p.report(f.Kind, f.Path, f.Message, f.Hint)
		}
	}
	p.entries, p.index, p.summary, p.instance = nil, nil, nil, nil // which are many times the size of the findings
	return p, nil
}

func (p *pass) report(k Kind, at issue.Path, message, hint string) {
	p.findings = append(p.findings, Finding{Kind: k, File: p.File(), Slug: p.Slug, Path: at, Message: message, Hint: hint})
}

// at returns the path of a placement.
func at(placement int) issue.Path { return issue.Root.Key("elements").Index(placement) }

// variable returns the path of the value with a role in a placement, or that of the placement if it
// has none.
func (p *pass) variable(placement int, role taxonomy.Role) issue.Path {
	e := &p.entries[placement]
	for i := range e.Placement.Variables {
		if p.roleOf(e.Element, e.Placement.Variables[i].ID) == role {
			return at(placement).Key("variables").Index(i).Key("value")
		}
	}
	return at(placement)
}

// roleOf returns the role of a variable of an element, or "".
func (p *pass) roleOf(e *taxonomy.Element, id string) taxonomy.Role {
	if e == nil {
		return ""
	}
	v, ok := e.Variable(id)
	switch {
	case !ok:
		return ""
	case v.Role == "" && p.roles != nil:
		return p.roles.Variables[id]
	}
	return v.Role
}
