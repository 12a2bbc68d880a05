package documents

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/internal/style"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
)

// facet is what the documents found can be filtered by.
type facet struct {
	Name, Param string
	More        bool // it is folded
	// Links are lists of the options. A template takes ten times as long, and there can be hundreds.
	Links template.HTML
}

// facets fills in what the documents can be filtered and sorted by. Most documents differ in data,
// status and theme; the other filters are folded. A static site has neither: its script filters by
// words, and finds what is near if documents have places.
func (q *request) facets(d *registerList, state url.Values) {
	w := q.Words
	sorted := func(role taxonomy.Role) string {
		if d.Stats.isHighest(role) {
			return phrases.In(w.Lang).Highest[role]
		}
		return phrases.In(w.Lang).Headings[role]
	}
	names := map[register.Field]string{
		register.ByType: w.Word("register.type"), register.ByStatus: w.Word("register.status"), register.ByOrganisation: w.Word("register.organisation"), register.ByTheme: w.Word("register.theme"),
		register.ByData: sorted(codes.RoleData), register.ByRisk: sorted(codes.RoleRisk), register.ByDecision: phrases.In(w.Lang).Headings[codes.RoleDecision], register.ByGap: w.Word("register.gap"),
		register.ByElement: w.Word("register.element"), register.ByPlace: w.Word("register.place"),
	}
	first := []register.Field{register.ByData, register.ByStatus, register.ByTheme, register.ByDecision, register.ByGap}
	const open = 3 // the others are folded
	all := slices.Clone(d.Found.Facets())
	slices.SortStableFunc(all, func(a, b register.Facet) int {
		place := func(f register.Field) int { return (slices.Index(first, f) + len(first) + 1) % (len(first) + 1) }
		return cmp.Compare(place(a.Field), place(b.Field))
	})
	for _, f := range all {
		if !q.Links.Live() {
			if f.Field == register.ByPlace {
				d.Places = new(facet)
			}
			continue
		}
		list := &facet{Name: names[f.Field], Param: string(f.Field), More: !slices.Contains(first[:open], f.Field)}
		q.facetValues(list, &f, state)
		switch {
		case f.Field == register.ByPlace:
			list.Name = "" // the heading says it
			d.Places = list
			continue
		case list.More:
			d.MoreFilters, d.MoreChosen = true, d.MoreChosen || state.Has(list.Param)
		}
		d.Facets = append(d.Facets, list)
	}
	for _, name := range registerParams {
		v := state.Get(name)
		if v == "" || name == "q" {
			continue
		}
		d.Keep = append(d.Keep, core.Hidden{Name: name, Value: v})
		if name != "sort" {
			value := q.valueName(register.Field(name), v, d.Found)
			d.Chosen = append(d.Chosen, core.Choice{Name: value.Value, Note: w.Word("register.remove", value.Value), URL: q.To(core.RegisterPath, core.With(state, name, ""))})
		}
	}
	if d.Selection != nil {
		d.Keep = append(d.Keep, core.Hidden{Name: selectParam, Value: "1"}, core.Hidden{Name: core.BoardParam, Value: d.Selection.Chosen()})
	}
	if q.Links.Live() {
		q.sorts(d, state)
	}
}

// sorts fills in what the documents can be sorted by.
func (q *request) sorts(d *registerList, state url.Values) {
	w := q.Words
	sorted := cmp.Or(register.Sort(state.Get("sort")), register.ByRelevance)
	if sorted == register.ByRelevance && d.Query == "" {
		sorted = register.ByChange
	}
	for _, s := range []struct {
		value register.Sort
		name  string
		there bool
	}{
		{register.ByRelevance, w.Word("register.relevance"), d.Query != ""},
		{register.ByChange, w.Word("register.change"), true},
		{register.ByTitle, w.Word("register.bytitle"), true},
		{register.ByAnswered, w.Word("register.byanswered"), d.Stats.Answers},
	} {
		if s.there {
			d.Sorts = append(d.Sorts, core.Named{Name: q.Own(s.name), URL: q.To(core.RegisterPath, core.With(state, "sort", string(s.value))), Current: s.value == sorted})
		}
	}
}

