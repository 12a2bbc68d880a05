package datachain_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

func parsed(t *testing.T, name string) []byte {
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

func TestJudging(t *testing.T) {
	s := samples(t)
	thin := parsed(t, "benefits.json")
	version := pinned(t, thin)

	v, err := s.Validate(t.Context(), version, thin)
	require.NoError(t, err)
	assert.True(t, v.OK(), "%v", v.Errors)
	assert.Equal(t, version, v.Release.Version().String())

	v, bundle, err := s.Resolve(t.Context(), version, thin)
	require.NoError(t, err)
	assert.True(t, v.OK())
	resolved := bundle.AppendJSON(nil)
	assert.JSONEq(t, string(parsed(t, "benefits.resolved.json")), string(resolved))

	v, err = s.ValidateResolved(t.Context(), "sensor@latest", resolved)
	require.NoError(t, err, "the version addressed only has to exist")
	assert.True(t, v.OK(), "%v", v.Errors)

	const keywords = `"keywords":[{"locale":"en","value":"`
	require.Contains(t, string(resolved), keywords)
	drifted := strings.Replace(string(resolved), keywords, keywords+"other, ", 1)
	v, err = s.ValidateResolved(t.Context(), version, []byte(drifted))
	require.NoError(t, err)
	assert.Contains(t, codes(v.Errors), issue.CodeSnapshotDrift)

	retired := strings.ReplaceAll(string(resolved), version, "ai@2020-01-01-stable")
	v, err = s.ValidateResolved(t.Context(), version, []byte(retired))
	require.NoError(t, err)
	assert.True(t, v.OK(), "a version that is not published any more can't drift: %v", v.Errors)
}

// TestPinned judges by the version that a document pins.
func TestPinned(t *testing.T) {
	s := samples(t)
	thin, resolved := parsed(t, "benefits.json"), parsed(t, "benefits.resolved.json")
	v, err := s.Validate(t.Context(), "", thin)
	require.NoError(t, err)
	assert.True(t, v.OK(), "%v", v.Errors)
	assert.Equal(t, pinned(t, thin), v.Release.Version().String())

	v, bundle, err := s.Resolve(t.Context(), "", thin)
	require.NoError(t, err)
	assert.True(t, v.OK(), "%v", v.Errors)
	assert.JSONEq(t, string(resolved), string(bundle.AppendJSON(nil)))

	v, err = s.ValidateResolved(t.Context(), "", resolved)
	require.NoError(t, err)
	assert.True(t, v.OK(), "%v", v.Errors)
	assert.Equal(t, pinned(t, resolved), v.Release.Version().String())
	retired := strings.ReplaceAll(string(resolved), pinned(t, resolved), "ai@2020-01-01-stable")
	v, err = s.ValidateResolved(t.Context(), "", []byte(retired))
	require.NoError(t, err)
	assert.True(t, v.OK(), "%v", v.Errors)
	assert.Nil(t, v.Release, "it is not published any more")

	for text, want := range map[string]issue.Code{
		`{}`:                                issue.CodeBadRequest,
		`[]`:                                issue.CodeBadRequest,
		`{"schema_version":"ai"}`:           issue.CodeBadRequest,
		`{"schema_version":"drone@latest"}`: issue.CodeNotFound,
	} {
		_, err := s.Validate(t.Context(), "", []byte(text))
		assert.Equal(t, want, codeOf(t, err), text)
	}
}

func TestInvalidIsAnAnswer(t *testing.T) {
	s := samples(t)
	v, err := s.Validate(t.Context(), "ai@latest", []byte(`{"id": 7}`))
	require.NoError(t, err)
	assert.False(t, v.OK())
	assert.Equal(t, issue.CodeParseError, v.Errors[0].Code)

	thin := parsed(t, "benefits.json")
	v, err = s.Validate(t.Context(), "ai@latest-beta", thin)
	require.NoError(t, err)
	assert.Contains(t, codes(v.Warnings), issue.Code("schema_version_mismatch"))
	v, bundle, err := s.Resolve(t.Context(), "ai@latest-beta", thin)
	require.NoError(t, err)
	assert.Nil(t, bundle)
	assert.Contains(t, codes(v.Errors), issue.Code("schema_version_mismatch"))
}

func codes(issues issue.Issues) []issue.Code {
	var list []issue.Code
	for _, i := range issues {
		list = append(list, i.Code)
	}
	return list
}

func TestBundleCap(t *testing.T) {
	thin := parsed(t, "benefits.json")
	version := pinned(t, thin)
	_, bundle, err := samples(t).Resolve(t.Context(), version, thin)
	require.NoError(t, err)
	size := bundle.Len()

	_, bundle, err = datachain.New(sampleStore(t), &datachain.Options{MaxBundle: size}).Resolve(t.Context(), version, thin)
	require.NoError(t, err)
	assert.Equal(t, size, bundle.Len())
	_, _, err = datachain.New(sampleStore(t), &datachain.Options{MaxBundle: size - 1}).Resolve(t.Context(), version, thin)
	assert.Equal(t, issue.CodePayloadTooLarge, codeOf(t, err))
}

// spin is a rule that uses the processor until it is told to stop.
func spin(budget time.Duration) *validate.Rule {
	return &validate.Rule{
		Name: "spin", Doc: "Uses the processor.",
		Run: func(p *validate.Pass) {
			for begun := time.Now(); time.Since(begun) < budget; {
				for range p.Placements() {
				}
			}
		},
	}
}

func TestProcessorTime(t *testing.T) {
	thin := parsed(t, "benefits.json")
	busy := datachain.New(sampleStore(t), &datachain.Options{
		MaxCPU: time.Millisecond,
		Rules:  []*validate.Rule{spin(300 * time.Millisecond), spin(0)},
	})
	_, err := busy.Validate(t.Context(), pinned(t, thin), thin)
	assert.Equal(t, issue.CodeTimeout, codeOf(t, err))

	free := datachain.New(sampleStore(t), &datachain.Options{MaxCPU: -1, Rules: []*validate.Rule{spin(5 * time.Millisecond)}})
	_, err = free.Validate(t.Context(), pinned(t, thin), thin)
	assert.NoError(t, err)
}

func TestWallClock(t *testing.T) {
	thin := parsed(t, "benefits.json")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	after := false
	s := datachain.New(sampleStore(t), &datachain.Options{Rules: []*validate.Rule{
		{Name: "slow", Doc: "Ends when the time is up.", Run: func(*validate.Pass) { cancel(context.DeadlineExceeded) }},
		{Name: "after", Doc: "Is not run any more.", Run: func(*validate.Pass) { after = true }},
	}})
	_, err := s.Validate(ctx, pinned(t, thin), thin)
	assert.Equal(t, issue.CodeTimeout, codeOf(t, err))
	assert.False(t, after)
}
