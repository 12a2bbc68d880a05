package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

const sampleProduct = "../../../examples/register/products/benefit-calculator.json"

// supplier serves a product, whose text and status a test can change, and counts requests.
type supplier struct {
	*httptest.Server
	text     atomic.Pointer[string]
	status   atomic.Int64 // 0 means 200
	requests atomic.Int64
}

func newSupplier(t *testing.T) *supplier {
	t.Helper()
	text, err := os.ReadFile(sampleProduct)
	require.NoError(t, err)
	s := new(supplier)
	s.text.Store(new(string(text)))
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s.requests.Add(1)
		w.WriteHeader(int(cmp.Or(s.status.Load(), http.StatusOK)))
		_, _ = w.Write([]byte(*s.text.Load()))
	}))
	t.Cleanup(s.Close)
	return s
}

// change replaces texts of the product.
func (s *supplier) change(pairs ...string) {
	s.text.Store(new(strings.NewReplacer(pairs...).Replace(*s.text.Load())))
}

// town returns a directory with documents that are based on the product of a supplier, filled in.
func town(t *testing.T, s *supplier, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	sample, err := os.ReadFile("../../../examples/register/housing-benefit.json")
	require.NoError(t, err)
	for _, name := range names {
		_, stderr, code := runIn(t, dir, "new", "--from", s.URL, "--allow-private", "-o", "documents/"+name)
		require.Zero(t, code, stderr)
		require.Contains(t, stderr, "based on Benefit calculator 4.2 of Fairdesk Cooperative")
		own := strings.NewReplacer(`"id": "housing-benefit-check"`, fmt.Sprintf("%q: %q", "id", strings.TrimSuffix(name, ".json")),
			"https://fairdesk.example/benefit-calculator.json", s.URL, `"slug": "housing-benefit", `, "").Replace(string(sample))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "documents", name), []byte(own), 0o666))
	}
	return dir
}

// TestMerge merges what a supplier changed: nothing is written without --write, then what is done, the
// edition moves once nothing is open, and merging again changes nothing.
func TestMerge(t *testing.T) {
	t.Parallel()
	s := newSupplier(t)
	dir := town(t, s, "housing.json")
	before := tree(t, dir)
	merge := func(args ...string) (string, string, int) {
		return runIn(t, dir, append([]string{"merge", "documents", "--allow-private"}, args...)...)
	}
	stdout, stderr, code := merge()
	require.Zero(t, code, stdout+stderr)

	s.change("to 2024", "to 2025", `"elevated"`, `"limited"`, `"4.2"`, `"4.3"`)
	stdout, _, code = merge()
	require.Equal(t, 1, code)
	require.Contains(t, stdout, "Benefit calculator of Fairdesk Cooperative, 4.2 → 4.3 (4cb8c6724e82 → ")
	require.Contains(t, stdout, "risk.errors/context: elevated → limited")
	require.Contains(t, stdout, "use --take risk.errors/context")
	require.Equal(t, before, tree(t, dir), "a dry run changes nothing")

	_, stderr, code = merge("--write", "--take", "risk.error/context")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "did you mean risk.errors/context?")
	require.Equal(t, before, tree(t, dir), "nothing is written with a path that is wrong")

	_, _, code = merge("--write")
	require.Equal(t, 1, code)
	now := tree(t, dir)[filepath.Join(dir, "documents", "housing.json")]
	require.Contains(t, now, "requests of 2022 to 2025")
	require.Contains(t, now, `"context_type_id": "elevated"`)
	require.Contains(t, now, `"version": "4.2"`, "a decision is open")
	require.Len(t, tree(t, dir), 2)

	_, _, code = merge("--write", "--keep", "risk.errors/context")
	require.Zero(t, code)
	now = tree(t, dir)[filepath.Join(dir, "documents", "housing.json")]
	require.Contains(t, now, `"context_type_id": "elevated"`)
	require.Contains(t, now, `"version": "4.3"`)
	require.Len(t, tree(t, dir), 2, "the copy of the old edition is removed")

	last := tree(t, dir)
	stdout, _, code = merge("--write")
	require.Zero(t, code)
	require.Contains(t, stdout, "nothing to do")
	require.Equal(t, last, tree(t, dir))
}

// TestMergeGaps writes a document with new gaps only if that is asked for.
func TestMergeGaps(t *testing.T) {
	t.Parallel()
	s := newSupplier(t)
	dir := town(t, s, "housing.json")
	before := tree(t, dir)
	s.change(`{"element_id": "output.suggestion", "context_type_id": "staff"},`,
		`{"element_id": "output.suggestion", "context_type_id": "staff"},
    {"element_id": "risk.bias", "context_type_id": "limited", "variables": [{"id": "safeguard", "value": []}]},`)
	stdout, _, code := runIn(t, dir, "merge", "documents", "--allow-private", "--write")
	require.Equal(t, 1, code)
	require.Contains(t, stdout, "added, to be filled in: safeguard")
	require.Equal(t, before, tree(t, dir))
	_, _, code = runIn(t, dir, "merge", "documents", "--allow-private", "--write", "--unfinished")
	require.Equal(t, 1, code)
	require.Contains(t, tree(t, dir)[filepath.Join(dir, "documents", "housing.json")], "risk.bias")
}

