// Package changes compares two editions of a document, or two documents of one taxonomy.
//
// # Experimental
//
// This package may change in a minor version.
package changes

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Change is a difference between two editions of a document, or between two documents.
type Change struct {
	Kind ChangeKind
	// Path is the place in the new edition; in the old one if something was removed.
	Path issue.Path
	// Element is that of the placement that was added, removed or changed, or nil
	// if the change is in a field of the document itself. Label is the label of the
	// placement, which can be empty.
	Element *taxonomy.Element
	Label   taxonomy.Localized
	// Field is what changed in the document or the placement, as it is named in JSON,
	// such as title, register.status, context_type_id or variables. It is empty if a
	// placement was added or removed as a whole.
	Field string
	// Variable is the variable that has changed, or nil.
	Variable *taxonomy.Variable
	// Before and After are the values in words; those without a language have the
	// locale "". A value that is missing is empty.
	Before, After taxonomy.Localized
}

// ChangeKind is a kind of [Change].
type ChangeKind string

// The kinds of changes.
const (
	Added   ChangeKind = "added"
	Removed ChangeKind = "removed"
	Changed ChangeKind = "changed"
)

// Words says the change in English, with texts in a language if they have it.
func (c *Change) Words(locale string) string {
	what := strings.TrimSuffix(c.Field, "_type_id") // context_type_id is the context
	if c.Variable != nil {
		what = cmp.Or(c.Variable.Label.Pick(locale, "en"), c.Variable.ID)
	}
	if c.Element != nil {
		name := cmp.Or(c.Label.Pick(locale, "en"), c.Element.Title.Pick(locale, "en"), c.Element.ID)
		if what == "" {
			what = name
		} else {
			what = name + ", " + what
		}
	}
	before, after := c.Before.Pick(locale, "en"), c.After.Pick(locale, "en")
	switch {
	case c.Kind == Added && after != "":
		return "Added " + what + ": " + after
	case c.Kind == Added:
		return "Added " + what
	case c.Kind == Removed && before != "":
		return "Removed " + what + ": " + before
	case c.Kind == Removed:
		return "Removed " + what
	}
	return "Changed " + what + ": " + before + " → " + after
}

// Compare returns the changes between two editions of a document, or two documents of one
// taxonomy: first in fields of the document, then in placements in the order of the new
// one, then placements that were removed. Placements are the same if they have the same
// element_instance_id; those without one if they are as many placements of the same
// element from the start. The dates of the document are left out. It fails if the context ends.
func Compare(ctx context.Context, before, after *datachain.Presentation) ([]Change, error) {
	c := comparison{before: newCompared(before), after: newCompared(after)}
	old, now := &before.Datachain.Instance, &after.Datachain.Instance
	fields(*old, *now, otherFields, c.field)
	c.extra(old.Extra, now.Extra)
	if err := c.placements(ctx, old.Elements, now.Elements); err != nil {
		return nil, err
	}
	return c.list, nil
}

// otherFields are the fields of documents that are not compared as a whole: those that say
// nothing about the system, and the placements.
var otherFields = []string{
	"id", "created_at", "updated_at", "instance_version", "authoring_provenance", "elements",
}

// otherPlacementFields are the fields of placements that are not compared as a whole: those that
// identify, refer to the taxonomy, or only arrange placements.
var otherPlacementFields = []string{
	"element_id", "element_instance_id", "context_type_id", "variables", "priority", "subchain_instance_id",
}

// fields calls compare with the values of each wire field of two structs, except some.
func fields[T any](before, after T, except []string, compare func(name string, before, after taxonomy.Localized)) {
	old, now := reflect.ValueOf(before), reflect.ValueOf(after)
	list, _ := jsonfields.Of(old.Type())
	for _, f := range list {
		if !slices.Contains(except, f.Name) {
			compare(f.Name, fieldText(old.FieldByIndex(f.Index)), fieldText(now.FieldByIndex(f.Index)))
		}
	}
}

// fieldText returns the value of a field as readers see it: a text, or JSON.
func fieldText(v reflect.Value) taxonomy.Localized {
	if v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 {
		return nil
	}
	switch value := v.Interface().(type) {
	case string:
		return plain(value)
	case taxonomy.Localized:
		return value
	case *taxonomy.Label:
		return phrases.OfLabel(*value)
	default:
		text, _ := document.MarshalCanonical(value) // which was decoded
		return plain(string(text))
	}
}

// comparison is the work of Compare.
type comparison struct {
	before, after side
	list          []Change
}

// side is one of two editions, with its elements and categories by id.
type side struct {
	element    func(id string) *taxonomy.Element
	categories map[string]*taxonomy.Category
}

func newCompared(shown *datachain.Presentation) side {
	c := side{phrases.ElementsOf(shown), make(map[string]*taxonomy.Category)}
	categories := shown.Datachain.SchemaSnapshot.Categories
	for i := range slices.Backward(categories) { // the first with an id counts
		c.categories[categories[i].ID] = &categories[i]
	}
	return c
}

// add adds a change if two values differ.
func (c *comparison) add(change Change) {
	if slices.Equal(change.Before, change.After) {
		return
	}
	switch {
	case len(change.Before) == 0:
		change.Kind = Added
	case len(change.After) == 0:
		change.Kind = Removed
	default:
		change.Kind = Changed
	}
	c.list = append(c.list, change)
}

// sameName reports whether two names are the same in all languages that both have, of which
// there is at least one.
func sameName(a, b taxonomy.Localized) bool {
	same := false
	for _, t := range a {
		if other, ok := b.Get(t.Locale); ok {
			if other != t.Value {
				return false
			}
			same = true
		}
	}
	return same
}

