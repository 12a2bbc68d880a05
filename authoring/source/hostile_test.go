package source_test

import (
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/internal/sourcetest"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/growthtest"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// hostile returns texts that are known to be hard on YAML parsers. Those that a
// parser reads to the end are smaller, to save time.
func hostile() map[string]string {
	const full, part = 32 << 10, 4 << 10
	texts := map[string]string{}
	for _, s := range []string{
		"[", "{", "- ", "? ", "&a ", "*a", "*a ", "!!", "!!a ", `"`, "'", "!<a> ", "|\n", ": ", "a: ", ":\n", "...\n", "---\n", "%a\n", "%YAML 1.1\n",
		"@", "`", "\t", "[\n", "{a: ", "{{", "- - ", "\x00", "\uFFFE", "[[]", "{}{}",
	} {
		texts[s] = strings.Repeat(s, full/len(s))
	}
	for _, s := range []string{
		"- a\n", "#\n", "- a #\n", "#\n- a\n", "\n", "- |\n", "?\n", " ", "x", "\r\n", "a\n", "- a\n#\n\n", "- - - -\n", "? a\n", "\u2028", "\u0085", "- &a a\n", "- ''\n",
	} {
		texts[s] = strings.Repeat(s, part/len(s))
	}
	for _, s := range []string{"a,", "[],", "{},", "?,", ",", ":,", "a: b,", "a, #\n", `"a":"b",`, "{a: b},", "&a a,", `"\u0041",`} {
		texts["["+s+"]"] = "[" + strings.Repeat(s, part/len(s)) + "]"
		texts["{"+s+"}"] = "{" + strings.Repeat(s, part/len(s)) + "}"
	}
	texts["block"], texts["block list"] = nested("a:\n", 300), nested("-\n", 300)
	texts["flow"] = strings.Repeat("[", 9999) + strings.Repeat("]", 9999)
	texts["flow map"] = strings.Repeat("{a: ", 5000) + strings.Repeat("}", 5000)
	texts["json"] = strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)
	texts["tags"] = "%YAML 1.1\n" + numbered("%%TAG !%d! x\n", part) + "---\n[]\n"
	texts["keys"], texts["anchors"] = numbered("%d:\n", part), numbered("- &%d a\n", part)
	texts["alias bytes"] = "- &a " + strings.Repeat("x", 20_000) + "\n" + strings.Repeat("- *a\n", 2000)
	texts["alias loop"] = "&a [*a, *a]\n"
	texts["braces"] = "id: x\ntitle: {en: \"" + strings.Repeat("{", full/2) + "\"}\n"
	texts["placeholders"] = "category_id: data\ntitle: {en: \"" + numbered("{{%d}}", part) + "\"}\n"
	texts["locales"] = "title:\n" + numbered("  - {locale: l%d, value: x}\n", part)
	return texts
}

func nested(s string, depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + s)
	}
	return b.String()
}

func numbered(format string, size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestHostile reads hostile texts as every kind of file. There is always a
// result, positions are within the file, and memory is proportional to size. In short
// mode, the texts are cut off.
func TestHostile(t *testing.T) {
	base := sourcetest.Base(t)
	for name, text := range hostile() {
		t.Run(name, func(t *testing.T) {
			if testing.Short() {
				text = text[:min(len(text), 4<<10)]
			}
			for _, files := range [][]string{{"schema.yaml"}, {"categories/data.yaml", "elements/face.yaml", "elements/more.json", "symbols/disk.svg"}} {
				changes := map[string]string{}
				for _, file := range files {
					changes[dir+file] = text
				}
				tree := sourcetest.With(base, changes)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				compiled, err := source.CompileAll(tree, nil)
				runtime.ReadMemStats(&after)
				require.NoError(t, err)
				checkIssues(t, tree, compiled)
				size := len(files) * len(text)
				assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4<<20+500*size), "bytes allocated for texts of %d bytes", size)
			}
		})
	}
}

