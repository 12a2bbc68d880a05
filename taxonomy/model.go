// Package taxonomy provides schema versions, datachains as Go values, and the
// interfaces of stores.
//
// # Schema versions
//
// A schema version is published as a [Release]: a datachain [Type], its categories
// and elements, and the symbols of their icons. A [Version] such as
// ai@2026-09-01-stable names it; a [Ref] can also be an alias such as ai@latest.
// A release is immutable. Its content [Hash] is the root of a Merkle tree over its
// parts.
// [NewRelease] makes releases, and [DecodeRelease] reads them.
//
// # Stores
//
// A [Store] provides releases and their [Index]. [Open] reads the release of a
// reference. The packages under adapters are stores, and package storetest tests
// others. [IconStore] and [Notifier] are optional abilities.
//
// # Datachains
//
// A datachain is a document that places elements. [DecodeInstance] and
// [DecodeResolved] turn a [document.Document] into an [Instance] or a [Resolved].
// They check types only: use package validate to validate a document, and package
// resolve to embed the part of a release that it uses.
//
// The package does no I/O.
package taxonomy

import (
	"slices"
	"strings"
)

// Manifest describes a schema version: its id, hash, title and languages.
type Manifest struct {
	ID          Version   `json:"id"`
	Status      Status    `json:"status"`
	ContentHash Hash      `json:"content_hash"`
	Title       Localized `json:"title"`
	Description Localized `json:"description"`
	// Locales are the languages of the schema version, the fallback first.
	Locales []string `json:"locales"`
	// Notes say what is new in the version, as plain text.
	Notes Localized `json:"notes,omitempty"`
	// Licence is the licence of the content: an SPDX expression or a URL.
	Licence string `json:"licence,omitempty"`
	// Attribution names those who must be credited for the content.
	Attribution string `json:"attribution,omitempty"`
	// Removed are the elements of earlier versions that this one does not have; see
	// [Release.Fate].
	Removed []Removal `json:"removed,omitempty"`
	// Synonyms are those of each language, in the order of Locales.
	Synonyms []Synonyms `json:"synonyms,omitempty"`
	// Schemes are what [Category.Mappings] and [Element.Mappings] refer to.
	Schemes []Scheme `json:"schemes,omitempty"`
	Extra   Extra    `json:",embed"`
}

// Type is the datachain type that a schema version defines.
type Type struct {
	ID          string    `json:"id"`
	Name        Localized `json:"name"`
	Description Localized `json:"description,omitempty"`
	// Categories are the ids of the categories in declaration order.
	Categories []string   `json:"categories"`
	Subchains  []Subchain `json:"subchains"`
	Extra      Extra      `json:",embed"`
}

// Subchain is a named part of a datachain type: some of its categories.
type Subchain struct {
	ID         string    `json:"id"`
	Name       Localized `json:"name"`
	Categories []string  `json:"categories"`
}

// Shape is the outline of the icons of a category.
type Shape string

// The four shapes.
const (
	Circle        Shape = "circle"
	Hexagon       Shape = "hexagon"
	Octagon       Shape = "octagon"
	RoundedSquare Shape = "rounded-square"
)

// Shapes returns the four shapes in alphabetical order.
func Shapes() []Shape { return []Shape{Circle, Hexagon, Octagon, RoundedSquare} }

// Category is a group of elements that answer the same question about a system.
type Category struct {
	ID          string    `json:"id"`
	Name        Localized `json:"name"`
	Description Localized `json:"description"`
	Shape       Shape     `json:"shape"`
	// Role is what the category tells about a system, or empty.
	Role Role `json:"role,omitzero"`
	// Required means that a datachain must place an element of the category.
	Required    bool        `json:"required,omitzero"`
	Cardinality Cardinality `json:"cardinality,omitzero"`
	// Variables are inherited by the elements of the category; see
	// [Element.Variables].
	Variables []Variable `json:"variables,omitempty"`
	Context   Context    `json:"context"`
	// Prompt is the question that a placement of the category answers.
	Prompt            Localized `json:"prompt,omitempty"`
	AuthoringGuidance Localized `json:"authoring_guidance,omitempty"`
	// RenamedFrom are ids that earlier versions use for the category.
	RenamedFrom []string `json:"renamed_from,omitempty"`
	Sources     []Source `json:"sources,omitempty"`
	// Mappings are the entries of schemes that the category is mapped to. They do not
	// apply to its elements.
	Mappings []Mapping `json:"mappings,omitempty"`
	Extra    Extra     `json:",embed"`
}

