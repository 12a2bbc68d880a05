// Package lists writes the documents of a register that a query selects, for other programs: as JSON,
// CSV, GeoJSON, JSON-LD or an Atom feed.
//
// # Experimental
//
// This package may change in a minor version.
package lists

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
)

// Format is a file format of a list.
type Format string

// The formats of a list.
const (
	JSON    Format = "json"
	CSV     Format = "csv"     // RFC 4180
	GeoJSON Format = "geojson" // RFC 7946
	Atom    Format = "atom"    // RFC 4287
	JSONLD  Format = "jsonld"  // in the vocabulary of schema.org
)

// Formats returns all formats.
func Formats() []Format { return []Format{JSON, CSV, GeoJSON, Atom, JSONLD} }

// ContentType returns the media type of a format.
func (f Format) ContentType() string {
	switch f {
	case CSV:
		return "text/csv; charset=utf-8; header=present"
	case GeoJSON:
		return "application/geo+json; charset=utf-8"
	case Atom:
		return "application/atom+xml; charset=utf-8"
	case JSONLD:
		return "application/ld+json; charset=utf-8"
	}
	return "application/json; charset=utf-8"
}

// List writes documents that a query selects. Make one with [New].
type List struct {
	*register.Result
	settings  *register.Settings
	languages []string
	texts     phrases.Chooser
	base      string
}

// New returns the documents that a query selects in a state, to be written. Addresses begin
// with a base URL, which is that of the settings if it is empty; without any, they are paths.
func New(s *register.State, found *register.Result, base string) *List {
	languages := s.Languages()
	return &List{
		Result: found, settings: s.Settings(), languages: languages, texts: phrases.NewChooser(languages, found.Query.Locale),
		base: baseOf(s.Settings(), base),
	}
}

func baseOf(s *register.Settings, base string) string {
	return strings.TrimSuffix(cmp.Or(base, s.URL), "/")
}

// Write writes all documents of a list.
//
// Texts are in the language of the query, or else in another, except in JSON-LD, which has
// all. A feed has the newest documents first, and also those that were withdrawn or erased.
func (r *List) Write(w io.Writer, f Format) error {
	b := bufio.NewWriterSize(w, 64<<10)
	var err error
	switch f {
	case JSON:
		err = r.writeJSON(b)
	case CSV:
		err = r.writeCSV(b)
	case GeoJSON:
		err = r.writeGeoJSON(b)
	case Atom:
		err = r.writeAtom(b)
	case JSONLD:
		err = r.writeJSONLD(b)
	default:
		err = fmt.Errorf("there is no format %q", string(f))
	}
	return cmp.Or(err, b.Flush())
}

// addressOf is the address of the page of a document. Static hosts need the slash.
func addressOf(base string, d *register.Document) string { return base + "/d/" + d.Slug + "/" }

// entry is a document in a list, as programs get it.
type entry struct {
	Slug           string             `json:"slug"`
	ID             string             `json:"id"`
	URL            string             `json:"url"`
	Title          string             `json:"title"`
	Description    string             `json:"description,omitempty"`
	Type           string             `json:"type,omitempty"`
	SchemaVersion  string             `json:"schema_version,omitempty"`
	Status         register.Status    `json:"status,omitempty"`
	Since          string             `json:"since,omitempty"`
	Until          string             `json:"until,omitempty"`
	ReviewBy       string             `json:"review_by,omitempty"`
	Organisation   *entryOrganisation `json:"organisation,omitempty"`
	Themes         []string           `json:"themes,omitempty"`
	Places         []entryPlace       `json:"places,omitempty"`
	Summary        []entryPoint       `json:"summary,omitempty"`
	NotKnown       []taxonomy.Role    `json:"not_known,omitempty"` // roles that the schema version does not mark
	Withheld       []entryWithheld    `json:"withheld,omitempty"`
	Assessments    []entryAssessment  `json:"assessments,omitempty"`
	Classes        []entryClass       `json:"classes,omitempty"`
	Filings        []register.Filing  `json:"filings,omitempty"`
	Answered       *phrases.Answered  `json:"answered,omitempty"`
	BasedOn        *entryBasedOn      `json:"based_on,omitempty"`
	Languages      []string           `json:"languages"`
	CreatedAt      string             `json:"created_at,omitempty"`
	UpdatedAt      string             `json:"updated_at,omitempty"`
	PublishedAt    string             `json:"published_at"`
	ChangedAt      string             `json:"changed_at"`
	Edition        string             `json:"edition"`
	Editions       int                `json:"editions"`
	VersionMissing bool               `json:"version_missing,omitzero"`
}

