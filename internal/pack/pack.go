// Package pack provides the container of a packed release: one file with named
// sections, which readers use in place.
//
// A pack is written from front to back and read from memory, which may be a
// mapped file:
//
//	w := pack.NewWriter(file)
//	w.Begin(pack.Search("en"))
//	w.Write(index)
//	w.Close()
//
//	p, err := pack.Open(data)
//	if err != nil { … }
//	index, ok := p.Section(pack.Search("en"))
//
// The same sections give the same bytes. Sections begin at multiples of eight
// bytes. Readers ignore sections that they don't know, so later versions can add
// some without another format number.
//
// A section that is a [Table] maps keys to values and holds each distinct value
// once. A lookup reads a few of its bytes; opening it decodes nothing.
//
// # Untrusted input
//
// Opening and reading never panic and never read outside the data, whatever the
// data is. A pack does not prove what it contains: readers compare its SHA-256
// with the one in the index, and the content hash of the release with the one
// computed from it.
//
// docs/internals/pack-format.md specifies the format byte by byte.
package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
)

// Format is the format number of the packs that this package reads and writes.
const Format = 1

// The sections of a packed release; [Search] names those of search indexes.
const (
	// Icons is a [Table] of icons with keys of [IconKey].
	Icons = "icons"
	// Release is a form of the release that opens without decoding all of it.
	// Package taxonomy defines it.
	Release = "release"
	// Symbols is a [Table] of the symbols by id.
	Symbols = "symbols"
)

// Search names the section of the search index for a locale.
func Search(locale string) string { return "search/" + locale }

// IconKey returns the key of an icon in the table of the section [Icons].
func IconKey(elementID, variant string) string { return elementID + "/" + variant }

// MaxName is the maximum length of the name of a section in bytes.
const MaxName = 255

// Sizes of the fixed parts, in bytes.
const (
	align      = 8
	headerSize = 16
	entrySize  = 24
	footerSize = 32
)

// The marks at the beginning and at the end. The first has a byte outside ASCII
// and a line break, so that a pack that was copied as text is recognized.
const (
	headMark = "\x89DCPACK\n"
	footMark = "DCPKEND\n"
)

// Errors that [Open] wraps.
var (
	// ErrInvalid reports that data is not a pack, or was truncated or changed.
	ErrInvalid = errors.New("invalid pack")
	// ErrFormat reports a pack with a format number that is not [Format].
	ErrFormat = errors.New("unknown pack format")
)

// Pack is a pack in memory. It is immutable and safe for concurrent use.
type Pack struct {
	Directory
	data []byte
}

// Open opens a pack. It checks the header, the directory and the position of
// every section, but not what the sections contain. The pack keeps using data,
// which must not change.
func Open(data []byte) (*Pack, error) {
	d, err := ReadDirectory(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	return &Pack{*d, data}, nil
}

// padded rounds a size up to a multiple of align.
func padded(size uint64) uint64 { return (size + align - 1) &^ (align - 1) }

// Section returns the bytes of a section, which must not be changed, and reports
// whether there is one of that name.
func (p *Pack) Section(name string) ([]byte, bool) {
	at, ok := p.find(name)
	if !ok {
		return nil, false
	}
	return p.data[at.offset : at.offset+at.length : at.offset+at.length], true
}

// Sections yields the names of all sections, in order, with their bytes.
func (p *Pack) Sections() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, name := range p.names {
			if data, _ := p.Section(name); !yield(name, data) {
				return
			}
		}
	}
}

// Directory says where the sections of a pack are. It lets a program read some sections
// of a file without the others. It is immutable and safe for concurrent use.
type Directory struct {
	names   []string // ascending
	extents []extent // of the sections, in the same order
}

// extent is a part of a pack.
type extent struct{ offset, length uint64 }

