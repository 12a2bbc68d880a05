package source

import (
	"strings"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Limits on what a schema version says about others.
const (
	maxSuccessors = 100
	maxRemoved    = 10_000
	maxRenames    = 1000
	maxExamples   = 100
)

// removal is an element that was removed, with the spots that later checks report.
type removal struct {
	taxonomy.Removal
	spot       spot // of the id
	successors []reference
	// explained is set if the source has successors or a note, even if they are
	// invalid.
	explained bool
}

// removed reads the elements that were removed since earlier versions.
func (f fields) removed(v taxonomy.Version) []removal {
	var all []removal
	ids := newIDSet("removed element id")
	for item := range f.list("removed", maxRemoved) {
		o, ok := f.fields(item, named("Removed element", item), "!id", "replaced_by", "note", "!since")
		if !ok {
			continue
		}
		r := removal{Removal: taxonomy.Removal{ID: o.id(taxonomy.ValidElementID), Since: o.since(v)}}
		r.ReplacedBy, r.successors = o.successors()
		r.Note = o.localized("note")
		r.explained = o.get("replaced_by") != nil || o.get("note") != nil
		if ids.addID(o, r.ID) {
			r.spot = o.spot(o.get("id"))
			all = append(all, r)
		}
	}
	return all
}

// since reads the version without the element: its id, or only <date>-<status>.
func (f fields) since(v taxonomy.Version) taxonomy.Version {
	n := f.get("since")
	if n == nil || !f.isText(n) {
		return taxonomy.Version{}
	}
	id := n.value
	if !strings.Contains(id, "@") {
		id = v.Type() + "@" + id
	}
	since, err := taxonomy.ParseVersion(id)
	switch {
	case err != nil:
		f.wrong(issue.CodeSinceInvalid, n, "write the id of the first version without the element, such as "+v.String(), "%s is not a version id", prose.Quote(n.value))
	case since.Type() != v.Type():
		f.wrong(issue.CodeSinceInvalid, n, "write a version of "+v.Type()+", such as "+v.String(), "since is %s, a version of another datachain type", since)
	case since.Date() > v.Date():
		f.wrong(issue.CodeSinceInvalid, n, "write "+v.String()+" or an earlier version", "since is %s, which is later than this version", since)
	}
	return since
}

// successors reads replaced_by: an element id, or a list of ids or of {id, note}.
func (f fields) successors() (all []taxonomy.Successor, refs []reference) {
	n := f.get("replaced_by")
	if n == nil {
		return nil, nil
	}
	if n.kind == text {
		return f.successor(n, newIDSet("successor"))
	}
	ids := newIDSet("successor")
	for item := range f.list("replaced_by", maxSuccessors) {
		s, ref := f.successor(item, ids)
		all, refs = append(all, s...), append(refs, ref...)
	}
	return all, refs
}

// successor reads one successor, if it is valid.
func (f fields) successor(n *node, ids *idSet) ([]taxonomy.Successor, []reference) {
	if n.kind == text {
		id := n.value
		if !taxonomy.ValidElementID(id) {
			f.malformedID(n, taxonomy.ValidElementID)
			return nil, nil
		}
		if !ids.add(&f.findings, id, f.position(n.place), n.path) {
			return nil, nil
		}
		return []taxonomy.Successor{{ID: id}}, []reference{{id, f.spot(n)}}
	}
	o, ok := f.fields(n, f.what+": "+f.name(n), "!id", "note")
	if !ok {
		return nil, nil
	}
	s := taxonomy.Successor{ID: o.id(taxonomy.ValidElementID), Note: o.localized("note")}
	if !ids.addID(o, s.ID) {
		return nil, nil
	}
	return []taxonomy.Successor{s}, []reference{{s.ID, o.spot(o.get("id"))}}
}

// renamedFrom reads the ids that earlier versions use: one id, or a list of them.
func (f fields) renamedFrom() []reference {
	n := f.get("renamed_from")
	if n == nil {
		return nil
	}
	var refs []reference
	ids := newIDSet("id in renamed_from")
	read := func(n *node) {
		switch {
		case !f.isText(n):
		case !taxonomy.ValidID(n.value):
			f.malformedID(n, taxonomy.ValidID)
		case ids.add(&f.findings, n.value, f.position(n.place), n.path):
			refs = append(refs, reference{n.value, f.spot(n)})
		}
	}
	if n.kind == text {
		read(n)
		return refs
	}
	for item := range f.list("renamed_from", maxRenames) {
		read(item)
	}
	return refs
}

// examples reads a list of localized texts.
func (f fields) examples() []taxonomy.Localized {
	var all []taxonomy.Localized
	for item := range f.list("examples", maxExamples) {
		if l := f.localizedAt(f.name(item), item); l != nil {
			all = append(all, l)
		}
	}
	return all
}

// released reads the day on which the version was released.
func (f fields) released() string {
	n := f.get("released")
	if n == nil || !f.is(n, text, "write a date such as 2026-09-01") {
		return ""
	}
	if !taxonomy.ValidDate(n.value) {
		f.wrong(issue.CodeFieldValue, n, "write a day of the calendar such as 2026-09-01", "released must be a date, not %s", prose.Quote(n.value))
		return ""
	}
	return n.value
}

// credit reads a licence or an attribution. An empty one says nothing, which is not
// an error: tables that were converted have many.
func (f fields) credit(key string) string {
	n := f.get(key)
	if n == nil || !f.isText(n) {
		return ""
	}
	if strings.TrimSpace(n.value) == "" {
		hint := "name those who must be credited, or remove the key"
		if key == "licence" {
			hint = "write an SPDX expression such as CC-BY-4.0, or a URL, or remove the key"
		}
		f.warnf(issue.CodeFieldEmpty, f.spot(n), hint, "%s: %s is empty.", f.what, key)
		return ""
	}
	return n.value
}
