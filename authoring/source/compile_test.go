package source_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/datachain-go/datachain/authoring/internal/sourcetest"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const dir = sourcetest.Dir

var version = sourcetest.Version()

// compile compiles a version without issues.
func compile(t *testing.T, fsys fs.FS) *taxonomy.Release {
	t.Helper()
	c, err := source.Compile(fsys, version, nil)
	require.NoError(t, err)
	require.Empty(t, c.Issues)
	require.NotNil(t, c.Release)
	return c.Release
}

// releaseJSON returns the whole content of a release: release.json, then the symbols.
func releaseJSON(t *testing.T, r *taxonomy.Release) string {
	t.Helper()
	var b bytes.Buffer
	_, err := r.WriteWithoutSymbols(&b)
	require.NoError(t, err)
	for _, id := range r.SymbolIDs() {
		text, _ := r.Symbol(id)
		b.WriteString("\n" + id + ": " + text)
	}
	return b.String()
}

// TestRelease compares the release of the base tree with its golden: effective
// variables, variants, the order of elements and of locales, colours in upper
// case, defaults omitted.
func TestRelease(t *testing.T) {
	got := releaseJSON(t, compile(t, sourcetest.Base(t)))
	var pretty bytes.Buffer
	release, symbols, _ := strings.Cut(got, "\n")
	require.NoError(t, json.Indent(&pretty, []byte(release), "", "  "))
	pretty.WriteString("\n" + symbols + "\n")
	goldentest.File(t, "testdata/release.golden", pretty.String())
}

// TestEffectiveVariables checks what an element inherits from its category.
func TestEffectiveVariables(t *testing.T) {
	tree := sourcetest.Base(t)
	own := string(tree[dir+"elements/face.yaml"].Data) + `variables:
  - {id: extra, label: {en: E, fr: E}}
  - {id: retention, label: {en: Own, fr: Propre}, type: select, options: [{id: o, label: {en: O, fr: O}}]}
`
	r := compile(t, sourcetest.With(tree, map[string]string{dir + "elements/face.yaml": own}))
	e, ok := r.Element("data.face")
	require.True(t, ok)
	var got []string
	for _, v := range e.Variables {
		got = append(got, v.ID+" "+string(v.Type)+" "+v.Label.Pick("en"))
	}
	assert.Equal(t, []string{"retention select Own", "kind select Kind", "extra text E"}, got)
	c, _ := r.Category("data")
	assert.Equal(t, "Kept for", c.Variables[0].Label.Pick("en"), "the category keeps its own")
	assert.Equal(t, []string{"default", "dark", "personal", "anonymous"}, e.IconVariants)
}

// TestForms compiles the same content in many forms. Each gives the same bytes.
func TestForms(t *testing.T) {
	tree := sourcetest.Base(t)
	want := releaseJSON(t, compile(t, tree))
	edit := func(name string, pairs ...string) fstest.MapFS {
		data := string(tree[dir+name].Data)
		for i := 0; i < len(pairs); i += 2 {
			require.Contains(t, data, pairs[i])
		}
		return sourcetest.With(tree, map[string]string{dir + name: strings.NewReplacer(pairs...).Replace(data)})
	}
	for name, same := range map[string]fstest.MapFS{
		"JSON":               asJSON(t, tree),
		"one element a file": split(t, tree),
		"other file names":   formerIDs(tree),
		"localized list":     edit("elements/face.yaml", "{en: Faces, fr: Visages}", "[{locale: fr, value: Visages}, {locale: en, value: Faces}]"),
		"localized block":    edit("elements/face.yaml", "{en: Faces, fr: Visages}", "\n  fr: >-\n    Visages\n  EN: |-\n    Faces"),
		"order of keys":      edit("elements/face.yaml", "{en: Faces, fr: Visages}", "{fr: Visages, en: Faces}"),
		"case of locales":    edit("elements/face.yaml", "{en: Faces, fr: Visages}", "{En: Faces, FR: Visages}"),
		"upper-case colour":  edit("categories/data.yaml", "#1f6feb", "#1F6FEB"),
		"defaults written": edit("categories/data.yaml", "shape: circle", "shape: circle\nrequired: false\ncardinality: {min: 0}\nprompt: ~\nauthoring_guidance: null",
			"    required: true\n  - id: kind", "    required: true\n    type: text\n  - id: kind\n    required: false"),
		"no context written": edit("categories/purpose.yaml", "shape: hexagon", "shape: hexagon\ncontext: {values: []}"),
		"order written":      edit("elements/purpose.yaml", "  symbol_id: shield\n- id: purpose.health", "  symbol_id: shield\n  order: 0\n- id: purpose.health"),
		"aliases":            edit("schema.yaml", "aliases: [v1]\n", ""),
		"anchors":            edit("elements/face.yaml", "symbol_id: disk", "symbol_id: &d disk", "title: GDPR", "title: GDPR"),
		"quotes":             edit("elements/face.yaml", "id: data.face", `"id": 'data.face'`),
		"comments and CRLF":  edit("elements/face.yaml", "\n", " # note\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, want, releaseJSON(t, compile(t, same)))
		})
	}
}

