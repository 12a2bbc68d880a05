package taxonomy

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

// Mapping says that a category or an element answers to an entry of a [Scheme].
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

const (
	// RelationExact entries mean the same.
	RelationExact Relation = "exact"
	// RelationClose entries mean nearly the same.
	RelationClose Relation = "close"
	// RelationBroad entries are about more: the entry is the broader of the two.
	RelationBroad Relation = "broad"
	// RelationNarrow entries are about a part: the entry is the narrower of the two.
	RelationNarrow Relation = "narrow"
	// RelationRelated entries are about something else that belongs to it.
	RelationRelated Relation = "related"
)

// Relations returns all relations, the closest first.
func Relations() []Relation {
	return []Relation{RelationExact, RelationClose, RelationBroad, RelationNarrow, RelationRelated}
}

// Scheme returns the scheme with the id.
func (m *Manifest) Scheme(id string) (*Scheme, bool) {
	for i := range m.Schemes {
		if m.Schemes[i].ID == id {
			return &m.Schemes[i], true
		}
	}
	return nil, false
}