type entryBasedOn struct {
	Title    string `json:"title"`
	Supplier string `json:"supplier"`
	URL      string `json:"url,omitempty"`
	Edition  string `json:"edition"`
	Version  string `json:"version,omitempty"`
	Date     string `json:"date,omitempty"`
}

type entryOrganisation struct {
	Name  string `json:"name,omitempty"`
	ID    string `json:"id,omitempty"`
	Unit  string `json:"unit,omitempty"`
	Owner string `json:"owner,omitempty"`
}

type entryPlace struct {
	Name     string             `json:"name"`
	Address  string             `json:"address,omitempty"`
	Geometry *register.Geometry `json:"geometry,omitempty"`
	Mobile   bool               `json:"mobile,omitzero"`
}

// entryPoint is a point of the summary.
type entryPoint struct {
	Role    taxonomy.Role `json:"role,omitempty"`
	Heading string        `json:"heading,omitempty"` // of the category, if there is no role
	AtMost  bool          `json:"at_most,omitzero"`
	Context *entryContext `json:"context,omitempty"`
	Entries []entryItem   `json:"entries"`
}

type entryContext struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

type entryItem struct {
	ElementID  string `json:"element_id"`
	Title      string `json:"title"`
	Name       string `json:"name,omitempty"`
	Words      string `json:"words,omitempty"`
	Contact    string `json:"contact,omitempty"`
	Link       string `json:"link,omitempty"`
	Safeguard  string `json:"safeguard,omitempty"`
	LegalBasis string `json:"legal_basis,omitempty"`
	Period     string `json:"period,omitempty"`
}

type entryWithheld struct {
	What   string `json:"what"`
	Reason string `json:"reason"`
}

type entryAssessment struct {
	Name    string `json:"name"`
	Kind    string `json:"kind,omitempty"`
	State   string `json:"state"`
	Date    string `json:"date,omitempty"`
	URL     string `json:"url,omitempty"`
	Summary string `json:"summary,omitempty"`
}

type entryClass struct {
	Scheme string `json:"scheme"`
	Class  string `json:"class"`
	Reason string `json:"reason,omitempty"`
}

// Text returns a text in the language of the list, or else in another.
func (r *List) Text(l taxonomy.Localized) string {
	text, _ := r.texts.Pick(l)
	return i18n.Clean(text)
}

func (r *List) label(l taxonomy.Label) string { return r.Text(phrases.OfLabel(l)) }

