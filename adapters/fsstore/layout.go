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
	lockFile    = ".lock"
	releaseFile = "release.json"
	symbolsDir  = "symbols"
	iconsDir    = "icons"
	svgSuffix   = ".svg"
	searchDir   = "search"
	indexSuffix = ".index"

	// sourceFile is in each version of authoring source, and nowhere in this
	// layout.
	sourceFile = "schema.*"

	// newPrefix marks what is being written, and oldPrefix a damaged folder
	// that is being replaced. Only one publisher is at work at a time, so
	// what a publisher finds under such a name was left behind by a dead one.
	newPrefix = ".new-"
	oldPrefix = ".old-"
)

// versionDir returns the folder of a version.
func versionDir(v taxonomy.Version) string { return path.Join(v.Type(), v.Folder()) }

// releaseDir returns the folder of a version with a certain content.
func releaseDir(v taxonomy.Version, h taxonomy.Hash) string {
	return path.Join(versionDir(v), h.String())
}

// beside returns the name with a prefix in the same folder.
func beside(prefix, name string) string {
	dir, file := path.Split(name)
	return dir + prefix + file
}

// leftover reports whether a name is one that a publisher uses while at work.
func leftover(name string) bool {
	return strings.HasPrefix(name, newPrefix) || strings.HasPrefix(name, oldPrefix)
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
