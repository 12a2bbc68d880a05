package validate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// fixAll validates a document, fixes it, and counts how often validate is called by
// FixAll.
func fixAll(doc *document.Document, judge func(*document.Document) (*validate.Result, error)) (*validate.Fixed, int, error) {
	result, err := judge(doc)
	if err != nil {
		return nil, 0, err
	}
	judged := 0
	fixed, err := validate.FixAll(doc, result, func(doc *document.Document) (*validate.Result, error) {
		judged++
		return judge(doc)
	})
	if err == nil {
		text, err := document.ApplyEdits(doc.Text(), fixed.Edits)
		if err != nil || string(text) != string(fixed.Document.Text()) {
			return nil, 0, fmt.Errorf("the edits give %s, not %s: %w", text, fixed.Document.Text(), err)
		}
	}
	return fixed, judged, err
}

func TestFixAll(t *testing.T) {
	// Each round uncovers the next letter, as a typo in an element id hides
	// what is wrong with its variables.
	next := func(until string) func(*document.Document) (*validate.Result, error) {
		return func(doc *document.Document) (*validate.Result, error) {
			letter := doc.Root().Text()
			if letter == until {
				return &validate.Result{}, nil
			}
			return &validate.Result{Issues: issue.Issues{fix(t, "", "", `"`+string(letter[0]+1)+`"`)}}, nil
		}
	}
	got, judged, err := fixAll(parsed(t, []byte(` "a" `)), next("d"))
	require.NoError(t, err)
	require.Equal(t, ` "d" `, string(got.Document.Text()))
	require.Empty(t, got.Result.Issues)
	require.Equal(t, 3, judged, "once for each edited text")
	require.Len(t, got.Resolved, 1, "those that were uncovered on the way were not there before")

	t.Run("rounds are bounded", func(t *testing.T) {
		got, _, err := fixAll(parsed(t, []byte(`"a"`)), next("z"))
		require.NoError(t, err)
		require.Equal(t, `"i"`, string(got.Document.Text()))
		require.Len(t, got.Result.Issues, 1)
		require.Empty(t, got.Resolved, "the issue is still there")
	})
	t.Run("a fix that does not help", func(t *testing.T) {
		got, judged, err := fixAll(parsed(t, []byte(`"a"`)), func(*document.Document) (*validate.Result, error) {
			return &validate.Result{Issues: issue.Issues{fix(t, "", "", `"b"`)}}, nil
		})
		require.NoError(t, err)
		require.Equal(t, `"b"`, string(got.Document.Text()))
		require.Len(t, got.Result.Issues, 1)
		require.Empty(t, got.Resolved)
		require.Equal(t, 1, judged, "the second time the edit would change nothing")
	})
	t.Run("a fix that breaks the shape", func(t *testing.T) {
		got, _, err := fixAll(parsed(t, []byte(`"a"`)), func(doc *document.Document) (*validate.Result, error) {
			if doc.Root().Kind() != '"' {
				return &validate.Result{Issues: issue.Issues{{Code: codes.ParseError}}}, nil
			}
			return &validate.Result{Issues: issue.Issues{fix(t, "", "", `1`)}}, nil
		})
		require.NoError(t, err)
		require.Equal(t, `"a"`, string(got.Document.Text()))
		require.Len(t, got.Result.Issues, 1)
		require.Empty(t, got.Resolved)
	})
	t.Run("no fix", func(t *testing.T) {
		before := parsed(t, []byte(`"a"`))
		got, judged, err := fixAll(before, func(*document.Document) (*validate.Result, error) {
			return &validate.Result{Issues: issue.Issues{{Code: "test"}}}, nil
		})
		require.NoError(t, err)
		require.Same(t, before, got.Document)
		require.Zero(t, judged)
		require.Len(t, got.Result.Issues, 1)
		require.Empty(t, got.Resolved)
	})
	t.Run("validating fails", func(t *testing.T) {
		before := &validate.Result{Issues: issue.Issues{fix(t, "", "", `"b"`)}}
		_, err := validate.FixAll(parsed(t, []byte(`"a"`)), before, func(*document.Document) (*validate.Result, error) {
			return nil, taxonomy.ErrNotFound
		})
		require.ErrorIs(t, err, taxonomy.ErrNotFound)
	})
	t.Run("a fix that nests too deep", func(t *testing.T) {
		deep := strings.Repeat("[", jcs.MaxDepth) + strings.Repeat("]", jcs.MaxDepth)
		_, _, err := fixAll(parsed(t, []byte(`["a"]`)), func(*document.Document) (*validate.Result, error) {
			return &validate.Result{Issues: issue.Issues{fix(t, "[0]", "", deep)}}, nil
		})
		require.ErrorContains(t, err, "a fix breaks the document")
	})
}

