// Package sourcetest provides authoring source for tests.
package sourcetest

import (
	"bytes"
	_ "embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/datachain-go/datachain/taxonomy"
)

// Dir is the directory of the version that the trees have, with a slash.
const Dir = "ai/2026-09-01-stable/"

// Version returns that version.
func Version() taxonomy.Version { return taxonomy.MustVersion("ai@2026-09-01-stable") }

//go:embed base.txtar
var base string

// Base returns a small tree, which has no issues.
func Base(t testing.TB) fstest.MapFS {
	t.Helper()
	tree := fstest.MapFS{}
	parseArchive(base).Over(t, tree)
	return tree
}

// BaseArchive returns the files of [Base].
func BaseArchive() *Archive { return parseArchive(base) }

// With returns the tree with files replaced.
func With(tree fstest.MapFS, files map[string]string) fstest.MapFS {
	changed := maps.Clone(tree)
	for name, data := range files {
		changed[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return changed
}

// Archive is a text file that contains other files: a comment, then each file
// after a line "-- name --".
type Archive struct {
	Comment string
	Files   []Named
}

// Named is a file of an archive.
type Named struct{ Name, Data string }

// ReadArchive reads the archive in a file.
func ReadArchive(t testing.TB, name string) *Archive {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return parseArchive(string(text))
}

func parseArchive(text string) *Archive {
	a := new(Archive)
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok && strings.HasSuffix(title, " --") {
			a.Files = append(a.Files, Named{Name: strings.TrimSuffix(title, " --")})
		} else if n := len(a.Files); n > 0 {
			a.Files[n-1].Data += line
		} else {
			a.Comment += line
		}
	}
	return a
}

// Write writes the archive to a file.
func (a *Archive) Write(t testing.TB, name string) {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(a.Comment)
	for _, f := range a.Files {
		fmt.Fprintf(&b, "-- %s --\n%s", f.Name, f.Data)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Take removes a file from the archive and returns its content.
func (a *Archive) Take(name string) string {
	for i, f := range a.Files {
		if f.Name == name {
			a.Files = append(a.Files[:i:i], a.Files[i+1:]...)
			return f.Data
		}
	}
	return ""
}

// Over writes the files of the archive over a tree. What follows the name of a
// file is an instruction:
//
//	x.yaml removed       the tree does not have the file
//	x.yaml -> y.yaml     the file is a symbolic link
//	x.yaml repeat 1000   the text a thousand times, with a number for each N
func (a *Archive) Over(t testing.TB, tree fstest.MapFS) {
	t.Helper()
	for _, f := range a.Files {
		name, target, isLink := strings.Cut(f.Name, " -> ")
		removed, isRemoved := strings.CutSuffix(f.Name, " removed")
		many, times, isRepeated := strings.Cut(f.Name, " repeat ")
		switch {
		case isLink:
			tree[name] = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte(target)}
		case isRemoved:
			if tree[removed] == nil {
				t.Fatalf("there is no file %s to remove", removed)
			}
			delete(tree, removed)
		case isRepeated:
			n, err := strconv.Atoi(times)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			for i := range n {
				b.WriteString(strings.ReplaceAll(f.Data, ".N", "."+strconv.Itoa(i)))
			}
			tree[many] = &fstest.MapFile{Data: b.Bytes()}
		default:
			tree[f.Name] = &fstest.MapFile{Data: []byte(f.Data)}
		}
	}
}

// Symbol is the drawing of a symbol.
const Symbol = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M9 18h18" stroke="currentColor"/></svg>`

// Big returns a valid tree of n elements in three locales: lists of 500
// elements, ten categories with contexts and variables, fifty symbols.
func Big(n int) fstest.MapFS {
	const perFile, categories, symbols = 500, 10, 50
	tree := fstest.MapFS{}
	add := func(name, format string, args ...any) {
		tree[Dir+name] = &fstest.MapFile{Data: fmt.Appendf(nil, format, args...)}
	}
	three := func(s string) string {
		return fmt.Sprintf("{en: %s, fr: %s en français, es: %s en español}", s, s, s)
	}
	var ids []string
	for i := range categories {
		ids = append(ids, fmt.Sprintf("cat%d", i))
		add("categories/"+ids[i]+".yaml", `id: %s
name: %s
description: %s
shape: circle
variables:
  - {id: retention, label: %s, required: true}
  - {id: kind, label: %s, type: select, options: [{id: a, label: %s}, {id: b, label: %s}]}
context:
  values:
    - {id: personal, label: %s, color: "#1F6FEB"}
    - {id: anonymous, label: %s}
`, ids[i], three("Name"), three("What it is"), three("Kept for"), three("Kind"), three("A"), three("B"), three("P"), three("N"))
	}
	for i := range symbols {
		add(fmt.Sprintf("symbols/symbol%d.svg", i), "%s", Symbol)
	}
	add("schema.yaml", "locales: [en, fr, es]\ntitle: %s\ndescription: %s\ndatachain_type: {id: ai, name: %s, categories: [%s]}\n",
		three("Title"), three("Description"), three("AI"), strings.Join(ids, ", "))
	for start := 0; start < n; start += perFile {
		var b strings.Builder
		for i := start; i < min(start+perFile, n); i++ {
			fmt.Fprintf(&b, `- id: %s.element-%d
  category_id: %s
  symbol_id: symbol%d
  title:
    en: The title of element %d
    fr: Le titre de l’élément %d
    es: El título del elemento %d
  description:
    en: "One or two sentences for the people who are affected, which tell that data are kept for {{retention}}."
    fr: "Une ou deux phrases pour les personnes concernées, qui disent que les données sont conservées {{retention}}."
    es: "Una o dos frases para las personas afectadas, que dicen que los datos se guardan {{retention}}."
  keywords: {en: "word, other", fr: "mot, autre", es: "palabra, otra"}
`, ids[i%categories], i, ids[i%categories], i%symbols, i, i, i)
		}
		add(fmt.Sprintf("elements/%05d.yaml", start/perFile), "%s", b.String())
	}
	return tree
}
