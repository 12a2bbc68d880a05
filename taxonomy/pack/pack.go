package pack

import (
	"encoding/binary"
	"errors"
	"fmt"
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
	data    []byte
	names   []string // ascending
	extents []extent // of the sections, in the same order
}

// extent is a part of the data.
type extent struct{ offset, length uint64 }

// Open opens a pack. It checks the header, the directory and the position of
// every section, but not what the sections contain. The pack keeps using data,
// which must not change.
func Open(data []byte) (*Pack, error) {
	if len(data) < headerSize || string(data[:len(headMark)]) != headMark {
		return nil, fmt.Errorf("%w: it does not begin like a pack", ErrInvalid)
	}
	if format := binary.LittleEndian.Uint32(data[8:]); format != Format {
		return nil, fmt.Errorf("%w: it has the number %d, and this program reads %d", ErrFormat, format, Format)
	}
	if len(data) < headerSize+footerSize || string(data[len(data)-len(footMark):]) != footMark {
		return nil, fmt.Errorf("%w: it does not end like a pack", ErrInvalid)
	}
	p := &Pack{data: data}
	if err := p.readDirectory(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return p, nil
}

// readDirectory reads the directory. What it accepts is exactly what a [Writer]
// writes: sections in the order of their names, without gaps other than padding.
func (p *Pack) readDirectory() error {
	size := uint64(len(p.data))
	footer := p.data[size-footerSize:]
	directory := binary.LittleEndian.Uint64(footer)
	count := uint64(binary.LittleEndian.Uint32(footer[8:]))
	nameSize := uint64(binary.LittleEndian.Uint32(footer[12:]))
	limit := size - footerSize
	switch {
	case binary.LittleEndian.Uint64(footer[16:]) != size:
		return fmt.Errorf("it has %d bytes, but was written with %d", size, binary.LittleEndian.Uint64(footer[16:]))
	case binary.LittleEndian.Uint32(p.data[12:]) != 0:
		return errors.New("the reserved bytes of the header are not zero")
	case directory < headerSize || directory > limit || directory+padded(count*entrySize+nameSize) != limit:
		return errors.New("the directory is not where the footer says")
	}
	entries := p.data[directory : directory+count*entrySize]
	names := string(p.data[directory+count*entrySize:][:nameSize])
	p.names, p.extents = make([]string, 0, count), make([]extent, 0, count)
	end := uint64(headerSize)
	for entry := range slices.Chunk(entries, entrySize) {
		at := extent{binary.LittleEndian.Uint64(entry), binary.LittleEndian.Uint64(entry[8:])}
		length := uint64(binary.LittleEndian.Uint32(entry[16:]))
		switch {
		case at.offset != end || at.length > directory-end || padded(at.length) > directory-end:
			return fmt.Errorf("section %d is not where the directory says", len(p.names))
		case length == 0 || length > MaxName || length > uint64(len(names)) || binary.LittleEndian.Uint32(entry[20:]) != 0:
			return fmt.Errorf("section %d has an invalid name", len(p.names))
		}
		name := names[:length]
		if n := len(p.names); n > 0 && p.names[n-1] >= name {
			return fmt.Errorf("section %q is not in order", name)
		}
		names, end = names[length:], at.offset+padded(at.length)
		p.names, p.extents = append(p.names, name), append(p.extents, at)
	}
	if end != directory || names != "" {
		return errors.New("the directory does not cover all sections")
	}
	return nil
}

// padded rounds a size up to a multiple of align.
func padded(size uint64) uint64 { return (size + align - 1) &^ (align - 1) }

// Section returns the bytes of a section, which must not be changed, and reports
// whether there is one of that name.
func (p *Pack) Section(name string) ([]byte, bool) {
	i, ok := slices.BinarySearch(p.names, name)
	if !ok {
		return nil, false
	}
	at := p.extents[i]
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
