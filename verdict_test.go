package datachain_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/cputime"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/listing"
	"github.com/datachain-go/datachain/validate"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("examples/documents/" + name)
	require.NoError(t, err)
	return text
}

// pinned is the version that a document pins.
func pinned(t *testing.T, text []byte) string {
	t.Helper()
	doc, err := document.Parse(text)
	require.NoError(t, err)
	version, ok := doc.Find(issue.Root.Key("schema_version"))
	require.True(t, ok)
	return version.Text()
}

func TestValidating(t *testing.T) {
	thin := read(t, "benefits.json")
	version := pinned(t, thin)
	s := open(t, version)

	v, err := s.Validate(t.Context(), thin, nil)
	require.NoError(t, err)
	assert.True(t, v.OK(), "%v", v.Issues)
	assert.Equal(t, version, v.Release.Version().String())

	v, bundle, err := s.Resolve(t.Context(), thin, nil)
	require.NoError(t, err)
	assert.True(t, v.OK())
	resolved := bundle.AppendJSON(nil)
	assert.JSONEq(t, string(read(t, "benefits.resolved.json")), string(resolved))

	v, err = open(t, "sensor@latest").ValidateResolved(t.Context(), resolved, nil)
	require.NoError(t, err, "the version addressed only has to exist")
	assert.True(t, v.OK(), "%v", v.Issues)
	assert.True(t, v.Resolved)

	const keywords = `"keywords":[{"locale":"en","value":"`
	require.Contains(t, string(resolved), keywords)
	drifted := strings.Replace(string(resolved), keywords, keywords+"other, ", 1)
	v, err = s.ValidateResolved(t.Context(), []byte(drifted), nil)
	require.NoError(t, err)
	assert.Contains(t, codesOf(v.Errors()), issue.Code(codes.SnapshotDrift))

	retired := strings.ReplaceAll(string(resolved), version, "ai@2020-01-01-stable")
	v, err = s.ValidateResolved(t.Context(), []byte(retired), nil)
	require.NoError(t, err)
	assert.True(t, v.OK(), "a version that is no longer published can't drift: %v", v.Issues)
}

// TestForgedSnapshot: a snapshot that was not checked, or not compared, is never valid without
// a warning.
func TestForgedSnapshot(t *testing.T) {
	service := samples(t)
	before, snapshot, _ := strings.Cut(string(read(t, "benefits.resolved.json")), "schema_snapshot")
	text := before + "schema_snapshot" + strings.Replace(snapshot, `"value":"`, `"value":"Forged `, 1)
	invented := strings.Replace(text, pinned(t, []byte(text)), "ai@2020-01-01-stable", 1)
	schema := openIn(t, service, pinned(t, []byte(text)))
	for _, c := range []struct {
		name, text string
		judge      func(context.Context, []byte, *datachain.ValidateOptions) (*datachain.Verdict, error)
		want       []issue.Code
	}{
		{"the service", text, service.Validate, []issue.Code{codes.SnapshotDrift}},
		{"the version, resolved", text, schema.ValidateResolved, []issue.Code{codes.SnapshotDrift}},
		{"the version", text, schema.Validate, []issue.Code{codes.SnapshotDrift}},
		{"the version, thin", text, schema.ValidateThin, []issue.Code{codes.SnapshotNotChecked}},
		{"the service, with an invented pin", invented, service.Validate, []issue.Code{codes.SnapshotNotCompared}},
		{"the version, resolved, with an invented pin", invented, schema.ValidateResolved, []issue.Code{codes.SnapshotNotCompared}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := c.judge(t.Context(), []byte(c.text), nil)
			require.NoError(t, err)
			require.Equal(t, c.want, codesOf(v.Issues))
		})
	}
	v, _, err := schema.Resolve(t.Context(), []byte(text), nil)
	require.NoError(t, err)
	require.Empty(t, v.Issues, "resolving replaces the snapshot")
}

