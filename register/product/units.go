package product

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// merge compares the documents, which pin the same version.
func (m *merger) merge(base, theirs *document.Document) {
	var b document.Value
	if base != nil {
		b = base.Root()
	}
	t, o := theirs.Root(), m.doc.Root()
	m.supplier(base, theirs)
	bm, tm, om := members(b), members(t), members(o)
	for _, key := range []string{"title", "description"} {
		m.localized(key, key, sides{bm.get(key), tm.get(key), om.get(key), o}, false)
	}
	m.value("sources", "sources", sides{bm.get("sources"), tm.get("sources"), om.get("sources"), o}, extending)
	for _, key := range unionKeys(tm, bm) {
		if !slices.Contains(ownFields, key) {
			m.value(key, key, sides{bm.get(key), tm.get(key), om.get(key), o}, asking)
		}
	}
	m.placements(bm.get("elements"), tm.get("elements"), om.get("elements"))
	for _, add := range m.additions {
		add()
	}
	if m.open == 0 {
		m.moveEdition()
	}
}

// ownFields are the members of a document that are not merged as a whole: those that each document
// has of its own, and those that are merged in parts.
var ownFields = []string{
	"$schema", "id", "schema_version", "created_at", "updated_at", "instance_version", "register", "authoring_provenance",
	"linked_instance_ids", "schema_snapshot", "suggested_elements", "symbols", "title", "description", "sources", "elements",
}

// sides are a part of the three documents, each of which can be missing, and what contains it in
// ours.
type sides struct{ base, theirs, ours, parent document.Value }

// object is an object by its keys.
type object struct {
	keys   []string
	values map[string]document.Value
}

func (o *object) get(key string) document.Value { return o.values[key] }

// members returns the members of an object.
func members(v document.Value) *object {
	o := &object{values: make(map[string]document.Value)}
	if v.Kind() == '{' {
		for m := range v.All() {
			o.keys, o.values[m.Key()] = append(o.keys, m.Key()), m
		}
	}
	return o
}