// TestHostileReferences has thousands of ids that refer to nothing. The number
// of guesses and of issues is limited. In short mode there are fewer.
func TestHostileReferences(t *testing.T) {
	tree := sourcetest.Big(500)
	ids := 100_000
	if testing.Short() {
		ids = 10_000
	}
	unknown := strings.TrimSuffix(numbered("x%d,", ids), ",")
	tree[dir+"schema.yaml"].Data = []byte("locales: [en, fr, es]\ndatachain_type: {id: ai, categories: [" + unknown + "], subchains: [{id: s, categories: [" + unknown + "]}]}\n")
	tree[dir+"categories/cat0.yaml"].Data = []byte("id: cat0\nvariables: [{id: v, type: select, options: [{id: o, applies_to: [" + unknown + "]}]}]\n")
	c, err := source.Compile(tree, version, nil)
	require.NoError(t, err)
	assert.Len(t, c.Issues, 1001)
	assert.EqualValues(t, codes.TooManyFindings, c.Issues[1000].Code)
	assert.Equal(t, issue.SeverityError, c.Issues[1000].Severity)
}

// TestHostileGrowth has a source of 700 KB whose release would have 10 MB,
// because each element inherits what its category declares.
func TestHostileGrowth(t *testing.T) {
	tree := sourcetest.Big(500)
	tree[dir+"categories/cat0.yaml"].Data = []byte("id: cat0\nname: {en: N, fr: N, es: N}\ndescription: {en: N, fr: N, es: N}\nshape: circle\nvariables:\n  - {id: v, label: {en: \"" +
		strings.Repeat("x", 200_000) + "\", fr: N, es: N}}\n  - {id: retention, label: {en: N, fr: N, es: N}}\n")
	c, err := source.Compile(tree, version, &source.Options{MaxTotalSize: 4 << 20})
	require.NoError(t, err)
	require.Len(t, c.Issues, 1)
	assert.EqualValues(t, codes.SourceTooLarge, c.Issues[0].Code)
	assert.Contains(t, c.Issues[0].Message, "50 elements of category cat0")

	// Each category is within the limit, but not all of them together.
	tree = sourcetest.Big(500)
	for i := range 3 {
		tree[fmt.Sprintf("%scategories/cat%d.yaml", dir, i)].Data = fmt.Appendf(nil, "id: cat%d\nname: {en: N, fr: N, es: N}\ndescription: {en: N, fr: N, es: N}\nshape: circle\nvariables:\n  - {id: v, label: {en: %s, fr: N, es: N}}\n  - {id: retention, label: {en: N, fr: N, es: N}}\n",
			i, strings.Repeat("x", 30_000))
	}
	c, err = source.Compile(tree, version, &source.Options{MaxTotalSize: 4 << 20})
	require.NoError(t, err)
	require.Len(t, c.Issues, 1)
	assert.Contains(t, c.Issues[0].Message, "50 elements of category cat2")
}

func TestEncodings(t *testing.T) {
	base := sourcetest.Base(t)
	yaml := string(base[dir+"elements/face.yaml"].Data)
	utf16 := func(s string, bom bool) string {
		var b strings.Builder
		if bom {
			b.WriteString("\xff\xfe")
		}
		for i := range len(s) {
			b.WriteString(s[i:i+1] + "\x00")
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		text      string
		line, col int
	}{
		"UTF-16":                {utf16("id: a\n", true), 1, 1},
		"UTF-16 without mark":   {utf16("id: a\n", false), 1, 1},
		"Latin-1":               {strings.Replace(yaml, "biométrie", "biom\xe9trie", 1), 6, 35},
		"cut off in the middle": {"id: \xc3", 1, 5},
		"surrogate":             {"id: é\xed\xa0\x80", 1, 6},
	} {
		t.Run(name, func(t *testing.T) {
			for _, ext := range []string{".yaml", ".json"} {
				got, err := source.Compile(sourcetest.With(base, map[string]string{dir + "elements/more" + ext: c.text}), version, nil)
				require.NoError(t, err)
				require.Len(t, got.Issues, 1)
				assert.EqualValues(t, codes.SourceSyntax, got.Issues[0].Code)
				if ext == ".yaml" || !strings.Contains(c.text, "\x00") {
					assert.Equal(t, issue.Position{File: dir + "elements/more" + ext, Line: c.line, Column: c.col}, got.Issues[0].Position)
				}
			}
		})
	}
}

// TestPositions checks that columns count characters, not bytes, and that lines
// are those of editors.
func TestPositions(t *testing.T) {
	for name, c := range map[string]struct {
		ext, text string
		line, col int
	}{
		"yaml":            {".yaml", "# é\n{title: {en: 日本語, fr: 🙂}, colour: 1}\n", 2, 27},
		"yaml after CRLF": {".yaml", "# é\r\n\r\n{title: {en: 日本語, fr: 🙂}, colour: 1}\r\n", 3, 27},
		"yaml with mark":  {".yaml", "\uFEFF{title: {en: 日本語, fr: 🙂}, colour: 1}\n", 1, 27},
		"yaml block":      {".yaml", "title:\n  en: é\ncolour: 1\n", 3, 1},
		"json":            {".json", "\n{\"title\": {\"en\": \"日本語\", \"fr\": \"🙂\"}, \"colour\": 1}\n", 2, 37},
		"json with mark":  {".json", "\uFEFF{\"title\": {\"en\": \"日本語\", \"fr\": \"🙂\"}, \"colour\": 1}\n", 1, 37},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := source.Compile(sourcetest.With(sourcetest.Base(t), map[string]string{dir + "elements/more" + c.ext: c.text}), version, nil)
			require.NoError(t, err)
			var at []issue.Position
			for _, i := range got.Issues {
				if i.Code == codes.FieldUnknown {
					at = append(at, i.Position)
				}
			}
			assert.Equal(t, []issue.Position{{File: dir + "elements/more" + c.ext, Line: c.line, Column: c.col}}, at)
		})
	}
}