// TestRemovedCategory removes a required category from both placements and snapshot.
// While the version is published, every way of validating misses it.
func TestRemovedCategory(t *testing.T) {
	var resolved map[string]any
	require.NoError(t, json.Unmarshal(read(t, "benefits.resolved.json"), &resolved))
	version := resolved["schema_version"].(string)
	removeCategory(resolved, "decision")

	s := open(t, version)
	for name, judge := range map[string]func(text []byte) (*datachain.Verdict, error){
		"the version": func(text []byte) (*datachain.Verdict, error) { return s.ValidateResolved(t.Context(), text, nil) },
		"another version": func(text []byte) (*datachain.Verdict, error) {
			return open(t, "sensor@latest").ValidateResolved(t.Context(), text, nil)
		},
		"the service": func(text []byte) (*datachain.Verdict, error) { return samples(t).Validate(t.Context(), text, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			v, err := judge(encoded(t, resolved))
			require.NoError(t, err)
			require.Equal(t, []issue.Code{codes.RequiredCategoryMissing}, codesOf(v.Errors()), "%v", v.Issues)
			require.Contains(t, v.Errors()[0].Message, "decision")
		})
	}
	resolved["schema_version"] = "ai@2020-01-01-stable"
	v, err := s.ValidateResolved(t.Context(), encoded(t, resolved), nil)
	require.NoError(t, err)
	require.True(t, v.OK(), "only the snapshot counts: %v", v.Issues)
}

// removeCategory removes a category from the snapshot, with its elements, and their
// placements.
func removeCategory(resolved map[string]any, id string) {
	snapshot := resolved["schema_snapshot"].(map[string]any)
	without := func(list any, key string, ids ...string) []any {
		return slices.DeleteFunc(list.([]any), func(item any) bool { return slices.Contains(ids, item.(map[string]any)[key].(string)) })
	}
	var elements []string
	for _, e := range snapshot["elements"].([]any) {
		if e := e.(map[string]any); e["category_id"] == id {
			elements = append(elements, e["id"].(string))
		}
	}
	snapshot["categories"] = without(snapshot["categories"], "id", id)
	snapshot["elements"] = without(snapshot["elements"], "id", elements...)
	resolved["elements"] = without(resolved["elements"], "element_id", elements...)
	delete(resolved, "authoring_provenance")
}

func encoded(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return text
}

// TestPinned validates documents by the version that they pin.
func TestPinned(t *testing.T) {
	s := samples(t)
	thin, resolved := read(t, "benefits.json"), read(t, "benefits.resolved.json")
	for name, text := range map[string][]byte{"thin": thin, "resolved": resolved} {
		v, err := s.Validate(t.Context(), text, nil)
		require.NoError(t, err)
		assert.True(t, v.OK(), "%v", v.Issues)
		assert.Equal(t, name == "resolved", v.Resolved)
		assert.Equal(t, pinned(t, text), v.Release.Version().String())
		schema, err := s.OpenFor(t.Context(), text)
		require.NoError(t, err)
		assert.Same(t, v.Release, schema.Release())
	}

	retired := strings.ReplaceAll(string(resolved), pinned(t, resolved), "ai@2020-01-01-stable")
	v, err := s.Validate(t.Context(), []byte(retired), nil)
	require.NoError(t, err)
	assert.True(t, v.OK(), "%v", v.Issues)
	assert.Nil(t, v.Release, "it is no longer published")

	unpublished := strings.ReplaceAll(string(thin), pinned(t, thin), "ai@2026-09-02-stable")
	v, err = s.Validate(t.Context(), []byte(unpublished), nil)
	require.NoError(t, err)
	assert.Nil(t, v.Release)
	require.Equal(t, []issue.Code{issue.CodeNotFound}, codesOf(v.Issues))
	assert.Equal(t, "schema_version", v.Issues[0].Path.String())
	assert.Contains(t, v.Issues[0].FixHint, "ai@2026-11-15-stable")

	for text, want := range map[string]issue.Code{
		`{}`:                                issue.CodeBadRequest,
		`[]`:                                issue.CodeBadRequest,
		`{"schema_version":"ai"}`:           issue.CodeBadRequest,
		`{"schema_version":"drone@latest"}`: issue.CodeNotFound,
	} {
		_, err := s.OpenFor(t.Context(), []byte(text))
		assert.Equal(t, want, codeOf(t, err), text)
		v, err := s.Validate(t.Context(), []byte(text), nil)
		require.NoError(t, err)
		assert.Contains(t, codesOf(v.Issues), issue.Code(codes.ParseError), text)
	}
}

