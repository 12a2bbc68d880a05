package datachain

import (
	"cmp"
	"strconv"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/jsonschema"
	"github.com/datachain-go/datachain/internal/resolved"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// Schema is one opened schema version: all of its operations, on one release. A
// beta that changes meanwhile does not affect it. It is safe for concurrent use.
// Get one from [Service.Open].
//
// What its methods return belongs to the release and must not be changed.
type Schema struct {
	service   *Service
	release   *taxonomy.Release
	state     taxonomy.State
	resolved  *resolved.Parser
	summaries summaries
}

// Release returns the release: manifest, datachain type, categories, elements and
// symbols.
func (s *Schema) Release() *taxonomy.Release { return s.release }

// State returns whether the version was deprecated when it was opened. Its successor is a
// version that is published.
func (s *Schema) State() taxonomy.State { return s.state }

// MatchLocale returns the language of the version in which to show texts to someone who
// wants a locale: the one that matches best, or the first one if none does or none is
// wanted.
func (s *Schema) MatchLocale(want string) (string, error) {
	if err := CheckLocale(want); err != nil {
		return "", err
	}
	locales := s.release.Locales()
	if want == "" {
		return locales[0], nil
	}
	match, err := search.Match(locales, want)
	return cmp.Or(match, locales[0]), err
}

// JSONSchema returns a JSON Schema (2020-12) of the documents of the version, for
// editors: with the ids and titles of elements, contexts, variables and options, in the
// language that [Schema.MatchLocale] returns. A document that [Schema.Validate]
// accepts fits it; the reverse does not hold, since JSON Schema can't express every rule.
func (s *Schema) JSONSchema(locale string) ([]byte, error) {
	match, err := s.MatchLocale(locale)
	if err != nil {
		return nil, err
	}
	return jsonschema.Instance(s.release, &jsonschema.Options{Locale: match}), nil
}

// The JSON of lists, as all protocols send it.

// AppendCategories appends the categories as a JSON array, in declaration order.
func (s *Schema) AppendCategories(dst []byte, show Projection) []byte {
	dst = append(dst, '[')
	for i, c := range s.release.Categories() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = show.Append(dst, s.release.CategoryJSON(c.ID))
	}
	return append(dst, ']')
}

// AppendElements appends elements of the version as a JSON array.
func (s *Schema) AppendElements(dst []byte, elements []*taxonomy.Element, show Projection) []byte {
	summary := show.isSummary()
	dst = append(dst, '[')
	for i, e := range elements {
		if i > 0 {
			dst = append(dst, ',')
		}
		if summary {
			dst = s.summaries.append(dst, s.release, e.ID)
		} else {
			dst = show.Append(dst, s.release.ElementJSON(e.ID))
		}
	}
	return append(dst, ']')
}

// AppendSymbols appends the symbols as a canonical JSON object of SVG by id.
func (s *Schema) AppendSymbols(dst []byte) []byte {
	dst = append(dst, '{')
	for i, id := range s.release.SymbolIDs() {
		if i > 0 {
			dst = append(dst, ',')
		}
		svg, _ := s.release.Symbol(id)
		dst = append(jcs.AppendQuote(dst, id), ':')
		dst = jcs.AppendQuote(dst, svg)
	}
	return append(dst, '}')
}

// AppendMeta appends the JSON object that describes a page.
func (p *Page) AppendMeta(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"total":`...), int64(p.Total), 10)
	dst = strconv.AppendInt(append(dst, `,"returned":`...), int64(len(p.Elements)), 10)
	dst = append(dst, `,"next_cursor":`...)
	if p.NextCursor == "" {
		return append(dst, "null}"...)
	}
	return append(jcs.AppendQuote(dst, p.NextCursor), '}')
}
