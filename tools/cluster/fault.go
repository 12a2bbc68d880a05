package main

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// fault is what a proxy does to the bytes that pass.
type fault int

const (
	healthy fault = iota
	cut           // connections are closed, new ones too
	silent        // connections stay, and nothing passes: a network partition
	slow          // everything arrives late
	lossy         // everything arrives late, and some replies never
)

// lossRate is how many replies one is lost of, by chance.
const lossRate = 8

// proxy passes TCP connections to a target, and fails on demand. A Go library
// (toxiproxy) can do much more; these five states are all that is needed here.
type proxy struct {
	listener net.Listener
	target   string
	delay    time.Duration

	mu      sync.Mutex
	changed *sync.Cond
	state   fault
	conns   map[net.Conn]bool
	random  *rand.Rand
	lost    int // replies
}

// newProxy listens on a free port of the loopback interface. Slow means that delay is
// added to everything, in both directions. The seed chooses the replies that are lost.
func newProxy(target string, delay time.Duration, seed uint64) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: l, target: target, delay: delay, conns: map[net.Conn]bool{}, random: rand.New(rand.NewPCG(seed, 0))}
	p.changed = sync.NewCond(&p.mu)
	go p.accept()
	return p, nil
}

// address is where clients connect.
func (p *proxy) address() string { return p.listener.Addr().String() }

// set changes the state, for open connections too.
func (p *proxy) set(state fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state = state
	if state == cut {
		for c := range p.conns {
			_ = c.Close() // the loops that use it end
		}
	}
	p.changed.Broadcast()
}

// close ends all connections.
func (p *proxy) close() {
	if p != nil {
		_ = p.listener.Close()
		p.set(cut)
	}
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil {
			go p.serve(client)
		}
	}
}

// track adds a connection, unless connections are cut.
func (p *proxy) track(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == cut {
		_ = c.Close()
		return false
	}
	p.conns[c] = true
	return true
}

func (p *proxy) forget(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, c)
	_ = c.Close()
}

func (p *proxy) serve(client net.Conn) {
	if !p.track(client) {
		return
	}
	defer p.forget(client)
	server, err := net.DialTimeout("tcp", p.target, time.Second)
	if err != nil || !p.track(server) {
		return
	}
	defer p.forget(server)
	var both sync.WaitGroup
	both.Go(func() { p.pass(server, client, false) })
	both.Go(func() { p.pass(client, server, true) })
	both.Wait()
}

// pass copies until a side ends, or a reply is lost, and then ends both.
func (p *proxy) pass(to, from net.Conn, replies bool) {
	defer func() { _, _ = to.Close(), from.Close() }()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			p.hold()
			if replies && p.loses() {
				return
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				return
			}
			p.hold()
			return
		}
	}
}

// hold waits as the state demands.
func (p *proxy) hold() {
	p.mu.Lock()
	for p.state == silent {
		p.changed.Wait()
	}
	late := p.state == slow || p.state == lossy
	p.mu.Unlock()
	if late {
		time.Sleep(p.delay)
	}
}

// loses reports whether a reply is lost: what was asked for is done, and the client
// does not learn it.
func (p *proxy) loses() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state != lossy || p.random.IntN(lossRate) > 0 {
		return false
	}
	p.lost++
	return true
}

// losses returns how many replies were lost.
func (p *proxy) losses() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lost
}
