package rule_test

import (
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
	"github.com/datachain-go/datachain/validate/validatetest"
)

// describing returns a valid document with an object register.
func describing(t *testing.T, register string) string {
	t.Helper()
	e, ok := documents.Find("benefits.json")
	require.True(t, ok)
	return strings.TrimSuffix(strings.TrimSpace(string(e.Text)), "}") + `,"register":` + register + `}`
}

// release returns the release that the document pins.
func release(t *testing.T) *taxonomy.Release {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	r, err := store.Release(t.Context(), taxonomy.MustVersion("ai@2026-11-15-stable"))
	require.NoError(t, err)
	return r
}

// want is the finding that a field is wrong, with the start of what it must be.
func want(path, must string) validatetest.Finding {
	return validatetest.Finding{Code: "REGISTER_INVALID", Path: path, Message: "The field " + path + " " + must}
}

const complete = `{
	"slug": "ridge-walk", "status": "in_use", "since": "2026-05-01", "until": "2028-05-01", "review_by": "2027-05-01",
	"places": [
		{"name": "Ridge", "address": "Ridge 1", "mobile": false, "geometry": {"type": "Point", "coordinates": [11.5, 50.9, 300]}},
		{"name": [{"locale": "en", "value": "Path"}], "geometry": {"type": "LineString", "coordinates": [[11.5, 50.9], [11.6, 50.8]]}},
		{"name": "Wood", "geometry": {"type": "Polygon", "coordinates": [[[11, 50], [12, 50], [12, 51], [11, 50]]]}}
	],
	"organisation": {"name": "Town", "id": "https://example.org/", "unit": "Trails", "owner": "Head of Trails"},
	"themes": ["Leisure", [{"locale": "en", "value": "Nature"}]],
	"withheld": [{"what": "Routes of rangers", "reason": [{"locale": "en", "value": "Their safety"}]}],
	"assessments": [
		{"name": "DPIA", "kind": "privacy", "state": "done", "date": "2026-08-01", "url": "https://example.org/dpia.pdf", "summary": "No high risk is left."},
		{"name": [{"locale": "en", "value": "Security"}], "kind": "security", "state": "waived"}
	],
	"classes": [{"scheme": "eu-ai-act", "class": "high_risk", "reason": "Annex III"}, {"scheme": "https://example.org/scheme", "class": "B"}],
	"filings": [
		{"profile": "nl-algoritmeregister-1.0", "id": "1", "url": "https://example.org/1", "filed": "2026-10-05", "answers": {"website": "x", "many": ["a", "b"], "none": []}},
		{"profile": "uk-atrs-1.1"}
	],
	"answered": {"from": "2026-05-01", "to": "2026-05-01", "asked": 1000000000, "answered": 0, "days": 0, "changed": 1000000000},
	"product": {"supplier": {"name": "Trail Counters", "id": "https://trail.example"}, "open": ["people"]},
	"based_on": {
		"url": "https://trail.example/counter.json", "edition": "561449aa4cba0f9f561449aa4cba0f9f561449aa4cba0f9f561449aa4cba0f9f",
		"title": [{"locale": "en", "value": "Counter"}], "supplier": {"name": "Trail Counters"}, "version": "2", "date": "2026-04-01"
	},
	"own_field": 1
}`

const mistaken = `{
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
	"product": {"supplier": {"id": "https://trail.example"}, "open": ["people", ""]},
	"based_on": {"url": "https://user:password@trail.example/", "edition": "561449AA", "title": "Counter", "supplier": "Trail Counters", "version": 2, "date": "April"},
	"organisation": "Town", "themes": "Leisure", "withheld": [{"what": "Routes"}],
	"assessments": [{"kind": "privacy"}, {"name": "A", "kind": "other", "state": "planned", "date": "2026", "url": "ftp://example.org", "summary": []}, {"name": "B", "kind": "legal"}],
	"classes": [{"scheme": "eu ai act", "class": "high risk", "reason": 1}, {"scheme": "a"}],
	"filings": [
		{"profile": "a b"}, {"id": "1"}, {"profile": "x", "id": 7, "url": "javascript:alert(1)", "filed": "soon", "answers": {"a": 1, "b": ["c", {}]}},
		{"profile": "x", "answers": []}
	],
	"answered": {"from": "2026-05-02", "to": "2026-05-01", "asked": 3, "answered": 4, "days": 1.5, "changed": 4}
}`

