package source_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/examples/taxonomies"
)

// TestLinter edits each file of the sample taxonomies, and removes and adds it: the
// findings are those of compiling everything.
func TestLinter(t *testing.T) {
	tree := taxonomies.FS()
	versions, _, err := source.Versions(tree)
	require.NoError(t, err)
	for _, v := range versions[len(versions)-1:] {
		dir := v.Type() + "/" + strings.SplitN(v.String(), "@", 2)[1]
		files := fstest.MapFS{}
		require.NoError(t, fs.WalkDir(tree, dir, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				var data []byte
				data, err = fs.ReadFile(tree, name)
				files[name] = &fstest.MapFile{Data: data}
			}
			return err
		}))
		linter := source.NewLinter(v)
		lint := func(what string, known bool, changed ...string) {
			t.Helper()
			want, err := source.Compile(files, v, nil)
			require.NoError(t, err)
			got, err := linter.Lint(files, changed, known, nil)
			require.NoError(t, err)
			require.Equal(t, want.Issues, got.Issues, what)
			require.Nil(t, got.Release)
		}
		lint("at first", false)
		lint("again", true)
		step := 0
		for name, saved := range files {
			if step++; len(files) > 40 && step%20 != 0 && !strings.Contains(name, "schema") && !strings.Contains(name, "categories/") {
				continue
			}
			old := string(saved.Data)
			for _, text := range []string{"", strings.Replace(old, "id: ", "id: x", 1), strings.ReplaceAll(old, "  - id: ", "  - id: x"), strings.ReplaceAll(old, "en", "xx"), old[:len(old)/2]} {
				files[name] = &fstest.MapFile{Data: []byte(text)}
				lint(name+" changed", true, name)
			}
			delete(files, name)
			lint(name+" removed", true, name)
			files[name] = saved
			lint(name+" added", true, name)
		}

		stop := errors.New("stop")
		name := dir + "/schema.yaml"
		saved := files[name]
		files[name] = &fstest.MapFile{Data: []byte(strings.Replace(string(saved.Data), "id: ", "id: x", 1))}
		_, err := linter.Lint(files, []string{name}, true, &source.Options{Interrupt: func() error { return stop }})
		require.ErrorIs(t, err, stop)
		lint("after an interrupted run", true)
		files[name] = saved
		lint("restored", true, name)
	}
	_, err = source.NewLinter(versions[0]).Lint(fstest.MapFS{}, nil, false, nil)
	require.ErrorIs(t, err, fs.ErrNotExist)
}