// unionKeys returns the keys of some objects, each once, in their order.
func unionKeys(objects ...*object) (keys []string) {
	seen := make(map[string]bool)
	for _, o := range objects {
		for _, key := range o.keys {
			if !seen[key] {
				seen[key] = true
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// A policy says how to class what only the supplier changed in a part.
type policy func(base, theirs document.Value) upgrade.Class

// asking leaves every change to a person.
func asking(document.Value, document.Value) upgrade.Class { return upgrade.NeedsPerson }

// extending takes over a list if nothing was removed from it.
func extending(base, theirs document.Value) upgrade.Class {
	if theirs.Kind() != '[' || base.Exists() && base.Kind() != '[' {
		return upgrade.NeedsPerson
	}
	has := make(map[string]bool)
	for v := range theirs.All() {
		has[canonical(v)] = true
	}
	for v := range base.All() {
		if !has[canonical(v)] {
			return upgrade.NeedsPerson
		}
	}
	return upgrade.Done
}

// rewording takes over a label if no language was removed from it.
func rewording(base, theirs document.Value) upgrade.Class {
	if !theirs.Exists() {
		return upgrade.NeedsPerson
	}
	has, _ := texts(theirs)
	before, _ := texts(base)
	for locale := range before {
		if !has[locale].Exists() {
			return upgrade.NeedsPerson
		}
	}
	return upgrade.Done
}

func canonical(v document.Value) string {
	if !v.Exists() {
		return ""
	}
	return string(v.AppendCanonical(nil))
}

// value merges a value that is taken or kept as a whole.
func (m *merger) value(path, key string, s sides, policy policy) {
	c := m.compare(canonical(s.base), canonical(s.theirs), canonical(s.ours))
	if c == unchanged || !m.proceed() {
		return
	}
	u := unit{path: path, class: m.class(c, policy(s.base, s.theirs)), kind: kindChanged, at: s.ours}
	u.change = changeText(s.ours, s.theirs)
	switch last := path[strings.LastIndexByte(path, '/')+1:]; {
	case c == bothChanged && !m.baseLost:
		u.kind = kindBothChanged
	case key == "context_type_id":
		u.kind = kindContextChanged
	case key == "actions":
		u.kind = kindActionsChanged
	case !s.theirs.Exists():
		u.kind = kindRemoved
	case last == supplierPath:
		u.kind = kindSupplierChanged
	}
	switch {
	case !s.theirs.Exists():
		u.change, u.removes = fmt.Sprintf("the product does not have it: %s", shown(s.ours)), true
		u.apply = func(*note) { m.edit.RemoveMember(s.parent, key) }
	case s.ours.Exists():
		u.apply = func(*note) { m.replace(s.ours, s.theirs) }
	default:
		u.at, u.change = s.parent, "the product has "+shown(s.theirs)
		u.apply = func(n *note) {
			m.edit.Add(s.parent, key, compact(s.theirs))
			n.below = n.below.Key(key)
		}
	}
	if c == bothChanged && !m.baseLost {
		u.change = "both changed: " + u.change
	}
	m.decide(u)
}

// replace replaces a value by one that contains it, or another one. What a list has already stays as
// it is written.
func (m *merger) replace(ours, theirs document.Value) {
	if ours.Kind() != '[' || theirs.Kind() != '[' || extending(ours, theirs) != upgrade.Done {
		m.edit.Rewrite(ours, compact(theirs))
		return
	}
	has := make(map[string]bool)
	for v := range ours.All() {
		has[canonical(v)] = true
	}
	for v := range theirs.All() {
		if !has[canonical(v)] {
			m.edit.Add(ours, "", compact(v))
		}
	}
}

// texts returns the texts of a localized text by their locale, without those that are blank, and
// whether the value is one or is missing.
func texts(v document.Value) (by map[string]document.Value, ok bool) {
	by = make(map[string]document.Value)
	if !v.Exists() {
		return by, true
	}
	if v.Kind() != '[' {
		return by, false
	}
	for t := range v.All() {
		locale, _ := t.Get("locale")
		if t.Kind() != '{' || locale.Kind() != '"' {
			return by, false
		}
		if _, again := by[locale.Text()]; !again {
			by[locale.Text()] = t
		}
	}
	return by, true
}

// textOf returns the canonical text of one language, "" if it is missing or blank.
func textOf(t document.Value) string {
	value, _ := t.Get("value")
	if value.Kind() == '"' && strings.TrimSpace(value.Text()) == "" {
		return ""
	}
	return canonical(t)
}

// localized merges a localized text, each language for itself. What is guarded is never changed
// without a decision.
func (m *merger) localized(path, key string, s sides, guarded bool) {
	base, ok1 := texts(s.base)
	theirs, ok2 := texts(s.theirs)
	ours, ok3 := texts(s.ours)
	if !ok1 || !ok2 || !ok3 {
		m.value(path, key, s, asking)
		return
	}
	index := make(map[string]int)
	i := 0
	for t := range s.ours.All() {
		locale, _ := t.Get("locale")
		if _, again := index[locale.Text()]; !again {
			index[locale.Text()] = i
		}
		i++
	}
	order := append(locales(s.theirs), locales(s.base)...)
	if m.baseLost {
		order = append(order, locales(s.ours)...)
	}
	seen := make(map[string]bool)
	for _, locale := range order {
		if seen[locale] || !m.proceed() {
			continue
		}
		seen[locale] = true
		b, t, o := base[locale], theirs[locale], ours[locale]
		c := m.compare(textOf(b), textOf(t), textOf(o))
		if c == unchanged || textOf(t) == "" && m.baseLost && len(theirs) == 0 {
			continue // in the last case, a gap that was filled in
		}
		class, kind := upgrade.Done, kindChanged
		switch {
		case c == bothChanged && !m.baseLost:
			kind = kindBothChanged
		case guarded:
			class, kind = upgrade.NeedsPerson, kindContactChanged
		case textOf(t) == "":
			class, kind = upgrade.NeedsPerson, kindRemoved
		case textOf(o) == "":
			kind = kindAdded
		}
		u := unit{path: path + "/" + locale, class: m.class(c, class), kind: kind, at: o}
		was, _ := o.Get("value")
		now, _ := t.Get("value")
		u.change = changeText(was, now)
		switch {
		case textOf(t) == "":
			u.change, u.removes = fmt.Sprintf("the product does not have it: %s", shown(was)), true
			u.apply = func(*note) { m.edit.Remove(s.ours, index[locale]) }
		case o.Exists():
			u.apply = func(*note) { m.replaceText(o, t) }
		case s.ours.Exists():
			u.at, u.change = s.ours, "added: "+shown(now)
			u.apply = func(n *note) { n.below = n.below.Index(m.edit.Add(s.ours, "", compact(t))) }
		default:
			u.at, u.change = s.parent, "added: "+shown(now)
			u.apply = func(n *note) { n.below = n.below.Key(key).Index(m.edit.AddTo(s.parent, key, compact(t))) }
		}
		if c == bothChanged && !m.baseLost {
			u.change = "both changed: " + u.change
		}
		m.decide(u)
	}
}

// locales returns the languages of a localized text in order.
func locales(v document.Value) (list []string) {
	if v.Kind() != '[' {
		return nil
	}
	for t := range v.All() {
		locale, _ := t.Get("locale")
		list = append(list, locale.Text())
	}
	return list
}

// replaceText replaces a text of one language, its value alone if there is nothing else in it.
func (m *merger) replaceText(ours, theirs document.Value) {
	value, _ := ours.Get("value")
	now, _ := theirs.Get("value")
	if ours.Len() == 2 && theirs.Len() == 2 && value.Exists() && now.Exists() {
		m.edit.Replace(value, now.Raw())
		return
	}
	m.edit.Rewrite(ours, compact(theirs))
}

// supplierPath names the supplier as a unit.
const supplierPath = "supplier"

// supplier merges what register.based_on says about the supplier.
func (m *merger) supplier(base, theirs *document.Document) {
	at, _ := inRegister(m.doc, basedOnKey)
	s := sides{parent: at}
	s.ours, _ = at.Get("supplier")
	product, _ := inRegister(theirs, productKey)
	s.theirs, _ = product.Get("supplier")
	before, _ := inRegister(base, productKey)
	s.base, _ = before.Get("supplier")
	if s.theirs.Exists() {
		m.value(supplierPath, "supplier", s, asking)
	}
}

// moveEdition makes the new edition the one that the document is based on.
func (m *merger) moveEdition() {
	at, _ := inRegister(m.doc, basedOnKey)
	set := func(key string, v any) {
		text, err := encode(v)
		was, there := at.Get(key)
		switch {
		case err != nil:
		case bytes.Equal(text, []byte(`""`)):
			if there {
				m.edit.RemoveMember(at, key)
			}
		case !there:
			m.edit.Add(at, key, text)
		case canonical(was) != canonicalText(text):
			m.edit.Rewrite(was, text)
		}
	}
	set("url", m.to.URL)
	set("edition", m.to.Edition)
	set("title", m.to.Title)
	set("version", m.to.Version)
	set("date", m.to.Date)
	edition, _ := at.Get("edition")
	n := &note{at: edition}
	n.Kind, n.Class = kindEditionMoved, upgrade.Done
	n.Message = fmt.Sprintf("The document is now based on the edition %s, and was on %s.", Short(m.to.Edition), Short(m.from.Edition))
	m.notes = append(m.notes, n)
}

func canonicalText(text []byte) string {
	canonical, err := document.Canonical(text)
	if err != nil {
		return ""
	}
	return string(canonical)
}

// compact returns a value without white space, in its order.
func compact(v document.Value) []byte {
	var b bytes.Buffer
	if json.Compact(&b, v.Raw()) != nil {
		return v.AppendCanonical(nil) // which can't happen: the document is strict
	}
	return b.Bytes()
}

// changeText returns how a value changed, from where the two differ if they are long.
func changeText(was, now document.Value) string {
	a, b := plain(was), plain(now)
	if common := commonPrefix(a, b); len(a) > maxSame && len(b) > maxSame && common > maxSame {
		a, b = "…"+tail(a, common-maxSame/2), "…"+tail(b, common-maxSame/2)
	}
	return wording.Plain(clipped(a)) + " → " + wording.Plain(clipped(b))
}

// maxSame is how many bytes that two texts have in common are repeated.
const maxSame = 40

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// tail returns a text from an offset, or from the next character.
func tail(s string, from int) string {
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return s[from:]
}

// shown returns the beginning of a value for a message.
func shown(v document.Value) string { return wording.Plain(clipped(plain(v))) }

// plain returns a text, or the JSON of another value.
func plain(v document.Value) string {
	switch v.Kind() {
	case 0:
		return "nothing"
	case '"':
		return v.Text()
	}
	return string(compact(v))
}

// clipped returns enough of a text to show, so that the rest is not looked at.
func clipped(s string) string { return strings.ToValidUTF8(s[:min(len(s), 1000)], "") }