// TestPinHints: a document that pins nothing is told to pin the version that the request names,
// whatever it asks for.
func TestPinHints(t *testing.T) {
	schema := open(t, "ai@2026-11-15-stable")
	pin := `add "schema_version": "ai@2026-11-15-stable"`
	hints := func(issues issue.Issues) (list []string) {
		for _, i := range issues {
			list = append(list, i.FixHint)
		}
		return list
	}
	thin, err := schema.Validate(t.Context(), []byte("{}"), nil)
	require.NoError(t, err)
	require.Contains(t, hints(thin.Issues), pin)
	resolved, err := schema.ValidateResolved(t.Context(), []byte("{}"), nil)
	require.NoError(t, err)
	require.Contains(t, hints(resolved.Issues), pin)
}

// TestPartial keeps the findings of a document whose shape is wrong elsewhere.
func TestPartial(t *testing.T) {
	thin := strings.Replace(string(read(t, "benefits.json")), `"purpose.`, `"purposse.`, 1)
	thin = strings.Replace(thin, `"created_at": "`, `"created_at": 7, "x": "`, 1)
	s := samples(t)
	for _, partial := range []bool{false, true} {
		v, err := s.Validate(t.Context(), []byte(thin), &datachain.ValidateOptions{Partial: partial})
		require.NoError(t, err)
		want := []issue.Code{codes.ParseError}
		if partial {
			want = append(want, codes.InstanceElementUnknown)
		}
		assert.Equal(t, want, codesOf(v.Issues))
	}
}

// TestUnfinished: of a document with syntax errors, everything is reported that does not depend on
// what can't be read, after the errors, one for each line. Fixes keep away from open places, and
// nothing is fixed that is not strict.
func TestUnfinished(t *testing.T) {
	thin := strings.Replace(string(read(t, "benefits.json")), `"purpose.`, `"purposse.`, 1)
	thin = strings.Replace(thin, `"created_at": "`, `"created_at": , x "`, 1)
	thin = strings.TrimRight(thin, "}\n ")
	s := samples(t)
	v, err := s.Validate(t.Context(), []byte(thin), &datachain.ValidateOptions{Partial: true, Fix: true})
	require.NoError(t, err)
	require.Equal(t, []issue.Code{issue.CodeBadRequest, issue.CodeBadRequest, codes.InstanceElementUnknown}, codesOf(v.Issues))
	require.Error(t, v.SyntaxError())
	assert.False(t, v.OK())
	assert.NotNil(t, v.Release)
	assert.False(t, v.Document().Strict())
	findings := v.Findings()
	for i, at := range []string{`, x "`, "", `"purposse.`} {
		place := strings.Index(thin, at)
		if at == "" {
			place = len(thin)
		}
		assert.Equal(t, place, findings[i].Span.Start.Offset, at)
	}
	require.NotNil(t, v.Fixed)
	assert.Empty(t, v.Fixed.Edits)
	assert.Empty(t, v.Fixed.Resolved)
	assert.Equal(t, thin, string(v.Fixed.Document.Text()))
	edits, fixed := v.Edits(v.Issues...)
	assert.Len(t, edits, 1, "the placement is complete")
	assert.EqualValues(t, codes.InstanceElementUnknown, fixed[0].Code)
	open := strings.Replace(thin, `"purposse.`, `,"purposse.`, 1)
	v, err = s.Validate(t.Context(), []byte(open), &datachain.ValidateOptions{Partial: true})
	require.NoError(t, err)
	edits, _ = v.Edits(v.Issues...)
	assert.Empty(t, edits, "the placement is not")

	v, err = s.Validate(t.Context(), []byte(thin), nil)
	require.NoError(t, err)
	assert.Len(t, v.Issues, 1)
}

