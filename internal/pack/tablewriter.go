package pack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

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
