package review_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/growthtest"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/internal/registertest"
	"github.com/datachain-go/datachain/register/review"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// today is the day of reviews in tests.
var today = time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)

type object = map[string]any

// list returns the findings of one kind as lines "slug path: message".
func list(t *testing.T, r *register.Register, kind review.Kind, o review.Options) []string {
	t.Helper()
	if o.Today.IsZero() {
		o.Today = today
	}
	found, err := review.Review(t.Context(), r, &o)
	require.NoError(t, err)
	lines := []string{}
	for _, f := range found {
		if f.Kind == kind {
			require.NotEmpty(t, f.Hint)
			lines = append(lines, fmt.Sprintf("%s %s: %s", f.Slug, f.Path, f.Message))
		}
	}
	return lines
}

// opened opens a register of one document each, by slug, of the object register.
func opened(t *testing.T, settings string, documents map[string]func(dir, id string)) *register.Register {
	t.Helper()
	dir := t.TempDir()
	if settings != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "register.yaml"), []byte(settings), 0o600))
	}
	for id, write := range documents {
		write(dir, id)
	}
	r := registertest.OpenDir(t, dir)
	require.Empty(t, r.State().Refused())
	require.Len(t, r.State().Documents(), len(documents))
	return r
}

// sample returns a function that writes a sample with some members.
func sample(t *testing.T, of string, members object) func(dir, id string) {
	return func(dir, id string) { registertest.Sample(t, dir, of, id, 3, members) }
}

// details returns the member register.
func details(fields object) object { return object{"register": fields} }

func TestDates(t *testing.T) {
	r := opened(t, "", map[string]func(dir, id string){
		"due":         sample(t, "benefits", object{"created_at": "2026-01-02T00:00:00Z", "register": object{"review_by": "2026-11-14"}}),
		"today":       sample(t, "benefits", details(object{"review_by": "2026-11-15", "until": "2026-11-15"})),
		"retired":     sample(t, "benefits", details(object{"review_by": "2026-01-01", "until": "2026-01-01", "status": "retired"})),
		"starts":      sample(t, "benefits", details(object{"since": "2026-11-15", "status": "planned"})),
		"started":     sample(t, "benefits", details(object{"since": "2026-11-14", "status": "planned", "review_by": "2027-01-01"})),
		"runs":        sample(t, "benefits", details(object{"since": "2026-11-14", "status": "in_use"})),
		"ended":       sample(t, "benefits", details(object{"until": "2026-11-14", "status": "in_use"})),
		"old":         sample(t, "benefits", object{"created_at": "2020-01-01T00:00:00Z", "updated_at": "2024-11-14T23:59:59Z"}),
		"created":     sample(t, "benefits", object{"created_at": "2024-11-15T00:00:00Z", "updated_at": "2024-11-14T00:00:00Z"}),
		"not-old":     sample(t, "benefits", object{"created_at": "2020-01-01T00:00:00Z", "updated_at": "2024-11-15T00:00:00Z"}),
		"old-named":   sample(t, "benefits", object{"updated_at": "2020-01-01T00:00:00Z", "created_at": "2020-01-01T00:00:00Z", "register": object{"review_by": "2026-11-15"}}),
		"old-overdue": sample(t, "benefits", object{"updated_at": "2020-01-01T00:00:00Z", "created_at": "2020-01-01T00:00:00Z", "register": object{"review_by": "2026-11-14"}}),
		"old-gone":    sample(t, "benefits", object{"updated_at": "2020-01-01T00:00:00Z", "created_at": "2020-01-01T00:00:00Z", "register": object{"status": "retired"}}),
	})
	require.Equal(t, []string{
		"due register.review_by: The review was due on 2026-11-14.",
		"old-overdue register.review_by: The review was due on 2026-11-14.",
	}, list(t, r, review.ReviewOverdue, review.Options{}))
	require.Equal(t, []string{"started register.since: The system was planned for 2026-11-14, but its status is still planned."}, list(t, r, review.SincePassed, review.Options{}))
	require.Equal(t, []string{"ended register.until: The system was to end on 2026-11-14, but its status is not retired."}, list(t, r, review.UntilPassed, review.Options{}))
	require.Equal(t, []string{
		"old updated_at: The document was last updated on 2024-11-14.",
		"old-overdue updated_at: The document was last updated on 2020-01-01.",
	}, list(t, r, review.NotUpdated, review.Options{}))
	require.Contains(t, list(t, r, review.NotUpdated, review.Options{Months: 9}), "due updated_at: The document was last updated on 2026-01-03.")
	require.Empty(t, list(t, r, review.NotUpdated, review.Options{Months: 120}))
	require.Empty(t, list(t, r, review.NotUpdated, review.Options{Months: -1}))

	for day, want := range map[string]bool{"2026-11-14": false, "2026-11-15": true} {
		require.Equal(t, want, registertest.Find(t, r, "due").Overdue(day))
		require.False(t, registertest.Find(t, r, "retired").Overdue(day))
		require.False(t, registertest.Find(t, r, "old").Overdue(day))
		require.Equal(t, want, registertest.Find(t, r, "started").Overdue(day))
		require.Equal(t, want, registertest.Find(t, r, "started").StartPassed(day))
		require.False(t, registertest.Find(t, r, "starts").Overdue(day))
		require.False(t, registertest.Find(t, r, "runs").Overdue(day))
	}
}