// TestFixAllDoesNoHarm shows that an edit is not made if it would trade one issue
// for another.
func TestFixAllDoesNoHarm(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	release, err := store.Release(t.Context(), taxonomy.MustVersion("sensor@2026-06-15-stable"))
	require.NoError(t, err)
	doc, err := document.Parse([]byte(`{"id": "x", "schema_version": "sensor@2026-06-15-stable", "created_at": "2026-06-01T10:00Z", "elements": [
		{"element_id": "rights.ask"}, {"element_id": "rights.aks"}, {"element_id": "purpose.saftey"},
		{"element_id": "device.camra", "context_type_id": "alwayson", "subchain_instance_id": "run-2"}],
		"subchain_instances": [{"id": "run-1", "subchain_id": "colect"}]}`))
	require.NoError(t, err)
	fixed, _, err := fixAll(doc, func(doc *document.Document) (*validate.Result, error) {
		return validate.Instance(release, doc, nil)
	})
	require.NoError(t, err)
	text := string(fixed.Document.Text())
	require.Contains(t, text, "rights.aks", "rights.ask may be placed once")
	require.Contains(t, text, "run-2", "ids of the author's own are not guessed")
	require.Contains(t, text, "purpose.safety")
	require.Contains(t, text, `"collect"`)
	require.Contains(t, text, `"always_on"`, "what an edit uncovers is fixed, too")
	var found []issue.Code
	for _, i := range fixed.Resolved {
		found = append(found, i.Code)
	}
	require.Equal(t, []issue.Code{
		codes.InstanceElementUnknown, codes.InstanceElementUnknown, codes.InstanceSubchainUnknown,
	}, found)
}

// TestResolvedIssues shows which issues count as resolved: those of the first
// result that the last does not have, even if edits changed their messages
// and paths.
func TestResolvedIssues(t *testing.T) {
	finding := func(code, path, message string) issue.Issue {
		p, err := issue.ParsePath(path)
		require.NoError(t, err)
		return issue.Issue{Code: issue.Code(code), Path: p, Message: message}
	}
	edit := fix(t, "", "", `"b"`)
	for _, c := range []struct {
		name          string
		before, after issue.Issues
		want          []int // places in before
	}{
		{"nothing", nil, nil, nil},
		{"all", issue.Issues{finding("x", "a", "m"), finding("y", "b", "n")}, nil, []int{0, 1}},
		{"uncovered", nil, issue.Issues{finding("x", "a", "m")}, nil},
		{"another message", issue.Issues{finding("x", "a", "no c")}, issue.Issues{finding("x", "a", "no d")}, nil},
		{"below another key", issue.Issues{finding("x", "saftey.a", "m")}, issue.Issues{finding("x", "safety.a", "m")}, nil},
		{"another code", issue.Issues{finding("x", "a", "m")}, issue.Issues{finding("y", "a", "m")}, []int{0}},
		{"another place and message", issue.Issues{finding("x", "a", "m")}, issue.Issues{finding("x", "b", "n")}, []int{0}},
		{"one of two at a place", issue.Issues{finding("x", "a", "m"), finding("x", "a", "n")}, issue.Issues{finding("x", "a", "n")}, []int{0}},
		{"one of two alike", issue.Issues{finding("x", "a", "m"), finding("x", "a", "m")}, issue.Issues{finding("x", "a", "m")}, []int{1}},
		{"one of two messages", issue.Issues{finding("x", "a", "m"), finding("x", "b", "m")}, issue.Issues{finding("x", "b", "m")}, []int{0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := append(slices.Clone(c.before), edit)
			fixed, _, err := fixAll(parsed(t, []byte(`"a"`)), func(doc *document.Document) (*validate.Result, error) {
				if doc.Root().Text() == "a" {
					return &validate.Result{Issues: before}, nil
				}
				return &validate.Result{Issues: c.after}, nil
			})
			require.NoError(t, err)
			want := issue.Issues{}
			for _, i := range c.want {
				want = append(want, c.before[i])
			}
			require.Equal(t, append(want, edit), fixed.Resolved)
		})
	}
}

