package summary_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

func inEnglish(s string) taxonomy.Localized {
	return taxonomy.Localized{{Locale: "en", Value: s}, {Locale: "fr", Value: s + " (fr)"}}
}

// summarized is a document with placements of made-up elements, written as
// "category.element=context name: value; variable: value".
func summarized(categories []taxonomy.Category, variables []taxonomy.Variable, placements ...string) *datachain.Presentation {
	doc := &taxonomy.Resolved{}
	for _, c := range categories {
		doc.SchemaSnapshot.DatachainType.Categories = append(doc.SchemaSnapshot.DatachainType.Categories, c.ID)
	}
	doc.SchemaSnapshot.Categories = categories
	for i, text := range placements {
		head, values, _ := strings.Cut(text, " ")
		id, context, _ := strings.Cut(head, "=")
		category, _, _ := strings.Cut(id, ".")
		doc.SchemaSnapshot.Elements = append(doc.SchemaSnapshot.Elements, taxonomy.Element{ID: id, Title: inEnglish(id), CategoryID: category, Variables: variables, Lead: strings.HasSuffix(id, "!")})
		p := taxonomy.Placement{ElementID: id, ContextTypeID: context, ElementInstanceID: fmt.Sprint(i)}
		for value := range strings.SplitSeq(values, "; ") {
			switch name, v, _ := strings.Cut(value, ": "); name {
			case "":
			case "action":
				p.Actions = []taxonomy.Action{{Type: "email", Target: v}}
			case "priority":
				p.Priority = new(int)
				*p.Priority = len(v)
			case "label":
				p.Label = &taxonomy.Label{Plain: v}
			case "option":
				p.Variables = append(p.Variables, taxonomy.VariableValue{ID: name, Options: strings.Split(v, ",")})
			default:
				p.Variables = append(p.Variables, taxonomy.VariableValue{ID: name, Text: inEnglish(v)})
			}
		}
		doc.Elements = append(doc.Elements, p)
	}
	return &datachain.Presentation{Datachain: doc}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("../../examples/documents/" + name)
	require.NoError(t, err)
	return text
}

func present(t *testing.T, text []byte) *datachain.Presentation {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	service, err := datachain.New(store, nil)
	require.NoError(t, err)
	verdict, p, err := service.Present(t.Context(), text)
	require.NoError(t, err)
	require.True(t, verdict.OK(), "%v", verdict.Issues)
	return p
}

// told writes a summary, one line a point.
func told(s *summary.Summary) (lines []string) {
	for _, p := range s.Points {
		line := string(p.Role)
		if p.Role == "" {
			line = "(" + p.Category.ID + ")"
		}
		if p.AtMost {
			line += " at most"
		}
		if p.Context != nil {
			line += " " + p.Context.ID
		}
		line += ":"
		for _, e := range p.Entries {
			line += " " + e.Element.ID
			for _, field := range []struct {
				name string
				text taxonomy.Localized
			}{{"name", e.Name}, {"words", e.Words}, {"contact", e.Contact}, {"link", e.Link}, {"safeguard", e.Safeguard}, {"basis", e.LegalBasis}, {"period", e.Period}} {
				if len(field.text) > 0 {
					line += " " + field.name + "=" + field.text.Pick("en")
				}
			}
		}
		lines = append(lines, line)
	}
	return lines
}