// placing returns the members of a sensor document with a contact and rights.
func placing(contact any, more ...object) object {
	responsible := object{"element_id": "responsible.in_charge", "variables": []object{
		{"id": "organisation", "value": registertest.Title("en", "Town of Lindenau")},
		{"id": "contact", "value": contact},
	}}
	elements := []object{
		{"element_id": "purpose.environment"},
		{"element_id": "device.station", "context_type_id": "always_on"},
		{"element_id": "data.surroundings", "context_type_id": "does_not_identify_people", "variables": []object{{"id": "measured", "value": []string{"weather"}}}},
		responsible,
	}
	return object{"elements": append(elements, more...)}
}

func TestContact(t *testing.T) {
	documents := make(map[string]func(dir, id string))
	for i, contact := range []string{
		"environment@lindenau.example", "ask at www.lindenau.example", "lindenau.example/contact", "https://lindenau.example", "(see lindenau.example).",
		"0123 45", "+49-(0)12 3", "call 01 23 4/5", "१२३४५",
	} {
		documents[fmt.Sprintf("reached-%d", i)] = sample(t, "air-station", placing(registertest.Title("en", "the front desk", "fr", contact)))
	}
	for i, contact := range []string{"the front desk, open every day but Monday", "room 1234", "12 and 345", "e.g. the front desk, from 8 a.m. to 4 p.m."} {
		documents[fmt.Sprintf("lost-%d", i)] = sample(t, "air-station", placing(registertest.Title("en", contact)))
	}
	acting := placing(registertest.Title("en", "the front desk"))
	acting["elements"].([]object)[3]["actions"] = []object{{"type": "email", "label": "Write", "target": "desk@lindenau.example"}}
	documents["acting"] = sample(t, "air-station", acting)
	retired := placing(registertest.Title("en", "the front desk"))
	retired["register"] = object{"status": "retired"}
	documents["retired"] = sample(t, "air-station", retired)
	r := opened(t, "", documents)
	require.Equal(t, []string{
		`lost-0 elements[3].variables[1].value: The contact of the organisation that is responsible has no address: "the front desk, open every day but Monday".`,
		`lost-1 elements[3].variables[1].value: The contact of the organisation that is responsible has no address: "room 1234".`,
		`lost-2 elements[3].variables[1].value: The contact of the organisation that is responsible has no address: "12 and 345".`,
		`lost-3 elements[3].variables[1].value: The contact of the organisation that is responsible has no address: "e.g. the front desk, from 8 a.m. to 4 p.m.".`,
	}, list(t, r, review.ContactNoAddress, review.Options{}))
}

