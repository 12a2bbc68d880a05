package validate_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/documenttest"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// counts are the codes of missing categories and wrong counts.
var counts = []issue.Code{
	codes.RequiredCategoryMissing, codes.ElementRequired,
	codes.InstanceCategoryTooMany, codes.InstanceElementTooMany,
}

// TestSnapshotHidesNothing forges snapshots, most of them of invalid documents. While
// the pinned version is published, a document whose thin form has an error has one in
// its resolved form, and both report the same missing categories and wrong counts.
func TestSnapshotHidesNothing(t *testing.T) {
	generated(t, func(t *testing.T, g generator) {
		thin := plain(t, g.Document()).(map[string]any)
		g.miscount(thin)
		if g.Chance(30) {
			documenttest.Spoil(g.Rand, thin)
		}
		resolved := g.forged(t, thin)

		judge := func(written any, by func(*document.Document) (*validate.Result, error)) *validate.Result {
			result, err := by(parsed(t, g.Scramble(nil, written)))
			require.NoError(t, err)
			return result
		}
		before := judge(thin, func(d *document.Document) (*validate.Result, error) { return validate.Instance(g.Release, d, nil) })
		after := judge(resolved, func(d *document.Document) (*validate.Result, error) { return validate.Resolved(g.Release, d, nil) })
		require.False(t, after.OK() && !before.OK(), "%v", before.Issues.With(issue.SeverityError))
		require.Equal(t, countsOf(before), countsOf(after))
	})
}

func countsOf(r *validate.Result) []string {
	found := []string{}
	for _, i := range r.Issues {
		if slices.Contains(counts, i.Code) {
			found = append(found, fmt.Sprintf("%s %s %s: %s", i.Severity, i.Code, i.Path, i.Message))
		}
	}
	return found
}

// miscount removes all placements of a category, repeats some, or does nothing.
func (g generator) miscount(thin map[string]any) {
	elements := thin["elements"].([]any)
	switch g.IntN(4) {
	case 0:
		categories := g.Release.Categories()
		cut := categories[g.IntN(len(categories))].ID
		var left []any
		for _, p := range elements {
			if e, _ := g.Release.Element(p.(map[string]any)["element_id"].(string)); e.CategoryID != cut {
				left = append(left, p)
			}
		}
		if len(left) > 0 {
			thin["elements"] = left
		}
	case 1:
		for range g.IntN(8) {
			again := elements[g.IntN(len(elements))].(map[string]any)
			elements = append(elements, map[string]any{"element_id": again["element_id"]})
		}
		thin["elements"] = elements
	}
}

// forged returns a resolved document with a snapshot that may lie.
func (g generator) forged(t *testing.T, thin map[string]any) map[string]any {
	known, unknown := []any{}, []any(nil)
	for _, p := range thin["elements"].([]any) {
		id := p.(map[string]any)["element_id"].(string)
		if g.Release.HasElement(id) {
			known = append(known, p)
		} else {
			unknown = append(unknown, id)
		}
	}
	text, err := json.Marshal(map[string]any{"schema_version": g.Release.Version(), "elements": known})
	require.NoError(t, err)
	doc, err := document.Parse(text)
	require.NoError(t, err)
	bundle, err := resolve.Resolve(g.Release, doc, nil)
	require.NoError(t, err)
	var honest map[string]any
	require.NoError(t, json.Unmarshal(bundle.AppendJSON(nil), &honest))
	snapshot := honest["schema_snapshot"].(map[string]any)
	for range g.IntN(4) {
		g.forge(snapshot, unknown)
	}
	resolved := map[string]any{"schema_snapshot": snapshot, "suggested_elements": []any{}}
	maps.Copy(resolved, thin)
	return resolved
}

// forge changes a snapshot, so that its shape stays valid.
func (g generator) forge(snapshot map[string]any, unknown []any) {
	categories, elements := snapshot["categories"].([]any), snapshot["elements"].([]any)
	some := func(list []any) map[string]any {
		if len(list) == 0 {
			return map[string]any{}
		}
		return list[g.IntN(len(list))].(map[string]any)
	}
	cut := func(list []any) []any {
		if len(list) == 0 {
			return list
		}
		i := g.IntN(len(list))
		return slices.Delete(list, i, i+1)
	}
	switch g.IntN(8) {
	case 0:
		snapshot["categories"] = cut(categories)
	case 1:
		snapshot["elements"] = cut(elements)
	case 2:
		delete(some(categories), "required")
	case 3:
		delete(some(categories), "cardinality")
	case 4:
		delete(some(elements), "max_placements")
	case 5:
		if e := some(elements); e["id"] != nil && len(categories) > 0 {
			e["category_id"] = some(categories)["id"]
		}
	case 6:
		if e := some(elements); e["id"] != nil {
			e["variables"] = []any{}
		}
	case 7:
		if e := some(elements); e["id"] != nil && len(unknown) > 0 {
			known := maps.Clone(e)
			known["id"] = unknown[g.IntN(len(unknown))]
			snapshot["elements"] = append(elements, known)
		}
	}
}