// entry returns a document in the language of the list.
func (r *List) entry(d *register.Document) *entry {
	e := &entry{
		Slug: d.Slug, ID: d.ID, URL: addressOf(r.base, d), Title: cmp.Or(r.Text(d.Title), d.Slug), Description: r.Text(d.Description),
		Status: d.Details.Status, Since: d.Details.Since, Until: d.Details.Until, ReviewBy: d.Details.ReviewBy,
		Languages: d.Locales, CreatedAt: timestamp(d.CreatedAt), UpdatedAt: timestamp(d.UpdatedAt), PublishedAt: timestamp(publishedAt(d)), ChangedAt: timestamp(d.Changed()),
		Edition: d.Current.String(), Editions: len(d.Editions), VersionMissing: d.Unpublished,
	}
	if d.Version != (taxonomy.Version{}) {
		e.Type, e.SchemaVersion = d.Version.Type(), d.Version.String()
	}
	o := d.Organisation()
	if shown := (entryOrganisation{r.label(o.Name), o.ID, r.label(o.Unit), r.label(o.Owner)}); shown != (entryOrganisation{}) {
		e.Organisation = &shown
	}
	for _, l := range d.Details.Themes {
		e.Themes = append(e.Themes, r.label(l))
	}
	for _, p := range d.Details.Places {
		e.Places = append(e.Places, entryPlace{r.label(p.Name), r.label(p.Address), p.Geometry, p.Mobile})
	}
	for _, held := range d.Details.Withheld {
		e.Withheld = append(e.Withheld, entryWithheld{r.label(held.What), r.label(held.Reason)})
	}
	for _, a := range d.Details.Assessments {
		e.Assessments = append(e.Assessments, entryAssessment{r.label(a.Name), a.Kind, cmp.Or(a.State, "done"), a.Date, a.URL, r.label(a.Summary)})
	}
	for _, c := range d.Details.Classes {
		e.Classes = append(e.Classes, entryClass{c.Scheme, c.Class, r.label(c.Reason)})
	}
	e.Filings, e.Answered = d.Details.Filings, d.Details.Answered
	if b := d.Details.BasedOn; b != nil {
		e.BasedOn = &entryBasedOn{r.label(b.Title), r.label(b.Supplier.Name), b.URL, b.Edition, i18n.Clean(b.Version), b.Date}
	}
	for _, p := range d.Summary.Points {
		e.Summary = append(e.Summary, r.point(&p))
	}
	for _, role := range pointRoles {
		if d.Summary.State(role) == summary.NotKnown {
			e.NotKnown = append(e.NotKnown, role)
		}
	}
	return e
}

func (r *List) point(p *summary.Point) entryPoint {
	shown := entryPoint{Role: p.Role, AtMost: p.AtMost, Entries: []entryItem{}}
	if p.Role == "" && p.Category != nil {
		shown.Heading = r.Text(p.Category.Name)
	}
	if p.Context != nil {
		shown.Context = &entryContext{p.Context.ID, r.Text(p.Context.Label)}
	}
	for _, e := range p.Entries {
		item := entryItem{
			Name: r.Text(e.Name), Words: r.Text(e.Words), Contact: r.Text(e.Contact), Link: r.Text(e.Link),
			Safeguard: r.Text(e.Safeguard), LegalBasis: r.Text(e.LegalBasis), Period: r.Text(e.Period),
		}
		if e.Element != nil {
			item.ElementID, item.Title = e.Element.ID, r.Text(e.Element.Title)
		}
		shown.Entries = append(shown.Entries, item)
	}
	return shown
}

// pointRoles are the roles of the points of a summary, in their order.
var pointRoles = [...]taxonomy.Role{codes.RolePurpose, codes.RoleData, codes.RoleDecision, codes.RoleRisk, codes.RoleAccountable, codes.RoleRights}

// cell returns what a document says about a role in one line, or why there is nothing.
func (r *List) cell(e *entry, role taxonomy.Role) string {
	words := phrases.In(r.Query.Locale)
	if slices.Contains(e.NotKnown, role) {
		return words.SeePage
	}
	i := slices.IndexFunc(e.Summary, func(p entryPoint) bool { return p.Role == role })
	if i < 0 || len(e.Summary[i].Entries) == 0 {
		return words.NotSaid
	}
	return e.Summary[i].text()
}

// text returns a point in one line.
func (p *entryPoint) text() string {
	var parts []string
	for _, e := range p.Entries {
		if e.Words != "" && p.Role == codes.RolePurpose {
			e.Name = e.Words
		}
		parts = append(parts, cmp.Or(e.Name, e.Title))
	}
	text := strings.Join(slices.Compact(parts), "; ")
	if p.Context != nil && p.AtMost {
		return strings.TrimSuffix(p.Context.Title+": "+text, ": ")
	}
	return text
}

