// Package published has what all stores of published releases share, whether in a
// directory, a bucket, an embedded file system or behind a URL: the names of their files,
// and how releases are verified, opened and loaded.
//
// # Layout
//
// All names are slash-separated and relative to the store.
// A packed release consists of two files:
//
//	index.json
//	<type>/<date>-<status>/<content_hash>/release.json
//	<type>/<date>-<status>/<content_hash>/release.pack
//
// The index entry of a packed release has the SHA-256 of its pack. Other releases
// consist of separate files:
//
//	<type>/<date>-<status>/<content_hash>/release.json
//	<type>/<date>-<status>/<content_hash>/symbols/<id>.svg
//	<type>/<date>-<status>/<content_hash>/icons/<element_id>/<variant>.svg
//	<type>/<date>-<status>/<content_hash>/search/<locale>.index
//
// A stable version that the index has named is bound to its content hash for ever, by
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
// Several publishers can write to a bucket at the same time. There a pack has its
// SHA-256, as in the index, in its name, so that no publisher replaces the pack of
// another; and the directories of releases are listed below unlinked, with the time at
// which they were last written or left the index:
//
//	<type>/<date>-<status>/<content_hash>/<pack>.pack
//	unlinked/<type>/<date>-<status>/<content_hash>
//
// No name begins with a period, so such names are free for other uses.
//
// # Packs
//
// A pack has named sections, which readers use in place. A [PackWriter] writes it from
// front to back, and [OpenContainer] reads it from memory, which may be a mapped file:
//
//	w := published.NewPackWriter(file)
//	w.Begin(published.SearchSection("en"))
//	w.Write(index)
//	w.Close()
//
//	p, err := published.OpenContainer(data)
//	if err != nil { … }
//	index, ok := p.Section(published.SearchSection("en"))
//
// The same sections give the same bytes. Sections begin at multiples of eight
// bytes. Readers ignore sections that they don't know, so later versions can add
// some without another format number.
//
// A section that is a [Table] maps keys to values and holds each distinct value
// once. A lookup reads a few of its bytes; opening it decodes nothing.
//
// Opening and reading never panic and never read outside the data, whatever the
// data is. A pack does not prove what it contains: readers compare its SHA-256
// with the one in the index, and the content hash of the release with the one
// computed from it.
//
// docs/internals/pack-format.md specifies the format byte by byte.
package published

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/taxonomy"
)

// Republish says what to do about damaged files.
const Republish = "publish or copy the release again"

// Opened is a release that was opened with its pack.
type Opened struct {
	Release *taxonomy.Release
	// Pack is nil if the release is not packed.
	Pack *Pack
	// Formed reports whether it was opened with the form in the pack. Only such a
	// release may be opened again with [OpenVerified].
	Formed bool
	// Unfit is why the form can't be used; nil if it was used, or there is none.
	Unfit error
}

// Pack is the pack of a release. It never changes, and is safe for concurrent use.
type Pack struct {
	name      string // of the file, for messages
	maxSVG    int64
	directory *Directory
	from      io.ReaderAt

	icons atomic.Pointer[Table] // nil before the first icon
}

// From returns the pack as it is read from elsewhere later. There a read whose error wraps
// [taxonomy.ErrNotFound] means that the pack was replaced: what it had can be derived.
func (p *Pack) From(from io.ReaderAt) *Pack {
	return &Pack{name: p.name, maxSVG: p.maxSVG, directory: p.directory, from: from}
}

// Memory is a file in memory. The sections of a pack in memory are not copied.
type Memory []byte

// ReadAt reads at a position.
func (m Memory) ReadAt(data []byte, at int64) (int, error) {
	return bytes.NewReader(m).ReadAt(data, at)
}

// Size returns the size in bytes.
func (m Memory) Size() int64 { return int64(len(m)) }

// read returns a section, and reports whether there is one of that name.
func (p *Pack) read(name string) ([]byte, bool, error) {
	if m, ok := p.from.(Memory); ok {
		section, ok := p.directory.OpenSection(m, name)
		if !ok {
			return nil, false, nil
		}
		_, at, n := section.Outer()
		return m[at : at+n : at+n], true, nil
	}
	data, ok, err := p.directory.ReadSection(p.from, name)
	if errors.Is(err, taxonomy.ErrNotFound) {
		return nil, false, nil
	}
	return data, ok, err
}

