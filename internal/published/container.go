package published

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"sort"
)

// PackFormat is the format number of the packs that this package reads and writes.
const PackFormat = 1

// The sections of a packed release; [SearchSection] names those of search indexes.
const (
	// IconsSection is a [Table] of icons with keys of [IconKey].
	IconsSection = "icons"
	// ReleaseSection is a form of the release that opens without decoding all of it.
	// Package taxonomy defines it.
	ReleaseSection = "release"
	// SymbolsSection is a [Table] of the symbols by id.
	SymbolsSection = "symbols"
)

// SearchSection names the section of the search index for a locale.
func SearchSection(locale string) string { return "search/" + locale }

// IconKey returns the key of an icon in the table of the section [IconsSection].
func IconKey(elementID, variant string) string { return elementID + "/" + variant }

// MaxSection is the maximum length of the name of a section in bytes.
const MaxSection = 255

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

// Errors that [OpenContainer] wraps.
var (
	// ErrPack reports that data is not a pack, or was truncated or changed.
	ErrPack = errors.New("invalid pack")
	// ErrFormat reports a pack with a format number that is not [PackFormat].
	ErrFormat = errors.New("unknown pack format")
)

// Container is a pack in memory. It is immutable and safe for concurrent use.
type Container struct {
	Directory
	data []byte
}

// OpenContainer opens a pack. It checks the header, the directory and the position of
// every section, but not what the sections contain. The pack keeps using data,
// which must not change.
func OpenContainer(data []byte) (*Container, error) {
	d, err := ReadDirectory(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	return &Container{*d, data}, nil
}

// padded rounds a size up to a multiple of align.
func padded(size uint64) uint64 { return (size + align - 1) &^ (align - 1) }

// Section returns the bytes of a section, which must not be changed, and reports
// whether there is one of that name.
func (p *Container) Section(name string) ([]byte, bool) {
	at, ok := p.find(name)
	if !ok {
		return nil, false
	}
	return p.data[at.offset : at.offset+at.length : at.offset+at.length], true
}

// Sections yields the names of all sections, in order, with their bytes.
func (p *Container) Sections() iter.Seq2[string, []byte] {
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
// [OpenContainer].
func ReadDirectory(from io.ReaderAt, size int64) (*Directory, error) {
	header, footer := make([]byte, headerSize), make([]byte, footerSize)
	if size < headerSize {
		return nil, fmt.Errorf("%w: it does not begin like a pack", ErrPack)
	}
	if err := readAt(from, header, 0); err != nil {
		return nil, err
	}
	if string(header[:len(headMark)]) != headMark {
		return nil, fmt.Errorf("%w: it does not begin like a pack", ErrPack)
	}
	if format := binary.LittleEndian.Uint32(header[8:]); format != PackFormat {
		return nil, fmt.Errorf("%w: it has the number %d, and this program reads %d", ErrFormat, format, PackFormat)
	}
	if size >= headerSize+footerSize {
		if err := readAt(from, footer, size-footerSize); err != nil {
			return nil, err
		}
	}
	if string(footer[footerSize-len(footMark):]) != footMark {
		return nil, fmt.Errorf("%w: it does not end like a pack", ErrPack)
	}
	switch written := binary.LittleEndian.Uint64(footer[16:]); {
	case written != uint64(size):
		return nil, fmt.Errorf("%w: it has %d bytes, but was written with %d", ErrPack, size, written)
	case binary.LittleEndian.Uint32(header[12:]) != 0:
		return nil, fmt.Errorf("%w: the reserved bytes of the header are not zero", ErrPack)
	}
	return readEntries(from, footer, uint64(size)-footerSize)
}

// readEntries reads the entries of the directory, which ends at limit.
func readEntries(from io.ReaderAt, footer []byte, limit uint64) (*Directory, error) {
	directory := binary.LittleEndian.Uint64(footer)
	count := uint64(binary.LittleEndian.Uint32(footer[8:]))
	nameSize := uint64(binary.LittleEndian.Uint32(footer[12:]))
	if directory < headerSize || directory > limit || directory+padded(count*entrySize+nameSize) != limit {
		return nil, fmt.Errorf("%w: the directory is not where the footer says", ErrPack)
	}
	data := make([]byte, count*entrySize+nameSize)
	if err := readAt(from, data, int64(directory)); err != nil {
		return nil, err
	}
	d := &Directory{make([]string, 0, count), make([]extent, 0, count)}
	if err := d.parse(data[:count*entrySize], string(data[count*entrySize:]), directory); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPack, err)
	}
	return d, nil
}

