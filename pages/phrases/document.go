package phrases

import (
	"maps"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
)

// OfLabel returns a label as a localized text. The locale of a plain one is "".
func OfLabel(l taxonomy.Label) taxonomy.Localized {
	if l.Text == nil && l.Plain != "" {
		return taxonomy.Localized{{Value: l.Plain}}
	}
	return l.Text
}

// ElementsOf returns a function for the elements that a document places, by id: that of the release
// if possible, so that documents share it, or nil.
func ElementsOf(shown *datachain.Presentation) func(id string) *taxonomy.Element {
	own := make(map[string]*taxonomy.Element)
	for _, list := range [][]taxonomy.Element{shown.Datachain.SchemaSnapshot.Elements, shown.Datachain.SuggestedElements} {
		for _, e := range list { // a copy, without the rest of the list
			if own[e.ID] == nil {
				own[e.ID] = &e
			}
		}
	}
	return func(id string) *taxonomy.Element {
		if shown.Release != nil {
			if e, ok := shown.Release.Element(id); ok {
				return e
			}
		}
		return own[id]
	}
}

// VariableOf returns a variable of an element, or one that has only the id.
func VariableOf(e *taxonomy.Element, id string) *taxonomy.Variable {
	if e != nil {
		if v, ok := e.Variable(id); ok {
			return v
		}
	}
	return &taxonomy.Variable{ID: id}
}

// ValueOf returns the value of a variable in words: a text, or the labels of options.
func ValueOf(e *taxonomy.Element, v *taxonomy.VariableValue) taxonomy.Localized {
	if len(v.Options) == 0 {
		return v.Text
	}
	labels := make(map[string]taxonomy.Localized)
	for _, o := range slices.Backward(VariableOf(e, v.ID).Options) { // the first with an id counts
		labels[o.ID] = o.Label
	}
	byLocale := make(map[string][]string)
	for _, id := range v.Options {
		words, known := labels[id]
		if !known {
			words = taxonomy.Localized{{Value: id}}
		}
		for _, t := range words {
			byLocale[t.Locale] = append(byLocale[t.Locale], t.Value)
		}
	}
	var all taxonomy.Localized
	for _, locale := range slices.Sorted(maps.Keys(byLocale)) {
		all = append(all, taxonomy.Text{Locale: locale, Value: strings.Join(byLocale[locale], ", ")})
	}
	return all
}