// TestMergeManyOnce reads the product of many documents once.
func TestMergeManyOnce(t *testing.T) {
	t.Parallel()
	s := newSupplier(t)
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("d%d.json", i))
	}
	dir := town(t, s, names...)
	s.requests.Store(0)
	s.change("to 2024", "to 2025")
	stdout, stderr, code := runIn(t, dir, "merge", "documents", "--allow-private", "--write")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "30 written")
	require.EqualValues(t, 1, s.requests.Load())
	require.Len(t, tree(t, dir), 31)
}

// TestMergeRefused refuses copies that were altered, products that lead inside or are none, and says
// what to do without the supplier.
func TestMergeRefused(t *testing.T) {
	t.Parallel()
	s := newSupplier(t)
	dir := town(t, s, "housing.json")
	merge := func(args ...string) string {
		stdout, stderr, code := runIn(t, dir, append([]string{"merge", "documents/housing.json"}, args...)...)
		require.Equal(t, 2, code, stdout+stderr)
		return stderr
	}
	require.Contains(t, merge(), "http is refused without --allow-private")

	bases, err := filepath.Glob(filepath.Join(dir, "documents", ".bases", "*.json"))
	require.NoError(t, err)
	require.Len(t, bases, 1)
	kept, err := os.ReadFile(bases[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(bases[0], []byte(strings.Replace(string(kept), "elevated", "high", 1)), 0o666))
	require.Contains(t, merge("--allow-private"), "has another content than its name says, and is refused")
	require.NoError(t, os.WriteFile(bases[0], []byte(strings.ReplaceAll(string(kept), "\n", "\n ")), 0o666)) // spaces do not count
	_, stderr, code := runIn(t, dir, "merge", "documents", "--allow-private")
	require.Zero(t, code, stderr)

	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.Replace(s.URL, "127.0.0.1", "localhost", 1), http.StatusFound)
	}))
	t.Cleanup(inside.Close)
	require.Contains(t, merge("--allow-private", "--from", inside.URL), "redirects to other hosts are not followed")

	for text, want := range map[string]string{
		"<html>": "not valid JSON", `{"id": "x"}`: "not a product", strings.Repeat(" ", 1<<20) + "{}": "larger than 1 MiB",
		strings.Replace(string(kept), "purpose.benefits", "purpose.nothing", 1): "besides its gaps",
	} {
		s.text.Store(new(text))
		require.Contains(t, merge("--allow-private"), want)
	}
	s.Close()
	require.Contains(t, merge("--allow-private"), "use --from FILE")
	next := filepath.Join(dir, "next.json")
	require.NoError(t, os.WriteFile(next, []byte(strings.Replace(string(kept), "to 2024", "to 2025", 1)), 0o666))
	stdout, stderr, code := runIn(t, dir, "merge", "documents", "--from", "next.json")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "+ ", stdout)

	// Without the copy, each difference needs a decision; a copy elsewhere can be named.
	require.NoError(t, os.Rename(bases[0], filepath.Join(dir, "base.json")))
	stdout, _, code = runIn(t, dir, "merge", "documents", "--from", "next.json")
	require.Equal(t, 1, code)
	require.Contains(t, stdout, "needs a decision")
	_, _, code = runIn(t, dir, "merge", "documents", "--from", "next.json", "--base", "base.json")
	require.Zero(t, code)
	require.Contains(t, merge("--from", "next.json", "--base", "next.json"), "is refused")
}

// TestMergeStartedElsewhere keeps the copy of a product for a document that another program started.
func TestMergeStartedElsewhere(t *testing.T) {
	t.Parallel()
	s := newSupplier(t)
	dir := town(t, s, "housing.json")
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "documents", ".bases")))
	_, _, code := runIn(t, dir, "merge", "documents", "--allow-private")
	require.Zero(t, code)
	require.Len(t, tree(t, dir), 1)
	_, _, code = runIn(t, dir, "merge", "documents", "--allow-private", "--write")
	require.Zero(t, code)
	require.Len(t, tree(t, dir), 2)
}

