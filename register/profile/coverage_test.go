package profile_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/profiles"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/profile"
	"github.com/datachain-go/datachain/register/rule"
	"github.com/datachain-go/datachain/taxonomy"
)

const (
	dutch    = "nl-algoritmeregister-1.0"
	british  = "uk-atrs-1.1"
	american = "us-m-25-21-2025"
)

// builtIn returns a profile of examples/profiles.
func builtIn(t testing.TB, id string) *profile.Profile {
	t.Helper()
	text, err := profiles.FS().ReadFile(id + ".yaml")
	require.NoError(t, err)
	p, issues := profile.Parse(id+".yaml", text)
	require.Empty(t, issues)
	return p
}

// service has the sample taxonomies.
func service(t testing.TB) *datachain.Service {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	s, err := datachain.New(store, &datachain.Options{Rules: rule.All()})
	require.NoError(t, err)
	return s
}

func release(t testing.TB, id string) *taxonomy.Release {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	r, err := store.Release(t.Context(), taxonomy.MustVersion(id))
	require.NoError(t, err)
	return r
}

// present returns a document that a register would publish, to be reported.
func present(t testing.TB, text []byte) *datachain.Presentation {
	t.Helper()
	verdict, shown, err := service(t).Present(t.Context(), text)
	require.NoError(t, err)
	require.NotNil(t, shown, "%v", verdict.Issues)
	for _, i := range verdict.Issues {
		require.NotEqualValues(t, "REGISTER_INVALID", i.Code, "%s", i)
	}
	return shown
}

// settings returns those of examples/register.
func settings(t testing.TB) *register.Settings {
	t.Helper()
	origin, err := register.OpenDirectory("../../examples/register", nil)
	require.NoError(t, err)
	r, err := register.New(service(t), []register.Origin{origin}, &register.Options{Refresh: -1})
	require.NoError(t, err)
	defer func() { require.NoError(t, r.Close()) }()
	return r.State().Settings()
}

// housing returns the sample document with changes.
func housing(t testing.TB, change func(doc map[string]any)) []byte {
	t.Helper()
	text, err := os.ReadFile("../../examples/register/housing-benefit.json")
	require.NoError(t, err)
	var doc map[string]any
	require.NoError(t, json.Unmarshal(text, &doc))
	if change != nil {
		change(doc)
	}
	text, err = json.Marshal(doc)
	require.NoError(t, err)
	return text
}

type object = map[string]any

func english(text string) []any { return []any{object{"locale": "en", "value": text}} }

// placement returns the placement of an element.
func placement(t testing.TB, doc object, element string) object {
	t.Helper()
	for _, e := range doc["elements"].([]any) {
		if e := e.(object); e["element_id"] == element {
			return e
		}
	}
	require.Fail(t, element)
	return nil
}

// addVariables adds texts to placements, by element and variable.
func addVariables(t testing.TB, doc object, values map[string]map[string]string) {
	t.Helper()
	for element, texts := range values {
		p := placement(t, doc, element)
		list, _ := p["variables"].([]any)
		for id, text := range texts {
			list = append(list, object{"id": id, "value": english(text)})
		}
		p["variables"] = list
	}
}

// withFacts writes what had no place before: everything that is true of the system for any target.
func withFacts(t testing.TB) func(doc object) {
	return func(doc object) {
		r := doc["register"].(object)
		r["organisation"].(object)["owner"] = "Head of Social Affairs"
		r["assessments"] = []any{
			object{"name": "Data protection impact assessment", "kind": "privacy", "date": "2026-08-01", "url": "https://lindenau.example/dpia.pdf", "summary": "No high risk is left."},
			object{"name": "Impact of the algorithm", "kind": "algorithm", "date": "2026-08-20", "url": "https://lindenau.example/ia.pdf", "summary": "Staff can change every figure."},
		}
		r["classes"] = []any{
			object{"scheme": "eu-ai-act", "class": "high_risk", "reason": "Annex III, point 5 (a)"},
			object{"scheme": "us-m-25-21", "class": "high"},
		}
		sources := doc["sources"].([]any)
		for _, typ := range []string{"page", "processing_register", "dataset", "code", "architecture"} {
			sources = append(sources, object{"type": typ, "title": typ, "url": "https://lindenau.example/" + typ})
		}
		doc["sources"] = sources
		addVariables(t, doc, map[string]map[string]string{
			"purpose.benefits":     {"benefit": "Answers in days instead of weeks.", "alternatives": "More staff; none could be found.", "scale": "About 1,200 requests a year."},
			"accountable.supplier": {"task": "It maintains the calculator.", "company_number": "HRB 4711"},
			"input_data.identity":  {"agreement": "none: you give it yourself"},
			"input_data.finances":  {"agreement": "Exchange with the tax office, 2025"},
		})
		income := placement(t, doc, "input_data.finances")
		income["sources"] = []any{object{"type": "dataset", "title": "Incomes", "url": "https://lindenau.example/incomes"}}
		doc["elements"] = append(doc["elements"].([]any),
			object{"element_id": "oversight.measured", "variables": []any{
				object{"id": "frequency", "value": []any{"yearly"}},
				object{"id": "result", "value": english("On 400 closed cases, 96 % of the figures were right.")},
			}},
			object{"element_id": "oversight.staff", "variables": []any{object{"id": "frequency", "value": []any{"yearly"}}}},
		)
	}
}

