package pages_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/pages"
)

// factsOf returns the texts of the facts beside a document, by their names.
func factsOf(page *node) map[string]string {
	facts := make(map[string]string)
	for _, list := range page.all("dl.facts") {
		for _, row := range list.all("div") {
			facts[row.all("dt")[0].text()] = row.text()
		}
	}
	return facts
}

// administrative are the facts that other registers ask for, with hostile texts.
func administrative() map[string]any {
	return map[string]any{
		"slug": "filed",
		"organisation": map[string]any{"name": "Town of Lindenau", "owner": []any{
			map[string]any{"locale": "en", "value": "Head of <b>Social Affairs</b>"}, map[string]any{"locale": "fr", "value": "Direction des affaires sociales"},
		}},
		"assessments": []any{
			map[string]any{"name": "Impact <script>alert(1)</script>", "kind": "privacy", "date": "2026-08-01", "url": "https://lindenau.example/dpia.pdf?a=1&b=2", "summary": "No high risk is left."},
			map[string]any{"name": "Security test", "kind": "security", "state": "in_progress"},
		},
		"classes": []any{
			map[string]any{"scheme": "eu-ai-act", "class": "high_risk", "reason": "Annex III, point 5 (a)"},
			map[string]any{"scheme": "https://scheme.example/levels", "class": "B"},
		},
		"filings": []any{map[string]any{
			"profile": "nl-algoritmeregister-1.0", "id": "<i>12345678</i>", "url": "https://algoritmes.overheid.nl/nl/algoritme/12345678", "filed": "2026-10-05",
			"answers": map[string]any{"website": "an answer to nobody else"},
		}},
	}
}

// TestAdministrativeFacts shows in every language of the pages who is responsible, which assessments
// and classes there are, and where else a document is filed, with the host of each link. The answers
// that only another register asks for are not shown.
func TestAdministrativeFacts(t *testing.T) {
	shelf := newShelf(t)
	languages := []string{"en", "fr", "es", "de", "it", "pt", "nl", "ar"}
	var title []any
	for _, lang := range languages {
		title = append(title, map[string]any{"locale": lang, "value": "Housing benefit " + lang})
	}
	shelf.settings(`{"languages": ["` + strings.Join(languages, `", "`) + `"]}`)
	shelf.put("filed.json", "benefits.json", map[string]any{"id": "filed", "title": title, "register": administrative()})
	s := shelf.serve(nil)
	for i, want := range [][]string{
		{"Responsible", "Assessments", "Classes", "Also filed at", "Privacy · Done · 1 August 2026", "Security · In progress"},
		{"Responsable", "Évaluations", "Classes", "Aussi inscrit dans", "Vie privée · Terminée · 1er août 2026", "Sécurité · En cours"},
		{"Responsable", "Evaluaciones", "Clases", "También inscrito en", "Privacidad · Terminada · 1 de agosto de 2026", "Seguridad · En curso"},
		{"Verantwortlich", "Prüfungen", "Einstufungen", "Auch eingetragen bei", "Datenschutz · Abgeschlossen · 1. August 2026", "Sicherheit · Läuft"},
		{"Responsabile", "Valutazioni", "Classi", "Iscritto anche in", "Privacy · Conclusa · 1 agosto 2026", "Sicurezza · In corso"},
		{"Responsável", "Avaliações", "Classes", "Também inscrito em", "Privacidade · Concluída · 1 de agosto de 2026", "Segurança · Em curso"},
		{"Verantwoordelijk", "Beoordelingen", "Indelingen", "Ook ingeschreven bij", "Privacy · Afgerond · 1 augustus 2026", "Beveiliging · Loopt"},
		{"المسؤول", "التقييمات", "التصنيفات", "مقيّد أيضًا في", "الخصوصية · منجز", "الأمن · جارٍ"},
	} {
		page := s.page("/d/filed?lang=" + languages[i])
		facts := factsOf(page)
		for name, parts := range map[string][]string{
			want[0]: {map[bool]string{true: "Direction des affaires sociales", false: "Head of <b>Social Affairs</b>"}[languages[i] == "fr"]},
			want[1]: {"Impact <script>alert(1)</script>", want[4], "No high risk is left.", "lindenau.example", "Security test", want[5]},
			want[2]: {"high_risk", "eu-ai-act", "Annex III, point 5 (a)", "scheme.example"},
			want[3]: {"nl-algoritmeregister-1.0", "<i>12345678</i>", "algoritmes.overheid.nl", "2026"},
		} {
			for _, part := range parts {
				assert.Contains(t, facts[name], part, "%s: %s", languages[i], name)
			}
		}
		var links []string
		for _, entry := range page.all("dd.entry") {
			for _, a := range entry.all("a") {
				links = append(links, a.attr("href"))
			}
		}
		require.Equal(t, []string{"https://lindenau.example/dpia.pdf?a=1&b=2", "https://scheme.example/levels", "https://algoritmes.overheid.nl/nl/algoritme/12345678"}, links)
		assert.NotContains(t, page.text(), "an answer to nobody else")
	}
	assert.Empty(t, s.page("/d/camera").all("dd.entry"))

	_, reg := shelf.register()
	files := writeSite(t, describing(t, reg), &pages.Options{Documents: reg, Languages: []string{"en"}})
	assert.Len(t, parse(t, string(files["en/d/filed.html"])).all("dd.entry"), 5, "written as files, too")
}

// TestManyEntries shows the first of many entries, and how many more there are.
func TestManyEntries(t *testing.T) {
	shelf := newShelf(t)
	var assessments []any
	for i := range 60 {
		assessments = append(assessments, map[string]any{"name": fmt.Sprint("Assessment number ", i)})
	}
	shelf.put("many.json", "benefits.json", map[string]any{"id": "many", "register": map[string]any{"slug": "many", "assessments": assessments}})
	page := shelf.serve(nil).page("/d/many?lang=en")
	require.Len(t, page.all("dd.entry"), 20)
	said := factsOf(page)["Assessments"]
	assert.Contains(t, said, "Assessment number 19")
	assert.NotContains(t, said, "Assessment number 20")
	assert.Contains(t, said, "and 40 more")
}
