package ratelimit

import "time"

// slots is the number of slots in a window: the current one and 60 before it.
const slots = int(Window/time.Second) + 1

// inline is how many slots a window counts without a ring. Most clients send all
// their requests of a minute in a few seconds.
const inline = 4

// A ring counts the requests of each slot, at the slot's number modulo slots.
type ring [slots]uint16

// A window counts requests by slot: in pairs of age and count, the oldest first,
// or in a ring if there are more than inline of them.
type window struct {
	now   uint32         // the slot that ages refer to
	ring  uint32         // index of the ring; 0 is none
	total uint16         // requests in all slots
	used  uint8          // pairs in use
	ago   [inline]uint8  // age in slots
	n     [inline]uint16 // requests of that age
}

// advance moves the window to a slot and drops what has expired.
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
		for counts := &r.all[w.ring]; w.now != now; {
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
		r.all[w.ring][w.now%uint32(slots)]++
	case w.used > 0 && w.ago[w.used-1] == 0:
		w.n[w.used-1]++
	case w.used < inline:
		w.ago[w.used], w.n[w.used] = 0, 1
		w.used++
	default:
		w.ring = r.take()
		counts := &r.all[w.ring]
		for i := range w.used {
			counts[(w.now-uint32(w.ago[i]))%uint32(slots)] = w.n[i]
		}
		w.used = 0
		counts[w.now%uint32(slots)] = 1
	}
}

// expires returns in how many slots the oldest request expires. The window must
// not be empty.
func (w *window) expires(r *rings) int {
	if w.ring == 0 {
		return slots - int(w.ago[0])
	}
	counts := &r.all[w.ring]
	left := 1 // the oldest slot is at the place after the current one
	for left < slots && counts[(w.now+uint32(left))%uint32(slots)] == 0 {
		left++
	}
	return left
}

// rings is a pool of at most max rings. Index 0 is not used.
type rings struct {
	max  int
	all  []ring
	free []uint32
}

// take returns the index of an empty ring.
func (r *rings) take() uint32 {
	if n := len(r.free); n > 0 {
		i := r.free[n-1]
		r.free = r.free[:n-1]
		r.all[i] = ring{}
		return i
	}
	if len(r.all) == cap(r.all) {
		r.all = doubled(r.all, r.max+1)
	}
	r.all = append(r.all, ring{})
	return uint32(len(r.all) - 1)
}

// release returns a ring to the pool; i may be 0.
func (r *rings) release(i uint32) {
	if i == 0 {
		return
	}
	if len(r.free) == cap(r.free) {
		r.free = doubled(r.free, r.max)
	}
	r.free = append(r.free, i)
}
