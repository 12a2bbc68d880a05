// Package wordtabletest compares a table of words with the program that uses it.
package wordtabletest

import (
	"bytes"
	"encoding/csv"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Check reports keys that some packages use and the words.csv in the working directory does
// not have, and the other way round. Directories are patterns; by default the package is the one in
// the working directory. Go files and templates name a key in a call of Word, WordHTML, Count or
// Below as a string, alone or as the beginning of a longer one.
func Check(t *testing.T, directories ...string) {
	t.Helper()
	table, err := os.ReadFile("words.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	used := make(map[string]bool)
	if directories == nil {
		directories = []string{"."}
	}
	var list []use
	for _, dir := range directories {
		list = append(append(list, inGo(t, dir)...), inTemplates(t, dir)...)
	}
	for _, u := range list {
		known := false
		for _, row := range rows[1:] {
			if u.keys.MatchString(row[0]) {
				used[row[0]], known = true, true
			}
		}
		if !known {
			t.Errorf("%s: words.csv has no %s", u.place, u.keys)
		}
	}
	for _, row := range rows[1:] {
		if !used[row[0]] {
			t.Errorf("words.csv: nothing uses %s", row[0])
		}
	}
}

// use is a place in the program that uses the words of some keys.
type use struct {
	place string
	keys  *regexp.Regexp
}

// newUse describes a call of a method with a pattern of keys.
func newUse(place, method, pattern string) use {
	switch method {
	case "Count":
		pattern = "(" + pattern + `\.(one|two|few|many|other)|thousands)`
	case "Below":
		pattern += `\..+`
	}
	return use{place, regexp.MustCompile("^" + pattern + "$")}
}

func inGo(t *testing.T, dir string) (list []use) {
	t.Helper()
	files := token.NewFileSet()
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			switch method.Sel.Name {
			case "Word", "WordHTML", "Count", "Below":
				if of, ok := method.X.(*ast.Ident); !ok || of.Name != "strings" {
					list = append(list, newUse(files.Position(n.Pos()).String(), method.Sel.Name, pattern(call.Args[0])))
				}
			}
			return true
		})
	}
	return list
}

// pattern returns what the value of an expression matches.
func pattern(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return pattern(e.X) + pattern(e.Y)
	case *ast.BasicLit:
		s, _ := strconv.Unquote(e.Value) // of a parsed file
		return regexp.QuoteMeta(s)
	}
	return ".+"
}

var inTemplate = regexp.MustCompile(`\.(Word|WordHTML|Count|Below) (\(print )?"([^"]+)"`)

func inTemplates(t *testing.T, dir string) (list []use) {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(dir, "*.html"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range inTemplate.FindAllStringSubmatch(string(text), -1) {
			keys := regexp.QuoteMeta(m[3])
			if m[2] != "" {
				keys += ".+"
			}
			list = append(list, newUse(name, m[1], keys))
		}
	}
	return list
}
