package repotest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stable are the public packages that keep what they export. The others are experimental: their
// package comment says that they may change in a minor version. Commands and examples are no API.
var stable = []string{
	".",
	"adapters/fsstore", "adapters/httpapi", "adapters/httpstore", "adapters/laststore", "adapters/manual",
	"adapters/mcp", "adapters/mcp/slottest", "adapters/memstore", "adapters/ratelimit", "adapters/ratelimit/ratelimittest",
	"adapters/redisshare", "adapters/s3store", "adapters/s3store/s3bucket",
	"icons", "resolve", "search",
	"taxonomy", "taxonomy/document", "taxonomy/issue", "taxonomy/listing", "taxonomy/lists", "taxonomy/storetest",
	"validate", "validate/validatetest",
}

// listed is what the go command tells about a package.
type listed struct {
	ImportPath, Name, Dir, Export string
	GoFiles                       []string
	TestGoFiles, XTestGoFiles     []string
	Module                        *struct {
		Path, Version string
		Main          bool
	}
}

// folder is the path of a package of this repository below its root.
func (l *listed) folder() string {
	return path.Clean(strings.TrimPrefix(strings.TrimPrefix(l.ImportPath, module), "/"))
}

// public reports whether programs elsewhere can import the package, and are meant to.
func (l *listed) public() bool {
	return l.Module != nil && l.Module.Main && l.Name != "main" && !internal(l.ImportPath) && !within(l.folder(), []string{"examples"})
}

func internal(importPath string) bool {
	return slices.Contains(strings.Split(importPath, "/"), "internal")
}

// listPackages returns the packages of the repository, and all that they import, compiled.
func listPackages(t *testing.T) map[string]*listed {
	t.Helper()
	pattern := "./..."
	if _, err := os.Stat("go.work"); err == nil {
		pattern = "work"
	}
	cmd := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-json=ImportPath,Name,Dir,Export,GoFiles,TestGoFiles,XTestGoFiles,Module", pattern)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	found := map[string]*listed{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		l := &listed{}
		err := dec.Decode(l)
		if errors.Is(err, io.EOF) {
			return found
		}
		require.NoError(t, err)
		found[l.ImportPath] = l
	}
}

// TestPublicPackages holds each public package to what its tier promises.
func TestPublicPackages(t *testing.T) {
	t.Parallel()
	pkgs := listPackages(t)
	imp := exportImporter(pkgs)
	shown := shownInExamples(t, pkgs)
	var public []string
	for _, l := range pkgs {
		if !l.public() {
			continue
		}
		public = append(public, l.folder())
		t.Run(l.folder(), func(t *testing.T) {
			pkg, err := imp.Import(l.ImportPath)
			require.NoError(t, err)
			d := documentation(t, l)
			assert.True(t, strings.HasPrefix(d.Doc, "Package "+l.Name+" "), "the package comment says what the package provides")
			assert.NotEqual(t, slices.Contains(stable, l.folder()), strings.Contains(d.Doc, "\n# Experimental\n"),
				`a public package is in the list stable in internal/repotest/api_test.go, or has a heading "# Experimental" in its package comment`)
			assert.Empty(t, foreignTypes(l, pkg, pkgs), "types in what the package exports")
			assert.Empty(t, deadLinks(t, d, pkgs, imp), "links in the documentation that lead nowhere")
			assert.Empty(t, unclearNumbers(d), "options whose documentation does not say what a negative number means")
			assert.True(t, isShown(pkg, shown), "no Example shows the package")
			assert.Empty(t, notShown(pkg, shown), "functions that no Example shows: call them in one with an // Output: comment, best in one "+
				"that shows a whole task, in %s/example_test.go; or do not export them, if programs elsewhere do not need them", l.folder())
		})
	}
	for _, folder := range stable {
		assert.Contains(t, public, folder, "remove it from the list in internal/repotest/api_test.go")
	}
}