// publishedAt returns when the first edition was published.
func publishedAt(d *register.Document) time.Time {
	if len(d.Editions) == 0 {
		return time.Time{}
	}
	return d.Editions[len(d.Editions)-1].Time
}

func timestamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// AppendJSON appends a document of the list as a JSON object, with what lists show of it.
func (r *List) AppendJSON(dst []byte, d *register.Document) ([]byte, error) {
	return appendJSON(dst, r.entry(d))
}

// appendJSON appends a value so that it can be embedded in HTML.
func appendJSON(dst []byte, v any) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	err := json.MarshalWrite(b, v, jsontext.EscapeForHTML(true), jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	return b.Bytes(), err
}

// writeList writes a JSON object whose last member is a list of as many items.
func writeList(w *bufio.Writer, head any, member string, items int, item func(dst []byte, i int) ([]byte, error)) error {
	b, err := appendJSON(nil, head)
	if err != nil {
		return err
	}
	b = b[:len(b)-1]
	if len(b) > 1 {
		b = append(b, ',')
	}
	b = append(b, `"`+member+`":[`...)
	for i := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '\n')
		if b, err = item(b, i); err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	_, err = w.Write(append(b, "\n]}\n"...))
	return err
}

func (r *List) writeJSON(w *bufio.Writer) error {
	head := struct {
		Title     string             `json:"title,omitempty"`
		URL       string             `json:"url"`
		Lang      string             `json:"lang"`
		Publisher *entryOrganisation `json:"publisher,omitempty"`
		Licence   *jsonLicence       `json:"licence,omitempty"`
		Total     int                `json:"total"`
	}{Title: r.Text(r.settings.Title), URL: r.base + "/d", Lang: r.Query.Locale, Total: r.Len()}
	if name := r.Text(r.settings.Publisher.Name); name != "" {
		head.Publisher = &entryOrganisation{Name: name, ID: r.settings.Publisher.ID}
	}
	if l := r.settings.Licence; l != (register.Licence{}) {
		head.Licence = &jsonLicence{l.Name, l.URL}
	}
	return writeList(w, head, "documents", r.Len(), func(dst []byte, i int) ([]byte, error) {
		return appendJSON(dst, r.entry(r.At(i)))
	})
}

type jsonLicence struct {
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
}

