package datachain_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// parsing has every call that parses a document.
func parsing(t *testing.T, s *datachain.Service) map[string]func(context.Context, []byte) error {
	t.Helper()
	schema := openIn(t, s, "ai@2026-11-15-stable")
	return map[string]func(context.Context, []byte) error{
		"OpenFor":          func(ctx context.Context, text []byte) error { _, err := s.OpenFor(ctx, text); return err },
		"Service.Validate": func(ctx context.Context, text []byte) error { _, err := s.Validate(ctx, text, nil); return err },
		"Service.Present":  func(ctx context.Context, text []byte) error { _, _, err := s.Present(ctx, text); return err },
		"Schema.Validate":  func(ctx context.Context, text []byte) error { _, err := schema.Validate(ctx, text, nil); return err },
		"Schema.ValidateThin": func(ctx context.Context, text []byte) error {
			_, err := schema.ValidateThin(ctx, text, nil)
			return err
		},
		"Schema.ValidateResolved": func(ctx context.Context, text []byte) error {
			_, err := schema.ValidateResolved(ctx, text, nil)
			return err
		},
		"Schema.Resolve": func(ctx context.Context, text []byte) error { _, _, err := schema.Resolve(ctx, text, nil); return err },
		"Schema.Present": func(ctx context.Context, text []byte) error { _, _, err := schema.Present(ctx, text); return err },
		"Service.Work": func(ctx context.Context, text []byte) error {
			return s.Work(ctx, text, func(w *datachain.Work) error { return w.Interrupt() })
		},
	}
}

// TestMaxInput: every call that parses refuses a large document first, even if it is not JSON.
func TestMaxInput(t *testing.T) {
	service := samples(t)
	for name, call := range parsing(t, service) {
		t.Run(name, func(t *testing.T) {
			var failed *datachain.Error
			require.ErrorAs(t, call(t.Context(), bytes.Repeat([]byte("x"), datachain.DefaultMaxInput+1)), &failed)
			assert.Equal(t, issue.CodePayloadTooLarge, failed.Issue.Code)
			assert.Equal(t, "document", failed.Param)
			assert.Contains(t, failed.Issue.Message, "1048576")
			if errors.As(call(t.Context(), bytes.Repeat([]byte("x"), datachain.DefaultMaxInput)), &failed) {
				assert.Equal(t, datachain.KindSyntax, failed.Kind, "what returns no verdict")
			}
		})
	}
	large := append(read(t, "benefits.json"), bytes.Repeat([]byte(" "), datachain.DefaultMaxInput)...)
	for _, s := range []*datachain.Service{service.WithMaxInput(2 << 20), must(datachain.New(sampleStore(t), &datachain.Options{MaxInput: -1}))} {
		v, err := s.Validate(t.Context(), large, nil)
		require.NoError(t, err)
		assert.True(t, v.OK())
	}
	_, err := service.WithMaxInput(0).Validate(t.Context(), large, nil)
	require.Error(t, err, "zero is the default")
}

// TestDisable turns codes off for validating, and their warnings for resolving.
func TestDisable(t *testing.T) {
	text := bytes.Replace(read(t, "benefits.json"), []byte("purpose.benefits"), []byte("purpose.unknown"), 1)
	const unknown, missing issue.Code = "INSTANCE_ELEMENT_UNKNOWN", "REQUIRED_CATEGORY_MISSING"
	s := must(datachain.New(sampleStore(t), &datachain.Options{Disable: []issue.Code{unknown, missing}}))
	v, err := samples(t).Validate(t.Context(), text, nil)
	require.NoError(t, err)
	require.NotEmpty(t, v.Errors())
	v, err = s.Validate(t.Context(), text, &datachain.ValidateOptions{Fix: true})
	require.NoError(t, err)
	require.Empty(t, v.Issues)
	require.Empty(t, v.Fixed.Edits)
	schema := must(s.OpenFor(t.Context(), text))
	v, bundle, err := schema.Resolve(t.Context(), text, nil)
	require.NoError(t, err)
	require.Nil(t, bundle)
	require.Equal(t, unknown, v.Issues[0].Code)
	_, err = datachain.New(sampleStore(t), &datachain.Options{Disable: []issue.Code{missing, "misspelled"}})
	require.ErrorContains(t, err, `datachain: validate: the code "misspelled" can't be disabled: no rule reports it`)
}

// TestResolveStrict: strict resolving reports unknown fields, and keeps them.
func TestResolveStrict(t *testing.T) {
	text := bytes.Replace(read(t, "benefits.json"), []byte("{"), []byte(`{"titel": "Benefits", `), 1)
	schema := must(samples(t).OpenFor(t.Context(), text))
	for o, want := range map[*datachain.ResolveOptions]int{nil: 0, {}: 0, {Strict: true}: 1} {
		v, bundle, err := schema.Resolve(t.Context(), text, o)
		require.NoError(t, err)
		require.Len(t, v.Warnings(), want)
		require.Contains(t, string(bundle.AppendJSON(nil)), `"titel":"Benefits"`)
	}
}