// unclearNumbers returns the numbers in options for which neither their comment nor that of the
// options says what a negative one means.
func unclearNumbers(d *doc.Package) []string {
	var unclear []string
	for _, t := range d.Types {
		for _, spec := range t.Decl.Specs {
			s, ok := spec.(*ast.TypeSpec).Type.(*ast.StructType)
			if !ok || !strings.HasSuffix(t.Name, "Options") || strings.Contains(strings.ToLower(t.Doc), "negative") {
				continue
			}
			for _, f := range s.Fields.List {
				number := slices.Contains([]string{"int", "int64", "time.Duration"}, types.ExprString(f.Type))
				if number && f.Names[0].IsExported() && !strings.Contains(f.Doc.Text(), "negative") {
					unclear = append(unclear, t.Name+"."+f.Names[0].Name)
				}
			}
		}
	}
	return unclear
}

// isShown reports whether an Example uses a package, unless it has only types.
func isShown(pkg *types.Package, shown map[string]bool) bool {
	functions := false
	for _, name := range pkg.Scope().Names() {
		_, isFunction := pkg.Scope().Lookup(name).(*types.Func)
		functions = functions || isFunction && ast.IsExported(name)
		if _, used := shown[pkg.Path()+"."+name]; used {
			return true
		}
	}
	return !functions
}

// notShown returns the functions of a package that a program begins with and that no Example shows:
// those named New, Open, Connect, Build, Parse or Run and so on, or after the package, and all that
// take a publish.Target.
func notShown(pkg *types.Package, shown map[string]bool) []string {
	var missing []string
	for _, name := range pkg.Scope().Names() {
		fn, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !fn.Exported() || !isEntryPoint(fn) {
			continue
		}
		runs, found := shown[pkg.Path()+"."+name]
		suite := takes(fn, "*testing.T") // only a test can run it
		if !runs && !(found && suite) {
			missing = append(missing, pkg.Name()+"."+name)
		}
	}
	return missing
}

// entryPoint matches the names of functions that a program begins with.
var entryPoint = regexp.MustCompile(`^(New|Open|Connect|Build|Parse|Run)([A-Z]|$)`)

func isEntryPoint(fn *types.Func) bool {
	return entryPoint.MatchString(fn.Name()) || strings.EqualFold(fn.Name(), fn.Pkg().Name()) || takes(fn, module+"/release/publish.Target")
}

// takes reports whether a function has a parameter of a type.
func takes(fn *types.Func, typ string) bool {
	for v := range fn.Signature().Params().Variables() {
		if v.Type().String() == typ {
			return true
		}
	}
	return false
}

// shownInExamples returns what Examples use of other packages, and whether one of them runs:
// those without output are compiled only.
func shownInExamples(t *testing.T, pkgs map[string]*listed) map[string]bool {
	t.Helper()
	shown := map[string]bool{}
	for _, l := range pkgs {
		if l.Module == nil || !l.Module.Main {
			continue
		}
		for _, name := range slices.Concat(l.TestGoFiles, l.XTestGoFiles) {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(l.Dir, name), nil, parser.ParseComments)
			require.NoError(t, err)
			imports := importNames(f, pkgs)
			for _, example := range doc.Examples(f) {
				runs := example.Output != "" || example.EmptyOutput
				ast.Inspect(example.Code, func(n ast.Node) bool {
					if sel, ok := n.(*ast.SelectorExpr); ok {
						if x, ok := sel.X.(*ast.Ident); ok && imports[x.Name] != "" {
							used := imports[x.Name] + "." + sel.Sel.Name
							shown[used] = shown[used] || runs
						}
					}
					return true
				})
			}
		}
	}
	return shown
}

// importNames returns the import paths of a file by the names of the packages in it.
func importNames(f *ast.File, pkgs map[string]*listed) map[string]string {
	names := map[string]string{}
	for _, spec := range f.Imports {
		importPath := strings.Trim(spec.Path.Value, `"`)
		switch l := pkgs[importPath]; {
		case spec.Name != nil:
			names[spec.Name.Name] = importPath
		case l != nil:
			names[l.Name] = importPath
		}
	}
	return names
}

