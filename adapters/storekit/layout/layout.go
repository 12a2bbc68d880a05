// Package layout names the files of a store of published releases, whether in a directory, a
// bucket, an embedded file system or behind a URL.
//
// # Layout
//
// All names are slash-separated and relative to the store. The index names the archive of
// each release, a ZIP file (see package reader), by its SHA-256:
//
//	index.json
//	<type>/<date>-<status>/<content_hash>/<sha256>.zip
//
// A stable version that the index has named is bound to its content hash forever, by
// a file beside its releases that is never replaced or removed:
//
//	<type>/<date>-stable/bound
//
// What became of the ids of a datachain type is in a file that its SHA-256 in the index
// names:
//
//	<type>/evolution/<sha256>.json
//
// The ids and titles of a version that was retired stay when its release is removed, as a
// release.json without anything else, which its SHA-256 in the index names:
//
//	<type>/ids/<sha256>.json
//
// Archives that the index no longer names are removed in two runs of a collector, which
// keeps what it has found in between:
//
//	collect.json
//
// No name begins with a period, so such names are free for other uses.
//
// # Experimental
//
// This package may change in a minor version.
package layout

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/taxonomy"
)

const (
	// IndexFile is the file that lists the published releases.
	IndexFile = "index.json"
	// DocumentsIndex is the file that lists the published documents.
	DocumentsIndex = "documents/index.json"
	// CollectFile lists the archives that the index does not name, until they are removed.
	CollectFile = "collect.json"
	// MaxIndex is the size limit of the index in bytes, enough for about
	// 80,000 versions.
	MaxIndex = 16 << 20
)

// DecodeIndex decodes an index.json. Servers send indexes without a format; one in a store is refused
// like that of an older format, with an error that wraps [taxonomy.ErrIndexFormat].
func DecodeIndex(text []byte) (*taxonomy.Index, error) {
	x, err := taxonomy.DecodeIndex(text)
	if err != nil {
		return nil, errname.Trim(err) // a store adds its own name
	}
	var head struct {
		Format int64 `json:"format"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	if head.Format == 0 {
		return nil, fmt.Errorf("index: %w: it has no format, so it is older than this program: publish the releases into a new store", taxonomy.ErrIndexFormat)
	}
	return x, nil
}

// Dir returns the directory of the archives of a release.
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
// the datachain type and the SHA-256 of the file, [taxonomy.RetiredVersion.IDs]. Such a file is never
// replaced or removed.
func IDs(typ string, sum taxonomy.Hash) string { return path.Join(typ, "ids", sum.String()+".json") }

// MaxEvolution is the size limit of an [Evolution] file in bytes.
const MaxEvolution = 64 << 20

// MaxBound is the size limit of a [Bound] file in bytes.
const MaxBound = 1 << 10

// BoundTo returns the text of a [Bound] file, which names the hash of the content.
func BoundTo(h taxonomy.Hash) []byte { return []byte(h.String() + "\n") }

// ParseBound returns the hash that the text of a [Bound] file names.
func ParseBound(text []byte) (taxonomy.Hash, error) {
	var h taxonomy.Hash
	err := h.UnmarshalText(bytes.TrimSpace(text))
	if err != nil {
		err = fmt.Errorf("%w: restore the file from a backup", err)
	}
	return h, err
}

// archiveSuffix is how the name of an archive ends.
const archiveSuffix = ".zip"

// ArchiveFile returns the name of the archive of an index entry. It has the SHA-256 of the
// archive in it, so that no publisher replaces the archive of another.
func ArchiveFile(e taxonomy.Entry) string {
	return path.Join(Dir(e.ID, e.ContentHash), hex.EncodeToString(e.Archive[:])+archiveSuffix)
}

// ParseArchiveFile returns the index entry, as far as the name says it, whose archive has the name.
func ParseArchiveFile(name string) (e taxonomy.Entry, ok bool) {
	parts := strings.Split(name, "/")
	if len(parts) != 4 {
		return e, false
	}
	var err error
	if e.ID, err = taxonomy.ParseVersion(parts[0] + "@" + parts[1]); err != nil || e.ContentHash.UnmarshalText([]byte(parts[2])) != nil {
		return e, false
	}
	sum, err := hex.DecodeString(strings.TrimSuffix(parts[3], archiveSuffix))
	if err != nil || len(sum) != len(e.Archive) {
		return e, false
	}
	e.Archive = taxonomy.Hash(sum)
	return e, ArchiveFile(e) == name
}
