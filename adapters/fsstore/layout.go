package fsstore

import (
	"path"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// The names of the layout. Those that begin with a period are never read as
// content: no datachain type, version or hash begins with one.
const (
	indexFile   = "index.json"
	releaseFile = "release.json"
	symbolsDir  = "symbols"
	iconsDir    = "icons"
	svgSuffix   = ".svg"
	searchDir   = "search"
	indexSuffix = ".index"

	// sourceFile is in each version of authoring source, and nowhere in this
	// layout.
	sourceFile = "schema.*"
)

// releaseDir returns the folder of a version with a certain content.
func releaseDir(v taxonomy.Version, h taxonomy.Hash) string {
	return path.Join(v.Type(), v.Folder(), h.String())
}

// validLocale reports whether a locale can name a file: letters, digits and -.
func validLocale(locale string) bool {
	return taxonomy.ValidID(locale) && !strings.Contains(locale, "_")
}

// symbolID returns the symbol that a file of the symbols folder holds.
func symbolID(name string) (id string, ok bool) {
	id, ok = strings.CutSuffix(name, svgSuffix)
	return id, ok && taxonomy.ValidID(id)
}