func TestRights(t *testing.T) {
	contact := registertest.Title("en", "environment@lindenau.example")
	right := func(id, text string) object {
		return object{"element_id": id, "variables": []object{{"id": "how", "value": registertest.Title("en", text)}}}
	}
	r := opened(t, "", map[string]func(dir, id string){
		"one":     sample(t, "air-station", placing(contact, right("rights.avoid", "switch off Wi-Fi"))),
		"none":    sample(t, "air-station", placing(contact, right("rights.avoid", "switch off Wi-Fi"), right("rights.ask", "ask us"))),
		"one-has": sample(t, "air-station", placing(contact, right("rights.avoid", "switch off Wi-Fi"), right("rights.ask", "ask us"), right("rights.contest", "0123 4500"))),
	})
	require.Equal(t, []string{"none elements[4]: None of the rights says whom to contact."}, list(t, r, review.ContactNoAddress, review.Options{}))
}

func TestLanguages(t *testing.T) {
	both := registertest.Title("en", "a@lindenau.example", "fr", "a@lindenau.example")
	members := func(title, contact any) object {
		m := placing(contact)
		m["title"] = title
		return m
	}
	documents := map[string]func(dir, id string){
		"whole":   sample(t, "air-station", members(registertest.Title("en-GB", "Air", "fr", "Air"), both)),
		"contact": sample(t, "air-station", members(registertest.Title("en", "Air", "fr", "Air"), registertest.Title("en", "a@lindenau.example"))),
		"title":   sample(t, "air-station", members(registertest.Title("en", "Air"), both)),
	}
	r := opened(t, "languages: [en, fr]\n", documents)
	require.Equal(t, []string{
		"contact elements[3].variables[1].value: There is no text in French (fr) for the contact.",
		"title title: There is no text in French (fr) for the title.",
	}, list(t, r, review.LanguageThin, review.Options{}))
	require.Empty(t, list(t, opened(t, "", documents), review.LanguageThin, review.Options{}), "the register names no languages")
}

// TestRarely counts other documents: with five of them, of which four fill in a variable, the sixth
// misses it.
func TestRarely(t *testing.T) {
	write := func(given bool) func(dir, id string) {
		m := placing(registertest.Title("en", "a@lindenau.example"))
		m["register"] = object{}
		if given {
			m["register"] = object{"since": "2026-01-01"}
			purpose := m["elements"].([]object)[0]
			purpose["variables"] = []object{{"id": "in_short", "value": registertest.Title("en", "It measures the air.")}}
		}
		return sample(t, "air-station", m)
	}
	documents := map[string]func(dir, id string){"a": write(true), "b": write(true), "c": write(true), "d": write(true), "e": write(true), "without": write(false)}
	found := list(t, opened(t, "", documents), review.RarelyMissing, review.Options{})
	require.Equal(t, []string{
		"without register.since: Most other documents of the type sensor have the field since in the object register.",
		"without elements[0].variables: Most other documents that place purpose.environment fill in its variable in_short.",
	}, found)

	beside := maps.Clone(documents)
	delete(beside, "e")
	require.Empty(t, list(t, opened(t, "", beside), review.RarelyMissing, review.Options{}), "four others are too few")

	beside = maps.Clone(documents)
	beside["e"] = write(false)
	require.Len(t, list(t, opened(t, "", beside), review.RarelyMissing, review.Options{}), 4, "four of five others have it, for both")
	beside["d"] = write(false)
	require.Empty(t, list(t, opened(t, "", beside), review.RarelyMissing, review.Options{}), "three of five others have it")
}

