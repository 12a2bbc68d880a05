package phrases_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/datachain-go/datachain/pages/phrases"
)

// TestAnswered says in every language what happened when people asked, with the forms of its plurals.
func TestAnswered(t *testing.T) {
	n := func(n int) *int { return &n }
	full := phrases.Answered{From: "2026-05-01", To: "2026-10-31", Asked: 14, Answered: 13, Days: n(9), Changed: n(2)}
	for lang, want := range map[string]string{
		"en": "From 1 May 2026 to 31 October 2026: 14 requests, 13 answered within 9 days, 2 led to a change.",
		"fr": "Du 1er mai 2026 au 31 octobre 2026 : 14 demandes, 13 avec réponse en 9 jours, 2 ont conduit à un changement.",
		"es": "Del 1 de mayo de 2026 al 31 de octubre de 2026: 14 solicitudes, 13 respondidas en 9 días, 2 llevaron a un cambio.",
		"de": "Vom 1. Mai 2026 bis 31. Oktober 2026: 14 Anfragen, 13 beantwortet innerhalb von 9 Tagen, 2 führten zu einer Änderung.",
		"it": "Dal 1 maggio 2026 al 31 ottobre 2026: 14 richieste, 13 con risposta entro 9 giorni, 2 hanno portato a un cambiamento.",
		"pt": "De 1 de maio de 2026 a 31 de outubro de 2026: 14 pedidos, 13 respondidos em 9 dias, 2 levaram a uma alteração.",
		"nl": "Van 1 mei 2026 tot 31 oktober 2026: 14 verzoeken, 13 beantwoord binnen 9 dagen, 2 leidden tot een wijziging.",
		"xx": "From 1 May 2026 to 31 October 2026: 14 requests, 13 answered within 9 days, 2 led to a change.",
	} {
		assert.Equal(t, want, full.In(lang), lang)
	}
	for lang, want := range map[string]string{
		"en": "Answers within 9 days", "fr": "Répond en 9 jours", "es": "Responde en 9 días", "de": "Antwortet innerhalb von 9 Tagen",
		"it": "Risponde entro 9 giorni", "pt": "Responde em 9 dias", "nl": "Antwoordt binnen 9 dagen", "ar": "يجيب خلال 9 أيام", "xx": "Answers within 9 days",
	} {
		assert.Equal(t, want, full.Within(lang), lang)
	}
	assert.Equal(t, "Answers on the same day", (&phrases.Answered{Asked: 1, Answered: 1, Days: n(0)}).Within("en"))
	for _, unknown := range []*phrases.Answered{nil, {Asked: 3, Answered: 3}, {Asked: 3, Days: n(9)}} {
		assert.Empty(t, unknown.Within("en"))
	}
	assert.Regexp(t, "14 طلبًا، أُجيب عن 13 خلال 9 أيام، أدّى اثنان منها إلى تغيير", full.In("ar"))
	said, ok := full.Localized().Get("nl")
	assert.True(t, ok)
	assert.Equal(t, full.In("nl"), said)
	for want, a := range map[string]phrases.Answered{
		"1 request, 1 answered on the same day, 1 led to a change": {Asked: 1, Answered: 1, Days: n(0), Changed: n(1)},
		"1,200 requests, 0 answered, none led to a change":         {Asked: 1200, Days: n(4), Changed: n(0)},
		"0 requests, 0 answered":                                   {Changed: n(0)},
	} {
		a.From, a.To = "2026-05-01", "soon" // an invalid date stays as it is
		assert.Equal(t, "From 1 May 2026 to soon: "+want+".", a.In("en"))
	}
}
