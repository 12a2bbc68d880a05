package pack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

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
