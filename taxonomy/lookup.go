package taxonomy

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// idTable finds the position of an id. It takes a third of the memory of a map, and a
// form has its slots, so that a release of 100,000 elements opens without hashing ids.
//
// Slots are sorted by the hash of the id, then by the id. The first bits of a hash
// select a bucket, which has about one slot. Ids that were chosen to have the same
// hash make a lookup logarithmic, not linear.
type idTable struct {
	ids   []string
	slots []slot
	// The slots of bucket b are slots[buckets[b]:buckets[b+1]]. A bucket is the
	// first 32-shift bits of a hash.
	buckets []uint32
	shift   uint8
}

// slot is the hash of an id in its upper 32 bits and the position of the id in its
// lower 32 bits.
type slot uint64

func (s slot) hash() uint32     { return uint32(s >> 32) }
func (s slot) position() uint32 { return uint32(s) }

// newIDTable returns the table of ids, which it keeps. If an id occurs twice, it also returns the
// position of the second one, otherwise -1.
func newIDTable(ids []string) (t idTable, twice int) {
	joinMemory(ids)
	slots := make([]slot, len(ids))
	for i, id := range ids {
		slots[i] = slot(uint64(hashID(id))<<32 | uint64(i))
	}
	slices.Sort(slots)
	twice = -1
	for i := 0; i < len(slots); {
		end := i + 1
		for end < len(slots) && slots[end].hash() == slots[i].hash() {
			end++
		}
		// The sort is stable, so equal ids stay in the order of positions.
		slices.SortStableFunc(slots[i:end], func(a, b slot) int { return cmp.Compare(ids[a.position()], ids[b.position()]) })
		for k := i + 1; k < end; k++ {
			if at := int(slots[k].position()); ids[at] == ids[slots[k-1].position()] && (twice < 0 || at < twice) {
				twice = at
			}
		}
		i = end
	}
	return openIDTable(ids, slots), twice
}

// openIDTable returns a table with sorted slots.
func openIDTable(ids []string, slots []slot) idTable {
	t := idTable{ids: ids, slots: slots, shift: uint8(32 - bits.Len(uint(len(slots))))}
	t.buckets = make([]uint32, 1<<(32-t.shift)+1)
	bucket := 0
	for i, s := range slots {
		for ; bucket <= int(s.hash()>>t.shift); bucket++ {
			t.buckets[bucket] = uint32(i)
		}
	}
	for ; bucket < len(t.buckets); bucket++ {
		t.buckets[bucket] = uint32(len(slots))
	}
	return t
}

// joinMemory lets texts share one piece of memory. A lookup is three times faster if the
// ids are not spread over the JSON of a release, of which they are parts.
func joinMemory(texts []string) {
	all := strings.Join(texts, "")
	for i, t := range texts {
		texts[i], all = all[:len(t)], all[len(t):]
	}
}

// find returns the position of an id.
func (t *idTable) find(id string) (int, bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	hash := hashID(id)
	begin, end := t.buckets[hash>>t.shift], t.buckets[hash>>t.shift+1]
	for begin < end {
		middle := (begin + end) / 2
		s := t.slots[middle]
		switch known := s.hash(); {
		case hash == known && id == t.ids[s.position()]: // almost always, the first time
			return int(s.position()), true
		case hash < known || hash == known && id < t.ids[s.position()]:
			end = middle
		default:
			begin = middle + 1
		}
	}
	return 0, false
}

// hashID is part of the format of a form: it reads the id in words of eight bytes in
// little endian, the last one filled up with zeros.
func hashID(id string) uint32 {
	hash := uint64(len(id))
	for ; len(id) >= 8; id = id[8:] {
		hash = mixed(hash ^ (uint64(id[0]) | uint64(id[1])<<8 | uint64(id[2])<<16 | uint64(id[3])<<24 |
			uint64(id[4])<<32 | uint64(id[5])<<40 | uint64(id[6])<<48 | uint64(id[7])<<56)) // one load
	}
	last := uint64(0)
	for i := len(id) - 1; i >= 0; i-- {
		last = last<<8 | uint64(id[i])
	}
	return uint32(mixed(hash^last) >> 32)
}

// mixed spreads the bits of a word.
func mixed(word uint64) uint64 {
	word *= 0x9E3779B97F4A7C15 // 2^64 divided by the golden ratio
	return word ^ word>>29
}
