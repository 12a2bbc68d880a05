package diff_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/taxonomy"
)

// rulePage is generated from the table of rules.
const rulePage = "../../docs/changes.md"

func addElement(c *taxonomy.Content) {
	e := c.Elements[2]
	e.ID = "data.zoom"
	c.Elements = append(c.Elements, e)
}

// unplaceable makes an element that no document can place, with what belongs to it.
func unplaceable(c *taxonomy.Content) {
	addElement(c)
	c.Elements[3].Variables = append(c.Elements[3].Variables,
		taxonomy.Variable{ID: "never", Label: text("Never", "Jamais"), Required: true, Type: taxonomy.SelectVariable})
}

func removedVideo(successors ...string) edit {
	return func(c *taxonomy.Content) {
		c.Elements = c.Elements[:2]
		gone := taxonomy.Removal{ID: "data.video", Since: taxonomy.MustVersion("ai@2026-02-01-beta")}
		for _, id := range successors {
			gone.ReplacedBy = append(gone.ReplacedBy, taxonomy.Successor{ID: id})
		}
		c.Removed = append(c.Removed, gone)
	}
}

func deprecatedVideo(successors ...string) edit {
	return func(c *taxonomy.Content) {
		c.Elements[2].Status = codes.StatusDeprecated
		for _, id := range successors {
			c.Elements[2].ReplacedBy = append(c.Elements[2].ReplacedBy, taxonomy.Successor{ID: id})
		}
	}
}

