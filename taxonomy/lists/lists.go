// Package lists writes lists of the parts of a release as JSON, with the fields that a client
// asks for.
package lists

import (
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/taxonomy"
)

const (
	// DefaultPage is the page size if none is given.
	DefaultPage = 50
	// MaxPage is the largest page size.
	MaxPage = 200
	// DefaultLocale is the language of a query if none is given. A version that
	// lacks it is searched in its first language.
	DefaultLocale = "en"
)

// AppendCategories appends the categories of a release as a JSON array, in declaration order.
func AppendCategories(dst []byte, r *taxonomy.Release, show Projection) []byte {
	dst = append(dst, '[')
	for i, c := range r.Categories() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = show.Append(dst, r.CategoryJSON(c.ID))
	}
	return append(dst, ']')
}

// AppendElements appends elements of a release as a JSON array.
func AppendElements(dst []byte, r *taxonomy.Release, elements []*taxonomy.Element, show Projection) []byte {
	dst = append(dst, '[')
	for i, e := range elements {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = show.Append(dst, r.ElementJSON(e.ID))
	}
	return append(dst, ']')
}

// AppendMeta appends the JSON object that describes a page of a list, with what a search for
// misspelt words found instead.
func AppendMeta(dst []byte, total, returned int, next, didYouMean string) []byte {
	dst = strconv.AppendInt(append(dst, `{"total":`...), int64(total), 10)
	dst = strconv.AppendInt(append(dst, `,"returned":`...), int64(returned), 10)
	if didYouMean != "" {
		dst = jcs.AppendQuote(append(dst, `,"did_you_mean":`...), didYouMean)
	}
	dst = append(dst, `,"next_cursor":`...)
	if next == "" {
		return append(dst, "null}"...)
	}
	return append(jcs.AppendQuote(dst, next), '}')
}

// Projection selects the part of a category or an element to show. The zero value
// shows all of it.
type Projection struct {
	// Fields are the members to keep, by their names on the wire; empty means
	// all. The id is always kept, and unknown names are ignored.
	Fields []string
	// Locales are the languages to keep in localized strings, compared without
	// case; empty means all.
	Locales []string
}

// AllFields selects every field.
const AllFields = "all"

// elementFields are the names of the fields of an element.
var elementFields = jsonfields.Names[taxonomy.Element]()

// ElementFields returns the names of the fields of an element.
func ElementFields() []string { return slices.Clone(elementFields) }

// MaxUnknown is how many unknown names are reported at most.
const MaxUnknown = 20

// UnknownFields returns the indexes of names that are neither fields of the format nor extra fields
// of one of the elements: each name once, and at most [MaxUnknown].
func UnknownFields(names []string, elements []*taxonomy.Element) []int {
	return Unknown(names, func(name string) bool {
		return name == AllFields || slices.Contains(elementFields, name) ||
			slices.ContainsFunc(elements, func(e *taxonomy.Element) bool { return e.Extra[name] != nil })
	})
}

// Unknown returns the indexes of names that are not known: each name once, and at most
// [MaxUnknown].
func Unknown(names []string, known func(string) bool) (indexes []int) {
	seen := make(map[string]bool)
	for i, name := range names {
		if len(indexes) < MaxUnknown && !seen[name] && !known(name) {
			indexes = append(indexes, i)
		}
		seen[name] = true
	}
	return indexes
}

// ListFields returns the fields of elements in a list, by default.
func ListFields() []string { return []string{"id", "title", "category_id"} }

// Append appends the selected part of the canonical JSON of a category or an
// element, as [taxonomy.Release.ElementJSON] returns it.
func (p Projection) Append(dst []byte, text string) []byte {
	all := len(p.Fields) == 0 || slices.Contains(p.Fields, AllFields)
	if all && len(p.Locales) == 0 {
		return append(dst, text...)
	}
	dst = append(dst, '{')
	first := true
	for at := 1; text[at] != '}'; {
		key := at
		value := jcs.End(text, key) + 1 // past the colon
		end := jcs.End(text, value)
		if name := text[key+1 : value-2]; all || name == "id" || slices.Contains(p.Fields, name) {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = append(dst, text[key:value]...)
			dst = p.retain(dst, text[value:end])
		}
		if at = end; text[at] == ',' {
			at++
		}
	}
	return append(dst, '}')
}

// retain appends a value without texts in other locales.
func (p Projection) retain(dst []byte, value string) []byte {
	if len(p.Locales) == 0 {
		return append(dst, value...)
	}
	for at := 0; at < len(value); {
		switch value[at] {
		case '"':
			end := jcs.End(value, at)
			dst = append(dst, value[at:end]...)
			at = end
		case '[':
			dst = append(dst, '[')
			at++
			first := true
			for value[at] != ']' {
				end := jcs.End(value, at)
				if item := value[at:end]; p.keeps(item) {
					if !first {
						dst = append(dst, ',')
					}
					first = false
					dst = p.retain(dst, item)
				}
				if at = end; value[at] == ',' {
					at++
				}
			}
			dst = append(dst, ']')
			at++
		default:
			dst = append(dst, value[at])
			at++
		}
	}
	return dst
}

// keeps reports whether an item of an array is anything but a text in a locale
// that is not selected.
func (p Projection) keeps(item string) bool {
	const opening = `{"locale":`
	if !strings.HasPrefix(item, opening+`"`) {
		return true
	}
	end := jcs.End(item, len(opening))
	if !strings.HasPrefix(item[end:], `,"value":"`) {
		return true
	}
	locale := item[len(opening)+1 : end-1]
	return slices.ContainsFunc(p.Locales, func(l string) bool { return strings.EqualFold(l, locale) })
}
