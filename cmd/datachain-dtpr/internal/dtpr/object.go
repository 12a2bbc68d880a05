package dtpr

import (
	"cmp"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy"
)

// object is an object of a tree. In the older layout it has a translation for each locale, which
// differ only in texts; in the newer one it has a single one with all locales.
type object struct {
	*version
	translations []translation
}

// translation is an object in one file. Its locale is "" if texts list their locales.
type translation struct {
	locale string
	value  source.Value
}

// object returns an object whose texts list their locales.
func (v *version) object(value source.Value) object { return object{v, []translation{{value: value}}} }

// main returns the value from which everything but texts is taken.
func (o object) main() source.Value {
	if len(o.translations) == 0 {
		return source.Value{}
	}
	return o.translations[0].value
}

// get returns a member of the main value.
func (o object) get(key string) source.Value { return o.main().Get(key) }

// nested returns an object in the object.
func (o object) nested(key string) object {
	nested := object{version: o.version}
	for _, t := range o.translations {
		switch v := t.value.Get(key); {
		case v.IsObject():
			nested.translations = append(nested.translations, translation{t.locale, v})
		case v.Exists():
			o.notes.at(Dropped, v, "", "%s is not an object", key)
		}
	}
	return nested
}

// items returns the objects of a list. Those of further locales are joined by their ids.
func (o object) items(key string) []object {
	var items []object
	for i, t := range o.translations {
		list := t.value.Get(key)
		if list.Exists() && !list.IsList() {
			o.notes.at(Dropped, list, "", "%s is not a list", key)
			continue
		}
		for v := range list.Items() {
			id, _ := v.Get("id").Scalar()
			at := -1
			if i > 0 {
				at = slices.IndexFunc(items, func(item object) bool { other, _ := item.get("id").Scalar(); return other == id && id != "" })
			}
			switch {
			case !v.IsObject():
				o.notes.at(Dropped, v, "", "an item of %s is not an object", key)
			case i == 0:
				items = append(items, object{o.version, []translation{{t.locale, v}}})
			case at >= 0:
				items[at].translations = append(items[at].translations, translation{t.locale, v})
			default:
				o.notes.at(Dropped, v, id, "an item of %s is only in this locale", key)
			}
		}
	}
	return items
}

// string returns a text that is not localized, or "".
func (o object) string(key string) string {
	v := o.get(key)
	s, ok := v.Scalar()
	if v.Exists() && !ok {
		o.notes.at(Dropped, v, "", "%s is not a string", key)
	}
	return strings.TrimSpace(s)
}

// bool returns a boolean.
func (o object) bool(key string) bool {
	v := o.get(key)
	b, ok := v.Bool()
	if v.Exists() && !ok {
		o.notes.at(Dropped, v, "", "%s is not true or false", key)
	}
	return b
}

// strings returns a list of strings. A single string is a list of one.
func (o object) strings(key string) []source.Value {
	v := o.get(key)
	if _, ok := v.Scalar(); ok {
		return []source.Value{v}
	}
	var list []source.Value
	for item := range v.Items() {
		if s, ok := item.Scalar(); ok && strings.TrimSpace(s) != "" {
			list = append(list, item)
		} else {
			o.notes.at(Dropped, item, "", "an item of %s is not a string", key)
		}
	}
	return list
}

// text returns a localized text in the order of the locales.
func (o object) text(key string) taxonomy.Localized {
	var l taxonomy.Localized
	for _, t := range o.translations {
		v := t.value.Get(key)
		switch s, isText := v.Scalar(); {
		case !v.Exists():
		case isText && t.locale != "":
			l = o.addText(l, t.locale, s, v)
		case isText:
			l = o.addText(l, o.locales[0], s, v)
		default:
			l = o.addTexts(l, v)
		}
	}
	slices.SortStableFunc(l, func(a, b taxonomy.Text) int {
		return slices.Index(o.locales, a.Locale) - slices.Index(o.locales, b.Locale)
	})
	return l
}

// textOr returns the first of some localized texts that the object has. If there is none, it
// returns otherwise, and notes why.
func (o object) textOr(otherwise taxonomy.Localized, subject, why string, keys ...string) taxonomy.Localized {
	for _, key := range keys {
		if l := o.text(key); len(l) > 0 {
			return l
		}
	}
	o.notes.at(Filled, o.main(), subject, "%s", why)
	return otherwise
}

