// Package reader reads and writes the archives of releases, and loads releases from a store: each
// once, and only if it is the one that the index names.
//
// # Experimental
//
// This package may change in a minor version.
package reader

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// The members of an archive: the release without its symbols, the symbols, and the icons of
// the elements, if they were drawn.
const (
	releaseMember = "release.json"
	symbolsPrefix = "symbols/"
	iconsPrefix   = "icons/"
	svgSuffix     = ".svg"
)

// maxMembers is the maximum number of members of an archive. With more, it would need the
// extension ZIP64, which not every program reads.
const maxMembers = 65_000

// ErrTooManyMembers is wrapped by the error of [WriteArchive] for a release that does not fit
// into an archive with its icons.
var ErrTooManyMembers = fmt.Errorf("an archive can have at most %d files", maxMembers)

// errArchive is wrapped by the errors of [Open] for data that is not the archive of a release.
var errArchive = errors.New("invalid archive")

// Republish says what to do about damaged files.
const Republish = "publish or copy the release again"

// Archive is a release with the icons that were drawn when it was published. It is immutable
// and safe for concurrent use.
type Archive struct {
	Release *taxonomy.Release
	icons   map[string][]byte // by member name
}

// Icon returns the SVG of an element in a variant, which must not be changed, or wraps
// [taxonomy.ErrNotFound].
func (a *Archive) Icon(elementID, variant string) ([]byte, error) {
	svg, ok := a.icons[iconMember(elementID, variant)]
	if !ok {
		return nil, taxonomy.ErrNotFound
	}
	return svg, nil
}

func iconMember(elementID, variant string) string {
	return iconsPrefix + elementID + "/" + variant + svgSuffix
}

// isMember reports whether an archive can have a member with the name.
func isMember(name string) bool {
	id, isSVG := strings.CutSuffix(name, svgSuffix)
	if symbol, ok := strings.CutPrefix(id, symbolsPrefix); ok {
		return isSVG && ident.IsID(symbol)
	}
	if icon, ok := strings.CutPrefix(id, iconsPrefix); ok {
		element, variant, _ := strings.Cut(icon, "/")
		return isSVG && ident.IsElementID(element) && ident.IsID(variant)
	}
	return name == releaseMember
}

// WriteArchive writes the archive of a release: a ZIP file whose members are stored without
// compression in the order of their names, and whose headers have no times or attributes. So
// the same release has the same bytes, whichever program writes it. draw draws the icon of an
// element in a variant; if it is nil, there are none. The error wraps [ErrTooManyMembers] if
// there are too many icons.
func WriteArchive(w io.Writer, r *taxonomy.Release, draw func(e *taxonomy.Element, variant string) ([]byte, error)) error {
	for _, e := range r.Elements() {
		if _, ok := r.Symbol(e.SymbolID); !ok {
			return fmt.Errorf("release %s has no symbols, such as %s: add them to its content", r.Version(), e.SymbolID)
		}
	}
	members := map[string]func() ([]byte, error){releaseMember: func() ([]byte, error) {
		text := bytes.NewBuffer(make([]byte, 0, r.Len()))
		_, err := r.WriteWithoutSymbols(text)
		return text.Bytes(), err
	}}
	for _, id := range r.SymbolIDs() {
		svg, _ := r.Symbol(id)
		members[symbolsPrefix+id+svgSuffix] = func() ([]byte, error) { return []byte(svg), nil }
	}
	for _, e := range r.Elements() {
		if draw == nil {
			break
		}
		for _, variant := range e.IconVariants {
			members[iconMember(e.ID, variant)] = func() ([]byte, error) {
				svg, err := draw(e, variant)
				if err != nil {
					err = fmt.Errorf("icon of %s as %s: %w", e.ID, variant, err)
				}
				return svg, err
			}
		}
	}
	if len(members) > maxMembers {
		return fmt.Errorf("%w, and this one would have %d", ErrTooManyMembers, len(members))
	}
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	archive := zip.NewWriter(w)
	for _, name := range names {
		data, err := members[name]()
		if err == nil {
			err = writeMember(archive, name, data)
		}
		if err != nil {
			return err
		}
	}
	return archive.Close()
}

