package command

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/register/review"
)

// reviewBases reviews what documents are based on, and returns the findings as lines "slug kind path: message".
func reviewBases(t *testing.T, dir string, args ...string) (lines []string) {
	t.Helper()
	args = append([]string{"documents", "review", "documents", "--only", "base_newer,base_gone,base_far,link_unreachable", "--format", "json"}, args...)
	stdout, stderr, code := runIn(t, dir, args...)
	require.Zero(t, code, stderr)
	var answer struct{ Findings []review.Finding }
	require.NoError(t, json.Unmarshal([]byte(stdout), &answer))
	for _, f := range answer.Findings {
		if strings.HasPrefix(f.Path.String(), "register.based_on") {
			require.NotEmpty(t, f.Hint)
			lines = append(lines, f.Slug+" "+string(f.Kind)+" "+f.Path.String()+": "+f.Message)
		}
	}
	return lines
}

// TestReviewBases says that a product changed or is not available any more, after one request for all
// documents.
func TestReviewBases(t *testing.T) {
	t.Parallel()
	s := newSupplier(t)
	dir := town(t, s, "a.json", "b.json")
	s.requests.Store(0)
	require.Empty(t, reviewBases(t, dir))
	require.Zero(t, s.requests.Load(), "nothing is requested without --links")
	links := []string{"--links", "--allow-private"}
	require.Empty(t, reviewBases(t, dir, links...))
	require.EqualValues(t, 1, s.requests.Load())
	s.change("\n", "\n ")
	require.Empty(t, reviewBases(t, dir, links...), "spaces do not count")

	original := *s.text.Load()
	s.change("to 2024", "to 2025")
	require.Equal(t, []string{
		"a base_newer register.based_on.edition: The product has changed: its edition is c88d425f38f4, and the document is based on 4cb8c6724e82.",
		"b base_newer register.based_on.edition: The product has changed: its edition is c88d425f38f4, and the document is based on 4cb8c6724e82.",
	}, reviewBases(t, dir, links...))

	for text, want := range map[string]string{
		`{"id": "x"}`:  "base_gone register.based_on.url: There is something else than a product at " + s.URL + ".",
		"<html>SECRET": "base_gone register.based_on.url: There is something else than a product at " + s.URL + ".",
		strings.Replace(original, "purpose.benefits", "purpose.SECRET", 1): "link_unreachable register.based_on.url: What is at " + s.URL + " can't be used as a product.",
		strings.Repeat(" ", 1<<20) + "{}":                                  "link_unreachable register.based_on.url: What is at " + s.URL + " is larger than 1 MiB.",
	} {
		s.text.Store(&text)
		require.Equal(t, []string{"a " + want, "b " + want}, reviewBases(t, dir, links...))
	}
	for status, want := range map[int64]string{
		http.StatusNotFound:           "base_gone register.based_on.url: The product " + s.URL + " does not exist any more: the server returned status 404 Not Found.",
		http.StatusGone:               "base_gone register.based_on.url: The product " + s.URL + " does not exist any more: the server returned status 410 Gone.",
		http.StatusServiceUnavailable: "link_unreachable register.based_on.url: The product " + s.URL + " could not be read: the server returned status 503 Service Unavailable.",
	} {
		s.status.Store(status)
		require.Equal(t, []string{"a " + want, "b " + want}, reviewBases(t, dir, links...))
	}
	s.Close()
	require.Contains(t, reviewBases(t, dir, links...)[0], "could not be read: its host refused the connection.")
	require.Empty(t, reviewBases(t, dir, "--links", "--allow-private", "--today", "2026-12-01")[2:], "of the product alone")

	retired := filepath.Join(dir, "documents", "a.json")
	text, err := os.ReadFile(retired)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(retired, []byte(strings.Replace(string(text), `"in_use", "since"`, `"retired", "since"`, 1)), 0o666))
	require.Len(t, reviewBases(t, dir, links...), 1)
}

// TestReviewFar finds a document that says less than half of what its product says, by the copy of the
// product that is kept.
func TestReviewFar(t *testing.T) {
	t.Parallel()
	dir := town(t, newSupplier(t), "housing.json")
	file := filepath.Join(dir, "documents", "housing.json")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var product struct {
		Elements []struct {
			Variables []struct{ Value []struct{ Value string } }
		}
	}
	sample, err := os.ReadFile(sampleProduct)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(sample, &product))
	own := string(text)
	for _, e := range product.Elements {
		for _, v := range e.Variables {
			for _, t := range v.Value {
				own = strings.ReplaceAll(own, `"`+t.Value+`"`, `"something else"`)
			}
		}
	}
	require.NoError(t, os.WriteFile(file, []byte(own), 0o666))
	require.Empty(t, reviewBases(t, dir), "eleven of 21")
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(own, `"elevated"`, `"limited"`, 1)), 0o666))
	require.Equal(t, []string{
		"housing base_far register.based_on: Of 21 things that the product says, the document says only 10 in the same way.",
	}, reviewBases(t, dir))
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "documents", ".bases")))
	require.Empty(t, reviewBases(t, dir), "the product is not known")
	require.Len(t, reviewBases(t, dir, "--links", "--allow-private"), 1, "the supplier still has the edition")
}
