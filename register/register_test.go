package register_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/internal/registertest"
	"github.com/datachain-go/datachain/taxonomy"
)

func TestSamples(t *testing.T) {
	r := registertest.OpenDir(t, "../examples/documents")
	s := r.State()
	for _, refused := range s.Refused() {
		assert.Equal(t, "invalid", filepath.Dir(refused.File), "%v", refused)
	}
	d, ok := s.Document("housing-benefit-check")
	require.True(t, ok)
	assert.Len(t, d.Editions, 1, "thin and resolved are one edition")
	thin, err := r.Text(t.Context(), d, d.Current, register.Thin)
	require.NoError(t, err)
	want, err := os.ReadFile("../examples/documents/benefits.json")
	require.NoError(t, err)
	assert.Equal(t, string(want), string(thin))
	resolved, err := r.Text(t.Context(), d, d.Current, register.Resolved)
	require.NoError(t, err)
	assert.True(t, json.Valid(resolved))
	assert.Contains(t, string(resolved), "schema_snapshot")
	shown, err := r.Present(t.Context(), d, d.Current)
	require.NoError(t, err)
	assert.Equal(t, d.ID, shown.Datachain.ID)
}

// TestMalformed refuses a document with mistakes in its object register, although the service does
// not have the rule.
func TestMalformed(t *testing.T) {
	text, err := os.ReadFile("../examples/documents/_invalid/REGISTER_INVALID.json")
	require.NoError(t, err)
	v, err := registertest.Service(t).Validate(t.Context(), text, nil)
	require.NoError(t, err)
	require.Empty(t, v.Issues)

	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.json"), text, 0o600))
	s := registertest.OpenDir(t, dir).State()
	require.Empty(t, s.Documents())
	require.Len(t, s.Refused(), 1)
	require.Len(t, s.Refused()[0].Issues, 1)
	require.EqualValues(t, "REGISTER_INVALID", s.Refused()[0].Issues[0].Code)
}

// TestSummary compares the summaries that a register keeps with those of the documents.
func TestSummary(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../examples/documents")))
	text, err := os.ReadFile(filepath.Join(dir, "crossing-camera.json"))
	require.NoError(t, err)
	var camera struct{ Elements []any }
	require.NoError(t, json.Unmarshal(text, &camera))
	last := len(camera.Elements) - 1 // it is the only one about rights
	action := map[string]any{"type": "url", "label": registertest.Title("en", "Ask", "fr", "Demander"), "target": "https://lindenau.example/" + strings.Repeat("a", 200)}
	ask := map[string]any{
		"element_id": "rights.ask", "actions": []any{action, action},
		"variables": []any{map[string]any{"id": "how", "value": registertest.Title("en", strings.Repeat("ü", 20_000), "fr", "\x00", "es", "?")}},
	}
	registertest.Sample(t, dir, "crossing-camera", "long", 1, map[string]any{"elements": append(camera.Elements[:last:last], ask)})
	registertest.Sample(t, dir, "crossing-camera", "short", 1, map[string]any{"elements": camera.Elements[:last]})
	r := registertest.OpenDir(t, dir)
	for _, d := range r.State().Documents() {
		shown, err := r.Present(t.Context(), d, d.Current)
		require.NoError(t, err)
		want := summary.Of(shown.Datachain, shown.Release, nil)
		for _, p := range want.Points {
			for k, e := range p.Entries {
				p.Entries[k].Placement = nil
				if len(e.Placement.Actions) > 0 {
					p.Entries[k].Placement = &taxonomy.Placement{Actions: e.Placement.Actions}
				}
			}
		}
		require.Empty(t, cmp.Diff(want, &d.Summary, cmp.AllowUnexported(summary.Summary{}, summary.Entry{})), d.ID)
	}
	rights, ok := registertest.Find(t, r, "long").Summary.Point("rights")
	require.True(t, ok)
	require.Len(t, rights.Entries[0].Placement.Actions, 2)
	rights, ok = registertest.Find(t, r, "short").Summary.Point("rights")
	require.True(t, ok)
	require.Empty(t, rights.Entries)
}