// TestWithRules adds rules to a service, each once, and leaves the service as it was.
func TestWithRules(t *testing.T) {
	rule := func(name string) *validate.Rule {
		return &validate.Rule{Name: name, Codes: []issue.Code{"custom"}, Run: func(_ context.Context, p *validate.Pass) error {
			p.Report(issue.Issue{Code: "custom", Message: name})
			return nil
		}}
	}
	first, second := rule("first"), rule("second")
	service := must(datachain.New(sampleStore(t), &datachain.Options{Rules: []*validate.Rule{first}}))
	both := must(service.WithRules(first, second))
	for s, want := range map[*datachain.Service][]string{service: {"first"}, both: {"first", "second"}} {
		v, err := s.Validate(t.Context(), read(t, "benefits.json"), nil)
		require.NoError(t, err)
		var got []string
		for _, i := range v.Issues {
			got = append(got, i.Message)
		}
		require.Equal(t, want, got)
	}
	_, err := service.WithRules(rule("first"))
	require.ErrorContains(t, err, "datachain: validate: two rules have the name first")
}

// TestParsingEnds: the deadline, the context and the CPU limit interrupt parsing, and the error
// says that it is the document that took too long.
func TestParsingEnds(t *testing.T) {
	text := []byte("[" + strings.Repeat(`{"a":[1,2,3]},`, 1<<20) + "1]")
	all := must(datachain.New(sampleStore(t), &datachain.Options{MaxInput: -1, MaxCPU: -1}))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range parsing(t, all) {
		var failed *datachain.Error
		require.ErrorAs(t, call(ended, text), &failed, name)
		assert.Equal(t, "Validating the document was canceled.", failed.Issue.Message, name)
		assert.Equal(t, issue.CodeTimeout, failed.Issue.Code, name)
	}
	late, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	limited := must(datachain.New(sampleStore(t), &datachain.Options{MaxInput: -1, MaxCPU: 5 * time.Millisecond}))
	for _, call := range []func() error{
		func() error { _, err := all.Validate(late, text, nil); return err },
		func() error { _, err := limited.Validate(t.Context(), text, nil); return err },
	} {
		var failed *datachain.Error
		require.ErrorAs(t, call(), &failed)
		assert.Equal(t, "Validating the document took too long.", failed.Issue.Message)
	}
}

// TestVerdictOfChangedBuffer: a caller may use its buffer again while it reads the verdict.
func TestVerdictOfChangedBuffer(t *testing.T) {
	service := samples(t)
	text := bytes.Replace(read(t, "benefits.json"), []byte(`"purpose.`), []byte(`"purposs.`), 1)
	want, err := service.Validate(t.Context(), text, nil)
	require.NoError(t, err)
	require.NotEmpty(t, want.Findings())
	again := bytes.Clone(text)
	got, err := service.Validate(t.Context(), again, nil)
	require.NoError(t, err)
	for i := range again {
		again[i] = 'x'
	}
	assert.Equal(t, want.Findings(), got.Findings())
	assert.Equal(t, string(text), string(got.Document().Text()))
}

func TestZeroVerdict(t *testing.T) {
	assert.False(t, new(datachain.Verdict).OK())
	v, err := samples(t).Validate(t.Context(), read(t, "benefits.json"), &datachain.ValidateOptions{Fix: true})
	require.NoError(t, err)
	assert.True(t, v.OK())
	assert.True(t, v.AfterFix().OK())
}

// TestUnknownSelection: a category or locale that a version lacks is an error in Go.
func TestUnknownSelection(t *testing.T) {
	s := open(t, "ai@2026-11-15-stable")
	for _, c := range []struct {
		query datachain.ElementQuery
		param string
	}{
		{datachain.ElementQuery{Text: "data", Locale: "pt"}, "locale"},
		{datachain.ElementQuery{Locale: "pt"}, "locale"},
		{datachain.ElementQuery{CategoryID: "purpos"}, "category_id"},
		{datachain.ElementQuery{CategoryID: "purpos", Text: "data"}, "category_id"},
		{datachain.ElementQuery{Text: "data"}, ""},
		{datachain.ElementQuery{Text: "data", Locale: "en-GB"}, ""},
		{datachain.ElementQuery{Text: "data", Locale: "fr-CA", CategoryID: "purpose"}, ""},
	} {
		_, err := s.Elements(t.Context(), c.query)
		if c.param == "" {
			require.NoError(t, err, "%+v", c.query)
			continue
		}
		var failed *datachain.Error
		require.ErrorAs(t, err, &failed, "%+v", c.query)
		assert.Equal(t, c.param, failed.Param)
		assert.Equal(t, datachain.KindUnknown, failed.Kind)
		assert.NotEmpty(t, failed.Known)
		require.ErrorIs(t, err, taxonomy.ErrNotFound)
		c.query.Lenient = true
		_, err = s.Elements(t.Context(), c.query)
		require.NoError(t, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, q := range []datachain.ElementQuery{{}, {Text: "data"}} {
		_, err := s.Elements(ended, q)
		require.ErrorIs(t, err, context.Canceled)
	}
}
