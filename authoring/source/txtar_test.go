package source_test

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files")

// archive is a text file that contains other files: a comment, then each file
// after a line "-- name --".
type archive struct {
	comment string
	files   []archived
}

type archived struct{ name, data string }

func readArchive(t testing.TB, name string) archive {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	var a archive
	for line := range strings.Lines(string(text)) {
		if title, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok && strings.HasSuffix(title, " --") {
			a.files = append(a.files, archived{name: strings.TrimSuffix(title, " --")})
		} else if n := len(a.files); n > 0 {
			a.files[n-1].data += line
		} else {
			a.comment += line
		}
	}
	return a
}

func (a *archive) write(t testing.TB, name string) {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(a.comment)
	for _, f := range a.files {
		fmt.Fprintf(&b, "-- %s --\n%s", f.name, f.data)
	}
	require.NoError(t, os.WriteFile(name, b.Bytes(), 0o666))
}

// take removes a file from the archive and returns its content.
func (a *archive) take(name string) string {
	for i, f := range a.files {
		if f.name == name {
			a.files = append(a.files[:i:i], a.files[i+1:]...)
			return f.data
		}
	}
	return ""
}

// over writes the files of the archive over a tree. What follows the name of a
// file is an instruction:
//
//	x.yaml removed       the tree does not have the file
//	x.yaml -> y.yaml     the file is a symbolic link
//	x.yaml repeat 1000   the text a thousand times, with a number for each N
func (a *archive) over(t testing.TB, tree fstest.MapFS) {
	t.Helper()
	for _, f := range a.files {
		name, target, isLink := strings.Cut(f.name, " -> ")
		gone, isRemoved := strings.CutSuffix(f.name, " removed")
		many, times, isRepeated := strings.Cut(f.name, " repeat ")
		switch {
		case isLink:
			tree[name] = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte(target)}
		case isRemoved:
			require.Contains(t, tree, gone)
			delete(tree, gone)
		case isRepeated:
			n, err := strconv.Atoi(times)
			require.NoError(t, err)
			var b bytes.Buffer
			for i := range n {
				b.WriteString(strings.ReplaceAll(f.data, ".N", "."+strconv.Itoa(i)))
			}
			tree[many] = &fstest.MapFile{Data: b.Bytes()}
		default:
			tree[f.name] = &fstest.MapFile{Data: []byte(f.data)}
		}
	}
}

// baseTree returns the small tree of testdata/base.txtar, which has no issues.
func baseTree(t testing.TB) fstest.MapFS {
	t.Helper()
	tree := fstest.MapFS{}
	base := readArchive(t, "testdata/base.txtar")
	base.over(t, tree)
	return tree
}
