package register

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/register/product"
	"github.com/datachain-go/datachain/taxonomy"
)

// Document is one document of a register, with its editions. It must not be changed.
//
// Its [Content] is that of the current edition.
type Document struct {
	// Slug is the name of the document in addresses.
	Slug string
	// ID is the id of the document itself.
	ID string
	// Slugs are earlier slugs, which still lead here.
	Slugs []string
	// Editions are ordered by the time of their publication, newest first.
	Editions []Edition
	// Current is the edition that is shown.
	Current taxonomy.Hash
	// Withdrawn is nil as long as the document is published.
	Withdrawn *Withdrawal

	*Content
	file string // of the current edition in a directory
}

// Removed reports whether the document is not published any more: it was withdrawn, or its
// current edition erased. Its address remains.
func (d *Document) Removed() bool { return d.Withdrawn != nil || d.erased() }

// erased reports whether the current edition has no text any more.
func (d *Document) erased() bool {
	e, ok := d.Edition(d.Current)
	return !ok || e.Erased != nil
}

// File returns the name of the file that the current edition comes from, relative to the
// directory of documents. If that is not known, it is the slug.
func (d *Document) File() string { return d.file }

// Edition returns the edition with a hash.
func (d *Document) Edition(h taxonomy.Hash) (*Edition, bool) {
	return d.edition(func(e Edition) bool { return e.Hash == h })
}

func (d *Document) edition(matches func(Edition) bool) (*Edition, bool) {
	if i := slices.IndexFunc(d.Editions, matches); i >= 0 {
		return &d.Editions[i], true
	}
	return nil, false
}

// FindEdition returns the edition whose hash begins with at least 12 hexadecimal digits,
// as addresses have them.
func (d *Document) FindEdition(digits string) (*Edition, bool) {
	return d.edition(func(e Edition) bool {
		return len(digits) >= shortHash && strings.HasPrefix(hex.EncodeToString(e.Hash[:]), digits)
	})
}

// shortHash is the number of hexadecimal digits of a hash in addresses.
const shortHash = 12

// Edition is the content of a document at a time. It never changes, but can be erased.
type Edition struct {
	// Hash is the SHA-256 of the content; see trust.EditionHash.
	Hash taxonomy.Hash
	// Time is when the edition was published. In a directory, it is when the document
	// says that it was updated or else created; if a file is changed without saying so
	// while the register is open, it is when that was noticed.
	Time time.Time
	// Erased is nil unless the texts of the edition were deleted.
	Erased *Erasure

	text text
}

// Short returns the first 12 hexadecimal digits of the hash, for addresses.
func (e *Edition) Short() string { return hex.EncodeToString(e.Hash[:])[:shortHash] }

// Withdrawal says why and when a document was withdrawn.
type Withdrawal struct {
	Time   time.Time `json:"time"`
	Reason string    `json:"reason"`
}

// Erasure says why and when the texts of an edition were deleted.
type Erasure struct {
	Time   time.Time `json:"time"`
	Reason string    `json:"reason"`
}

// TextKind says which text of an edition is meant.
type TextKind string

// The texts of an edition.
const (
	// Thin is the text as its author wrote it, which can be resolved, too.
	Thin TextKind = "thin"
	// Resolved is the text with a snapshot of the schema.
	Resolved TextKind = "resolved"
)

// SlugOf returns the slug of a document: the one that it asks for in its object register,
// or its id in lower case, with a hyphen for each run of characters that a slug can't
// have. That must not lose letters: then the document has to ask for a slug.
func SlugOf(id, requested string) (string, error) {
	if requested != "" {
		if !ident.IsSlug(requested) {
			return "", fmt.Errorf("the slug %q can't be used: write %s", wording.Clip(requested), ident.SlugRule)
		}
		return requested, nil
	}
	var slug strings.Builder
	lost := false
	for _, r := range strings.ToLower(id) {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '_', r == '-':
			slug.WriteRune(r)
			continue
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r):
			lost = true
		}
		if s := slug.String(); s != "" && s[len(s)-1] != '-' {
			slug.WriteByte('-')
		}
	}
	derived := strings.TrimLeft(strings.Trim(slug.String(), "-"), "-_")
	if lost || !ident.IsSlug(derived) {
		return "", fmt.Errorf("the id %q can't be used in an address: add a register.slug of %s", wording.Clip(id), ident.SlugRule)
	}
	return derived, nil
}

// Details is the object register of a document, with its status, places and organisation.
type Details struct {
	Slug   string `json:"slug,omitempty"`
	Status Status `json:"status,omitempty"`
	// Since, Until and ReviewBy are dates such as 2026-11-15, or "".
	Since    string  `json:"since,omitempty"`
	Until    string  `json:"until,omitempty"`
	ReviewBy string  `json:"review_by,omitempty"`
	Places   []Place `json:"places,omitempty"`
	// Organisation is empty if the document does not name one; see [Document.Organisation].
	Organisation Organisation     `json:"organisation,omitzero"`
	Themes       []taxonomy.Label `json:"themes,omitempty"`
	Withheld     []Withheld       `json:"withheld,omitempty"`
	Assessments  []Assessment     `json:"assessments,omitempty"`
	Classes      []Class          `json:"classes,omitempty"`
	Filings      []Filing         `json:"filings,omitempty"`
	// Answered is what happened when people asked about the system, or nil.
	Answered *phrases.Answered `json:"answered,omitempty"`
	// BasedOn is the product that the document is based on, or nil.
	BasedOn *product.BasedOn `json:"based_on,omitempty"`
}