// foreignTypes returns the types that what a package exports has and should not: everyone must
// be able to use it, and what is stable must stay.
func foreignTypes(l *listed, pkg *types.Package, pkgs map[string]*listed) []string {
	s := &surface{pkg: pkg, seen: map[types.Type]bool{}, judge: func(used *types.TypeName) string {
		return refused(l, pkgs[used.Pkg().Path()])
	}}
	for _, name := range pkg.Scope().Names() {
		if obj := pkg.Scope().Lookup(name); obj.Exported() {
			s.object(name, obj)
		}
	}
	return s.findings
}

// refused says why a signature of one package may not have a type of another.
func refused(in, used *listed) string {
	switch {
	case used == nil || used.Module == nil: // standard library
		return ""
	case internal(used.ImportPath):
		return "is internal"
	case strings.HasPrefix(used.Module.Version, "v0."):
		return "is of a module below v1"
	case used.public() && slices.Contains(stable, in.folder()) && !slices.Contains(stable, used.folder()):
		return "is experimental"
	}
	return ""
}

func exportImporter(pkgs map[string]*listed) types.Importer {
	return importer.ForCompiler(token.NewFileSet(), "gc", func(importPath string) (io.ReadCloser, error) {
		l, ok := pkgs[importPath]
		if !ok {
			return nil, fmt.Errorf("%s was not listed", importPath)
		}
		return os.Open(l.Export)
	})
}

// surface walks the types that a program can reach from the exported names of a package.
type surface struct {
	pkg      *types.Package
	seen     map[types.Type]bool
	judge    func(used *types.TypeName) string // why it may not be used, or ""
	findings []string
}

func (s *surface) object(at string, obj types.Object) {
	if name, ok := obj.(*types.TypeName); ok {
		if name.IsAlias() {
			s.typ(at, types.Unalias(name.Type()))
		} else {
			s.declared(at, name.Type())
		}
		return
	}
	s.typ(at, obj.Type())
}

// declared walks what a type of the package has: its methods, promoted ones included, and its
// exported fields.
func (s *surface) declared(at string, t types.Type) {
	if s.seen[t] {
		return
	}
	s.seen[t] = true
	if named, ok := t.(*types.Named); ok {
		for param := range named.TypeParams().TypeParams() {
			s.typ(at, param.Constraint())
		}
	}
	if !types.IsInterface(t) {
		for method := range types.NewMethodSet(types.NewPointer(t)).Methods() {
			if method.Obj().Exported() {
				s.typ(at+"."+method.Obj().Name(), method.Obj().Type())
			}
		}
	}
	s.typ(at, t.Underlying())
}

func (s *surface) typ(at string, t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		s.name(at, t.Obj())
		s.typ(at, types.Unalias(t))
	case *types.Named:
		s.name(at, t.Obj())
		for arg := range t.TypeArgs().Types() {
			s.typ(at, arg)
		}
		if t.Obj().Pkg() == s.pkg && !t.Obj().Exported() { // its exported methods can be called all the same
			s.declared(at, t.Origin())
		}
	case *types.Struct:
		for field := range t.Fields() {
			if field.Exported() {
				s.typ(at+"."+field.Name(), field.Type())
			}
		}
	case *types.Interface:
		for method := range t.Methods() {
			s.typ(at+"."+method.Name(), method.Type())
		}
	case *types.Signature:
		for v := range t.Params().Variables() {
			s.typ(at, v.Type())
		}
		for v := range t.Results().Variables() {
			s.typ(at, v.Type())
		}
	case *types.Map:
		s.typ(at, t.Key())
		s.typ(at, t.Elem())
	case interface{ Elem() types.Type }: // arrays, slices, pointers, channels
		s.typ(at, t.Elem())
	}
}

