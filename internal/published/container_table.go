package published

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"sort"
)

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
	out := &appender{w: w}
	out.buf = binary.LittleEndian.AppendUint32(out.buf, uint32(len(c.Keys)))
	out.buf = binary.LittleEndian.AppendUint32(out.buf, uint32(len(c.Sizes)))
	out.buf = binary.LittleEndian.AppendUint64(out.buf, uint64(keySize))
	end := 0
	for _, key := range c.Keys {
		end += len(key)
		out.buf = binary.LittleEndian.AppendUint32(out.buf, uint32(end))
		out.spill()
	}
	for _, share := range c.Shares {
		out.buf = binary.LittleEndian.AppendUint32(out.buf, share)
		out.spill()
	}
	end = 0
	for _, size := range c.Sizes {
		end += size
		out.buf = binary.LittleEndian.AppendUint64(out.buf, uint64(end))
		out.spill()
	}
	for _, key := range c.Keys {
		out.buf = append(out.buf, key...)
		out.spill()
	}
	out.buf = append(out.buf, make([]byte, padded(uint64(keySize))-uint64(keySize))...)
	out.flush()
	if out.err != nil {
		return out.err
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

// appender collects small pieces before it writes them.
type appender struct {
	w   io.Writer
	buf []byte
	err error
}

// spill writes the buffer if it is large.
func (a *appender) spill() {
	if len(a.buf) >= 1<<16 {
		a.flush()
	}
}

func (a *appender) flush() {
	if a.err == nil {
		_, a.err = a.w.Write(a.buf)
	}
	a.buf = a.buf[:0]
}
