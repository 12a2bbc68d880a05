package ratelimit

import (
	"hash/maphash"
	"math/bits"
	"reflect"
)

// chain returns the beginning of the chain of a hash.
func (s *shard) chain(hash uint32) *uint32 { return &s.chains[hash&uint32(len(s.chains)-1)] }

// hash returns the hash of an entry's client.
func (s *shard) hash(i uint32) uint32 { return uint32(maphash.Comparable(s.seed, s.entries[i].client)) }

// take returns an entry that is in no chain and not in the ring by age.
func (s *shard) take() uint32 {
	s.held++
	if i := s.free; i != 0 {
		s.free = s.entries[i].next
		return i
	}
	if len(s.entries) == cap(s.entries) {
		s.grow()
	}
	s.entries = append(s.entries, entry{})
	return uint32(len(s.entries) - 1)
}

// grow doubles the table, up to its bound. There are at least as many chains as
// entries.
func (s *shard) grow() {
	s.entries = doubled(s.entries, s.max+1)
	s.chains = make([]uint32, 1<<bits.Len(uint(cap(s.entries)-2)))
	for i := s.entries[0].newer; i != 0; i = s.entries[i].newer {
		first := s.chain(s.hash(i))
		s.entries[i].next, *first = *first, i
	}
}

// doubled copies a full slice to one of twice the capacity, but at most limit.
func doubled[T any](full []T, limit int) []T {
	return append(make([]T, 0, min(max(2*len(full), 8), limit)), full...)
}

// link makes an entry the newest.
func (s *shard) link(i uint32) {
	newest := s.entries[0].older
	s.entries[i].older, s.entries[i].newer = newest, 0
	s.entries[newest].newer, s.entries[0].older = i, i
}

// unlink takes an entry out of the ring by age.
func (s *shard) unlink(i uint32) {
	older, newer := s.entries[i].older, s.entries[i].newer
	s.entries[older].newer, s.entries[newer].older = newer, older
}

// touch makes a linked entry the newest.
func (s *shard) touch(i uint32) {
	if s.entries[0].older != i {
		s.unlink(i)
		s.link(i)
	}
}

// remove frees an entry.
func (s *shard) remove(i uint32) {
	s.unlink(i)
	at := s.chain(s.hash(i))
	for *at != i {
		at = &s.entries[*at].next
	}
	*at = s.entries[i].next
	s.rings.release(s.entries[i].ring)
	s.entries[i] = entry{next: s.free}
	s.free = i
	s.held--
}

// bytes returns the size of the table.
func (s *shard) bytes() int64 {
	return int64(cap(s.entries))*int64(reflect.TypeFor[entry]().Size()) + int64(cap(s.chains))*4 +
		int64(cap(s.rings.all))*int64(reflect.TypeFor[ring]().Size()) + int64(cap(s.rings.free))*4
}