// asJSON rewrites the YAML of a tree as JSON.
func asJSON(t testing.TB, tree fstest.MapFS) fstest.MapFS {
	t.Helper()
	all := fstest.MapFS{}
	for name, f := range tree {
		if path.Ext(name) != ".yaml" {
			all[name] = f
			continue
		}
		var v any
		require.NoError(t, yaml.Unmarshal(f.Data, &v))
		text, err := json.Marshal(v)
		require.NoError(t, err)
		all[strings.TrimSuffix(name, ".yaml")+".json"] = &fstest.MapFile{Data: text}
	}
	return all
}

// split writes each element of the purpose list into a file of its own.
func split(t *testing.T, tree fstest.MapFS) fstest.MapFS {
	t.Helper()
	var items []any
	require.NoError(t, yaml.Unmarshal(tree[dir+"elements/purpose.yaml"].Data, &items))
	require.Len(t, items, 2)
	all := sourcetest.With(tree, nil)
	delete(all, dir+"elements/purpose.yaml")
	for i, item := range items {
		text, err := yaml.Marshal(item)
		require.NoError(t, err)
		all[dir+"elements/"+string(rune('z'-i))+".yml"] = &fstest.MapFile{Data: text}
	}
	return all
}

// renamed gives the files names that sort in reverse order.
func formerIDs(tree fstest.MapFS) fstest.MapFS {
	all := fstest.MapFS{}
	for name, f := range tree {
		switch base := path.Base(name); path.Base(path.Dir(name)) {
		case "categories", "elements":
			all[path.Dir(name)+"/"+string('z'-(base[0]-'a'))+base] = f
		default:
			all[name] = f
		}
	}
	return all
}

// shuffled lists directories in random order.
type shuffled struct{ fstest.MapFS }

func (s shuffled) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := s.MapFS.ReadDir(name)
	rand.Shuffle(len(entries), func(i, k int) { entries[i], entries[k] = entries[k], entries[i] })
	return entries, err
}

// TestDeterministic compiles valid and invalid trees several times: the bytes
// and the issues, with their hints and order, are always the same.
func TestDeterministic(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	sound := sourcetest.Big(60)
	unsound := sourcetest.With(sound, nil)
	for i := range 26 {
		unsound[dir+"elements/bad"+string(rune('A'+i))+".yaml"] = &fstest.MapFile{Data: []byte("- {id: x, tilte: {en: A}, symbol_id: simbol0, category_id: cat9}\n- {id: Purpose, symbol_id: nothing}\n")}
	}
	wantRelease := releaseJSON(t, compile(t, sound))
	var wantIssues string
	for i, procs := range []int{1, 8, 3} {
		runtime.GOMAXPROCS(procs)
		assert.Equal(t, wantRelease, releaseJSON(t, compile(t, shuffled{sound})))
		c, err := source.Compile(shuffled{unsound}, version, nil)
		require.NoError(t, err)
		var b strings.Builder
		for _, issue := range c.Issues {
			b.WriteString(issue.String() + "\n")
		}
		if i == 0 {
			wantIssues = b.String()
			assert.Greater(t, len(c.Issues), 50)
		}
		assert.Equal(t, wantIssues, b.String())
	}
}

