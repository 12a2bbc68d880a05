package upgrade_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
)

// The schemas of the tests, in short. Texts are in English, unless they are maps.
type (
	schemaSpec struct {
		Version    string
		Locales    []string
		Subchains  []string
		Removed    []removalSpec
		Categories []categorySpec
	}
	removalSpec struct {
		ID         string
		ReplacedBy []successorSpec `yaml:"replaced_by"`
		Note       textSpec
		Since      string
	}
	successorSpec struct {
		ID   string
		Note textSpec
	}
	categorySpec struct {
		ID          string
		RenamedFrom []string `yaml:"renamed_from"`
		Required    bool
		Min, Max    int
		Context     struct {
			Name     textSpec
			Required bool
			Values   []valueSpec
		}
		Elements []elementSpec
	}
	valueSpec struct {
		ID          string
		Label       textSpec
		RenamedFrom []string `yaml:"renamed_from"`
	}
	elementSpec struct {
		ID          string
		Title       textSpec
		Description textSpec
		Max         int
		Deprecated  bool
		ReplacedBy  []successorSpec `yaml:"replaced_by"`
		Variables   []variableSpec
	}
	variableSpec struct {
		ID          string
		Label       textSpec
		Required    bool
		RenamedFrom []string `yaml:"renamed_from"`
		Options     []optionSpec
	}
	optionSpec struct {
		ID          string
		Label       textSpec
		RenamedFrom []string `yaml:"renamed_from"`
		AppliesTo   []string `yaml:"applies_to"`
	}
	textSpec taxonomy.Localized
)

// UnmarshalYAML reads a text, or texts by locale.
func (t *textSpec) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*t = textSpec{{Locale: "en", Value: n.Value}}
		return nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		*t = append(*t, taxonomy.Text{Locale: n.Content[i].Value, Value: n.Content[i+1].Value})
	}
	return nil
}

// or returns the text, or another one if there is none.
func (t textSpec) or(text string) taxonomy.Localized {
	if t == nil {
		return taxonomy.Localized{{Locale: "en", Value: text}}
	}
	return taxonomy.Localized(t)
}

// What can be written as an id alone.
func (s *successorSpec) UnmarshalYAML(n *yaml.Node) error {
	type plain successorSpec
	return idOr(n, &s.ID, (*plain)(s))
}

func (s *valueSpec) UnmarshalYAML(n *yaml.Node) error {
	type plain valueSpec
	return idOr(n, &s.ID, (*plain)(s))
}

func (s *elementSpec) UnmarshalYAML(n *yaml.Node) error {
	type plain elementSpec
	return idOr(n, &s.ID, (*plain)(s))
}

func (s *variableSpec) UnmarshalYAML(n *yaml.Node) error {
	type plain variableSpec
	return idOr(n, &s.ID, (*plain)(s))
}

func (s *optionSpec) UnmarshalYAML(n *yaml.Node) error {
	type plain optionSpec
	return idOr(n, &s.ID, (*plain)(s))
}

func idOr(n *yaml.Node, id *string, spec any) error {
	if n.Kind == yaml.ScalarNode {
		*id = n.Value
		return nil
	}
	return n.Decode(spec)
}

// readSchema reads a schema in YAML, or returns nil if there is none.
func readSchema(t testing.TB, text string) *taxonomy.Release {
	t.Helper()
	if text == "" {
		return nil
	}
	var s schemaSpec
	require.NoError(t, yaml.Unmarshal([]byte(text), &s))
	return s.release(t)
}

func (s *schemaSpec) release(t testing.TB) *taxonomy.Release {
	t.Helper()
	v := taxonomy.MustVersion(s.Version)
	en := textSpec(nil).or
	c := taxonomy.Content{
		Title: en("Title"), Description: en("Description"), Locales: s.Locales,
		Type: taxonomy.Type{ID: v.Type(), Name: en("Type"), Subchains: []taxonomy.Subchain{}}, Symbols: map[string]string{"dot": "<svg/>"},
	}
	if c.Locales == nil {
		c.Locales = []string{"en"}
	}
	for _, id := range s.Subchains {
		c.Type.Subchains = append(c.Type.Subchains, taxonomy.Subchain{ID: id, Name: en(id), Categories: []string{s.Categories[0].ID}})
	}
	for _, r := range s.Removed {
		since := v
		if r.Since != "" {
			since = taxonomy.MustVersion(r.Since)
		}
		c.Removed = append(c.Removed, taxonomy.Removal{ID: r.ID, ReplacedBy: successors(r.ReplacedBy), Note: taxonomy.Localized(r.Note), Since: since})
	}
	for i := range s.Categories {
		category := s.Categories[i].category()
		c.Type.Categories = append(c.Type.Categories, category.ID)
		c.Categories = append(c.Categories, category)
		for order := range s.Categories[i].Elements {
			e := s.Categories[i].Elements[order].element(&category)
			e.Order = order + 1
			c.Elements = append(c.Elements, e)
		}
	}
	r, err := taxonomy.NewRelease(v, c)
	require.NoError(t, err)
	return r
}

func successors(specs []successorSpec) (list []taxonomy.Successor) {
	for _, s := range specs {
		list = append(list, taxonomy.Successor{ID: s.ID, Note: taxonomy.Localized(s.Note)})
	}
	return list
}

func (s *categorySpec) category() taxonomy.Category {
	en := textSpec(nil).or
	c := taxonomy.Category{
		ID: s.ID, RenamedFrom: s.RenamedFrom, Name: en(s.ID), Description: en(s.ID), Shape: taxonomy.Circle,
		Required: s.Required, Cardinality: taxonomy.Cardinality{Min: s.Min, Max: s.Max},
		Context: taxonomy.Context{Required: s.Context.Required, Name: taxonomy.Localized(s.Context.Name), Values: []taxonomy.ContextValue{}},
	}
	for _, v := range s.Context.Values {
		c.Context.Values = append(c.Context.Values, taxonomy.ContextValue{ID: v.ID, Label: v.Label.or(v.ID), RenamedFrom: v.RenamedFrom})
	}
	return c
}

func (s *elementSpec) element(c *taxonomy.Category) taxonomy.Element {
	e := taxonomy.Element{
		ID: s.ID, Title: s.Title.or(s.ID), Description: s.Description.or("About " + s.ID), CategoryID: c.ID, SymbolID: "dot",
		IconVariants: c.IconVariants(), Variables: []taxonomy.Variable{}, MaxPlacements: s.Max, ReplacedBy: successors(s.ReplacedBy),
	}
	if s.Deprecated {
		e.Status = codes.StatusDeprecated
	}
	for _, v := range s.Variables {
		next := taxonomy.Variable{ID: v.ID, Label: v.Label.or(v.ID), Required: v.Required, Type: taxonomy.TextVariable, RenamedFrom: v.RenamedFrom}
		for _, o := range v.Options {
			next.Type = taxonomy.SelectVariable
			next.Options = append(next.Options, taxonomy.Option{ID: o.ID, Label: o.Label.or(o.ID), RenamedFrom: o.RenamedFrom, AppliesTo: o.AppliesTo})
		}
		e.Variables = append(e.Variables, next)
	}
	return e
}
