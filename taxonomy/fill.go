package taxonomy

import (
	"cmp"
	"strings"
)

// FillIn returns a text of the element, such as its title, as the reader of a placement
// sees it: the one for the locales, as [Localized.Pick] chooses it, with the values of
// the placement in place of {{variables}}. A variable without a value is shown by its
// label. The result is plain text: the caller escapes it if needed.
func (e *Element) FillIn(l Localized, values []VariableValue, locales ...string) string {
	text := l.Pick(locales...)
	if _, _, _, found := CutVariable(text); !found {
		return text
	}
	given := make(map[string]*VariableValue, len(values))
	for i := range values {
		if v := &values[i]; given[v.ID] == nil {
			given[v.ID] = v
		}
	}
	declared := make(map[string]*Variable, len(e.Variables))
	for i := range e.Variables {
		declared[e.Variables[i].ID] = &e.Variables[i]
	}
	return Interpolate(text, func(id string) (string, bool) {
		v := declared[id]
		if v == nil {
			v = new(Variable)
		}
		if value := given[id]; value != nil {
			if s := v.text(value, locales); strings.TrimSpace(s) != "" {
				return s, true
			}
		}
		return cmp.Or(v.Label.Pick(locales...), id), true
	})
}

// text returns a value for a reader: its text, or the labels of its options.
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
