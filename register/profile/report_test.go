package profile_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/register/profile"
)

// reported reports the sample document with changes in a profile with some fields.
func reported(t *testing.T, fields string, change func(object)) *profile.Report {
	t.Helper()
	return parse(t, fields).Report(present(t, housing(t, change)), &profile.Options{Settings: settings(t)})
}

// filing gives the document a filing of the profile own with answers.
func filing(answers object) func(object) {
	return func(doc object) {
		doc["register"].(object)["filings"] = []any{object{"profile": "own", "id": "7", "answers": answers}}
	}
}

// first returns the texts of the first field.
func first(r *profile.Report) string { return strings.Join(r.Values[0].Texts, "|") }

// TestCases has the rules for values.
func TestCases(t *testing.T) {
	status := func(value string) func(object) {
		return func(doc object) { doc["register"].(object)["status"] = value }
	}
	for _, test := range []struct {
		name, fields string
		change       func(object)
		text         string
		findings     []string
		unfinished   bool
	}{
		{"constant", `- {name: a, is: x, from: [{is: x}]}`, nil, "", nil, false},
		{"an answer wins", `- {name: a, from: [{path: title}]}`, filing(object{"a": "mine"}), "mine", []string{"a answer_differs"}, false},
		{"an answer alike", `- {name: a, from: [{path: id}]}`, filing(object{"a": "housing-benefit-check"}), "housing-benefit-check", nil, false},
		{"an empty answer is none", `- {name: a, from: [{path: id}]}`, filing(object{"a": " "}), "housing-benefit-check", nil, false},
		{"an answer to no field", `- {name: a, from: [{path: id}]}`, filing(object{"b": "x"}), "housing-benefit-check", []string{"b answer_unknown"}, false},
		{"too long is whole", `- {name: a, max: 10, from: [{path: id}]}`, nil, "housing-benefit-check", []string{"a too_long"}, true},
		{"a plain text", `- {name: a, from: [{path: register.organisation.name}]}`, nil, "Town of Lindenau", nil, false},
		{"no value in the table", `- {name: a, from: [{path: register.status, map: {planned: soon}}]}`, nil, "", []string{"a not_a_choice"}, true},
		{"no choice", `- {name: a, type: choice, choices: [in use], from: [{path: register.status}]}`, nil, "", []string{"a not_a_choice"}, true},
		{"choice by alias", `- {name: a, type: choice, choices: {u: In Use}, aliases: {u: in_use}, from: [{path: register.status}]}`, nil, "In Use", nil, false},
		{"answer by word", `- {name: a, type: choice, choices: {u: In Use}}`, filing(object{"a": "IN  use"}), "In Use", nil, false},
		{"a paused system", `- {name: a, from: [{path: register.status, map: {retired: Buiten gebruik, paused: Buiten gebruik}}]}`, status("paused"), "Buiten gebruik", nil, false},
		{"confirm", `- {name: a, type: choice, choices: [y], confirm: true, from: [{has: {role: risk}, then: y}]}`, nil, "", []string{"a confirm"}, false},
		{"confirmed", `- {name: a, type: choice, choices: [y], confirm: true, from: [{has: {role: risk}, then: y}]}`, filing(object{"a": "y"}), "y", nil, false},
		{"required", `- {name: a, required: true, from: [{path: register.until}]}`, nil, "", []string{"a missing"}, true},
		{"invalid", `- {name: a, type: url}`, filing(object{"a": "javascript:alert(1)"}), "", []string{"a invalid"}, false},
		{"month", `- {name: a, type: month, from: [{path: register.since}]}`, nil, "2026-09", nil, false},
		{"date of a time", `- {name: a, type: date, from: [{path: created_at}]}`, nil, "2026-09-14", nil, false},
		{"email", `- {name: a, type: email, from: [{publisher: contact.email}]}`, nil, "register@lindenau.example", nil, false},
		{"page", `- {name: a, type: url, from: [{page: url}]}`, nil, "https://register.lindenau.example/d/housing-benefit/", nil, false},
		{"filing", `- {name: a, from: [{filing: id}]}`, filing(object{}), "7", nil, false},
		{"the first that gives a value", `- {name: a, from: [{path: register.until}, {path: register.since}]}`, nil, "2026-09-14", nil, false},
		{"lead", `- {name: a, from: [{role: accountable, lead: true, text: "{role.name}"}]}`, nil, "Town of Lindenau", nil, false},
		{"a category of several", `- {name: a, from: [{category: [processing, technique], text: "{element}"}]}`, nil, "technique.prediction", nil, false},
		{"context", `- {name: a, from: [{role: data, context: [sensitive], text: "{element}"}]}`, nil, "", nil, false},
		{"joined", `- {name: a, from: [{role: rights, text: "{element}", join: ", "}]}`, nil, "rights.explanation, rights.challenge", nil, false},
		{"only the first", `- {name: a, from: [{role: rights, text: "{element}", first: true}]}`, nil, "rights.explanation", nil, false},
		{"optional", `- {name: a, from: [{role: rights, text: "{element}[ until {var.deadline}]", join: ", "}]}`, nil, "rights.explanation, rights.challenge until one month after the letter", nil, false},
		{"variables in descriptions", `- {name: a, from: [{element: oversight.spot_checks, text: "{description}"}]}`, nil, "Staff check some of the results by hand and have the system corrected when it is wrong. How often: Every week.", nil, false},
		{"the rest", `- {name: a, from: [{element: purpose.benefits, text: "{rest}"}]}`, nil, "What it does, in one sentence: A program looks for missing papers and works out what you may be entitled to. A case officer decides.", nil, false},
		{"each choice once", `- {name: a, type: choices, choices: [x, y], from: [{role: rights, text: "{element}", map: {rights.explanation: x, rights.challenge: x}}]}`, nil, "x", nil, false},
		{"label", `- {name: a, from: [{element: input_data.finances, text: "{label}: {context}"}]}`, nil, "Rent and income: Personal", nil, false},
		{"action", `- {name: a, from: [{role: rights, text: "{action.form}"}]}`, nil, "https://lindenau.example/appeal", nil, false},
		{"has", `- {name: a, type: choice, choices: {y: "Yes", n: "No"}, from: [{has: {role: data, context: [personal]}, then: y, else: n}]}`, nil, "Yes", nil, false},
		{"has not", `- {name: a, type: choice, choices: {y: "Yes", n: "No"}, from: [{has: {role: data, context: [sensitive]}, then: y, else: n}]}`, nil, "No", nil, false},
		{"has what the taxonomy does not know", `- {name: a, from: [{has: {role: data, context: [could_identify_people]}, then: y, else: n}]}`, nil, "", nil, false},
		{"all", `- {name: a, from: [{all: [{path: id}, {role: risk, text: "{element}"}], join: " + "}]}`, nil, "housing-benefit-check + risk.errors", nil, false},
		{"condition holds", "- {name: a, required: {b: [in_use]}}\n- {name: b, from: [{path: register.status}]}", nil, "", []string{"a missing"}, true},
		{"condition does not hold", "- {name: a, required: {b: [trial]}}\n- {name: b, from: [{path: register.status}]}", nil, "", nil, false},
		{"condition unknown", "- {name: a, required: {b: [x]}}\n- {name: b}", nil, "", []string{"a condition_unknown"}, false},
		{"only", "- {name: a, only: {b: [retired]}, from: [{path: id}]}\n- {name: b, from: [{path: register.status}]}", nil, "", nil, false},
		{"only after another", "- {name: a, only: {b: [x]}, from: [{is: a}]}\n- {name: b, only: {c: [retired]}, from: [{is: x}]}\n- {name: c, from: [{path: register.status}]}", nil, "", []string{"a condition_unknown"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			fields := strings.Replace(test.fields, "is: x, from", "from", 1)
			r := reported(t, "  "+strings.ReplaceAll(fields, "\n", "\n  ")+"\n", test.change)
			if test.name == "constant" {
				test.text = "x"
			}
			require.Equal(t, test.text, first(r))
			require.Equal(t, test.findings, findings(r))
			require.Equal(t, test.unfinished, !r.OK())
		})
	}
}