func TestVersions(t *testing.T) {
	older := func(members object) object {
		members["schema_version"] = "sensor@2026-06-15-stable"
		return members
	}
	r := opened(t, "", map[string]func(dir, id string){
		"older":   sample(t, "air-station", older(object{})),
		"newest":  sample(t, "air-station", object{"schema_version": "sensor@2026-11-15-stable"}),
		"retired": sample(t, "air-station", older(object{"register": object{"status": "retired"}})),
	})
	store, err := published.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{
		"older schema_version: The document pins sensor@2026-06-15-stable; the newest stable version is sensor@2026-11-15-stable.",
	}, list(t, r, review.VersionOld, review.Options{Versions: index}))
	require.Empty(t, list(t, r, review.VersionOld, review.Options{}))

	entries := index.Entries()
	for i := range entries {
		if entries[i].ID.String() == "sensor@2026-06-15-stable" {
			entries[i].Deprecated = "2026-11-16"
		}
	}
	deprecated, err := index.WithVersions(entries, nil)
	require.NoError(t, err)
	require.Empty(t, list(t, r, review.VersionOld, review.Options{Versions: deprecated}), "which is a warning already")
}

func TestAssessments(t *testing.T) {
	assessments := func(more ...object) object {
		var list []object
		for _, m := range more {
			m["name"] = "Data protection impact assessment"
			list = append(list, m)
		}
		return details(object{"assessments": list})
	}
	retired := assessments(object{})
	retired["register"].(object)["status"] = "retired"
	r := opened(t, "", map[string]func(dir, id string){
		"empty": sample(t, "benefits", assessments(object{"date": "2026-08-01"}, object{}, object{"state": "done", "kind": "privacy"})),
		"given": sample(t, "benefits", assessments(object{"date": "2026-08-01"}, object{"url": "https://lindenau.example/dpia.pdf"}, object{"summary": "No high risk is left."},
			object{"state": "in_progress"}, object{"state": "waived"})),
		"retired": sample(t, "benefits", retired),
	})
	require.Equal(t, []string{
		"empty register.assessments[1]: The assessment is done, but has neither a date, a URL nor a summary.",
		"empty register.assessments[2]: The assessment is done, but has neither a date, a URL nor a summary.",
	}, list(t, r, review.AssessmentEmpty, review.Options{}))
}

func TestOrder(t *testing.T) {
	r := opened(t, "", map[string]func(dir, id string){
		"b": sample(t, "benefits", details(object{"review_by": "2026-11-14", "until": "2026-11-14"})),
		"a": sample(t, "benefits", details(object{"until": "2026-11-14"})),
	})
	check := func(_ context.Context, d *register.Document, p *datachain.Presentation) ([]review.Finding, error) {
		require.Equal(t, d.ID, p.Datachain.ID)
		return []review.Finding{{Kind: review.ProfileMissing, Path: issue.Root.Key("title"), Message: "m", Hint: "h"}}, nil
	}
	found, err := review.Review(t.Context(), r, &review.Options{Today: today, Checks: []review.Check{check}})
	require.NoError(t, err)
	var kinds []string
	for _, f := range found {
		kinds = append(kinds, string(f.Kind)+" "+f.File)
	}
	require.Equal(t, []string{"review_overdue b.json", "until_passed a.json", "until_passed b.json", "profile_missing a.json", "profile_missing b.json"}, kinds)

	only, err := review.Review(t.Context(), r, &review.Options{Today: today, Checks: []review.Check{check}, Only: []review.Kind{review.ProfileMissing}})
	require.NoError(t, err)
	require.Equal(t, found[3:], only)

	failing := errors.New("no answer")
	_, err = review.Review(t.Context(), r, &review.Options{Checks: []review.Check{func(context.Context, *register.Document, *datachain.Presentation) ([]review.Finding, error) {
		return nil, failing
	}}})
	require.ErrorIs(t, err, failing)

	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = review.Review(canceled, r, nil)
	require.ErrorIs(t, err, context.Canceled)
}

func TestKinds(t *testing.T) {
	require.Len(t, review.Kinds(), 16)
	for i, k := range review.Kinds() {
		require.Regexp(t, `^[A-Z].*\.$`, k.Meaning(), k)
		require.NotContains(t, review.Kinds()[:i], k)
		require.Equal(t, k == review.LinkUnreachable, k.Passing())
	}
	require.Empty(t, review.Kind("other").Meaning())
}

// fakeLinks answers requests, and notes them.
type fakeLinks struct {
	mu       sync.Mutex
	requests []string
	active   map[string]int // by host
	answer   func(address string) review.Status
}

