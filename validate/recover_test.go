package validate_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// TestSurvival counts the findings of documents with planted mistakes that survive a syntax error,
// of those whose causes were all read, and the texts with a finding that the document does not
// have. Each text is a beginning of a document, or lacks a character, or has one too many.
func TestSurvival(t *testing.T) {
	for name, c := range map[string]struct {
		edited        func(r *rand.Rand, text []byte) (edited []byte, at int)
		least, untrue float64 // of findings, and of texts
	}{
		"beginning": {func(r *rand.Rand, text []byte) ([]byte, int) {
			at := r.IntN(len(text))
			return text[:at], at
		}, 1, 0},
		"deletion": {func(r *rand.Rand, text []byte) ([]byte, int) {
			at := someByte(r, text)
			return slices.Concat(text[:at], text[at+1:]), at
		}, 0.96, 0.01},
		"insertion": {func(r *rand.Rand, text []byte) ([]byte, int) {
			const more = `"{}[],:\/'#x1 ` + "\n"
			at, i := someByte(r, text), r.IntN(len(more))
			return slices.Concat(text[:at], []byte(more[i:i+1]), text[at:]), at
		}, 0.94, 0.01},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each := 60
			if testing.Short() {
				each = 12
			}
			for group, samples := range plantedDocuments(t) {
				r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same texts in every run
				all, found, texts, untrue := 0, 0, 0, 0
				for _, s := range samples {
					for range each {
						text, at := c.edited(r, s.text)
						if _, err := document.Parse(text); err == nil {
							continue
						}
						texts++
						got := placesOf(s.judge(t, text))
						edit := len(text) - len(s.text)
						same := func(f, other place) bool {
							if name != "beginning" && (f.at > at || f.at == at && edit > 0) {
								f.at += edit
							}
							return f.code == other.code && f.at == other.at
						}
						for _, f := range s.findings {
							if f.dependsOn(at, name == "beginning") {
								continue
							}
							all++
							if slices.ContainsFunc(got, func(other place) bool { return same(f.place, other) }) {
								found++
							} else if testing.Verbose() {
								t.Logf("%s %s: lost at %d (%q): %s", s.name, name, at, around(text, at), f.text)
							}
						}
						for _, other := range got {
							if other.code != issue.CodeBadRequest && !slices.ContainsFunc(s.findings, func(f plantedFinding) bool { return same(f.place, other) }) {
								untrue++
								t.Logf("%s %s: not true at %d (%q): %s", s.name, name, at, around(text, at), other.text)
								break
							}
						}
					}
				}
				t.Logf("%s of %s: %d of %d findings (%.1f %%), %d of %d texts with a false one", name, group, found, all, 100*float64(found)/float64(all), untrue, texts)
				assert.GreaterOrEqual(t, float64(found), c.least*float64(all), group)
				assert.LessOrEqual(t, float64(untrue), c.untrue*float64(texts), group)
			}
		})
	}
}

// someByte returns the place of a byte. Half of them are punctuation, which is most of what breaks
// a document.
func someByte(r *rand.Rand, text []byte) int {
	at := r.IntN(len(text))
	if r.IntN(2) == 0 {
		if i := bytes.IndexAny(text[at:], `{}[]":,`); i >= 0 {
			return at + i
		}
	}
	return at
}

// around returns the text around an offset, for messages.
func around(text []byte, at int) string {
	return string(text[max(0, at-30):min(len(text), at)]) + "¦" + string(text[min(len(text), at):min(len(text), at+20)])
}

// planted is a document with planted mistakes.
type planted struct {
	name     string
	text     []byte
	release  *taxonomy.Release
	resolved bool
	findings []plantedFinding
}

// plantedFinding is a finding of the whole document, with the parts of the text it depends on.
type plantedFinding struct {
	place
	parts []document.Range
}

// place is a finding at an offset.
type place struct {
	code issue.Code
	at   int
	text string
}

func placesOf(doc *document.Document, issues issue.Issues) (list []place) {
	for _, i := range issues {
		list = append(list, place{i.Code, validate.Mark(doc, i).Start.Offset, i.String()})
	}
	return list
}

// dependsOn reports whether a finding depends on what is at an offset or, if the text ends there,
// after it.
func (f plantedFinding) dependsOn(at int, ends bool) bool {
	return slices.ContainsFunc(f.parts, func(r document.Range) bool { return at <= r.End && (ends || at >= r.Start) })
}

