package explorer_test

import (
	"context"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/taxonomy/ledger"
)

// TestRegisterProof downloads a document and its proof, and verifies them. The page offers
// them only if there is a proof.
func TestRegisterProof(t *testing.T) {
	shelf := newShelf(t)
	service, register := shelf.register()
	d := register.State().Documents()[0]
	release := must(service.Open(t.Context(), d.Version.String())).Release()
	at := time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC)
	private, public, err := note.GenerateKey(strings.NewReader(strings.Repeat("k", 64)), "example.org/log")
	require.NoError(t, err)
	files := make(map[string][]byte)
	read := func(_ context.Context, name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return text, nil
		}
		return nil, fs.ErrNotExist
	}
	s := shelf.serve(&explorer.Options{Prover: ledger.NewProver(read)})
	require.NotContains(t, s.do(http.MethodGet, "/d/"+d.Slug).body, "proof.json")
	require.Equal(t, http.StatusNotFound, s.do(http.MethodGet, "/d/"+d.Slug+".proof.json").StatusCode)

	for _, f := range must(ledger.NewLog(&ledger.Checkpoint{Origin: "example.org/log"}, read).Append(t.Context(), []*ledger.Entry{
		{Op: ledger.OpPublish, Time: at, Version: release.Version(), ContentHash: release.ContentHash(), Leaves: release.Leaves()},
		{Op: ledger.OpPublishDocument, Time: at, Slug: d.Slug, Document: ledger.DocumentHash(d.ID), Edition: d.Current},
	}, must(note.NewSigner(private)))) {
		files[f.Name] = f.Data
	}
	s = shelf.serve(&explorer.Options{Prover: ledger.NewProver(read)})
	page := s.do(http.MethodGet, "/d/"+d.Slug).body
	require.Contains(t, page, `href="/d/`+d.Slug+`.proof.json"`)
	require.Contains(t, page, "<code>datachain verify "+d.Slug+".resolved.json --proof "+d.Slug+".proof.json --trust trust.json</code>")
	trust := must(ledger.ParseTrust([]byte(`{"origin":"example.org/log","keys":[{"key":"` + public + `"}]}`)))
	report, err := trust.VerifyDocument([]byte(s.do(http.MethodGet, "/d/"+d.Slug+".resolved.json").body), []byte(s.do(http.MethodGet, "/d/"+d.Slug+".proof.json").body), at)
	require.NoError(t, err)
	require.Equal(t, d.Slug, report.Edition.Slug)
}