// TestAllAtOnce lints a tree with many different mistakes. Each is reported
// once, in the order of files and lines.
func TestAllAtOnce(t *testing.T) {
	const name = "testdata/all.txtar"
	a := sourcetest.ReadArchive(t, name)
	want := a.Take("want")
	tree := sourcetest.Base(t)
	a.Over(t, tree)
	compiled, err := source.CompileAll(tree, nil)
	require.NoError(t, err)
	var b strings.Builder
	for _, i := range compiled.Issues() {
		b.WriteString(i.String() + "\n")
	}
	if goldentest.Updating() {
		a.Files = append(a.Files, sourcetest.Named{Name: "want", Data: b.String()})
		a.Write(t, name)
		want = b.String()
	}
	goldentest.Equal(t, want, b.String())
	checkIssues(t, tree, compiled)
}

// TestErrorsBeforeWarnings checks that warnings never hide an error.
func TestErrorsBeforeWarnings(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		b.WriteString("- {id: a" + strings.Repeat("x", i%50) + string(rune('a'+i/50%26)) + string(rune('a'+i/1300)) + ", title: {en: T}, description: {en: D}, category_id: purpose, symbol_id: shield}\n")
	}
	tree := sourcetest.With(sourcetest.Base(t), map[string]string{
		dir + "elements/aaa.yaml": b.String(),
		dir + "elements/zzz.yaml": "- {id: bad id, title: {en: T, fr: T}, description: {en: D, fr: D}, category_id: purpose, symbol_id: shield}\n",
	})
	c, err := source.Compile(tree, version, nil)
	require.NoError(t, err)
	assert.Len(t, c.Issues, 1001)
	assert.Len(t, c.Issues.With(issue.SeverityError), 1)
	assert.True(t, slices.ContainsFunc(c.Issues, func(i issue.Issue) bool { return i.Code == codes.IDMalformed }))
	assert.EqualValues(t, codes.TooManyFindings, c.Issues[1000].Code)
	assert.Equal(t, issue.SeverityWarning, c.Issues[1000].Severity)
}

func TestProgress(t *testing.T) {
	var calls atomic.Int64
	last := 0
	c, err := source.Compile(sourcetest.Base(t), version, &source.Options{Progress: func(done, total int) {
		calls.Add(1)
		assert.Equal(t, last+1, done)
		assert.Equal(t, 7, total)
		last = done
	}})
	require.NoError(t, err)
	require.NotNil(t, c.Release)
	assert.EqualValues(t, 7, calls.Load())
}

func TestNoSuchVersion(t *testing.T) {
	for _, v := range []string{"ai@2026-09-02-stable", "robot@2026-09-01-stable"} {
		_, err := source.Compile(sourcetest.Base(t), taxonomy.MustVersion(v), nil)
		require.ErrorIs(t, err, fs.ErrNotExist)
		require.ErrorContains(t, err, v)
		_, err = write.Draft(sourcetest.Base(t), taxonomy.MustVersion(v))
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
}

// unreadableFS fails to list or open some names.
type unreadableFS struct {
	fstest.MapFS
	names []string
}

var errDisk = errors.New("the disk is on fire")

func (u unreadableFS) Open(name string) (fs.File, error) {
	if slices.Contains(u.names, name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errDisk}
	}
	return u.MapFS.Open(name)
}

func (u unreadableFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if slices.Contains(u.names, name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errDisk}
	}
	return u.MapFS.ReadDir(name)
}