func (p *planted) judge(t *testing.T, text []byte) (*document.Document, issue.Issues) {
	t.Helper()
	doc, err := document.ParseWith(text, &document.Options{Recover: true})
	require.NoError(t, err)
	o := &validate.Options{Strict: true, Partial: true}
	if p.resolved {
		result, err := validate.Resolved(p.release, doc, o)
		require.NoError(t, err, "%s", text)
		return doc, result.Issues
	}
	result, err := validate.Instance(p.release, doc, o)
	require.NoError(t, err, "%s", text)
	return doc, result.Issues
}

// plantedDocuments returns documents of several taxonomies by group.
func plantedDocuments(t *testing.T) map[string][]*planted {
	t.Helper()
	all := releases(t)
	groups := make(map[string][]*planted)
	add := func(group, name string, text []byte) {
		version, _ := parsed(t, text).Root().Get("schema_version")
		if all[version.Text()] == nil {
			return
		}
		p := &planted{name: name, text: plant(t, text), release: all[version.Text()], resolved: strings.HasSuffix(group, "resolved")}
		doc, whole := p.judge(t, p.text)
		for i, at := range placesOf(doc, whole) {
			p.findings = append(p.findings, plantedFinding{at, causes(doc, whole[i], p.resolved)})
		}
		require.NotEmpty(t, p.findings, name)
		groups[group] = append(groups[group], p)
	}
	for _, e := range documents.Valid() {
		if !e.Resolved() {
			add("samples", e.Name, e.Text)
		} else if strings.HasPrefix(e.Name, "air-") {
			add("resolved", e.Name, e.Text)
			var indented bytes.Buffer
			require.NoError(t, indent(&indented, e.Text))
			add("resolved", e.Name+", indented", indented.Bytes())
		}
	}
	files, err := filepath.Glob(filepath.Join("..", "examples", "register", "*.json"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		add("registers", file, text)
	}
	for i, c := range conformanceCases(t) {
		if i%9 == 0 && c.Operation != "validate_resolved" {
			if _, err := document.Parse(c.Document); err == nil {
				add("trail", c.file, c.Document)
			}
		}
	}
	return groups
}

// plant makes mistakes of many kinds in the placements of a document.
func plant(t *testing.T, text []byte) []byte {
	t.Helper()
	doc := parsed(t, text)
	var edits []document.Edit
	list, _ := doc.Root().Get("elements")
	i := 0
	for placement := range list.All() {
		id, _ := placement.Get("element_id")
		if id.Kind() != '"' {
			continue
		}
		at := document.Range{Start: id.Range().End, End: id.Range().End}
		mistake := []string{
			`, "context_type_id": "nowhere"`, `, "priority": "high"`, `, "label": " "`, `, "subchain_instance_id": "nowhere"`,
			`, "lable": "x"`, `, "sources": [{"type": "x", "title": "y", "url": "nope"}]`, `, "element_instance_id": "same"`, `, "element_instance_id": "same"`,
			`, "variables": [{"id": "nothing", "value": []}]`, `x`,
		}[i%10]
		i++
		if mistake == "x" {
			at, mistake = document.Range{Start: at.Start - 2, End: at.Start - 1}, "x"
		} else if key := strings.Split(mistake, `"`)[1]; slices.ContainsFunc(slices.Collect(placement.All()), func(m document.Value) bool { return m.Key() == key }) {
			continue
		}
		edits = append(edits, document.Edit{Range: at, Text: []byte(mistake)})
	}
	planted, err := document.ApplyEdits(text, edits)
	require.NoError(t, err)
	return planted
}

// causes returns the parts of a document that a finding depends on.
func causes(doc *document.Document, i issue.Issue, resolved bool) []document.Range {
	root := doc.Root()
	var parts []document.Range
	add := func(path issue.Path) {
		v := root
		for _, step := range path {
			next, there := doc.Find(append(v.Path(), step))
			if !there {
				break
			}
			v = next
		}
		parts = append(parts, v.Whole())
	}
	add(i.Path)
	if i.Related != nil {
		add(i.Related)
	}
	local := []issue.Code{codes.ParseError, codes.PlacementLabelEmpty, codes.UnknownField, codes.InstanceSourceURLInvalid, codes.InstanceElementInstanceIDDuplicate}
	if resolved && !slices.Contains(local, i.Code) {
		add(issue.Root)
	}
	if len(i.Path) > 2 && i.Path[0].Name() == "elements" {
		add(i.Path[:2].Key("element_id"))
		if len(i.Path) > 4 && i.Path[2].Name() == "variables" {
			add(i.Path[:4].Key("id"))
			add(i.Path[:4].Key("value"))
		}
	}
	elements, subchains := issue.Root.Key("elements"), issue.Root.Key("subchain_instances")
	switch i.Code {
	case codes.InstanceCategoryTooMany, codes.InstanceElementTooMany:
		list, _ := doc.Find(elements)
		id, _ := doc.Find(i.Path.Key("element_id"))
		parts = []document.Range{{Start: list.Range().Start, End: id.Range().End}}
	case codes.RequiredCategoryMissing, codes.ElementRequired, codes.InstanceElementInstanceIDCollides:
		add(elements)
	case codes.InstanceSubchainInstanceUnknown:
		add(subchains)
	case codes.InstanceSubchainHeadUnknown, codes.ElementProvenanceUnknownElement, codes.ElementProvenanceAmbiguous, codes.VariableRationaleUnknownVariable:
		add(elements)
		add(subchains)
	case codes.InstanceVariableDuplicate, codes.InstanceVariableUnknown:
		add(i.Path[:3])
	}
	return parts
}

// TestNotStrict: a document with syntax errors is validated only with the option for it, and what
// it has, not what it lacks.
func TestNotStrict(t *testing.T) {
	release := trail(t)[stable]
	const begin = `{"id": "x", "schema_version": "` + stable + `", "created_at": "2026-06-01T10:00Z", "elements": [`
	for text, want := range map[string][]issue.Code{
		"":              {},
		"7 7":           {},
		`[`:             {},
		`{`:             {},
		begin:           {},
		begin + `7, ]`:  {codes.ParseError},
		begin + `7 7]}`: {},
		begin + `{"element_id": "unknown"}, {"elem`:                                                      {codes.InstanceElementUnknown},
		begin + `{"element_id": "unknown" "x"}]}`:                                                        {},
		begin + `{"element_id": "access.public", "element_instance_id": "a"`:                             {},
		begin + `{"element_id": "access.public", "element_instance_id": "access.public"`:                 {codes.InstanceElementInstanceIDCollides},
		begin + `{"element_id": "access.public", "variables": [{"id": "x", "value": []}, ,]`:             {codes.InstanceVariableUnknown},
		begin + `], "priority": 1, "title": ["x"], "title": [], "description": "x" "y"`:                  {codes.ParseError},
		begin + `{"element_id": "access.public"}], "authoring_provenance": {"element_provenance": {"x":`: {codes.ElementRequired, codes.ElementRequired, codes.ElementProvenanceUnknownElement},
		begin + `], "subchain_instances": [{}, `:                                                         {codes.ParseError, codes.ParseError, codes.ParseError},
	} {
		doc, err := document.ParseWith([]byte(text), &document.Options{Recover: true})
		require.NoError(t, err)
		_, err = validate.Instance(release, doc, nil)
		require.ErrorContains(t, err, "not strict JSON")
		result, err := validate.Instance(release, doc, &validate.Options{Partial: true})
		require.NoError(t, err, text)
		assert.False(t, result.OK(), text)
		got := []issue.Code{}
		for i, found := range result.Issues {
			if i >= len(doc.SyntaxErrors()) {
				got = append(got, found.Code)
				continue
			}
			assert.Equal(t, issue.CodeBadRequest, found.Code)
			assert.Equal(t, doc.SyntaxErrors()[i].Point, validate.Mark(doc, found).Start)
		}
		assert.ElementsMatch(t, want, got, "%s: %v", text, result.Issues)

		shape, err := validate.InstanceShape(doc, &validate.Options{Partial: true})
		require.NoError(t, err, text)
		assert.NotEmpty(t, shape.Issues)
		_, err = taxonomy.DecodeInstance(doc)
		require.ErrorContains(t, err, "not strict JSON")
	}
}

func indent(to *bytes.Buffer, text []byte) error {
	if err := stdjson.Indent(to, text, "", "  "); err != nil {
		return fmt.Errorf("indenting: %w", err)
	}
	return nil
}