// IconVariants returns the variants of the category's icons: default, dark, and
// the context values in order.
func (c *Category) IconVariants() []string {
	variants := []string{VariantDefault, VariantDark}
	for _, v := range c.Context.Values {
		variants = append(variants, v.ID)
	}
	return variants
}

// Cardinality limits how many placements of a category a datachain can have. 0
// means no limit.
type Cardinality struct {
	Min int `json:"min,omitzero"`
	Max int `json:"max,omitzero"`
}

// Context is a choice that a placement makes for its category, such as how far
// data identifies a person.
type Context struct {
	ID          string    `json:"id,omitempty"`
	Name        Localized `json:"name,omitempty"`
	Description Localized `json:"description,omitempty"`
	// Required means that a placement must choose a value.
	Required bool `json:"required,omitzero"`
	// Role is stage or empty.
	Role Role `json:"role,omitzero"`
	// Order says whether Values go from low to high; empty if they have no order.
	Order  Order          `json:"order,omitzero"`
	Values []ContextValue `json:"values"`
}

// Value returns the context value with the id.
func (c *Context) Value(id string) (*ContextValue, bool) {
	for i := range c.Values {
		if c.Values[i].ID == id {
			return &c.Values[i], true
		}
	}
	return nil, false
}

// ContextValue is one value of a [Context], and an icon variant.
type ContextValue struct {
	ID          string    `json:"id"`
	Label       Localized `json:"label"`
	Description Localized `json:"description,omitempty"`
	// Color is #RRGGBB. A value without a colour is a tag and has the default
	// icon.
	Color string `json:"color,omitempty"`
	// Lead marks the value that comes first in a summary if a category has several
	// placements, such as the deployer before the vendor.
	Lead bool `json:"lead,omitzero"`
	// RenamedFrom are ids that earlier versions use for the value.
	RenamedFrom []string `json:"renamed_from,omitempty"`
}

// Element is a statement about a system that datachains can place.
type Element struct {
	ID          string    `json:"id"`
	Title       Localized `json:"title"`
	Description Localized `json:"description"`
	CategoryID  string    `json:"category_id"`
	SymbolID    string    `json:"symbol_id"`
	// Lead marks the element that comes first in a summary if a category has several
	// placements.
	Lead bool `json:"lead,omitzero"`
	// Status is empty for an active element; see [Element.Deprecated].
	Status ElementStatus `json:"status,omitzero"`
	// ReplacedBy are the elements to place instead.
	ReplacedBy []Successor `json:"replaced_by,omitempty"`
	// Keywords are additional words for search.
	Keywords Localized `json:"keywords,omitempty"`
	// MaxPlacements is how often a datachain can place the element; 0 means no
	// limit.
	MaxPlacements int `json:"max_placements,omitzero"`
	// Order sorts the elements of a category; elements of equal order are sorted
	// by id.
	Order int `json:"order,omitzero"`
	// IconVariants are those of the category; see [Category.IconVariants].
	IconVariants []string `json:"icon_variants"`
	// Variables are the variables of the category and of the element itself,
	// which override those of the category by id.
	Variables         []Variable `json:"variables"`
	AuthoringGuidance Localized  `json:"authoring_guidance,omitempty"`
	// Examples show cases that the element describes.
	Examples []Localized `json:"examples,omitempty"`
	Sources  []Source    `json:"sources,omitempty"`
	// Mappings are the entries of schemes that the element is mapped to.
	Mappings []Mapping `json:"mappings,omitempty"`
	Extra    Extra     `json:",embed"`
}

// Variable returns the variable with the id.
func (e *Element) Variable(id string) (*Variable, bool) {
	for i := range e.Variables {
		if e.Variables[i].ID == id {
			return &e.Variables[i], true
		}
	}
	return nil, false
}

