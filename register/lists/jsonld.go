package lists

import (
	"bufio"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
)

// ldText is a text in JSON-LD with its language.
type ldText struct {
	Value    string `json:"@value"`
	Language string `json:"@language,omitempty"`
}

func ldTexts(l taxonomy.Localized) []ldText {
	var list []ldText
	for _, t := range l {
		if text := i18n.Clean(t.Value); text != "" {
			list = append(list, ldText{text, t.Locale})
		}
	}
	return list
}

// ldNode is a node of schema.org. Members that are nil or empty are left out.
type ldNode map[string]any

func (n ldNode) set(name string, value any) {
	switch v := value.(type) {
	case string:
		if v == "" {
			return
		}
	case []ldText:
		if len(v) == 0 {
			return
		}
	case []string:
		if len(v) == 0 {
			return
		}
	case []ldNode:
		if len(v) == 0 {
			return
		}
	case ldNode:
		if len(v) == 0 {
			return
		}
	}
	n[name] = value
}

const ldContext = "https://schema.org/"

func ldPublisher(s *register.Settings) ldNode {
	if len(s.Publisher.Name) == 0 {
		return nil
	}
	n := ldNode{"@type": "Organization", "name": ldTexts(s.Publisher.Name)}
	n.set("@id", s.Publisher.ID)
	n.set("email", s.Publisher.Contact.Email)
	n.set("telephone", s.Publisher.Contact.Phone)
	n.set("url", s.Publisher.Contact.URL)
	return n
}

// ldDocument returns a document as a creative work about the terms that it uses.
func ldDocument(s *register.Settings, d *register.Document, base string) ldNode {
	n := ldNode{
		"@type": "CreativeWork", "@id": addressOf(base, d), "url": addressOf(base, d), "identifier": d.ID,
		"version": d.Current.String(), "dateModified": timestamp(d.Changed()), "datePublished": timestamp(publishedAt(d)),
	}
	n.set("name", ldTexts(d.Title))
	n.set("description", ldTexts(d.Description))
	n.set("inLanguage", d.Locales)
	n.set("dateCreated", timestamp(d.CreatedAt))
	n.set("creativeWorkStatus", string(d.Details.Status))
	n.set("license", s.Licence.URL)
	n.set("publisher", ldPublisher(s))
	o, organisation := d.Organisation(), ldNode{}
	organisation.set("@id", o.ID)
	organisation.set("name", ldTexts(phrases.OfLabel(o.Name)))
	if len(organisation) > 0 {
		organisation["@type"] = "Organization"
		n["sourceOrganization"] = organisation
	}
	var themes []ldText
	for _, l := range d.Details.Themes {
		themes = append(themes, ldTexts(phrases.OfLabel(l))...)
	}
	n.set("keywords", themes)
	var places, terms []ldNode
	for _, p := range d.Details.Places {
		place := ldNode{"@type": "Place", "name": ldTexts(phrases.OfLabel(p.Name))}
		place.set("address", ldTexts(phrases.OfLabel(p.Address)))
		if p.Geometry != nil {
			place["geo"] = ldGeometry(p.Geometry)
		}
		places = append(places, place)
	}
	n.set("spatialCoverage", places)
	for _, e := range d.Elements {
		term := ldNode{"@type": "DefinedTerm", "termCode": e.ID, "name": ldTexts(e.Title)}
		if d.Version != (taxonomy.Version{}) {
			term["inDefinedTermSet"] = d.Version.String()
		}
		terms = append(terms, term)
	}
	n.set("about", terms)
	var assessments []ldNode
	for _, a := range d.Details.Assessments {
		assessment := ldNode{"@type": "Report", "name": ldTexts(phrases.OfLabel(a.Name))}
		assessment.set("abstract", ldTexts(phrases.OfLabel(a.Summary)))
		assessment.set("datePublished", a.Date)
		assessment.set("url", a.URL)
		assessments = append(assessments, assessment)
	}
	n.set("subjectOf", assessments)
	var filings []string
	for _, f := range d.Details.Filings {
		if f.URL != "" {
			filings = append(filings, f.URL)
		}
	}
	n.set("sameAs", filings)
	if a := d.Details.Answered; a != nil {
		n["interactionStatistic"] = []ldNode{ldCounter(a, "AskAction", a.Asked), ldCounter(a, "ReplyAction", a.Answered)}
	}
	if b := d.Details.BasedOn; b != nil {
		based := ldNode{"@type": "CreativeWork", "name": ldTexts(phrases.OfLabel(b.Title))}
		based.set("url", b.URL)
		based.set("version", i18n.Clean(b.Version))
		based.set("creator", []ldNode{{"@type": "Organization", "name": ldTexts(phrases.OfLabel(b.Supplier.Name))}})
		n["isBasedOn"] = based
	}
	n["encoding"] = []ldNode{
		{"@type": "MediaObject", "encodingFormat": "application/json", "contentUrl": base + "/d/" + d.Slug + ".json"},
	}
	return n
}

// ldCounter returns how often people did something in the period of the numbers.
func ldCounter(a *phrases.Answered, action string, n int) ldNode {
	return ldNode{
		"@type": "InteractionCounter", "interactionType": ldNode{"@type": action}, "userInteractionCount": n,
		"startTime": a.From, "endTime": a.To,
	}
}

// ldGeometry returns a geometry in the words of schema.org, which has latitudes first.
func ldGeometry(g *register.Geometry) ldNode {
	if g.Type == "Point" {
		return ldNode{"@type": "GeoCoordinates", "longitude": g.Lines[0][0][0], "latitude": g.Lines[0][0][1]}
	}
	var positions []string
	for _, p := range g.Lines[0] {
		positions = append(positions, strconv.FormatFloat(p[1], 'f', -1, 64)+","+strconv.FormatFloat(p[0], 'f', -1, 64))
	}
	shape := "line"
	if g.Type == "Polygon" {
		shape = "polygon"
	}
	return ldNode{"@type": "GeoShape", shape: strings.Join(positions, " ")}
}

func (r *List) writeJSONLD(w *bufio.Writer) error {
	head := ldNode{"@context": ldContext, "@type": "DataCatalog", "@id": r.base + "/d", "url": r.base + "/d"}
	head.set("name", ldTexts(r.settings.Title))
	head.set("license", r.settings.Licence.URL)
	head.set("publisher", ldPublisher(r.settings))
	head.set("inLanguage", r.languages)
	return writeList(w, head, "hasPart", r.Len(), func(dst []byte, i int) ([]byte, error) {
		return appendJSON(dst, ldDocument(r.settings, r.At(i), r.base))
	})
}

// AppendJSONLD appends a document as JSON-LD, which can be embedded in HTML. The base URL
// is that of [New].
func AppendJSONLD(dst []byte, s *register.Settings, d *register.Document, base string) ([]byte, error) {
	n := ldDocument(s, d, baseOf(s, base))
	n["@context"] = ldContext
	return appendJSON(dst, n)
}