func TestSummary(t *testing.T) {
	values := func(ids ...string) (list []taxonomy.ContextValue) {
		for _, id := range ids {
			list = append(list, taxonomy.ContextValue{ID: id, Label: inEnglish(id), Lead: strings.HasSuffix(id, "!")})
		}
		return list
	}
	category := func(id string, role taxonomy.Role, order taxonomy.Order, v ...string) taxonomy.Category {
		return taxonomy.Category{ID: id, Name: inEnglish(id), Role: role, Context: taxonomy.Context{Order: order, Values: values(v...)}}
	}
	roles := []taxonomy.Category{
		category("who", taxonomy.RoleAccountable, "", "maker", "user!"),
		category("what", taxonomy.RoleData, taxonomy.OrderRising, "low", "mid", "high"),
		category("kept", taxonomy.RoleData, taxonomy.OrderFalling, "bad", "good"),
		category("why", taxonomy.RolePurpose, ""),
		category("risk", taxonomy.RoleRisk, taxonomy.OrderFalling, "severe", "slight"),
		category("can", taxonomy.RoleRights, ""),
		category("people", taxonomy.RolePeople, ""),
	}
	plain := func(required ...string) (list []taxonomy.Category) {
		for _, id := range []string{"a", "b", "c", "d", "e", "f", "g"} {
			c := category(id, "", "", "low", "high")
			c.Required = strings.Contains(strings.Join(required, " "), id)
			list = append(list, c)
		}
		return list
	}
	variables := []taxonomy.Variable{
		{ID: "title", Role: taxonomy.RoleName},
		{ID: "note", Role: taxonomy.RoleWords},
		{ID: "other", Role: taxonomy.RoleWords},
		{ID: "mail", Role: taxonomy.RoleContact},
		{ID: "page", Role: taxonomy.RoleLink},
		{ID: "guard", Role: taxonomy.RoleSafeguard},
		{ID: "law", Role: taxonomy.RoleLegalBasis},
		{ID: "option", Role: taxonomy.RolePeriod, Options: []taxonomy.Option{{ID: "x", Label: inEnglish("X")}, {ID: "y", Label: inEnglish("Y")}}},
	}
	overlay := &summary.Roles{
		Categories: map[string]taxonomy.Role{"a": taxonomy.RolePurpose, "b": taxonomy.RoleData, "c": taxonomy.RoleAccountable},
		Lead:       summary.Leads{Elements: []string{"c.boss"}, ContextValues: map[string][]string{"a": {"high"}}},
		Contexts:   map[string]summary.ContextRole{"b": {Order: taxonomy.OrderRising}, "a": {Role: taxonomy.RoleStage}},
		Variables:  map[string]taxonomy.Role{"plain": taxonomy.RoleName},
	}
	for name, c := range map[string]struct {
		show    *datachain.Presentation
		overlay *summary.Roles
		want    []string
	}{
		"everything": {
			summarized(roles, variables,
				"who.maker=maker title: Maker", "who.city=user! title: City; mail: a@b", "what.a=mid", "what.b=high note: Own", "what.c=high", "why.x note: Warns; other: No", "why.y",
				"risk.a=slight guard: Lid", "risk.b=severe guard: Fence; law: Act; option: x,y", "can.a", "can.b action: x@y", "can.c mail: z@y; page: https://x"),
			nil,
			[]string{
				"purpose: why.x words=Warns why.y", "data at most high: what.b words=Own what.c", "risk at most severe: risk.b safeguard=Fence basis=Act period=X, Y",
				"accountable user!: who.city name=City contact=a@b", "rights: can.b can.c contact=z@y link=https://x",
			},
		},
		"three of the highest":     {summarized(roles, nil, "what.a=low", "what.b=low", "what.c=low", "what.d=low"), nil, []string{"purpose:", "data at most low: what.a what.b what.c", "risk:", "accountable:", "rights:"}},
		"the highest of the roles": {summarized(roles, nil, "what.a=mid", "kept.b=bad"), nil, []string{"purpose:", "data at most bad: kept.b", "risk:", "accountable:", "rights:"}},
		"no value of an order":     {summarized(roles, nil, "what.a"), nil, []string{"purpose:", "data: what.a", "risk:", "accountable:", "rights:"}},
		"no lead, a label, a priority": {
			summarized(roles[:1], variables, "who.a=maker priority: 22", "who.b=maker label: Bee"), nil,
			[]string{"accountable maker: who.b name=Bee"},
		},
		"an element is the lead": {summarized(roles[:1], nil, "who.a", "who.b!"), nil, []string{"accountable: who.b!"}},
		"no order":               {summarized([]taxonomy.Category{category("d", taxonomy.RoleData, "", "low", "high")}, nil, "d.a=low", "d.b=high"), nil, []string{"data: d.a d.b"}},
		"no roles, required":     {summarized(plain("b", "d"), nil, "a.x", "b.x=low", "b.y", "d.x", "e.x"), nil, []string{"(b) low: b.x", "(d): d.x"}},
		"no roles, five of six":  {summarized(plain(), nil, "g.x", "a.x", "b.x", "c.x", "d.x", "f.x"), nil, []string{"(a): a.x", "(b): b.x", "(c): c.x", "(d): d.x", "(f): f.x"}},
		"no roles, more required": {
			summarized(plain("a", "b", "c", "d", "e", "f"), nil, "a.x", "b.x", "c.x", "d.x", "e.x", "f.x"), nil,
			[]string{"(a): a.x", "(b): b.x", "(c): c.x", "(d): d.x", "(e): e.x"},
		},
		"overlay": {
			summarized(plain(), []taxonomy.Variable{{ID: "plain"}}, "a.x=low", "a.y=high", "b.x=low", "b.y=high", "c.maker", "c.boss plain: Boss"), overlay,
			[]string{"purpose: a.y a.x", "data at most high: b.y", "accountable: c.boss name=Boss"},
		},
		"overlay of other categories": {summarized(plain()[3:], nil, "d.x"), overlay, []string{"(d): d.x"}},
		"overlay of a release with roles": {
			summarized([]taxonomy.Category{category("a", taxonomy.RoleRisk, ""), category("b", "", "")}, nil, "a.x", "b.x"), overlay,
			[]string{"risk: a.x"},
		},
		"empty": {summarized(nil, nil), nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, told(summary.Of(c.show.Datachain, c.show.Release, c.overlay)))
		})
	}
}