// field compares a field of the documents.
func (c *comparison) field(name string, before, after taxonomy.Localized) {
	c.add(Change{Path: issue.Root.Key(name), Field: name, Before: before, After: after})
}

// extra compares the object register field by field, and other unknown fields.
func (c *comparison) extra(before, after taxonomy.Extra) {
	for _, key := range keys(before, after) {
		if key != "register" {
			c.field(key, raw(before[key]), raw(after[key]))
			continue
		}
		var old, now map[string]json.RawMessage
		_ = json.Unmarshal(before[key], &old) // objects, or nothing
		_ = json.Unmarshal(after[key], &now)
		for _, field := range keys(old, now) {
			text := raw
			if field == "answered" {
				text = answered
			}
			c.add(Change{Path: issue.Root.Key(key).Key(field), Field: key + "." + field, Before: text(old[field]), After: text(now[field])})
		}
	}
}

// keys returns the keys of two objects.
func keys[M ~map[string]json.RawMessage](a, b M) []string {
	union := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(union)
	return slices.Compact(union)
}

// placements compares the placements.
func (c *comparison) placements(ctx context.Context, before, after []taxonomy.Placement) error {
	old := make(map[string]int)
	for i, key := range placementKeys(before) {
		old[key] = i
	}
	for i, key := range placementKeys(after) {
		if err := ctx.Err(); err != nil {
			return err
		}
		at, p := issue.Root.Key("elements").Index(i), &after[i]
		change := Change{Kind: Added, Path: at, Element: c.after.element(p.ElementID), Label: label(p)}
		k, ok := old[key]
		if !ok {
			c.list = append(c.list, change)
			continue
		}
		delete(old, key)
		c.placement(change, &before[k], p)
	}
	for _, i := range slices.Sorted(maps.Values(old)) {
		p := &before[i]
		c.list = append(c.list, Change{Kind: Removed, Path: issue.Root.Key("elements").Index(i), Element: c.before.element(p.ElementID), Label: label(p)})
	}
	return nil
}

// placementKeys identifies placements.
func placementKeys(list []taxonomy.Placement) []string {
	count := make(map[string]int)
	names := make([]string, len(list))
	for i := range list {
		p := &list[i]
		if p.ElementInstanceID != "" {
			names[i] = p.ElementID + "\x00#" + p.ElementInstanceID
			continue
		}
		count[p.ElementID]++
		names[i] = p.ElementID + "\x00" + strconv.Itoa(count[p.ElementID])
	}
	return names
}

// placement compares two uses of the same element.
func (c *comparison) placement(change Change, before, after *taxonomy.Placement) {
	at := change.Path
	field := func(name string, before, after taxonomy.Localized) {
		change.Field, change.Path, change.Before, change.After = name, at.Key(name), before, after
		c.add(change)
	}
	// Another version may call the same value something else, or another value the same.
	if was, is := c.before.contextName(before), c.after.contextName(after); before.ContextTypeID != after.ContextTypeID && !sameName(was, is) {
		field("context_type_id", was, is)
	}
	fields(*before, *after, otherPlacementFields, field)
	old := make(map[string]*taxonomy.VariableValue)
	for i := range before.Variables {
		old[before.Variables[i].ID] = &before.Variables[i]
	}
	variable := func(path issue.Path, id string, before, after taxonomy.Localized) {
		change.Field, change.Path, change.Before, change.After = "variables", path, before, after
		change.Variable = phrases.VariableOf(change.Element, id)
		c.add(change)
	}
	for i := range after.Variables {
		v := &after.Variables[i]
		var was taxonomy.Localized
		if known := old[v.ID]; known != nil {
			was = phrases.ValueOf(c.before.element(before.ElementID), known)
			delete(old, v.ID)
			if len(v.Options) > 0 && slices.Equal(known.Options, v.Options) {
				continue
			}
		}
		variable(at.Key("variables").Index(i), v.ID, was, phrases.ValueOf(change.Element, v))
	}
	for _, id := range slices.Sorted(maps.Keys(old)) {
		variable(at, id, phrases.ValueOf(c.before.element(before.ElementID), old[id]), nil)
	}
}

// contextName returns the name of the context value of a placement.
func (c *side) contextName(p *taxonomy.Placement) taxonomy.Localized {
	if e := c.element(p.ElementID); e != nil {
		if category := c.categories[e.CategoryID]; category != nil {
			if v, ok := category.Context.Value(p.ContextTypeID); ok {
				return v.Label
			}
		}
	}
	return plain(p.ContextTypeID)
}

func label(p *taxonomy.Placement) taxonomy.Localized {
	if p.Label == nil {
		return nil
	}
	return phrases.OfLabel(*p.Label)
}

// plain returns a text without a language.
func plain(text string) taxonomy.Localized {
	if text == "" {
		return nil
	}
	return taxonomy.Localized{{Value: text}}
}

// answered returns what happened when people asked, in words.
func answered(value json.RawMessage) taxonomy.Localized {
	var a phrases.Answered
	if len(value) == 0 || json.Unmarshal(value, &a) != nil || a.From == "" { // not validated
		return raw(value)
	}
	return a.Localized()
}

// raw returns a value as it is, without the quotes of a string.
func raw(value json.RawMessage) taxonomy.Localized {
	if len(value) == 0 {
		return nil
	}
	var l taxonomy.Label
	if err := json.Unmarshal(value, &l); err == nil {
		return phrases.OfLabel(l)
	}
	text, err := document.Canonical(value)
	if err != nil {
		text = value
	}
	return plain(string(text))
}