// TestRules has for each rule an edit that is judged by it, and by nothing else.
func TestRules(t *testing.T) {
	cases := map[diff.RuleID]struct{ before, after edit }{
		"subchain-removed":         {nil, func(c *taxonomy.Content) { c.Type.Subchains = []taxonomy.Subchain{} }},
		"category-minimum-raised":  {nil, cardinality(2, 4)},
		"category-maximum-lowered": {nil, cardinality(1, 3)},
		"context-value-removed":    {nil, dataContext(func(c *taxonomy.Context) { c.Values = c.Values[1:] })},
		"context-value-renamed":    {nil, dataContext(func(c *taxonomy.Context) { c.Values[0].ID, c.Values[0].RenamedFrom = "named", []string{"identified"} })},
		"context-required":         {nil, dataContext(func(c *taxonomy.Context) { c.Required = true })},
		"element-removed":          {nil, removedVideo("purpose.safety")},
		"element-renamed":          {nil, func(c *taxonomy.Content) { c.Elements[2].ID = "data.film" }},
		"element-moved-context": {nil, func(c *taxonomy.Content) {
			c.Elements[2].CategoryID, c.Elements[2].IconVariants = "empty", []string{"default", "dark", "some"}
		}},
		"element-moved-needed": {
			func(c *taxonomy.Content) { c.Categories[2].Context.Values = nil },
			func(c *taxonomy.Content) {
				c.Categories[2].Context.Values, c.Elements[1].CategoryID = nil, "empty"
				c.Elements[1], c.Elements[2] = c.Elements[2], c.Elements[1]
			},
		},
		"element-moved-full": {
			func(c *taxonomy.Content) {
				c.Elements[2].CategoryID, c.Elements[2].IconVariants = "empty", []string{"default", "dark", "some"}
				c.Categories[1].Cardinality.Max, c.Categories[1].Context.Values = 2, c.Categories[2].Context.Values
			},
			func(c *taxonomy.Content) {
				c.Elements[2].IconVariants = []string{"default", "dark", "some"}
				c.Categories[1].Cardinality.Max, c.Categories[1].Context.Values = 2, c.Categories[2].Context.Values
			},
		},
		"element-maximum-lowered": {nil, func(c *taxonomy.Content) { c.Elements[1].MaxPlacements = 1 }},
		"variable-removed":        {nil, func(c *taxonomy.Content) { c.Elements[2].Variables = []taxonomy.Variable{} }},
		"variable-renamed":        {nil, variable(0, func(v *taxonomy.Variable) { v.ID, v.RenamedFrom = "desk", []string{"contact"} })},
		"variable-required":       {nil, variable(0, func(v *taxonomy.Variable) { v.Required = true })},
		"variable-type-changed":   {nil, variable(0, func(v *taxonomy.Variable) { v.Type = taxonomy.SelectVariable })},
		"option-removed":          {nil, variable(1, func(v *taxonomy.Variable) { v.Options = v.Options[1:] })},
		"option-renamed":          {nil, variable(1, func(v *taxonomy.Variable) { v.Options[0].ID, v.Options[0].RenamedFrom = "act", []string{"law"} })},
		"option-narrowed":         {nil, appliesTo(1, "purpose.research")},

		"type-changed":           {nil, func(c *taxonomy.Content) { c.Type.ID = "bots" }},
		"element-reworded":       {nil, func(c *taxonomy.Content) { c.Elements[2].Title[0].Value = "Film" }},
		"context-reworded":       {dataContext(func(c *taxonomy.Context) { c.Name = text("Name", "Nom") }), dataContext(func(c *taxonomy.Context) { c.Name = text("Names", "Nom") })},
		"context-value-reworded": {nil, dataContext(func(c *taxonomy.Context) { c.Values[0].Label[0].Value = "Named" })},
		"variable-reworded":      {nil, variable(0, func(v *taxonomy.Variable) { v.Label[0].Value = "Desk" })},
		"removal-forgotten":      {recordedRemoval, nil},
		"rename-forgotten":       {func(c *taxonomy.Content) { c.Categories[0].RenamedFrom = []string{"goal"} }, nil},
		"option-reworded":        {nil, variable(1, func(v *taxonomy.Variable) { v.Options[0].Label[0].Value = "Act" })},

		"punctuation-changed": {nil, func(c *taxonomy.Content) { c.Elements[2].Title[0].Value += " ." }},

		"locale-removed":     {nil, func(c *taxonomy.Content) { c.Locales = c.Locales[:1] }},
		"element-deprecated": {nil, deprecatedVideo()},

		"category-renamed": {nil, func(c *taxonomy.Content) { renamedPurpose(c); c.Categories[0].RenamedFrom = []string{"purpose"} }},
		"unused-removed":   {unplaceable, nil},
		"unused-renamed": {nil, func(c *taxonomy.Content) {
			c.Categories[2].Context.Values[0].ID, c.Categories[2].Context.Values[0].RenamedFrom = "few", []string{"some"}
		}},
		"category-added":   {nil, addCategory(taxonomy.Category{})},
		"category-removed": {addCategory(taxonomy.Category{}), nil},
		"element-added":    {nil, addElement},
		"element-moved": {func(c *taxonomy.Content) { c.Categories[2].Context = c.Categories[1].Context }, func(c *taxonomy.Content) {
			c.Categories[2].Context = c.Categories[1].Context
			c.Elements[2].CategoryID = "empty"
		}},
		"element-reinstated":  {deprecatedVideo(), nil},
		"context-value-added": {dataContext(func(c *taxonomy.Context) { c.Values = c.Values[:1] }), nil},
		"variable-added":      {nil, addVariable(taxonomy.Variable{ID: "why", Type: taxonomy.TextVariable})},
		"option-added":        {variable(1, func(v *taxonomy.Variable) { v.Options = v.Options[:1] }), nil},
		"subchain-added":      {func(c *taxonomy.Content) { c.Type.Subchains = []taxonomy.Subchain{} }, nil},
		"subchain-changed":    {nil, func(c *taxonomy.Content) { c.Type.Subchains[0].Categories = []string{"data"} }},
		"locale-added":        {func(c *taxonomy.Content) { c.Locales = c.Locales[:1] }, nil},
		"limits-changed":      {nil, cardinality(1, 5)},
		"order-changed":       {nil, func(c *taxonomy.Content) { c.Elements[0].Order = 1; c.Elements[1].Order = 2 }},
		"symbol-added":        {nil, func(c *taxonomy.Content) { c.Symbols["more"] = svg }},
		"symbol-removed":      {nil, func(c *taxonomy.Content) { delete(c.Symbols, "spare") }},
		"symbol-changed":      {nil, func(c *taxonomy.Content) { c.Symbols["spare"] = "<svg/>" }},
		"icon-changed":        {nil, func(c *taxonomy.Content) { c.Categories[0].Shape = taxonomy.Circle; c.Elements[0].SymbolID = "eye" }},
		"successor-changed":   {deprecatedVideo(), deprecatedVideo("purpose.safety")},
		"rename-recorded":     {nil, func(c *taxonomy.Content) { c.Categories[0].RenamedFrom = []string{"goal"} }},
		"search-changed": {nil, func(c *taxonomy.Content) {
			c.Synonyms = []taxonomy.Synonyms{{Locale: "en", Groups: [][]string{{"cctv", "camera"}}}}
		}},
		"guidance-changed": {nil, func(c *taxonomy.Content) {
			c.Categories[0].Prompt = text("Why?", "Pourquoi ?")
			c.Elements[0].Examples = []taxonomy.Localized{text("A", "A")}
		}},
		"role-changed": {nil, func(c *taxonomy.Content) {
			c.Categories[0].Role, c.Elements[0].Lead = codes.RolePurpose, true
		}},
		"sources-changed": {nil, func(c *taxonomy.Content) { c.Categories[0].Sources = []taxonomy.Source{{Type: "law", Title: "Act"}} }},
		"scheme-reworded": {
			func(c *taxonomy.Content) { c.Schemes = []taxonomy.Scheme{{ID: "law", Title: text("Law", "Loi")}} },
			func(c *taxonomy.Content) { c.Schemes = []taxonomy.Scheme{{ID: "law", Title: text("Act", "Loi")}} },
		},
		"mappings-changed": {nil, func(c *taxonomy.Content) {
			c.Schemes = []taxonomy.Scheme{{ID: "law", Title: text("Law", "Loi")}}
			c.Categories[0].Mappings = []taxonomy.Mapping{{Scheme: "law", ID: "Art. 1", Relation: codes.RelationClose}}
		}},
		"licence-changed": {nil, func(c *taxonomy.Content) { c.Licence, c.Attribution = "CC-BY-4.0", "The City" }},
		"notes-changed":   {nil, func(c *taxonomy.Content) { c.Notes = text("New", "Neuf") }},
		"text-added":      {func(c *taxonomy.Content) { c.Elements[2].Title = c.Elements[2].Title[:1] }, nil},
		"text-removed":    {nil, func(c *taxonomy.Content) { c.Elements[2].Title = c.Elements[2].Title[:1] }},
		"placeholder-changed": {
			func(c *taxonomy.Content) { c.Elements[0].Description[0].Value = "By {{contact}}" },
			func(c *taxonomy.Content) { c.Elements[0].Description[0].Value = "By {{ contact }}" },
		},
		"id-reused":         {nil, func(c *taxonomy.Content) { c.Elements[2].Title[0].Value = "Audit" }},
		"category-reworded": {nil, func(c *taxonomy.Content) { c.Categories[0].Name[0].Value = "Aim" }},
		"version-reworded":  {nil, func(c *taxonomy.Content) { c.Title[0].Value = "Robots" }},
		"other-changed":     {nil, func(c *taxonomy.Content) { c.Elements[2].Extra = taxonomy.Extra{"x": json.RawMessage(`1`)} }},
	}
	for _, rule := range diff.Rules() {
		t.Run(string(rule.ID), func(t *testing.T) {
			c, ok := cases[rule.ID]
			require.True(t, ok, "no case")
			after := "ai@2026-02-01-beta"
			if rule.ID == "type-changed" {
				after = "bots@2026-02-01-beta"
			}
			o := new(diff.Options)
			if rule.ID == "id-reused" {
				o.Between = []*taxonomy.Release{edited(t, "ai@2026-01-15-beta", removedVideo())}
			}
			newer := edited(t, after, c.after)
			if rule.ID == "element-renamed" {
				newer = history.With(newer, &history.Evolution{Renamed: []history.Rename{{Kind: codes.IDElement, From: "data.video", To: "data.film", Since: newer.Version()}}})
			}
			report, err := diff.Compare(edited(t, "ai@2026-01-01-stable", c.before), newer, o)
			require.NoError(t, err)
			judged := map[diff.RuleID]bool{}
			for _, change := range report.Changes {
				judged[change.Rule] = true
				if change.Rule == rule.ID {
					require.Equal(t, rule.Severity, change.Severity)
					require.Equal(t, rule.Warns, change.Warns)
				}
				require.NotEmpty(t, change.Consequence)
			}
			if rule.ID != "icon-changed" {
				delete(judged, "icon-changed") // of an element that moved
			}
			require.Equal(t, map[diff.RuleID]bool{rule.ID: true}, judged, "%s", lines(report.Changes))
		})
	}
	require.Len(t, cases, len(diff.Rules()), "cases of rules that do not exist")
}