func (f *fakeLinks) request(_ context.Context, address string) review.Status {
	host := strings.Split(address, "/")[2]
	f.mu.Lock()
	f.requests = append(f.requests, address)
	if f.active == nil {
		f.active = make(map[string]int)
	}
	f.active[host]++
	twice := f.active[host] > 1
	f.mu.Unlock()
	s := f.answer(address)
	f.mu.Lock()
	f.active[host]--
	f.mu.Unlock()
	if twice {
		return review.Status{Result: review.Failed, Reason: "two requests to a host at a time"}
	}
	return s
}

// sources returns the member sources, with the addresses.
func sources(addresses ...string) []object {
	var list []object
	for _, a := range addresses {
		list = append(list, object{"type": "report", "title": "Report", "url": a})
	}
	return list
}

func TestLinks(t *testing.T) {
	members := placing(registertest.Title("en", "see https://a.example/contact, or write to a@lindenau.example"))
	members["sources"] = sources("https://a.example/dead#part", "https://a.example/moved", "http://b.example/slow", "https://c.example/busy", "https://a.example/good")
	members["register"] = object{
		"organisation": object{"name": "Town", "id": "https://no.example/"},
		"assessments":  []object{{"name": "DPIA", "url": "https://a.example/dpia"}}, "filings": []object{{"profile": "us", "url": "https://a.example/filed"}},
	}
	elements := members["elements"].([]object)
	elements[0]["sources"] = sources("https://a.example/dead")
	elements[3]["actions"] = []object{
		{"type": "url", "label": "Read", "target": "https://a.example/action"},
		{"type": "email", "label": "Write", "target": "desk@lindenau.example"},
		{"type": "phone", "label": "Call", "target": "+49 123 4567"},
	}
	retired := object{"sources": sources("https://a.example/dead"), "register": object{"status": "retired"}}
	r := opened(t, "", map[string]func(dir, id string){"one": sample(t, "air-station", members), "other": sample(t, "air-station", retired)})
	f := &fakeLinks{answer: func(address string) review.Status {
		switch address {
		case "https://a.example/dead":
			return review.Status{Result: review.Dead, Reason: "status 404"}
		case "https://a.example/moved":
			return review.Status{Result: review.Moved, Moved: "https://new.example/"}
		case "http://b.example/slow":
			return review.Status{Result: review.Timeout}
		case "https://c.example/busy":
			return review.Status{Result: review.Failed, Reason: "status 503"}
		case "https://no.example/":
			return review.Status{Result: review.NoHost}
		}
		return review.Status{}
	}}
	o := review.Options{Links: f.request}
	require.Equal(t, []string{
		"one sources[0].url: The page https://a.example/dead does not exist any more: status 404.",
		"one register.organisation.id: The host of https://no.example/ does not exist any more.",
		"other sources[0].url: The page https://a.example/dead does not exist any more: status 404.",
	}, list(t, r, review.LinkDead, o))
	slices.Sort(f.requests)
	require.Equal(t, []string{
		"http://b.example/slow", "https://a.example/action", "https://a.example/contact", "https://a.example/dead", "https://a.example/dpia",
		"https://a.example/filed", "https://a.example/good", "https://a.example/moved", "https://c.example/busy", "https://no.example/",
	}, f.requests, "each once")
	require.Equal(t, []string{"one sources[1].url: The page https://a.example/moved has moved permanently to https://new.example/."}, list(t, r, review.LinkMoved, o))
	require.Equal(t, []string{
		"one sources[2].url: The host of http://b.example/slow did not answer in time.",
		"one sources[3].url: The page https://c.example/busy could not be checked: status 503.",
	}, list(t, r, review.LinkUnreachable, o))

	f.requests = nil
	require.Empty(t, list(t, r, review.ReviewOverdue, review.Options{Links: f.request, Only: []review.Kind{review.ReviewOverdue}}))
	require.Empty(t, f.requests)
}

