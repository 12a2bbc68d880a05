package rule_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/codes/remedy"
	"github.com/datachain-go/datachain/register/rule"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// describing returns a valid document with an object register.
func describing(t *testing.T, register string) []byte {
	t.Helper()
	e, ok := documents.Find("benefits.json")
	require.True(t, ok)
	return fmt.Appendf(nil, `%s,"register":%s}`, bytes.TrimSuffix(bytes.TrimSpace(e.Text), []byte("}")), register)
}

func judge(t *testing.T, text []byte, o *validate.Options) issue.Issues {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	doc, err := document.Parse(text)
	require.NoError(t, err)
	release, err := store.Release(t.Context(), taxonomy.MustVersion("ai@2026-11-15-stable"))
	require.NoError(t, err)
	o.Rules = rule.All()
	result, err := validate.Instance(release, doc, o)
	require.NoError(t, err)
	return result.Issues
}

func TestRegister(t *testing.T) {
	for _, c := range []struct {
		register string
		wanted   []string // the path and the start of what the value must be
	}{
		{`{
			"slug": "ridge-walk", "status": "in_use", "since": "2026-05-01", "until": "2028-05-01", "review_by": "2027-05-01",
			"places": [
				{"name": "Ridge", "address": "Ridge 1", "mobile": false, "geometry": {"type": "Point", "coordinates": [11.5, 50.9, 300]}},
				{"name": [{"locale": "en", "value": "Path"}], "geometry": {"type": "LineString", "coordinates": [[11.5, 50.9], [11.6, 50.8]]}},
				{"name": "Wood", "geometry": {"type": "Polygon", "coordinates": [[[11, 50], [12, 50], [12, 51], [11, 50]]]}}
			],
			"organisation": {"name": "Town", "id": "https://example.org/", "unit": "Trails"},
			"themes": ["Leisure", [{"locale": "en", "value": "Nature"}]],
			"withheld": [{"what": "Routes of rangers", "reason": [{"locale": "en", "value": "Their safety"}]}],
			"own_field": 1
		}`, nil},
		{`"in_use"`, []string{"register must be an object"}},
		{`{
			"slug": "Ridge walk", "status": "in use", "since": "May 2026", "until": "2026-02-30", "review_by": 2027,
			"places": [
				{"address": "Ridge 1"},
				{"name": "", "mobile": "no"},
				{"name": "A", "geometry": {"type": "Point", "coordinates": [50.9, 111.5]}},
				{"name": "B", "geometry": {"type": "LineString", "coordinates": [[1, 2]]}},
				{"name": "C", "geometry": {"type": "Polygon", "coordinates": [[[11, 50], [12, 50], [12, 51], [11, 51]]]}},
				{"name": "D", "geometry": {"type": "Circle"}},
				"E"
			],
			"organisation": "Town", "themes": "Leisure", "withheld": [{"what": "Routes"}]
		}`, []string{
			"register.slug must be 1 to 64 lower-case letters",
			"register.status must be one of planned, trial, in_use, paused, retired",
			"register.since must be a date",
			"register.until must be a date",
			"register.review_by must be a date",
			"register.places[0] must be a place with name",
			"register.places[1].name must be a text, or a list such as",
			"register.places[1].mobile must be true or false",
			"register.places[2].geometry must be a Point with a longitude and a latitude",
			"register.places[3].geometry must be a LineString with at least two positions",
			"register.places[4].geometry must be a Polygon whose rings",
			"register.places[5].geometry must be a GeoJSON Point, LineString or Polygon",
			"register.places[6] must be a place",
			"register.organisation must be an object",
			"register.themes must be a list",
			"register.withheld[0] must be an object with what and reason",
		}},
	} {
		issues := judge(t, describing(t, c.register), &validate.Options{Strict: true})
		require.Len(t, issues, len(c.wanted), "%v", issues)
		for n, i := range issues {
			require.EqualValues(t, "REGISTER_INVALID", i.Code)
			require.Equal(t, issue.SeverityWarning, i.Severity)
			require.True(t, strings.HasPrefix(i.Message, "The field "+c.wanted[n]), i.Message)
			require.Contains(t, c.wanted[n], i.Path.String())
		}
	}
}

// TestPartial checks the object register of a document of the wrong shape.
func TestPartial(t *testing.T) {
	text := bytes.Replace(describing(t, `{"status": "on"}`), []byte(`"id": "housing-benefit-check"`), []byte(`"id": 7`), 1)
	issues := judge(t, text, &validate.Options{Partial: true})
	require.Len(t, issues, 2)
	require.Equal(t, "register.status", issues[1].Path.String())
}

// TestHostileRegister checks a register with more mistakes than a result lists.
func TestHostileRegister(t *testing.T) {
	asked := 0
	issues := judge(t, describing(t, `{"places":[`+strings.Repeat("0,", 200_000)+`0]}`), &validate.Options{Interrupt: func() error { asked++; return nil }})
	require.Len(t, issues, validate.MaxFindings+1)
	require.EqualValues(t, "too_many_findings", issues[validate.MaxFindings].Code)
	require.Less(t, asked, 100, "it ends once the result is full")
}

// TestCodes requires that every code that validating reports belongs to a rule, of package
// validate or of the product, and is explained.
func TestCodes(t *testing.T) {
	of := map[issue.Code]string{"parse_error": "the shape"}
	for _, r := range append(validate.Rules(), rule.All()...) {
		for _, code := range r.Codes {
			of[code] = r.Name
			_, registered := issue.LookupCode(code)
			_, explained := remedy.Lookup(string(code))
			require.True(t, registered && explained, "%s: add %s to the registry in taxonomy/issue/code.go, and a remedy", r.Name, code)
		}
	}
	for _, info := range issue.Codes() {
		if strings.HasPrefix(info.RaisedBy, "validate") {
			require.NotEmpty(t, of[info.Code], "no rule gives %s: add one to a suite of package validate, or to those of the product", info.Code)
		}
	}
}