// TestPresentAgain shows that what was presented is used again, but not for another state.
func TestPresentAgain(t *testing.T) {
	dir := t.TempDir()
	registertest.Sample(t, dir, "air-station", "vane", 1, map[string]any{"title": registertest.Title("en", "Before")})
	origin, err := register.OpenDirectory(dir, nil)
	require.NoError(t, err)
	r, err := register.New(registertest.Service(t), []register.Origin{origin}, &register.Options{Refresh: time.Millisecond})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	present := func() *datachain.Presentation {
		d, ok := r.State().Document("vane")
		require.True(t, ok)
		p, err := r.Present(t.Context(), d, d.Current)
		require.NoError(t, err)
		return p
	}
	before := present()
	require.Same(t, before, present())
	registertest.Sample(t, dir, "air-station", "vane", 2, map[string]any{"title": registertest.Title("en", "After")})
	require.Eventually(t, func() bool { return present().Datachain.Title.Pick() == "After" }, time.Minute, time.Millisecond)
	require.Equal(t, "Before", before.Datachain.Title.Pick())
}

// TestSharedDocuments shows that a change of one file leaves the other documents as they
// are in memory: a large register must not exist twice.
func TestSharedDocuments(t *testing.T) {
	dir := t.TempDir()
	registertest.Sample(t, dir, "air-station", "vane", 1, map[string]any{"title": registertest.Title("en", "Before")})
	registertest.Sample(t, dir, "benefits", "benefits", 1, nil)
	r := live(t, dir, nil)
	benefits, ok := r.State().Document("benefits")
	require.True(t, ok)
	registertest.Sample(t, dir, "air-station", "vane", 2, map[string]any{"title": registertest.Title("en", "After")})
	s := eventually(t, r, func(s *register.State) bool {
		vane, ok := s.Document("vane")
		return ok && vane.Title.Pick() == "After"
	})
	same, ok := s.Document("benefits")
	require.True(t, ok)
	require.Same(t, benefits, same)
}

// TestSettings shows that a directory is read with its register.yaml: a Go program needs
// nothing else for that.
func TestSettings(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../examples/documents")))
	text := "title: {en: Systems of Lindenau, fr: Systèmes de Lindenau}\nlanguages: [fr, en]\nurl: https://register.example.org\npublisher:\n  name: {en: City of Lindenau}\n  contact: {phone: 0123 456}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "register.yaml"), []byte(text), 0o600))
	r := registertest.OpenDir(t, dir)
	require.Empty(t, r.State().Refused())
	assert.Equal(t, []string{"fr", "en"}, r.State().Languages())
	assert.Equal(t, "Systèmes de Lindenau", r.State().Settings().Title.Pick("fr"))
	site, err := pages.New(registertest.Service(t), &pages.Options{Documents: r})
	require.NoError(t, err)
	page := httptest.NewRecorder()
	site.ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/d/mill-street-crossing", http.NoBody))
	assert.Equal(t, "fr", page.Header().Get("Content-Language"))
	assert.Contains(t, page.Body.String(), `<link rel="canonical" href="https://register.example.org/d/mill-street-crossing">`)
	assert.Contains(t, page.Body.String(), "0123 456")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "register.yaml"), []byte("titel: x\n"), 0o600))
	require.Len(t, registertest.OpenDir(t, dir).State().Refused(), 1)
}

// TestContribute reads where authors send documents.
func TestContribute(t *testing.T) {
	for text, want := range map[string]register.Contribute{
		"{email: desk@town.example}": {Email: "desk@town.example", Branch: "main"},
		"{repository: https://github.com/town/register/, kind: github, folder: documents}": {Repository: "https://github.com/town/register", Kind: "github", Branch: "main", Folder: "documents"},
		"{repository: https://git.example/town/register, kind: forgejo, branch: live/now}": {Repository: "https://git.example/town/register", Kind: "forgejo", Branch: "live/now"},
		"{text: {en: Bring it to the desk.}}":                                              {Branch: "main", Text: taxonomy.Localized{{Locale: "en", Value: "Bring it to the desk."}}},
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "register.yaml"), []byte("contribute: "+text+"\n"), 0o600))
		s := registertest.OpenDir(t, dir).State()
		require.Empty(t, s.Refused(), text)
		assert.Equal(t, want, s.Settings().Contribute, text)
	}
	for text, want := range map[string]string{
		"{email: desk}": "is not an email address",
		"{email: a@b.example, repository: https://github.com/a/b, kind: github}": "not both",
		"{repository: github.com/a/b, kind: github}":                             "must be a URL",
		"{repository: 'https://github.com/a/b?x=1', kind: github}":               "contribute.repository: must have no query and no fragment",
		"{repository: https://github.com/a/b}":                                   "must be github, gitlab or forgejo",
		"{repository: https://github.com/a/b, kind: github, folder: ../x}":       "contribute.folder: must be names with slashes between them",
		"{repository: https://me:secret@github.com/a/b, kind: github}":           "contribute.repository: must have no user name",
		"{repository: 'https://github.com/a/b#c', kind: github}":                 "contribute.repository: must have no query and no fragment",
		"{email: a@b.example, text: \"a\\x00b\"}":                                "contribute.text: must have no control characters",
		"{repository: https://github.com/a/b, kind: github, branch: \"a\\tb\"}":  "contribute.branch: must be names",
		"{}":             "contribute: must have an email, a repository or a text: add one, or remove contribute",
		"{kind: github}": "contribute: must have an email, a repository or a text",
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "register.yaml"), []byte("contribute: "+text+"\n"), 0o600))
		refused := registertest.OpenDir(t, dir).State().Refused()
		require.Len(t, refused, 1, text)
		assert.Contains(t, refused[0].Issues[0].Message, want)
	}
}

