package validate_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// TestPartial breaks every value of every conformance case in turn, and repairs it in
// many ways. The findings of a partial run must be there whatever the right value is.
func TestPartial(t *testing.T) {
	every := 15 // of the values; try 1 after changing a rule, which takes a minute
	if testing.Short() {
		every = 150
	}
	releases := trail(t)
	for n, c := range conformanceCases(t) {
		if slices.ContainsFunc(c.Wanted, func(w wantedIssue) bool { return w.Code == codes.ParseError }) {
			continue
		}
		t.Run(strings.TrimSuffix(c.file, ".json"), func(t *testing.T) {
			t.Parallel()
			w := workbench{c: &c, releases: releases, text: c.Document}
			w.collect(parsed(t, c.Document).Root())
			for i, v := range w.values {
				if i%every == n%every {
					w.check(t, v)
				}
			}
		})
	}
}

// workbench breaks and repairs one document.
type workbench struct {
	c        *conformanceCase
	releases map[string]*taxonomy.Release
	text     []byte
	values   []document.Value
	strings  []string // as JSON
}

// collect notes the values of a document, and the strings that a broken one could be.
func (w *workbench) collect(v document.Value) {
	if v.Kind() == '"' && !slices.Contains(w.strings, string(v.Raw())) {
		w.strings = append(w.strings, string(v.Raw()))
	}
	for child := range v.All() {
		path := child.Path().String()
		if strings.Contains(path, "schema_snapshot") && len(child.Path()) > 4 {
			continue // enough of the snapshot
		}
		w.values = append(w.values, child)
		w.collect(child)
	}
}

// with returns the document with another value.
func (w *workbench) with(v document.Value, value string) []byte {
	return slices.Concat(w.text[:v.Range().Start], []byte(value), w.text[v.Range().End:])
}

// broken returns the document with a value of the wrong type and, for a member,
// without it.
func (w *workbench) broken(v document.Value) [][]byte {
	texts := [][]byte{w.with(v, "null")}
	if removed := w.removed(v); removed != nil {
		texts = append(texts, removed)
	}
	return texts
}

// removed returns the document without a member, or nil.
func (w *workbench) removed(v document.Value) []byte {
	if v.KeyRange() == (document.Range{}) {
		return nil
	}
	before := bytes.TrimRight(w.text[:v.KeyRange().Start], " \n")
	after := bytes.TrimLeft(w.text[v.Range().End:], " \n")
	if rest, ok := bytes.CutPrefix(after, []byte(",")); ok {
		after = rest
	} else {
		before = bytes.TrimSuffix(before, []byte(","))
	}
	return slices.Concat(before, after)
}

// repaired yields documents with another value in place of the broken one.
func (w *workbench) repaired(v document.Value) [][]byte {
	texts := [][]byte{w.text}
	if v.Kind() == '"' {
		fresh := `"fresh_` + strconv.Itoa(v.Range().Start) + `"`
		for _, s := range append(w.strings, fresh, `"2026-06-01T10:00Z"`) {
			texts = append(texts, w.with(v, s))
		}
		for _, e := range w.releases[w.c.Version].Elements() {
			texts = append(texts, w.with(v, strconv.Quote(e.ID)))
		}
	} else {
		texts = append(texts, w.with(v, "[]"), w.with(v, "{}"), w.with(v, "0"))
	}
	if removed := w.removed(v); removed != nil {
		texts = append(texts, removed)
	}
	return texts
}

// validate runs the operation of the case. The pin is that of the text.
func (w *workbench) judge(t *testing.T, text []byte, partial bool) issue.Issues {
	t.Helper()
	o := &validate.Options{Strict: w.c.Strict, MustPin: w.c.Operation == "resolve", Partial: partial}
	doc := parsed(t, text)
	var result *validate.Result
	var err error
	if w.c.Operation == "validate_resolved" {
		pinned, _ := doc.Root().Get("schema_version")
		result, err = validate.Resolved(w.releases[pinned.Text()], doc, o)
	} else {
		result, err = validate.Instance(w.releases[w.c.Version], doc, o)
	}
	require.NoError(t, err)
	return result.Issues
}

// check breaks a value, and compares the partial findings with those of the repaired
// documents.
func (w *workbench) check(t *testing.T, v document.Value) {
	t.Helper()
	var certain issue.Issues
	for _, broken := range w.broken(v) {
		shape := w.judge(t, broken, false)
		partial := w.judge(t, broken, true)
		if !slices.ContainsFunc(shape, isParseError) {
			require.Equal(t, shape, partial, "the option changes nothing if the shape is valid")
			continue
		}
		require.GreaterOrEqual(t, len(partial), len(shape))
		require.Equal(t, shape, partial[:len(shape)], "what is wrong with the shape comes first")
		certain = append(certain, partial[len(shape):]...)
	}
	if len(certain) == 0 {
		return
	}
	for _, text := range w.repaired(v) {
		whole := w.judge(t, text, false)
		if slices.ContainsFunc(whole, isParseError) {
			continue
		}
		doc := parsed(t, text)
		for _, i := range certain {
			if _, there := doc.Find(i.Path); !there && hasPrefix(i.Path, v.Path()) {
				continue // it was about what the repair removed
			}
			if !slices.ContainsFunc(whole, func(other issue.Issue) bool { return other.Code == i.Code && other.Path.Equal(i.Path) }) {
				require.Fail(t, "not a finding of the repaired document", "%s\nif %s is broken; repaired:\n%s", i, v.Path(), text)
			}
		}
	}
}

