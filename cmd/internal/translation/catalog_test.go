package translation_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/edit"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/translation"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var version = taxonomy.MustVersion("sensor@2026-11-15-stable")

func sample(t *testing.T) *write.Authored {
	t.Helper()
	c, err := source.Compile(taxonomies.FS(), version, nil)
	require.NoError(t, err)
	return write.FromRelease(c.Release)
}

// imported makes the changes of a file, which must be the only ones.
func imported(t *testing.T, before *write.Authored, f *translation.Catalog) (*write.Authored, *translation.CatalogPlan) {
	t.Helper()
	read, err := translation.ParseCatalog(f.Text())
	require.NoError(t, err)
	plan, err := read.Plan(before)
	require.NoError(t, err)
	edits, err := edit.Apply(taxonomies.FS(), version, plan.Source())
	require.NoError(t, err)
	after, err := source.Preview(taxonomies.FS(), version, edits, nil)
	require.NoError(t, err)
	require.Empty(t, after.Issues.With(issue.SeverityError))
	content := write.FromRelease(after.Release)
	require.NoError(t, plan.Check(before, content))
	return content, plan
}

// TestSample shows that a file that was not changed changes nothing, and that every
// text of a version can be translated anew where it is written.
func TestSample(t *testing.T) {
	t.Parallel()
	a := sample(t)
	f := translation.NewCatalog(a, "fr", nil)
	require.Greater(t, len(f.Entries), 100)
	_, plan := imported(t, a, f)
	require.Empty(t, plan.Translations)
	require.Empty(t, plan.Skipped)
	for i := range f.Entries {
		f.Entries[i].Value += " (\"neuf\")\nencore"
	}
	content, plan := imported(t, a, f)
	require.Len(t, plan.Translations, len(f.Entries))
	require.Equal(t, f.Entries, translation.NewCatalog(content, "fr", nil).Entries)
}

