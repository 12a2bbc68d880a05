package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/trust"
	"github.com/datachain-go/datachain/trust/signedlog"
)

// logged returns a prover by a log with one version of the service.
func logged(t *testing.T, service *datachain.Service, version string) (*trust.Prover, *trust.Trust) {
	t.Helper()
	r := must(service.Open(t.Context(), version)).Release()
	private, public, err := note.GenerateKey(strings.NewReader(strings.Repeat("k", 64)), "example.org/log")
	require.NoError(t, err)
	files := make(map[string][]byte)
	read := func(_ context.Context, name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return text, nil
		}
		return nil, fs.ErrNotExist
	}
	entry := &signedlog.Entry{Op: signedlog.OpPublish, Time: time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC), Version: r.Version(), ContentHash: r.ContentHash(), Leaves: r.Leaves()}
	log := signedlog.NewLog(&signedlog.Checkpoint{Origin: "example.org/log"}, read)
	for _, f := range must(log.Append(t.Context(), []*signedlog.Entry{entry}, must(note.NewSigner(private)))) {
		files[f.Name] = f.Data
	}
	return trust.NewProver(read), must(trust.ParseTrust([]byte(`{"origin":"example.org/log","keys":[{"key":"` + public + `"}]}`)))
}

// TestIncluded resolves with symbols and a proof, as REST does.
func TestIncluded(t *testing.T) {
	const version = "ai@2026-11-15-stable"
	service := sampleService(t)
	prover, trusted := logged(t, service, version)
	rest := httptest.NewServer(must(httpapi.New(service, &httpapi.Options{Prover: prover})))
	t.Cleanup(rest.Close)
	h := serve(t, must(taxonomies.Store()), &mcp.Options{Prover: prover})
	for _, include := range [][]string{nil, {"symbols"}, {"proof"}, {"proof", "symbols"}, {"symbols", "proof", "proof"}} {
		t.Run(strings.Join(include, ","), func(t *testing.T) {
			arguments := map[string]any{"version": version, "datachain": json.RawMessage(document(t, "benefits.json")), "include": include}
			answer := h.tool("resolve_datachain", string(must(json.Marshal(arguments))))
			require.False(t, answer.IsError)
			got := must(json.Marshal(answer.envelope["data"]))

			a, err := http.Post(rest.URL+"/api/v2/schemas/"+version+"/resolve?include="+strings.Join(include, ","), "application/json", bytes.NewReader(document(t, "benefits.json")))
			require.NoError(t, err)
			want := must(io.ReadAll(a.Body))
			require.NoError(t, a.Body.Close())
			require.JSONEq(t, string(want), string(got))

			report, err := trust.VerifySnapshot(trusted, got, nil, time.Now())
			if !strings.Contains(strings.Join(include, ","), "proof") {
				require.ErrorContains(t, err, "proof")
				return
			}
			require.NoError(t, err)
			require.Equal(t, len(include) > 1, report.Symbols > 0)
		})
	}
}

// TestNotIncluded covers proofs that there are none of, and mistakes.
func TestNotIncluded(t *testing.T) {
	service := sampleService(t)
	prover, _ := logged(t, service, "sensor@2026-11-15-stable")
	for name, o := range map[string]*mcp.Options{"no log": {}, "another version": {Prover: prover}} {
		t.Run(name, func(t *testing.T) {
			h := serve(t, kioskStore(t), o)
			call := func(include string) result {
				return h.tool("resolve_datachain", `{"version":"kiosk@latest","include":`+include+`,"datachain":`+goodKiosk+`}`)
			}
			require.Equal(t, []string{"not_found"}, call(`["proof","symbols"]`).codes())
			require.Empty(t, call(`["symbols"]`).codes())
			require.Empty(t, call(`[]`).codes())
			require.Empty(t, call(`null`).codes())
			for _, wrong := range []string{`["proofs"]`, `[1]`, `"proof"`, `{}`} {
				require.Equal(t, []string{"invalid_arguments"}, call(wrong).codes(), wrong)
			}
		})
	}
}