// TestLanguage leaves a field empty if a part of it is only in other languages, and names them.
func TestLanguage(t *testing.T) {
	p, issues := profile.Parse("nl.yaml", []byte(`{id: own, types: [ai], locale: nl, fields: [{name: a, from: [{role: risk, text: "{title}[: {role.safeguard}]"}]}]}`))
	require.Empty(t, issues)
	shown := present(t, housing(t, nil))
	r := p.Report(shown, nil)
	require.Empty(t, first(r))
	require.Equal(t, []profile.Finding{{Kind: profile.Language, Field: "a", Message: "elements[10].variables[0] (risk.errors, safeguard) has en and fr, not nl"}}, r.Findings)
	r = p.Report(shown, &profile.Options{AnyLanguage: true})
	require.Equal(t, "Fouten: the case officer sees every figure and its source, and can change it", first(r))
	require.Equal(t, []profile.Finding{{Kind: profile.Language, Field: "a", Message: "written in en, not nl"}}, r.Findings)
}

// TestGroups gives the fields of a group as many items, and names the one that lacks a value.
func TestGroups(t *testing.T) {
	fields := `
  - {name: a, list: true, group: g, required: true, each: {role: rights}, from: [{text: "{element}"}]}
  - {name: b, list: true, group: g, required: true, each: {role: rights}, from: [{text: "{var.deadline}"}]}
  - {name: c, list: true, group: g, each: {role: rights}}
`
	r := reported(t, fields, nil)
	require.Equal(t, []string{"", "one month after the letter"}, r.Values[1].Texts)
	require.Equal(t, []string{"b[0] missing"}, findings(r))
	require.Equal(t, 1, r.Given)
	require.True(t, r.Values[2].Empty())

	r = reported(t, fields, filing(object{"b": []any{"soon", ""}, "c": []any{"x"}}))
	require.Equal(t, []string{"soon", "one month after the letter"}, r.Values[1].Texts, "a gap in an answer is none")
	require.Equal(t, []string{"x", ""}, r.Values[2].Texts)
	require.True(t, r.OK())
}