func TestPlan(t *testing.T) {
	t.Parallel()
	a := sample(t)
	f := translation.NewCatalog(a, "fr", nil)
	first := f.Entries[0]
	f.Entries = []translation.Entry{
		{Context: first.Context, ID: first.ID, Value: "Un", Fuzzy: true},
		{Context: f.Entries[1].Context, ID: "other", Value: "Deux"},
		{Context: f.Entries[2].Context, ID: f.Entries[2].ID},
		{Context: "element/gone/title", ID: "x", Value: "y"},
		{Context: first.Context, ID: first.ID, Value: "Trois"},
	}
	plan, err := f.Plan(a)
	require.NoError(t, err)
	require.Empty(t, plan.Translations)
	var reasons []string
	for _, s := range plan.Skipped {
		reasons = append(reasons, s.Reason)
	}
	assert.Equal(t, []string{"the translation is marked as fuzzy", "the original has changed since", "the version has no such text", "the text is in the file already"}, reasons)
	for language, want := range map[string]string{"": "does not name the language", "da": `no locale "da"`, "en": "en is the language that is translated from"} {
		_, err := (&translation.Catalog{Language: language}).Plan(a)
		require.ErrorContains(t, err, want)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	f, err := translation.ParseCatalog([]byte("\ufeff# Translator\nmsgid \"\"\nmsgstr \"\"\n\"Language: fr\\n\"\n\n#. Keep {{a}}.\n#, fuzzy, c-format\nmsgctxt \"element/a/title\"\nmsgid \"\"\n\"One\\n\"\n\"two\"\nmsgstr \"Un\\tdeux \\\"x\\\"\"\r\n\n#~ msgid \"old\"\n#~ msgstr \"vieux\"\n"))
	require.NoError(t, err)
	assert.Equal(t, &translation.Catalog{Language: "fr", Entries: []translation.Entry{{Context: "element/a/title", ID: "One\ntwo", Value: "Un\tdeux \"x\"", Fuzzy: true, Comment: "Keep {{a}}.", Line: 8}}}, f)
	for text, want := range map[string]string{
		"\"x\"\n":                           "line 1: a string must follow",
		"msgid \"a\"\nmsgid_plural \"b\"\n": "line 2: unknown keyword",
		"msgid \"a\"\n\nmsgctxt \"b\"\n":    "line 3: the entry before it has no msgstr",
		"msgid \"a\"\n":                     "line 1: the entry before it has no msgstr",
		"msgid \"a\nmsgstr \"b\"\n":         "line 1: ",
		"msgid \"a\"b\"\nmsgstr \"b\"\n":    `line 1: a quote in a string must be written as \"`,
		"msgid \"\\q\"\nmsgstr \"b\"\n":     "line 1: invalid escape",
		"msgstr \"b\"\n":                    "line 1: msgstr must follow msgid",
		"\xff":                              "not UTF-8",
	} {
		_, err := translation.ParseCatalog([]byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

// FuzzText shows that any text survives, and that any file can be read or is refused.
func FuzzText(f *testing.F) {
	f.Add("a\nb\t\"\\\x01", []byte("msgid \"a\"\nmsgstr \"b\"\n"))
	f.Fuzz(func(t *testing.T, text string, file []byte) {
		_, _ = translation.ParseCatalog(file)
		text = strings.ToValidUTF8(text, "?")
		want := []translation.Entry{{Context: "c" + text, ID: text, Value: text}}
		read, err := translation.ParseCatalog((&translation.Catalog{Language: "fr", Entries: want}).Text())
		require.NoError(t, err)
		require.Len(t, read.Entries, 1)
		read.Entries[0].Line = 0
		require.Equal(t, want, read.Entries)
	})
}

// TestPrevious marks translations that are older than their originals, with what was
// translated, and reads that again.
func TestPrevious(t *testing.T) {
	a := sample(t)
	plain := translation.NewCatalog(a, "fr", nil)
	i := slices.IndexFunc(plain.Entries, func(e translation.Entry) bool { return e.Context != "" && e.Value != "" })
	require.GreaterOrEqual(t, i, 0)
	at := plain.Entries[i].Context
	for _, was := range []string{"Before", "Two\nlines", "A \"quote\"\n"} {
		f := translation.NewCatalog(a, "fr", map[string]string{at: was, "element/nobody/title": "nothing"})
		require.True(t, f.Entries[i].Fuzzy)
		require.Equal(t, was, f.Entries[i].Previous)
		again, err := translation.ParseCatalog(f.Text())
		require.NoError(t, err)
		for k := range again.Entries {
			again.Entries[k].Line = 0
		}
		require.Equal(t, f.Entries, again.Entries)
	}
	read, err := translation.ParseCatalog([]byte("#| msgctxt \"x\"\n#| msgid \"\"\n#| \"a\"\n#| \"b\"\n#, fuzzy, c-format\nmsgctxt \"y\"\nmsgid \"c\"\nmsgstr \"d\"\n"))
	require.NoError(t, err)
	require.Equal(t, []translation.Entry{{Context: "y", ID: "c", Value: "d", Fuzzy: true, Previous: "ab", Line: 6}}, read.Entries)
	_, err = translation.ParseCatalog([]byte("#| msgid no quotes\nmsgid \"c\"\nmsgstr \"d\"\n"))
	require.ErrorContains(t, err, "line 1")
}

// TestHeader has the fields that msgfmt expects, and the same text for the same content.
func TestHeader(t *testing.T) {
	t.Parallel()
	a := sample(t)
	for locale, want := range map[string]string{
		"fr":    "Language: fr\\n\"\n\"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Content-Transfer-Encoding: 8bit\\n\"\n\n",
		"pt-BR": "Language: pt_BR",
	} {
		f := translation.NewCatalog(a, locale, nil)
		f.Version, f.Date = "sensor@2026-11-15-stable", "2026-11-20"
		text := string(f.Text())
		require.Contains(t, text, want)
		require.Contains(t, text, `"PO-Revision-Date: 2026-11-20 00:00+0000\n"`)
		require.Contains(t, text, `"Project-Id-Version: sensor@2026-11-15-stable\n"`)
		require.Equal(t, text, string(f.Text()))
	}
	template := translation.NewCatalog(a, "", nil)
	require.Len(t, template.Entries, len(translation.NewCatalog(a, "fr", nil).Entries))
	require.False(t, slices.ContainsFunc(template.Entries, func(e translation.Entry) bool { return e.Value != "" }))
	require.True(t, strings.HasPrefix(string(template.Text()), "#, fuzzy\nmsgid \"\"\n"), "the header of a template is not one of a language")
	require.Contains(t, string(template.Text()), `"Language: \n"`)
}

// TestComments tells translators what a text is, what to keep and what authors are told.
func TestComments(t *testing.T) {
	t.Parallel()
	a := sample(t)
	a.Elements[0].AuthoringGuidance = taxonomy.Localized{{Locale: a.Locales[0], Value: "Be\n\u202eexact.\r"}}
	a.Elements[0].Description = taxonomy.Localized{{Locale: a.Locales[0], Value: "Ask {{name}} or {{name}}."}}
	f := translation.NewCatalog(a, "fr", nil)
	comment := func(context string) string {
		i := slices.IndexFunc(f.Entries, func(e translation.Entry) bool { return e.Context == context })
		require.GreaterOrEqual(t, i, 0, context)
		return f.Entries[i].Comment
	}
	description := comment("element/" + a.Elements[0].ID + "/description")
	require.Contains(t, description, "Keep {{name}}.\nGuidance for authors: Be \ufffdexact.")
	require.Contains(t, comment("element/"+a.Elements[0].ID+"/title"), "Shown beside icons")
	require.Contains(t, comment("category/device/context/values/always_on/label"), `Label of a context value, in the category "Device".`)
	for _, e := range f.Entries {
		require.NotEmpty(t, e.Comment, e.Context)
	}
}

// TestLineBreaks gives translations the line breaks of the original at both ends, without
// which gettext refuses a file. They alone are not a change.
func TestLineBreaks(t *testing.T) {
	t.Parallel()
	a := sample(t)
	for original, want := range map[string]string{"One\n": "Un\n", "\nOne": "\nUn", "One": "Un"} {
		for _, was := range []string{"Un", "Un\n", "\nUn"} {
			a.Elements[0].Title = taxonomy.Localized{{Locale: "en", Value: original}, {Locale: "fr", Value: was}}
			f := translation.NewCatalog(a, "fr", nil)
			i := slices.IndexFunc(f.Entries, func(e translation.Entry) bool { return e.Context == "element/"+a.Elements[0].ID+"/title" })
			require.Equal(t, want, f.Entries[i].Value)
			plan, err := f.Plan(a)
			require.NoError(t, err)
			require.Empty(t, plan.Translations)
		}
	}
}