// label returns the name of a context value, a variable or an option.
func (o object) label() taxonomy.Localized {
	id := o.string("id")
	return o.textOr(o.untranslated(cmp.Or(id, "?")), id, "there is no name, so that is the id", "name", "label")
}

// untranslated returns a text in the first locale.
func (v *version) untranslated(text string) taxonomy.Localized {
	return taxonomy.Localized{{Locale: v.locales[0], Value: text}}
}

// addTexts adds the texts of a list of {locale, value}, or of a map from locale to
// text.
func (o object) addTexts(l taxonomy.Localized, v source.Value) taxonomy.Localized {
	for item := range v.Items() {
		locale, at := item.Key(), item
		if v.IsList() {
			locale, _ = item.Get("locale").Scalar()
			at = item.Get("value")
			o.reportUnknown(o.object(item), "locale", "value")
		}
		if s, ok := at.Scalar(); ok && locale != "" {
			l = o.addText(l, locale, s, at)
		} else if at.Exists() || v.IsList() {
			o.notes.at(Dropped, item, "", "a localized text must have a locale and a string")
		}
	}
	return l
}

// addText adds a text unless it is empty, in a locale that the version does not have, or the second
// one in its locale.
func (o object) addText(l taxonomy.Localized, locale, value string, at source.Value) taxonomy.Localized {
	spelled := spell(locale)
	i := slices.IndexFunc(o.locales, func(known string) bool { return strings.EqualFold(known, spelled) })
	_, twice := l.Get(spelled)
	switch {
	case strings.TrimSpace(value) == "":
		// lint reports a missing translation.
	case i < 0:
		o.notes.at(Dropped, at, locale, "the text is in a locale that the version does not list")
	case twice:
		o.notes.at(Dropped, at, locale, "the text is the second one in its locale")
	default:
		return append(l, taxonomy.Text{Locale: o.locales[i], Value: value})
	}
	return l
}

// spell returns a locale as BCP 47 spells it.
func spell(locale string) string { return strings.ReplaceAll(strings.TrimSpace(locale), "_", "-") }

// reportUnknown reports the members of an object that are not imported: those that are not known, and
// those that are known as "key: reason".
func (v *version) reportUnknown(o object, known ...string) {
	for i, t := range o.translations {
		for m := range t.value.Items() {
			if !m.Exists() || m.IsList() && isEmpty(m) {
				continue
			}
			why := "the format has no place for it"
			at := slices.IndexFunc(known, func(k string) bool { name, _, _ := strings.Cut(k, ": "); return name == m.Key() })
			if at >= 0 {
				_, reason, given := strings.Cut(known[at], ": ")
				if !given {
					if i > 0 {
						v.noteDifference(o, m)
					}
					continue
				}
				why = reason
			}
			v.notes.at(Dropped, m, "", "%s is not imported: %s", m.Key(), why)
		}
	}
}

// noteDifference reports a value of another locale that differs from the main one. Texts may differ.
func (v *version) noteDifference(o object, m source.Value) {
	if slices.Contains([]string{"name", "title", "description", "prompt", "headline", "label"}, m.Key()) {
		return
	}
	other := o.get(m.Key())
	a, isScalar := m.Scalar()
	b, _ := other.Scalar()
	if isScalar && a != b || m.IsList() && other.IsList() && !sameScalars(m, other) {
		v.notes.at(Dropped, m, a, "%s differs from that in %s, which counts", m.Key(), o.translations[0].locale)
	}
}

// sameScalars reports whether two lists have the same scalars. Objects are not compared.
func sameScalars(a, b source.Value) bool {
	scalars := func(v source.Value) (list []string) {
		for item := range v.Items() {
			s, _ := item.Scalar()
			list = append(list, s)
		}
		return list
	}
	return slices.Equal(scalars(a), scalars(b))
}

// isEmpty reports whether a list or an object has no items.
func isEmpty(v source.Value) bool {
	for range v.Items() {
		return false
	}
	return true
}

// id returns the id of an object, or the name of its file if it has none.
func (o object) id() string {
	return cmp.Or(o.string("id"), stem(o.main().Position().File))
}

// newID returns a valid id for an object in a list.
func (o object) newID(ids *namer) string { return ids.define(o.string("id"), locationOf(o.get("id"))) }

func (o object) idAt() source.Value {
	if v := o.get("id"); v.Exists() {
		return v
	}
	return o.main()
}
