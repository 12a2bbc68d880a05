package source

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
)

// Limits on mappings.
const (
	maxSchemes    = 100
	maxMappings   = 200 // of a category or an element
	maxEntryRunes = 100 // of the id of an entry
)

// scheme is a scheme and where its id is.
type scheme struct {
	taxonomy.Scheme
	spot spot
}

// schemes reads the schemes that mappings refer to.
func (f fields) schemes() []scheme {
	var all []scheme
	ids := newIDSet("scheme id")
	for item := range f.list("schemes", maxSchemes) {
		o, ok := f.fields(item, named("Scheme", item), "!id", "!title", "url", "version")
		if !ok {
			continue
		}
		s := scheme{Scheme: taxonomy.Scheme{ID: o.id(taxonomy.ValidID), Title: o.localized("title"), URL: o.url("url"), Version: o.string("version")}}
		if ids.addID(o, s.ID) {
			s.spot = o.spot(o.get("id"))
			all = append(all, s)
		}
	}
	return all
}

// mapped is the scheme of a mapping, and where it is written.
type mapped struct {
	what string // of the object, for messages
	reference
}

// mappings reads the mappings of a category or an element. Two to the same entry are a
// duplicate, since the second contradicts or repeats the first.
func (f fields) mappings() (all []taxonomy.Mapping, schemes []mapped) {
	for item := range f.list("mappings", maxMappings) {
		o, ok := f.fields(item, f.what+": "+f.name(item), "!scheme", "!id", "!relation", "note")
		if !ok {
			continue
		}
		m := taxonomy.Mapping{Scheme: o.string("scheme"), ID: o.entry(), Relation: choice(o, "relation", taxonomy.Relations()...), Note: o.localized("note")}
		if m.Scheme == "" || m.ID == "" {
			continue
		}
		if slices.ContainsFunc(all, func(other taxonomy.Mapping) bool {
			return other.Scheme == m.Scheme && strings.EqualFold(other.ID, m.ID)
		}) {
			o.wrong(codes.IDDuplicate, o.get("id"), "keep one of the two mappings", "%s of %s is mapped twice", prose.Quote(m.ID), prose.Plain(m.Scheme))
			continue
		}
		all = append(all, m)
		schemes = append(schemes, mapped{f.what, reference{m.Scheme, o.spot(o.get("scheme"))}})
	}
	return all, schemes
}

// entry reads the id of an entry of a scheme, which is whatever the scheme calls it.
func (f fields) entry() string {
	n := f.get("id")
	id := f.string("id")
	switch {
	case id == "":
	case utf8.RuneCountInString(id) > maxEntryRunes:
		f.wrong(codes.FieldValue, n, "write the id of the entry only, such as Art. 13, and the rest in note", "id has more than %d characters", maxEntryRunes)
		return ""
	case id != strings.Join(strings.Fields(id), " ") || strings.ContainsFunc(id, unicode.IsControl):
		f.wrong(codes.FieldValue, n, "write "+prose.Quote(strings.Join(strings.Fields(id), " ")), "id must be on one line, with single spaces between words")
		return ""
	}
	return id
}

// checkMappings finds mappings to schemes that the schema file does not list, and
// schemes that nothing is mapped to.
func (c *compiler) checkMappings() {
	used := make(map[string]bool)
	check := func(list []mapped) {
		for _, m := range list {
			used[m.id] = true
			if !slices.ContainsFunc(c.schema.schemes, func(s scheme) bool { return s.ID == m.id }) && !c.lost[schemaFiles] {
				c.misspelt(&c.hints, newError(codes.SchemeUnknown, m.spot, "add it to schemes in the schema file",
					"%s: there is no scheme %s.", m.what, prose.Plain(m.id)), m.id, func(yield func(string) bool) {
					for i := range c.schema.schemes {
						if !yield(c.schema.schemes[i].ID) {
							return
						}
					}
				})
			}
		}
	}
	for _, cat := range c.categories {
		check(cat.mapped)
	}
	for i := range c.elements {
		check(c.elements[i].mapped)
	}
	if c.lost[categoryFiles] || c.lost[elementFiles] {
		return
	}
	for _, s := range c.schema.schemes {
		if !used[s.ID] {
			c.warnf(codes.SchemeUnused, s.spot, "add mappings to it, or remove it", "Scheme %s: nothing is mapped to it.", s.ID)
		}
	}
}