// TestCoverage counts what a document of the sample register fills in: as it is, with texts in any
// language, with the facts that any target may ask for, and with answers.
func TestCoverage(t *testing.T) {
	answers := func(profile string, answers object) func(object) {
		return func(doc object) {
			withFacts(t)(doc)
			doc["register"].(object)["filings"] = []any{object{"profile": profile, "id": "12345678", "filed": "2026-10-05", "answers": answers}}
		}
	}
	american2 := object{
		"agency": "LIN", "contracting_usage": "vendor", "have_ato": "No", "system_name_ato": "None", "demographic_features": []any{"income", "age"}, "has_custom_code": "yes",
		"hi_testing_conducted": "yes", "hi_independent_review": "office", "hi_ongoing_monitoring": "Yes - Monitoring Established", "hi_training_established": "yes",
		"hi_failsafe_presence": "yes", "hi_appeal_process": "yes", "hi_public_consultation": []any{"feedback"},
	}
	british2 := object{
		"data_access_terms": "They see no personal data.", "algorithmic_transparency_record_organisation": "Lindenau", "algorithmic_transparency_record_organisation_type": "local-authority",
		"algorithmic_transparency_record_region": "wales",
	}
	for _, test := range []struct {
		profile, want string
		change        func(object)
		any           bool
	}{
		{dutch, "11 of 31 fields, 4 of 7 required", nil, false},
		{dutch, "20 of 31 fields, 6 of 7 required", nil, true},
		{dutch, "28 of 31 fields, 7 of 7 required", withFacts(t), true},
		{dutch, "30 of 31 fields, 7 of 7 required", answers(dutch, object{}), true},
		{british, "22 of 37 fields, 15 of 19 required, 6 of 10 facets", nil, false},
		{british, "22 of 37 fields, 15 of 19 required, 6 of 10 facets", nil, true},
		{british, "36 of 37 fields, 19 of 19 required, 6 of 10 facets", withFacts(t), false},
		{british, "37 of 37 fields, 19 of 19 required, 10 of 10 facets", answers(british, british2), false},
		{american, "15 of 36 fields, 13 of 21 required", nil, false},
		{american, "21 of 36 fields, 17 of 30 required", withFacts(t), false},
		{american, "35 of 36 fields, 31 of 31 required", answers(american, american2), false},
	} {
		t.Run(test.profile+" "+test.want, func(t *testing.T) {
			r := builtIn(t, test.profile).Report(present(t, housing(t, test.change)), &profile.Options{Settings: settings(t), AnyLanguage: test.any})
			if got := r.Headline(); got != test.profile+": "+test.want {
				var empty []string
				for _, v := range r.Values {
					if v.Empty() {
						empty = append(empty, v.Field)
					}
				}
				require.Fail(t, got, "without a value: %s\n%v", strings.Join(empty, " "), r.Findings)
			}
		})
	}
}

// parse returns a profile for the sample taxonomies with some fields.
func parse(t testing.TB, fields string) *profile.Profile {
	t.Helper()
	p, issues := profile.Parse("own.yaml", []byte("id: own\ntypes: [ai, sensor]\nlocale: en\nfields:\n"+fields))
	require.Empty(t, issues)
	return p
}

// findings returns the kinds of what a report finds, by field.
func findings(r *profile.Report) (list []string) {
	for _, f := range r.Findings {
		list = append(list, fmt.Sprintf("%s %s", f.Field, f.Kind))
	}
	return list
}
