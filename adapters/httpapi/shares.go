package httpapi

import (
	"encoding/binary"
	"net/netip"
	"sync"
	"sync/atomic"
)

// shares bounds the requests that are served at once: all of them, and those of
// one client, so that a client which does not read its responses, or does not
// finish its requests, takes places away from nobody else.
//
// A request is first prepared and then sent. The bound for all clients is that of the
// former, since the time to send a response is the client's: see unread. The share of
// a client has both.
type shares struct {
	most, each int64
	preparing  atomic.Int64
	shards     [shareShards]shareShard
}

// shareShards is the number of locks.
const shareShards = 64

type shareShard struct {
	mu   sync.Mutex
	held map[netip.Addr]int64 // only clients with requests
}

// phase is where a request is.
type phase uint8

const (
	outside   phase = iota // it has no place
	preparing              // until the header of the response is written
	sending
)

// admission is whether a request gets a place.
type admission uint8

const (
	admitted   admission = iota
	serverFull           // of requests of all clients
	clientFull           // of those of this client
)

func newShares(most, each int) *shares {
	s := &shares{most: int64(most), each: int64(each)}
	for i := range s.shards {
		s.shards[i].held = make(map[netip.Addr]int64)
	}
	return s
}

// enter takes a place for a request, which the caller returns with leave.
func (s *shares) enter(client netip.Addr) admission {
	if s.preparing.Add(1) > s.most {
		s.preparing.Add(-1)
		return serverFull
	}
	shard := s.shard(client)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	n := shard.held[client]
	if n >= s.each {
		s.preparing.Add(-1)
		return clientFull
	}
	shard.held[client] = n + 1
	return admitted
}

// send notes that a response is ready: from now on, only its client waits.
func (s *shares) send() { s.preparing.Add(-1) }

// leave returns the place of a request.
func (s *shares) leave(client netip.Addr, at phase) {
	if at == preparing {
		s.preparing.Add(-1)
	}
	shard := s.shard(client)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	if n := shard.held[client]; n > 1 {
		shard.held[client] = n - 1
	} else {
		delete(shard.held, client)
	}
}

// shard returns the shard of a client. Neighbouring addresses are in different
// shards; it does not matter if a client chooses its shard.
func (s *shares) shard(client netip.Addr) *shareShard {
	b := client.As16()
	h := binary.LittleEndian.Uint64(b[:8]) ^ binary.LittleEndian.Uint64(b[8:])
	h *= 0x9e3779b97f4a7c15
	return &s.shards[h>>58]
}