// writeCSV writes a table.
func (r *List) writeCSV(w *bufio.Writer) error {
	table := csv.NewWriter(w)
	table.UseCRLF = true
	header := []string{"slug", "id", "url", "title", "description", "type", "schema_version", "status", "since", "until", "review_by", "organisation", "organisation_id", "unit", "themes", "places", "geometry"}
	for _, role := range pointRoles {
		header = append(header, string(role))
	}
	header = append(header, "withheld", "assessments", "filings", "asked", "answered", "answer_days", "languages", "created_at", "updated_at", "published_at", "changed_at", "edition", "editions")
	if err := table.Write(header); err != nil {
		return err
	}
	for _, d := range r.All() {
		e := r.entry(d)
		o := cmp.Or(e.Organisation, new(entryOrganisation))
		var places, shapes, withheld, assessments, filings []string
		for _, p := range e.Places {
			places = append(places, p.Name)
			if p.Geometry != nil {
				shapes = append(shapes, wkt(p.Geometry))
			}
		}
		for _, held := range e.Withheld {
			withheld = append(withheld, held.What)
		}
		for _, a := range e.Assessments {
			assessments = append(assessments, a.Name)
		}
		for _, f := range e.Filings {
			filings = append(filings, cmp.Or(f.URL, f.Profile))
		}
		var asked, answered, days string
		if a := e.Answered; a != nil {
			asked, answered = strconv.Itoa(a.Asked), strconv.Itoa(a.Answered)
			if a.Days != nil {
				days = strconv.Itoa(*a.Days)
			}
		}
		cells := []string{
			e.Slug, e.ID, e.URL, e.Title, e.Description, e.Type, e.SchemaVersion, string(e.Status), e.Since, e.Until, e.ReviewBy, o.Name, o.ID, o.Unit,
			strings.Join(e.Themes, "; "), strings.Join(places, "; "), wktOf(shapes),
		}
		for _, role := range pointRoles {
			cells = append(cells, r.cell(e, role))
		}
		cells = append(cells, strings.Join(withheld, "; "), strings.Join(assessments, "; "), strings.Join(filings, "; "), asked, answered, days, strings.Join(e.Languages, "; "),
			e.CreatedAt, e.UpdatedAt, e.PublishedAt, e.ChangedAt, e.Edition, strconv.Itoa(e.Editions))
		for i := range cells {
			cells[i] = wording.Cell(cells[i])
		}
		if err := table.Write(cells); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}

// wkt returns a geometry as well-known text, which never begins like a formula.
func wkt(g *register.Geometry) string {
	lines := make([]string, len(g.Lines))
	for i, line := range g.Lines {
		positions := make([]string, len(line))
		for k, p := range line {
			positions[k] = strconv.FormatFloat(p[0], 'f', -1, 64) + " " + strconv.FormatFloat(p[1], 'f', -1, 64)
		}
		lines[i] = "(" + strings.Join(positions, ", ") + ")"
	}
	text := strings.Join(lines, ", ")
	if g.Type == "Polygon" {
		text = "(" + text + ")"
	}
	return strings.ToUpper(g.Type) + " " + text
}

// wktOf returns one shape as it is, and several as a collection.
func wktOf(shapes []string) string {
	if len(shapes) > 1 {
		return "GEOMETRYCOLLECTION (" + strings.Join(shapes, ", ") + ")"
	}
	return strings.Join(shapes, "")
}

// feature is a place of a document on a map. A document without a place has one feature
// without a geometry.
type feature struct {
	Type       string             `json:"type"`
	ID         string             `json:"id"`
	Geometry   *register.Geometry `json:"geometry"`
	Properties map[string]any     `json:"properties"`
}

func (r *List) writeGeoJSON(w *bufio.Writer) error {
	type at struct{ document, place int } // place is -1 for none
	var all []at
	for i, d := range r.All() {
		n := len(all)
		for k, p := range d.Details.Places {
			if p.Geometry != nil {
				all = append(all, at{i, k})
			}
		}
		if len(all) == n {
			all = append(all, at{i, -1})
		}
	}
	head := struct {
		Type string `json:"type"`
	}{"FeatureCollection"}
	var e *entry // of the document before
	return writeList(w, head, "features", len(all), func(dst []byte, i int) ([]byte, error) {
		if i == 0 || all[i].document != all[i-1].document {
			e = r.entry(r.At(all[i].document))
		}
		f := feature{Type: "Feature", ID: e.Slug, Properties: map[string]any{"slug": e.Slug, "url": e.URL, "title": e.Title, "changed_at": e.ChangedAt}}
		for name, value := range map[string]string{"type": e.Type, "status": string(e.Status)} {
			if value != "" {
				f.Properties[name] = value
			}
		}
		if e.Organisation != nil {
			f.Properties["organisation"] = e.Organisation.Name
		}
		if k := all[i].place; k >= 0 {
			p := e.Places[k]
			f.ID, f.Geometry = e.Slug+"/"+strconv.Itoa(k+1), p.Geometry
			f.Properties["place"] = p.Name
			if p.Address != "" {
				f.Properties["address"] = p.Address
			}
			if p.Mobile {
				f.Properties["mobile"] = true
			}
		}
		return appendJSON(dst, f)
	})
}
