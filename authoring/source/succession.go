package source

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
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

// removal is an element that was removed, with the locations that later checks report.
type removal struct {
	taxonomy.Removal
	at         folder.Location // of the id
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
		o, ok := f.fields(item, objectName("Removed element", item), "!id", "replaced_by", "note", "!since")
		if !ok {
			continue
		}
		r := removal{Removal: taxonomy.Removal{ID: o.id(ident.IsElementID), Since: o.since(v)}}
		r.ReplacedBy, r.successors = o.successors()
		r.Note = o.localized("note")
		r.explained = o.get("replaced_by") != nil || o.get("note") != nil
		if ids.addID(o, r.ID) {
			r.at = o.At(o.get("id"))
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
	since, err := parseSince(n.Value, v.Type())
	switch {
	case err != nil:
		f.wrong(codes.SinceInvalid, n, "write the id of the first version without the element, such as "+v.String(), "%s is not a version id", wording.Quote(n.Value))
	case since.Type() != v.Type():
		f.wrong(codes.SinceInvalid, n, "write a version of "+v.Type()+", such as "+v.String(), "since is %s, a version of another datachain type", since)
	case since.Date() > v.Date():
		f.wrong(codes.SinceInvalid, n, "write "+v.String()+" or an earlier version", "since is %s, which is later than this version", since)
	}
	return since
}

// parseSince parses a version, or the part of its id after the type.
func parseSince(id, typ string) (taxonomy.Version, error) {
	if !strings.Contains(id, "@") {
		id = typ + "@" + id
	}
	return taxonomy.ParseVersion(id)
}

// successors reads replaced_by: an element id, or a list of ids or of {id, note}.
func (f fields) successors() (all []taxonomy.Successor, refs []reference) {
	n := f.get("replaced_by")
	if n == nil {
		return nil, nil
	}
	if n.Kind == yaml.String {
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
func (f fields) successor(n *yaml.Node, ids *idSet) ([]taxonomy.Successor, []reference) {
	if n.Kind == yaml.String {
		id := n.Value
		if !ident.IsElementID(id) {
			f.malformedID(n, ident.IsElementID)
			return nil, nil
		}
		if !ids.add(&f.Findings, id, f.Position(n.Place), n.Path) {
			return nil, nil
		}
		return []taxonomy.Successor{{ID: id}}, []reference{{id, f.At(n)}}
	}
	o, ok := f.fields(n, f.what+": "+f.name(n), "!id", "note")
	if !ok {
		return nil, nil
	}
	s := taxonomy.Successor{ID: o.id(ident.IsElementID), Note: o.localized("note")}
	if !ids.addID(o, s.ID) {
		return nil, nil
	}
	return []taxonomy.Successor{s}, []reference{{s.ID, o.At(o.get("id"))}}
}

// renamedFrom reads the ids that earlier versions use: one id, or a list of them.
func (f fields) renamedFrom() []reference {
	n := f.get("renamed_from")
	if n == nil {
		return nil
	}
	var refs []reference
	ids := newIDSet("id in renamed_from")
	read := func(n *yaml.Node) {
		switch {
		case !f.isText(n):
		case !ident.IsID(n.Value):
			f.malformedID(n, ident.IsID)
		case ids.add(&f.Findings, n.Value, f.Position(n.Place), n.Path):
			refs = append(refs, reference{n.Value, f.At(n)})
		}
	}
	if n.Kind == yaml.String {
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
	if n == nil || !f.is(n, yaml.String, "write a date such as 2026-09-01") {
		return ""
	}
	if !ident.IsDate(n.Value) {
		f.wrong(codes.FieldValue, n, "write a valid date, such as 2026-09-01", "released must be a date, not %s", wording.Quote(n.Value))
		return ""
	}
	return n.Value
}

// credit reads a licence or an attribution. An empty one says nothing, which is not
// an error: tables that were converted have many.
func (f fields) credit(key string) string {
	n := f.get(key)
	if n == nil || !f.isText(n) {
		return ""
	}
	if strings.TrimSpace(n.Value) == "" {
		hint := "name those who must be credited, or remove the key"
		if key == "licence" {
			hint = "write an SPDX expression such as CC-BY-4.0, or a URL, or remove the key"
		}
		f.Warnf(codes.FieldEmpty, f.At(n), hint, "%s: %s is empty.", f.what, key)
		return ""
	}
	return n.Value
}

// checkSuccessors checks what replaces the elements that are deprecated or removed.
func (c *compiler) checkSuccessors() {
	s := c.newSuccession()
	for i := range c.elements {
		e := &c.elements[i]
		switch {
		case e.Deprecated() && !e.explained:
			c.Warnf(codes.SuccessorMissing, folder.Location{At: e.status.In(e.file), Path: e.path("status")}, "name the elements to place instead in replaced_by",
				"%s is deprecated, but nothing says what replaces it.", e)
		case e.Status == codes.StatusActive && len(e.successors) > 0:
			c.Warnf(codes.ElementNotDeprecated, e.successors[0].Location, "write status: deprecated, or remove replaced_by",
				"%s has replaced_by, but is not deprecated, so documents that place it get no warning.", e)
		}
		for _, ref := range e.successors {
			s.check(c, e.String(), e.ID, ref)
		}
	}
	for i := range c.schema.removed {
		r := &c.schema.removed[i]
		owner := "Removed element " + r.ID
		switch {
		case s.elements[r.ID] != nil:
			c.Errorf(codes.RemovedExists, r.at, "remove the entry, or delete the element", "%s still exists, in %s.", owner, s.elements[r.ID].file)
		case !r.explained:
			c.Warnf(codes.SuccessorMissing, r.at, "name the elements to place instead in replaced_by, or explain the removal in a note",
				"%s has no successor and no note, so authors of documents don't know what to do.", owner)
		}
		for _, ref := range r.successors {
			s.check(c, owner, r.ID, ref)
		}
	}
}

// succession is the graph of elements and their successors.
type succession struct {
	elements map[string]*element
	removed  map[string]*removal
	// cycle numbers the ids that lead to one another: those with the same number
	// are on a cycle.
	cycle map[string]int
	// replacements has up to three active elements that replace the ids of a number,
	// directly or through others.
	replacements map[int][]string
}

func (c *compiler) newSuccession() *succession {
	s := &succession{elements: make(map[string]*element, len(c.elements)), removed: make(map[string]*removal, len(c.schema.removed))}
	for i := range c.elements {
		s.elements[c.elements[i].ID] = &c.elements[i]
	}
	for i := range c.schema.removed {
		s.removed[c.schema.removed[i].ID] = &c.schema.removed[i]
	}
	s.findCycles(c)
	return s
}

// next returns the successors of an id: those of an element that exists, or that was
// removed.
func (s *succession) next(id string) []reference {
	if e := s.elements[id]; e != nil {
		return e.successors
	}
	if r := s.removed[id]; r != nil {
		return r.successors
	}
	return nil
}

// findCycles finds the strongly connected components of the graph (Tarjan).
func (s *succession) findCycles(c *compiler) {
	s.cycle, s.replacements = make(map[string]int), make(map[int][]string)
	order, low := make(map[string]int), make(map[string]int)
	var stack []string
	var visit func(id string)
	visit = func(id string) {
		order[id] = len(order) + 1
		low[id] = order[id]
		stack = append(stack, id)
		for _, ref := range s.next(id) {
			if order[ref.id] == 0 {
				visit(ref.id)
				low[id] = min(low[id], low[ref.id])
			} else if s.cycle[ref.id] == 0 { // on the stack
				low[id] = min(low[id], order[ref.id])
			}
		}
		if low[id] != order[id] {
			return
		}
		first := len(stack) - 1
		for stack[first] != id {
			first--
		}
		for _, on := range stack[first:] {
			s.cycle[on] = order[id]
		}
		s.findReplacements(order[id], stack[first:])
		stack = stack[:first]
	}
	for i := range c.elements {
		if id := c.elements[i].ID; len(c.elements[i].successors) > 0 && order[id] == 0 {
			visit(id)
		}
	}
	for i := range c.schema.removed {
		if id := c.schema.removed[i].ID; order[id] == 0 {
			visit(id)
		}
	}
}

// findReplacements finds the active elements that replace the ids of a number. Those of their
// successors are known already.
func (s *succession) findReplacements(number int, ids []string) {
	const most = 3
	var found []string
	add := func(replacements ...string) {
		for _, id := range replacements {
			if len(found) < most && !slices.Contains(found, id) {
				found = append(found, id)
			}
		}
	}
	for _, id := range ids {
		for _, ref := range s.next(id) {
			if e := s.elements[ref.id]; e != nil && !e.Deprecated() {
				add(ref.id)
			} else {
				add(s.replacements[s.cycle[ref.id]]...)
			}
		}
	}
	s.replacements[number] = found
}

// check checks one successor of an element.
func (s *succession) check(c *compiler, owner, id string, ref reference) {
	e, removal := s.elements[ref.id], s.removed[ref.id]
	replacements := s.replacements[s.cycle[ref.id]]
	switch {
	case ref.id == id:
		c.Errorf(codes.SuccessorCycle, ref.Location, "write the id of another element", "%s is replaced by itself.", owner)
	case s.cycle[ref.id] != 0 && s.cycle[ref.id] == s.cycle[id]:
		c.Errorf(codes.SuccessorCycle, ref.Location, "replace one of them by an element that stays", "%s is replaced by %s, whose successors lead back to it.", owner, ref.id)
	case e == nil && removal == nil:
		c.Misspelt(&c.hints, folder.NewError(codes.SuccessorUnknown, ref.Location, "write the id of an element of this version",
			"%s is replaced by %s, which does not exist.", owner, wording.Plain(ref.id)), ref.id, maps.Keys(s.elements))
	case e == nil && len(replacements) == 0:
		c.Errorf(codes.SuccessorUnknown, ref.Location, "write the id of an element of this version, or remove the successor",
			"%s is replaced by %s, which was removed without a successor.", owner, ref.id)
	case e == nil:
		c.redirect(codes.SuccessorRemoved, ref, replacements, fmt.Sprintf("%s is replaced by %s, which was removed, too.", owner, ref.id))
	case e.Deprecated():
		c.redirect(codes.SuccessorDeprecated, ref, replacements, fmt.Sprintf("%s is replaced by %s, which is deprecated.", owner, ref.id))
	}
}

// redirect warns of a successor that has successors itself. If there is only one, it
// is the fix.
func (c *compiler) redirect(code issue.Code, ref reference, replacements []string, message string) {
	i := issue.Issue{
		Code: code, Severity: issue.SeverityWarning, Message: message, Path: ref.Path, Position: ref.At,
		FixHint: "write the id of an element that stays",
	}
	if len(replacements) > 0 {
		i.FixHint = "write " + wording.Or(replacements)
	}
	if len(replacements) == 1 {
		i.Fix = folder.SetTo(ref.Path, replacements[0])
	}
	c.Add(i)
}

// formerIDs are an id and those that earlier versions use in its place.
type formerIDs struct {
	id   string
	from []reference
}

// checkRenames finds ids in renamed_from that something of the same kind still has,
// or that two claim.
func checkRenames(f *folder.Findings, kind string, all []formerIDs) {
	taken := make(map[string]bool, len(all))
	for _, r := range all {
		taken[r.id] = true
	}
	claimed := make(map[string]string)
	for _, r := range all {
		for _, ref := range r.from {
			other, twice := claimed[ref.id]
			switch {
			case ref.id == r.id:
				f.Errorf(codes.RenameConflict, ref.Location, "remove it, or write the id that earlier versions use", "The %s %s is renamed from itself.", kind, r.id)
			case taken[ref.id]:
				f.Errorf(codes.RenameConflict, ref.Location, "remove it, or rename the other "+kind, "The %s %s is renamed from %s, which still exists.", kind, r.id, ref.id)
			case twice:
				f.Errorf(codes.RenameConflict, ref.Location, "remove it from one of them", "The %s %s is renamed from %s, and so is %s.", kind, r.id, ref.id, other)
			default:
				claimed[ref.id] = r.id
			}
		}
	}
}

// checkCategoryRenames is checkRenames for the categories.
func (c *compiler) checkCategoryRenames() {
	all := make([]formerIDs, len(c.categories))
	for i, cat := range c.categories {
		all[i] = formerIDs{cat.ID, cat.renames}
	}
	checkRenames(&c.Findings, "category", all)
}
