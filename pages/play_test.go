package pages_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/pages/view"
)

// valid returns an example document.
func valid(t *testing.T, name string) string {
	t.Helper()
	e, ok := documents.Find(name)
	require.True(t, ok)
	return string(e.Text)
}

// post sends the form of the playground. Fields are pairs of name and value.
func (s *site) post(path string, fields ...string) reply {
	s.t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for i := 0; i < len(fields); i += 2 {
		w, err := form.CreateFormField(fields[i])
		if fields[i] == "file" {
			w, err = form.CreateFormFile("file", "chain.json")
		}
		require.NoError(s.t, err)
		_, err = w.Write([]byte(fields[i+1]))
		require.NoError(s.t, err)
	}
	require.NoError(s.t, form.Close())
	return s.send(path, form.FormDataContentType(), b.String())
}

func (s *site) send(path, contentType, body string) reply {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+path, strings.NewReader(body))
	require.NoError(s.t, err)
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Content-Type", contentType)
	return s.answer(r)
}

// checked posts a form that is answered with the page.
func (s *site) checked(fields ...string) *node {
	s.t.Helper()
	res := s.post("/play", fields...)
	require.Equal(s.t, http.StatusOK, res.StatusCode, res.body)
	assert.Equal(s.t, "no-store", res.Header.Get("Cache-Control"))
	return parse(s.t, res.body)
}

func TestPlayFindings(t *testing.T) {
	s := open(t, nil, nil)
	text := strings.Replace(valid(t, "benefits.json"), `"element_id": "purpose.benefits"`, `"element_id": "purpose.benefit"`, 1)
	page := s.checked("document", strings.ReplaceAll(text, "\n", "\r\n"), "do", "check")
	assert.Equal(t, text, page.all("#document")[0].raw(), "the text is kept, with plain line ends")
	found := page.all("li.finding")
	require.Len(t, found, 1)
	assert.Equal(t, "/codes/INSTANCE_ELEMENT_UNKNOWN", found[0].all("a.code")[0].attr("href"))
	assert.Equal(t, "Line 27, column 21", found[0].all("a.place")[0].text())
	assert.Equal(t, `"purpose.benefit"`, found[0].all("mark")[0].raw())
	assert.Empty(t, page.all("iframe"), "an invalid document has no page")

	fix := found[0].all("button")
	require.Len(t, fix, 1)
	assert.Equal(t, "play", fix[0].attr("form"))
	fixed := s.checked("document", text, "fix", fix[0].attr("value"))
	assert.Equal(t, valid(t, "benefits.json"), fixed.all("#document")[0].raw())
	assert.Contains(t, fixed.text(), "1 finding fixed")
	assert.Empty(t, fixed.all("li.finding"))
	all := s.checked("document", text, "fix", "all")
	assert.Equal(t, valid(t, "benefits.json"), all.all("#document")[0].raw())
	unknown := s.checked("document", text, "fix", "INSTANCE_ELEMENT_UNKNOWN elements[99]")
	assert.Len(t, unknown.all("li.finding"), 1)
}

func TestPlaySyntax(t *testing.T) {
	s := open(t, nil, nil)
	for text, place := range map[string]string{
		"":                          "Line 1, column 1",
		"{\"id\": \"a\",\n  oh no}": "Line 2, column 3",
		"\xff":                      "Line 1, column 1",
		"[]":                        "Line 1, column 1",
	} {
		page := s.checked("document", text)
		require.NotEmpty(t, page.all("li.finding"), text)
		assert.Equal(t, place, page.all("a.place")[0].text(), "%q", text)
	}
}

// TestPlayPage shows a valid document in a frame that runs nothing, and as a page of its own.
func TestPlayPage(t *testing.T) {
	s := open(t, nil, nil)
	for _, name := range []string{"benefits.json", "benefits.resolved.json"} {
		page := s.checked("document", valid(t, name))
		assert.Contains(t, page.text(), "The document is valid")
		frame := page.all("iframe")[0]
		assert.NotContains(t, frame.attr("sandbox"), "allow-scripts")
		assert.NotContains(t, frame.attr("sandbox"), "allow-same-origin")
		assert.Contains(t, frame.attr("srcdoc"), "Checking requests for housing benefit")
		assert.NotContains(t, frame.attr("srcdoc"), "<script")

		own := s.post("/play?lang=fr", "document", valid(t, name), "do", "page")
		assert.Equal(t, view.ContentSecurityPolicy(), own.Header.Get("Content-Security-Policy"))
		assert.Contains(t, own.body, "Examen des demandes d’aide au logement")
	}
	res := s.post("/play", "document", valid(t, "benefits.json"))
	assert.Contains(t, res.Header.Get("Content-Security-Policy"), view.StyleSource())
	assert.NotContains(t, res.Header.Get("Content-Security-Policy"), "unsafe-inline")
}

func TestPlayFiles(t *testing.T) {
	s := open(t, nil, nil)
	page := s.checked("document", "{}", "file", valid(t, "benefits.json"))
	assert.Contains(t, page.text(), "The document is valid")
	assert.Equal(t, valid(t, "benefits.json"), page.all("#document")[0].raw())
	assert.Contains(t, s.checked("document", valid(t, "benefits.json"), "file", "").text(), "The document is valid")

	saved := s.post("/play", "document", valid(t, "benefits.json"), "do", "save")
	assert.Equal(t, `attachment; filename="housing-benefit-check.datachain.json"`, saved.Header.Get("Content-Disposition"))
	assert.Equal(t, valid(t, "benefits.json"), saved.body)
	resolved := s.post("/play", "document", valid(t, "benefits.json"), "do", "resolved")
	assert.Equal(t, `attachment; filename="housing-benefit-check.resolved.json"`, resolved.Header.Get("Content-Disposition"))
	assert.JSONEq(t, valid(t, "benefits.resolved.json"), resolved.body)
	hostile := s.post("/play", "document", `{"id": "a\"; filename=\"b.html"}`, "do", "save")
	assert.Equal(t, `attachment; filename="datachain.datachain.json"`, hostile.Header.Get("Content-Disposition"))
	for _, do := range []string{"resolved", "page"} {
		invalid := s.post("/play", "document", "{}", "do", do)
		assert.Contains(t, invalid.body, "The document has problems", "%s of an invalid document is a check", do)
	}
}

