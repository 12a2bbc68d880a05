package explorer_test

import (
	"context"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/trust"
	"github.com/datachain-go/datachain/trust/signedlog"
)

// provenShelf is a register whose first document is in a log.
type provenShelf struct {
	*shelf
	slug   string
	prover *trust.Prover
	trust  *trust.Trust
	// sign writes the log, which is empty before.
	sign func()
}

func newProvenShelf(t *testing.T) *provenShelf {
	t.Helper()
	s := &provenShelf{shelf: newShelf(t)}
	service, register := s.register()
	d := register.State().Documents()[0]
	s.slug = d.Slug
	release := must(service.Open(t.Context(), d.Version.String())).Release()
	at := time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC)
	private, public, err := note.GenerateKey(strings.NewReader(strings.Repeat("k", 64)), "example.org/log")
	require.NoError(t, err)
	s.trust = must(trust.ParseTrust([]byte(`{"origin":"example.org/log","keys":[{"key":"` + public + `"}]}`)))
	files := make(map[string][]byte)
	read := func(_ context.Context, name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return text, nil
		}
		return nil, fs.ErrNotExist
	}
	s.prover = trust.NewProver(read)
	s.sign = func() {
		for _, f := range must(signedlog.NewLog(&signedlog.Checkpoint{Origin: "example.org/log"}, read).Append(t.Context(), []*signedlog.Entry{
			{Op: signedlog.OpPublish, Time: at, Version: release.Version(), ContentHash: release.ContentHash(), Leaves: release.Leaves()},
			{Op: signedlog.OpPublishDocument, Time: at, Slug: d.Slug, Document: signedlog.DocumentHash(d.ID), Edition: d.Current},
		}, must(note.NewSigner(private)))) {
			files[f.Name] = f.Data
		}
	}
	return s
}

// TestRegisterProof downloads a document and its proof, and verifies them. The page offers
// them only if there is a proof.
func TestRegisterProof(t *testing.T) {
	shelf := newProvenShelf(t)
	at := "/d/" + shelf.slug
	s := shelf.serve(&explorer.Options{Prover: shelf.prover})
	require.NotContains(t, s.do(http.MethodGet, at).body, "proof.json")
	require.Equal(t, http.StatusNotFound, s.do(http.MethodGet, at+".proof.json").StatusCode)
	require.Equal(t, http.StatusNotFound, s.do(http.MethodGet, "/verify?document="+shelf.slug).StatusCode)

	shelf.sign()
	s = shelf.serve(&explorer.Options{Prover: shelf.prover})
	page := s.do(http.MethodGet, at).body
	require.Contains(t, page, `href="`+at+`.proof.json"`)
	require.Contains(t, page, "<code>datachain verify "+shelf.slug+".resolved.json --proof "+shelf.slug+".proof.json --trust trust.json</code>")
	require.Contains(t, page, `href="/verify?document=`+shelf.slug+`"`)
	require.NotContains(t, page, "wasm", "the page of a document shows no seal")
	doc, proof := s.do(http.MethodGet, at+".resolved.json").body, s.do(http.MethodGet, at+".proof.json").body
	report, err := trust.VerifyDocument(shelf.trust, []byte(doc), []byte(proof), time.Now())
	require.NoError(t, err)
	require.Equal(t, shelf.slug, report.Edition.Slug)
}

// verifier are the files of the check in the browser.
var verifier = fstest.MapFS{"verify.wasm": {Data: []byte("module")}, "wasm_exec.js": {Data: []byte("loader")}}

