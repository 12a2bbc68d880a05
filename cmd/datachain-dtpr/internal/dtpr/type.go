package dtpr

import (
	"cmp"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
)

// addManifest imports meta.yaml.
func (v *version) addManifest(meta object) {
	v.content.Notes = meta.text("notes")
	if created := meta.string("created_at"); created != "" {
		day, _, _ := strings.Cut(created, "T")
		if ident.IsDate(day) {
			v.content.Released = day
			v.notes.at(Changed, meta.get("created_at"), created+" -> "+day, "the date of created_at is released")
		} else {
			v.notes.at(Dropped, meta.get("created_at"), created, "created_at is not a date and time")
		}
	}
	v.reportUnknown(meta, "version", "status", "created_at", "notes", "locales",
		"content_hash: it is computed when the version is built, in another way")
}

// addType imports the datachain type. Its name and description are also those of the version, which
// has none.
func (v *version) addType(o object) {
	typ := taxonomy.Type{ID: v.id.Type(), Description: o.text("description")}
	if stated := o.string("id"); stated != "" && stated != typ.ID {
		v.notes.at(Changed, o.get("id"), stated+" -> "+typ.ID, "the datachain type is that of the version id")
	}
	typ.Name = o.textOr(v.untranslated(typ.ID), typ.ID, "the datachain type has no name, so that is its id", "name")
	typ.Categories = v.categoryList(o, "categories")
	for i := range v.content.Categories {
		if c := &v.content.Categories[i]; !slices.Contains(typ.Categories, c.ID) {
			typ.Categories = append(typ.Categories, c.ID)
			v.notes.at(Changed, o.get("categories"), c.ID, "a category that is not listed comes last")
		}
	}
	v.checkOrder(o, typ.Categories)
	ids := newNamer(&v.notes, "subchain", ident.IsID)
	for _, s := range o.items("subchains") {
		sub := taxonomy.Subchain{ID: s.newID(ids), Name: s.text("name"), Categories: v.categoryList(s, "categories")}
		v.reportUnknown(s, "id", "name", "categories")
		typ.Subchains = append(typ.Subchains, sub)
	}
	v.reportUnknown(o, "id", "name", "description", "categories", "subchains", "locales", dated)
	v.content.Type = typ
	v.content.Title, v.content.Description = typ.Name, typ.Description
	if len(typ.Description) == 0 {
		v.content.Description = typ.Name
		v.notes.at(Filled, o.main(), typ.ID, "the datachain type has no description, so that of the version is its name")
	}
	order := func(c taxonomy.Category) int { return slices.Index(typ.Categories, c.ID) }
	slices.SortStableFunc(v.content.Categories, func(a, b taxonomy.Category) int { return cmp.Compare(order(a), order(b)) })
}

// dated is why the dates of files are not imported.
const dated = "updated_at: only a version has a date"

// checkOrder reports a category whose order differs from the list.
func (v *version) checkOrder(o object, list []string) {
	last := -1
	for _, id := range list {
		position, ok := v.positions[id]
		if ok && position < last {
			v.notes.at(Dropped, o.get("categories"), id, "the order of a category differs from that of the list, which counts")
			return
		}
		last = max(last, position)
	}
}

// categoryList returns the categories that a list names, each once.
func (v *version) categoryList(o object, key string) []string {
	var list []string
	for _, item := range o.strings(key) {
		name, _ := item.Scalar()
		id, ok := v.categories.refer(name)
		switch {
		case !ok:
			v.notes.at(Dropped, item, name, "the category does not exist")
		case slices.Contains(list, id):
			v.notes.at(Dropped, item, name, "the category is listed twice")
		default:
			list = append(list, id)
		}
	}
	return list
}