func (s *surface) name(at string, name *types.TypeName) {
	if name.Pkg() == nil || name.Pkg() == s.pkg {
		return
	}
	if why := s.judge(name); why != "" {
		finding := fmt.Sprintf("%s: %s.%s %s", at, name.Pkg().Path(), name.Name(), why)
		if !slices.Contains(s.findings, finding) {
			s.findings = append(s.findings, finding)
		}
	}
}

// unlinked matches what looks like a link to a declaration, such as [Service.Open].
var unlinked = regexp.MustCompile(`\[\*?(\w+\.)?[A-Z]\w*(\.[A-Z]\w*)?\]`)

// deadLinks returns the links in the documentation of a package that lead nowhere: those that go
// doc leaves as text, and those to names that another package does not have.
func deadLinks(t *testing.T, d *doc.Package, pkgs map[string]*listed, imp types.Importer) []string {
	t.Helper()
	var dead []string
	p := d.Parser()
	for _, c := range comments(d) {
		for _, text := range texts(p.Parse(c).Content) {
			switch text := text.(type) {
			case comment.Plain:
				dead = append(dead, unlinked.FindAllString(string(text), -1)...)
			case *comment.DocLink:
				if text.Name == "" || pkgs[text.ImportPath] == nil {
					continue
				}
				if internal(text.ImportPath) {
					dead = append(dead, fmt.Sprintf("[%s.%s] is internal", text.ImportPath, text.Name))
				}
				other, err := imp.Import(text.ImportPath)
				require.NoError(t, err)
				if !declares(other, text.Recv, text.Name) {
					dead = append(dead, fmt.Sprintf("[%s.%s]", text.ImportPath, strings.TrimPrefix(text.Recv+"."+text.Name, ".")))
				}
			}
		}
	}
	return dead
}

// documentation parses what go doc shows of a package.
func documentation(t *testing.T, l *listed) *doc.Package {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range l.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(l.Dir, name), nil, parser.ParseComments)
		require.NoError(t, err)
		files = append(files, f)
	}
	d, err := doc.NewFromFiles(fset, files, l.ImportPath)
	require.NoError(t, err)
	return d
}

// comments returns every comment of a package that its documentation shows.
func comments(d *doc.Package) []string {
	list := []string{d.Doc}
	values := func(all []*doc.Value) {
		for _, v := range all {
			list = append(list, v.Doc)
			list = append(list, fieldComments(v.Decl)...)
		}
	}
	funcs := func(all []*doc.Func) {
		for _, f := range all {
			list = append(list, f.Doc)
		}
	}
	values(d.Consts)
	values(d.Vars)
	funcs(d.Funcs)
	for _, typ := range d.Types {
		list = append(list, typ.Doc)
		list = append(list, fieldComments(typ.Decl)...)
		values(typ.Consts)
		values(typ.Vars)
		funcs(typ.Funcs)
		funcs(typ.Methods)
	}
	return list
}

// fieldComments returns the comments inside a declaration: of fields, methods and values.
func fieldComments(n ast.Node) []string {
	var list []string
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			list = append(list, n.Doc.Text(), n.Comment.Text())
		case *ast.ValueSpec:
			list = append(list, n.Doc.Text(), n.Comment.Text())
		}
		return true
	})
	return list
}

// texts returns the texts of paragraphs and lists.
func texts(blocks []comment.Block) []comment.Text {
	var list []comment.Text
	for _, b := range blocks {
		switch b := b.(type) {
		case *comment.Paragraph:
			list = append(list, b.Text...)
		case *comment.List:
			for _, item := range b.Items {
				list = append(list, texts(item.Content)...)
			}
		}
	}
	return list
}

// declares reports whether a package exports a name, or a type of it a method or field.
func declares(pkg *types.Package, recv, name string) bool {
	if recv == "" {
		return pkg.Scope().Lookup(name) != nil
	}
	typ := pkg.Scope().Lookup(recv)
	if typ == nil {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(typ.Type(), true, pkg, name)
	return obj != nil
}