// TestVerifyPage gives the command, and the check only if it was built. WebAssembly may be
// compiled by its Worker alone.
func TestVerifyPage(t *testing.T) {
	s := open(t, nil, nil)
	res := s.do(http.MethodGet, "/verify")
	page := parse(t, res.body)
	assert.Empty(t, page.all("#verify"))
	assert.NotContains(t, res.body, "verify.js")
	assert.Contains(t, page.first(t, "#unavailable").text(), "Use a program instead.")
	assert.Equal(t, "datachain verify document.resolved.json --proof document.proof.json --trust trust.json", page.first(t, "#command").text())
	assert.Equal(t, "node verify.mjs document.resolved.json document.proof.json trust.json", page.first(t, "#node").text())
	assert.Equal(t, http.StatusNotFound, s.do(http.MethodGet, "/assets/verify/verify.wasm").StatusCode)
	assert.Equal(t, http.StatusNotFound, s.do(http.MethodGet, "/verify?document=camera").StatusCode, "there is no register")
	assert.Contains(t, s.do(http.MethodGet, "/docs").body, `href="/verify"`)

	shelf := newProvenShelf(t)
	shelf.sign()
	s = shelf.serve(&explorer.Options{Prover: shelf.prover, Assets: verifier, BaseURL: "/below"})
	policy := res.Header.Get("Content-Security-Policy")
	for _, lang := range []string{"en", "fr", "es", "de", "it", "pt", "nl", "ar"} {
		res = s.do(http.MethodGet, "/verify?lang="+lang)
		require.Equal(t, http.StatusOK, res.StatusCode)
		assert.Equal(t, policy, res.Header.Get("Content-Security-Policy"))
		form := parse(t, res.body).first(t, "#verify")
		_, hidden := attribute(form, "hidden")
		assert.True(t, hidden, "only the script can answer it")
		_, needed := attribute(form.first(t, "#resolved"), "required")
		assert.True(t, needed)
		assert.Equal(t, "/below/assets/verify/verify.wasm", form.attr("data-module"))
		worker := s.do(http.MethodGet, strings.TrimPrefix(form.attr("data-worker"), "/below"))
		assert.Contains(t, worker.Header.Get("Content-Security-Policy"), "'wasm-unsafe-eval'")
	}
	for file, want := range map[string]string{"verify.wasm": "application/wasm module", "wasm_exec.js": "text/javascript; charset=utf-8 loader"} {
		res := s.do(http.MethodGet, "/assets/verify/"+file)
		assert.Equal(t, want, res.Header.Get("Content-Type")+" "+res.body)
	}

	// A document of the register: its files, and the command with their names.
	page = s.page("/verify?document=" + shelf.slug)
	form := page.first(t, "#verify")
	assert.Equal(t, "/below/d/"+shelf.slug+".resolved.json", form.attr("data-document"))
	assert.Equal(t, "/below/d/"+shelf.slug+".proof.json", form.attr("data-proof"))
	assert.Contains(t, page.first(t, "#command").text(), " "+shelf.slug+".resolved.json --proof "+shelf.slug+".proof.json ")
	assert.Equal(t, shelf.slug+".proof.json", page.first(t, ".verifier").all("a")[1].attr("download"))
	for _, slug := range []string{"camera", "unknown", "%3Cb%3E"} {
		assert.Equal(t, http.StatusNotFound, s.do(http.MethodGet, "/verify?document="+slug).StatusCode, "%s has no proof", slug)
	}
}

// TestVerifySite writes the check into a static site. TestSite has none.
func TestVerifySite(t *testing.T) {
	shelf := newProvenShelf(t)
	shelf.sign()
	_, register := shelf.register()
	files := writeSite(t, someSamples(t, register.State().Documents()[0].Version), &explorer.Options{Documents: register, Prover: shelf.prover, Assets: verifier})
	require.NotNil(t, files["en/verify.html"])
	page := parse(t, string(files["fr/verify~document="+shelf.slug+".html"]))
	assert.Equal(t, "../d/"+shelf.slug+".proof.json", page.first(t, ".verifier").all("a")[1].attr("href"))
	for _, name := range []string{"module", "loader", "script", "worker", "document", "proof"} {
		address := page.first(t, "#verify").attr("data-" + name)
		assert.NotNil(t, files[path.Join("fr", address)], "%s %s", name, address)
	}
	assert.Contains(t, string(files["en/d/"+shelf.slug+".html"]), `href="../verify~document=`+shelf.slug+`.html"`)
}
