package httpapi

import "sync"

// room is memory for the body of an answer that is not cached. Bodies of resolved
// documents and pages have 50 KB and more, so allocating them costs as much as making
// them.
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
