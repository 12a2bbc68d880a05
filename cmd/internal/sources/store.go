package sources

import (
	"os"
	"path/filepath"

	"github.com/datachain-go/datachain/taxonomy"
)

// IsStore reports whether a directory is a published store. Its subdirectories look
// like those of a source.
func IsStore(dir string) bool {
	name := filepath.Join(dir, "index.json")
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return false // a pipe would never end
	}
	text, err := os.ReadFile(name)
	if err == nil {
		_, err = taxonomy.DecodeIndex(text)
	}
	return err == nil
}
