package profile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/register/profile"
)

// TestCheck warns about what a version does not have, once, and about nothing that it has.
func TestCheck(t *testing.T) {
	p, issues := profile.Parse("own.yaml", []byte(`{id: own, types: [sensor], locale: it, fields: [
{name: a, from: [{element: [risk.nope, risk.errors], text: "{var.nope}{role.safeguard}"}, {category: nope, text: "{var.x}"}, {element: nope, text: "{title}"}]},
{name: b, from: [{role: purpose, text: "{role.period}"}, {role: data, context: [personal, nope], text: "{context}"}, {has: {role: data, context: nope}, then: y}]},
{name: c, from: [{all: [{role: purpose, text: "{element}", map: {purpose.benefits: x, purpose.nope: y}}]}]},
{name: d, list: true, each: {role: data}, from: [{text: "{var.items}{var.never}"}], import: {category: input_data, variable: gone}},
{name: e, type: list, each: {role: rights, context: missing}, fields: [{name: f, from: [{text: "{var.deadline}{role.link}"}]}]},
{name: g, from: [{element: nope, text: "{title}"}], import: {category: elsewhere, variable: x}}]}`))
	require.Empty(t, issues)
	var messages []string
	for _, i := range p.Check(release(t, "ai@2026-11-15-stable")) {
		require.EqualValues(t, "PROFILE_INVALID", i.Code)
		require.EqualValues(t, "warning", i.Severity)
		messages = append(messages, i.Message)
	}
	const has = "ai@2026-11-15-stable has no "
	require.Equal(t, []string{
		"The profile is for documents of the type sensor, not ai.",
		"ai@2026-11-15-stable has no texts in it, so values with its titles are left out.",
		has + "variable nope in risk.nope, which the field a names.",
		has + "category nope, which the field a names.",
		has + "element nope, which the field a names.",
		has + "variable with the role period in purpose, which the field b names.",
		has + "context value nope in data, which the field b names.",
		has + "element purpose.nope, which the field c names.",
		has + "variable never in data, which the field d names.",
		has + "variable gone in input_data, which the field d names.",
		has + "context value missing in rights, which the field e names.",
		has + "variable with the role link in rights, which the field e names.",
		has + "category elsewhere, which the field g names.",
	}, messages)
}
