package taxonomy

import (
	"encoding/json"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// DecodeInstance returns a document as a thin datachain. It fails if a known field
// has a value of the wrong type, and checks nothing else.
func DecodeInstance(d *document.Document) (*Instance, error) {
	i := new(Instance)
	r := treeReader{}
	r.object(d.Root(), func(key string, v document.Value) bool { return r.instance(key, v, i) }, &i.Extra)
	return i, r.err
}

// DecodeResolved returns a document as a resolved datachain, as [DecodeInstance]
// does.
func DecodeResolved(d *document.Document) (*Resolved, error) { return decodeResolved(d, nil) }

// DecodeResolved is like the function [DecodeResolved], but faster for a document that
// was resolved with this release: parts of the snapshot that are the same are those of
// the release, and must not be modified.
func (r *Release) DecodeResolved(d *document.Document) (*Resolved, error) {
	return decodeResolved(d, r)
}

func decodeResolved(d *document.Document, live *Release) (*Resolved, error) {
	res := new(Resolved)
	r := treeReader{live: live}
	r.object(d.Root(), func(key string, v document.Value) bool {
		switch key {
		case "schema_snapshot":
			r.snapshot(v, &res.SchemaSnapshot)
		case "suggested_elements":
			each(&r, v, &res.SuggestedElements, r.element)
		default:
			return r.instance(key, v, &res.Instance)
		}
		return true
	}, &res.Extra)
	res.completeSuggestions()
	return res, r.err
}

func (r *treeReader) instance(key string, v document.Value, i *Instance) bool {
	switch key {
	case "id":
		r.string(v, &i.ID)
	case "title":
		r.localized(v, &i.Title)
	case "description":
		r.localized(v, &i.Description)
	case "schema_version":
		r.string(v, &i.SchemaVersion)
	case "created_at":
		r.string(v, &i.CreatedAt)
	case "elements":
		each(r, v, &i.Elements, r.placement)
	case "updated_at":
		r.string(v, &i.UpdatedAt)
	case "instance_version":
		r.string(v, &i.InstanceVersion)
	case "subchain_instances":
		each(r, v, &i.SubchainInstances, r.subchainInstance)
	case "sources":
		each(r, v, &i.Sources, r.source)
	case "linked_instance_ids":
		r.stringList(v, &i.LinkedInstanceIDs)
	case "authoring_provenance":
		i.AuthoringProvenance = new(Provenance)
		r.provenance(v, i.AuthoringProvenance)
	default:
		return false
	}
	return true
}

func (r *treeReader) placement(v document.Value, p *Placement) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "element_id":
			r.string(v, &p.ElementID)
		case "context_type_id":
			r.string(v, &p.ContextTypeID)
		case "variables":
			eachIn(r, v, cut(&r.values, v.Len()), &p.Variables, r.variableValue)
		case "element_instance_id":
			r.string(v, &p.ElementInstanceID)
		case "label":
			p.Label = &cut(&r.labels, 1)[:1][0]
			r.label(v, p.Label)
		case "priority":
			r.int(v, &p.Priority)
		case "subchain_instance_id":
			r.string(v, &p.SubchainInstanceID)
		case "actions":
			each(r, v, &p.Actions, r.action)
		case "sources":
			each(r, v, &p.Sources, r.source)
		case "citation":
			r.string(v, &p.Citation)
		default:
			return false
		}
		return true
	}, &p.Extra)
}

func (r *treeReader) label(v document.Value, into *Label) {
	if v.Kind() == '[' {
		r.localized(v, &into.Text)
		return
	}
	r.string(v, &into.Plain)
}

func (r *treeReader) variableValue(v document.Value, into *VariableValue) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "id":
			r.string(v, &into.ID)
		case "value":
			if first, ok := v.At(0); ok && first.Kind() == '"' {
				r.stringList(v, &into.Options)
			} else {
				r.localized(v, &into.Text)
			}
		default:
			return false
		}
		return true
	}, &into.Extra)
}

func (r *treeReader) action(v document.Value, a *Action) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "type":
			r.string(v, &a.Type)
		case "label":
			r.label(v, &a.Label)
		case "target":
			r.string(v, &a.Target)
		}
		return true
	}, nil)
}

func (r *treeReader) subchainInstance(v document.Value, s *SubchainInstance) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "id":
			r.string(v, &s.ID)
		case "subchain_id":
			r.string(v, &s.SubchainID)
		case "head_refs":
			r.stringList(v, &s.HeadRefs)
		case "order":
			r.int(v, &s.Order)
		}
		return true
	}, nil)
}

func (r *treeReader) provenance(v document.Value, p *Provenance) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "kind":
			r.string(v, &p.Kind)
		case "model":
			r.string(v, &p.Model)
		case "generated_at":
			r.string(v, &p.GeneratedAt)
		case "element_provenance":
			p.ElementProvenance = make(map[string]ElementProvenance, min(v.Len(), maxRoom))
			r.object(v, func(key string, v document.Value) bool {
				var e ElementProvenance
				r.elementProvenance(v, &e)
				p.ElementProvenance[key] = e
				return true
			}, nil)
		default:
			return false
		}
		return true
	}, &p.Extra)
}

func (r *treeReader) elementProvenance(v document.Value, e *ElementProvenance) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "rationale":
			r.string(v, &e.Rationale)
		case "confidence":
			r.string(v, &e.Confidence)
		case "source_references":
			each(r, v, &e.SourceReferences, r.sourceReference)
		case "variable_rationale":
			e.VariableRationale = make(map[string]json.RawMessage, min(v.Len(), maxRoom))
			r.object(v, func(key string, v document.Value) bool {
				e.VariableRationale[key] = v.Raw()
				return true
			}, nil)
		default:
			return false
		}
		return true
	}, &e.Extra)
}

func (r *treeReader) sourceReference(v document.Value, s *SourceReference) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "quote":
			r.string(v, &s.Quote)
		case "context":
			r.string(v, &s.Context)
		}
		return true
	}, nil)
}