// TestFindings shows positions, strict mode and fixes.
func TestFindings(t *testing.T) {
	thin := strings.Replace(string(read(t, "benefits.json")), `"purpose.`, `"purposse.`, 1)
	thin = strings.Replace(thin, "{", "{\n  \"x_é\": 1,", 1)
	s := samples(t)
	v, err := s.Validate(t.Context(), []byte(thin), &datachain.ValidateOptions{Strict: true, Fix: true})
	require.NoError(t, err)
	require.False(t, v.OK())
	lines := strings.Split(thin, "\n")
	for _, f := range v.Findings() {
		line := lines[f.Span.Start.Line-1]
		switch f.Code {
		case codes.UnknownField:
			assert.Equal(t, `"x_é"`, line[f.Span.Start.UTF8-1:f.Span.End.UTF8-1])
		case codes.InstanceElementUnknown:
			assert.Contains(t, line[f.Span.Start.UTF8-1:f.Span.End.UTF8-1], "purposse.")
		}
	}
	assert.Contains(t, codesOf(v.Issues), issue.Code(codes.UnknownField))
	assert.Contains(t, codesOf(v.Fixed.Resolved), issue.Code(codes.InstanceElementUnknown))
	assert.True(t, v.AfterFix().OK(), "%v", v.AfterFix().Issues)
	assert.NotContains(t, string(v.AfterFix().Document().Text()), "purposse")
	assert.Contains(t, string(v.Document().Text()), "purposse")

	v, err = s.Validate(t.Context(), []byte(thin), nil)
	require.NoError(t, err)
	assert.Nil(t, v.Fixed)
	assert.NotContains(t, codesOf(v.Issues), issue.Code(codes.UnknownField))
}

// TestFixJudgesNoMoreThanNeeded counts how often a document is validated.
func TestFixJudgesNoMoreThanNeeded(t *testing.T) {
	judged := 0
	s := must(datachain.New(sampleStore(t), &datachain.Options{Rules: []*validate.Rule{
		{Name: "count", Doc: "Counts.", Codes: []issue.Code{"count"}, Run: func(context.Context, *validate.Pass) error { judged++; return nil }},
	}}))
	thin := read(t, "benefits.json")
	_, err := s.Validate(t.Context(), thin, &datachain.ValidateOptions{Fix: true})
	require.NoError(t, err)
	assert.Equal(t, 1, judged, "nothing to fix")
	judged = 0
	_, err = s.Validate(t.Context(), []byte(strings.Replace(string(thin), `"purpose.`, `"purposse.`, 1)), &datachain.ValidateOptions{Fix: true})
	require.NoError(t, err)
	assert.Equal(t, 2, judged, "before and after the fix")
}

// TestSyntaxFinding: whatever validates a text, that it is not JSON is its only finding.
func TestSyntaxFinding(t *testing.T) {
	service, schema := samples(t), open(t, "ai@latest")
	text := []byte("{\n  \"id\": x\n}")
	all := &datachain.ValidateOptions{Strict: true, Fix: true}
	for name, judge := range map[string]func() (*datachain.Verdict, error){
		"Service.Validate":        func() (*datachain.Verdict, error) { return service.Validate(t.Context(), text, nil) },
		"with all options":        func() (*datachain.Verdict, error) { return service.Validate(t.Context(), text, all) },
		"Schema.Validate":         func() (*datachain.Verdict, error) { return schema.Validate(t.Context(), text, nil) },
		"Schema.ValidateThin":     func() (*datachain.Verdict, error) { return schema.ValidateThin(t.Context(), text, nil) },
		"Schema.ValidateResolved": func() (*datachain.Verdict, error) { return schema.ValidateResolved(t.Context(), text, all) },
		"Schema.Resolve": func() (*datachain.Verdict, error) {
			v, bundle, err := schema.Resolve(t.Context(), text, nil)
			assert.Nil(t, bundle)
			return v, err
		},
		"Schema.Present":          func() (*datachain.Verdict, error) { return presented(t)(schema.Present(t.Context(), text)) },
		"Service.Present":         func() (*datachain.Verdict, error) { return presented(t)(service.Present(t.Context(), text)) },
		"Service.PresentSnapshot": func() (*datachain.Verdict, error) { return presented(t)(service.PresentSnapshot(t.Context(), text)) },
	} {
		t.Run(name, func(t *testing.T) {
			v, err := judge()
			require.NoError(t, err)
			assert.False(t, v.OK())
			assert.Nil(t, v.Release)
			assert.Nil(t, v.Document())
			require.Len(t, v.Findings(), 1)
			f := v.Findings()[0]
			assert.Equal(t, issue.Issues{f.Issue}, v.Issues)
			assert.Equal(t, v.Issues, v.Errors())
			assert.Equal(t, issue.CodeBadRequest, f.Code)
			assert.Equal(t, 2, f.Span.Start.Line)
			assert.Equal(t, 9, f.Span.Start.Column)
			edits, fixed := v.Edits(v.Issues...)
			assert.Empty(t, edits)
			assert.Empty(t, fixed)
			assert.Same(t, v, v.AfterFix())
			if v.Fixed != nil {
				assert.Empty(t, v.Fixed.Resolved)
			}
			sent, err := json.Marshal(v)
			require.NoError(t, err)
			assert.JSONEq(t, `{"ok": false, "errors": `+string(must(json.Marshal(v.Issues)))+`}`, string(sent))

			failed, ok := errors.AsType[*datachain.Error](v.SyntaxError())
			require.True(t, ok)
			assert.Equal(t, datachain.KindSyntax, failed.Kind)
			located, ok := failed.Finding()
			require.True(t, ok)
			assert.Equal(t, f, located)
		})
	}
	v, err := schema.Validate(t.Context(), []byte("{}"), nil)
	require.NoError(t, err)
	require.NoError(t, v.SyntaxError(), "it is JSON")
	_, ok := (&datachain.Error{}).Finding()
	assert.False(t, ok)
}

