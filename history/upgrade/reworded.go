package upgrade

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// rewording is a text that says something else in the new version.
type rewording struct {
	what        string
	locale      string
	before, now string
}

// compare returns a text that differs in a language that both versions have, the first
// in the order of the new version. A translation that was added or removed does not
// change what a document says.
func (u *upgrader) compare(what string, before, now taxonomy.Localized) []rewording {
	return u.compareBy(wording.SameWords, what, before, now)
}

// compareBy compares texts of which some that differ say the same.
func (u *upgrader) compareBy(same func(before, now string) bool, what string, before, now taxonomy.Localized) []rewording {
	for _, t := range now {
		if old, ok := before.Get(t.Locale); ok && !same(old, t.Value) {
			return []rewording{{what, t.Locale, old, t.Value}}
		}
	}
	return nil
}

// reword notes that something that a document uses was reworded, once for each thing.
func (u *upgrader) reword(kind Kind, at document.Value, thing string, texts ...[]rewording) {
	var parts []string
	for _, list := range texts {
		for _, t := range list {
			now, before := differing(t.now, t.before)
			parts = append(parts, fmt.Sprintf("the %s is now %q (%s, before: %q)", t.what, now, t.locale, before))
		}
	}
	if key := string(kind) + " " + thing; len(parts) > 0 && !u.noted[key] {
		u.noted[key] = true
		u.review(kind, at, "check that it still says what is meant", "%s was reworded: %s.", wording.Sentence(thing), wording.And(parts))
	}
}

// differing returns what a message repeats of two texts: their beginning, or if that is
// the same for long, the part from a few words before the difference.
func differing(a, b string) (string, string) {
	const most, before = 80, 20
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	start := strings.LastIndexByte(a[:max(same-before, 0)], ' ') + 1
	if start == 0 || max(utf8.RuneCountInString(a), utf8.RuneCountInString(b)) <= most {
		return wording.Clip(a), wording.Clip(b)
	}
	return "…" + wording.Clip(a[start:]), "…" + wording.Clip(b[start:])
}

func (u *upgrader) rewordedElement(p *placement) {
	if p.old == nil {
		u.appeared(p.member("element_id"), "the element "+ident.Name(p.target), codes.IDElement, p.target, p.element.Title,
			func(r *taxonomy.Release) bool { return r.HasElement(p.target) })
		return
	}
	if p.old == p.element {
		return
	}
	if u.isReused(codes.IDElement, p.target, false, p.old.Title, p.element.Title, func() bool { return u.newTitles()[u.text(p.old.Title)] },
		func(r *taxonomy.Release) bool { return !r.HasElement(p.target) }, "") {
		u.reuse(p.member("element_id"), "the element "+ident.Name(p.target), p.old.Title, p.element.Title)
		return
	}
	// A text that names a variable by its new id says the same, and one with another full
	// stop at its end.
	same := func(before, now string) bool {
		keep := func(id string) string { return id }
		return wording.SameWords(ident.RenameVariables(now, keep), ident.RenameVariables(before, func(id string) string {
			if v := u.variableOf(p.element, id); v != nil {
				return v.ID
			}
			return id
		}))
	}
	u.reword(kindElementReworded, p.member("element_id"), "the element "+ident.Name(p.target),
		u.compareBy(same, "title", p.old.Title, p.element.Title),
		u.compareBy(same, "description", p.old.Description, p.element.Description))
}

func (u *upgrader) rewordedVariable(v *value, next *taxonomy.Variable) {
	thing := fmt.Sprintf("the variable %s of %s", ident.Name(next.ID), ident.Name(v.target))
	if v.old == nil && v.placement.old != nil && !v.moved() && v.given.ID == next.ID {
		u.appeared(v.member("id"), thing, codes.IDVariable, next.ID, next.Label,
			func(r *taxonomy.Release) bool { return v.has(r, next.ID, "") }, v.owners()...)
	}
	if v.old == nil || v.old == next {
		return
	}
	left := func() bool {
		return leftTo(u, v.old.Label, v.placement.old.Variables, v.element.Variables, ofVariable)
	}
	if v.old.ID == next.ID && u.isReused(codes.IDVariable, next.ID, v.removed, v.old.Label, next.Label, left, func(r *taxonomy.Release) bool { return v.lacks(r, next.ID, "") }, v.owners()...) {
		u.reuse(v.member("id"), thing, v.old.Label, next.Label)
		return
	}
	u.reword(kindVariableReworded, v.member("id"), thing,
		u.compare("label", v.old.Label, next.Label))
}

func (u *upgrader) rewordedOption(v *value, next *taxonomy.Variable, at document.Value, before, now *taxonomy.Option, removed bool) {
	thing := fmt.Sprintf("the option %s of the variable %s of %s", ident.Name(now.ID), ident.Name(cmp.Or(v.renamed[v.given.ID], v.given.ID)), ident.Name(v.target))
	if before == nil && v.old != nil && at.Text() == now.ID {
		u.appeared(at, thing, codes.IDOption, now.ID, now.Label,
			func(r *taxonomy.Release) bool { return v.has(r, v.given.ID, now.ID) }, v.owners()...)
	}
	if before == nil || before == now {
		return
	}
	left := func() bool { return leftTo(u, before.Label, v.old.Options, next.Options, ofOption) }
	if before.ID == now.ID && u.isReused(codes.IDOption, now.ID, removed, before.Label, now.Label, left, func(r *taxonomy.Release) bool { return v.lacks(r, v.given.ID, now.ID) }, v.owners()...) {
		u.reuse(at, thing, before.Label, now.Label)
		return
	}
	u.reword(kindOptionReworded, at, thing,
		u.compare("label", before.Label, now.Label),
		u.compare("description", before.Description, now.Description))
}

func (u *upgrader) rewordedContext(p *placement, before, now *taxonomy.ContextValue, removed bool) {
	has := func(r *taxonomy.Release) bool {
		c, ok := r.Category(p.category.ID)
		if ok {
			_, ok = c.Context.Value(now.ID)
		}
		return ok
	}
	if before == nil && p.old != nil && !p.moved() && p.given.ContextTypeID == now.ID {
		u.appeared(p.member("context_type_id"), fmt.Sprintf("the context value %s of the category %s", ident.Name(now.ID), ident.Name(p.category.ID)),
			codes.IDContextValue, now.ID, now.Label, has, p.category.ID)
	}
	if before == nil || before == now {
		return
	}
	was, _ := u.oldCategory(p.old.CategoryID)
	left := func() bool {
		return leftTo(u, before.Label, was.Context.Values, p.category.Context.Values, ofContext)
	}
	if before.ID == now.ID && u.isReused(codes.IDContextValue, now.ID, removed, before.Label, now.Label, left, func(r *taxonomy.Release) bool {
		_, ok := r.Category(p.category.ID)
		return ok && !has(r)
	}, p.category.ID) {
		u.reuse(p.member("context_type_id"), fmt.Sprintf("the context value %s of the category %s", ident.Name(now.ID), ident.Name(p.category.ID)), before.Label, now.Label)
		return
	}
	u.reword(kindContextReworded, p.member("context_type_id"), "the context of the category "+ident.Name(p.category.ID),
		u.compare("name", was.Context.Name, p.category.Context.Name),
		u.compare("description", was.Context.Description, p.category.Context.Description))
	u.reword(kindContextReworded, p.member("context_type_id"), fmt.Sprintf("the context value %s of the category %s", ident.Name(now.ID), ident.Name(p.category.ID)),
		u.compare("label", before.Label, now.Label),
		u.compare("description", before.Description, now.Description))
}
