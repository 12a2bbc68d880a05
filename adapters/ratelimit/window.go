package ratelimit

import "time"

// slots is how many slots are looked at: the current one and 60 before it.
const slots = int(Window/time.Second) + 1

// inline is how many slots a window counts on its own. Most keys are seen in a
// few seconds of a minute, and those that are seen in more borrow a ring.
const inline = 4

// A ring counts the requests of each slot, at the slot's number modulo slots.
type ring [slots]uint16

// A window counts requests by slot. It begins with pairs of age and count, the
// oldest first, and moves to a ring when there are too many.
type window struct {
	now   uint32         // the slot up to which it has been moved on
	ring  uint32         // the index of the ring among rings; 0 is none
	total uint16         // requests in all slots
	used  uint8          // pairs in use
	ago   [inline]uint8  // how many slots before now
	n     [inline]uint16 // requests in that slot
}

// advance moves the window on to a slot, and drops what falls out of it.
// Slots are compared by difference, so their numbers may wrap around.
func (w *window) advance(now uint32, r *rings) {
	d := now - w.now
	switch {
	case d == 0:
		return
	case d >= uint32(slots):
		r.release(w.ring)
		*w = window{now: now}
		return
	case w.ring != 0:
		for counts := r.at(w.ring); w.now != now; {
			w.now++
			i := w.now % uint32(slots)
			w.total -= counts[i]
			counts[i] = 0
		}
		return
	}
	w.now = now
	kept := uint8(0)
	for i := range w.used {
		ago := uint32(w.ago[i]) + d
		if ago >= uint32(slots) {
			w.total -= w.n[i]
			continue
		}
		w.ago[kept], w.n[kept] = uint8(ago), w.n[i]
		kept++
	}
	w.used = kept
}

// add counts a request in the current slot.
func (w *window) add(r *rings) {
	w.total++
	switch {
	case w.ring != 0:
		r.at(w.ring)[w.now%uint32(slots)]++
	case w.used > 0 && w.ago[w.used-1] == 0:
		w.n[w.used-1]++
	case w.used < inline:
		w.ago[w.used], w.n[w.used] = 0, 1
		w.used++
	default:
		w.ring = r.take()
		counts := r.at(w.ring)
		for i := range w.used {
			counts[(w.now-uint32(w.ago[i]))%uint32(slots)] = w.n[i]
		}
		w.used = 0
		counts[w.now%uint32(slots)] = 1
	}
}

// expires returns in how many slots the oldest request falls out of the window,
// which must hold one.
func (w *window) expires(r *rings) int {
	if w.ring == 0 {
		return slots - int(w.ago[0])
	}
	counts := r.at(w.ring)
	for left := 1; left < slots; left++ {
		// The slot after the current one is where the oldest was.
		if counts[(w.now+uint32(left))%uint32(slots)] != 0 {
			return left
		}
	}
	return slots
}

// rings lends out rings by index, max at a time. Index 0 is nobody's.
type rings struct {
	max  int
	all  []ring
	free []uint32
}

func (r *rings) at(i uint32) *ring { return &r.all[i] }

// take returns the index of an empty ring.
func (r *rings) take() uint32 {
	if n := len(r.free); n > 0 {
		i := r.free[n-1]
		r.free = r.free[:n-1]
		r.all[i] = ring{}
		return i
	}
	if len(r.all) == 0 {
		r.all = append(r.all, ring{})
	}
	if len(r.all) == cap(r.all) {
		r.all = roomier(r.all, r.max+1)
	}
	r.all = append(r.all, ring{})
	return uint32(len(r.all) - 1)
}

// release takes a ring back, if i is one.
func (r *rings) release(i uint32) {
	if i == 0 {
		return
	}
	if len(r.free) == cap(r.free) {
		r.free = roomier(r.free, r.max)
	}
	r.free = append(r.free, i)
}