// table opens a section that is a table. A missing one is empty.
func (p *Pack) table(name string) (Table, error) {
	section, ok, err := p.read(name)
	if err != nil || !ok {
		return Table{}, err
	}
	table, err := OpenTable(section)
	if err != nil {
		return table, fmt.Errorf("%s: %w: publish the release again", p.name, err)
	}
	return table, nil
}

// symbols returns the symbols by id. The content hash shows whether one is
// missing.
func (p *Pack) symbols() (map[string]string, error) {
	table, err := p.table(SymbolsSection)
	if err != nil {
		return nil, err
	}
	symbols := make(map[string]string, table.Len())
	for id, svg := range table.All() {
		if int64(len(svg)) > p.maxSVG {
			return nil, TooLarge(p.name+": symbol "+id, int64(len(svg)), p.maxSVG)
		}
		symbols[id] = string(svg)
	}
	return symbols, nil
}

// openIcons opens the table of icons.
func (p *Pack) openIcons() error {
	table, err := p.table(IconsSection)
	if err == nil {
		p.icons.Store(&table)
	}
	return err
}

// Icon returns an icon, or wraps [taxonomy.ErrNotFound].
func (p *Pack) Icon(elementID, variant string) ([]byte, error) {
	if p.icons.Load() == nil {
		if err := p.openIcons(); err != nil {
			return nil, err
		}
	}
	svg, ok := p.icons.Load().Get(IconKey(elementID, variant))
	switch {
	case !ok:
		return nil, taxonomy.ErrNotFound
	case int64(len(svg)) > p.maxSVG:
		return nil, TooLarge(p.name, int64(len(svg)), p.maxSVG)
	}
	return svg, nil
}

// SearchIndex returns a search index, or wraps [taxonomy.ErrNotFound].
func (p *Pack) SearchIndex(locale string) ([]byte, error) {
	data, ok, err := p.read(SearchSection(locale))
	if err == nil && !ok {
		err = taxonomy.ErrNotFound
	}
	return data, err
}

// OpenSearchIndex returns a search index for reading parts of it, or wraps
// [taxonomy.ErrNotFound].
func (p *Pack) OpenSearchIndex(locale string) (*io.SectionReader, error) {
	section, ok := p.directory.OpenSection(p.from, SearchSection(locale))
	if _, inMemory := p.from.(Memory); inMemory || !ok {
		return nil, taxonomy.ErrNotFound
	}
	return section, nil
}

// TooLarge is the error for a file that is larger than a limit.
func TooLarge(name string, size, limit int64) error {
	return fmt.Errorf("%s: has %d bytes, more than the limit of %d", name, size, limit)
}

// File is a file that is read at any position.
type File interface {
	io.ReaderAt
	Size() int64
}

// Verify opens the release of an index entry after checking that its pack has the
// SHA-256 in the entry, and its content the hash. The pack is used meanwhile: nothing
// in it is trusted. name is that of the pack, for messages, and maxSVG the maximum size
// of a symbol or an icon.
func Verify(text, file File, e taxonomy.Entry, name string, maxSVG int64) (*Opened, error) {
	var sum taxonomy.Hash
	var unread error
	var wg sync.WaitGroup
	wg.Go(func() { sum, unread = sumOf(file) })
	var o *Opened
	p, err := openPack(file, name, maxSVG)
	if err == nil {
		if err = p.openIcons(); err == nil {
			o, err = p.release(text, e)
		}
	}
	wg.Wait()
	switch {
	case unread != nil:
		return nil, unread
	case sum != e.Pack:
		return nil, fmt.Errorf("%s: %w: its SHA-256 is %s, but the index has %s: %s",
			name, taxonomy.ErrHashMismatch, sum, e.Pack, Republish)
	case errors.Is(err, ErrFormat):
		return nil, fmt.Errorf("%s: %w: use the version of this program that published it, or publish the release again", name, err)
	case p == nil:
		return nil, fmt.Errorf("%s: %w: publish the release again", name, err)
	case err != nil:
		return nil, err
	}
	return o, nil
}