func TestRulesAreDocumented(t *testing.T) {
	form := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	seen := map[diff.RuleID]bool{}
	for _, r := range diff.Rules() {
		require.Regexp(t, form, string(r.ID))
		require.False(t, seen[r.ID], "%s is there twice", r.ID)
		seen[r.ID] = true
		require.True(t, strings.HasSuffix(r.Meaning, "."), "%s: the meaning is a sentence", r.ID)
		require.NotEmpty(t, r.Consequence, r.ID)
		require.Equal(t, r.Severity == diff.Breaking, r.Remedy != "", r.ID)
		require.False(t, r.Warns && r.Severity != diff.Compatible, r.ID)
		found, ok := diff.LookupRule(r.ID)
		require.True(t, ok)
		require.Equal(t, r, found)
	}
	_, ok := diff.LookupRule("no-such-rule")
	require.False(t, ok)
	require.True(t, slices.IsSortedFunc(diff.Rules(), func(a, b diff.Rule) int {
		return slices.Index(diff.Severities(), a.Severity) - slices.Index(diff.Severities(), b.Severity)
	}))
	diff.Rules()[0] = diff.Rule{}
	require.NotEmpty(t, diff.Rules()[0])
}

// The consequence of a removal names the successors, and the entry in the manifest is
// part of the change.
func TestSuccessors(t *testing.T) {
	for _, c := range []struct {
		name       string
		after      edit
		want       string
		successors []string
	}{
		{"removed", removedVideo(), "removed element data.video (breaking: documents that place the element become invalid)", nil},
		{
			"removed, with one successor", removedVideo("purpose.safety"),
			"removed element data.video (breaking: documents that place the element become invalid; 'datachain upgrade' replaces it by purpose.safety)",
			[]string{"purpose.safety"},
		},
		{
			"removed, with two", removedVideo("purpose.safety", "purpose.research"),
			"removed element data.video (breaking: documents that place the element become invalid; replace it by purpose.safety or purpose.research)",
			[]string{"purpose.safety", "purpose.research"},
		},
		{"deprecated", deprecatedVideo(), `added element data.video: status (warning: placements of the element get a warning) -> "deprecated"`, nil},
		{
			"deprecated, with two successors", deprecatedVideo("purpose.safety", "purpose.research"),
			`added element data.video: status (warning: placements of the element get a warning; it is replaced by purpose.safety or purpose.research) -> "deprecated"`,
			[]string{"purpose.safety", "purpose.research"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := compare(t, nil, c.after)
			i := slices.IndexFunc(report.Changes, func(c diff.Change) bool { return c.Severity == diff.Breaking || c.Warns })
			require.Equal(t, []string{c.want}, lines(report.Changes[i:i+1]))
			require.Equal(t, c.successors, report.Changes[i].Successors)
			require.NotContains(t, fmt.Sprint(lines(report.Changes)), "removed manifest")
		})
	}
}

