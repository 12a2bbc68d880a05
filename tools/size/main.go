// Command size prints how large the project is: lines, files, packages, exported names and
// fields, imports that run upward, and functions that are used once. Run it with make size.
//
// Lines and files are those of Go without tests, bench and examples. Names and fields are
// those that programs outside the module can use: package-level names and methods of
// exported types, and fields of exported structs, outside internal and main packages.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/types"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("size: ")
	dir := flag.String("C", "..", "the root of the module")
	list := flag.String("list", "", "print what is counted: names, fields, upward, once or packages")
	flag.Parse()

	files, lines, err := count(*dir)
	if err != nil {
		log.Fatal(err)
	}
	pkgs, err := packages.Load(&packages.Config{
		Dir: *dir,
		Mode: packages.NeedName | packages.NeedImports | packages.NeedFiles | packages.NeedSyntax |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedDeps | packages.NeedModule,
	}, "./...")
	if err != nil {
		log.Fatal(err)
	}
	if packages.PrintErrors(pkgs) > 0 {
		os.Exit(1)
	}

	s := survey{uses: map[types.Object]int{}}
	for _, p := range pkgs {
		s.add(p)
	}
	counted := map[string][]string{"names": s.names, "fields": s.fields, "upward": s.upward, "once": s.once(), "packages": s.packages}
	if *list != "" {
		found, ok := counted[*list]
		if !ok {
			log.Fatalf("-list must be names, fields, upward, once or packages, not %q", *list)
		}
		slices.Sort(found)
		for _, line := range found {
			fmt.Println(line)
		}
		return
	}
	fmt.Printf("%7d lines in %d files, median %d\n", lines.total, files, lines.median)
	fmt.Printf("%7d packages\n", len(pkgs))
	fmt.Printf("%7d exported names\n", len(s.names))
	fmt.Printf("%7d exported fields\n", len(s.fields))
	fmt.Printf("%7d imports that run upward\n", len(s.upward))
	fmt.Printf("%7d functions, %d of them used once\n", s.functions, len(counted["once"]))
}

type lineCount struct{ total, median int }

// count counts the files of the module and its tools that git tracks, and their lines.
func count(dir string) (int, lineCount, error) {
	cmd := exec.Command("git", "ls-files", "-z", "*.go")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return 0, lineCount{}, fmt.Errorf("git ls-files: %w", err)
	}
	var sizes []int
	total := 0
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "bench/") || strings.HasPrefix(name, "examples/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if os.IsNotExist(err) {
			continue // deleted, not committed yet
		} else if err != nil {
			return 0, lineCount{}, err
		}
		n := bytes.Count(text, []byte("\n"))
		sizes = append(sizes, n)
		total += n
	}
	if len(sizes) == 0 {
		return 0, lineCount{}, fmt.Errorf("%s has no Go files", dir)
	}
	slices.Sort(sizes)
	return len(sizes), lineCount{total: total, median: sizes[len(sizes)/2]}, nil
}

// survey collects what is counted, package by package.
type survey struct {
	names, fields, upward, packages []string
	functions                       int
	unexported                      []*types.Func
	uses                            map[types.Object]int
}

func (s *survey) add(p *packages.Package) {
	dir := strings.TrimPrefix(strings.TrimPrefix(p.PkgPath, p.Module.Path), "/")
	s.packages = append(s.packages, dir)
	for path := range p.Imports {
		if to, ok := strings.CutPrefix(path, p.Module.Path+"/"); ok && floor(dir) >= 0 && floor(to) > floor(dir) {
			s.upward = append(s.upward, dir+" → "+to)
		}
	}
	for _, obj := range p.TypesInfo.Uses {
		if fn, ok := obj.(*types.Func); ok {
			obj = fn.Origin()
		}
		s.uses[obj]++
	}
	for _, file := range p.Syntax {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				s.functions++
				if obj, ok := p.TypesInfo.Defs[fn.Name].(*types.Func); ok && !fn.Name.IsExported() {
					s.unexported = append(s.unexported, obj)
				}
			}
		}
	}
	if public(dir) && p.Name != "main" {
		s.exported(dir, p.Types.Scope())
	}
}

func public(dir string) bool {
	for part := range strings.SplitSeq(dir, "/") {
		if part == "internal" {
			return false
		}
	}
	return !strings.HasPrefix(dir, "examples")
}

func (s *survey) exported(dir string, scope *types.Scope) {
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() {
			continue
		}
		s.names = append(s.names, dir+"."+name)
		of, ok := obj.(*types.TypeName)
		if !ok || of.IsAlias() {
			continue
		}
		if named, ok := of.Type().(*types.Named); ok {
			for m := range named.Methods() {
				if m.Exported() {
					s.names = append(s.names, dir+"."+name+"."+m.Name())
				}
			}
		}
		switch t := of.Type().Underlying().(type) {
		case *types.Struct:
			for f := range t.Fields() {
				if f.Exported() {
					s.fields = append(s.fields, dir+"."+name+"."+f.Name())
				}
			}
		case *types.Interface:
			for m := range t.ExplicitMethods() {
				if m.Exported() {
					s.names = append(s.names, dir+"."+name+"."+m.Name())
				}
			}
		}
	}
}

// once returns the unexported functions and methods that exactly one place uses.
func (s *survey) once() []string {
	var found []string
	for _, fn := range s.unexported {
		if s.uses[fn] == 1 {
			found = append(found, fn.FullName())
		}
	}
	return found
}

// floor returns the layer of a directory: imports go down, and packages of the core do not
// import one another. Internal packages belong to no layer, except those that connect
// adapters.
func floor(dir string) int {
	top, _, _ := strings.Cut(dir, "/")
	switch {
	case dir == "internal/serve":
		return 6
	case top == "internal":
		return -1
	case top == "taxonomy":
		return 0
	case slices.Contains([]string{"validate", "resolve", "icons", "search"}, top):
		return 1
	case top == "authoring" || top == "evolution":
		return 2
	case dir == "":
		return 3
	case top == "documents":
		return 4
	case top == "adapters":
		return 5
	default:
		return 7
	}
}
