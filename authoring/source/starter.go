package source

import (
	"embed"
	"io/fs"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

//go:embed starter
var starter embed.FS

// Starter returns the files of a small schema version to start a new datachain
// type from, by path relative to the directory of the version. It compiles
// without issues.
func Starter(v taxonomy.Version) map[string][]byte {
	files := make(map[string][]byte)
	_ = fs.WalkDir(starter, "starter", func(name string, d fs.DirEntry, _ error) error { // cannot fail
		if !d.IsDir() {
			text, _ := starter.ReadFile(name)
			files[strings.TrimPrefix(name, "starter/")] = []byte(strings.ReplaceAll(string(text), "TYPE", v.Type()))
		}
		return nil
	})
	return files
}