// VariableType is the form of a variable's value.
type VariableType string

const (
	// TextVariable values are localized texts.
	TextVariable VariableType = "text"
	// SelectVariable values are lists of option ids.
	SelectVariable VariableType = "select"
)

// Variable is a blank in an element that placements fill in.
type Variable struct {
	ID       string       `json:"id"`
	Label    Localized    `json:"label"`
	Required bool         `json:"required"`
	Type     VariableType `json:"type"`
	// Role is what the values are used for, or empty.
	Role Role `json:"role,omitzero"`
	// Options are the choices of a select variable.
	Options []Option `json:"options,omitempty"`
	// RenamedFrom are ids that earlier versions use for the variable.
	RenamedFrom []string `json:"renamed_from,omitempty"`
	Sources     []Source `json:"sources,omitempty"`
}

// Option is one choice of a select [Variable].
type Option struct {
	ID          string    `json:"id"`
	Label       Localized `json:"label"`
	Description Localized `json:"description,omitempty"`
	// AppliesTo are the ids of the elements that can use the option; empty means
	// all elements with the variable.
	AppliesTo []string `json:"applies_to,omitempty"`
	// RenamedFrom are ids that earlier versions use for the option.
	RenamedFrom []string `json:"renamed_from,omitempty"`
	Sources     []Source `json:"sources,omitempty"`
}

// Applies reports whether an element with the variable can use the option.
func (o *Option) Applies(elementID string) bool {
	return len(o.AppliesTo) == 0 || slices.Contains(o.AppliesTo, elementID)
}

// Source is the source of a statement.
type Source struct {
	Type     string `json:"type"`
	Title    string `json:"title"`
	URL      string `json:"url,omitempty"`
	Citation string `json:"citation,omitempty"`
	// Licence is the licence of the source: an SPDX expression or a URL.
	Licence string `json:"licence,omitempty"`
	// Attribution names those who must be credited.
	Attribution string `json:"attribution,omitempty"`
	Extra       Extra  `json:",embed"`
}

// Scheme is another vocabulary that categories and elements are mapped to, such as a law,
// whose entries are its articles.
type Scheme struct {
	ID    string    `json:"id"`
	Title Localized `json:"title"`
	// URL is where the scheme can be read.
	URL string `json:"url,omitempty"`
	// Version says which edition of the scheme is meant.
	Version string `json:"version,omitempty"`
}

// Mapping relates a category or an element to an entry of a [Scheme], such as an article of a
// law.
type Mapping struct {
	// Scheme is the id of a scheme of the release.
	Scheme string `json:"scheme"`
	// ID is the id of the entry as the scheme has it, such as Art. 13(3).
	ID       string   `json:"id"`
	Relation Relation `json:"relation"`
	// Note explains the mapping, as plain text.
	Note Localized `json:"note,omitempty"`
}

// Relation says how an entry of a scheme is related to the category or element that is
// mapped to it. The relations are the mapping properties of SKOS.
type Relation string

// The relations.
const (
	RelationExact   Relation = "exact"   // both mean the same
	RelationClose   Relation = "close"   // both mean nearly the same
	RelationBroad   Relation = "broad"   // the entry is the broader of the two
	RelationNarrow  Relation = "narrow"  // the entry is the narrower of the two
	RelationRelated Relation = "related" // the entry is about something else that belongs to it
)

// Scheme returns the scheme with the id.
func (m *Manifest) Scheme(id string) (*Scheme, bool) {
	for i := range m.Schemes {
		if m.Schemes[i].ID == id {
			return &m.Schemes[i], true
		}
	}
	return nil, false
}

// Role says what a category, a variable or a context is about, in words that every
// taxonomy shares. Summaries of documents are made by roles.
type Role string

// Roles of categories: what they tell about a system.
const (
	RolePurpose     Role = "purpose"     // what the system is for
	RoleAccountable Role = "accountable" // who answers for it
	RolePeople      Role = "people"      // whom it concerns
	RoleDecision    Role = "decision"    // who or what decides
	RoleData        Role = "data"        // what it collects or uses
	RoleOutput      Role = "output"      // what it produces
	RoleAccess      Role = "access"      // who can see the data
	RoleStorage     Role = "storage"     // where the data is kept
	RoleRetention   Role = "retention"   // how long the data is kept
	RoleRisk        Role = "risk"        // what can go wrong
	RoleRights      Role = "rights"      // what people can do
)