// TestUnreadable makes parts of a tree unreadable. Each is one issue, even if
// other files refer to its content.
func TestUnreadable(t *testing.T) {
	for _, name := range []string{"schema.yaml", "categories", "categories/data.yaml", "elements", "elements/face.yaml", "symbols", "symbols/disk.svg", "."} {
		t.Run(name, func(t *testing.T) {
			full := path.Join(dir, name)
			tree, err := source.CompileAll(unreadableFS{sourcetest.Base(t), []string{full}}, nil)
			require.NoError(t, err)
			issues := tree.Issues()
			require.Len(t, issues, 1, "%v", issues)
			assert.EqualValues(t, codes.SourceUnreadable, issues[0].Code)
			assert.Equal(t, full, issues[0].Position.File)
			assert.Contains(t, issues[0].Message, errDisk.Error())
			_, err = write.Draft(unreadableFS{sourcetest.Base(t), []string{full}}, version)
			require.ErrorContains(t, err, errDisk.Error(), "a draft must not lose files")
		})
	}
	t.Run("type", func(t *testing.T) {
		tree, err := source.CompileAll(unreadableFS{sourcetest.Base(t), []string{"ai"}}, nil)
		require.NoError(t, err)
		require.Len(t, tree.TreeIssues, 1)
		assert.Equal(t, "ai", tree.TreeIssues[0].Position.File)
	})
	t.Run("root", func(t *testing.T) {
		_, err := source.CompileAll(unreadableFS{sourcetest.Base(t), []string{"."}}, nil)
		require.ErrorIs(t, err, errDisk)
	})
}

func TestVersions(t *testing.T) {
	file := &fstest.MapFile{Data: []byte("x")}
	versions, issues, err := source.Versions(fstest.MapFS{
		"ai/2026-09-01-stable/x": file, "ai/2026-09-01-beta/x": file, "ai/2026-10-01-beta/x": file,
		"Zoo/2025-01-01-beta/x": file, "README.md": file, "go.mod": file, "docs/notes/x": file, ".git/2026-01-01-beta/x": file,
		"ai/.hidden/x": file, "2026/report/x": file, "plans/2026-roadmap.md": file,
	})
	require.NoError(t, err)
	assert.Empty(t, issues)
	var got []string
	for _, v := range versions {
		got = append(got, v.String())
	}
	assert.Equal(t, []string{"Zoo@2025-01-01-beta", "ai@2026-10-01-beta", "ai@2026-09-01-stable", "ai@2026-09-01-beta"}, got)
}

// TestTree checks the publications of a tree and their aliases.
func TestTree(t *testing.T) {
	tree := sourcetest.Base(t)
	for name, f := range sourcetest.Base(t) {
		tree["ai/2026-12-01-beta/"+strings.TrimPrefix(name, dir)] = f
	}
	tree["ai/2026-12-01-beta/schema.yaml"] = &fstest.MapFile{Data: bytes.ReplaceAll(tree[dir+"schema.yaml"].Data, []byte("[v1]"), []byte("[next]"))}
	tree["ai/2026-11-01-beta/schema.yaml"] = &fstest.MapFile{Data: []byte("[]")}
	all, err := source.CompileAll(tree, nil)
	require.NoError(t, err)
	assert.Empty(t, all.TreeIssues)
	assert.Len(t, all.Versions, 3)
	assert.NotEmpty(t, all.Issues())
	pubs := all.Publications()
	require.Len(t, pubs, 2, "a version with errors is not published")
	var entries []taxonomy.Entry
	for _, p := range pubs {
		entries = append(entries, p.Entry())
	}
	index, err := taxonomy.NewIndex(entries)
	require.NoError(t, err)
	assert.Equal(t, []string{"ai@latest-beta", "ai@next"}, index.Entries()[0].Aliases)
	assert.Equal(t, []string{"ai@latest", "ai@v1"}, index.Entries()[1].Aliases)
	assert.Equal(t, pubs[0].Release.ContentHash(), pubs[1].Release.ContentHash(), "the status is not content")
}

// TestAliases reads the aliases of versions that compile and that do not.
func TestAliases(t *testing.T) {
	v := taxonomy.MustVersion("ai@2026-09-01-stable")
	tree := sourcetest.Base(t)
	aliases, err := source.Aliases(tree, v, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"ai@v1"}, aliases)

	tree["ai/2026-09-01-stable/elements/face.yaml"].Data = []byte("id: [")
	schema := tree["ai/2026-09-01-stable/schema.yaml"]
	schema.Data = []byte(strings.Replace(string(schema.Data), "[v1]", "[v1, ai@v2, latest, bad!]", 1))
	aliases, err = source.Aliases(tree, v, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"ai@v1", "ai@v2"}, aliases, "lint reports the invalid ones")

	_, err = source.Aliases(tree, taxonomy.MustVersion("ai@2026-09-02-beta"), nil)
	require.ErrorIs(t, err, fs.ErrNotExist)
}
