package taxonomy

import (
	"encoding/json"

	jsonv2 "github.com/go-json-experiment/json"
)

// Instance is a datachain: a document that places elements of a schema
// version. This is its thin form, which refers to the schema; see [Resolved].
//
// It is a plain reading of the JSON. Whether it is valid is for others to say,
// so the fields hold what the document says, well-formed or not.
type Instance struct {
	ID          string    `json:"id"`
	Title       Localized `json:"title"`
	Description Localized `json:"description"`
	// SchemaVersion is the canonical version id that the document pins.
	SchemaVersion string      `json:"schema_version"`
	CreatedAt     string      `json:"created_at"`
	Elements      []Placement `json:"elements"`

	UpdatedAt           string             `json:"updated_at,omitempty"`
	InstanceVersion     string             `json:"instance_version,omitempty"`
	SubchainInstances   []SubchainInstance `json:"subchain_instances,omitempty"`
	Sources             []Source           `json:"sources,omitempty"`
	LinkedInstanceIDs   []string           `json:"linked_instance_ids,omitempty"`
	AuthoringProvenance *Provenance        `json:"authoring_provenance,omitzero"`
	Extra               Extra              `json:",embed"`
}

// Placement puts one element into a datachain.
type Placement struct {
	ElementID string `json:"element_id"`
	// ContextTypeID is the context value of the element's category that
	// holds here.
	ContextTypeID string          `json:"context_type_id,omitempty"`
	Variables     []VariableValue `json:"variables,omitempty"`
	// ElementInstanceID tells placements of one element apart.
	ElementInstanceID string `json:"element_instance_id,omitempty"`
	// Label is nil where the document has none.
	Label *string `json:"label,omitzero"`

	Priority           int      `json:"priority,omitzero"`
	SubchainInstanceID string   `json:"subchain_instance_id,omitempty"`
	Actions            []Action `json:"actions,omitempty"`
	Sources            []Source `json:"sources,omitempty"`
	Citation           string   `json:"citation,omitempty"`
	Extra              Extra    `json:",embed"`
}

// VariableValue fills in a variable of the placed element. On the wire both
// forms are the list "value".
type VariableValue struct {
	ID string
	// Text is the value of a text variable.
	Text Localized
	// Options is the value of a select variable, ids of its options; nil
	// where the value is a text or an empty list.
	Options []string
	Extra   Extra
}

// SubchainInstance is one run through a subchain of the datachain type.
type SubchainInstance struct {
	ID         string   `json:"id"`
	SubchainID string   `json:"subchain_id"`
	HeadRefs   []string `json:"head_refs,omitempty"`
	Order      int      `json:"order,omitzero"`
}

// Action is something that a reader of a placement can do.
type Action struct {
	// Type is email, url, phone, form or postal.
	Type   string `json:"type"`
	Label  string `json:"label"`
	Target string `json:"target"`
}

// The kinds of [Provenance] that are known. Suggested elements need
// KindAIGenerated.
const (
	KindHuman       = "human"
	KindAIGenerated = "ai_generated"
)

// Provenance tells how a datachain came to be.
type Provenance struct {
	// Kind is human, [KindAIGenerated] or another word.
	Kind        string `json:"kind"`
	Model       string `json:"model,omitempty"`
	GeneratedAt string `json:"generated_at,omitempty"`
	// ElementProvenance is keyed by element_instance_id, or by an element_id
	// that is placed exactly once.
	ElementProvenance map[string]ElementProvenance `json:"element_provenance,omitempty"`
	Extra             Extra                        `json:",embed"`
}

// ElementProvenance tells why one placement is there.
type ElementProvenance struct {
	Rationale string `json:"rationale,omitempty"`
	// Confidence is high, medium or low.
	Confidence       string            `json:"confidence,omitempty"`
	SourceReferences []SourceReference `json:"source_references,omitempty"`
	// VariableRationale is keyed by variable id. The shape of its values is
	// open.
	VariableRationale map[string]json.RawMessage `json:"variable_rationale,omitempty"`
	Extra             Extra                      `json:",embed"`
}

// SourceReference quotes what a placement rests on.
type SourceReference struct {
	Quote   string `json:"quote"`
	Context string `json:"context,omitempty"`
}

// Resolved is a datachain that carries the slice of the schema that it uses,
// so that it means the same without any store.
type Resolved struct {
	Instance
	SchemaSnapshot Snapshot `json:"schema_snapshot"`
	// SuggestedElements are proposed beside the snapshot.
	SuggestedElements []Element `json:"suggested_elements"`
}