// RoleStage is the role of a context whose values are stages of a life cycle, such as planned
// or in use.
const RoleStage Role = "stage"

// Roles of variables: what their values are used for.
const (
	RoleName       Role = "name"        // the document's own name for the element
	RoleWords      Role = "words"       // the document's own description
	RoleContact    Role = "contact"     // an email address, a telephone number or a postal address
	RoleLink       Role = "link"        // a URL to read more
	RoleSafeguard  Role = "safeguard"   // what is done against a risk
	RoleLegalBasis Role = "legal_basis" // the law that permits it
	RolePeriod     Role = "period"      // how long
)

// Order is the direction in which the values of a context are listed.
type Order string

// The orders.
const (
	OrderRising  Order = "rising"  // the lowest value first
	OrderFalling Order = "falling" // the highest value first
)

// Localized is a text in several languages, one [Text] per locale, in the order of
// the schema version's locales.
type Localized []Text

// Text is the value of a [Localized] in one locale.
type Text struct {
	Locale string `json:"locale"`
	Value  string `json:"value"`
}

// Get returns the value in exactly this locale, ignoring case.
func (l Localized) Get(locale string) (string, bool) {
	for _, t := range l {
		if strings.EqualFold(t.Locale, locale) {
			return t.Value, true
		}
	}
	return "", false
}

// Pick returns the value to show to a reader who prefers the locales in this order: that of
// the first one that matches a locale of l, as [MatchLocale] does, else the first value, else "".
func (l Localized) Pick(locales ...string) string {
	for _, want := range locales {
		if value, ok := l.Get(want); ok {
			return value
		}
		if locale, err := MatchLocale(l.locales(), want); err == nil && locale != "" {
			value, _ := l.Get(locale)
			return value
		}
	}
	if len(l) > 0 {
		return l[0].Value
	}
	return ""
}

func (l Localized) locales() []string {
	list := make([]string, len(l))
	for i := range l {
		list[i] = l[i].Locale
	}
	return list
}

// Label is a short text that the author of a document wrote: a plain string, or a
// localized text. JSON has either form, and [Label.Pick] reads both.
type Label struct {
	// Plain is the text if its language is not given.
	Plain string
	// Text is the localized text; it is nil if the label is a plain string.
	Text Localized
}

// Pick returns the plain text, or the value that [Localized.Pick] chooses.
func (l Label) Pick(locales ...string) string {
	if l.Text == nil {
		return l.Plain
	}
	return l.Text.Pick(locales...)
}

// MarshalJSON encodes the form that the label has.
func (l Label) MarshalJSON() ([]byte, error) {
	if l.Text != nil {
		return marshal(l.Text)
	}
	return marshal(l.Plain)
}

// UnmarshalJSON decodes a label of either form.
func (l *Label) UnmarshalJSON(data []byte) error { return unmarshal(data, l) }

// The icon variants that every element has. Context values can't have these ids.
const (
	VariantDefault = "default"
	VariantDark    = "dark"
)

// ElementStatus says whether an element is still recommended.
type ElementStatus string

const (
	// ElementActive is the default: it is never part of the JSON of a release, and an element
	// that was decoded has the empty status instead.
	ElementActive ElementStatus = "active"
	// ElementDeprecated elements can still be placed, but should not be.
	ElementDeprecated ElementStatus = "deprecated"
)

// IsZero reports whether the status is the default, so that it is omitted from JSON.
func (e ElementStatus) IsZero() bool { return e == "" || e == ElementActive }

// Synonyms are words of one language that find one another in search.
type Synonyms struct {
	Locale string `json:"locale"`
	// Groups are lists of at least two words or phrases with the same meaning.
	Groups [][]string `json:"groups"`
}

// Deprecated reports whether documents should no longer place the element.
func (e *Element) Deprecated() bool { return e.Status == ElementDeprecated }