// Status is the state of the system that a document describes.
type Status string

// The states of a system.
const (
	Planned Status = "planned"
	Trial   Status = "trial"
	InUse   Status = "in_use"
	Paused  Status = "paused"
	Retired Status = "retired"
)

// Statuses returns all states, in the order of the life of a system.
func Statuses() []Status { return []Status{Planned, Trial, InUse, Paused, Retired} }

// Place is where a system is used.
type Place struct {
	Name    taxonomy.Label `json:"name"`
	Address taxonomy.Label `json:"address,omitzero"`
	// Geometry is nil if the document has none.
	Geometry *Geometry `json:"geometry,omitzero"`
	Mobile   bool      `json:"mobile,omitzero"`
}

// Organisation is the organisation that is responsible for a system.
type Organisation struct {
	Name taxonomy.Label `json:"name,omitzero"`
	ID   string         `json:"id,omitempty"`
	Unit taxonomy.Label `json:"unit,omitzero"`
	// Owner is the role of the person who is responsible, such as a head of department, never a
	// name.
	Owner taxonomy.Label `json:"owner,omitzero"`
}

// Withheld is something that a document leaves out, with the reason.
type Withheld struct {
	What   taxonomy.Label `json:"what"`
	Reason taxonomy.Label `json:"reason"`
}

// Assessment is an assessment of the impact of a system.
type Assessment struct {
	Name taxonomy.Label `json:"name"`
	// Kind is one of rule.AssessmentKinds, or "".
	Kind string `json:"kind,omitempty"`
	// State is one of rule.AssessmentStates; "" means done.
	State string `json:"state,omitempty"`
	// Date is one such as 2026-11-15, or "".
	Date    string         `json:"date,omitempty"`
	URL     string         `json:"url,omitempty"`
	Summary taxonomy.Label `json:"summary,omitzero"`
}

// Class is the class of a system in a scheme, such as that of a law. Classes of different schemes
// can't be compared.
type Class struct {
	// Scheme is a word such as eu-ai-act, or a URL.
	Scheme string         `json:"scheme"`
	Class  string         `json:"class"`
	Reason taxonomy.Label `json:"reason,omitzero"`
}

// Filing is an entry about the system in another register. The answers that only that register
// asks for are not here, since nobody shows them; package profile reads them.
type Filing struct {
	// Profile is the id of the profile by which it was filed.
	Profile string `json:"profile"`
	// ID and URL are those of the entry there, or "".
	ID  string `json:"id,omitempty"`
	URL string `json:"url,omitempty"`
	// Filed is a date such as 2026-11-15, or "".
	Filed string `json:"filed,omitempty"`
}

// Changed returns when what is shown of a document changed last: the time of its current
// edition, or when it was withdrawn or erased.
func (d *Document) Changed() time.Time {
	var last time.Time
	if e, ok := d.Edition(d.Current); ok {
		last = e.Time
		if e.Erased != nil {
			last = e.Erased.Time
		}
	}
	if d.Withdrawn != nil && (d.Withdrawn.Time.After(last) || !d.erased()) {
		return d.Withdrawn.Time
	}
	return last
}

// Organisation returns the organisation that is responsible for the system: the one that the
// document names, or else the one that is accountable in the summary.
func (d *Document) Organisation() Organisation {
	o := d.Details.Organisation
	if o.Name.Plain == "" && o.Name.Text == nil {
		if p, ok := d.Summary.Point(codes.RoleAccountable); ok && len(p.Entries) > 0 {
			o.Name.Text = p.Entries[0].Name
		}
	}
	return o
}

// Geometry is a GeoJSON Point, LineString or Polygon.
type Geometry struct {
	// Type is Point, LineString or Polygon.
	Type string
	// Lines are the positions: of a point one line with one of them, of a polygon
	// its rings.
	Lines [][]LonLat
}

// LonLat is a longitude and a latitude in degrees.
type LonLat [2]float64

// MarshalJSON returns GeoJSON.
func (g *Geometry) MarshalJSON() ([]byte, error) {
	var coordinates any = g.Lines
	switch {
	case g.Type == "Polygon":
	case len(g.Lines) != 1 || len(g.Lines[0]) == 0:
		return nil, fmt.Errorf("register: a %s must have one line", g.Type)
	case g.Type == "Point":
		coordinates = g.Lines[0][0]
	default:
		coordinates = g.Lines[0]
	}
	return json.Marshal(struct {
		Type        string `json:"type"`
		Coordinates any    `json:"coordinates"`
	}{g.Type, coordinates})
}

// UnmarshalJSON reads GeoJSON. Altitudes are ignored.
func (g *Geometry) UnmarshalJSON(text []byte) error {
	var raw struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	g.Type = raw.Type
	var err error
	switch g.Type {
	case "Point":
		g.Lines = [][]LonLat{make([]LonLat, 1)}
		err = json.Unmarshal(raw.Coordinates, &g.Lines[0][0])
	case "LineString":
		g.Lines = make([][]LonLat, 1)
		err = json.Unmarshal(raw.Coordinates, &g.Lines[0])
	case "Polygon":
		err = json.Unmarshal(raw.Coordinates, &g.Lines)
	default:
		err = fmt.Errorf("the type of a geometry must be Point, LineString or Polygon, not %q", g.Type)
	}
	return err
}