// TestObjects writes a list of objects, without empty fields.
func TestObjects(t *testing.T) {
	r := reported(t, `
  - {name: laws, type: list, each: {sources: [law]}, fields: [{name: title, required: true, from: [{path: title}]}, {name: where, required: true, from: [{path: citation}]}, {name: link, type: url, from: [{path: url}]}]}
`, nil)
	var b bytes.Buffer
	require.NoError(t, r.Write(&b, profile.JSON))
	require.JSONEq(t, `{"laws": [{"title": "Housing Support Act, section 12", "link": "https://laws.example/hsa#12"}]}`, b.String())
	require.Equal(t, []string{"laws[0].where missing"}, findings(r))
}

// TestPrivateAnswers wins over answers of the document.
func TestPrivateAnswers(t *testing.T) {
	r := parse(t, "  - {name: a}\n").Report(present(t, housing(t, filing(object{"a": "public"}))), &profile.Options{Answers: map[string][]string{"a": {"private"}}})
	require.Equal(t, "private", first(r))
}

// TestOutput writes what a spreadsheet or a page would evaluate as text, twice the same.
func TestOutput(t *testing.T) {
	p, issues := profile.Parse("p.yaml", []byte(`
id: own
types: [ai]
locale: en
output: {format: csv, header: title, joined: "; "}
fields:
  - {name: a, title: System, from: [{path: title}]}
  - {name: b, title: Page, type: html, from: [{path: title}]}
  - {name: c, title: Rights, list: true, from: [{role: rights, text: "{element}"}]}
  - {name: d, auto: true, from: [{is: x}]}
`))
	require.Empty(t, issues)
	shown := present(t, housing(t, func(doc object) { doc["title"] = english("=cmd <b>&</b>\x1b[31m") }))
	for _, format := range []profile.Format{profile.JSON, profile.CSV, profile.Text, ""} {
		var one, two bytes.Buffer
		require.NoError(t, p.Report(shown, nil).Write(&one, format))
		t.Setenv("TZ", "Asia/Tokyo")
		t.Setenv("LC_ALL", "de_DE.UTF-8")
		require.NoError(t, p.Report(shown, nil).Write(&two, format))
		require.Equal(t, one.String(), two.String())
		switch format {
		case profile.Text:
			require.NotContains(t, one.String(), "\x1b")
			require.NotContains(t, strings.ToLower(one.String()), "compl")
			require.Contains(t, one.String(), "← constant")
		case profile.JSON:
			var fields object
			require.NoError(t, json.Unmarshal(one.Bytes(), &fields))
			require.Equal(t, object{"a": "=cmd <b>&</b>\x1b[31m", "b": "=cmd &lt;b&gt;&amp;&lt;/b&gt;\x1b[31m", "c": []any{"rights.explanation", "rights.challenge"}}, fields, "what the target gives is not sent")
		default:
			rows, err := csv.NewReader(&one).ReadAll()
			require.NoError(t, err)
			require.Equal(t, []string{"System", "Page", "Rights", "d"}, rows[0])
			require.Equal(t, "'=cmd <b>&</b>\x1b[31m", rows[1][0])
			require.Equal(t, "rights.explanation; rights.challenge", rows[1][2])
		}
	}
	var b bytes.Buffer
	require.Error(t, p.Report(shown, nil).Write(&b, "xml"))
}

