package pages_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestElement(t *testing.T) {
	s := open(t, nil, nil)
	p := s.page("/t/ai@latest/e/input_data.health")
	assert.Equal(t, "Your health", p.first(t, "h1").text())
	assert.Equal(t, "/t/"+stable+"/c/input_data", p.first(t, "nav.path").all("a")[1].attr("href"))
	assert.Len(t, p.first(t, "ul.variants").all("svg"), 7*4, "seven variants, large and small, on two grounds")
	assert.Len(t, p.first(t, "ul.translations").all("p.meta"), 5)
	assert.Contains(t, p.first(t, "#svg-source").text(), `<svg xmlns=`)
	assert.Contains(t, p.first(t, "ol.history").text(), "1 September 2026 Stable First version")
	source := p.first(t, "#main").all("a")
	assert.NotEmpty(t, source)
	res := s.do(http.MethodGet, "/t/ai@latest/e/input_data.health")
	assert.Contains(t, res.Header.Get("Link"), "/api/v2/schemas/"+stable+"/elements/input_data.health>")

	// Everything that is drawn has ids of its own.
	seen := map[string]bool{}
	for _, n := range p.all("") {
		if id := n.attr("id"); id != "" {
			assert.False(t, seen[id], id)
			seen[id] = true
		}
	}
}

// TestTranslations checks that variables have their labels in the language of each text.
func TestTranslations(t *testing.T) {
	s := open(t, nil, nil)
	blanks := s.page("/t/ai@latest/e/rights.explanation?lang=fr").first(t, "ul.translations").all("span.blank")
	require.Len(t, blanks, 5)
	for i, label := range []string{"Where to turn", "À qui s’adresser", "Adónde dirigirse", "An wen man sich wendet", "Waar u terechtkunt"} {
		assert.Equal(t, label, blanks[i].text())
	}
}

// TestEvolution checks what becomes of elements that should no longer be placed, or no
// longer can.
func TestEvolution(t *testing.T) {
	s := open(t, hostile(t), nil)
	p := s.page("/t/bad@latest/e/e.1?lang=en")
	assert.Equal(t, "Deprecated", p.first(t, "span.deprecated").text())
	assert.Equal(t, "/t/bad@2026-10-01-beta/e/e.2?lang=en", p.first(t, "div.warn").first(t, "a").attr("href"))
	assert.Len(t, p.first(t, "ul.bullets").all("li"), 2, "examples")
	assert.Len(t, s.page("/t/bad@latest").all("span.deprecated"), 1)
	res := s.do(http.MethodGet, "/t/bad@latest/e/gone?lang=fr")
	assert.Equal(t, http.StatusNotFound, res.StatusCode)
	shown := parse(t, res.body).first(t, "#main")
	assert.Contains(t, shown.text(), "L’élément gone a été supprimé dans bad@2026-10-01-beta.")
	assert.Equal(t, "/t/bad@latest/e/e.1?lang=fr", shown.first(t, "a").attr("href"))
}

func TestCategory(t *testing.T) {
	s := open(t, nil, nil)
	p := s.page("/t/ai@latest/c/input_data?lang=fr")
	assert.Equal(t, "fr", p.first(t, "html").attr("lang"))
	assert.Equal(t, "Données utilisées", p.first(t, "h1").text())
	contexts := p.first(t, "ul.contexts").all("li")
	require.Len(t, contexts, 5)
	assert.Contains(t, contexts[0].text(), "#CDE7D8 · Contraste du symbole : 16.0")
	assert.Contains(t, p.first(t, "dl.facts").text(), "Au plus 12 éléments peuvent être placés.")
	assert.Contains(t, p.first(t, "dl.facts").text(), "Forme cercle")
	assert.Len(t, p.all("li.element"), 7)
}

// TestNear checks that a mistyped address leads to what was meant.
func TestNear(t *testing.T) {
	s := open(t, nil, nil)
	for path, want := range map[string]string{
		"/t/ai@lates":                      "/t/ai@latest",
		"/t/ai@latest/e/input_data.heath":  "/t/ai@latest/e/input_data.health",
		"/t/ai@latest/c/input_dat?lang=fr": "/t/ai@latest/c/input_data?lang=fr",
	} {
		res := s.do(http.MethodGet, path)
		assert.Equal(t, http.StatusNotFound, res.StatusCode, path)
		var links []string
		for _, a := range parse(t, res.body).first(t, "#main").all("a") {
			links = append(links, a.attr("href"))
		}
		assert.Contains(t, links, want, path)
	}
	assert.Equal(t, http.StatusBadRequest, s.do(http.MethodGet, "/t/nonsense").StatusCode)
	assert.Equal(t, http.StatusBadRequest, s.do(http.MethodGet, "/t/ai@latest/e/a..b").StatusCode)
}