// TestOffline: hosts are not dead if none can be looked up.
func TestOffline(t *testing.T) {
	r := opened(t, "", map[string]func(dir, id string){"one": sample(t, "air-station", object{"sources": sources("https://a.example/", "https://b.example/", "http://127.0.0.1/")})})
	f := &fakeLinks{answer: func(address string) review.Status {
		if address == "http://127.0.0.1/" { // which needs no lookup
			return review.Status{}
		}
		return review.Status{Result: review.NoHost}
	}}
	require.Empty(t, list(t, r, review.LinkDead, review.Options{Links: f.request}))
	require.Len(t, list(t, r, review.LinkUnreachable, review.Options{Links: f.request}), 2)
}

// TestManyLinks shows the limits: of a document, of a host in it, and of a host that does not answer.
func TestManyLinks(t *testing.T) {
	var one, many, slow []string
	for i := range 10_000 {
		one = append(one, fmt.Sprintf("https://one.example/%d", i))
		many = append(many, fmt.Sprintf("https://%d.example/", i))
	}
	for i := range 10 {
		slow = append(slow, fmt.Sprintf("https://slow.example/%d", i))
	}
	r := opened(t, "", map[string]func(dir, id string){
		"one":  sample(t, "air-station", object{"sources": sources(one...)}),
		"many": sample(t, "air-station", object{"sources": sources(many...)}),
		"slow": sample(t, "air-station", object{"sources": sources(slow...)}),
	})
	f := &fakeLinks{answer: func(address string) review.Status {
		if strings.HasPrefix(address, "https://slow.") {
			return review.Status{Result: review.Timeout}
		}
		return review.Status{}
	}}
	found := list(t, r, review.LinkUnreachable, review.Options{Links: f.request})
	counts := map[string]int{}
	for _, address := range f.requests {
		host := strings.Split(address, "/")[2]
		if host != "one.example" && host != "slow.example" {
			host = "others"
		}
		counts[host]++
	}
	require.Equal(t, map[string]int{"one.example": 20, "others": 200, "slow.example": 3}, counts)
	require.Len(t, found, 2+10)
	require.Equal(t, "many : 9800 links not checked: a review requests at most 200 of a document, and 20 of a host.", found[0])
	require.Equal(t, "one : 9980 links not checked: a review requests at most 200 of a document, and 20 of a host.", found[1])
	require.Equal(t, "slow sources[2].url: The host of https://slow.example/2 did not answer in time.", found[4])
	require.Equal(t, "slow sources[3].url: The page https://slow.example/3 was not requested, since its host did not answer 3 times.", found[5])
}

// TestGrowth: twice the documents take twice the time, and so do twice the links of one.
func TestGrowth(t *testing.T) {
	growthtest.Linear(t, 10, func(n int) func() {
		r := registertest.OpenDir(t, registertest.Many(t, n))
		return func() {
			_, err := review.Review(t.Context(), r, &review.Options{Today: today})
			require.NoError(t, err)
		}
	})
	growthtest.Linear(t, 500, func(n int) func() {
		var addresses []string
		for i := range n {
			addresses = append(addresses, fmt.Sprintf("https://%d.example/", i))
		}
		r := opened(t, "", map[string]func(dir, id string){"one": sample(t, "air-station", object{"sources": sources(addresses...)})})
		f := &fakeLinks{answer: func(string) review.Status { return review.Status{} }}
		return func() {
			_, err := review.Review(t.Context(), r, &review.Options{Today: today, Links: f.request})
			require.NoError(t, err)
		}
	})
}

// TestJSON is the form of a finding on the wire.
func TestJSON(t *testing.T) {
	text, err := json.Marshal(review.Finding{
		Kind: review.VersionOld, File: "a.json", Slug: "a", Path: issue.Root.Key("elements").Index(1), Message: "m", Hint: "h",
	})
	require.NoError(t, err)
	require.JSONEq(t, `{"kind": "version_old", "file": "a.json", "slug": "a", "path": "elements[1]", "message": "m", "hint": "h"}`, string(text))
}