func TestChangeWords(t *testing.T) {
	report := compare(t, nil, func(c *taxonomy.Content) {
		c.Elements[2].Description[0].Value = "Moving pictures"
		c.Elements[0].SymbolID = "eye"
		c.Symbols["star"] = "<svg/>"
		c.Elements[1].Title = c.Elements[1].Title[:1]
	})
	var got []string
	for _, c := range report.Changes {
		if spans := c.Words(); spans != nil {
			got = append(got, marked(spans))
		}
	}
	require.Equal(t, []string{"[-Pictures-]{+Moving pictures+}"}, got)
}

func TestRulePage(t *testing.T) {
	goldentest.File(t, rulePage, renderRules(diff.Rules()))
}

func renderRules(rules []diff.Rule) string {
	var b strings.Builder
	b.WriteString("<!-- Generated from the rules of package history/diff by `make generate`; do not edit. -->\n\n# Changes between schema versions\n\n" +
		"`datachain schema diff` and `schema breaking` classify each change by a rule: what happens to a valid document if its `schema_version` is changed and nothing else. " +
		"Rule ids are stable: match on them, not on texts. A change that affects no valid document, such as a minimum that every document reaches, is compatible.\n")
	const wayOut = "Edit the documents; 'datachain upgrade' lists the places."
	about := map[diff.Severity]string{
		diff.Breaking:   "Some valid document becomes invalid. Unless a rule says otherwise: " + strings.ToLower(wayOut[:1]) + wayOut[1:],
		diff.Notable:    "Documents stay valid, but mean something else, or those of older versions can no longer follow.",
		diff.Compatible: "Documents stay valid and mean the same.",
	}
	for _, s := range diff.Severities() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", strings.ToUpper(string(s[:1]))+string(s[1:]), about[s])
		for _, r := range rules {
			if r.Severity != s {
				continue
			}
			fmt.Fprintf(&b, "- `%s`: %s", r.ID, r.Meaning)
			if r.Warns {
				b.WriteString(" " + strings.ToUpper(r.Consequence[:1]) + r.Consequence[1:] + ".")
			}
			if r.Remedy != "" && r.Remedy != wayOut {
				b.WriteString(" " + r.Remedy)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// TestEvolved shows that what an evolution says counts as what versions say: renames are
// renames, removals have successors, ids that come back are found, and revived settles it.
func TestEvolved(t *testing.T) {
	since := taxonomy.MustVersion("ai@2026-02-01-beta")
	before := edited(t, "ai@2026-01-01-stable", nil)
	lines := func(e *history.Evolution, after edit) string {
		var all []string
		for _, c := range diff.Releases(before, history.With(edited(t, since.String(), after), e)).Changes {
			all = append(all, fmt.Sprintf("%s %s %s %s", c.Rule, c.Kind, c.Target(), strings.Join(c.Successors, "+")))
		}
		return strings.Join(all, "\n")
	}
	video, ok := before.Element("data.video")
	require.True(t, ok)
	drop := func(c *taxonomy.Content) { c.Elements = c.Elements[:2] }
	require.Equal(t, "element-removed removed data.video ", lines(nil, drop))
	require.Equal(t, "element-removed removed data.video "+before.ElementIDs()[0], lines(&history.Evolution{
		Renamed: []history.Rename{{Kind: codes.IDElement, From: "data.video", To: before.ElementIDs()[0], Since: since}},
	}, drop))
	require.Equal(t, "element-removed removed data.video "+before.ElementIDs()[0]+"+"+before.ElementIDs()[1], lines(&history.Evolution{
		Split: []history.Split{{From: "data.video", To: before.ElementIDs()[:2], Since: since}},
	}, drop))

	old := before.Categories()[0].ID
	rename := func(c *taxonomy.Content) {
		c.Categories[0].ID, c.Type.Categories[0] = "aim", "aim"
		for i := range c.Elements {
			if c.Elements[i].CategoryID == old {
				c.Elements[i].CategoryID = "aim"
			}
		}
		for i := range c.Type.Subchains {
			for j, id := range c.Type.Subchains[i].Categories {
				if id == old {
					c.Type.Subchains[i].Categories[j] = "aim"
				}
			}
		}
	}
	require.Contains(t, lines(&history.Evolution{
		Renamed: []history.Rename{{Kind: codes.IDCategory, From: old, To: "aim", Since: since}},
	}, rename), "category-renamed renamed aim ")

	require.Contains(t, lines(&history.Evolution{
		Renamed: []history.Rename{{Kind: codes.IDVariable, From: "days", To: "time", In: video.ID, Since: since}},
	}, func(c *taxonomy.Content) { c.Elements[2].Variables[0].ID = "time" }), "variable-renamed renamed data.video/variables.time ")
	require.Contains(t, lines(&history.Evolution{
		Renamed: []history.Rename{{Kind: codes.IDContextValue, From: "some", To: "any", In: "empty", Since: since}},
	}, func(c *taxonomy.Content) { c.Categories[2].Context.Values[0].ID = "any" }), "renamed empty/context.values.any ")

	retitle := func(c *taxonomy.Content) { c.Elements[2].Title[0].Value = "Audit" }
	e := &history.Evolution{Removed: []history.RemovedID{{Removal: taxonomy.Removal{ID: video.ID, Since: taxonomy.MustVersion("ai@2026-01-15-beta")}}}}
	require.Contains(t, lines(e, retitle), "id-reused changed data.video/title.")
	e.Revived = []history.Revival{{Kind: codes.IDElement, ID: video.ID, Since: since, Reason: "The same"}}
	require.Contains(t, lines(e, retitle), "element-reworded changed data.video/title.")
}
