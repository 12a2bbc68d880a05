package profile

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// subject is a document with what sources choose from.
type subject struct {
	shown    *datachain.Presentation
	settings *register.Settings // never nil
	page     string             // the address of the document, or ""
	register any                // the object register, decoded
	filing   map[string]any     // that of the profile, or nil
	entries  []placed           // placements, in the order of pages
	// categories are those of the taxonomy, as far as they are known.
	categories []*taxonomy.Category
	roles      *summary.Roles
}

// placed is a placement with its place in the document.
type placed struct {
	summary.Entry
	index    int
	category *taxonomy.Category
}

// item is what a selector chooses: a placement, or an object or a text of a list.
type item struct {
	path  issue.Path
	entry *placed
	value any
}

func newSubject(p *Profile, shown *datachain.Presentation, o *Options) *subject {
	doc := &shown.Datachain.Instance
	s := &subject{shown: shown, settings: cmp.Or(o.Settings, new(register.Settings)), roles: new(summary.Roles)}
	_ = json.Unmarshal(doc.Extra["register"], &s.register) // which was decoded, or is not there
	for _, a := range items(member(s.register, "assessments")) {
		if a, ok := a.(map[string]any); ok && a["state"] == nil {
			a["state"] = "done"
		}
	}
	for _, f := range items(member(s.register, "filings")) {
		if member(f, "profile") == p.ID {
			s.filing, _ = f.(map[string]any)
			break
		}
	}
	if r := s.settings.Roles[shown.Datachain.SchemaSnapshot.DatachainType.ID]; r != nil {
		s.roles = r
	}
	if slug, err := register.SlugOf(doc.ID, textOf(member(s.register, "slug"))); err == nil && s.settings.URL != "" {
		s.page = s.settings.URL + "/d/" + slug + "/"
	}
	s.place()
	return s
}

// place sorts the placements as pages show them: by category, then by priority.
func (s *subject) place() {
	snapshot := &s.shown.Datachain.SchemaSnapshot
	known := make(map[string]*taxonomy.Category)
	order := make(map[string]int)
	for i := range snapshot.Categories {
		known[snapshot.Categories[i].ID] = &snapshot.Categories[i]
	}
	for i, id := range snapshot.DatachainType.Categories {
		order[id] = i
		c := known[id]
		if c == nil && s.shown.Release != nil {
			c, _ = s.shown.Release.Category(id)
		}
		if c != nil {
			known[id] = c
			s.categories = append(s.categories, c)
		}
	}
	entries, _ := summary.Entries(s.shown.Datachain, s.shown.Release, s.roles)
	for i, e := range entries {
		if e.Element != nil {
			s.entries = append(s.entries, placed{e, i, known[e.Element.CategoryID]})
		}
	}
	priority := func(e *placed) int {
		if e.Placement.Priority == nil {
			return 0
		}
		return *e.Placement.Priority
	}
	slices.SortStableFunc(s.entries, func(a, b placed) int {
		return cmp.Or(cmp.Compare(order[a.Element.CategoryID], order[b.Element.CategoryID]), cmp.Compare(priority(&a), priority(&b)))
	})
}

// choose returns what a selector chooses.
func (s *subject) choose(on *selector) (list []item) {
	doc := &s.shown.Datachain.Instance
	switch {
	case on.list != "":
		key := strings.TrimPrefix(on.list, "register.")
		for i, value := range items(member(s.register, key)) {
			if !slices.ContainsFunc(on.where, func(w mapping) bool { return textOf(member(value, w.from)) != w.to }) {
				list = append(list, item{path: issue.Root.Key("register").Key(key).Index(i), value: value})
			}
		}
	case len(on.sources) > 0:
		list = sourceItems(list, issue.Root, doc.Sources, on.sources)
		for i := range doc.Elements {
			list = sourceItems(list, issue.Root.Key("elements").Index(i), doc.Elements[i].Sources, on.sources)
		}
	default:
		list = s.placements(on)
	}
	return list
}

// sourceItems appends the sources of some types.
func sourceItems(list []item, at issue.Path, sources []taxonomy.Source, types []string) []item {
	for i := range sources {
		if source := &sources[i]; slices.Contains(types, source.Type) {
			list = append(list, item{path: at.Key("sources").Index(i), value: map[string]any{
				"type": source.Type, "title": source.Title, "url": source.URL, "citation": source.Citation, "licence": source.Licence, "attribution": source.Attribution,
			}})
		}
	}
	return list
}

