package profile

import (
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/wording"
)

// fillGroups gives the fields of a group as many items.
func (r *reporter) fillGroups(list []Value) {
	size := make(map[string]int)
	for _, v := range list {
		size[v.spec.group] = max(size[v.spec.group], len(v.Texts))
	}
	for i := range list {
		if v := &list[i]; v.spec.group != "" {
			v.Texts = append(v.Texts, make([]string, size[v.spec.group]-len(v.Texts))...)
		}
	}
}

// holds reports whether a condition holds. If fields that decide about it are empty, they are unknown.
func (r *reporter) holds(c *condition) (ok bool, unknown []string) {
	if c.always || len(c.fields) == 0 {
		return c.always, nil
	}
	for _, on := range c.fields {
		switch v := r.values[on.name]; {
		case v == nil || v.Empty():
			unknown = append(unknown, on.name)
		case !slices.ContainsFunc(v.Texts, func(t string) bool { return slices.Contains(on.values, t) }):
			return false, nil // whatever the others are
		}
	}
	return len(unknown) == 0, unknown
}

// leaveOut empties a field whose condition only does not hold.
func (r *reporter) leaveOut(f *field) {
	ok, unknown := r.holds(&f.only)
	if ok || !f.only.given() {
		return
	}
	r.leftOut[f.name] = true
	v := r.values[f.name]
	if len(unknown) > 0 && !v.Empty() {
		r.find(ConditionUnknown, f.name, "left out, since %s", areEmpty(unknown))
	}
	v.Texts, v.Items, v.Origin = nil, nil, ""
}

func areEmpty(names []string) string {
	if len(names) == 1 {
		return names[0] + " is empty"
	}
	return wording.And(names) + " are empty"
}

// require counts a required field, and reports it if it is missing.
func (r *reporter) require(v *Value) {
	f := v.spec
	if r.leftOut[f.name] {
		return
	}
	required, unknown := r.holds(&f.required)
	if len(unknown) > 0 && v.Empty() {
		r.find(ConditionUnknown, f.name, "whether it is required is not known, since %s", areEmpty(unknown))
	}
	if !required {
		return
	}
	v.Required = true
	missing := v.Empty()
	if missing {
		r.find(Missing, f.name, "write %s", f.where())
	} else if f.group != "" {
		for i, text := range v.Texts {
			if text == "" {
				missing = true
				r.find(Missing, f.nameAt(f.name, i), "write %s", f.where())
			}
		}
	}
	if f.facet {
		return
	}
	r.Required++
	if !missing {
		r.Given++
	}
}

// where says where to write the value of a field.
func (f *field) where() string {
	if f.auto {
		return "register.filings[].id once the target has given it"
	}
	var places []string
	add := func(place string) {
		if place != "" && len(places) < 3 && !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	for _, o := range f.from {
		add(o.place(f.each))
	}
	if len(f.fields) == 0 {
		add("register.filings[].answers." + f.name)
	} else {
		add(f.each.String())
	}
	if len(places) < 2 {
		return strings.Join(places, "")
	}
	return strings.Join(places[:len(places)-1], ", ") + ", or " + places[len(places)-1]
}

// place names where the values of a source are written, for people.
func (o *origin) place(each *selector) string {
	switch o.kind {
	case fromPath:
		if each != nil {
			return each.String() + "." + o.name
		}
		return o.name
	case fromPage:
		return "url in register.yaml"
	case fromPublisher:
		return "publisher." + o.name + " in register.yaml"
	case fromFiling:
		return "register.filings[]." + o.name
	case fromItems, fromItem:
		on := o.on
		if on == nil {
			on = each
		}
		name := ""
		for p := range o.text.placeholders() {
			if name == "" && (p != "title" || !on.places()) && p != "description" && p != "context" && p != "element" {
				name = strings.TrimPrefix(p, "var.")
			}
		}
		if name == "" || name == "." {
			return on.String()
		}
		return on.String() + "." + name
	case fromAll:
		if len(o.all) > 0 {
			return o.all[0].place(each)
		}
	}
	return ""
}
