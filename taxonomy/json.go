package taxonomy

import (
	"encoding/json"

	jsonv2 "github.com/go-json-experiment/json"
)

// The types with Extra have methods, since encoding/json can't embed unknown
// fields. The methods use types without methods.
type (
	plainManifest          Manifest
	plainType              Type
	plainCategory          Category
	plainElement           Element
	plainInstance          Instance
	plainPlacement         Placement
	plainProvenance        Provenance
	plainElementProvenance ElementProvenance
	plainSource            Source
	plainSubchainInstance  SubchainInstance
	plainAction            Action
	plainSourceReference   SourceReference
	// The methods of an embedded Instance would be promoted.
	plainResolved struct {
		plainInstance
		SchemaSnapshot    Snapshot  `json:"schema_snapshot"`
		SuggestedElements []Element `json:"suggested_elements"`
	}
	plainValue struct {
		ID    string          `json:"id"`
		Value json.RawMessage `json:"value"`
		Extra Extra           `json:",embed"`
	}
)

func marshal(v any) ([]byte, error) { return jsonv2.Marshal(v, jsonv2.Deterministic(true)) }

// MarshalJSON encodes the manifest with its extra fields.
func (m Manifest) MarshalJSON() ([]byte, error) { return marshal(plainManifest(m)) }

// UnmarshalJSON decodes a manifest and keeps unknown fields.
func (m *Manifest) UnmarshalJSON(data []byte) error { return unmarshal(data, m) }

// MarshalJSON encodes the type with its extra fields.
func (t Type) MarshalJSON() ([]byte, error) { return marshal(plainType(t)) }

// UnmarshalJSON decodes a type and keeps unknown fields.
func (t *Type) UnmarshalJSON(data []byte) error { return unmarshal(data, t) }

// MarshalJSON encodes the category with its extra fields.
func (c Category) MarshalJSON() ([]byte, error) { return marshal(plainCategory(c)) }

// UnmarshalJSON decodes a category and keeps unknown fields.
func (c *Category) UnmarshalJSON(data []byte) error { return unmarshal(data, c) }

// MarshalJSON encodes the element with its extra fields.
func (e Element) MarshalJSON() ([]byte, error) { return marshal(plainElement(e)) }

// UnmarshalJSON decodes an element and keeps unknown fields.
func (e *Element) UnmarshalJSON(data []byte) error { return unmarshal(data, e) }

// MarshalJSON encodes the instance with its extra fields.
func (i Instance) MarshalJSON() ([]byte, error) { return marshal(plainInstance(i)) }

// UnmarshalJSON decodes an instance and keeps unknown fields.
func (i *Instance) UnmarshalJSON(data []byte) error { return unmarshal(data, i) }

// MarshalJSON encodes the placement with its extra fields.
func (p Placement) MarshalJSON() ([]byte, error) { return marshal(plainPlacement(p)) }

// UnmarshalJSON decodes a placement and keeps unknown fields.
func (p *Placement) UnmarshalJSON(data []byte) error { return unmarshal(data, p) }

// MarshalJSON encodes the provenance with its extra fields.
func (p Provenance) MarshalJSON() ([]byte, error) { return marshal(plainProvenance(p)) }

// UnmarshalJSON decodes a provenance and keeps unknown fields.
func (p *Provenance) UnmarshalJSON(data []byte) error { return unmarshal(data, p) }

// MarshalJSON encodes the entry with its extra fields.
func (e ElementProvenance) MarshalJSON() ([]byte, error) { return marshal(plainElementProvenance(e)) }

// UnmarshalJSON decodes an entry and keeps unknown fields.
func (e *ElementProvenance) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e)
}

// MarshalJSON encodes the source with its extra fields.
func (s Source) MarshalJSON() ([]byte, error) { return marshal(plainSource(s)) }

// UnmarshalJSON decodes a source and keeps unknown fields.
func (s *Source) UnmarshalJSON(data []byte) error { return unmarshal(data, s) }

// MarshalJSON encodes the subchain instance with its extra fields.
func (s SubchainInstance) MarshalJSON() ([]byte, error) { return marshal(plainSubchainInstance(s)) }

// UnmarshalJSON decodes a subchain instance and keeps unknown fields.
func (s *SubchainInstance) UnmarshalJSON(data []byte) error {
	return unmarshal(data, s)
}

// MarshalJSON encodes the action with its extra fields.
func (a Action) MarshalJSON() ([]byte, error) { return marshal(plainAction(a)) }

// UnmarshalJSON decodes an action and keeps unknown fields.
func (a *Action) UnmarshalJSON(data []byte) error { return unmarshal(data, a) }

// MarshalJSON encodes the reference with its extra fields.
func (s SourceReference) MarshalJSON() ([]byte, error) { return marshal(plainSourceReference(s)) }

// UnmarshalJSON decodes a reference and keeps unknown fields.
func (s *SourceReference) UnmarshalJSON(data []byte) error {
	return unmarshal(data, s)
}

// MarshalJSON encodes the resolved instance with its extra fields.
func (r Resolved) MarshalJSON() ([]byte, error) {
	return marshal(plainResolved{plainInstance(r.Instance), r.SchemaSnapshot, r.SuggestedElements})
}

// UnmarshalJSON decodes a resolved instance and keeps unknown fields.
func (r *Resolved) UnmarshalJSON(data []byte) error {
	if err := unmarshal(data, r); err != nil {
		return err
	}
	r.completeSuggestions()
	return nil
}

// MarshalJSON encodes Options, or Text if Options is nil, as the value.
func (v VariableValue) MarshalJSON() ([]byte, error) {
	var form any = v.Text
	if v.Options != nil {
		form = v.Options
	}
	value, err := marshal(form)
	if err != nil {
		return nil, err
	}
	return marshal(plainValue{v.ID, value, v.Extra})
}

// UnmarshalJSON decodes a value of either form and keeps unknown fields.
func (v *VariableValue) UnmarshalJSON(data []byte) error { return unmarshal(data, v) }
