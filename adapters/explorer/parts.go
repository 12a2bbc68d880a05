package explorer

import (
	"cmp"
	"slices"

	"github.com/datachain-go/datachain/internal/texts"
	"github.com/datachain-go/datachain/internal/weblink"
	"github.com/datachain-go/datachain/taxonomy"
)

// described is what the pages of elements and categories have in common.
type described struct {
	Head         *versionHead
	Trail        *named // between the version and the page
	Badges       []badge
	Guidance     text
	Formerly     []string // the ids that it had in earlier versions
	Variables    []*variable
	Subchains    []*subchain
	Sources      []source
	Translations []translation
	History      []*event
}

// variable is a variable of an element or a category.
type variable struct {
	ID        string
	Label     text
	Kind      string
	Required  bool
	Inherited bool // from the category
	Formerly  []string
	Options   []*variableOption
	Sources   []source
}

// variableOption is a choice of a variable.
type variableOption struct {
	ID           string
	Label, About text
	// Only are the elements that can use it; empty means all.
	Only     []choice
	Formerly []string
	Sources  []source
}

// variables describes variables. The ids of those of the category tell which are
// inherited.
func (q *request) variables(list []taxonomy.Variable, inherited []taxonomy.Variable) []*variable {
	shown := make([]*variable, len(list))
	for i := range list {
		v := &list[i]
		s := &variable{ID: v.ID, Label: q.name(v.Label, v.ID), Kind: q.words.Element.Text, Required: v.Required, Formerly: v.RenamedFrom, Sources: q.sources(v.Sources)}
		s.Inherited = slices.ContainsFunc(inherited, func(of taxonomy.Variable) bool { return of.ID == v.ID })
		if v.Type == taxonomy.SelectVariable {
			s.Kind = q.words.Element.Select
		}
		for j := range v.Options {
			o := &v.Options[j]
			option := &variableOption{ID: o.ID, Label: q.name(o.Label, o.ID), About: q.text(o.Description), Formerly: o.RenamedFrom, Sources: q.sources(o.Sources)}
			for _, id := range o.AppliesTo {
				option.Only = append(option.Only, choice{Name: id, URL: q.to(elementPath(q.release().Version(), id), nil)})
			}
			s.Options = append(s.Options, option)
		}
		shown[i] = s
	}
	return shown
}

// subchain is a subchain that a category belongs to.
type subchain struct {
	Name       text
	Categories []named
}

// subchains describes the subchains that a category belongs to.
func (q *request) subchains(categoryID string) []*subchain {
	r := q.release()
	var list []*subchain
	for _, s := range r.Type().Subchains {
		if !slices.Contains(s.Categories, categoryID) {
			continue
		}
		shown := &subchain{Name: q.name(s.Name, s.ID)}
		for _, id := range s.Categories {
			if c, ok := r.Category(id); ok {
				shown.Categories = append(shown.Categories, named{
					Name: q.name(c.Name, id), URL: q.to(categoryPath(r.Version(), id), nil), Current: id == categoryID,
				})
			}
		}
		list = append(list, shown)
	}
	return list
}

// source is the source of a statement.
type source struct {
	Kind, Title, Citation text
	// URL is empty if the address is not safe to follow.
	URL, Host   string
	Licence     *licence
	Attribution text
}

// sources describes sources.
func (q *request) sources(list []taxonomy.Source) []source {
	shown := make([]source, len(list))
	for i, s := range list {
		link := weblink.New(s.URL, "https", "http")
		shown[i] = source{q.raw(s.Type), q.raw(cmp.Or(s.Title, s.URL)), q.raw(s.Citation), link.URL, link.Host, newLicence(s.Licence), q.raw(s.Attribution)}
	}
	return shown
}

// translation is the texts of an element or a category in one language.
type translation struct {
	Language    string
	Lang        string
	Name, About text
	Current     bool
}

// translations describes texts in all languages of the version. A language without texts
// is left out.
func (q *request) translations(name, about taxonomy.Localized, variables []taxonomy.Variable) []translation {
	var list []translation
	for _, locale := range q.locales {
		one := *q // every text in its own language is no exception
		one.locale, one.texts = locale, texts.NewChooser(q.locales, locale)
		pick := func(l taxonomy.Localized) text {
			value, ok := l.Get(locale)
			if !ok {
				return text{}
			}
			t := one.blanks(taxonomy.Localized{{Locale: locale, Value: value}}, variables, nil)
			t.dir = ""
			return t
		}
		t := translation{Language: tongueOf(locale), Lang: locale, Name: pick(name), About: pick(about), Current: locale == q.locale}
		if !t.Name.Empty() || !t.About.Empty() {
			list = append(list, t)
		}
	}
	return list
}