func hasPrefix(path, prefix issue.Path) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

func isParseError(i issue.Issue) bool { return i.Code == codes.ParseError }

// TestPartialKeepsFindings breaks every value of documents with many findings. Those
// about other placements stay.
func TestPartialKeepsFindings(t *testing.T) {
	text := walk(
		`{"element_id":"unknown"}`,
		`{"element_id":"hazard.ice"}`,
		`{"element_id":"facility.hut","context_type_id":"x","label":" "}`,
		`{"element_id":"surface.rock","subchain_instance_id":"nowhere","sources":[{"type":"map","title":"x","url":"y"}]}`,
	)
	whole := judge(t, text, nil)
	require.Greater(t, len(whole.Issues), 4)
	for _, tt := range []struct {
		old, new string
		lost     []string // codes
	}{
		{`"created_at":"`, `"created_at":7,"x":"`, nil},
		{`"id":"`, `"id":[],"x":"`, nil},
		{`"label":" "`, `"label":7`, []string{"placement_label_empty"}},
		{`"context_type_id":"x"`, `"context_type_id":7`, []string{"CONTEXT_TYPE_UNKNOWN"}},
		{`"subchain_instance_id":"nowhere"`, `"subchain_instance_id":null`, []string{"INSTANCE_SUBCHAIN_INSTANCE_UNKNOWN"}},
		{`"url":"y"`, `"url":false`, []string{"INSTANCE_SOURCE_URL_INVALID"}},
		{`{"element_id":"unknown"}`, `{"element_id":""}`, []string{"INSTANCE_ELEMENT_UNKNOWN"}},
		{`{"element_id":"unknown"}`, `17`, []string{"INSTANCE_ELEMENT_UNKNOWN"}},
	} {
		t.Run(tt.new, func(t *testing.T) {
			broken := strings.Replace(string(text), tt.old, tt.new, 1)
			require.NotEqual(t, string(text), broken)
			var want, got []string
			for _, i := range whole.Issues {
				if !slices.Contains(tt.lost, string(i.Code)) {
					want = append(want, i.String())
				}
			}
			for _, i := range judge(t, []byte(broken), &validate.Options{Partial: true}).Issues {
				if !isParseError(i) {
					got = append(got, i.String())
				}
			}
			assert.Equal(t, want, got)
		})
	}
}

// TestPartialSuggestions: the rules on suggested elements run in an editor only while the shape
// is wrong.
func TestPartialSuggestions(t *testing.T) {
	for _, c := range conformanceCases(t) {
		wanted, ok := map[string][]issue.Code{
			"parse_error/suggestion_without_symbol.json":     {codes.ProvenanceRequired},
			"parse_error/suggestions.json":                   {codes.ElementIDCollision, codes.ElementIDCollision},
			"provenance_required/near_wrong_provenance.json": nil,
		}[c.file]
		if !ok {
			continue
		}
		t.Run(c.file, func(t *testing.T) {
			for _, partial := range []bool{false, true} {
				result, err := validate.Resolved(trail(t)[c.Version], parsed(t, c.Document), &validate.Options{Partial: partial})
				require.NoError(t, err)
				var got []issue.Code
				for _, i := range result.Issues {
					if !isParseError(i) {
						got = append(got, i.Code)
					}
				}
				if !partial {
					require.Empty(t, got)
				} else {
					require.Equal(t, wanted, got)
				}
			}
		})
	}
}

