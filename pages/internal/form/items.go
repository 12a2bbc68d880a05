package form

import (
	"errors"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// editItems returns the text of a document after a button that adds, removes or moves a part of it.
func (q *request) editItems(state *composeState, doc *document.Document, do, argument string) (string, error) {
	editor := edit.New(doc)
	var err error
	switch do {
	case "new":
		err = addItem(editor, doc, argument)
	case "remove":
		state.All = nil // they are named by their index
		err = removeItem(editor, doc, argument)
	case "up", "down":
		state.All = nil
		err = q.moveItem(editor, doc, argument, do == "up")
	case "unset":
		index, id, _ := strings.Cut(argument, " ")
		if i, e := strconv.Atoi(index); e == nil {
			list, _ := doc.Find(issue.Root.Key("elements").Index(i).Key("variables"))
			if j := variableAt(list, id); j >= 0 {
				editor.Remove(list, j)
			}
		}
	case "thin":
		if suggested, _ := doc.Root().Get("suggested_elements"); suggested.Len() == 0 {
			editor.RemoveMember(doc.Root(), "schema_snapshot")
			editor.RemoveMember(doc.Root(), "suggested_elements")
		}
	}
	if err != nil {
		return string(doc.Text()), nil //nolint:nilerr // the place is gone: the form shows what is there
	}
	after, err := document.ApplyEdits(doc.Text(), editor.Edits())
	return string(after), err
}

// placed returns a document with one more placement.
func placed(doc *document.Document, element string) (*document.Document, error) {
	editor := edit.New(doc)
	addTo(editor, doc.Root(), "elements", placementOf(doc, element))
	text, err := document.ApplyEdits(doc.Text(), editor.Edits())
	if err != nil {
		return nil, err
	}
	return document.Parse(text)
}

var errNoPlace = errors.New("there is no such place")

// addTo adds an item to the list that is a member of an object, which may be missing.
func addTo(editor *edit.Editor, of document.Value, key string, item []byte) {
	if list, ok := of.Get(key); ok {
		if list.Kind() == '[' {
			editor.Add(list, "", item)
		}
		return
	}
	editor.AddTo(of, key, item)
}

// placementOf returns a placement of an element. If it is placed already, this one gets an
// id, so that the two can be told apart.
func placementOf(doc *document.Document, element string) []byte {
	taken := make(map[string]bool)
	for p := range core.Child(doc.Root(), "elements").All() {
		taken[core.TextAt(p, "element_id")], taken[core.TextAt(p, "element_instance_id")] = true, true
	}
	json := jcs.AppendQuote([]byte(`{"element_id": `), element)
	if taken[element] {
		own := strings.ReplaceAll(element, ".", "-")
		n := 2
		for taken[own+"-"+strconv.Itoa(n)] {
			n++
		}
		json = jcs.AppendQuote(append(json, `, "element_instance_id": `...), own+"-"+strconv.Itoa(n))
	}
	return append(json, '}')
}

// addItem adds an item to the list at a path.
func addItem(editor *edit.Editor, doc *document.Document, path string) error {
	at, err := issue.ParsePath(path)
	if err != nil || len(at) == 0 || len(at) > maxEditDepth {
		return errNoPlace
	}
	key := at[len(at)-1].Name()
	item, known := newItems[key]
	of, ok := doc.Find(at[:len(at)-1])
	switch {
	case !known:
		return errNoPlace
	case ok && of.Kind() == '{':
		addTo(editor, of, key, []byte(item))
	case len(at) == 2: // in an object that is missing
		editor.Add(doc.Root(), at[0].Name(), []byte(`{"`+key+`": [`+item+`]}`))
	default:
		return errNoPlace
	}
	return nil
}

// itemAt returns the list and the index of the item at a path.
func itemAt(doc *document.Document, path string) (issue.Path, document.Value, int, error) {
	at, err := issue.ParsePath(path)
	if err != nil || len(at) < 2 || len(at) > maxEditDepth {
		return nil, document.Value{}, 0, errNoPlace
	}
	list, _ := doc.Find(at[:len(at)-1])
	i, _ := at[len(at)-1].IsIndex()
	if _, ok := list.At(i); !ok {
		return nil, document.Value{}, 0, errNoPlace
	}
	return at, list, i, nil
}

// removeItem removes the item of a list at a path, and the list with its last item unless the
// document must have it.
func removeItem(editor *edit.Editor, doc *document.Document, path string) error {
	at, list, i, err := itemAt(doc, path)
	if err != nil {
		return err
	}
	if of, ok := doc.Find(at[:len(at)-2]); ok && list.Len() == 1 && of.Kind() == '{' && path != "elements[0]" {
		editor.RemoveMember(of, at[len(at)-2].Name())
		return nil
	}
	editor.Remove(list, i)
	return nil
}

// moveItem exchanges an item with the one before or after it: of placements, with that of the
// same category. Their texts stay as they are.
func (q *request) moveItem(editor *edit.Editor, doc *document.Document, path string, up bool) error {
	_, list, i, err := itemAt(doc, path)
	if err != nil {
		return err
	}
	step := 1
	if up {
		step = -1
	}
	item, _ := list.At(i)
	j := i + step
	if strings.HasPrefix(path, "elements[") && strings.Count(path, "[") == 1 {
		if schema, _ := q.Site.Service.OpenFor(q.Ctx, doc.Text()); schema != nil {
			category := func(v document.Value) string {
				if e, ok := schema.Release().Element(core.TextAt(v, "element_id")); ok {
					return e.CategoryID
				}
				return ""
			}
			for {
				other, ok := list.At(j)
				if !ok || category(other) == category(item) {
					break
				}
				j += step
			}
		}
	}
	other, ok := list.At(j)
	if !ok {
		return errNoPlace
	}
	editor.Replace(item, other.Raw())
	editor.Replace(other, item.Raw())
	return nil
}