// presented returns the verdict of a text that can't be shown.
func presented(t *testing.T) func(*datachain.Verdict, *datachain.Presentation, error) (*datachain.Verdict, error) {
	t.Helper()
	return func(v *datachain.Verdict, p *datachain.Presentation, err error) (*datachain.Verdict, error) {
		assert.Nil(t, p)
		return v, err
	}
}

// TestWhatTheDocumentIs: a version validates a document by what it is, as the service does, and
// any document as a thin one only on request.
func TestWhatTheDocumentIs(t *testing.T) {
	service := samples(t)
	for _, file := range []string{"benefits.json", "benefits.resolved.json"} {
		for name, text := range map[string][]byte{
			"valid":   read(t, file),
			"unknown": bytes.Replace(read(t, file), []byte("purpose.benefits"), []byte("purpose.benefit"), 1),
			"drifted": bytes.Replace(read(t, file), []byte(`"keywords":[{"locale":"en","value":"`), []byte(`"keywords":[{"locale":"en","value":"other, `), 1),
		} {
			t.Run(file+" "+name, func(t *testing.T) {
				schema := open(t, pinned(t, text))
				want, err := service.Validate(t.Context(), text, &datachain.ValidateOptions{Fix: true})
				require.NoError(t, err)
				got, err := schema.Validate(t.Context(), text, &datachain.ValidateOptions{Fix: true})
				require.NoError(t, err)
				assert.Equal(t, want.Resolved, got.Resolved)
				assert.Equal(t, want.Issues, got.Issues)
				assert.Equal(t, want.Fixed.Document.Text(), got.Fixed.Document.Text())
				resolved := strings.Contains(file, "resolved")
				assert.Equal(t, resolved, got.Resolved)

				thin, err := schema.ValidateThin(t.Context(), text, nil)
				require.NoError(t, err)
				assert.False(t, thin.Resolved)
				assert.Equal(t, resolved, slices.Contains(codesOf(thin.Warnings()), "SNAPSHOT_NOT_CHECKED"))
			})
		}
	}
}

func TestInvalidIsAnAnswer(t *testing.T) {
	v, err := open(t, "ai@latest").Validate(t.Context(), []byte(`{"id": 7}`), nil)
	require.NoError(t, err)
	assert.False(t, v.OK())
	assert.EqualValues(t, codes.ParseError, v.Issues[0].Code)

	thin := read(t, "benefits.json")
	beta := open(t, "ai@latest-beta")
	v, err = beta.Validate(t.Context(), thin, nil)
	require.NoError(t, err)
	assert.Contains(t, codesOf(v.Warnings()), issue.Code("schema_version_mismatch"))
	v, bundle, err := beta.Resolve(t.Context(), thin, nil)
	require.NoError(t, err)
	assert.Nil(t, bundle)
	assert.Contains(t, codesOf(v.Errors()), issue.Code("schema_version_mismatch"))
}

