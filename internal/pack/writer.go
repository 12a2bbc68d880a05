package pack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

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
