package httpapi

import (
	"errors"
	"io"
	"slices"
	"sync"
)

// room is memory for a document, or for the body of an answer that is not cached.
// Resolved documents and pages have 50 KB and more, so allocating them costs as much as
// making them.
type room struct{ bytes []byte }

// maxKept is the size of the largest room that is used again.
const maxKept = 1 << 20

// rooms are rooms that are not in use.
type rooms struct{ free sync.Pool }

// take returns an empty room.
func (rs *rooms) take() *room {
	if r, ok := rs.free.Get().(*room); ok {
		return r
	}
	return new(room)
}

// giveBack keeps a room for another answer.
func (rs *rooms) giveBack(r *room) {
	if cap(r.bytes) <= maxKept {
		r.bytes = r.bytes[:0]
		rs.free.Put(r)
	}
}

// readAll reads a body of a declared size, which is -1 if it is unknown. The room grows
// with what has arrived: a client can declare much and send nothing.
func (r *room) readAll(from io.Reader, declared int64) error {
	const first, growth = 16 << 10, 4
	body := slices.Grow(r.bytes, 1+int(min(max(declared, 0), first))) // and one to find the end
	for {
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case errors.Is(err, io.EOF):
			r.bytes = body
			return nil
		case err != nil:
			return err
		case len(body) == cap(body):
			body = slices.Grow(body, max(512, min(growth*len(body), int(declared)+1-len(body))))
		}
	}
}