// TestMergeFormats writes a summary for CI in which nothing of a document ends the block of code, and
// JSON.
func TestMergeFormats(t *testing.T) {
	t.Parallel()
	s := newSupplier(t)
	dir := town(t, s, "housing.json")
	s.change("to 2024", "to 2025 ```` <script>\\u001b[31m")
	stdout, stderr, code := runIn(t, dir, "merge", "documents", "--allow-private", "--format", "md")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "\n`````diff\n")
	require.NotContains(t, stdout, "\x1b")
	list, _, _ := strings.Cut(stdout, "`````diff")
	require.NotContains(t, list, "<script>")

	stdout, _, code = runIn(t, dir, "merge", "documents", "--allow-private", "--format", "json")
	require.Zero(t, code)
	var answer struct {
		Files []struct {
			Product struct {
				Title, Supplier any
				From, To        struct{ Edition, Version string }
			}
			Report struct {
				Entries []struct{ Unit, Class string }
			}
		}
		OK bool
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &answer))
	require.True(t, answer.OK)
	require.Equal(t, "4.2", answer.Files[0].Product.From.Version)
	require.Len(t, answer.Files[0].Product.To.Edition, 64)
	require.Equal(t, "technique.prediction/learned_from/en", answer.Files[0].Report.Entries[1].Unit)
}

// TestNewFrom says what is not taken and what is not kept.
func TestNewFrom(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text, err := os.ReadFile(sampleProduct)
	require.NoError(t, err)
	text = []byte(strings.Replace(string(text), `"elements": [`, `"linked_instance_ids": ["other"], "authoring_provenance": {"kind": "human"}, "elements": [`, 1))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "product.json"), text, 0o666))
	stdout, stderr, code := runIn(t, dir, "new", "--from", "product.json")
	require.Zero(t, code, stderr)
	require.Contains(t, stderr, "Not taken from the product: authoring_provenance and linked_instance_ids.")
	require.Contains(t, stderr, "The product is not kept")
	require.NotContains(t, stdout, "linked_instance_ids")
	require.NotContains(t, stdout, "open")
	require.Len(t, tree(t, dir), 1)
	_, stderr, code = runIn(t, dir, "new", "ai@latest", "--from", "product.json")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "--from takes neither a version")
}

// TestMergeRoles asks before it changes a contact, a link or who is responsible, also if only the
// settings of the register say what these are in a taxonomy.
func TestMergeRoles(t *testing.T) {
	t.Parallel()
	product := `{
  "id": "counter", "title": [{"locale": "en", "value": "Counter"}],
  "schema_version": "sensor@2026-06-15-stable", "created_at": "2026-09-01T09:00:00Z",
  "register": {"product": {"supplier": {"name": "Stepwise Ltd"}}},
  "elements": [
    {"element_id": "purpose.planning"}, {"element_id": "device.counter", "context_type_id": "always_on"},
    {"element_id": "data.movement", "context_type_id": "does_not_identify_people"},
    {"element_id": "responsible.in_charge", "variables": [
      {"id": "organisation", "value": [{"locale": "en", "value": "Stepwise Ltd"}]},
      {"id": "contact", "value": [{"locale": "en", "value": "desk@stepwise.example"}]}
    ]}
  ]
}`
	changed := strings.NewReplacer("desk@", "sales@", `{"element_id": "responsible.in_charge"`,
		`{"element_id": "responsible.operator", "variables": [{"id": "organisation", "value": [{"locale": "en", "value": "Parts Ltd"}]}]},
    {"element_id": "responsible.in_charge"`).Replace(product)
	const roles = "roles: {sensor: {categories: {responsible: accountable}, variables: {contact: contact}}}\n"
	for name, c := range map[string]struct {
		settings map[string]string
		dir      string
		open     int
	}{
		"the taxonomy has no roles":    {map[string]string{"": "title: A town\n"}, "documents", 0},
		"roles beside the document":    {map[string]string{"documents": roles}, "documents", 2},
		"roles of a parent":            {map[string]string{"": roles}, "documents/streets", 2},
		"the nearest settings count":   {map[string]string{"": roles, "documents": strings.Replace(roles, "variables: {contact: contact}", "", 1)}, "documents", 1},
		"roles of another type do not": {map[string]string{"": strings.Replace(roles, "sensor", "ai", 1)}, "documents", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write := func(name, text string) {
				require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
			}
			for in, text := range c.settings {
				write(filepath.Join(in, "register.yaml"), text)
			}
			write("4.2.json", product)
			write("4.3.json", changed)
			_, stderr, code := runIn(t, dir, "new", "--from", "4.2.json", "-o", c.dir+"/counter.json")
			require.Zero(t, code, stderr)
			stdout, stderr, code := runIn(t, dir, "merge", "documents", "--from", "4.3.json")
			require.Equal(t, min(c.open, 1), code, stdout+stderr)
			require.Equal(t, c.open, strings.Count(stdout, ": needs a decision: "), stdout)
		})
	}

	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "product.json"), []byte(product), 0o666))
	_, stderr, code := runIn(t, dir, "new", "--from", "product.json", "-o", "counter.json")
	require.Zero(t, code, stderr)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "register.yaml"), []byte("roles: [\n"), 0o666))
	_, stderr, code = runIn(t, dir, "merge", "counter.json", "--from", "product.json")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "register.yaml")
}
