package product_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPrograms requires that programs open services with what the product adds: a service without it
// says nothing about what is missing.
func TestPrograms(t *testing.T) {
	opened := 0
	for _, dir := range []string{"../../cmd", "../../editors"} {
		require.NoError(t, filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			ast.Inspect(file, func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				if !ok || s.Sel.Name != "New" {
					return true
				}
				from, ok := s.X.(*ast.Ident)
				if ok && from.Name == "product" {
					opened++
				}
				assert.False(t, ok && from.Name == "datachain", "%s opens a service with datachain.New: use product.New", name)
				return true
			})
			return nil
		}))
	}
	assert.Positive(t, opened)
}
