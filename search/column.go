package search

import (
	"io"
	"sync/atomic"
)

// column is a list of numbers in a serialized index, which is read and decoded by page.
// Words of a query that begin alike have their postings side by side, so a page often
// serves several.
type column[T ~uint32] struct {
	from  io.ReaderAt
	begin int64 // where the numbers begin
	n     int64 // how many there are
	pages []atomic.Pointer[[]T]
}

// pageSize is the number of numbers in a page.
const pageSize = 16 << 10

// newColumn returns the column of the next n numbers, and skips them.
func newColumn[T ~uint32](d *decoder, n int64) column[T] {
	begin := d.skip(4 * n)
	if d.err != nil {
		return column[T]{}
	}
	return column[T]{from: d.from, begin: begin, n: n, pages: make([]atomic.Pointer[[]T], (n+pageSize-1)/pageSize)}
}

// in returns the bytes of the column in the data of the whole index.
func (c *column[T]) in(data []byte) []byte { return data[c.begin : c.begin+4*c.n] }

// read returns the numbers from begin up to end, which must not be changed. Those that are
// not in one page are read by themselves.
func (c *column[T]) read(begin, end uint32) ([]T, error) {
	first := begin / pageSize
	if first != (end-1)/pageSize {
		return c.decode(int64(begin), int64(end))
	}
	page, err := c.page(first)
	if err != nil {
		return nil, err
	}
	begin -= first * pageSize
	end -= first * pageSize
	return page[begin:end:end], nil
}

// page returns a page, decoded once.
func (c *column[T]) page(i uint32) ([]T, error) {
	if p := c.pages[i].Load(); p != nil {
		return *p, nil
	}
	begin := int64(i) * pageSize
	page, err := c.decode(begin, min(begin+pageSize, c.n))
	if err != nil {
		return nil, err
	}
	c.pages[i].CompareAndSwap(nil, &page)
	return *c.pages[i].Load(), nil
}

// decode reads and decodes the numbers from begin up to end.
func (c *column[T]) decode(begin, end int64) ([]T, error) {
	text := make([]byte, 4*(end-begin))
	if err := readFull(c.from, text, c.begin+4*begin); err != nil {
		return nil, err
	}
	return numbers[T](text), nil
}