// ReadDirectory reads the directory of a pack of size bytes. It checks the header, the
// directory and the position of every section. The errors are those of reading and of
// [Open].
func ReadDirectory(from io.ReaderAt, size int64) (*Directory, error) {
	header, footer := make([]byte, headerSize), make([]byte, footerSize)
	if size < headerSize {
		return nil, fmt.Errorf("%w: it does not begin like a pack", ErrInvalid)
	}
	if err := readAt(from, header, 0); err != nil {
		return nil, err
	}
	if string(header[:len(headMark)]) != headMark {
		return nil, fmt.Errorf("%w: it does not begin like a pack", ErrInvalid)
	}
	if format := binary.LittleEndian.Uint32(header[8:]); format != Format {
		return nil, fmt.Errorf("%w: it has the number %d, and this program reads %d", ErrFormat, format, Format)
	}
	if size >= headerSize+footerSize {
		if err := readAt(from, footer, size-footerSize); err != nil {
			return nil, err
		}
	}
	if string(footer[footerSize-len(footMark):]) != footMark {
		return nil, fmt.Errorf("%w: it does not end like a pack", ErrInvalid)
	}
	switch written := binary.LittleEndian.Uint64(footer[16:]); {
	case written != uint64(size):
		return nil, fmt.Errorf("%w: it has %d bytes, but was written with %d", ErrInvalid, size, written)
	case binary.LittleEndian.Uint32(header[12:]) != 0:
		return nil, fmt.Errorf("%w: the reserved bytes of the header are not zero", ErrInvalid)
	}
	return readEntries(from, footer, uint64(size)-footerSize)
}

// readEntries reads the entries of the directory, which ends at limit.
func readEntries(from io.ReaderAt, footer []byte, limit uint64) (*Directory, error) {
	directory := binary.LittleEndian.Uint64(footer)
	count := uint64(binary.LittleEndian.Uint32(footer[8:]))
	nameSize := uint64(binary.LittleEndian.Uint32(footer[12:]))
	if directory < headerSize || directory > limit || directory+padded(count*entrySize+nameSize) != limit {
		return nil, fmt.Errorf("%w: the directory is not where the footer says", ErrInvalid)
	}
	data := make([]byte, count*entrySize+nameSize)
	if err := readAt(from, data, int64(directory)); err != nil {
		return nil, err
	}
	d := &Directory{make([]string, 0, count), make([]extent, 0, count)}
	if err := d.parse(data[:count*entrySize], string(data[count*entrySize:]), directory); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return d, nil
}

// parse reads the entries of a directory that begins at directory. What it accepts is
// exactly what a [Writer] writes: sections in the order of their names, without gaps other
// than padding.
func (d *Directory) parse(entries []byte, names string, directory uint64) error {
	end := uint64(headerSize)
	for entry := range slices.Chunk(entries, entrySize) {
		at := extent{binary.LittleEndian.Uint64(entry), binary.LittleEndian.Uint64(entry[8:])}
		length := uint64(binary.LittleEndian.Uint32(entry[16:]))
		switch {
		case at.offset != end || at.length > directory-end || padded(at.length) > directory-end:
			return fmt.Errorf("section %d is not where the directory says", len(d.names))
		case length == 0 || length > MaxName || length > uint64(len(names)) || binary.LittleEndian.Uint32(entry[20:]) != 0:
			return fmt.Errorf("section %d has an invalid name", len(d.names))
		}
		name := names[:length]
		if n := len(d.names); n > 0 && d.names[n-1] >= name {
			return fmt.Errorf("section %q is not in order", name)
		}
		names, end = names[length:], at.offset+padded(at.length)
		d.names, d.extents = append(d.names, name), append(d.extents, at)
	}
	if end != directory || names != "" {
		return errors.New("the directory does not cover all sections")
	}
	return nil
}

func readAt(from io.ReaderAt, data []byte, offset int64) error {
	n, err := from.ReadAt(data, offset)
	if n == len(data) {
		return nil
	}
	return err
}

func (d *Directory) find(name string) (extent, bool) {
	i, ok := slices.BinarySearch(d.names, name)
	if !ok {
		return extent{}, false
	}
	return d.extents[i], true
}

