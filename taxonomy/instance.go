package taxonomy

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
)

// Instance is a datachain: a document that places elements of a schema version.
// This is the thin form, which refers to the schema version; see [Resolved] for
// the other. The fields have the values of the document, valid or not.
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

// Placement is the use of an element in a datachain.
type Placement struct {
	ElementID string `json:"element_id"`
	// ContextTypeID is a context value of the element's category.
	ContextTypeID string          `json:"context_type_id,omitempty"`
	Variables     []VariableValue `json:"variables,omitempty"`
	// ElementInstanceID distinguishes placements of the same element.
	ElementInstanceID string `json:"element_instance_id,omitempty"`
	// Label is nil if the document has none.
	Label *Label `json:"label,omitzero"`

	// Priority is nil if the document has none, which sorts like 0.
	Priority           *int     `json:"priority,omitzero"`
	SubchainInstanceID string   `json:"subchain_instance_id,omitempty"`
	Actions            []Action `json:"actions,omitempty"`
	Sources            []Source `json:"sources,omitempty"`
	Citation           string   `json:"citation,omitempty"`
	Extra              Extra    `json:",embed"`
}

// VariableValue is the value of a variable of the placed element. Text and Options
// are both the field "value" in JSON.
type VariableValue struct {
	ID string `json:"id"`
	// Text is the value of a text variable.
	Text Localized `json:"value"`
	// Options is the value of a select variable, ids of its options. It is nil if
	// the value is a text or an empty list.
	Options []string `json:"-"`
	Extra   Extra    `json:",embed"`
}

// SubchainInstance is one run through a subchain of the datachain type.
type SubchainInstance struct {
	ID         string   `json:"id"`
	SubchainID string   `json:"subchain_id"`
	HeadRefs   []string `json:"head_refs,omitempty"`
	// Order is nil if the document has none, which sorts like 0.
	Order *int  `json:"order,omitzero"`
	Extra Extra `json:",embed"`
}

// Action is something that the reader of a placement can do.
type Action struct {
	// Type is email, url, phone, form or postal.
	Type   string `json:"type"`
	Label  Label  `json:"label"`
	Target string `json:"target"`
	Extra  Extra  `json:",embed"`
}

// Provenance describes how a datachain was written.
type Provenance struct {
	// Kind is human, ai_generated or another word. Suggested elements need ai_generated.
	Kind        string `json:"kind"`
	Model       string `json:"model,omitempty"`
	GeneratedAt string `json:"generated_at,omitempty"`
	// ElementProvenance is keyed by element_instance_id, or by an element_id
	// that is placed exactly once.
	ElementProvenance map[string]ElementProvenance `json:"element_provenance,omitempty"`
	Extra             Extra                        `json:",embed"`
}

// ElementProvenance describes why a placement was made.
type ElementProvenance struct {
	Rationale string `json:"rationale,omitempty"`
	// Confidence is high, medium or low.
	Confidence       string            `json:"confidence,omitempty"`
	SourceReferences []SourceReference `json:"source_references,omitempty"`
	// VariableRationale is keyed by variable id. Its values can be any JSON.
	VariableRationale map[string]json.RawMessage `json:"variable_rationale,omitempty"`
	Extra             Extra                      `json:",embed"`
}

// SourceReference is a quotation that supports a placement.
type SourceReference struct {
	Quote   string `json:"quote"`
	Context string `json:"context,omitempty"`
	Extra   Extra  `json:",embed"`
}

// Resolved is a datachain with a copy of the part of the schema version that it
// uses, so that it can be read without a store.
type Resolved struct {
	Instance
	SchemaSnapshot Snapshot `json:"schema_snapshot"`
	// SuggestedElements are proposed in addition to the snapshot. A document can
	// omit their icon variants and variables; decoding fills them in.
	SuggestedElements []Element `json:"suggested_elements"`
}

// completeSuggestions sets what suggested elements can omit: the icon variants of their
// category in the snapshot, or those that every category has if it is not there, and no
// variables.
func (r *Resolved) completeSuggestions() {
	var categories map[string]*Category // computed when needed
	for i := range r.SuggestedElements {
		e := &r.SuggestedElements[i]
		if e.Variables == nil {
			e.Variables = []Variable{}
		}
		if e.IconVariants != nil {
			continue
		}
		if categories == nil {
			categories = make(map[string]*Category, len(r.SchemaSnapshot.Categories))
			for k := range r.SchemaSnapshot.Categories {
				c := &r.SchemaSnapshot.Categories[k]
				if categories[c.ID] == nil {
					categories[c.ID] = c
				}
			}
		}
		c := categories[e.CategoryID]
		if c == nil {
			c = new(Category)
		}
		e.IconVariants = c.IconVariants()
	}
}

// Snapshot is the part of a schema version in a [Resolved].
type Snapshot struct {
	DatachainType Type       `json:"datachain_type"`
	Categories    []Category `json:"categories"`
	Elements      []Element  `json:"elements"`
}

// Extra has the unknown fields of a JSON object by name, so that decoding and encoding a
// document keeps them. Types without it, such as [Text] or [Option], drop unknown fields; the
// JSON of a [Release] and of a [document.Document] has them all.
type Extra map[string]json.RawMessage

// FillIn returns a text of the element, such as its title, as the reader of a placement sees
// it: in the locale that [Localized.Pick] chooses, with the values of the placement in place
// of {{variables}}. A variable without a value is replaced by its label. The result is plain
// text: the caller escapes it if needed.
func (e *Element) FillIn(l Localized, values []VariableValue, locales ...string) string {
	text := l.Pick(locales...)
	if !strings.Contains(text, "{{") {
		return text
	}
	byID := make(map[string]*VariableValue, len(values))
	for i := range values {
		if v := &values[i]; byID[v.ID] == nil {
			byID[v.ID] = v
		}
	}
	declared := make(map[string]*Variable, len(e.Variables))
	for i := range e.Variables {
		declared[e.Variables[i].ID] = &e.Variables[i]
	}
	return ident.Interpolate(text, func(id string) (string, bool) {
		v := declared[id]
		if v == nil {
			v = new(Variable)
		}
		if value := byID[id]; value != nil {
			if s := v.text(value, locales); strings.TrimSpace(s) != "" {
				return s, true
			}
		}
		return cmp.Or(v.Label.Pick(locales...), id), true
	})
}

// text returns a value as readers see it: its text, or the labels of its options.
func (v *Variable) text(value *VariableValue, locales []string) string {
	if len(value.Options) == 0 {
		return value.Text.Pick(locales...)
	}
	labels := make(map[string]string, len(v.Options))
	for i := range v.Options {
		labels[v.Options[i].ID] = v.Options[i].Label.Pick(locales...)
	}
	shown := make([]string, len(value.Options))
	for i, id := range value.Options {
		shown[i] = cmp.Or(labels[id], id)
	}
	return strings.Join(shown, ", ")
}
