// Package profile writes a document in the form that another register asks for, and reads the
// entries of that register into drafts.
//
// A [Profile] is one file of data: the fields of the target with their types, limits, word lists and
// conditions, and where in a document each value comes from. [Parse] reads it, [Profile.Report] fills
// its fields in from a document and says what is missing, and [Profile.Draft] reads an entry of the
// target. Profiles have no expressions, loops or regular expressions, and read no files and no network.
//
// # Experimental
//
// This package may change in a minor version.
package profile

import (
	"slices"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// Profile says which fields a target asks for, and where their values come from. Make one with
// [Parse]. It is safe for concurrent use, and must not be changed.
type Profile struct {
	ID     string
	Target Target
	// Types are the datachain types that it is for.
	Types []string
	// Locale is the language of texts.
	Locale string
	// Format is what the target takes: JSON or CSV.
	Format Format

	titles         bool   // the header of CSV has titles
	joined         string // between the items of a list in a cell, or ""
	fields, facets []*field
	byName         map[string]*field
	conditional    []*field // those with conditions, after those that they depend on
}

// Target is the register that a profile is for.
type Target struct {
	Name, Version, URL string
	// Checked is the date on which somebody compared the profile with the target.
	Checked string
	// Superseded means that the target has a newer version.
	Superseded bool
}

// Fits reports whether the profile is for documents of a datachain type.
func (p *Profile) Fits(typ string) bool { return slices.Contains(p.Types, typ) }

// all returns the fields and the facets.
func (p *Profile) all() []*field { return slices.Concat(p.fields, p.facets) }

// fieldType is the form of the values of a field.
type fieldType string

const (
	typeText       fieldType = "text"
	typeHTML       fieldType = "html"
	typeEmail      fieldType = "email"
	typeURL        fieldType = "url"
	typeEmailOrURL fieldType = "email_or_url"
	typeDate       fieldType = "date"
	typeMonth      fieldType = "month"
	typeChoice     fieldType = "choice"
	typeChoices    fieldType = "choices"
	typeList       fieldType = "list"
)

var fieldTypes = []fieldType{typeText, typeHTML, typeEmail, typeURL, typeEmailOrURL, typeDate, typeMonth, typeChoice, typeChoices, typeList}

// field is a field of the target.
type field struct {
	name, title    string
	typ            fieldType
	required, only condition
	max            int // characters, or 0
	choices        []choice
	spellings      map[string]int // of choices, by all that names them
	from           []*origin
	list           bool // many values
	group          string
	each           *selector // what the items of a list or a group are
	fields         []*field  // of each item
	target         target
	confirm, auto  bool
	facet          bool
}

// many reports whether the field has a list of texts.
func (f *field) many() bool {
	return f.list || f.typ == typeChoices || f.typ == typeList && len(f.fields) == 0
}

// condition says when a field is required or left out.
type condition struct {
	always bool
	fields []conditionField // all must hold
}

func (c *condition) given() bool { return c.always || len(c.fields) > 0 }

// conditionField holds if a field has one of some values, which are ids of choices if it has them.
type conditionField struct {
	name   string
	values []string
}

// choice is a word of the target with an id in the profile, which can be the same.
type choice struct {
	id, word string
	aliases  []string
}

// target says where import puts a text: where a placeholder of a placement takes it from, or into the
// URL of the filing. The zero value means the answers.
type target struct {
	on          *selector
	placeholder string
	filingURL   bool
}

// origin is a way to get values.
type origin struct {
	kind originKind
	// name is what the kind says: a constant, a path, or a field of the publisher or the filing.
	name            string
	on              *selector
	text            template
	then, otherwise string
	all             []*origin
	table           []mapping // in the order of the file; nil means none
	join            string
	joined          bool // join is given
	first           bool
}

// originKind is a kind of origin: the key that only this kind has, if there is one.
type originKind string

const (
	fromConstant  originKind = "is"
	fromPath      originKind = "path"
	fromPage      originKind = "page"
	fromPublisher originKind = "publisher"
	fromFiling    originKind = "filing"
	fromHas       originKind = "has"
	fromAll       originKind = "all"
	fromItems     originKind = "selector" // a text of each item of a selector
	fromItem      originKind = "text"     // a text of the item of each
)

type mapping struct{ from, to string }

// selector chooses placements, sources, or items of a list of the object register.
type selector struct {
	role       taxonomy.Role
	categories []string
	elements   []string
	contexts   []string
	lead       bool
	sources    []string // types
	list       string   // a path
	where      []mapping
}

// places reports whether the selector chooses placements.
func (s *selector) places() bool { return s.role != "" || len(s.categories) > 0 || len(s.elements) > 0 }

// in reports whether the selector can choose placements of a category with a role.
func (s *selector) in(category string, role taxonomy.Role) bool {
	return (s.role == "" || s.role == role) && includes(s.categories, category)
}

// hasContext reports whether a category has one of the context values of the selector, if it has any.
func (s *selector) hasContext(c *taxonomy.Category) bool {
	return len(s.contexts) == 0 || slices.ContainsFunc(c.Context.Values, func(v taxonomy.ContextValue) bool { return slices.Contains(s.contexts, v.ID) })
}

// includes reports whether a list that a selector may have has a text.
func includes(list []string, text string) bool { return len(list) == 0 || slices.Contains(list, text) }

// cost is what choosing costs for each placement.
func (s *selector) cost() int {
	return 1 + len(s.categories) + len(s.elements) + len(s.contexts) + len(s.sources) + len(s.where)
}

// String names what a selector chooses, for people.
func (s *selector) String() string {
	switch {
	case s.list != "":
		return s.list + "[]"
	case len(s.sources) > 0:
		return "sources[] of the type " + wording.Or(s.sources)
	case len(s.elements) > 0:
		return s.elements[0]
	case len(s.categories) > 0:
		return s.categories[0]
	}
	return string(s.role)
}