// TestRetiredVersion checks that a version that was retired is not found, and that the
// error and the finding say when, why and what to upgrade to.
func TestRetiredVersion(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	text := read(t, "crossing-camera.json")
	gone, next := taxonomy.MustVersion(pinned(t, text)), taxonomy.MustVersion("sensor@2026-11-15-stable")
	if gone == next {
		next = taxonomy.MustVersion("sensor@2026-06-15-stable")
	}
	for hint, r := range map[string]taxonomy.RetiredVersion{
		"upgrade to " + next.String(): {ID: gone, At: "2026-11-16", Successor: next, Reason: "It was misleading."},
		"use":                         {ID: gone, At: "2026-11-16", Reason: "It was misleading."},
	} {
		x, err := listing.Remove(index, r)
		require.NoError(t, err)
		s := must(datachain.New(withIndex{store, x}, nil))
		message := fmt.Sprintf("The schema version %s was retired on 2026-11-16: It was misleading.", gone)
		_, err = s.Open(t.Context(), gone.String())
		require.ErrorIs(t, err, taxonomy.ErrNotFound)
		failed, ok := errors.AsType[*datachain.Error](err)
		require.True(t, ok)
		require.Equal(t, message, failed.Issue.Message)
		require.Contains(t, failed.Issue.FixHint, hint)
		v, err := s.Validate(t.Context(), text, nil)
		require.NoError(t, err)
		require.Equal(t, []issue.Code{issue.CodeNotFound}, codesOf(v.Issues))
		require.Equal(t, message, v.Issues[0].Message)
		require.Contains(t, v.Issues[0].FixHint, strings.Replace(hint, "use", "write", 1))
	}
}

// TestDeprecatedVersion checks that a document that pins a deprecated version stays valid and
// gets a warning, however it is validated, and no other document does.
func TestDeprecatedVersion(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	text := read(t, "crossing-camera.json")
	old, next := taxonomy.MustVersion(pinned(t, text)), taxonomy.MustVersion("sensor@2026-11-15-stable")
	if old == next {
		next = taxonomy.MustVersion("sensor@2026-06-15-stable")
	}
	deprecated := func(x *taxonomy.Index, state taxonomy.State) *datachain.Service {
		x, err := listing.SetState(x, old, state)
		require.NoError(t, err)
		return must(datachain.New(withIndex{store, x}, nil))
	}
	s := deprecated(index, taxonomy.State{Deprecated: "2026-11-17", Sunset: "2027-06-30", Successor: next, Reason: "It is incomplete."})
	schema, err := s.Open(t.Context(), old.String())
	require.NoError(t, err)
	require.Equal(t, next, schema.State().Successor)
	_, bundle, err := schema.Resolve(t.Context(), text, nil)
	require.NoError(t, err)
	resolved := bundle.AppendJSON(nil)
	for name, judged := range map[string]func() (*datachain.Verdict, error){
		"pinned": func() (*datachain.Verdict, error) { return s.Validate(t.Context(), text, nil) },
		"fixed": func() (*datachain.Verdict, error) {
			return s.Validate(t.Context(), text, &datachain.ValidateOptions{Fix: true})
		},
		"thin":     func() (*datachain.Verdict, error) { return schema.Validate(t.Context(), text, nil) },
		"resolved": func() (*datachain.Verdict, error) { return schema.ValidateResolved(t.Context(), resolved, nil) },
		"carried":  func() (*datachain.Verdict, error) { return s.Validate(t.Context(), resolved, nil) },
	} {
		v, err := judged()
		require.NoError(t, err, name)
		require.True(t, v.OK(), name)
		last := v.Issues[len(v.Issues)-1]
		require.Equal(t, issue.Issue{
			Code: codes.SchemaVersionDeprecated, Severity: issue.SeverityWarning, Path: issue.Root.Key("schema_version"),
			Message: fmt.Sprintf("The schema version %s has been deprecated since 2026-11-17, with its sunset on 2027-06-30: It is incomplete.", old),
			FixHint: "upgrade to " + next.String(),
		}, last, name)
	}
	v, err := s.Validate(t.Context(), bytes.Replace(text, []byte(old.String()), []byte(next.String()), 1), nil)
	require.NoError(t, err)
	require.NotContains(t, codesOf(v.Issues), issue.Code(codes.SchemaVersionDeprecated))
	v, err = s.Validate(t.Context(), []byte(`{"schema_version":"`+old.String()+`"}`), nil)
	require.NoError(t, err)
	require.NotContains(t, codesOf(v.Issues), issue.Code(codes.SchemaVersionDeprecated), "its shape is wrong")
	v, err = deprecated(index, taxonomy.State{Deprecated: "2026-11-17"}).Validate(t.Context(), text, nil)
	require.NoError(t, err)
	require.Equal(t, "move to another version before it is retired", v.Issues[len(v.Issues)-1].FixHint)
}