// TestLimits sets the limits to exactly the size of the files, and below.
func TestLimits(t *testing.T) {
	base := sourcetest.Base(t)
	largest, total := int64(0), int64(0)
	for name, f := range base {
		total += int64(len(f.Data))
		if !strings.HasSuffix(name, ".svg") {
			largest = max(largest, int64(len(f.Data)))
		}
	}
	for _, c := range []struct {
		options source.Options
		ok      bool
	}{
		{source.Options{}, true},
		{source.Options{MaxFileSize: largest}, true},
		{source.Options{MaxFileSize: largest - 1}, false},
		{source.Options{MaxTotalSize: total}, true},
		{source.Options{MaxTotalSize: total - 1}, false},
		{source.Options{MaxFileSize: 1<<63 - 1, MaxTotalSize: 1<<63 - 1}, true},
		{source.Options{MaxFileSize: -1, MaxTotalSize: -1}, true},
	} {
		got, err := source.Compile(base, version, &c.options)
		require.NoError(t, err)
		if c.ok {
			assert.Empty(t, got.Issues)
			continue
		}
		require.Len(t, got.Issues, 1)
		assert.EqualValues(t, codes.SourceTooLarge, got.Issues[0].Code)
	}
}

// TestAliasBytes has a long text that aliases repeat, within the limit and
// beyond it.
func TestAliasBytes(t *testing.T) {
	for times, want := range map[int]int{50: 0, 60: 1} {
		text := string(sourcetest.Base(t)[dir+"elements/face.yaml"].Data) + "  - {type: law, title: T, citation: &long " + strings.Repeat("x", 20_000) + "}\n" +
			strings.Repeat("  - {type: law, title: T, citation: *long}\n", times)
		c, err := source.Compile(sourcetest.With(sourcetest.Base(t), map[string]string{dir + "elements/face.yaml": text}), version, nil)
		require.NoError(t, err)
		require.Len(t, c.Issues, want)
		if want > 0 {
			assert.EqualValues(t, codes.SourceSyntax, c.Issues[0].Code)
			assert.Contains(t, c.Issues[0].Message, "aliases")
		}
	}
}