// TestSettingsPlaces shows that a finding about register.yaml has the place of what is wrong.
func TestSettingsPlaces(t *testing.T) {
	for text, want := range map[string]string{
		"":                                             "register.yaml:1:1: error REGISTER_INVALID: it must have keys and values",
		"title: x\n\tlanguages: [en]":                  "register.yaml:2:1: error",
		"title: x\ntitel: y":                           "register.yaml:2:1: error REGISTER_INVALID: titel: the field is unknown",
		"publisher:\n  contact: {mail: x}":             "register.yaml:2:13: error REGISTER_INVALID: publisher.contact.mail: the field is unknown",
		"title: \"a\\x07b\"":                           "register.yaml:1:1: error REGISTER_INVALID: title: must have no control characters",
		"url: https://a.example/?b":                    "register.yaml:1:1: error REGISTER_INVALID: url: must have no query and no fragment",
		"url: https://a.example/#b":                    "register.yaml:1:1: error REGISTER_INVALID: url: must have no query and no fragment",
		"url: https://me:secret@a.example":             "register.yaml:1:1: error REGISTER_INVALID: url: must have no user name and no password",
		"licence: {url: https://me@a.example}":         "register.yaml:1:11: error REGISTER_INVALID: licence.url: must have no user name",
		"languages: [en, fr, EN]":                      "register.yaml:1:1: error REGISTER_INVALID: languages: EN is listed twice",
		"publisher:\n  contact: {email: x}":            "register.yaml:2:13: error REGISTER_INVALID: publisher.contact.email: ",
		"publisher:\n  contact: {phone: \"1\\n2\"}":    "register.yaml:2:13: error REGISTER_INVALID: publisher.contact.phone: must be one line",
		"title: x\nlanguages: [en, '?']":               "register.yaml:2:1: error REGISTER_INVALID: languages: ",
		"title:\n  en: x\n  '?': y":                    "register.yaml:1:1: error REGISTER_INVALID: title: ",
		"licence:\n  name: x\n  url: y":                "register.yaml:3:3: error REGISTER_INVALID: licence.url: ",
		"publisher:\n  logo: x.svg":                    "register.yaml:2:3: error REGISTER_INVALID: publisher.logo: \"x.svg\": no such file or directory",
		"contribute:\n  email: x":                      "register.yaml:2:3: error REGISTER_INVALID: contribute.email: ",
		"contribute:\n  repository: https://a.example": "register.yaml:1:1: error REGISTER_INVALID: contribute.kind: ",
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "register.yaml"), []byte(text), 0o600))
		refused := registertest.OpenDir(t, dir).State().Refused()
		require.Len(t, refused, 1, text)
		assert.Contains(t, refused[0].Issues[0].String(), want, text)
	}
}

func TestDirectoryMissing(t *testing.T) {
	_, err := register.OpenDirectory(filepath.Join(t.TempDir(), "missing"), nil)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestNil(t *testing.T) {
	_, err := register.New(nil, nil, nil)
	require.ErrorContains(t, err, "register: the service is nil")
	dir, err := register.OpenDirectory(t.TempDir(), nil)
	require.NoError(t, err)
	_, err = register.New(registertest.Service(t), []register.Origin{dir, nil}, nil)
	require.ErrorContains(t, err, "register: origin 1 is nil")
}
