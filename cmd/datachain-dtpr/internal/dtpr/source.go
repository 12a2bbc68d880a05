package dtpr

import (
	"regexp"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
)

// citation returns the localized citation of an element as a source.
func (v *version) citation(o object) []taxonomy.Source {
	l := o.text("citation")
	if len(l) == 0 {
		return nil
	}
	for _, t := range l[1:] {
		v.notes.at(Dropped, o.get("citation"), t.Locale, "a citation is not localized")
	}
	v.notes.at(Changed, o.get("citation"), "", "the citation is a source")
	return []taxonomy.Source{{Type: "other", Title: strings.Join(strings.Fields(l[0].Value), " "), Licence: licenceIn(l[0].Value)}}
}

// sources returns the sources of an object.
func (v *version) sources(o object) []taxonomy.Source {
	var list []taxonomy.Source
	for _, item := range o.items("sources") {
		s := taxonomy.Source{
			Type: item.string("type"), Title: item.string("title"), Citation: item.string("citation"),
			URL: item.string("url"), Licence: item.string("licence"), Attribution: item.string("attribution"),
		}
		if s.Type == "" {
			s.Type = "other"
			v.notes.at(Filled, item.main(), s.Title, "the source has no type, so it is other")
		}
		if s.URL != "" && !ident.IsURL(s.URL) {
			v.notes.at(Dropped, item.get("url"), s.URL, "the URL is not that of a web page")
			s.URL = ""
		}
		if licence := licenceIn(s.Citation); s.Licence == "" && licence != "" {
			s.Licence = licence
			v.notes.at(Changed, item.get("citation"), licence, "the licence that the citation names is also the licence of the source")
		}
		v.reportUnknown(item, "type", "title", "url", "citation", "licence", "attribution")
		if s.Title == "" {
			v.notes.at(Dropped, item.main(), s.Citation, "the source has no title")
			continue
		}
		list = append(list, s)
	}
	return list
}

// creativeCommons finds the name of a Creative Commons licence.
var creativeCommons = regexp.MustCompile(`\bCC[ -]BY((?:-(?:NC|SA|ND))*)[ -](\d\.\d)\b`)

// licenceIn returns the SPDX identifier of the licence that a citation names, or "".
func licenceIn(citation string) string {
	m := creativeCommons.FindStringSubmatch(citation)
	if m == nil {
		return ""
	}
	return "CC-BY" + m[1] + "-" + m[2]
}