// TestFixOfValues shows what is certain enough to be fixed: a value in or out of a list,
// texts by language, and a text that names an option.
func TestFixOfValues(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	release, err := store.Release(t.Context(), taxonomy.MustVersion("sensor@2026-11-15-stable"))
	require.NoError(t, err)
	const head = `{"id": "x", "schema_version": "sensor@2026-11-15-stable", "created_at": "2026-06-01T10:00Z", `
	measured := func(value string) string {
		return head + `"elements": [{"element_id": "data.surroundings", "context_type_id": "does_not_identify_people", "variables": [{"id": "measured", "value": ` + value + `}]}]}`
	}
	titled := func(title string) string { return head + `"title": ` + title + `, "elements": []}` }
	for _, c := range []struct{ name, text, want string }{
		{"a list of one", head + `"elements": [{"element_id": ["purpose.environment"]}]}`, head + `"elements": [{"element_id": "purpose.environment"}]}`},
		{"a list of two", head + `"elements": [{"element_id": ["purpose.environment", "purpose.safety"]}]}`, ""},
		{"texts by language", titled(`{"en": "Air", "fr": "L’air"}`), titled(`[{"locale": "en", "value": "Air"}, {"locale": "fr", "value": "L’air"}]`)},
		{"a language that the version does not have", titled(`{"en": "Air", "xx": "Air"}`), ""},
		{"a string, whose language is not known", titled(`"Air"`), ""},
		{"an option without brackets", measured(`"weather"`), measured(`["weather"]`)},
		{"the label of an option", measured(`"Air quality"`), measured(`["air_quality"]`)},
		{"no option", measured(`"blue"`), ""},
		{"an option as a text", measured(`[{"locale": "fr", "value": "Qualité de l’air"}]`), measured(`["air_quality"]`)},
		{"two options as a text", measured(`[{"locale": "en", "value": "weather"}, {"locale": "fr", "value": "water"}]`), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			fixed, _, err := fixAll(parsed(t, []byte(c.text)), func(doc *document.Document) (*validate.Result, error) {
				return validate.Instance(release, doc, nil)
			})
			require.NoError(t, err)
			if c.want == "" {
				c.want = c.text
			}
			require.Equal(t, c.want, string(fixed.Document.Text()))
		})
	}
}

// TestFixOfThePin shows that the hint to pin a version and the fix agree.
func TestFixOfThePin(t *testing.T) {
	const rest = `"id": "x", "created_at": "2026-06-01T10:00Z", "elements": [{"element_id": "purpose.safety"}]}`
	for _, c := range []struct{ name, pin, hint, fixed string }{
		{"an alias", `"schema_version": "ai@latest", `, "write ai@2026-09-01-stable", `{"schema_version": "ai@2026-09-01-stable", ` + rest},
		{"no version", `"schema_version": 5, `, "write ai@2026-09-01-stable", `{"schema_version": "ai@2026-09-01-stable", ` + rest},
		{
			"none", "", `add "schema_version": "ai@2026-09-01-stable"`,
			"{" + strings.Replace(rest, `"x", `, `"x", "schema_version": "ai@2026-09-01-stable", `, 1),
		},
		{"an alias of another type", `"schema_version": "sensor@latest", `, "write ai@2026-09-01-stable, or use the version sensor@latest instead", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := parsed(t, []byte("{"+c.pin+rest))
			result, err := validate.Instance(sample(t), doc, nil)
			require.NoError(t, err)
			require.Len(t, result.Issues, 1)
			require.Equal(t, c.hint, result.Issues[0].FixHint)
			text, applied := validate.ApplyFixes(doc, result.Issues)
			if c.fixed == "" {
				require.Nil(t, result.Issues[0].Fix)
				return
			}
			require.Len(t, applied, 1)
			require.Equal(t, c.fixed, string(text))
		})
	}
}
