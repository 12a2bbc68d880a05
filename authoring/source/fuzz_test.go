package source_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/internal/sourcetest"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
)

// maxFuzzed is the size of the largest input: what a larger one finds, a small one
// finds in a fraction of the time.
const maxFuzzed = 4 << 10

// oneCaseEach returns the first case of each finding. All of them would take longer
// than a short run has, before anything new is tried.
func oneCaseEach(f *testing.F) []string {
	cases, err := filepath.Glob("testdata/lint/*/*.txtar")
	require.NoError(f, err)
	return slices.CompactFunc(cases, func(a, b string) bool { return filepath.Dir(a) == filepath.Dir(b) })
}

// FuzzSource replaces each file of a small tree with arbitrary bytes. There is
// always a result, positions are within the file, and if the version compiles,
// so does a draft of it.
func FuzzSource(f *testing.F) {
	files := []string{"schema.yaml", "schema.json", "categories/data.yaml", "categories/more.json", "elements/face.yaml", "elements/more.json", "symbols/disk.svg"}
	tree := sourcetest.Base(f)
	archives := []*sourcetest.Archive{sourcetest.BaseArchive()}
	for _, name := range oneCaseEach(f) {
		archives = append(archives, sourcetest.ReadArchive(f, name))
	}
	for _, a := range archives {
		for _, archived := range a.Files {
			i := slices.Index(files, strings.TrimPrefix(archived.Name, dir))
			if i < 0 {
				i = 4
			}
			if len(archived.Data) <= maxFuzzed {
				f.Add([]byte(archived.Data), uint8(i))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, which uint8) {
		if len(data) > maxFuzzed {
			return
		}
		name := dir + files[int(which)%len(files)]
		tree := sourcetest.With(tree, map[string]string{name: string(data)})
		if name == dir+"schema.json" {
			delete(tree, dir+"schema.yaml")
		}
		compiled, err := source.CompileAll(tree, nil)
		require.NoError(t, err)
		checkIssues(t, tree, compiled)
		if len(compiled.Publications()) == 0 {
			return
		}
		r := compiled.Publications()[0].Release
		files, err := write.Promotion(tree, version)
		if err != nil {
			return // the aliases cannot be removed
		}
		drafted := fstest.MapFS{}
		for name, data := range files {
			drafted[dir+name] = &fstest.MapFile{Data: data}
		}
		again, err := source.Compile(drafted, version, nil)
		require.NoError(t, err)
		require.NotNil(t, again.Release, again.Issues)
		require.Equal(t, r.ContentHash(), again.Release.ContentHash())
		require.Empty(t, again.Aliases)
	})
}