// OpenSection returns a section of the pack that the directory was read from, for reading
// parts of it, and reports whether there is one of that name.
func (d *Directory) OpenSection(from io.ReaderAt, name string) (*io.SectionReader, bool) {
	at, ok := d.find(name)
	if !ok {
		return nil, false
	}
	return io.NewSectionReader(from, int64(at.offset), int64(at.length)), true
}

// ReadSection reads a section of the pack that the directory was read from, and reports
// whether there is one of that name.
func (d *Directory) ReadSection(from io.ReaderAt, name string) ([]byte, bool, error) {
	at, ok := d.find(name)
	if !ok {
		return nil, false, nil
	}
	data := make([]byte, at.length)
	err := readAt(from, data, int64(at.offset))
	return data, err == nil, err
}

// Writer writes a pack to an [io.Writer], which is written from front to back
// in the pieces that the caller writes: it should have a buffer. The first error
// stays: later calls return it, too.
type Writer struct {
	out     io.Writer
	size    uint64 // written so far
	names   []string
	extents []extent // of the sections that were begun
	err     error
}

// NewWriter returns a writer of a pack.
func NewWriter(w io.Writer) *Writer { return &Writer{out: w} }

// Begin ends the current section and begins another. Sections are written in the
// order of their names, so that the same sections give the same bytes.
func (w *Writer) Begin(name string) error {
	n := len(w.names)
	switch {
	case w.err != nil:
	case name == "" || len(name) > MaxName:
		w.err = fmt.Errorf("pack: the name %q of a section must have 1 to %d bytes", name, MaxName)
	case n > 0 && w.names[n-1] >= name:
		w.err = fmt.Errorf("pack: section %q must come before %q", name, w.names[n-1])
	case n == 0:
		w.header()
	default:
		w.endSection()
	}
	if w.err == nil {
		w.names, w.extents = append(w.names, name), append(w.extents, extent{offset: w.size})
	}
	return w.err
}

// Write appends to the current section.
func (w *Writer) Write(p []byte) (int, error) {
	if w.err == nil && len(w.names) == 0 {
		w.err = errors.New("pack: Write before Begin")
	}
	return w.write(p)
}

// Close ends the pack: it writes the directory. It does not close the underlying
// writer.
func (w *Writer) Close() error {
	if len(w.names) == 0 {
		w.header()
	} else {
		w.endSection()
	}
	directory := w.size
	var entries, names []byte
	for i, at := range w.extents {
		entries = binary.LittleEndian.AppendUint64(entries, at.offset)
		entries = binary.LittleEndian.AppendUint64(entries, at.length)
		entries = binary.LittleEndian.AppendUint32(entries, uint32(len(w.names[i])))
		entries = binary.LittleEndian.AppendUint32(entries, 0)
		names = append(names, w.names[i]...)
	}
	_, _ = w.write(entries)
	_, _ = w.write(names)
	w.pad()
	footer := binary.LittleEndian.AppendUint64(nil, directory)
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(w.extents)))
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(names)))
	footer = binary.LittleEndian.AppendUint64(footer, w.size+footerSize)
	_, _ = w.write(append(footer, footMark...))
	if w.err != nil {
		return w.err
	}
	w.err = errors.New("pack: the pack is closed")
	return nil
}

func (w *Writer) header() {
	header := binary.LittleEndian.AppendUint32([]byte(headMark), Format)
	_, _ = w.write(binary.LittleEndian.AppendUint32(header, 0))
}

// endSection notes the length of the last section and pads it.
func (w *Writer) endSection() {
	last := &w.extents[len(w.extents)-1]
	last.length = w.size - last.offset
	w.pad()
}

func (w *Writer) pad() {
	var zeros [align]byte
	_, _ = w.write(zeros[:padded(w.size)-w.size])
}

func (w *Writer) write(p []byte) (n int, err error) {
	if w.err == nil {
		n, w.err = w.out.Write(p)
		w.size += uint64(n)
	}
	return n, w.err
}