// withIndex is a store with another index.
type withIndex struct {
	taxonomy.Store
	index *taxonomy.Index
}

func (w withIndex) Index(context.Context) (*taxonomy.Index, error) { return w.index, nil }

func codesOf(issues issue.Issues) []issue.Code {
	var list []issue.Code
	for _, i := range issues {
		list = append(list, i.Code)
	}
	return list
}

func TestBundleCap(t *testing.T) {
	thin := read(t, "benefits.json")
	version := pinned(t, thin)
	_, bundle, err := open(t, version).Resolve(t.Context(), thin, nil)
	require.NoError(t, err)
	size := bundle.Len()

	_, bundle, err = openIn(t, must(datachain.New(sampleStore(t), &datachain.Options{MaxBytes: size})), version).Resolve(t.Context(), thin, nil)
	require.NoError(t, err)
	assert.Equal(t, size, bundle.Len())
	_, _, err = openIn(t, must(datachain.New(sampleStore(t), &datachain.Options{MaxBytes: size - 1})), version).Resolve(t.Context(), thin, nil)
	assert.Equal(t, issue.CodePayloadTooLarge, codeOf(t, err))
}

// spin is a rule that uses the processor until it is told to stop.
func spin(budget time.Duration) *validate.Rule {
	return &validate.Rule{
		Name: "spin " + budget.String(), Doc: "Uses the processor.", Codes: []issue.Code{"spin"},
		Run: func(_ context.Context, p *validate.Pass) error {
			for begun := time.Now(); time.Since(begun) < budget; {
				for range p.Placements() {
				}
			}
			return nil
		},
	}
}

func TestProcessorTime(t *testing.T) {
	thin := read(t, "benefits.json")
	busy := must(datachain.New(sampleStore(t), &datachain.Options{
		MaxCPU: time.Millisecond,
		Rules:  []*validate.Rule{spin(300 * time.Millisecond), spin(0)},
	}))
	_, err := busy.Validate(t.Context(), thin, nil)
	assert.Equal(t, issue.CodeTimeout, codeOf(t, err))

	free := must(datachain.New(sampleStore(t), &datachain.Options{MaxCPU: -1, Rules: []*validate.Rule{spin(5 * time.Millisecond)}}))
	_, err = free.Validate(t.Context(), thin, nil)
	assert.NoError(t, err)
}

// busyStore uses the processor while it reads a release.
type busyStore struct {
	taxonomy.Store
	use time.Duration
}

func (b busyStore) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	clock := cputime.Start()
	defer clock.Stop()
	for clock.Used() < b.use {
		continue
	}
	return b.Store.Release(ctx, v)
}

// The time that the store takes is not that of the document.
func TestProcessorTimeOfTheStore(t *testing.T) {
	text := read(t, "benefits.json")
	const limit = 100 * time.Millisecond
	for name, judge := range map[string]func(*datachain.Service) error{
		"validate": func(s *datachain.Service) error { _, err := s.Validate(t.Context(), text, nil); return err },
		"present":  func(s *datachain.Service) error { _, _, err := s.Present(t.Context(), text); return err },
		"work": func(s *datachain.Service) error {
			return s.Work(t.Context(), text, func(w *datachain.Work) error { _, err := w.Pinned(); return err })
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.NoError(t, judge(must(datachain.New(busyStore{sampleStore(t), limit * 3 / 2}, &datachain.Options{MaxCPU: limit}))))
		})
	}
}

func TestCanceled(t *testing.T) {
	text := read(t, "benefits.json")
	ctx, cancel := context.WithCancel(t.Context())
	schema := open(t, pinned(t, text))
	cancel()
	_, opening := samples(t).Open(ctx, "ai@latest")
	_, validating := schema.Validate(ctx, text, nil)
	for _, err := range []error{opening, validating} {
		assert.Equal(t, issue.CodeTimeout, codeOf(t, err))
		require.ErrorIs(t, err, context.Canceled)
		assert.Contains(t, err.Error(), "was canceled.")
		assert.NotContains(t, err.Error(), "client")
	}
}

