package source_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/internal/sourcetest"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// TestYAMLErrors checks that the line is that of the mistake, and that the
// message says where the value starts if that is elsewhere.
func TestYAMLErrors(t *testing.T) {
	const mapping, comma, end = "mapping values are not allowed in this context", "did not find expected ',' or '}'", "found unexpected end of stream"
	filler := strings.Repeat("  x: y\n", 500)
	for name, c := range map[string]struct {
		text, message string
		line, col     int
	}{
		"first line":                  {"id: a: b\n", mapping, 1, 1},
		"far below":                   {"a:\n" + filler + "   z: y\n", mapping, 502, 4},
		"quote to the end":            {"a: \"b\n" + filler, end, 1, 1},
		"quote to the end, far below": {"a:\n" + filler + "b: 'c\nd: e\n", end, 502, 1},
		"quote to the next one":       {"a: \"b\nc:\n  d: \"e\"\n", "did not find expected key, in the value that starts near line 1", 3, 3},
		"brace":                       {"a:\n" + filler + "b: {c: d\ne: f\n", comma, 502, 1},
		"comma":                       {"{\n  a: {b: c},\n  d: [e]\n  f: g,\n  h: i\n}\n", comma + ", in the value that starts near line 1", 3, 3},
		"comma, far below":            {"{\n" + strings.Repeat("  a: [b],\n", 500) + "  c: [d]\n  e: f\n}\n", comma + ", in the value that starts near line 1", 502, 3},
		"escape":                      {"a: \"b\n  c\n  \\d\"\n", `found unknown escape character, in the value that starts near line 2`, 3, 3},
		"control character":           {"a: b\nc: \x01\nd: e\n", "control characters are not allowed", 2, 1},
		"anchor":                      {"a:\n" + filler + "b: *c\n", "unknown anchor 'c' referenced", 502, 1},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := source.Compile(sourcetest.With(sourcetest.Base(t), map[string]string{dir + "elements/more.yaml": c.text}), version, nil)
			require.NoError(t, err)
			require.Len(t, got.Issues, 1)
			assert.Equal(t, fmt.Sprintf("Invalid YAML: %s.", c.message), got.Issues[0].Message)
			assert.Equal(t, issue.Position{File: dir + "elements/more.yaml", Line: c.line, Column: c.col}, got.Issues[0].Position)
		})
	}
}

// TestUnquoted checks the errors for texts in braces and brackets that need quotes.
func TestUnquoted(t *testing.T) {
	const question, comment = "a ? ends it", "# begins a comment, which hides the rest of the line"
	for name, c := range map[string]struct {
		text, because, value string
		line, col            int
	}{
		"question":           {"prompt: {en: What is it?, fr: Quoi?}\n", question, "What is it?", 1, 14},
		"after a quoted one": {"prompt: {en: \"What, is it?\", fr: \"C’est\", de: Was ist das?}\n", question, "Was ist das?", 1, 47},
		"accents before":     {"prompt: {en: Égalité, fr: Où ?}\n", question, "Où ?", 1, 27},
		"address":            {"a: [https://example.org/?q=1]\n", question, "https://example.org/?q=1", 1, 5},
		"colour":             {"id: a\nvalues:\n  - {id: on, color: #ff0000}\n  - {id: off}\n", comment, "#ff0000", 3, 21},
		"colour, then a key": {"a: {b: #00ff00, c: d}\n", comment, "#00ff00", 1, 8},
		"inside":             {"a: {en: The #1 camera, fr: b}\nx: y\n", comment, "The #1 camera", 1, 9},
		"a comma":            {"a: {en: Who, what & why?, fr: b}\n", question, "Who, what & why?", 1, 9},
		"a comma after":      {"a: {en: Why, then? I ask, you answer, fr: b}\n", question, "Why, then? I ask, you answer", 1, 9},
		"a comma, in a list": {"a: [b, {c: Is it, or not?}]\n", question, "Is it, or not?", 1, 12},
		"list":               {"a: [b, #c]\n", comment, "#c", 1, 8},
		"several lines":      {"a: {b: c, # a comment?\n  d: e?\n}\n", question, "e?", 2, 6},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := source.Compile(sourcetest.With(sourcetest.Base(t), map[string]string{dir + "elements/more.yaml": c.text}), version, nil)
			require.NoError(t, err)
			require.Len(t, got.Issues, 1)
			assert.Equal(t, "Invalid YAML: a text without quotes inside { } or [ ]: "+c.because+".", got.Issues[0].Message)
			assert.Equal(t, fmt.Sprintf("put the text in quotes: %q", c.value), got.Issues[0].FixHint)
			assert.Equal(t, issue.Position{File: dir + "elements/more.yaml", Line: c.line, Column: c.col}, got.Issues[0].Position)
		})
	}
}