// placements returns the placements that a selector chooses, with lead the one that summaries
// have first.
func (s *subject) placements(on *selector) (list []item) {
	lead := -1
	for i := range s.entries {
		e := &s.entries[i]
		id, context := e.Element.CategoryID, e.Placement.ContextTypeID
		if on.role != "" && e.Role != on.role || len(on.categories) > 0 && !slices.Contains(on.categories, id) ||
			len(on.elements) > 0 && !slices.Contains(on.elements, e.Element.ID) || len(on.contexts) > 0 && !slices.Contains(on.contexts, context) {
			continue
		}
		if lead < 0 && (e.Element.Lead || e.Context != nil && e.Context.Lead || slices.Contains(s.roles.Lead.Elements, e.Element.ID) ||
			context != "" && slices.Contains(s.roles.Lead.ContextValues[id], context)) {
			lead = len(list)
		}
		list = append(list, item{path: issue.Root.Key("elements").Index(e.index), entry: e})
	}
	if on.lead && len(list) > 0 {
		lead = max(lead, 0)
		list = list[lead : lead+1]
	}
	return list
}

// knows reports whether the taxonomy has what a selector names, so that a document without such a
// placement says something by it: one of its context values, or else its elements or categories.
func (s *subject) knows(on *selector) bool {
	for _, c := range s.categories {
		if on.role != "" && cmp.Or(c.Role, s.roles.Categories[c.ID]) != on.role || len(on.categories) > 0 && !slices.Contains(on.categories, c.ID) {
			continue
		}
		if len(on.contexts) > 0 && !slices.ContainsFunc(c.Context.Values, func(v taxonomy.ContextValue) bool { return slices.Contains(on.contexts, v.ID) }) {
			continue
		}
		if len(on.elements) == 0 || slices.ContainsFunc(on.elements, func(id string) bool { return s.hasElement(id, c.ID) }) {
			return true
		}
	}
	return false
}

func (s *subject) hasElement(id, category string) bool {
	if s.shown.Release == nil {
		return slices.ContainsFunc(s.shown.Datachain.SchemaSnapshot.Elements, func(e taxonomy.Element) bool { return e.ID == id && e.CategoryID == category })
	}
	e, ok := s.shown.Release.Element(id)
	return ok && e.CategoryID == category
}

// member returns a member of a decoded object, or nil.
func member(v any, key string) any {
	object, _ := v.(map[string]any)
	return object[key]
}

// items returns the items of a decoded list.
func items(v any) []any {
	list, _ := v.([]any)
	return list
}

// textOf returns a decoded text, number or boolean as text, or "".
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// labelsOf returns a decoded value as texts: a text, a localized text, or a list of either.
func labelsOf(v any) []taxonomy.Label {
	if text := textOf(v); text != "" {
		return []taxonomy.Label{{Plain: text}}
	}
	var l taxonomy.Localized
	var labels []taxonomy.Label
	for _, one := range items(v) {
		locale, ok := member(one, "locale").(string)
		value, text := member(one, "value").(string)
		if ok && text {
			l = append(l, taxonomy.Text{Locale: locale, Value: value})
		} else {
			labels = append(labels, labelsOf(one)...)
		}
	}
	if len(l) > 0 {
		labels = append(labels, taxonomy.Label{Text: l})
	}
	return labels
}

// at returns what a path such as register.organisation.name leads to.
func (s *subject) at(path string) []taxonomy.Label {
	doc := &s.shown.Datachain.Instance
	plain := func(text string) []taxonomy.Label { return []taxonomy.Label{{Plain: text}} }
	switch root, rest, _ := strings.Cut(path, "."); root {
	case "id":
		return plain(doc.ID)
	case "title":
		return []taxonomy.Label{{Text: doc.Title}}
	case "description":
		return []taxonomy.Label{{Text: doc.Description}}
	case "schema_version":
		return plain(doc.SchemaVersion)
	case "created_at":
		return plain(doc.CreatedAt)
	case "updated_at":
		return plain(doc.UpdatedAt)
	case "instance_version":
		return plain(doc.InstanceVersion)
	case "register":
		return labelsOf(follow(s.register, rest))
	}
	return nil
}

// follow follows a path in a decoded value.
func follow(v any, path string) any {
	for key := range strings.SplitSeq(path, ".") {
		v = member(v, key)
	}
	return v
}