// TestState tells what a document does not say from what its taxonomy does not mark.
func TestState(t *testing.T) {
	category := func(id string, role taxonomy.Role, variables ...taxonomy.Variable) taxonomy.Category {
		return taxonomy.Category{ID: id, Name: inEnglish(id), Role: role, Variables: variables}
	}
	mail, guard := taxonomy.Variable{ID: "mail", Role: taxonomy.RoleContact}, taxonomy.Variable{ID: "guard", Role: taxonomy.RoleSafeguard}
	some := []taxonomy.Category{category("why", taxonomy.RolePurpose), category("who", taxonomy.RoleAccountable, mail), category("kept", taxonomy.RoleRetention), category("other", "")}
	none := []taxonomy.Category{category("why", ""), category("who", ""), category("other", "")}
	overlay := &summary.Roles{
		Categories: map[string]taxonomy.Role{"why": taxonomy.RolePurpose, "who": taxonomy.RoleAccountable, "can": taxonomy.RoleRights},
		Variables:  map[string]taxonomy.Role{"mail": taxonomy.RoleContact},
	}
	blank := summarized(some, []taxonomy.Variable{mail}, "who.x mail: x")
	blank.Datachain.Elements[0].Variables[0].Text = taxonomy.Localized{{Locale: "en", Value: " \t"}}
	for name, c := range map[string]struct {
		show     *datachain.Presentation
		overlay  *summary.Roles
		said     []taxonomy.Role
		notSaid  []taxonomy.Role
		ofFirst  map[taxonomy.Role]summary.State
		notKnown []taxonomy.Role
	}{
		"no roles": {
			show:     summarized(none, nil, "why.x", "who.y"),
			notKnown: []taxonomy.Role{"purpose", "accountable", "data", "decision", "risk", "rights", "retention", "contact"},
		},
		"some roles": {
			show: summarized(some, []taxonomy.Variable{mail, guard}, "who.x mail: a@b", "other.y"),
			said: []taxonomy.Role{"accountable", "contact"}, notSaid: []taxonomy.Role{"purpose", "retention", "safeguard"},
			ofFirst:  map[taxonomy.Role]summary.State{"contact": summary.Said, "safeguard": summary.NotSaid, "period": summary.NotKnown},
			notKnown: []taxonomy.Role{"data", "decision", "risk", "rights", "period"},
		},
		"a variable that no placement has": {
			show: summarized(some, nil, "why.x"), said: []taxonomy.Role{"purpose"}, notSaid: []taxonomy.Role{"accountable", "contact"},
			ofFirst: map[taxonomy.Role]summary.State{"contact": summary.NotKnown}, notKnown: []taxonomy.Role{"safeguard"},
		},
		"white space is not a text": {
			show: blank, said: []taxonomy.Role{"accountable"}, notSaid: []taxonomy.Role{"contact"},
		},
		"roles laid over": {
			show: summarized(none, []taxonomy.Variable{{ID: "mail"}}, "who.x mail: a@b"), overlay: overlay,
			said: []taxonomy.Role{"accountable", "contact"}, notSaid: []taxonomy.Role{"purpose"}, notKnown: []taxonomy.Role{"rights", "data"},
		},
		"roles laid over a version with some": {
			show: summarized([]taxonomy.Category{category("why", taxonomy.RolePurpose), category("who", "")}, nil, "who.x"), overlay: overlay,
			notSaid: []taxonomy.Role{"purpose"}, notKnown: []taxonomy.Role{"accountable"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			entries, s := summary.Entries(c.show.Datachain, c.show.Release, c.overlay)
			for want, roles := range map[summary.State][]taxonomy.Role{summary.Said: c.said, summary.NotSaid: c.notSaid, summary.NotKnown: c.notKnown} {
				for _, role := range roles {
					assert.Equal(t, want, s.State(role), role)
				}
			}
			for role, want := range c.ofFirst {
				assert.Equal(t, want, entries[0].State(role), role)
			}
		})
	}
}