// facetValues fills in the values of a filter, with how many documents have each.
func (q *request) facetValues(list *facet, f *register.Facet, state url.Values) {
	// The addresses of all values differ in this value only. Its name with an equals
	// sign occurs once: values are escaped.
	key := list.Param + "="
	before, after, _ := strings.Cut(q.To(core.RegisterPath, core.With(state, list.Param, "v")), key+"v")
	var links strings.Builder
	links.Grow(len(f.Values) * (len(before) + len(after) + 160))
	add := func(v *register.FacetValue, name phrases.Text) {
		address, current := before+key+url.QueryEscape(v.Value)+after, ""
		if v.Selected {
			address, current = q.To(core.RegisterPath, core.With(state, list.Param, "")), ` aria-current="true"`
		}
		swatch := ""
		if v.Level != nil {
			swatch = style.Swatch(v.Context, v.Level)
		}
		for _, part := range [...]string{
			`<li><a href="`, template.HTMLEscapeString(address), `"`, current, `><span class="row">`, swatch, string(name.Unmarked().HTML()),
			"</span> <small>", template.HTMLEscapeString(q.Number(v.Count)), "</small></a></li>\n",
		} {
			links.WriteString(part)
		}
	}
	for _, group := range groupedByType(f) {
		if group.typ != "" {
			links.WriteString("<h4>" + string(q.typeName(group.typ).Unmarked().HTML()) + "</h4>\n")
		}
		links.WriteString("<ul>\n")
		for _, i := range group.values {
			add(&f.Values[i], q.facetName(f, i))
		}
		links.WriteString("</ul>\n")
	}
	if f.NotSaid != nil || f.NotKnown != nil {
		links.WriteString("<ul>\n")
		for _, v := range []*register.FacetValue{f.NotSaid, f.NotKnown} {
			if v != nil {
				add(v, q.Own(v.Title))
			}
		}
		links.WriteString("</ul>\n")
	}
	list.Links = template.HTML(links.String()) //nolint:gosec // escaped above
}

// valueGroup is values of a filter, by position, that are those of a datachain type, or of all if it is "".
type valueGroup struct {
	typ    string
	values []int
}

// groupedByType returns the values of a filter by taxonomy, if there are several: the one with the most
// documents first, and in it the most sensitive value.
func groupedByType(f *register.Facet) []*valueGroup {
	var groups []*valueGroup
	known, documents := make(map[string]*valueGroup), make(map[string]int)
	for i := range f.Values {
		v := &f.Values[i]
		g := known[v.Type]
		if g == nil {
			g = &valueGroup{typ: v.Type}
			known[v.Type], groups = g, append(groups, g)
		}
		g.values = append(g.values, i)
		documents[v.Type] += v.Count
	}
	for _, g := range groups {
		slices.SortStableFunc(g.values, func(a, b int) int { return cmp.Compare(sensitivity(&f.Values[b]), sensitivity(&f.Values[a])) })
	}
	slices.SortStableFunc(groups, func(a, b *valueGroup) int {
		return cmp.Or(cmp.Compare(documents[b.typ], documents[a.typ]), cmp.Compare(a.typ, b.typ))
	})
	if len(groups) == 1 {
		groups[0].typ = ""
	}
	return groups
}

// sensitivity is higher for a value that is higher in the order of its context; it is 0 without one.
func sensitivity(v *register.FacetValue) int {
	if v.Context == nil || v.Context.Order == "" {
		return 0
	}
	at := slices.IndexFunc(v.Context.Values, func(known taxonomy.ContextValue) bool { return known.ID == v.Level.ID })
	if v.Context.Order == codes.Falling {
		return len(v.Context.Values) - at
	}
	return at + 1
}

// facetName names a value of a filter.
func (q *request) facetName(f *register.Facet, i int) phrases.Text {
	v := f.Values[i]
	switch f.Field {
	case register.ByStatus:
		return q.Own(q.Word("register.statuses." + v.Value))
	case register.ByGap:
		return q.Own(q.Word("register.gaps." + v.Value))
	case register.ByType:
		return q.typeName(v.Value)
	}
	return q.In(f.Locales[i], v.Title)
}

// valueName names a value that documents are filtered by, also if none of those found has it.
func (q *request) valueName(field register.Field, value string, found *register.Result) phrases.Text {
	words, role := phrases.In(q.Lang), taxonomy.Role(field)
	if field == register.ByOrganisation {
		role = codes.RoleAccountable
	}
	switch value {
	case register.NotSaid:
		return q.Own(words.Headings[role] + q.Word("colon") + " " + words.NotSaid)
	case register.NotKnown:
		return q.Own(words.Unsorted[role])
	}
	for _, result := range []*register.Result{found, nil} {
		if result == nil {
			all, err := q.Register.Find(register.Query{Locale: q.Locale})
			if err != nil {
				break
			}
			result = all
		}
		for _, f := range result.Facets() {
			if i := slices.IndexFunc(f.Values, func(v register.FacetValue) bool { return v.Value == value }); f.Field == field && i >= 0 {
				return q.facetName(&f, i)
			}
		}
	}
	return q.Raw(value)
}