func TestWallClock(t *testing.T) {
	thin := read(t, "benefits.json")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	after := false
	s := must(datachain.New(sampleStore(t), &datachain.Options{Rules: []*validate.Rule{
		{Name: "slow", Doc: "Ends when the time is up.", Codes: []issue.Code{"slow"}, Run: func(context.Context, *validate.Pass) error { cancel(context.DeadlineExceeded); return nil }},
		{Name: "after", Doc: "Is not run any more.", Codes: []issue.Code{"after"}, Run: func(context.Context, *validate.Pass) error { after = true; return nil }},
	}}))
	_, err := s.Validate(ctx, thin, nil)
	assert.Equal(t, issue.CodeTimeout, codeOf(t, err))
	assert.False(t, after)
}

// TestVerdictsOutliveOthers shows that everything that validating a document returned
// remains valid while its memory is used for other documents.
func TestVerdictsOutliveOthers(t *testing.T) {
	text := read(t, "benefits.json")
	s := open(t, pinned(t, text))
	wrong := []byte(strings.Replace(string(text), `"purpose.`, `"purposse.`, 1))
	v, err := s.Validate(t.Context(), wrong, nil)
	require.NoError(t, err)
	require.NotEmpty(t, v.Issues)
	fixed, err := s.Validate(t.Context(), wrong, &datachain.ValidateOptions{Fix: true})
	require.NoError(t, err)
	unfixed, err := s.Validate(t.Context(), text, &datachain.ValidateOptions{Fix: true})
	require.NoError(t, err)
	_, bundle, err := s.Resolve(t.Context(), text, nil)
	require.NoError(t, err)
	resolved := bundle.AppendJSON(nil)
	_, shown, err := s.Present(t.Context(), resolved)
	require.NoError(t, err)
	title := shown.Datachain.Title.Pick()
	findings, after := fixed.Findings(), string(fixed.Fixed.Document.Text())

	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 10 {
				_, err := s.Validate(t.Context(), []byte(`{"id": "of another client", "elements": [{}]}`), nil)
				again, resolvedErr := s.ValidateResolved(t.Context(), resolved, nil)
				if assert.NoError(t, errors.Join(err, resolvedErr)) {
					assert.Empty(t, again.Issues)
				}
				assert.Equal(t, findings, v.Findings(), "the document is parsed again when it is needed")
			}
		})
	}
	group.Wait()

	assert.Equal(t, string(wrong), string(v.Document().Text()))
	first := v.Document()
	assert.Same(t, first, v.Document())
	assert.Equal(t, after, string(fixed.AfterFix().Document().Text()))
	assert.Equal(t, findings, fixed.Findings())
	assert.Same(t, unfixed, unfixed.AfterFix())
	assert.Equal(t, string(text), string(unfixed.Fixed.Document.Text()))
	assert.Equal(t, string(resolved), string(bundle.AppendJSON(nil)))
	assert.Equal(t, title, shown.Datachain.Title.Pick())
}

// TestMarshal shows that a verdict and a resolved document are encoded as the REST API sends them.
func TestMarshal(t *testing.T) {
	thin := read(t, "benefits.json")
	s := open(t, pinned(t, thin))
	v, bundle, err := s.Resolve(t.Context(), thin, nil)
	require.NoError(t, err)
	assert.JSONEq(t, `{"ok":true,"warnings":[]}`, string(must(json.Marshal(v))))
	assert.JSONEq(t, string(bundle.AppendJSON(nil)), string(must(json.Marshal(bundle))))

	type answer struct {
		OK       *bool
		Errors   []issue.Issue
		Warnings *[]issue.Issue
	}
	for text, warnings := range map[string]bool{
		string(bytes.ReplaceAll(thin, []byte(`"element_id": "`), []byte(`"element_id": "un`))): true,
		`{"id": 1}`: false,
	} {
		v, err := s.Validate(t.Context(), []byte(text), nil)
		require.NoError(t, err)
		var got answer
		require.NoError(t, json.Unmarshal(must(json.Marshal(v)), &got))
		require.NotNil(t, got.OK)
		assert.False(t, *got.OK)
		assert.Len(t, got.Errors, len(v.Errors()))
		assert.Equal(t, warnings, got.Warnings != nil, "no rule ran on the wrong shape")
	}
	assert.JSONEq(t, `{"ok":false,"warnings":[]}`, string(must(json.Marshal(new(datachain.Verdict)))))
}
