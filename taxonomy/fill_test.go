package taxonomy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

func TestFillIn(t *testing.T) {
	both := func(en, fr string) taxonomy.Localized {
		return taxonomy.Localized{{Locale: "en", Value: en}, {Locale: "fr", Value: fr}}
	}
	e := taxonomy.Element{
		ID: "storage.kept", Title: both("Kept {{where}} for {{ days }}", "Gardé {{ days }} {{where}}"),
		Variables: []taxonomy.Variable{
			{ID: "days", Label: both("number of days", "nombre de jours"), Type: taxonomy.TextVariable},
			{ID: "where", Label: both("place", "lieu"), Type: taxonomy.SelectVariable, Options: []taxonomy.Option{
				{ID: "here", Label: both("on site", "sur place")}, {ID: "cloud", Label: both("in the cloud", "dans le nuage")},
			}},
		},
	}
	days := taxonomy.VariableValue{ID: "days", Text: both("30 days", "30 jours")}
	for name, c := range map[string]struct {
		values  []taxonomy.VariableValue
		locales []string
		want    string
	}{
		"no values":      {nil, []string{"en"}, "Kept place for number of days"},
		"another locale": {nil, []string{"fr", "en"}, "Gardé nombre de jours lieu"},
		"text":           {[]taxonomy.VariableValue{days}, []string{"en"}, "Kept place for 30 days"},
		"options": {
			[]taxonomy.VariableValue{{ID: "where", Options: []string{"cloud", "moon", "here"}}, days},
			[]string{"fr"},
			"Gardé 30 jours dans le nuage, moon, sur place",
		},
		"no locale":    {[]taxonomy.VariableValue{days}, nil, "Kept place for 30 days"},
		"empty values": {[]taxonomy.VariableValue{{ID: "days", Text: both(" ", "")}, {ID: "where", Options: []string{}}}, []string{"en"}, "Kept place for number of days"},
		"twice":        {[]taxonomy.VariableValue{days, {ID: "days", Text: both("a year", "un an")}}, []string{"en"}, "Kept place for 30 days"},
		"a variable in a value": {
			[]taxonomy.VariableValue{{ID: "days", Text: both("{{where}}", "")}}, []string{"en"}, "Kept place for {{where}}",
		},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, e.FillIn(e.Title, c.values, c.locales...)) })
	}
	require.Equal(t, "Kept by whom", e.FillIn(both("Kept by {{whom}}", ""), nil, "en"), "a variable that is not declared has no label")
	require.Equal(t, "Plain {{ }} text", e.FillIn(both("Plain {{ }} text", ""), []taxonomy.VariableValue{days}, "en"))
	require.Empty(t, e.FillIn(nil, nil, "en"))
}
