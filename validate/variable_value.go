package validate

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// checkText checks the value of a text variable.
func checkText(p *Pass, v *taxonomy.Variable, value *taxonomy.VariableValue, at func() issue.Path) {
	if value.Options != nil {
		p.fail(issue.CodeInstanceVariableValueShape, at().Key("value"),
			fmt.Sprintf("The variable %s needs a text, but its value is a list of option ids.", name(v.ID)), "write "+p.exampleValue(v, ""))
		return
	}
	if len(value.Text) == 0 {
		p.fail(issue.CodeInstanceVariableValueEmpty, at().Key("value"), fmt.Sprintf("The variable %s has no text.", name(v.ID)),
			"write a text, or remove the variable if it is not required")
	}
	for i, t := range value.Text {
		if strings.TrimSpace(t.Value) == "" && !p.Broken(at().Key("value").Index(i).Key("value")) {
			p.fail(issue.CodeInstanceVariableValueEmpty, at().Key("value").Index(i).Key("value"),
				fmt.Sprintf("The variable %s has no text for the locale %q.", name(v.ID), prose.Clip(t.Locale)), "write the text, or remove the locale")
		}
	}
}

// checkSelect checks the value of a select variable.
func checkSelect(p *Pass, placed *Placed, v *taxonomy.Variable, value *taxonomy.VariableValue, at func() issue.Path) {
	switch {
	case len(value.Text) > 0:
		p.fail(issue.CodeInstanceVariableValueShape, at().Key("value"),
			fmt.Sprintf("The variable %s needs a list of option ids, but its value is a text.", name(v.ID)), p.asOptions(v, placed.ElementID, value.Text))
		return
	case len(value.Options) == 0:
		hint := "remove the variable"
		if write := oneOf(p.options(v, placed.ElementID), ""); write != "" {
			hint = write + ", or remove the variable if it is not required"
		}
		p.fail(issue.CodeInstanceVariableValueEmpty, at().Key("value"), fmt.Sprintf("The variable %s has no option selected.", name(v.ID)), hint)
		return
	}
	unread := false // an option before this one is broken, and may be the same
	for i, id := range value.Options {
		if !p.goOnAt(i) {
			return
		}
		k := find(&p.index, v, v.Options, optionID, id)
		first := p.selected(value, id)
		switch {
		case p.breaks != nil && p.Broken(at().Key("value").Index(i)):
			unread = true
		case first != i:
			p.clash(issue.CodeInstanceVariableValueDuplicate, at().Key("value").Index(i), at().Key("value").Index(first),
				fmt.Sprintf("The option %s of the variable %s is already selected in value[%d].", name(id), name(v.ID), first), "remove one of the two")
		case unread:
		case k < 0:
			p.noOption(placed, v, value, id, at().Key("value").Index(i))
		case !p.applies(&v.Options[k], placed.ElementID):
			p.fail(issue.CodeInstanceVariableOptionNotApplicable, at().Key("value").Index(i),
				fmt.Sprintf("The option %s of the variable %s does not apply to the element %s, only to %s.",
					name(id), name(v.ID), name(placed.ElementID), some(slices.Values(v.Options[k].AppliesTo))),
				oneOf(p.options(v, placed.ElementID), "remove the option"))
		}
	}
}

// noOption reports an option that a variable does not have.
func (p *Pass) noOption(placed *Placed, v *taxonomy.Variable, value *taxonomy.VariableValue, id string, at issue.Path) {
	known := p.options(v, placed.ElementID)
	i := issue.Issue{
		Code: issue.CodeInstanceVariableOptionUnknown, Path: at,
		Message: fmt.Sprintf("The variable %s has no option %q; the options for %s are %s.",
			name(v.ID), prose.Clip(id), name(placed.ElementID), some(known)),
		FixHint: oneOf(known, "remove the option"),
	}
	near, renamed := p.meantOption(v, placed.ElementID, id)
	switch {
	case near != "" && p.selected(value, near) >= 0:
		i.FixHint = "remove it; " + name(near) + " is already selected"
		p.Report(i)
	case renamed:
		p.follow(i, near)
	default:
		p.meant(i, near)
	}
}

// meantOption returns the option of a variable that earlier versions call id, or else
// the one that is nearest to it, or "". Options that do not apply to the element are
// not meant.
func (p *Pass) meantOption(v *taxonomy.Variable, elementID, id string) (meant string, renamed bool) {
	if k := former(&p.index, v, v.Options, optionFrom, id); k >= 0 && p.applies(&v.Options[k], elementID) {
		return v.Options[k].ID, true
	}
	return p.hints.nearest(id, p.options(v, elementID)), false
}

// selected returns the first place of an option in a value, or -1.
func (p *Pass) selected(value *taxonomy.VariableValue, id string) int {
	return find(&p.index, value, value.Options, itself, id)
}

// applies reports whether an element can use an option.
func (p *Pass) applies(o *taxonomy.Option, elementID string) bool {
	return len(o.AppliesTo) == 0 || find(&p.index, o, o.AppliesTo, itself, elementID) >= 0
}

// options yields the ids of the options that an element can use.
func (p *Pass) options(v *taxonomy.Variable, elementID string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range v.Options {
			if p.applies(&v.Options[i], elementID) && !yield(v.Options[i].ID) {
				return
			}
		}
	}
}

// asOptions is the hint for a text in place of options: the option that the text
// names, or else all options.
func (p *Pass) asOptions(v *taxonomy.Variable, elementID string, text taxonomy.Localized) string {
	if o := p.named(v, elementID, text); o != nil {
		return fmt.Sprintf("write [%s]", quote(prose.Clip(o.ID)))
	}
	if list, n := listing(p.options(v, elementID)); n > 0 {
		return "write a list with one or more of " + list
	}
	return "remove the variable"
}

// named returns the option whose id or label is the text, or nil. It is a guess, so
// it uses the budget of hints.
func (p *Pass) named(v *taxonomy.Variable, elementID string, text taxonomy.Localized) *taxonomy.Option {
	for _, t := range text {
		said := strings.TrimSpace(t.Value)
		for i := range v.Options {
			o := &v.Options[i]
			if p.hints.budget -= 1 + len(o.Label); p.hints.budget < 0 {
				return nil
			}
			label, _ := o.Label.Get(t.Locale)
			if p.applies(o, elementID) && (strings.EqualFold(o.ID, said) || strings.EqualFold(label, said)) {
				return o
			}
		}
	}
	return nil
}

// exampleValue returns an example of the value of a variable.
func (p *Pass) exampleValue(v *taxonomy.Variable, elementID string) string {
	return p.exampleOf(v, elementID, p.Schema.Locales())
}

// exampleOf returns an example of the value of a variable in one of the locales, which
// can be unknown.
func (p *Pass) exampleOf(v *taxonomy.Variable, elementID string, locales []string) string {
	if v.Type == taxonomy.SelectVariable {
		for id := range p.options(v, elementID) {
			return fmt.Sprintf("[%s]", quote(prose.Clip(id)))
		}
		return "[…]"
	}
	locale := "en"
	if len(locales) > 0 {
		locale = locales[0]
	} else if len(v.Label) > 0 {
		locale = v.Label[0].Locale
	}
	return fmt.Sprintf(`[{"locale": %s, "value": "…"}]`, quote(prose.Clip(locale)))
}