// TestPlayStarts shows what one can start from.
func TestPlayStarts(t *testing.T) {
	s := open(t, nil, &pages.Options{Samples: []pages.Sample{{Name: "benefits.json", Text: []byte(valid(t, "benefits.json"))}}})
	page := s.page("/play?lang=fr")
	assert.Contains(t, page.text(), "Examen des demandes d’aide au logement")
	assert.Equal(t, valid(t, "benefits.json"), s.page("/play?sample=benefits.json").all("#document")[0].raw())
	assert.Equal(t, http.StatusNotFound, s.do(http.MethodGet, "/play?sample=none").StatusCode)
	assert.Equal(t, http.StatusNotFound, s.do(http.MethodGet, "/play?new=ai@none").StatusCode)
	starter := s.page("/play?new=" + stable).all("#document")[0].raw()
	assert.Contains(t, starter, `"schema_version": "`+stable+`"`)
	found := s.checked("document", starter).all("li.finding")
	assert.NotEmpty(t, found, "a starter is to be filled in")
}

// TestPlayUpgrade moves a document of an older version to the newest stable one.
func TestPlayUpgrade(t *testing.T) {
	s := open(t, nil, nil)
	text := strings.Replace(valid(t, "air-station.json"), "sensor@2026-11-15-stable", "sensor@2026-06-15-stable", 1)
	const button = "upgrade sensor@2026-11-15-stable"
	assert.Contains(t, s.checked("document", text).first(t, "p.notice").text(), "sensor@2026-11-15-stable")
	page := s.checked("document", text, "do", button)
	assert.Contains(t, page.first(t, "#document").raw(), "sensor@2026-11-15-stable")
	assert.Equal(t, "The answers were moved to the newer questions.", page.first(t, "p.notice").text())
	assert.Empty(t, s.checked("document", valid(t, "benefits.json")).all("p.notice"), "it has the newest stable one")
	news := s.page("/play").first(t, "aside.begin").all("code")
	require.NotEmpty(t, news)
	assert.Contains(t, news[0].text(), "-stable", "stable versions come first")
}

func TestPlayRefusals(t *testing.T) {
	s := open(t, nil, &pages.Options{MaxBody: 1000})
	long := strings.Repeat("x", 1001)
	for name, res := range map[string]reply{
		"document": s.post("/play", "document", long),
		"file":     s.post("/play", "file", long),
		"form":     s.post("/play", "document", strings.Repeat("x", 100_000)),
		"pairs":    s.send("/play", "application/x-www-form-urlencoded", "document="+strings.Repeat("x", 100_000)),
	} {
		assert.Equal(t, http.StatusRequestEntityTooLarge, res.StatusCode, name)
		p := parse(t, res.body)
		assert.Equal(t, "The document is too large", p.first(t, "h1").text(), name)
		assert.Equal(t, "The limit is 1,000 bytes. Place fewer elements, or split it into several documents.", p.first(t, "p.lead").text(), name)
		assert.Contains(t, p.first(t, "main").text(), "The document is too large. Place fewer elements, or split it into several.", name)
		assert.Equal(t, "/play", p.first(t, "main").first(t, "a").attr("href"), name)
	}
	for size, want := range map[int64]string{1 << 20: "La limite est de 1 Mio.", 3 << 10: "La limite est de 3 Kio."} {
		s := open(t, nil, &pages.Options{MaxBody: size})
		p := parse(t, s.post("/play?lang=fr", "file", strings.Repeat("x", int(size)+1)).body)
		assert.Equal(t, "Le document est trop volumineux", p.first(t, "h1").text())
		assert.Contains(t, p.first(t, "p.lead").text(), want)
	}
	for _, c := range [][2]string{
		{"", "{}"},
		{"application/json", "{}"},
		{"multipart/form-data", "{}"},
		{"multipart/form-data; boundary=x", "--x\r\nhalf"},
		{"application/x-www-form-urlencoded", "document=%zz"},
	} {
		assert.Equal(t, http.StatusBadRequest, s.send("/play", c[0], c[1]).StatusCode, "%q", c)
	}
	ok := s.send("/play", "application/x-www-form-urlencoded", url.Values{"document": {"{}"}}.Encode())
	assert.Equal(t, http.StatusOK, ok.StatusCode)
}

// TestPlayHostile shows that nothing in a document is markup.
func TestPlayHostile(t *testing.T) {
	s := open(t, nil, nil)
	const attack = `</textarea><script>trap()</script><img src=x onerror=trap()>`
	text := `{"id": "x", "` + attack + `": 1, "schema_version": "ai@2026-11-15-stable", "created_at": "2026-06-01T10:00Z", "elements": [{"element_id": "` + attack + `"}]}`
	res := s.post("/play", "document", text)
	assert.NotContains(t, res.body, "<script>trap")
	assert.NotContains(t, res.body, "<img")
	assert.Equal(t, text, parse(t, res.body).all("#document")[0].raw())
}