// writeMember writes a member with a header that depends on nothing but its name and content.
func writeMember(archive *zip.Writer, name string, data []byte) error {
	const (
		version  = 20   // of the format, that of files in directories
		firstDay = 0x21 // 1980-01-01, the first date that the format has
	)
	w, err := archive.CreateRaw(&zip.FileHeader{
		Name: name, Method: zip.Store, CreatorVersion: version, ReaderVersion: version,
		ModifiedDate: firstDay, //nolint:staticcheck // Modified would add an extra field
		CRC32:        crc32.ChecksumIEEE(data), CompressedSize64: uint64(len(data)), UncompressedSize64: uint64(len(data)),
	})
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// Open opens the release of an index entry from its archive or, if the entry names none, from
// the JSON with symbols that servers send. It keeps using data, which must
// not change. The archive must have the SHA-256 in the entry, exactly the bytes that
// [WriteArchive] writes for its members, no others than those of the release, and the content that
// the entry names. An archive or a release that differs wraps [taxonomy.ErrHashMismatch].
func Open(e taxonomy.Entry, data []byte) (*Archive, error) {
	if e.Archive.IsZero() {
		r, err := decode(data, nil, e)
		return &Archive{Release: r}, err
	}
	name := layout.ArchiveFile(e)
	if sum := taxonomy.Hash(sha256.Sum256(data)); sum != e.Archive {
		return nil, fmt.Errorf("%s: %w: its SHA-256 is %s, but the index has %s: %s", name, taxonomy.ErrHashMismatch, sum, e.Archive, Republish)
	}
	members, err := readMembers(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w: publish the release again", name, errArchive, err)
	}
	a := &Archive{icons: make(map[string][]byte)}
	var text []byte
	symbols := make(map[string]string)
	for member, data := range members {
		id, isSymbol := strings.CutPrefix(member, symbolsPrefix)
		switch {
		case isSymbol:
			symbols[strings.TrimSuffix(id, svgSuffix)] = string(data)
		case member == releaseMember:
			text = data
		default:
			a.icons[member] = data
		}
	}
	if a.Release, err = decode(text, symbols, e); err != nil {
		return a, err
	}
	if err := a.check(text); err != nil {
		return nil, fmt.Errorf("%s: %w: %w: publish the release again", name, errArchive, err)
	}
	return a, nil
}

// check returns an error if the content hash does not cover all of the archive besides its icons: other
// JSON than that of the release, or icons of elements or variants that it does not have.
func (a *Archive) check(text []byte) error {
	expected := &comparer{want: text}
	if _, err := a.Release.WriteWithoutSymbols(expected); err != nil || len(expected.want) > 0 {
		return fmt.Errorf("%s has more than the release, or is not in canonical form", releaseMember)
	}
	known := make(map[string]bool, len(a.icons))
	for _, e := range a.Release.Elements() {
		for _, variant := range e.IconVariants {
			known[iconMember(e.ID, variant)] = true
		}
	}
	for _, member := range slices.Sorted(maps.Keys(a.icons)) {
		if !known[member] {
			return fmt.Errorf("%s is an icon that no element of the release has", member)
		}
	}
	return nil
}

// readMembers returns the members of an archive by name. It accepts only what [WriteArchive]
// writes. That excludes hidden and overlapping content, compression, comments, and names that
// lead elsewhere.
func readMembers(data []byte) (map[string][]byte, error) {
	if !hasDirectory(data) {
		return nil, fmt.Errorf("it has no directory of at most %d files at its end", maxMembers)
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	members := make(map[string][]byte, len(archive.File))
	expected := &comparer{want: data}
	rewritten := zip.NewWriter(expected)
	last := ""
	for _, f := range archive.File {
		begin, err := f.DataOffset()
		size := uint64(len(data)) - uint64(begin)
		switch {
		case err != nil:
			return nil, err
		case !isMember(f.Name):
			return nil, fmt.Errorf("it must not contain a file %q", wording.Clip(f.Name))
		case f.Name <= last:
			return nil, fmt.Errorf("the file %s is not in the order of names", f.Name)
		case f.UncompressedSize64 > size:
			return nil, fmt.Errorf("the file %s is longer than the archive", f.Name)
		}
		last = f.Name
		content := data[begin : uint64(begin)+f.UncompressedSize64 : uint64(begin)+f.UncompressedSize64]
		if err := writeMember(rewritten, f.Name, content); err != nil {
			return nil, err
		}
		members[f.Name] = content
	}
	if err := rewritten.Close(); err != nil {
		return nil, err
	}
	if len(expected.want) > 0 {
		return nil, errDiffers
	}
	return members, nil
}

// hasDirectory reports whether an archive ends with a directory of as many members as its last record
// says, and at most [maxMembers]. Package zip allocates memory for all that it finds.
func hasDirectory(data []byte) bool {
	const endSize, headerSize = 22, 46
	end := len(data) - endSize
	if end < 0 {
		return false
	}
	uint16At := func(at int) int { return int(binary.LittleEndian.Uint16(data[at:])) }
	members, at := uint16At(end+10), int(binary.LittleEndian.Uint32(data[end+16:]))
	if members > maxMembers {
		return false
	}
	for range members {
		if at+headerSize > end {
			return false
		}
		at += headerSize + uint16At(at+28) + uint16At(at+30) + uint16At(at+32) // a name, an extra field and a comment
	}
	return at == end
}

var errDiffers = errors.New("its bytes are not those that are written for its files: only ZIP files without compression, times, comments and gaps are accepted")

// comparer is an [io.Writer] that accepts only the bytes of a text.
type comparer struct{ want []byte }

func (c *comparer) Write(p []byte) (int, error) {
	if !bytes.HasPrefix(c.want, p) {
		return 0, errDiffers
	}
	c.want = c.want[len(p):]
	return len(p), nil
}

// decode decodes the release of an index entry. The error wraps
// [taxonomy.ErrHashMismatch] if it is another one.
func decode(text []byte, symbols map[string]string, e taxonomy.Entry) (*taxonomy.Release, error) {
	r, err := taxonomy.DecodeRelease(text, symbols)
	switch {
	case errors.Is(err, taxonomy.ErrHashMismatch):
		err = errname.Trim(err)
	case err != nil:
		// What can't be decoded is not what was hashed.
		err = fmt.Errorf("%w: %w", taxonomy.ErrHashMismatch, errname.Trim(err))
	case r.Version() != e.ID:
		err = fmt.Errorf("%w: it is the release %s", taxonomy.ErrHashMismatch, r.Version())
	case r.ContentHash() != e.ContentHash:
		err = fmt.Errorf("%w: it is the content %s", taxonomy.ErrHashMismatch, r.ContentHash())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", layout.Dir(e.ID, e.ContentHash), err, Republish)
	}
	return r, nil
}
