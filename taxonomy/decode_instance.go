package taxonomy

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// DecodeInstance returns a document as a thin datachain. It fails if a known field
// has a value of the wrong type, and checks nothing else.
func DecodeInstance(d *document.Document) (*Instance, error) {
	i := new(Instance)
	r := instanceReader{text: string(d.Text())}
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
	r := instanceReader{text: string(d.Text()), live: live}
	r.object(d.Root(), func(key string, v document.Value) bool {
		switch key {
		case "schema_snapshot":
			r.snapshot(v, &res.SchemaSnapshot)
		case "suggested_elements":
			r.elements(v, &res.SuggestedElements, nil)
		default:
			return r.instance(key, v, &res.Instance)
		}
		return true
	}, &res.Extra)
	res.completeSuggestions()
	return res, r.err
}

// instanceReader decodes values of a document. Editors validate at every keystroke,
// so it walks the tree that the document has already and cuts strings from one copy
// of the text, in half the time of json.Unmarshal. It keeps the first error.
type instanceReader struct {
	text string
	live *Release // that a snapshot probably comes from, or nil
	err  error
}

func (r *instanceReader) fail(v document.Value, want string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s: must be %s", cmp.Or(v.Path().String(), "document"), want)
	}
}

// object calls known for each member of an object. Members for which it reports
// false are kept in extra.
func (r *instanceReader) object(v document.Value, known func(key string, v document.Value) bool, extra *Extra) {
	if v.Kind() != '{' {
		r.fail(v, "an object")
		return
	}
	for m := range v.All() {
		key := r.cut(m.KeyRange())
		if known(key, m) || extra == nil {
			continue
		}
		if *extra == nil {
			*extra = make(Extra)
		}
		(*extra)[key] = m.Raw()
	}
}

// cut returns the value of the JSON string in a range.
func (r *instanceReader) cut(at document.Range) string {
	quoted := r.text[at.Start:at.End]
	if strings.IndexByte(quoted, '\\') >= 0 {
		return jcs.Unquote([]byte(quoted))
	}
	return quoted[1 : len(quoted)-1]
}

func (r *instanceReader) string(v document.Value, into *string) {
	if v.Kind() == '"' {
		*into = r.cut(v.Range())
		return
	}
	r.fail(v, "a string")
}

func (r *instanceReader) int(v document.Value, into *int) {
	i, err := strconv.Atoi(string(v.Raw()))
	if err != nil {
		// An integer can be written as 2.0 or 2e1, too.
		f, errFloat := strconv.ParseFloat(string(v.Raw()), 64)
		if i = int(f); errFloat != nil || float64(i) != f {
			r.fail(v, "an integer")
			return
		}
	}
	*into = i
}

// each decodes a list. It allocates as it goes and ends at the first error, since a
// placement takes a hundred times the memory of a zero in a hostile document.
func each[T any](r *instanceReader, v document.Value, into *[]T, read func(document.Value, *T)) {
	if v.Kind() != '[' {
		r.fail(v, "an array")
		return
	}
	const room = 1024
	list := make([]T, 0, min(v.Len(), room))
	for item := range v.All() {
		if r.err != nil {
			return
		}
		var next T
		list = append(list, next)
		read(item, &list[len(list)-1])
	}
	*into = list
}

// unmarshal decodes values that are rare.
func (r *instanceReader) unmarshal(v document.Value, into any) {
	err := json.Unmarshal(v.Raw(), into)
	if err != nil {
		// Canonical JSON writes 2.0 as 2 and 2e1 as 20.
		err = json.Unmarshal(v.AppendCanonical(nil), into)
	}
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%s: %w", v.Path(), err)
	}
}

func (r *instanceReader) snapshot(v document.Value, into *Snapshot) {
	live := cmp.Or(r.live, new(Release)) // which has no parts
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "datachain_type":
			if r.raw(v) == live.typeJSON {
				into.DatachainType = live.typ
			} else {
				r.unmarshal(v, &into.DatachainType)
			}
		case "categories":
			each(r, v, &into.Categories, func(v document.Value, c *Category) {
				if i, ok := live.byCategory[r.id(v)]; ok && r.raw(v) == live.categoryJSON[i] {
					*c = *live.categories[i]
				} else {
					r.unmarshal(v, c)
				}
			})
		case "elements":
			r.elements(v, &into.Elements, live)
		}
		return true
	}, nil)
}

// elements decodes a list of elements as a release does: they are most of a
// resolved document, and usually canonical. Live may be nil.
func (r *instanceReader) elements(v document.Value, into *[]Element, live *Release) {
	reader := newElementReader()
	each(r, v, into, func(v document.Value, e *Element) {
		if live != nil {
			if i, ok := live.byElement[r.id(v)]; ok && r.raw(v) == live.elementJSON[i] {
				*e = *live.elements[i]
				return
			}
		}
		if _, err := reader.read(r.raw(v), e); err != nil && r.err == nil {
			r.err = fmt.Errorf("%s: %w", v.Path(), err)
		}
	})
}

// raw returns the text of a value.
func (r *instanceReader) raw(v document.Value) string {
	at := v.Range()
	return r.text[at.Start:at.End]
}

// id returns the id of a part, or "".
func (r *instanceReader) id(v document.Value) string {
	id, ok := v.Get("id")
	if !ok || id.Kind() != '"' {
		return ""
	}
	return r.cut(id.Range())
}

func (r *instanceReader) localized(v document.Value, into *Localized) {
	each(r, v, (*[]Text)(into), r.localeText)
}

func (r *instanceReader) localeText(v document.Value, t *Text) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "locale":
			r.string(v, &t.Locale)
		case "value":
			r.string(v, &t.Value)
		}
		return true
	}, nil)
}

func (r *instanceReader) instance(key string, v document.Value, i *Instance) bool {
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
		r.unmarshal(v, &i.SubchainInstances)
	case "sources":
		r.unmarshal(v, &i.Sources)
	case "linked_instance_ids":
		each(r, v, &i.LinkedInstanceIDs, r.string)
	case "authoring_provenance":
		i.AuthoringProvenance = new(Provenance)
		r.unmarshal(v, i.AuthoringProvenance)
	default:
		return false
	}
	return true
}

func (r *instanceReader) placement(v document.Value, p *Placement) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "element_id":
			r.string(v, &p.ElementID)
		case "context_type_id":
			r.string(v, &p.ContextTypeID)
		case "variables":
			each(r, v, &p.Variables, r.variable)
		case "element_instance_id":
			r.string(v, &p.ElementInstanceID)
		case "label":
			p.Label = new(Label)
			r.label(v, p.Label)
		case "priority":
			r.int(v, &p.Priority)
		case "subchain_instance_id":
			r.string(v, &p.SubchainInstanceID)
		case "actions":
			r.unmarshal(v, &p.Actions)
		case "sources":
			r.unmarshal(v, &p.Sources)
		case "citation":
			r.string(v, &p.Citation)
		default:
			return false
		}
		return true
	}, &p.Extra)
}

func (r *instanceReader) label(v document.Value, into *Label) {
	if v.Kind() == '[' {
		r.localized(v, &into.Text)
		return
	}
	r.string(v, &into.Plain)
}

func (r *instanceReader) variable(v document.Value, into *VariableValue) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "id":
			r.string(v, &into.ID)
		case "value":
			if first, ok := v.At(0); ok && first.Kind() == '"' {
				each(r, v, &into.Options, r.string)
			} else {
				r.localized(v, &into.Text)
			}
		default:
			return false
		}
		return true
	}, &into.Extra)
}