// TestUnquotedBraces checks the error for a text that begins with a placeholder and has no quotes.
func TestUnquotedBraces(t *testing.T) {
	for name, c := range map[string]struct {
		text, value string
		line, col   int
	}{
		"on a line":          {"id: a\ntitle:\n  en: {{time}} is kept\n", "{{time}} is kept", 3, 7},
		"a placeholder":      {"id: a\ntitle:\n  en: {{time}}\n", "{{time}}", 3, 7},
		"in braces":          {"id: a\ntitle: {en: {{time}} is kept, or not, fr: B}\n", "{{time}} is kept, or not", 2, 13},
		"two, in braces":     {"title: {fr: \"B\", en: {{time}} by {{who}}}\n", "{{time}} by {{who}}", 1, 22},
		"alone in braces":    {"title: {en: {{time}}}\n", "{{time}}", 1, 13},
		"of an item":         {"examples:\n  - en: {{time}} ago\n", "{{time}} ago", 2, 9},
		"without a language": {"title: {{time}} ago\nid: a\n", "{{time}} ago", 1, 8},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := source.Compile(sourcetest.With(sourcetest.Base(t), map[string]string{dir + "elements/more.yaml": c.text}), version, nil)
			require.NoError(t, err)
			require.Len(t, got.Issues, 1)
			assert.Equal(t, "Invalid YAML: a text without quotes that begins with {{, which YAML reads as the start of an object.", got.Issues[0].Message)
			assert.Equal(t, fmt.Sprintf("put the text in quotes: %q", c.value), got.Issues[0].FixHint)
			assert.Equal(t, issue.Position{File: dir + "elements/more.yaml", Line: c.line, Column: c.col}, got.Issues[0].Position)
		})
	}
	// In a block it is a text.
	got, err := source.Compile(sourcetest.With(sourcetest.Base(t), map[string]string{dir + "elements/more.yaml": "id: a\nnote: |\n  {{time}} is kept\ntitle: {en: What?, fr: B}\n"}), version, nil)
	require.NoError(t, err)
	require.Contains(t, got.Issues[0].Message, "a ? ends it")
}

// TestCutText checks the errors for a text in braces that a comma, or a colon without a space,
// makes a locale of.
func TestCutText(t *testing.T) {
	for text, want := range map[string][2]string{
		"{en: Cameras, sensors}":           {`title ends at the comma before "sensors", because it has no quotes`, `put the text in quotes: en: "Cameras, sensors"`},
		"{en: Cameras, sensors, and more}": {`title ends at the comma before "sensors", because it has no quotes`, `put the text in quotes: en: "Cameras, sensors, and more"`},
		"{en:Cameras}":                     {"title has no text for en", `write a colon and a space after the locale: en: "Cameras"`},
		"{en Cameras}":                     {"title has no text for en", `write a colon and a space after the locale: en: "Cameras"`},
		"{en: Cameras, ja}":                {"title has the locale ja, which the schema version does not list", "write en or fr, or add ja to locales in the schema file"},
	} {
		t.Run(text, func(t *testing.T) {
			element := "id: more\ncategory_id: purpose\nsymbol_id: dot\ntitle: " + text + "\ndescription: {en: D, fr: D}\n"
			got, err := source.Compile(sourcetest.With(sourcetest.Base(t), map[string]string{dir + "elements/more.yaml": element}), version, nil)
			require.NoError(t, err)
			var wrong issue.Issues
			for _, i := range got.Issues {
				if i.Severity == issue.SeverityError && i.Position.Line == 4 {
					wrong = append(wrong, i)
				}
			}
			require.Len(t, wrong, 1)
			assert.Equal(t, "Element more: "+want[0]+".", wrong[0].Message)
			assert.Equal(t, want[1], wrong[0].FixHint)
		})
	}
}