// TestSummaryOfSamples shows that the summary of a resolved document is the same once its
// schema version is no longer published, except for what the document says nothing about.
func TestSummaryOfSamples(t *testing.T) {
	p := present(t, read(t, "crossing-camera.resolved.json"))
	got := summary.Of(p.Datachain, p.Release, nil)
	want := []string{
		"purpose: purpose.traffic words=Two cameras count cars, bicycles and people, so that the traffic lights change in time. purpose.safety", "data at most could_identify_people: data.images",
		"accountable: responsible.in_charge name=Roads Department of Lindenau contact=roads@lindenau.example, 0123 4570",
		"rights: rights.ask words=write to roads@lindenau.example with place, day and hour",
	}
	require.Equal(t, want, told(got))
	point, ok := got.Point(taxonomy.RoleData)
	require.True(t, ok)
	assert.Equal(t, "#E8B857", point.Context.Color)
	_, ok = got.Point(taxonomy.RoleRisk)
	assert.False(t, ok, "the taxonomy has no such role")

	p.Release = nil
	assert.Equal(t, want, told(summary.Of(p.Datachain, p.Release, nil)))

	old := present(t, bytes.ReplaceAll(read(t, "wifi-counter.json"), []byte("sensor@2026-11-15-stable"), []byte("sensor@2026-06-15-stable"))) // which has no roles
	assert.Equal(t, []string{"(purpose): purpose.planning", "(device) set_hours: device.wireless", "(data) could_identify_people: data.phone_signals", "(responsible): responsible.in_charge"}, told(summary.Of(old.Datachain, old.Release, nil)))
	assert.Equal(t, []string{"purpose: purpose.planning"}, told(summary.Of(old.Datachain, old.Release, &summary.Roles{Categories: map[string]taxonomy.Role{"purpose": taxonomy.RolePurpose}})))
}

// TestSummaryStage finds the stage of a system.
func TestSummaryStage(t *testing.T) {
	p := present(t, read(t, "library-chat.json"))
	got := summary.Of(p.Datachain, p.Release, nil)
	require.NotNil(t, got.Stage)
	assert.Equal(t, "trial", got.Stage.ID)
	assert.Len(t, got.Points, 6)
}
