package datachain

import (
	"slices"
	"strings"
)

// Projection is how much of a category or an element to show. The zero value
// shows all of it.
type Projection struct {
	// Fields are the names of the members to keep, as on the wire; none
	// means all. The id is always kept, and unknown names are ignored.
	Fields []string
	// Locales are the languages to keep in texts, compared without case;
	// none means all. One that a text lacks retains nothing of it.
	Locales []string
}

// AllFields is the name that stands for every field.
const AllFields = "all"

// ListFields are the fields that a page of elements has where nobody asks for
// others.
func ListFields() []string { return []string{"id", "title", "category_id"} }

// Append appends what is to be shown of the canonical JSON of a category or an
// element, such as [taxonomy.Release.ElementJSON] returns.
func (p Projection) Append(dst []byte, text string) []byte {
	all := len(p.Fields) == 0 || slices.Contains(p.Fields, AllFields)
	if all && len(p.Locales) == 0 {
		return append(dst, text...)
	}
	dst = append(dst, '{')
	first := true
	for at := 1; text[at] != '}'; {
		key := at
		value := skipString(text, key) + 1 // past the colon
		end := skipValue(text, value)
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

// retain appends a value without the texts in other locales.
func (p Projection) retain(dst []byte, value string) []byte {
	if len(p.Locales) == 0 {
		return append(dst, value...)
	}
	for at := 0; at < len(value); {
		switch value[at] {
		case '"':
			end := skipString(value, at)
			dst = append(dst, value[at:end]...)
			at = end
		case '[':
			dst = append(dst, '[')
			at++
			first := true
			for value[at] != ']' {
				end := skipValue(value, at)
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

// keeps reports whether an item of a list is something else than a text in a
// locale that is not asked for.
func (p Projection) keeps(item string) bool {
	const opening = `{"locale":`
	if !strings.HasPrefix(item, opening+`"`) {
		return true
	}
	end := skipString(item, len(opening))
	if !strings.HasPrefix(item[end:], `,"value":"`) {
		return true
	}
	locale := item[len(opening)+1 : end-1]
	return slices.ContainsFunc(p.Locales, func(l string) bool { return strings.EqualFold(l, locale) })
}

// skipString returns where a string of canonical JSON ends that begins at at.
func skipString(text string, at int) int {
	for at++; text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// skipValue returns where a value of canonical JSON ends that begins at at.
func skipValue(text string, at int) int {
	depth := 0
	for at < len(text) {
		switch text[at] {
		case '"':
			at = skipString(text, at)
			if depth == 0 {
				return at
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at // of what is around a number or a literal
			}
			if depth--; depth == 0 {
				return at + 1
			}
		case ',':
			if depth == 0 {
				return at
			}
		}
		at++
	}
	return at
}