// parse reads the entries of a directory that begins at directory. What it accepts is
// exactly what a [PackWriter] writes: sections in the order of their names, without gaps other
// than padding.
func (d *Directory) parse(entries []byte, names string, directory uint64) error {
	end := uint64(headerSize)
	for entry := range slices.Chunk(entries, entrySize) {
		at := extent{binary.LittleEndian.Uint64(entry), binary.LittleEndian.Uint64(entry[8:])}
		length := uint64(binary.LittleEndian.Uint32(entry[16:]))
		switch {
		case at.offset != end || at.length > directory-end || padded(at.length) > directory-end:
			return fmt.Errorf("section %d is not where the directory says", len(d.names))
		case length == 0 || length > MaxSection || length > uint64(len(names)) || binary.LittleEndian.Uint32(entry[20:]) != 0:
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

// PackWriter writes a pack to an [io.Writer], which is written from front to back
// in the pieces that the caller writes: it should have a buffer. The first error
// stays: later calls return it, too.
type PackWriter struct {
	out     io.Writer
	size    uint64 // written so far
	names   []string
	extents []extent // of the sections that were begun
	err     error
}

// NewPackWriter returns a writer of a pack.
func NewPackWriter(w io.Writer) *PackWriter { return &PackWriter{out: w} }

// Begin ends the current section and begins another. Sections are written in the
// order of their names, so that the same sections give the same bytes.
func (w *PackWriter) Begin(name string) error {
	n := len(w.names)
	switch {
	case w.err != nil:
	case name == "" || len(name) > MaxSection:
		w.err = fmt.Errorf("pack: the name %q of a section must have 1 to %d bytes", name, MaxSection)
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
func (w *PackWriter) Write(p []byte) (int, error) {
	if w.err == nil && len(w.names) == 0 {
		w.err = errors.New("pack: Write before Begin")
	}
	return w.write(p)
}

// Close ends the pack: it writes the directory. It does not close the underlying
// writer.
func (w *PackWriter) Close() error {
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

func (w *PackWriter) header() {
	header := binary.LittleEndian.AppendUint32([]byte(headMark), PackFormat)
	_, _ = w.write(binary.LittleEndian.AppendUint32(header, 0))
}

// endSection notes the length of the last section and pads it.
func (w *PackWriter) endSection() {
	last := &w.extents[len(w.extents)-1]
	last.length = w.size - last.offset
	w.pad()
}

func (w *PackWriter) pad() {
	var zeros [align]byte
	_, _ = w.write(zeros[:padded(w.size)-w.size])
}

func (w *PackWriter) write(p []byte) (n int, err error) {
	if w.err == nil {
		n, w.err = w.out.Write(p)
		w.size += uint64(n)
	}
	return n, w.err
}

// Table maps keys to values that several keys may share. It reads a section in
// place; the zero Table is empty. It is immutable and safe for concurrent use.
type Table struct {
	ends   numbers32 // where each key ends in keys
	shares numbers32 // the number of the value of each key
	cuts   numbers64 // where each value ends in values
	keys   []byte
	values []byte
}

// tableHeader is the size of the fixed part of a table, in bytes.
const tableHeader = 16

// OpenTable opens a table. It checks the sizes of its parts, and each lookup
// checks what it reads, so opening takes the same time whatever the size. In a
// table that [WriteTable] has not written, lookups may miss keys.
func OpenTable(section []byte) (Table, error) {
	if len(section) < tableHeader {
		return Table{}, fmt.Errorf("%w: a table ends too early", ErrPack)
	}
	keys := uint64(binary.LittleEndian.Uint32(section))
	values := uint64(binary.LittleEndian.Uint32(section[4:]))
	size := binary.LittleEndian.Uint64(section[8:])
	rest := section[tableHeader:]
	if size > uint64(len(rest)) || 8*keys+8*values+padded(size) > uint64(len(rest)) {
		return Table{}, fmt.Errorf("%w: a table ends too early", ErrPack)
	}
	take := func(n uint64) []byte {
		part := rest[:n:n]
		rest = rest[n:]
		return part
	}
	t := Table{ends: take(4 * keys), shares: take(4 * keys), cuts: take(8 * values)}
	t.keys = take(padded(size))[:size]
	t.values = rest
	if t.ends.at(t.ends.len()) != size || t.cuts.at(t.cuts.len()) != uint64(len(t.values)) {
		return Table{}, fmt.Errorf("%w: the parts of a table do not add up", ErrPack)
	}
	return t, nil
}

// Len returns the number of keys.
func (t Table) Len() int { return t.ends.len() }

// Values returns the number of distinct values.
func (t Table) Values() int { return t.cuts.len() }

// Get returns the value of a key, which must not be changed, and reports whether
// there is one.
func (t Table) Get(key string) ([]byte, bool) {
	i, found := sort.Find(t.Len(), func(i int) int {
		at, ok := t.key(i)
		switch {
		case !ok || key < string(at):
			return -1
		case key > string(at):
			return 1
		}
		return 0
	})
	if !found {
		return nil, false
	}
	return t.value(i)
}

// All yields the keys in order with their values.
func (t Table) All() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for i := range t.Len() {
			key, ok := t.key(i)
			value, found := t.value(i)
			if ok && found && !yield(string(key), value) {
				return
			}
		}
	}
}

// key returns the key with a number.
func (t Table) key(i int) ([]byte, bool) {
	return slice(t.keys, t.ends.at(i), t.ends.at(i+1))
}

// value returns the value of the key with a number.
func (t Table) value(i int) ([]byte, bool) {
	share := t.shares.at(i + 1)
	if share >= uint64(t.cuts.len()) {
		return nil, false
	}
	return slice(t.values, t.cuts.at(int(share)), t.cuts.at(int(share)+1))
}

// slice returns a part of data if there is one.
func slice(data []byte, from, to uint64) ([]byte, bool) {
	if from > to || to > uint64(len(data)) {
		return nil, false
	}
	return data[from:to:to], true
}

// numbers32 and numbers64 are lists of numbers. at returns the number before
// position i, and 0 at the beginning: as ends of adjacent parts, part i is from
// at(i) to at(i+1).
type (
	numbers32 []byte
	numbers64 []byte
)

func (n numbers32) len() int { return len(n) / 4 }

func (n numbers32) at(i int) uint64 {
	if i == 0 {
		return 0
	}
	return uint64(binary.LittleEndian.Uint32(n[4*i-4:]))
}

func (n numbers64) len() int { return len(n) / 8 }

func (n numbers64) at(i int) uint64 {
	if i == 0 {
		return 0
	}
	return binary.LittleEndian.Uint64(n[8*i-8:])
}

// Contents is what [WriteTable] writes. Values are streamed: only their sizes
// have to be known beforehand.
type Contents struct {
	// Keys are the keys in ascending order, without duplicates, and Shares the
	// number of the value of each.
	Keys   []string
	Shares []uint32
	// Sizes are the sizes of the values in bytes.
	Sizes []int
	// WriteValues writes all values, one after the other.
	WriteValues func(w io.Writer) error
}

// WriteTable writes a table, usually as a section.
func WriteTable(w io.Writer, c Contents) error {
	if err := c.check(); err != nil {
		return fmt.Errorf("pack: table: %w", err)
	}
	keySize := 0
	for _, key := range c.Keys {
		keySize += len(key)
	}
	if uint64(keySize) > math.MaxUint32 {
		return fmt.Errorf("pack: table: keys of %d bytes are too large", keySize)
	}
	out := bufio.NewWriterSize(w, 1<<16) // whose first error stays until Flush
	put32 := func(n uint32) { _, _ = out.Write(binary.LittleEndian.AppendUint32(out.AvailableBuffer(), n)) }
	put64 := func(n uint64) { _, _ = out.Write(binary.LittleEndian.AppendUint64(out.AvailableBuffer(), n)) }
	put32(uint32(len(c.Keys)))
	put32(uint32(len(c.Sizes)))
	put64(uint64(keySize))
	end := 0
	for _, key := range c.Keys {
		end += len(key)
		put32(uint32(end))
	}
	for _, share := range c.Shares {
		put32(share)
	}
	end = 0
	for _, size := range c.Sizes {
		end += size
		put64(uint64(end))
	}
	for _, key := range c.Keys {
		_, _ = out.WriteString(key)
	}
	_, _ = out.Write(make([]byte, padded(uint64(keySize))-uint64(keySize)))
	if err := out.Flush(); err != nil {
		return err
	}
	return c.writeValues(w, end)
}

// check returns an error if the keys can't be written.
func (c *Contents) check() error {
	if len(c.Keys) != len(c.Shares) {
		return fmt.Errorf("%d keys have %d values", len(c.Keys), len(c.Shares))
	}
	if uint64(len(c.Keys)) > math.MaxUint32 || uint64(len(c.Sizes)) > math.MaxUint32 {
		return errors.New("there are too many keys or values")
	}
	for i, key := range c.Keys {
		switch {
		case i > 0 && c.Keys[i-1] >= key:
			return fmt.Errorf("key %q must come before %q", key, c.Keys[i-1])
		case uint64(c.Shares[i]) >= uint64(len(c.Sizes)):
			return fmt.Errorf("key %q has the value %d of %d", key, c.Shares[i], len(c.Sizes))
		}
	}
	if slices.ContainsFunc(c.Sizes, func(size int) bool { return size < 0 }) {
		return errors.New("a value has a negative size")
	}
	return nil
}

func (c *Contents) writeValues(w io.Writer, size int) error {
	counted := &counter{w: w}
	if c.WriteValues != nil {
		if err := c.WriteValues(counted); err != nil {
			return err
		}
	}
	if counted.n != size {
		return fmt.Errorf("pack: table: values of %d bytes were written, but their sizes add up to %d", counted.n, size)
	}
	return nil
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += n
	return n, err
}