// OpenVerified is Verify for files from which Verify has opened a release with its form.
func OpenVerified(text, file File, e taxonomy.Entry, name string, maxSVG int64) (*Opened, error) {
	p, err := openPack(file, name, maxSVG)
	if err != nil {
		return nil, err
	}
	r, err := p.open(text, true)
	if err == nil {
		err = isRelease(r, e)
	}
	if err != nil {
		return nil, err
	}
	return &Opened{Release: r, Pack: p, Formed: true}, nil
}

func openPack(file File, name string, maxSVG int64) (*Pack, error) {
	d, err := ReadDirectory(file, file.Size())
	if err != nil {
		return nil, err
	}
	return &Pack{name: name, maxSVG: maxSVG, directory: d, from: file}, nil
}

// Open opens the release of an index entry from its files in memory: a release.json that
// has its symbols, or a release.json and its pack.
func Open(e taxonomy.Entry, maxSVG int64, files ...[]byte) (*Opened, error) {
	if len(files) == 2 {
		name := path.Join(Dir(e.ID, e.ContentHash), PackOf(e.Pack))
		return Verify(Memory(files[0]), Memory(files[1]), e, name, maxSVG)
	}
	r, err := Decode(files[0], nil, e)
	return &Opened{Release: r}, err
}

// sumOf returns the SHA-256 of a file. It does not keep the file in memory, which can be
// large.
func sumOf(file File) (sum taxonomy.Hash, err error) {
	hash := sha256.New()
	_, err = io.CopyBuffer(hash, io.NewSectionReader(file, 0, file.Size()), make([]byte, 64<<10))
	hash.Sum(sum[:0])
	return sum, err
}

// release opens the release of an index entry with its form, or decodes all of it if that
// fails: then it has the best description of what is wrong.
func (p *Pack) release(text File, e taxonomy.Entry) (*Opened, error) {
	r, unfit := p.open(text, false)
	if unfit == nil {
		unfit = isRelease(r, e)
	}
	if unfit == nil {
		return &Opened{Release: r, Pack: p, Formed: true}, nil
	}
	symbols, err := p.symbols()
	if err != nil {
		return nil, err
	}
	data := make([]byte, text.Size())
	if n, err := text.ReadAt(data, 0); n < len(data) {
		return nil, err
	}
	if r, err = Decode(data, symbols, e); err != nil {
		return nil, err
	}
	o := &Opened{Release: r, Pack: p}
	if !errors.Is(unfit, errNoForm) {
		o.Unfit = fmt.Errorf("%s: %w: %s", p.name, unfit, Republish)
	}
	return o, nil
}

var errNoForm = errors.New("the pack has no form of the release")

// open opens the release with the form in the pack.
func (p *Pack) open(text File, verified bool) (*taxonomy.Release, error) {
	data, ok, err := p.read(ReleaseSection)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errNoForm
	}
	symbols, err := p.symbols()
	if err != nil {
		return nil, err
	}
	return taxonomy.OpenForm(data, text, text.Size(), symbols, verified)
}

// Decode decodes the release of an index entry. The error wraps
// [taxonomy.ErrHashMismatch] if it is another one.
func Decode(text []byte, symbols map[string]string, e taxonomy.Entry) (*taxonomy.Release, error) {
	r, err := taxonomy.DecodeRelease(text, symbols)
	switch {
	case errors.Is(err, taxonomy.ErrHashMismatch):
	case err != nil:
		// What can't be decoded is not what was hashed.
		err = fmt.Errorf("%w: %w", taxonomy.ErrHashMismatch, err)
	default:
		err = isRelease(r, e)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", Dir(e.ID, e.ContentHash), err, Republish)
	}
	return r, nil
}

// isRelease returns an error if r is not the release of an index entry.
func isRelease(r *taxonomy.Release, e taxonomy.Entry) error {
	switch {
	case r.Version() != e.ID:
		return fmt.Errorf("%w: it is the release %s", taxonomy.ErrHashMismatch, r.Version())
	case r.ContentHash() != e.ContentHash:
		return fmt.Errorf("%w: it is the content %s", taxonomy.ErrHashMismatch, r.ContentHash())
	}
	return nil
}