// TestFacets are a second object.
func TestFacets(t *testing.T) {
	p, issues := profile.Parse("p.yaml", []byte(`{id: own, types: [ai], locale: en, fields: [{name: a, from: [{is: x}]}], facets: [{name: f, required: true, from: [{path: id}]}]}`))
	require.Empty(t, issues)
	r := p.Report(present(t, housing(t, nil)), nil)
	require.Equal(t, "own: 1 of 1 fields, 0 of 0 required, 1 of 1 facets", r.Headline())
	var b bytes.Buffer
	require.NoError(t, r.Write(&b, ""))
	require.JSONEq(t, `[{"a": "x"}, {"f": "housing-benefit-check"}]`, b.String())
	b.Reset()
	require.NoError(t, profile.WriteAll(&b, p, []*profile.Report{r, r}, ""))
	require.JSONEq(t, `[[{"a": "x"}, {"f": "housing-benefit-check"}], [{"a": "x"}, {"f": "housing-benefit-check"}]]`, b.String())
}

// TestHostile leaves out what is longer than any target takes, and ends where profiles and documents
// multiply each other.
func TestHostile(t *testing.T) {
	long := strings.Repeat("word ", 20<<10)
	r := reported(t, "  - {name: a, from: [{path: title}]}\n", func(doc object) { doc["title"] = english(long) })
	require.Empty(t, first(r))
	require.Equal(t, []string{"a too_long"}, findings(r))

	many := func(doc object) {
		var sources []any
		for range 5000 {
			sources = append(sources, object{"type": "law", "title": strings.Repeat("x", 100), "url": "https://laws.example/"})
		}
		doc["sources"] = sources
	}
	template := strings.Repeat("{title}", 20_000)
	p := parse(t, "  - {name: a, from: [{sources: [law], text: \""+template+"\"}]}\n")
	r = p.Report(present(t, housing(t, many)), nil)
	require.Contains(t, findings(r), "a too_long")
}