// TestPartialConsequences: while an element_id is typed, the category that it
// will be of is not missing, nor is what refers to it unknown.
func TestPartialConsequences(t *testing.T) {
	release := trail(t)["trail@2026-03-01-stable"]
	require.NotNil(t, release)
	for name, text := range map[string]string{
		"element_id": `{"elements":[{"element_id":""}]}`,
		"placement":  `{"elements":[null]}`,
		"no element": `{"elements":[]}`,
		"elements":   `{"elements":{}}`,
		"missing":    `{"id":"x"}`,
		"document":   `[]`,
		"references": `{"elements":[{"element_instance_id":7,"element_id":"access.public"},{"element_id":null}],
			"subchain_instances":[{"id":"s","subchain_id":"x","head_refs":["a"]}],
			"authoring_provenance":{"element_provenance":{"a":{}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			result, err := validate.Instance(release, parsed(t, []byte(text)), &validate.Options{Partial: true})
			require.NoError(t, err)
			for _, i := range result.Issues {
				if !isParseError(i) {
					assert.EqualValues(t, codes.InstanceSubchainUnknown, i.Code, "%s", i)
				}
			}
		})
	}
}

// TestPartialRules shows which rules of others run.
func TestPartialRules(t *testing.T) {
	var ran []string
	rule := func(name string, despite bool) *validate.Rule {
		return &validate.Rule{Name: name, Codes: []issue.Code{"custom"}, DespiteShape: despite, Run: func(_ context.Context, p *validate.Pass) error {
			for placed := range p.Placements() {
				ran = append(ran, fmt.Sprint(name, " ", placed.Index, " ", p.Broken(placed.Path().Key("element_id"))))
			}
			return nil
		}}
	}
	text := []byte(`{"elements":[{"element_id":7},{"element_id":"access.public"}]}`)
	o := &validate.Options{Partial: true, Rules: []*validate.Rule{rule("silent", false), rule("careful", true)}}
	judge(t, text, o)
	assert.Equal(t, []string{"careful 0 true", "careful 1 false"}, ran)
	for _, r := range validate.Rules() {
		assert.True(t, r.DespiteShape, "%s: set DespiteShape, and Needs to what its findings depend on, so that unfinished documents get them", r.Name)
	}
}

// TestNeeds shows which facts a broken value makes unknown, by the rules that are skipped.
func TestNeeds(t *testing.T) {
	facts := []struct {
		name string
		fact validate.Facts
	}{
		{"none", 0},
		{"pin", validate.Pin},
		{"elements", validate.AllElements},
		{"instances", validate.AllInstances},
		{"subchains", validate.AllSubchains},
		{"schema", validate.WholeSchema},
		{"limits", validate.Limits},
		{"two", validate.AllInstances | validate.AllSubchains},
	}
	for _, c := range []struct{ broken, skipped string }{
		{`"title":7`, ""},
		{`"schema_version":7`, "pin"},
		{`"elements":[{"element_id":7}]`, "elements"},
		{`"elements":[{"element_id":"a","element_instance_id":7}]`, "instances two"},
		{`"elements":7`, "elements instances two"},
		{`"subchain_instances":7`, "subchains two"},
		{`"subchain_instances":[{"id":7}]`, "subchains two"},
		{`"title":7,"schema_snapshot":{}`, "schema limits"},
		{`"schema_version":7,"schema_snapshot":7`, "pin schema limits"},
		{`"suggested_elements":7,"schema_snapshot":7`, "schema limits"},
	} {
		t.Run(c.broken, func(t *testing.T) {
			skipped := []string{}
			o := &validate.Options{Partial: true}
			for _, f := range facts {
				skipped = append(skipped, f.name)
				o.Rules = append(o.Rules, &validate.Rule{
					Name: f.name, Codes: []issue.Code{"custom"}, DespiteShape: true, Needs: f.fact,
					Run: func(context.Context, *validate.Pass) error {
						skipped = slices.DeleteFunc(skipped, func(name string) bool { return name == f.name })
						return nil
					},
				})
			}
			text := "{" + c.broken
			for _, required := range []string{`"schema_version":"trail@2026-03-01-stable"`, `"elements":[{"element_id":"a"}]`} {
				if key, _, _ := strings.Cut(required, ":"); !strings.Contains(text, key) {
					text += "," + required
				}
			}
			doc := parsed(t, []byte(text+"}"))
			var err error
			if _, resolved := doc.Root().Get("schema_snapshot"); resolved {
				_, err = validate.Resolved(nil, doc, o)
			} else {
				_, err = validate.Instance(trail(t)[stable], doc, o)
			}
			require.NoError(t, err)
			assert.Equal(t, c.skipped, strings.Join(skipped, " "))
		})
	}
}

// TestPartialOfHostileDocuments: a document with more mistakes than are listed gets
// its findings on the shape alone.
func TestPartialOfHostileDocuments(t *testing.T) {
	text := []byte(`{"elements":[` + strings.Repeat(`null,`, 200_000) + `{"element_id":"unknown"}]}`)
	shape := judge(t, text, nil)
	assert.Equal(t, shape, judge(t, text, &validate.Options{Partial: true}))
}

// TestPartialWithoutRelease: if there is no release, only the shape is validated.
func TestPartialWithoutRelease(t *testing.T) {
	doc, err := document.Parse([]byte(`{"elements":[{"element_id":"a","lable":7},7]}`))
	require.NoError(t, err)
	want, err := validate.InstanceShape(doc, nil)
	require.NoError(t, err)
	got, err := validate.InstanceShape(doc, &validate.Options{Partial: true, Strict: true})
	require.NoError(t, err)
	assert.Equal(t, want, got)
}