func TestRegister(t *testing.T) {
	r := release(t)
	broken := strings.Replace(describing(t, `{"status": "on"}`), `"id": "housing-benefit-check"`, `"id": 7`, 1)
	validatetest.Run(t, rule.Register, []validatetest.Case{
		{Name: "none", Release: r, Document: describing(t, `{}`)},
		{Name: "complete", Release: r, Document: describing(t, complete)},
		{Name: "no object", Release: r, Document: describing(t, `"in_use"`), Want: []validatetest.Finding{want("register", "must be an object.")}},
		{Name: "wrong shape elsewhere", Release: r, Document: broken, Invalid: true, Want: []validatetest.Finding{want("register.status", "must be one of")}},
		{Name: "mistaken", Release: r, Document: describing(t, mistaken), Want: []validatetest.Finding{
			want("register.slug", "must be 1 to 64 lower-case letters"),
			want("register.status", "must be one of planned, trial, in_use, paused, retired"),
			want("register.since", "must be a date"),
			want("register.until", "must be a date"),
			want("register.review_by", "must be a date"),
			want("register.places[0]", "must be a place with name"),
			want("register.places[1].name", "must be a text, or a list such as"),
			want("register.places[1].mobile", "must be true or false"),
			want("register.places[2].geometry", "must be a Point with a longitude and a latitude"),
			want("register.places[3].geometry", "must be a LineString with at least two positions"),
			want("register.places[4].geometry", "must be a Polygon whose rings"),
			want("register.places[5].geometry", "must be a GeoJSON Point, LineString or Polygon"),
			want("register.places[6]", "must be a place"),
			want("register.product.supplier", "must be an object with name"),
			want("register.product.open[1]", "must be a text"),
			want("register.based_on.url", "must be a URL with http or https, without user name and password"),
			want("register.based_on.edition", "must be a hash of 64 lower-case hexadecimal digits"),
			want("register.based_on.supplier", "must be an object"),
			want("register.based_on.version", "must be a text"),
			want("register.based_on.date", "must be a date"),
			want("register.organisation", "must be an object"),
			want("register.themes", "must be a list"),
			want("register.withheld[0]", "must be an object with what and reason"),
			want("register.assessments[0]", "must be an assessment with name"),
			want("register.assessments[1].state", "must be one of done, in_progress, waived"),
			want("register.assessments[1].date", "must be a date"),
			want("register.assessments[1].url", "must be a URL"),
			want("register.assessments[1].summary", "must be a text, or a list"),
			want("register.assessments[2].kind", "must be one of privacy, algorithm"),
			want("register.classes[0].scheme", "must be a word such as eu-ai-act, or a URL"),
			want("register.classes[0].class", "must be 1 to 64 letters"),
			want("register.classes[0].reason", "must be a text"),
			want("register.classes[1]", "must be an object with scheme and class"),
			want("register.filings[0].profile", "must be 1 to 64 letters"),
			want("register.filings[1]", "must be an object with profile"),
			want("register.filings[2].id", "must be a text"),
			want("register.filings[2].url", "must be a URL"),
			want("register.filings[2].filed", "must be a date"),
			want("register.filings[2].answers.a", "must be a text or a list of texts"),
			want("register.filings[2].answers.b", "must be a text or a list of texts"),
			want("register.filings[3]", "must be the only one with this profile"),
			want("register.filings[3].answers", "must be an object with a text"),
			want("register.answered.to", "must be a date that is not before from"),
			want("register.answered.answered", "must be at most asked, which is 3."),
			want("register.answered.days", "must be a whole number"),
			want("register.answered.changed", "must be at most asked, which is 3."),
		}},
		{Name: "answered is a text", Release: r, Document: describing(t, `{"answered": "often"}`), Want: []validatetest.Finding{want("register.answered", "must be an object.")}},
		{Name: "answered without a period", Release: r, Document: describing(t, `{"answered": {"asked": 2, "answered": 1}}`), Want: []validatetest.Finding{want("register.answered", "must be an object with from, to, asked and answered.")}},
		{Name: "numbers that are not whole", Release: r, Document: describing(t, `{"answered": {"from": "2026-05-01", "to": "2026-05-02", "asked": -1, "answered": "7", "days": 1000000001, "changed": 1e2}}`), Want: []validatetest.Finding{
			want("register.answered.asked", "must be a whole number"),
			want("register.answered.answered", "must be a whole number"),
			want("register.answered.days", "must be a whole number"),
			want("register.answered.changed", "must be a whole number"),
		}},
	})
}

// TestStrict knows the object register in strict mode. Mistakes in it are warnings.
func TestStrict(t *testing.T) {
	text := describing(t, `{"status": "on"}`)
	issues := judge(t, text, &validate.Options{Strict: true, Rules: rule.All()})
	require.Len(t, issues, 1)
	require.EqualValues(t, "REGISTER_INVALID", issues[0].Code)
	require.Equal(t, issue.SeverityWarning, issues[0].Severity)
	issues = judge(t, text, &validate.Options{Strict: true})
	require.Len(t, issues, 1)
	require.EqualValues(t, "unknown_field", issues[0].Code)
}

func judge(t *testing.T, text string, o *validate.Options) issue.Issues {
	t.Helper()
	doc, err := document.Parse([]byte(text))
	require.NoError(t, err)
	result, err := validate.Instance(release(t), doc, o)
	require.NoError(t, err)
	return result.Issues
}

// TestHostileRegister checks a register with more mistakes than a result lists.
func TestHostileRegister(t *testing.T) {
	asked := 0
	issues := judge(t, describing(t, `{"places":[`+strings.Repeat("0,", 200_000)+`0]}`), &validate.Options{Rules: rule.All(), Interrupt: func() error { asked++; return nil }})
	require.Len(t, issues, validate.MaxFindings+1)
	require.EqualValues(t, "too_many_findings", issues[validate.MaxFindings].Code)
	require.Less(t, asked, 100, "it ends once the result is full")
}

// TestAnswers refuses answers that are longer than 64 KiB together.
func TestAnswers(t *testing.T) {
	for size, findings := range map[int]int{64<<10 - len(`{"a":""}`): 0, 64<<10 - len(`{"a":""}`) + 1: 1} {
		text := describing(t, `{"filings":[{"profile":"x","answers":{"a":"`+strings.Repeat("a", size)+`"}}]}`)
		require.Len(t, judge(t, text, &validate.Options{Rules: rule.All()}), findings)
	}
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