// Snapshot is the slice of a schema version that a [Resolved] embeds.
type Snapshot struct {
	DatachainType Type       `json:"datachain_type"`
	Categories    []Category `json:"categories"`
	Elements      []Element  `json:"elements"`
}

type plainInstance Instance

// plainResolved is Resolved without methods: those of the embedded Instance
// would be promoted and drop the other fields.
type plainResolved struct {
	plainInstance
	SchemaSnapshot    Snapshot  `json:"schema_snapshot"`
	SuggestedElements []Element `json:"suggested_elements"`
}

// MarshalJSON writes the instance with its extra fields.
func (i Instance) MarshalJSON() ([]byte, error) {
	return jsonv2.Marshal(plainInstance(i), jsonv2.Deterministic(true))
}

// UnmarshalJSON reads an instance and keeps the fields it does not know.
func (i *Instance) UnmarshalJSON(data []byte) error {
	return jsonv2.Unmarshal(data, (*plainInstance)(i))
}

// MarshalJSON writes the resolved instance with its extra fields.
func (r Resolved) MarshalJSON() ([]byte, error) {
	return jsonv2.Marshal(plainResolved{plainInstance(r.Instance), r.SchemaSnapshot, r.SuggestedElements}, jsonv2.Deterministic(true))
}

// UnmarshalJSON reads a resolved instance and keeps the fields it does not know.
func (r *Resolved) UnmarshalJSON(data []byte) error {
	var p plainResolved
	if err := jsonv2.Unmarshal(data, &p); err != nil {
		return err
	}
	*r = Resolved{Instance(p.plainInstance), p.SchemaSnapshot, p.SuggestedElements}
	return nil
}

// MarshalJSON writes the placement with its extra fields.
func (p Placement) MarshalJSON() ([]byte, error) {
	type plain Placement
	return jsonv2.Marshal(plain(p), jsonv2.Deterministic(true))
}

// UnmarshalJSON reads a placement and keeps the fields it does not know.
func (p *Placement) UnmarshalJSON(data []byte) error {
	type plain Placement
	return jsonv2.Unmarshal(data, (*plain)(p))
}

// plainValue is a VariableValue as it is on the wire.
type plainValue struct {
	ID    string          `json:"id"`
	Value json.RawMessage `json:"value"`
	Extra Extra           `json:",embed"`
}

// MarshalJSON writes the value in the form that it has.
func (v VariableValue) MarshalJSON() ([]byte, error) {
	var form any = v.Text
	if v.Options != nil {
		form = v.Options
	}
	value, err := jsonv2.Marshal(form)
	if err != nil {
		return nil, err
	}
	return jsonv2.Marshal(plainValue{v.ID, value, v.Extra}, jsonv2.Deterministic(true))
}

// UnmarshalJSON reads a value in either form and keeps the fields it does not
// know.
func (v *VariableValue) UnmarshalJSON(data []byte) error {
	var p plainValue
	if err := jsonv2.Unmarshal(data, &p); err != nil {
		return err
	}
	*v = VariableValue{ID: p.ID, Extra: p.Extra}
	var ids []string
	if err := jsonv2.Unmarshal(p.Value, &ids); err == nil && len(ids) > 0 {
		v.Options = ids
		return nil
	}
	return jsonv2.Unmarshal(p.Value, &v.Text)
}

// MarshalJSON writes the provenance with its extra fields.
func (p Provenance) MarshalJSON() ([]byte, error) {
	type plain Provenance
	return jsonv2.Marshal(plain(p), jsonv2.Deterministic(true))
}

// UnmarshalJSON reads a provenance and keeps the fields it does not know.
func (p *Provenance) UnmarshalJSON(data []byte) error {
	type plain Provenance
	return jsonv2.Unmarshal(data, (*plain)(p))
}

// MarshalJSON writes the entry with its extra fields.
func (p ElementProvenance) MarshalJSON() ([]byte, error) {
	type plain ElementProvenance
	return jsonv2.Marshal(plain(p), jsonv2.Deterministic(true))
}

// UnmarshalJSON reads an entry and keeps the fields it does not know.
func (p *ElementProvenance) UnmarshalJSON(data []byte) error {
	type plain ElementProvenance
	return jsonv2.Unmarshal(data, (*plain)(p))
}
