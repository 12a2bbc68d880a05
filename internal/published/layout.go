package published

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
)

const (
	// IndexFile is the file that lists the published releases.
	IndexFile = "index.json"
	// DocumentsIndex is the file that lists the published documents.
	DocumentsIndex = "documents/index.json"
	// MaxIndex is the size limit of the index in bytes, enough for about
	// 80,000 versions.
	MaxIndex = 16 << 20

	// ReleaseFile is the file of a release directory that holds all of the
	// release except its symbols.
	ReleaseFile = "release.json"
	// PackFile is the file of a packed release that holds everything else. See
	// [PackWriter] for its format.
	PackFile = "release.pack"
	// Unlinked is the directory in a bucket that notes when releases were last
	// written, or left the index.
	Unlinked = "unlinked"
	// Symbols is the subdirectory of symbols in a release directory.
	Symbols = "symbols"
	// Icons is the subdirectory of pre-baked icons.
	Icons = "icons"
	// Search is the subdirectory of search indexes.
	Search = "search"
)

// Dir returns the directory of a release.
func Dir(v taxonomy.Version, h taxonomy.Hash) string {
	return path.Join(v.Type(), v.Folder(), h.String())
}

// Bound returns the name of the file that binds a stable version to its content.
func Bound(v taxonomy.Version) string { return path.Join(v.Type(), v.Folder(), "bound") }

// Evolution returns the name of the file with the evolution of a datachain type that has a
// SHA-256. Such a file is never replaced or removed.
func Evolution(typ string, sum taxonomy.Hash) string {
	return path.Join(typ, "evolution", sum.String()+".json")
}

// IDs returns the name of the file with the ids and titles of a version that was retired, by
// the datachain type and the SHA-256 of the file, [taxonomy.Retired.IDs]. Such a file is never
// replaced or removed.
func IDs(typ string, sum taxonomy.Hash) string { return path.Join(typ, "ids", sum.String()+".json") }

// MaxEvolution is the size limit of such a file in bytes.
const MaxEvolution = 64 << 20

// MaxBound is the size limit of such a file in bytes.
const MaxBound = 1 << 10

// BoundTo returns the text of such a file.
func BoundTo(h taxonomy.Hash) []byte { return []byte(h.String() + "\n") }

// ParseBound returns the hash in the text of such a file.
func ParseBound(text []byte) (taxonomy.Hash, error) {
	var h taxonomy.Hash
	err := h.UnmarshalText(bytes.TrimSpace(text))
	if err != nil {
		err = fmt.Errorf("%w: restore the file from a backup", err)
	}
	return h, err
}

// ParseDir returns the release whose directory has the name.
func ParseDir(dir string) (v taxonomy.Version, h taxonomy.Hash, ok bool) {
	parts := strings.Split(dir, "/")
	if len(parts) != 3 {
		return v, h, false
	}
	v, versionErr := taxonomy.ParseVersion(parts[0] + "@" + parts[1])
	hashErr := h.UnmarshalText([]byte(parts[2]))
	return v, h, versionErr == nil && hashErr == nil
}

// packSuffix is how the name of a pack in a bucket ends.
const packSuffix = ".pack"

// PackOf returns the name of the pack with a SHA-256 in a bucket.
func PackOf(sum taxonomy.Hash) string { return sum.String() + packSuffix }

// ParsePack returns the SHA-256 of the pack that has the name in a bucket.
func ParsePack(name string) (sum taxonomy.Hash, ok bool) {
	name, ok = strings.CutSuffix(name, packSuffix)
	return sum, ok && sum.UnmarshalText([]byte(name)) == nil
}

// Symbol returns the name of a symbol in [Symbols].
func Symbol(id string) string { return id + ".svg" }

// SymbolID returns the id of the symbol that a file in [Symbols] holds. Other
// files, which some systems leave behind, hold none.
func SymbolID(name string) (id string, ok bool) {
	id, ok = strings.CutSuffix(name, ".svg")
	return id, ok && prose.IsID(id)
}

// Icon returns the name of an icon in [Icons].
func Icon(elementID, variant string) string { return elementID + "/" + variant + ".svg" }

// SearchIndex returns the name of a search index in [Search]. A locale that
// contains more than letters, digits and hyphens has none.
func SearchIndex(locale string) (name string, ok bool) {
	return locale + ".index", prose.IsID(locale) && !strings.Contains(locale, "_")
}

// OpenFile opens a regular file. Anything else, such as a pipe that would never
// end, is not even opened.
func OpenFile(fsys fs.FS, name string) (fs.File, fs.FileInfo, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s: is not a regular file", name)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, nil, err
	}
	// The file may have been replaced between the two calls.
	if info, err = f.Stat(); err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// ReadFile reads a regular file of at most limit bytes.
func ReadFile(fsys fs.FS, name string, limit int64) ([]byte, fs.FileInfo, error) {
	f, info, err := OpenFile(fsys, name)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if info.Size() > limit {
		return nil, nil, TooLarge(name, info.Size(), limit)
	}
	var data bytes.Buffer
	data.Grow(int(info.Size()) + bytes.MinRead)
	// The limit also holds for a file that grows meanwhile.
	if n, err := data.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, nil, err
	} else if n > limit {
		return nil, nil, TooLarge(name, n, limit)
	}
	return data.Bytes(), info, nil
}

// Newer returns the version to upgrade to from one that a document pins: its successor, if it has
// one, else the newest stable version if that is newer or the pinned one is not published, else,
// from a beta, the newest beta.
func Newer(x *taxonomy.Index, pinned taxonomy.Version) (taxonomy.Version, bool) {
	if next, ok := x.Successor(pinned); ok {
		return next, true
	}
	_, listed := x.Lookup(pinned.Ref())
	for _, status := range []taxonomy.Status{taxonomy.Stable, pinned.Status()} {
		for _, e := range x.Entries() { // newest first
			if e.ID.Type() != pinned.Type() || e.ID.Status() != status {
				continue
			}
			if e.ID != pinned && (!listed || e.ID.Compare(pinned) < 0) {
				return e.ID, true
			}
			break
		}
	}
	return taxonomy.Version{}, false
}