// TestHintBudget has more mistakes than guesses are allowed. If not every name
// can be compared, there is no hint, so that none depends on chance.
func TestHintBudget(t *testing.T) {
	var category, text strings.Builder
	category.WriteString("id: data\nname: {en: N, fr: N}\ndescription: {en: D, fr: D}\nshape: circle\nvariables:\n")
	for i := range 150 {
		fmt.Fprintf(&category, "  - {id: v%03d, label: {en: L, fr: L}}\n", i)
	}
	for i := range 80 {
		fmt.Fprintf(&text, "{{v0%02dx}}", i)
	}
	files := map[string]string{
		dir + "categories/data.yaml": category.String(),
		dir + "elements/face.yaml":   "id: data.face\ntitle: {en: T, fr: T}\ndescription: {en: '" + text.String() + "', fr: D}\ncategory_id: data\nsymbol_id: disk\n",
	}
	c, err := source.Compile(sourcetest.With(sourcetest.Base(t), files), version, nil)
	require.NoError(t, err)
	guesses := 0
	for _, i := range c.Issues {
		require.EqualValues(t, codes.PlaceholderUndeclared, i.Code)
		if strings.HasPrefix(i.FixHint, "write {{v0") {
			guesses++
		}
	}
	assert.Len(t, c.Issues, 80)
	assert.Equal(t, 66, guesses, "10,000 looks at 150 names")
}

// grownFS reports sizes that are too small, as if the files had grown since.
type grownFS struct{ fstest.MapFS }

func (g grownFS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := g.MapFS.ReadDir(name)
	for i, e := range entries {
		entries[i] = grownEntry{e}
	}
	return entries, err
}

type grownEntry struct{ fs.DirEntry }

func (g grownEntry) Info() (fs.FileInfo, error) {
	info, err := g.DirEntry.Info()
	return grownInfo{info}, err
}

type grownInfo struct{ fs.FileInfo }

func (grownInfo) Size() int64 { return 1 }

func TestGrownFile(t *testing.T) {
	tree := grownFS{sourcetest.Base(t)}
	assert.Equal(t, releaseJSON(t, compile(t, tree.MapFS)), releaseJSON(t, compile(t, tree)))
	c, err := source.Compile(tree, version, &source.Options{MaxFileSize: 600})
	require.NoError(t, err)
	require.Len(t, c.Issues, 1)
	assert.EqualValues(t, codes.SourceTooLarge, c.Issues[0].Code)
}

// TestLongSuccession has a long chain of removed elements, of which the last one leads to an
// element.
func TestLongSuccession(t *testing.T) {
	tree := sourcetest.Base(t)
	const n = 3000
	list := "removed:\n"
	for i := range n {
		next := fmt.Sprintf("purpose.e%d", i+1)
		if i == n-1 {
			next = "purpose.safety"
		}
		list += fmt.Sprintf("  - {id: purpose.e%d, replaced_by: %s, since: 2026-06-01-stable}\n", i, next)
	}
	tree = sourcetest.With(tree, map[string]string{dir + "schema.yaml": string(tree[dir+"schema.yaml"].Data) + list})
	c, err := source.Compile(tree, version, nil)
	require.NoError(t, err)
	require.Empty(t, c.Issues.With(issue.SeverityError))
	require.Equal(t, "write purpose.safety", c.Issues[0].FixHint)
	require.NotNil(t, c.Release)
	next, ok := history.New(c.Release, nil).Succession("purpose.e0").Single()
	require.True(t, ok)
	require.Equal(t, "purpose.safety", next.ID)
}

// TestVariablesAreLinear compiles as many variables as a category and its elements may have.
func TestVariablesAreLinear(t *testing.T) {
	growthtest.Linear(t, 50, func(n int) func() {
		variables := func(format string) string {
			var b strings.Builder
			b.WriteString("variables:\n")
			for i := range n {
				fmt.Fprintf(&b, "    - "+format+"\n", i)
			}
			return b.String()
		}
		own := variables("{id: w%d, label: {en: Word, fr: Mot}}")
		var elements strings.Builder
		for i := range 3 {
			fmt.Fprintf(&elements, "- id: data.e%d\n  title: {en: A thing, fr: Une chose}\n  description: {en: A thing., fr: Une chose.}\n  category_id: data\n  symbol_id: disk\n  %s", i, own)
		}
		category := "id: data\nname: {en: Data, fr: Données}\ndescription: {en: Data., fr: Des données.}\nshape: hexagon\n" + variables("{id: v%d, label: {en: Value, fr: Valeur}}")
		tree := sourcetest.With(sourcetest.Base(t), map[string]string{dir + "categories/data.yaml": category, dir + "elements/face.yaml": elements.String()})
		return func() {
			c, err := source.Compile(tree, version, nil)
			require.NoError(t, err)
			require.Empty(t, c.Issues)
		}
	})
}
